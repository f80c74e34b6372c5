"""Which component a JSON object stands for: by its type, or else by its fields (``json.unknown-type``).

The oracle first looks for a ``type`` that it knows. Failing that it tries its components in a fixed
order and takes the first whose fields fit; so a file without types, or with a misspelt one, may load.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Dict, Optional, Tuple, cast

from ...core.errors import FormatError, PatternError
from ...core.registry import discover, read_component
from .shapes import At, Shape, constant, shown
from .text import Repeated


@dataclass(frozen=True)
class Candidate:
    """A component: its canonical type name, its shape, and the name that selects it directly.

    `guessed` is False for what the oracle never recognizes by its fields alone.
    """

    name: str
    shape: Shape
    tag: Optional[str] = None
    guessed: bool = True


@dataclass(frozen=True)
class Family:
    """The components that may stand in one place.

    Attributes:
        package: where `tokassay.core` keeps them.
        candidates: in the order in which the oracle tries them.
        tagged: the oracle looks at ``type`` first (for post-processors it does not).
        models: trying them in order is for objects that have no ``type`` at all, and nothing but the
            object itself is looked at (a vocabulary is not walked twice).
    """

    package: str
    candidates: Tuple[Candidate, ...]
    tagged: bool = True
    models: bool = False

    @cached_property
    def type_name(self) -> Shape:
        """The names that ``type`` may be: the oracle's and those of our own components."""
        names = {candidate.tag or candidate.name for candidate in self.candidates}
        own = discover(self.package).keys() - {candidate.name for candidate in self.candidates}
        return constant(*names, *own)

    def resolve(self, value: object, at: At) -> object:
        """The canonical object, its ``type`` included; a Shape."""
        if self.tagged:
            tag = _tag(value, self)
            if tag is not None:
                return self._selected(tag, value, at)
            value = self._merged(value)
        return self._fitting(value, at)

    def _selected(self, tag: str, value: object, at: At) -> object:
        plain: Dict[str, object] = {**cast("Dict[str, object]", self._merged(value)), "type": tag}
        for candidate in self.candidates:
            if (candidate.tag or candidate.name) == tag:
                return candidate.shape(plain, at)
        return plain  # a component of our own: it reads itself

    def _fitting(self, value: object, at: At) -> object:
        typed = isinstance(value, dict) and "type" in value
        if not (typed and self.models):
            for candidate in filter(lambda one: one.guessed, self.candidates):
                attempt = at.attempt()
                try:
                    found = candidate.shape(value, attempt)
                    self._build(found)
                except (FormatError, PatternError):
                    continue
                at.notes.extend(attempt.notes)
                self._note_guess(value, candidate.name, at)
                return found
        raise self._unknown(value, at)

    def _build(self, found: object) -> None:
        """Whether the component itself accepts its fields (a regular expression may be invalid)."""
        read_component(self.package, found, "")

    def _merged(self, value: object) -> object:
        """`value` with repeated keys resolved: here the oracle keeps the last one silently."""
        return dict(value) if self.models and isinstance(value, dict) else _merged(value)

    def _note_guess(self, value: object, name: str, at: At) -> None:
        given = value.get("type") if isinstance(value, dict) else None
        if given != name:
            at.field("type").note(f"{'is missing' if given is None else shown(given)}: its fields fit {name}")

    def _unknown(self, value: object, at: At) -> FormatError:
        if not isinstance(value, dict):
            return at.expected("an object", value)
        name = value.get("type")
        for candidate in self.candidates:
            if candidate.name == name:  # say which of its fields does not fit
                try:
                    candidate.shape(value, at.attempt())
                except FormatError as error:
                    return error
        known = ", ".join(sorted(candidate.name for candidate in self.candidates))
        reason = "is missing" if "type" not in value else f"unknown type {shown(name)}"
        return at.field("type").error(f"{reason}, and the fields fit none of {known}")


def _tag(value: object, family: Family) -> Optional[str]:
    """The type that the oracle would act upon: known, given once, as a name or ``{name: null}``."""
    if not isinstance(value, dict) or (isinstance(value, Repeated) and "type" in value.repeated):
        return None
    try:
        return str(family.type_name(value.get("type"), At("", [])))
    except FormatError:
        return None


def _merged(value: object) -> object:
    if isinstance(value, dict):
        return {key: _merged(item) for key, item in value.items()}
    return [_merged(item) for item in value] if isinstance(value, list) else value
