"""Whole random tokenizers: every component, small vocabularies, overlapping added tokens, odd settings."""

from __future__ import annotations

from random import Random
from typing import Any, Dict, List, Optional, Sequence

from . import models, parts
from .parts import Json, flag, rare

FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")
CONTENTS = (
    "<s>",
    "</s>",
    "[SEP]",
    "ab",
    "a",
    " ",
    "abc",
    "b c",
    "A",
    "\u00e9",
    "<",
    "<s",
    "s>",
    "\u2581",
    "1",
)


def _added(chance: Random, tokens: Sequence[str], free: int) -> List[Json]:
    made = []
    for number in range(chance.choice((0, 0, 1, 2, 4))):
        content = chance.choice(tokens) if rare(chance) else chance.choice(CONTENTS)
        flags = {name: chance.random() < 0.35 for name in FLAGS}
        flags["normalized"] &= not content.isspace()  # normalized to nothing, the oracle searches for ever
        made.append({"id": free + number, "content": content, **flags})
    return made


def _named(chance: Random, tokens: Sequence[str]) -> List[Any]:
    number = chance.randrange(len(tokens))
    return [tokens[number], number]


def _piece(chance: Random, letter: str, names: Sequence[str]) -> Json:
    kind = chance.choice(("A", "A", letter, "special"))
    if kind == "special":
        return {"SpecialToken": {"id": chance.choice(names), "type_id": chance.choice((0, 0, 1))}}
    return {"Sequence": {"id": kind, "type_id": chance.choice((0, 1))}}


def _template(chance: Random, tokens: Sequence[str]) -> Json:
    names = [chance.choice(tokens) for _ in range(2)]
    special = {}
    for name in names:
        members = [_named(chance, tokens) for _ in range(chance.choice((1, 1, 2)))]
        special[name] = {
            "id": name,
            "ids": [one[1] for one in members],
            "tokens": [one[0] for one in members],
        }
    single = [_piece(chance, "A", names) for _ in range(chance.randint(1, 3))]
    pair = [_piece(chance, "B", names) for _ in range(chance.randint(1, 4))]
    whole = [*pair, {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}]
    return {"type": "TemplateProcessing", "single": single, "pair": whole, "special_tokens": special}


def _bert(chance: Random, tokens: Sequence[str]) -> Json:
    return {"type": "BertProcessing", "sep": _named(chance, tokens), "cls": _named(chance, tokens)}


def _roberta(chance: Random, tokens: Sequence[str]) -> Json:
    flags = {name: flag(chance) for name in ("trim_offsets", "add_prefix_space")}
    ends = {"sep": _named(chance, tokens), "cls": _named(chance, tokens)}
    return {"type": "RobertaProcessing", **ends, **flags}


def _processor(chance: Random, tokens: Sequence[str], depth: int = 1) -> Optional[Json]:
    kind = chance.randrange(8 if depth else 6)
    if kind < 2:
        return None if depth else parts.byte_level(chance)
    if kind < 6:
        makers = (_template, _bert, _roberta, lambda chance, _: parts.byte_level(chance))
        return makers[kind - 2](chance, tokens)
    members = [_processor(chance, tokens, 0) for _ in range(chance.randint(0, 2))]
    return {"type": "Sequence", "processors": members}


def _truncation(chance: Random) -> Optional[Json]:
    if not rare(chance):
        return None
    return {
        "direction": chance.choice(("Right", "Left")),
        "max_length": chance.choice((1, 2, 3, 5, 8)),
        "strategy": chance.choice(("LongestFirst", "OnlyFirst", "OnlySecond")),
        "stride": chance.choice((0, 0, 1, 2)),
    }


def _padding(chance: Random) -> Optional[Json]:
    if not rare(chance):
        return None
    return {
        "strategy": chance.choice(("BatchLongest", {"Fixed": 6})),
        "direction": chance.choice(("Right", "Left")),
        "pad_to_multiple_of": chance.choice((None, None, 4)),
        "pad_id": chance.choice((0, 3)),
        "pad_type_id": chance.choice((0, 1)),
        "pad_token": "[PAD]",
    }


def tokenizer(chance: Random) -> Json:
    """The contents of a tokenizer.json; nearly all of them load."""
    model = models.model(chance)
    tokens = models.tokens_of(model)
    added = _added(chance, tokens, len(tokens))
    return {
        "version": "1.0",
        "truncation": _truncation(chance),
        "padding": _padding(chance),
        "added_tokens": added,
        "normalizer": parts.normalizer(chance),
        "pre_tokenizer": parts.pre_tokenizer(chance),
        "post_processor": _processor(chance, tokens),
        "decoder": parts.decoder(chance),
        "model": model,
    }


ODD = (
    *("", " ", "  ", "\n", "\t", "\u00a0", "\u3000", "\u2028", "\x00", "\ufffd", "\u200d", "\ufeff", "\x7f"),
    *("'s", "'S", "1", "23", "\u00bd", "\u0663", ".", "!?", "-", "_", "a\u0301", "\u0323\u0301", "\u00e9"),
    *("\u0130", "\u03a3", "\u00df", "\ufb01", "\u4e2d", "\u30fc", "\uac00", "\u1100\u1161", "\U0001f469"),
    *("\U0001f3fd", "\U0001f1e9", "\u202e", "\u0e33", "\u0915\u094d", "\u0378", "\U0010ffff", "<0x41>"),
)


def text_for(chance: Random, document: Dict[str, Any]) -> str:
    """A text out of the tokenizer's own tokens and added tokens, with odd characters in between."""
    tokens = models.tokens_of(document["model"])
    added = [token["content"] for token in document["added_tokens"]] or ["ab"]
    pools: Sequence[Sequence[str]] = (tokens, tokens, added, ODD, (" ", "a", "b", "ab"))
    return "".join(chance.choice(chance.choice(pools)) for _ in range(chance.randint(0, 9)))


def ids_for(chance: Random, document: Dict[str, Any]) -> List[int]:
    """Ids of the vocabulary, with some that are in no vocabulary."""
    size = len(models.tokens_of(document["model"])) + len(document["added_tokens"])
    most = 6 if flag(chance) else 14
    return [
        chance.randrange(size + 2) if not rare(chance) else chance.choice((size, 70000, 2**32 - 1))
        for _ in range(chance.randint(0, most))
    ]
