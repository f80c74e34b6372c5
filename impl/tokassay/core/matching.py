"""A pattern as Split and Replace store it: ``{"String": text}`` or ``{"Regex": source}``.

Both go through Oniguruma in HF; a plain text behaves as itself there, so it needs no regex here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List

from .aligned import Span
from .errors import FormatError, PatternError
from .fields import Fields
from .regex import Pattern, compile_literal, compile_pattern

_COMPILERS = {"String": compile_literal, "Regex": compile_pattern}


@dataclass(frozen=True)
class TextPattern:
    """`kind` is ``String`` or ``Regex``. PatternError when a Regex is invalid or refused."""

    kind: str
    source: str
    compiled: Pattern = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "compiled", _COMPILERS[self.kind](self.source))

    @classmethod
    def from_fields(cls, fields: Fields, name: str) -> TextPattern:
        """Read the field `name`; FormatError for another shape, or a pattern that cannot be used."""
        value = fields.raw(name)
        place = fields.place(name)
        if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in _COMPILERS:
            raise FormatError('expected {"String": text} or {"Regex": source}', field=place)
        kind, source = next(iter(value.items()))
        if not isinstance(source, str):
            raise FormatError("expected a string", field=f"{place}.{kind}")
        try:
            return cls(kind, source)
        except PatternError as error:
            raise FormatError(str(error), field=f"{place}.{kind}") from error

    def to_fields(self) -> Dict[str, object]:
        return {self.kind: self.source}

    @property
    def matches_empty(self) -> bool:
        """Whether a match without width is possible at the start of a text."""
        return self.compiled.nullable

    def spans(self, text: str) -> List[Span]:
        """The ranges of all matches, empty ones included; none in an empty text (``regex.search``)."""
        return self.compiled.spans(text) if text else []

    def substitute(self, text: str, content: str) -> str:
        """`text` with `content`, taken literally, in the place of every match."""
        if self.kind == "String" and self.source:
            return text.replace(self.source, content)
        matches = self.spans(text)
        if not matches:
            return text
        parts: List[str] = []
        done = 0
        for start, end in matches:
            parts += (text[done:start], content)
            done = end
        return "".join([*parts, text[done:]])
