"""Components are found, not listed: a file in the right folder is enough.

`discover(package)` imports every module of a package and collects its classes that carry
a ``TYPE``. It works from a folder and from inside a zipapp alike.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Mapping

from .errors import FormatError
from .fields import Fields


@cache
def discover(package: str) -> Mapping[str, type]:
    """``TYPE`` → class, for every class with its own ``TYPE`` in the modules of `package`.

    Without the components of device formats: tokenizer.json does not know them (they have a ``CLAUSE``).
    """
    found: dict[str, type] = {}
    for info in pkgutil.iter_modules(importlib.import_module(package).__path__):
        module = importlib.import_module(f"{package}.{info.name}")
        for value in vars(module).values():
            own = isinstance(value, type) and value.__module__ == module.__name__
            if own and "TYPE" in vars(value) and "CLAUSE" not in vars(value):
                found[value.TYPE] = value
    return found


def read_component(package: str, value: object, where: str) -> object:
    """Build the component that ``value["type"]`` names; FormatError for an unknown type."""
    fields = Fields.of(value, where)
    name = fields.string("type")
    known = discover(package)
    if name not in known:
        raise FormatError(
            f"unknown type {name!r}; known: {', '.join(sorted(known))}", field=fields.place("type")
        )
    return known[name].from_fields(fields)  # type: ignore[attr-defined]
