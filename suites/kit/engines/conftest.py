"""Files of the zoo for engines: fetched where they are not here, and one that is made of a vocabulary."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Callable

import pytest

from tokassay import data, zoo

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


@cache
def fetched(name: str) -> Path:
    """A file of the zoo; the test fails, and says why, where it cannot be had."""
    (outcome,) = zoo.fetch([zoo.entries()[name]])
    assert outcome.path is not None, outcome.error
    return outcome.path


def whole_words(pieces: list[str]) -> dict[str, int]:
    """A vocabulary that marks the beginnings of words as one that marks what continues them."""

    def spelled(piece: str) -> str:
        if piece == "\u2581":
            return "[unused0]"
        if piece in SPECIAL or piece.startswith("[unused"):
            return piece
        return piece[1:] if piece.startswith("\u2581") else f"##{piece}"

    return {spelled(piece): index for index, piece in enumerate(pieces)}


def bert_uncased(vocabulary: dict[str, int]) -> dict[str, Any]:
    """The tokenizer.json of an uncased English BERT with that vocabulary."""

    def added(token: str) -> dict[str, Any]:
        flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        return {"id": vocabulary[token], "content": token, **flags, "special": True}

    def template(*parts: str) -> list[dict[str, Any]]:
        special = [{"SpecialToken": {"id": part, "type_id": 0}} for part in parts]
        return [special[0], {"Sequence": {"id": "A", "type_id": 0}}, special[1]]

    around = template("[CLS]", "[SEP]")
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [added(token) for token in SPECIAL],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": around,
            "pair": [*around, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {
                token: {"id": token, "ids": [vocabulary[token]], "tokens": [token]}
                for token in ("[CLS]", "[SEP]")
            },
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": vocabulary,
        },
    }


@pytest.fixture(scope="session")
def file_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """``file_of(name)``: the tokenizer's file, as the findings name it."""

    @cache
    def found(name: str) -> Path:
        own = data.root() / "golden" / "tokenizers" / name / "tokenizer.json"
        if own.is_file():  # what fuzzing with small vocabularies finds
            return own
        if name != "bert_uncased":
            return fetched(name)
        pieces = json.loads(fetched("bert_uncased_vocab").read_text("utf-8"))
        path = tmp_path_factory.mktemp("made") / "tokenizer.json"
        path.write_text(json.dumps(bert_uncased(whole_words(pieces))), "utf-8")
        return path

    return found
