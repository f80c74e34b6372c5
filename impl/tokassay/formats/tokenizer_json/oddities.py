"""What a file may hold although it means nothing, or something else than it says (``json.oddities``)."""

from __future__ import annotations

from typing import Dict, Iterator, List

from ...core.description import Description
from ...core.description import Warning as Oddity
from .text import Repeated


def oddities(description: Description, document: Dict[str, object]) -> List[Oddity]:
    """Warnings that need the whole description, or the file as it was written."""
    return [*_repeated(document, "")]


def _repeated(value: object, path: str) -> Iterator[Oddity]:
    if isinstance(value, Repeated):
        for key in sorted(value.repeated):
            yield Oddity(f"{path}.{key}" if path else key, "occurs more than once; the last one counts")
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, (dict, list)) and key != "merges":
                yield from _repeated(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict):
                yield from _repeated(item, f"{path}[{index}]")
