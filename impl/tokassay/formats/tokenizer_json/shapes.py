"""What a JSON value may be, as small functions that check it and return its canonical form.

The oracle reads its files with serde, whose rules are looser than the files suggest: unknown fields
are skipped, an object may be written as a list of its fields in order, a constant ``"X"`` as
``{"X": null}``, and a component without a known type is whatever its fields fit (``json.unknown-type``).
A shape takes ``(value, at)`` and returns plain JSON with every field present, or raises `FormatError`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Callable, Dict, List, Mapping, Sequence, Tuple

from ...core.description import Warning as Oddity
from ...core.errors import FormatError
from .numbers import read_number
from .text import Repeated


@dataclass(frozen=True)
class At:
    """A place in the file, and where the oddities found there are noted."""

    path: str
    notes: List[Oddity]

    def field(self, name: str) -> At:
        return At(f"{self.path}.{name}" if self.path else name, self.notes)

    def item(self, index: int) -> At:
        return At(f"{self.path}[{index}]", self.notes)

    def attempt(self) -> At:
        """The same place with notes of its own, for an alternative that may not hold."""
        return At(self.path, [])

    def note(self, reason: str) -> None:
        self.notes.append(Oddity(self.path, reason))

    def error(self, reason: str) -> FormatError:
        return FormatError(reason, field=self.path)

    def expected(self, wanted: str, value: object) -> FormatError:
        return self.error(f"expected {wanted}, got {shown(value)}")


Shape = Callable[[object, At], object]
MISSING = object()


@dataclass(frozen=True)
class Field:
    """One field of an object; `default` is its value when absent, ``MISSING`` when it must be there.

    `optional` fields (serde's Option) may be absent from an object but not from a list of fields.
    """

    name: str
    shape: Shape
    default: object = MISSING
    optional: bool = False
    kept: bool = True


def shown(value: object) -> str:
    """A value for an error message: short, and cheap however large the value is."""
    if isinstance(value, (dict, list)):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    text = json.dumps(value, default=str) if not isinstance(value, str) else json.dumps(value[:50])
    return text[:57]


def string(value: object, at: At) -> str:
    if not isinstance(value, str):
        raise at.expected("a string", value)
    return value


def character(value: object, at: At) -> str:
    if not isinstance(value, str) or len(value) != 1:
        raise at.expected("one character", value)
    return value


def boolean(value: object, at: At) -> bool:
    if not isinstance(value, bool):
        raise at.expected("a boolean", value)
    return value


def unsigned(bits: int) -> Shape:
    """An integer in 0 .. 2**bits - 1; ``1.0`` is not one."""

    def check(value: object, at: At) -> object:
        if type(value) is not int or not 0 <= value < 1 << bits:
            raise at.expected(f"an integer in 0..{(1 << bits) - 1}", value)
        return value

    return check


def number(value: object, at: At) -> float:
    if type(value) is int:
        return float(value) if -(2**63) <= value < 2**64 else _wide(value, at)
    if type(value) is not float:
        raise at.expected("a number", value)
    return value


def _wide(value: int, at: At) -> float:
    try:
        return read_number(str(value))
    except ValueError as error:
        raise at.error(str(error)) from error


def optional(shape: Shape) -> Shape:
    return lambda value, at: None if value is None else shape(value, at)


def many(shape: Shape) -> Shape:
    def check(value: object, at: At) -> object:
        if not isinstance(value, list):
            raise at.expected("a list", value)
        return [shape(item, at.item(i)) for i, item in enumerate(value)]

    return check


def fixed(*shapes: Shape) -> Shape:
    """A list of exactly these."""

    def check(value: object, at: At) -> object:
        if not isinstance(value, list) or len(value) != len(shapes):
            raise at.expected(f"a list of {len(shapes)}", value)
        return [shape(item, at.item(i)) for i, (shape, item) in enumerate(zip(shapes, value))]

    return check


def mapping(shape: Shape) -> Shape:
    def check(value: object, at: At) -> object:
        if not isinstance(value, dict):
            raise at.expected("an object", value)
        pairs = value.pairs if isinstance(value, Repeated) else value.items()  # the oracle reads every one
        return {key: shape(item, at.field(key)) for key, item in pairs}

    return check


def enum(variants: Mapping[str, object]) -> Shape:
    """One of several named variants; None for one without content, else the content's shape."""

    def check(value: object, at: At) -> object:
        name, content = _variant(value, at)
        if name not in variants:
            raise at.error(f"expected one of {', '.join(variants)}, got {shown(name)}")
        shape = variants[name]
        if callable(shape):
            if isinstance(value, str):
                raise at.expected(f'{{"{name}": ...}}', value)
            return {name: shape(content, at.field(name))}
        if content is not None:
            raise at.field(name).expected("null", content)
        return name

    return check


def constant(*names: str) -> Shape:
    return enum(dict.fromkeys(names))


def _variant(value: object, at: At) -> Tuple[str, object]:
    if isinstance(value, str):
        return value, None
    if isinstance(value, dict) and len(value) == 1 and not isinstance(value, Repeated):
        return next(iter(value.items()))
    raise at.expected("a name, or an object with one", value)


def struct(name: str, fields: Sequence[Field], *, typed: bool = False, listed: bool = True) -> Shape:
    """An object with these fields.

    Args:
        name: the canonical ``type``; empty for an object that has none.
        fields: in the order in which a list would give them.
        typed: the oracle checks the ``type`` field (for most components it does not look at it).
        listed: the oracle takes a list of the fields as well.
    """
    every = [Field("type", constant(name), kept=False), *fields] if typed else list(fields)
    head: Dict[str, object] = {"type": name} if name else {}

    def check(value: object, at: At) -> object:
        if isinstance(value, dict):
            found = _from_object(value, every, at)
        elif isinstance(value, list) and listed:
            found = _from_list(value, every, at)
        else:
            raise at.expected("an object", value)
        return {**head, **found}

    return check


def _from_object(value: Dict[str, object], fields: Sequence[Field], at: At) -> Dict[str, object]:
    names = {field.name for field in fields}
    if isinstance(value, Repeated) and value.repeated & names:
        raise at.field(min(value.repeated & names)).error("occurs more than once")
    found = {}
    for field in fields:
        if field.name in value:
            content = field.shape(value[field.name], at.field(field.name))
        elif field.default is MISSING and not field.optional:
            raise at.field(field.name).error("is missing")
        else:
            content = None if field.optional else field.default
        if field.kept:
            found[field.name] = content
    for name in value.keys() - names - {"type"}:
        at.field(name).note("unknown field, ignored")
    return found


def _from_list(value: List[object], fields: Sequence[Field], at: At) -> Dict[str, object]:
    if len(value) > len(fields):
        raise at.expected(f"an object, or a list of its {len(fields)} fields", value)
    found = {}
    for index, field in enumerate(fields):
        if index < len(value):
            content = field.shape(value[index], at.item(index))
        elif field.default is MISSING or field.optional:
            raise at.expected(f"an object, or a list of its {len(fields)} fields", value)
        else:
            content = field.default
        if field.kept:
            found[field.name] = content
    at.note("an object written as a list of its fields")
    return found
