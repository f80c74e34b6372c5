"""What every stage of the pipeline did to one text, as a value to read and to compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterator, List, Optional, Protocol, Sequence, Tuple, runtime_checkable

from .aligned import AlignedText, Span

if TYPE_CHECKING:
    from .pipeline import Pipeline


@dataclass(frozen=True)
class Merge:
    """One BPE merge: `left` and `right` became one symbol; `rank` is its place among the merges."""

    left: str
    right: str
    rank: int


@runtime_checkable
class Merging(Protocol):
    """A segmenter that can tell which merges it applied."""

    def merges_of(self, piece: str) -> Sequence[Tuple[str, str, int]]:
        """(left, right, rank) of each merge in the order of application."""
        ...


@dataclass(frozen=True)
class PieceTrace:
    """One pre-tokenized piece: its text, where it comes from, its tokens, and the merges applied."""

    text: str
    span: Span
    tokens: Tuple[str, ...]
    ids: Tuple[int, ...]
    merges: Tuple[Merge, ...] = ()


@dataclass(frozen=True)
class SegmentTrace:
    """A stretch of the text: an added token (`id` is its id), or text between added tokens.

    Attributes:
        original: the stretch as it stands in the text.
        span: its range there, in characters.
        normalized: the same normalized; an added token as it was matched.
        id: the added token's id, else None.
        pieces: what the pre-tokenizer and the model made of it; an added token is one piece.
    """

    original: str
    span: Span
    normalized: str
    id: Optional[int]
    pieces: Tuple[PieceTrace, ...]


@dataclass(frozen=True)
class Trace:
    """All stages. `parts` has the detail; the properties are one stage each; `ids` is the final answer."""

    text: str
    parts: Tuple[SegmentTrace, ...]
    ids: Tuple[int, ...]

    @property
    def segments(self) -> List[str]:
        """The text cut at added tokens."""
        return [part.original for part in self.parts]

    @property
    def normalized(self) -> List[str]:
        """One normalized text per segment that is not an added token."""
        return [part.normalized for part in self.parts if part.id is None]

    @property
    def pieces(self) -> List[str]:
        """What the model is given, and the added tokens, in order."""
        return [piece.text for part in self.parts for piece in part.pieces]

    @property
    def tokens(self) -> List[str]:
        """The tokens before post-processing."""
        return [token for part in self.parts for piece in part.pieces for token in piece.tokens]

    def lines(self) -> Iterator[str]:
        """The trace for people, one fact per line; texts are escaped to ASCII."""
        yield f"text        {self.text!a}"
        for part in self.parts:
            name = "added token" if part.id is not None else "segment    "
            yield f"{name} {_place(part.span)} {part.original!a}"
            if part.id is None:
                yield f"  normalized {part.normalized!a}"
            for piece in part.pieces:
                yield from _piece_lines(piece)
        yield f"ids         {list(self.ids)}"

    def __str__(self) -> str:
        return "\n".join(self.lines())


def _piece_lines(piece: PieceTrace) -> Iterator[str]:
    yield f"  piece {_place(piece.span)} {piece.text!a}"
    for merge in piece.merges:
        yield f"    merge {merge.rank}: {merge.left!a} + {merge.right!a}"
    shown = "  ".join(f"{token!a} = {index}" for token, index in zip(piece.tokens, piece.ids))
    yield f"    tokens {shown}"


def _place(span: Span) -> str:
    return f"{span[0]}..{span[1]}"


def trace(pipeline: Pipeline, text: str, ids: List[int]) -> Trace:
    """Run `text` through `pipeline` and keep what every stage gave; `ids` is the final answer."""
    parts = [_segment(pipeline, text, segment, index) for segment, index in pipeline.segments(text)]
    return Trace(text, tuple(parts), tuple(ids))


def _segment(pipeline: Pipeline, text: str, segment: AlignedText, index: Optional[int]) -> SegmentTrace:
    pieces = [segment] if index is not None else pipeline.pieces(segment)
    start, end = segment.origin
    return SegmentTrace(
        text[start:end],
        (start, end),
        segment.text,
        index,
        tuple(_piece(pipeline, one, index) for one in pieces),
    )


def _piece(pipeline: Pipeline, piece: AlignedText, index: Optional[int]) -> PieceTrace:
    tokens = pipeline.tokens(piece, index)
    segmenter = pipeline.segmenter
    merges = segmenter.merges_of(piece.text) if index is None and isinstance(segmenter, Merging) else ()
    return PieceTrace(
        piece.text,
        piece.origin,
        tuple(token.value for token in tokens),
        tuple(token.id for token in tokens),
        tuple(Merge(left, right, rank) for left, right, rank in merges),
    )
