"""What is done to a decoded text: cleaned up, trimmed, its invalid bytes dropped."""

from __future__ import annotations

import re
from typing import Callable, Dict, Iterator

from tokassay.core.description import Description

from . import Altered

STAGE = "decoder"
_CLEANED = (
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
)


def _clean(text: str) -> str:
    for old, new in _CLEANED:
        text = text.replace(old, new)
    return text


WAYS: Dict[str, Callable[[str], str]] = {
    "spaces before punctuation are cleaned up": _clean,
    "the first space of a decoded text is dropped": lambda text: text[text.startswith(" ") :],
    "blanks at both ends of a decoded text are dropped": str.strip,
    "blanks at the start of a decoded text are dropped": str.lstrip,
    "a space is put in front of a decoded text": lambda text: " " + text,
    "bytes of a decoded text that are not UTF-8 are dropped": lambda text: text.replace("\ufffd", ""),
    "invalid bytes that follow each other become one U+FFFD": lambda text: re.sub("\ufffd+", "\ufffd", text),
    "a decoded text ends at its first NUL": lambda text: text.split("\0", 1)[0],
    "the mark for a space stays": lambda text: text.replace(" ", "\u2581"),
}


def alter(description: Description) -> Iterator[Altered]:
    for cause, way in WAYS.items():
        yield Altered(cause, description, shown=way)
