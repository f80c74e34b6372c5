"""The three lines of text before the binary part (clauses ``mtok.header.*``)."""

from __future__ import annotations

import re
from typing import List, Sequence, Tuple

from ...core.errors import FormatError

MAGIC = "430"
KIND = "4"
MOST_IDS = 100_000
_FIRST = re.compile(rb"430 +4 *\r?\n")
_NUMBER = re.compile(rb"[0-9]{1,10}")
Lists = Tuple[Tuple[int, ...], Tuple[int, ...], Tuple[int, ...]]
"""Special, stop and prefix ids."""


def is_header(data: bytes) -> bool:
    """Whether the first line is that of a .mtok file."""
    return _FIRST.match(data) is not None


def read_header(data: bytes) -> Tuple[Lists, int]:
    """The three lists of ids, and where the binary part starts."""
    first = _FIRST.match(data)
    if first is None:
        raise FormatError("expected the line '430 4'", field="header", offset=0)
    counts, at = _numbers(data, first.end(), "header.counts")
    if len(counts) != 3:
        raise FormatError(
            f"expected three counts, got {len(counts)}", field="header.counts", offset=first.end()
        )
    ids, end = _numbers(data, at, "header.ids")
    if len(ids) != sum(counts):
        reason = f"the counts say {sum(counts)} ids, the line has {len(ids)}"
        raise FormatError(reason, field="header.ids", offset=at)
    special, stop = counts[0], counts[0] + counts[1]
    return (tuple(ids[:special]), tuple(ids[special:stop]), tuple(ids[stop:])), end


def _numbers(data: bytes, start: int, field: str) -> Tuple[List[int], int]:
    """The numbers of one line in 0..2**32-1, and where the next line starts."""
    end = data.find(b"\n", start)
    if end < 0:
        raise FormatError("the line does not end", field=field, offset=start)
    found, words = [], data[start:end].split(None, MOST_IDS)
    if len(words) > MOST_IDS:
        raise FormatError(f"more than {MOST_IDS} numbers in a line", field=field, offset=start)
    for word in words:
        if not _NUMBER.fullmatch(word) or int(word) >= 1 << 32:
            raise FormatError(
                f"expected an id, got {word[:20]!r}", field=field, offset=data.index(word, start)
            )
        found.append(int(word))
    return found, end + 1


def written_header(lists: Sequence[Sequence[int]]) -> bytes:
    """The three lines; ids are separated by one blank, lines end in a line feed."""
    counts = " ".join(str(len(ids)) for ids in lists)
    numbers = " ".join(str(index) for ids in lists for index in ids)
    return f"{MAGIC} {KIND}\n{counts}\n{numbers}\n".encode("ascii")
