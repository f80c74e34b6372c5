"""Byte-level score merging from ranks: what the codecs of tiktoken and tekken share."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Mapping, Optional, Sequence, Tuple

from ..core.byte_alphabet import CHAR_OF_BYTE
from ..core.decoders.byte_level import ByteLevel as ByteLevelDecoder
from ..core.description import Description
from ..core.description import Warning as Oddity
from ..core.errors import FormatError, PatternError
from ..core.matching import TextPattern
from ..core.models.scored_bpe import ScoredBPE
from ..core.models.scored_tokens import CONTROL, NORMAL, ScoredTokens
from ..core.packed import Index, Strings, tokens
from ..core.pretokenizers.byte_level import ByteLevel
from ..core.pretokenizers.sequence import Sequence as Splitters
from ..core.pretokenizers.split import Split


def spelled(data: bytes) -> str:
    """A token of bytes as byte-level text."""
    return data.decode("latin-1").translate(_SPELLING)


_SPELLING = dict(enumerate(CHAR_OF_BYTE))
NONE: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True)
class Ranks:
    """Tokens with their ranks, in the order of the file."""

    found: Index = field(default_factory=lambda: Index(Strings(), last=False))
    numbers: array[int] = field(default_factory=lambda: array("I"))

    def add(self, token: bytes, rank: int) -> Optional[int]:
        """The place of an equal token before it."""
        self.numbers.append(rank)
        return self.found.add(token)


def describe(
    ranks: Ranks, pattern: str, special: Mapping[int, str] = NONE, warnings: Sequence[Oddity] = ()
) -> Description:
    """The tokenizer of ranks, a pattern, and special tokens that no text holds (id → token)."""
    size = max([max(ranks.numbers, default=-1), *special]) + 1
    kinds, places = bytearray([CONTROL]) * size, array("I", bytes(4 * size))
    for place, index in enumerate(ranks.numbers, 1):
        kinds[index], places[index] = NORMAL, place
    spelling = Strings()
    for index, place in enumerate(places):
        text = spelled(ranks.found.strings[place - 1]) if place else special.get(index, "")
        spelling.append(text.encode("utf-8"))
    pieces = ScoredTokens(tokens(spelling), range(0, -size, -1), bytes(kinds))
    return Description(
        model=ScoredBPE(pieces, whole=True),
        pre_tokenizer=_splitter(pattern),
        decoder=ByteLevelDecoder(add_prefix_space=False, trim_offsets=False),
        warnings=(*warnings, *_missing(ranks.found)),
    )


def _splitter(pattern: str) -> Splitters:
    """What matches is a piece; what lies between is dropped, as ``find_iter`` does."""
    try:
        split = Split(TextPattern("Regex", pattern), "Removed", invert=True)
    except PatternError as error:
        raise FormatError(str(error), field="pattern") from error
    return Splitters((split, ByteLevel(add_prefix_space=False, use_regex=False)))


def _missing(ranks: Index) -> Tuple[Oddity, ...]:
    absent = [byte for byte in range(256) if bytes([byte]) not in ranks]
    if not absent:
        return ()
    shown = ", ".join(f"{byte:#04x}" for byte in absent[:5])
    return (Oddity("ranks", f"{len(absent)} bytes have no token ({shown}): text with them is an error"),)
