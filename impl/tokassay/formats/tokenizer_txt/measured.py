"""What the measured loader makes of a tokenizer.txt (``tokenizer-txt.loader.*``)."""

from __future__ import annotations

from typing import Callable, Mapping

from ...core.decoders.byte_level import ByteLevel as ByteLevelDecoder
from ...core.decoders.first_mark import FirstMark
from ...core.decoders.fuse import Fuse
from ...core.decoders.stored_bytes import StoredBytes
from ...core.description import Description
from ...core.matching import TextPattern
from ...core.models.byte_strings import ByteStrings
from ...core.models.byte_trie import ByteTrie
from ...core.models.first_gap import FirstGap
from ...core.models.pieces import PieceTable
from ...core.models.score_merge import ScoreMerge
from ...core.normalizers.ascii_lower import AsciiLower
from ...core.packed import places
from ...core.pretokenizers.ascii_words import AsciiWords
from ...core.pretokenizers.byte_level import ByteLevel
from ...core.pretokenizers.sequence import Sequence as PreTokenizers
from ...core.pretokenizers.split import Split
from .contents import Contents, Merged, Pieces, Strings, Words
from .documented import framed, marking, merging

PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\nA-Za-z0-9]?[A-Za-z]+|[0-9]|"
    r" ?[^\t\n\x0b\x0c\r A-Za-z0-9]+[\r\n]*|[\t\n\x0b\x0c\r ]*[\r\n]+|"
    r"[\t\n\x0b\x0c\r ]+(?![^\t\n\x0b\x0c\r ])|[\t\n\x0b\x0c\r ]+"
)
"""The same alternatives as the document's, with ASCII classes."""


def describe(contents: Contents) -> Description:
    """FormatError for merges that name no token."""
    return framed(_KINDS[type(contents.body)](contents.body), contents)


def _merged_by_score(body: Pieces) -> Description:
    """Pieces are taken as they stand: a blank in one is a blank, which no text holds any more."""
    return Description(ScoreMerge(PieceTable(body.pieces)), normalizer=marking(), decoder=FirstMark())


def _greedy(body: Strings) -> Description:
    return Description(ByteTrie(ByteStrings(body.strings)), decoder=StoredBytes(markers=False))


def _words(body: Words) -> Description:
    return Description(
        FirstGap(places(body.words, last=False)),
        normalizer=AsciiLower(),
        pre_tokenizer=AsciiWords(),
        decoder=Fuse(),
    )


def _merging(body: Merged) -> Description:
    split = Split(TextPattern("Regex", PATTERN), "Isolated", invert=False)
    spelling = ByteLevel(add_prefix_space=False, trim_offsets=False, use_regex=False)
    return Description(
        merging(body),
        pre_tokenizer=PreTokenizers((split, spelling)),
        decoder=ByteLevelDecoder(add_prefix_space=False, trim_offsets=False, use_regex=False),
    )


_KINDS: Mapping[type, Callable[..., Description]] = {
    Pieces: _merged_by_score,
    Strings: _greedy,
    Words: _words,
    Merged: _merging,
}
