"""Unigram: the segmentation with the highest sum of scores (clauses ``model.unigram.*``)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import ClassVar, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from ..errors import EncodeError, FormatError
from ..fields import Fields
from ..packed import places
from ..token import Token
from .entries import Entries, Entry
from .spans import character_ranges
from .unigram_fast import Trie

UNKNOWN_PENALTY = 10.0


@dataclass(frozen=True)
class Unigram:
    """HF ``models.Unigram``. An entry's id is its index in `vocab`; of equal strings the last one counts.

    `unk_id` None: a character that no entry holds is an EncodeError.
    """

    TYPE: ClassVar[str] = "Unigram"
    UNTYPED_ORDER: ClassVar[int] = 3
    pieces: Sequence[Entry]
    unk_id: Optional[int] = None
    byte_fallback: bool = False

    def __post_init__(self) -> None:
        if self.unk_id is not None and self.unk_id >= len(self.pieces):
            raise FormatError(
                f"{self.unk_id} is outside the vocabulary of {len(self.pieces)}", field="unk_id"
            )

    @classmethod
    def from_fields(cls, fields: Fields) -> Unigram:
        pieces = _read_pieces(fields)
        byte_fallback = fields.boolean("byte_fallback", False)
        try:
            return cls(pieces, fields.optional_integer("unk_id"), byte_fallback)
        except FormatError as error:
            raise fields.error(error.field or "", error.reason) from None

    def to_fields(self) -> Dict[str, object]:
        return {
            "type": self.TYPE,
            "unk_id": self.unk_id,
            "vocab": list(map(list, self.pieces)),
            "byte_fallback": self.byte_fallback,
        }

    @cached_property
    def vocab(self) -> Mapping[str, int]:
        """Token → id."""
        if isinstance(self.pieces, Entries):
            return places(self.pieces.texts, last=True)
        return dict(zip([token for token, _ in self.pieces], range(len(self.pieces))))

    def token_to_id(self, token: str) -> Optional[int]:
        return self.vocab.get(token)

    def id_to_token(self, index: int) -> Optional[str]:
        return self.pieces[index][0] if 0 <= index < len(self.pieces) else None

    @property
    def vocab_size(self) -> int:
        """Entries, equal strings counted each (HF's get_vocab_size)."""
        return len(self.pieces)

    @cached_property
    def scores(self) -> Mapping[str, float]:
        """Token → score."""
        return dict(self.pieces)

    @cached_property
    def byte_ids(self) -> Mapping[int, int]:
        """Byte → id of its token, for those that have one."""
        ids = ((byte, self.vocab.get(f"<0x{byte:02X}>")) for byte in range(256))
        return {byte: index for byte, index in ids if index is not None}

    @cached_property
    def unknown_score(self) -> float:
        """What an unknown character costs: ten below the worst entry, special entries included."""
        return min((score for _, score in self.pieces), default=math.inf) - UNKNOWN_PENALTY

    def build(self) -> UnigramSegmenter:
        return UnigramSegmenter(self, self._trie)

    @cached_property
    def _trie(self) -> Trie:
        return Trie.of(self.pieces, self.unknown_score, self.unk_id is not None)


def _read_pieces(fields: Fields) -> Sequence[Entry]:
    found = fields.raw("vocab")
    if isinstance(found, (tuple, Entries)):  # checked where it was read
        return found
    pieces: List[Entry] = []
    for i, entry in enumerate(fields.sequence("vocab")):
        if not isinstance(entry, list) or len(entry) != 2 or type(entry[0]) is not str:
            raise fields.error(f"vocab[{i}]", "expected [token, score]")
        pieces.append((entry[0], _read_score(entry[1], fields.place(f"vocab[{i}]"))))
    return tuple(pieces)


def _read_score(value: object, where: str) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is int:
        try:
            return float(value)
        except OverflowError:
            pass
    raise FormatError(f"expected a finite score, got {str(value)[:40]}", field=where)


def best_path(model: Unigram, piece: str) -> List[Tuple[int, int]]:
    """Character ranges of the best segmentation. Clauses ``model.unigram.ties``, ``model.unigram.unknown``.

    Left to right; of equal sums the earliest start (so the longest last token) stays. A character
    that is no entry by itself is also tried as unknown.
    """
    scores = model.scores
    best: List[Optional[Tuple[float, int]]] = [(0.0, 0)] + [None] * len(piece)
    for start in range(len(piece)):
        so_far = best[start]
        assert so_far is not None  # every character is an entry or unknown, so every place is reached
        for end, score in _steps(model, scores, piece, start):
            total, old = score + so_far[0], best[end]
            if old is None or total > old[0]:
                if score == model.unknown_score and piece[start:end] not in scores:
                    _require_unknown(model, piece[start:end])
                best[end] = (total, start)
    path: List[Tuple[int, int]] = []
    end = len(piece)
    while end > 0:
        start = best[end][1]  # type: ignore[index]
        path.append((start, end))
        end = start
    return path[::-1]


def _steps(
    model: Unigram, scores: Mapping[str, float], piece: str, start: int
) -> Iterator[Tuple[int, float]]:
    for end in range(start + 1, len(piece) + 1):
        if piece[start:end] in scores:
            yield end, scores[piece[start:end]]
    if piece[start] not in scores:
        yield start + 1, model.unknown_score


def _require_unknown(model: Unigram, surface: str) -> int:
    if model.unk_id is None:
        raise EncodeError(f"{surface!r} is unknown and the model has no unk_id")
    return model.unk_id


def fuse_unknown(model: Unigram, surfaces: Sequence[str]) -> List[str]:
    """Neighbouring unknowns become one surface; an entry whose id is `unk_id` counts as unknown."""
    fused: List[str] = []
    open_run = False
    for surface in surfaces:
        unknown = model.vocab.get(surface, model.unk_id) == model.unk_id
        if unknown and open_run:
            fused[-1] += surface
        else:
            fused.append(surface)
        open_run = unknown
    return fused


@dataclass(frozen=True)
class UnigramSegmenter:
    """`best_path` is the definition; `ids` finds the same path with a trie."""

    # A piece has no parts of its own to remember, however long it is.
    is_whole: ClassVar[bool] = True
    model: Unigram
    trie: Trie

    def forget(self) -> None:
        """Empty what texts have filled; tables stay."""
        self.trie.branches.clear()

    def tokenize(self, piece: str) -> List[Token]:
        """Raises EncodeError for an unknown character when `unk_id` is None."""
        surfaces = fuse_unknown(self.model, [piece[start:end] for start, end in self._path(piece)])
        spans = character_ranges(piece, (len(surface.encode()) for surface in surfaces))
        return [
            Token(index, value, start, end)
            for surface, (start, end) in zip(surfaces, spans)
            for index, value in self._named(surface)
        ]

    def _path(self, piece: str) -> List[Tuple[int, int]]:
        # The definition costs length x longest entry x slice; long pieces take the trie (same path).
        path = None if len(piece) <= 64 else self.trie.path(piece)
        return best_path(self.model, piece) if path is None else path

    def _named(self, surface: str) -> List[Tuple[int, str]]:
        """The entry of that string if there is one, else its bytes if all have entries, else unknown."""
        vocab = self.model.vocab
        if surface in vocab:
            return [(vocab[surface], surface)]
        if self.model.byte_fallback:
            names = [f"<0x{byte:02X}>" for byte in surface.encode()]
            if all(name in vocab for name in names):
                return [(vocab[name], name) for name in names]
        return [(_require_unknown(self.model, surface), surface)]

    def ids(self, piece: str) -> List[int]:
        vocab = self.model.vocab
        path = self.trie.path(piece, fused=True)  # unknowns are fused below anyway
        surfaces = [
            piece[start:end] for start, end in (best_path(self.model, piece) if path is None else path)
        ]
        found = list(map(vocab.get, surfaces))
        # Without unknowns there is nothing to fuse. A literal unk entry counts as unknown, too.
        if None in found or self.model.unk_id in found:
            return list(chain.from_iterable(map(self._ids_of, fuse_unknown(self.model, surfaces))))
        return found  # type: ignore[return-value]

    def _ids_of(self, surface: str) -> Sequence[int]:
        """The ids of `_named`."""
        index = self.model.vocab.get(surface)
        if index is not None:
            return (index,)
        found = list(map(self.model.byte_ids.get, surface.encode()))
        if self.model.byte_fallback and None not in found:
            return found  # type: ignore[return-value]
        return (_require_unknown(self.model, surface),)
