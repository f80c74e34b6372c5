"""Components of device formats have no form in tokenizer.json; they carry a ``CLAUSE`` instead."""

from __future__ import annotations

from typing import NoReturn

from .errors import FormatError


def refuse(name: str, field: str) -> NoReturn:
    """Raises FormatError: `name` is asked for its JSON form."""
    raise FormatError(f"{name} exists in device formats only", field=field)
