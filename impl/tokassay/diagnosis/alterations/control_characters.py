"""Control and format characters become spaces, or vanish."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Callable, Dict, Iterator

from tokassay.core.description import Description

from . import Altered
from ._parts import first_then

STAGE = "normalizer"
KEPT = "\t\n\r"


def _mapped(categories: str, kept: str, by: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        return "".join(
            by if unicodedata.category(char) in categories.split() and char not in kept else char
            for char in text
        )

    return change


CHANGES: Dict[str, Callable[[str], str]] = {
    "control and format characters become spaces": _mapped("Cc Cf", KEPT, " "),
    "control characters become spaces": _mapped("Cc", KEPT, " "),
    "control and format characters are dropped": _mapped("Cc Cf", KEPT, ""),
    "control characters are dropped": _mapped("Cc", KEPT, ""),
    "format characters are dropped": _mapped("Cf", "", ""),
    "blanks beyond ASCII become spaces": _mapped("Zs Zl Zp", "", " "),
    "control characters and every other blank become spaces": _mapped("Cc Cf Zs Zl Zp", "", " "),
}


def alter(description: Description) -> Iterator[Altered]:
    for cause, change in CHANGES.items():
        yield Altered(cause, replace(description, normalizer=first_then(change, description.normalizer)))
