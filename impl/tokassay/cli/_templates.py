"""Vectors whose chat template is a real one: filled in from the zoo, which is not committed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Dict, Iterator, Optional

from tokassay.checks.vector import Vector
from tokassay.zoo.chat_templates import template_of


@dataclass
class Templates:
    """The templates that vectors named so far; `missing`: entry that is not here → vectors left out."""

    known: Dict[str, Optional[str]] = field(default_factory=dict)
    missing: Dict[str, int] = field(default_factory=dict)

    def complete(self, vector: Vector) -> Optional[Vector]:
        """The vector with its template's text, None where the zoo's file is not here."""
        named: Any = vector.given.get("template") if vector.op == "template" else None
        if not isinstance(named, dict):
            return vector
        text = self._text(named["zoo"])
        if text is None:
            self.missing[named["zoo"]] = self.missing.get(named["zoo"], 0) + 1
            return None
        return replace(vector, given={**vector.given, "template": text})

    def _text(self, name: str) -> Optional[str]:
        if name not in self.known:
            self.known[name] = template_of(name)
        return self.known[name]

    def notes(self) -> Iterator[str]:
        """What a reader has to be told."""
        for name, count in self.missing.items():
            fetch = f"run: tokassay zoo fetch {name}"
            yield f"{count} vectors need the chat template of {name}, which is not fetched; {fetch}"
