"""Bytes that are not UTF-8: dropped, or counted otherwise."""

from __future__ import annotations

import re
from typing import Callable, Dict, Iterator

from tokassay.core.description import Description

from . import Altered

STAGE = "input"
WAYS: Dict[str, Callable[[str], str]] = {
    "bytes that are not UTF-8 are dropped": lambda text: text.replace("\ufffd", ""),
    "bytes that are not UTF-8 become one U+FFFD for a whole run": lambda text: re.sub(
        "\ufffd+", "\ufffd", text
    ),
    "bytes that are not UTF-8 become question marks": lambda text: text.replace("\ufffd", "?"),
    "bytes that are not UTF-8 become spaces": lambda text: text.replace("\ufffd", " "),
    "the text ends at the first byte that is not UTF-8": lambda text: text.split("\ufffd", 1)[0],
}


def alter(description: Description) -> Iterator[Altered]:
    for cause, way in WAYS.items():
        yield Altered(cause, description, before=way)
