"""One file per model; see `tokassay.core.registry` for how they are found.

Each model has two readings. `tokenize` is the plain definition, token by token with offsets;
`ids` is the same answer by exact short-cuts (the ``*_fast`` modules say why they are exact).
"""

from __future__ import annotations

from typing import cast

from ..description import Model
from ..errors import FormatError
from ..fields import Fields
from ..registry import discover, read_component


def read(value: object, where: str) -> Model:
    """Build the model described by a JSON object. Clause ``model.type``.

    Raises:
        FormatError: unknown type, or no type and no model that the fields fit.
    """
    fields = Fields.of(value, where)
    if not fields.has("type"):
        return _untyped(fields)
    return cast("Model", read_component(__name__, value, where))


def _untyped(fields: Fields) -> Model:
    """Old files name no type: the first model, in each class's own order, that accepts the object."""
    candidates = sorted(discover(__name__).values(), key=lambda kind: kind.UNTYPED_ORDER)  # type: ignore[attr-defined]
    for kind in candidates:
        try:
            return cast("Model", kind.from_fields(fields))  # type: ignore[attr-defined]
        except FormatError:  # noqa: PERF203 - at most four tries per file
            continue
    raise FormatError("there is no type, and no model reads these fields", field=fields.place("type"))
