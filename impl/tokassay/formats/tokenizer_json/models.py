"""The models of tokenizer.json. Vocabularies and merges are checked in bulk: they are most of a file."""

from __future__ import annotations

import struct as binary
from typing import Iterable, List

from .families import Candidate, Family
from .shapes import At, Field, Shape, boolean, fixed, many, number, optional, string, struct, unsigned

_USIZE = unsigned(64)
_ID = unsigned(32)
_PAIR = fixed(string, string)
_SCORED = fixed(string, number)


def _vocab(value: object, at: At) -> object:
    """Token → id. HF refuses nothing else: ids may repeat or leave holes."""
    if not isinstance(value, dict):
        raise at.expected("an object", value)
    ids = value.values()
    if value and (set(map(type, ids)) != {int} or min(ids) < 0 or max(ids) >= 1 << 32):
        for token, index in value.items():
            _ID(index, at.field(token))
    return value


def _merges(value: object, at: At) -> object:
    """Pairs of tokens, or (older files) ``"a b"``; in the older form lines with ``#version`` are skipped."""
    if not isinstance(value, list):
        raise at.expected("a list", value)
    kinds = set(map(type, value))
    if kinds == {str}:
        return _legacy_merges(value, at)
    if kinds - {list} or set(map(len, value)) - {2} or _types_inside(value) - {str}:
        for index, pair in enumerate(value):
            _PAIR(pair, at.item(index))
    return value


def _legacy_merges(lines: List[str], at: At) -> List[List[str]]:
    pairs = [line.split(" ") for line in lines if not line.startswith("#version")]
    for index, pair in enumerate(pairs):
        if len(pair) != 2:
            raise at.error(f"merge {index} is not two tokens and a space between them")
    return pairs


def _types_inside(rows: Iterable[List[object]]) -> set[type]:
    kinds: set[type] = set()
    for row in rows:
        kinds.update(map(type, row))
    return kinds


def _pieces(value: object, at: At) -> object:
    """The pieces of a Unigram model, each with its score."""
    if not isinstance(value, list):
        raise at.expected("a list", value)
    if set(map(type, value)) == {list} and set(map(len, value)) == {2}:
        pieces, scores = zip(*value)
        if set(map(type, pieces)) == {str} and set(map(type, scores)) == {float}:
            return value
    return many(_SCORED)(value, at)


def _dropout(value: object, at: At) -> object:
    chance = number(value, at)
    try:
        single = binary.unpack("f", binary.pack("f", chance))[0]
    except OverflowError:
        single = 2.0
    if not 0.0 <= single <= 1.0:
        raise at.error("dropout must be in 0..1")
    return chance


def _flag(name: str) -> Field:
    return Field(name, lambda value, at: value is not None and boolean(value, at), default=False)


def _optional(name: str, shape: Shape) -> Field:
    return Field(name, optional(shape), optional=True)


_UNIGRAM = struct(
    "Unigram",
    (
        _optional("unk_id", _USIZE),
        Field("vocab", _pieces),
        Field("byte_fallback", boolean, default=False),
    ),
    listed=False,
)


def _unigram(value: object, at: At) -> object:
    found = _UNIGRAM(value, at)
    unknown, pieces = found["unk_id"], found["vocab"]
    if unknown is not None and unknown >= len(pieces):
        raise at.field("unk_id").error(f"{unknown} is not the index of one of the {len(pieces)} pieces")
    return found


MODEL = Family(
    "tokassay.core.models",
    (
        Candidate(
            "BPE",
            struct(
                "BPE",
                (
                    _optional("dropout", _dropout),
                    _optional("unk_token", string),
                    _optional("continuing_subword_prefix", string),
                    _optional("end_of_word_suffix", string),
                    _flag("fuse_unk"),
                    _flag("byte_fallback"),
                    _flag("ignore_merges"),
                    Field("vocab", _vocab),
                    Field("merges", _merges),
                ),
                listed=False,
            ),
        ),
        Candidate(
            "WordPiece",
            struct(
                "WordPiece",
                (
                    Field("unk_token", string),
                    Field("continuing_subword_prefix", string),
                    Field("max_input_chars_per_word", _USIZE),
                    Field("vocab", _vocab),
                ),
                listed=False,
            ),
        ),
        Candidate(
            "WordLevel",
            struct("WordLevel", (Field("vocab", _vocab), Field("unk_token", string)), listed=False),
        ),
        Candidate("Unigram", _unigram),
    ),
    models=True,
)
