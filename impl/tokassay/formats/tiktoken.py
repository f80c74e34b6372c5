"""The rank files of tiktoken: ``<base64 of the token> <rank>`` on each line (clauses ``tiktoken.*``)."""

from __future__ import annotations

import base64
import binascii
from typing import Iterator, Mapping, Tuple

from ..core.byte_alphabet import BYTE_OF_CHAR
from ..core.description import Description
from ..core.description import Warning as Oddity
from ..core.errors import FormatError
from ..core.models.scored_bpe import ScoredBPE
from ..core.models.scored_tokens import NORMAL
from ._patterns import CL100K, GPT2, O200K, QWEN
from ._ranks import Ranks, describe
from .tokenizer_txt.lines import Lines

NAME = "tiktoken"
PATTERNS: Mapping[int, str] = {
    50256: GPT2,
    50257: GPT2,
    100256: CL100K,
    128000: CL100K,
    151643: QWEN,
    199998: O200K,
}
"""Number of ranks of a published file → its pattern, which the file does not hold (``tiktoken.pattern``)."""
EMPTY = b"="  # a published file ends with a token of no bytes (``tiktoken.empty``)
SPARE = 4096  # holes that are allowed for before ranks are taken for damage


def probe(data: bytes) -> bool:
    """A first line of base64, a blank and a number."""
    line = data[:4096].partition(b"\n")[0].rstrip(b"\r")
    try:
        _, number = _entry(line)
    except ValueError:
        return False
    return number < 1 << 32


def parse(data: bytes) -> Description:
    """Byte-level score merging. FormatError with field and offset."""
    ranks = Ranks()
    taken = bytearray(2 * data.count(b"\n") + SPARE + 1)
    for place, (offset, line) in enumerate(_lines(data)):
        field = f"ranks[{place}]"
        try:
            token, rank = _entry(line)
        except ValueError as error:
            raise FormatError(str(error), field=field, offset=offset) from error
        if rank >= len(taken):
            raise FormatError(f"rank {rank} is far above the number of tokens", field=field, offset=offset)
        if ranks.add(token, rank) is not None:
            raise FormatError("the token came before", field=field, offset=offset)
        if taken[rank]:
            before = ranks.numbers.index(rank)
            raise FormatError(f"rank {rank} is that of ranks[{before}], too", field=field, offset=offset)
        taken[rank] = 1
    count = len(ranks.numbers)
    if not count:
        raise FormatError("holds no rank", offset=0)
    return describe(ranks, PATTERNS.get(count, CL100K), warnings=[_guess(count)])


def _lines(data: bytes) -> Iterator[Tuple[int, bytes]]:
    """Byte offset and content of each line that is not empty."""
    lines = Lines(data)
    while lines.left:
        content = lines.line("ranks")
        if content:
            yield lines.at, content


def _entry(line: bytes) -> Tuple[bytes, int]:
    """Token and rank. Raises ValueError that says what is wrong."""
    text, blank, number = line.partition(b" ")
    if not blank or not number.isdigit() or len(number) > 10:
        raise ValueError("expected base64, a blank and a number of at most ten digits")
    if text == EMPTY:
        return b"", int(number)
    try:
        token = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(f"is not base64: {error}") from error
    if not token or base64.b64encode(token) != text:
        raise ValueError("is not the base64 of one byte or more")
    return token, int(number)


def _guess(count: int) -> Oddity:
    known = "of the published file with as many" if count in PATTERNS else "cl100k_base's"
    return Oddity("pattern", f"the file holds none; {count} ranks: the pattern is {known}")


def serialize(description: Description) -> bytes:
    """The ranks alone; FormatError for what is not merged by ranks of bytes."""
    model = description.model
    if not isinstance(model, ScoredBPE) or model.byte_fallback or not model.whole:
        raise FormatError("tiktoken files hold byte-level score merging only", field="model")
    lines = []
    for index, (token, kind) in enumerate(zip(model.table.tokens, model.table.kinds)):
        if kind == NORMAL:
            data = bytes(BYTE_OF_CHAR[character] for character in token)
            lines.append(b"%s %d\n" % (base64.b64encode(data) or EMPTY, index))
    return b"".join(lines)
