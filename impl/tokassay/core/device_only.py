"""Components of device formats have no form in tokenizer.json; they carry a ``CLAUSE`` instead."""

from __future__ import annotations

from typing import ClassVar, NoReturn, Protocol

from .errors import FormatError
from .fields import Fields


class DeviceOnly(Protocol):
    """The JSON half of a component that has none: `PART` names its place in tokenizer.json."""

    TYPE: ClassVar[str]
    PART: ClassVar[str]

    @classmethod
    def from_fields(cls, fields: Fields) -> NoReturn:
        raise _refusal(cls.TYPE, fields.place("type"))

    def to_fields(self) -> NoReturn:
        raise _refusal(self.TYPE, f"{self.PART}.type")


def _refusal(name: str, field: str) -> FormatError:
    return FormatError(f"{name} exists in device formats only", field=field)
