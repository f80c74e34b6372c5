"""Typed access to one JSON object of a description, with errors that name the field.

Every component reads itself through `Fields`, so a wrong type is reported the same way
everywhere: ``model.byte_fallback: expected a boolean, got "yes"``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import islice
from typing import Callable, Mapping, Optional, Sequence, TypeVar

from .errors import FormatError

T = TypeVar("T")
_MISSING = object()


def _shown(value: object) -> str:
    # No more of it than is shown: what came from a large file would be text of its size.
    pieces = json.JSONEncoder(default=str).iterencode(value[:60] if isinstance(value, str) else value)
    text = "".join(islice(pieces, 60))
    return text if len(text) <= 60 else text[:57] + "..."


@dataclass(frozen=True)
class Fields:
    """One JSON object and its place in the file (``pre_tokenizer.pretokenizers[0]``)."""

    values: Mapping[str, object]
    where: str

    @classmethod
    def of(cls, value: object, where: str) -> Fields:
        """Wrap a parsed value; FormatError when it is not an object."""
        if not isinstance(value, dict):
            raise FormatError(f"expected an object, got {_shown(value)}", field=where)
        return cls(value, where)

    def place(self, name: str) -> str:
        return f"{self.where}.{name}" if self.where else name

    def error(self, name: str, reason: str) -> FormatError:
        return FormatError(reason, field=self.place(name))

    def has(self, name: str) -> bool:
        return name in self.values

    def raw(self, name: str, default: object = _MISSING) -> object:
        """The value as parsed; FormatError when it is absent and there is no default."""
        value = self.values.get(name, default)
        if value is _MISSING:
            raise self.error(name, "is missing")
        return value

    def _typed(self, name: str, default: object, wanted: str, accept: Callable[[object], bool]) -> object:
        value = self.raw(name, default)
        if name in self.values and not accept(value):
            raise self.error(name, f"expected {wanted}, got {_shown(value)}")
        return value

    def string(self, name: str, default: object = _MISSING) -> str:
        return self._typed(name, default, "a string", lambda v: isinstance(v, str))  # type: ignore[return-value]

    def optional_string(self, name: str) -> Optional[str]:
        """A string or null; absent counts as null."""
        return self._typed(name, None, "a string or null", lambda v: v is None or isinstance(v, str))  # type: ignore[return-value]

    def character(self, name: str, default: object = _MISSING) -> str:
        return self._typed(name, default, "one character", lambda v: isinstance(v, str) and len(v) == 1)  # type: ignore[return-value]

    def boolean(self, name: str, default: object = _MISSING) -> bool:
        return self._typed(name, default, "a boolean", lambda v: isinstance(v, bool))  # type: ignore[return-value]

    def optional_boolean(self, name: str) -> Optional[bool]:
        return self._typed(name, None, "a boolean or null", lambda v: v is None or isinstance(v, bool))  # type: ignore[return-value]

    def integer(self, name: str, default: object = _MISSING, *, most: int = 2**64 - 1) -> int:
        """An integer in 0..most (HF's unsigned types)."""
        return self._typed(name, default, f"an integer in 0..{most}", lambda v: _is_unsigned(v, most))  # type: ignore[return-value]

    def optional_integer(self, name: str, *, most: int = 2**64 - 1) -> Optional[int]:
        accept: Callable[[object], bool] = lambda v: v is None or _is_unsigned(v, most)  # noqa: E731
        return self._typed(name, None, f"an integer in 0..{most} or null", accept)  # type: ignore[return-value]

    def optional_number(self, name: str) -> Optional[float]:
        accept: Callable[[object], bool] = lambda v: v is None or _is_number(v)  # noqa: E731
        return self._typed(name, None, "a number or null", accept)  # type: ignore[return-value]

    def choice(self, name: str, allowed: Sequence[str], default: object = _MISSING) -> str:
        value = self.string(name, default)
        if value not in allowed:
            raise self.error(name, f"expected one of {', '.join(allowed)}, got {_shown(value)}")
        return value

    def sequence(self, name: str, default: object = _MISSING) -> Sequence[object]:
        return self._typed(name, default, "a list", lambda v: isinstance(v, list))  # type: ignore[return-value]

    def each(self, name: str, read: Callable[[object, str], T]) -> tuple[T, ...]:
        """Every item of a list through `read(value, place)`."""
        return tuple(read(item, f"{self.place(name)}[{i}]") for i, item in enumerate(self.sequence(name)))

    def object(self, name: str) -> Fields:
        return Fields.of(self.raw(name), self.place(name))


def _is_unsigned(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
