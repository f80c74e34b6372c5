"""The models of tokenizer.json."""

from __future__ import annotations

from ...core.models.entries import Entries
from .families import Candidate, Family
from .shapes import At, Field, Shape, boolean, fixed, many, number, optional, string, struct, unsigned

_USIZE = unsigned(64)
scored_piece = fixed(string, number)


def _bulk(value: object, at: At) -> object:  # noqa: ARG001 - a Shape
    """A vocabulary or merges: the model checks them itself, once and in C."""
    return value


def _pieces(value: object, at: At) -> object:
    """The pieces of a Unigram model, each with its score."""
    if isinstance(value, (tuple, Entries)):  # checked while it was read in parts
        return value
    if not isinstance(value, list):
        raise at.expected("a list", value)
    if set(map(type, value)) == {list} and set(map(len, value)) == {2}:
        pieces, scores = zip(*value)
        if set(map(type, pieces)) == {str} and set(map(type, scores)) == {float}:
            return value
    return many(scored_piece)(value, at)


def _flag(name: str) -> Field:
    return Field(name, lambda value, at: value is not None and boolean(value, at), default=False)


def _optional(name: str, shape: Shape) -> Field:
    return Field(name, optional(shape), optional=True)


MODEL = Family(
    "tokassay.core.models",
    (
        Candidate(
            "BPE",
            struct(
                "BPE",
                (
                    _optional("dropout", number),
                    _optional("unk_token", string),
                    _optional("continuing_subword_prefix", string),
                    _optional("end_of_word_suffix", string),
                    _flag("fuse_unk"),
                    _flag("byte_fallback"),
                    _flag("ignore_merges"),
                    Field("vocab", _bulk),
                    Field("merges", _bulk),
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
                    Field("vocab", _bulk),
                ),
                listed=False,
            ),
        ),
        Candidate(
            "WordLevel",
            struct("WordLevel", (Field("vocab", _bulk), Field("unk_token", string)), listed=False),
        ),
        Candidate(
            "Unigram",
            struct(
                "Unigram",
                (
                    _optional("unk_id", _USIZE),
                    Field("vocab", _pieces),
                    Field("byte_fallback", boolean, default=False),
                ),
                listed=False,
            ),
        ),
    ),
    models=True,
)
