"""Byte-level score merging from ranks: what the codecs of tiktoken and tekken share."""

from __future__ import annotations

from types import MappingProxyType
from typing import Mapping, Sequence, Tuple

from ..core.byte_alphabet import CHAR_OF_BYTE
from ..core.decoders.byte_level import ByteLevel as ByteLevelDecoder
from ..core.description import Description
from ..core.description import Warning as Oddity
from ..core.errors import FormatError, PatternError
from ..core.matching import TextPattern
from ..core.models.scored_bpe import ScoredBPE
from ..core.models.scored_tokens import CONTROL, NORMAL, ScoredTokens
from ..core.pretokenizers.byte_level import ByteLevel
from ..core.pretokenizers.sequence import Sequence as Splitters
from ..core.pretokenizers.split import Split


def spelled(data: bytes) -> str:
    """A token of bytes as byte-level text."""
    return data.decode("latin-1").translate(_SPELLING)


_SPELLING = dict(enumerate(CHAR_OF_BYTE))


def describe(
    ranks: Mapping[bytes, int],
    pattern: str,
    special: Mapping[int, str] = MappingProxyType({}),
    warnings: Sequence[Oddity] = (),
) -> Description:
    """The tokenizer of ranks (bytes → id), a pattern, and special tokens that no text holds (id → token)."""
    size = max([*ranks.values(), *special], default=-1) + 1
    tokens, kinds = [""] * size, [CONTROL] * size
    for data, index in ranks.items():
        tokens[index], kinds[index] = spelled(data), NORMAL
    for index, token in special.items():
        tokens[index] = token
    pieces = ScoredTokens(tuple(tokens), range(0, -size, -1), tuple(kinds))
    return Description(
        model=ScoredBPE(pieces, whole=True),
        pre_tokenizer=_splitter(pattern),
        decoder=ByteLevelDecoder(add_prefix_space=False, trim_offsets=False),
        warnings=(*warnings, *_missing(ranks)),
    )


def _splitter(pattern: str) -> Splitters:
    """What matches is a piece; what lies between is dropped, as ``find_iter`` does."""
    try:
        split = Split(TextPattern("Regex", pattern), "Removed", invert=True)
    except PatternError as error:
        raise FormatError(str(error), field="pattern") from error
    return Splitters((split, ByteLevel(add_prefix_space=False, use_regex=False)))


def _missing(ranks: Mapping[bytes, int]) -> Tuple[Oddity, ...]:
    absent = [byte for byte in range(256) if bytes([byte]) not in ranks]
    if not absent:
        return ()
    shown = ", ".join(f"{byte:#04x}" for byte in absent[:5])
    return (Oddity("ranks", f"{len(absent)} bytes have no token ({shown}): text with them is an error"),)
