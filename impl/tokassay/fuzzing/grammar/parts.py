"""Random components of a tokenizer.json, with every type and option: normalizers to decoders."""

from __future__ import annotations

from random import Random
from typing import Any, Callable, Dict, List, Optional, Sequence

from .. import patterns
from ..charsmaps import precompiled

Json = Dict[str, Any]
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
REGEXES = (
    r"\s+",
    r" ?\p{L}+",
    r"\p{N}{1,3}",
    r"\w+|[^\w\s]+",
    r"'s|'t| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    r"(?i:'s|'t|'re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "a+",
    "b|ab",
    r"\d",
    "[^a-c]",
    "$|a",
    "x*",
    r"(?=a)",
)
RULES = ({"a": "b"}, {"ab": "c", "A": "a"}, {"\u00e9": "e", "x": ""}, {"\u3000": " ", "\uff41": "a"})
MARKS = ("\u2581", "_", " ", "\u0120", "a")
STRINGS = ("a", "b", "ab", " ", "", "\u2581", "\u00e9", "x", "  ", "\u4e2d", "\u0301")


def flag(chance: Random) -> bool:
    return chance.random() < 0.5


def rare(chance: Random) -> bool:
    return chance.random() < 0.12


def _regex(chance: Random) -> str:
    return patterns.pattern(chance, 2) if rare(chance) else chance.choice(REGEXES)


def pattern(chance: Random) -> Json:
    return {"Regex": _regex(chance)} if flag(chance) else {"String": chance.choice(STRINGS[:-3])}


def byte_level(chance: Random) -> Json:
    return {
        "type": "ByteLevel",
        "add_prefix_space": flag(chance),
        "trim_offsets": flag(chance),
        "use_regex": flag(chance),
    }


def metaspace(chance: Random) -> Json:
    scheme = chance.choice(("always", "never", "first"))
    return {
        "type": "Metaspace",
        "replacement": chance.choice(MARKS),
        "prepend_scheme": scheme,
        "split": flag(chance),
    }


def replace(chance: Random) -> Json:
    return {"type": "Replace", "pattern": pattern(chance), "content": chance.choice(STRINGS)}


def _bert_normalizer(chance: Random) -> Json:
    names = ("clean_text", "handle_chinese_chars", "lowercase")
    accents = chance.choice((None, True, False))
    return {"type": "BertNormalizer", "strip_accents": accents, **{name: flag(chance) for name in names}}


def _strip(chance: Random) -> Json:
    return {"type": "Strip", "strip_left": flag(chance), "strip_right": flag(chance)}


def _prepend(chance: Random) -> Json:
    return {"type": "Prepend", "prepend": chance.choice(("\u2581", "a", " ", "ab", "\u00e9"))}


def _split(chance: Random) -> Json:
    behavior = chance.choice(BEHAVIORS)
    return {"type": "Split", "pattern": pattern(chance), "behavior": behavior, "invert": flag(chance)}


Maker = Callable[[Random], Json]


def _plain(*names: str) -> List[Maker]:
    return [lambda _, name=name: {"type": name} for name in names]  # type: ignore[misc]


NORMALIZERS: Sequence[Maker] = (
    *_plain("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Nmt", "StripAccents", "ByteLevel"),
    _bert_normalizer,
    _strip,
    replace,
    _prepend,
    lambda chance: precompiled(chance.choice(RULES)),
)
PRE_TOKENIZERS: Sequence[Maker] = (
    byte_level,
    metaspace,
    _split,
    _split,
    *_plain("BertPreTokenizer", "Whitespace", "WhitespaceSplit", "UnicodeScripts"),
    lambda chance: {"type": "CharDelimiterSplit", "delimiter": chance.choice("a- \u2581")},
    lambda chance: {"type": "Digits", "individual_digits": flag(chance)},
    lambda chance: {"type": "Punctuation", "behavior": chance.choice(BEHAVIORS)},
    lambda chance: {"type": "FixedLength", "length": chance.choice((1, 2, 3, 7))},
)
DECODERS: Sequence[Maker] = (
    byte_level,
    metaspace,
    replace,
    *_plain("Fuse", "ByteFallback"),
    lambda chance: {"type": "BPEDecoder", "suffix": chance.choice(("</w>", "a", "\u2581"))},
    lambda chance: {"type": "WordPiece", "prefix": chance.choice(("##", "a", "")), "cleanup": flag(chance)},
    lambda chance: {
        "type": "CTC",
        "pad_token": chance.choice("ab"),
        "word_delimiter_token": chance.choice("|b"),
        "cleanup": flag(chance),
    },
    lambda chance: {
        "type": "Strip",
        "content": chance.choice(" ab\u2581"),
        "start": chance.randint(0, 2),
        "stop": chance.randint(0, 2),
    },
)


def component(chance: Random, makers: Sequence[Maker], key: str, depth: int = 2) -> Optional[Json]:
    """None, one component, or a sequence of some; sequences nest."""
    kind = chance.randrange(8)
    if kind == 0 and depth == 2:
        return None
    if kind >= 6 and depth:
        parts = [component(chance, makers, key, depth - 1) for _ in range(chance.randint(0, 3))]
        return {"type": "Sequence", key: [part for part in parts if part is not None]}
    return chance.choice(makers)(chance)


def normalizer(chance: Random) -> Optional[Json]:
    return component(chance, NORMALIZERS, "normalizers")


def pre_tokenizer(chance: Random) -> Optional[Json]:
    return component(chance, PRE_TOKENIZERS, "pretokenizers")


def decoder(chance: Random) -> Optional[Json]:
    return component(chance, DECODERS, "decoders")
