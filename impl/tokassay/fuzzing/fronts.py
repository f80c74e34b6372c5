"""All that happens to a text before the model, in the oracle and in the reference, from the same JSON.

The oracle is given a Unigram model that knows nothing: its tokens are then the pieces themselves.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import tokenizers

from ..core import normalizers, pretokenizers
from ..core.added_tokens import AddedVocabulary
from ..core.aligned import AlignedText
from ..core.alignment import is_positional, must_align
from ..core.description import AddedToken, Normalizer, PreTokenizer
from ..core.errors import EncodeError
from ..core.fields import Fields
from ..core.models.unigram import Unigram

Json = Optional[Mapping[str, object]]
Piece = Tuple[str, Tuple[int, int], Optional[int]]
"""Text, offsets, and the id of the added token that it is, if it is one."""

UNKNOWN = 0
MODEL = {"type": "Unigram", "unk_id": UNKNOWN, "vocab": [["<unk>", 0.0]], "byte_fallback": False}
FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


def panics(error: BaseException) -> bool:
    return type(error).__name__ == "PanicException"


@dataclass(frozen=True)
class Oracle:
    """HF's answers; a panic counts as None."""

    tokenizer: Any

    @classmethod
    def of(cls, normalizer: Json, pre_tokenizer: Json, added: Sequence[Mapping[str, object]] = ()) -> Oracle:
        parts = dict.fromkeys(("truncation", "padding", "post_processor", "decoder"))
        front = {"normalizer": normalizer, "pre_tokenizer": pre_tokenizer, "added_tokens": list(added)}
        text = json.dumps({"version": "1.0", **parts, **front, "model": MODEL})
        return cls(tokenizers.Tokenizer.from_str(text))

    def pieces(self, text: str) -> Optional[List[Piece]]:
        try:
            found = self.tokenizer.encode(text)
        except BaseException as error:
            if not panics(error):
                raise
            return None
        ids = [None if index == UNKNOWN else index for index in found.ids]
        return list(zip(found.tokens, found.offsets, ids))

    def normalized(self, text: str) -> Optional[str]:
        try:
            return str(self.tokenizer.normalizer.normalize_str(text))
        except BaseException as error:
            if not panics(error):
                raise
            return None


@dataclass(frozen=True)
class Front:
    """The reference's answers on both of its paths; an EncodeError counts as None."""

    normalizer: Optional[Normalizer]
    pre_tokenizer: Optional[PreTokenizer]
    added: AddedVocabulary

    @classmethod
    def of(cls, normalizer: Json, pre_tokenizer: Json, added: Sequence[Mapping[str, Any]] = ()) -> Front:
        model = Unigram.from_fields(Fields(MODEL, "model"))
        first = None if normalizer is None else normalizers.read(normalizer, "normalizer")
        then = None if pre_tokenizer is None else pretokenizers.read(pre_tokenizer, "pre_tokenizer")
        tokens = [AddedToken(**token) for token in added]
        return cls(first, then, AddedVocabulary.build(tokens, model, first))  # type: ignore[arg-type]

    def pieces(self, text: str) -> Optional[List[Piece]]:
        try:
            return [
                (piece.text, piece.original_span(0, len(piece.text)), index)
                for part, index in self.added.split_aligned(AlignedText.of(text))
                for piece in self._cut_aligned(part, index)
            ]
        except EncodeError:
            return None

    def _cut_aligned(self, part: AlignedText, index: Optional[int]) -> List[AlignedText]:
        whole = index is not None or self.pre_tokenizer is None
        return [part] if whole else self.pre_tokenizer.split_aligned(part)  # type: ignore[union-attr]

    def fast_pieces(self, text: str) -> Optional[List[Tuple[str, Optional[int]]]]:
        """Without offsets, as the fast path works; the aligned answer where strings cannot tell."""
        if must_align(self.normalizer, self.pre_tokenizer):
            found = self.pieces(text)
            return None if found is None else [(piece, index) for piece, _, index in found]
        positional = is_positional(self.pre_tokenizer)
        try:
            return [
                (piece, index)
                for part, index, first in self.added.split(text, positional=positional)
                for piece in self._cut(part, index, first=first)
            ]
        except EncodeError:
            return None

    def _cut(self, part: str, index: Optional[int], *, first: bool) -> List[str]:
        if index is not None or self.pre_tokenizer is None:
            return [part]
        return self.pre_tokenizer.split(part, first=first)


def difference(oracle: Oracle, front: Front, text: str) -> str:
    """What differs on one text, in words; empty when nothing does."""
    wanted = oracle.pieces(text)
    got = front.pieces(text)
    if wanted != got:
        return f"{text!r}: oracle {wanted}, reference {got}"
    fast = front.fast_pieces(text)
    bare = None if wanted is None else [(piece, index) for piece, _, index in wanted]
    return "" if fast == bare else f"{text!r}: oracle {bare}, fast path {fast}"


def sweep(oracle: Oracle, front: Front, block: int = 128) -> str:
    """`difference` over every scalar value between letters, and alone at the start of a text."""
    scalars = [*range(0xD800), *range(0xE000, 0x110000)]
    for start in range(0, len(scalars), block):
        chars = list(map(chr, scalars[start : start + block]))
        texts = ["".join(f"a{char}b" for char in chars), chars[0], " ".join(chars)]
        found = next(filter(None, (difference(oracle, front, text) for text in texts)), "")
        if found:
            return found
    return ""


def random_added(chance: random.Random, contents: Sequence[str], most: int = 6) -> List[Dict[str, object]]:
    """A few added tokens with random options."""
    chosen = chance.sample(list(contents), chance.randint(0, most))
    return [
        {"id": index + 1, "content": content, **{flag: chance.random() < 0.35 for flag in FLAGS}}
        for index, content in enumerate(chosen)
    ]
