"""The text is cut or trimmed before anything else."""

from __future__ import annotations

from typing import Callable, Dict, Iterator

from tokassay.core.description import Description

from . import Altered

STAGE = "input"
CUTS: Dict[str, Callable[[str], str]] = {
    "the text ends at the first NUL": lambda text: text.split("\0", 1)[0],
    "NUL characters are dropped": lambda text: text.replace("\0", ""),
    "blanks at both ends are dropped": str.strip,
    "blanks at the end are dropped": str.rstrip,
    "blanks at the start are dropped": str.lstrip,
    "only the first line is read": lambda text: text.split("\n", 1)[0],
    "a byte order mark at the start is dropped": lambda text: text[text.startswith("\ufeff") :],
    "line ends are all read as line feeds": lambda text: text.replace("\r\n", "\n").replace("\r", "\n"),
}


def alter(description: Description) -> Iterator[Altered]:
    for cause, cut in CUTS.items():
        yield Altered(cause, description, before=cut)
