"""Offsets in other units than characters of the original text."""

from __future__ import annotations

from typing import Dict, Iterator

from tokassay.core.description import Description

from . import Altered, Spans

STAGE = "offsets"
UNITS: Dict[str, str] = {"bytes of UTF-8": "utf-8", "units of UTF-16": "utf-16-le"}


def alter(description: Description) -> Iterator[Altered]:
    for unit, encoding in UNITS.items():

        def spans(text: str, found: Spans, encoding: str = encoding) -> Spans:
            return _converted(text, found, encoding)

        yield Altered(f"offsets count {unit}, not characters", description, spans=spans)


def _converted(text: str, found: Spans, encoding: str) -> Spans:
    size = 2 if encoding == "utf-16-le" else 1

    def at(place: int) -> int:
        return len(text[:place].encode(encoding, "surrogatepass")) // size

    return [(at(start), at(end)) for start, end in found]
