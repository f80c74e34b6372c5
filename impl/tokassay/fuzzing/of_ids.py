"""Targets about ids: what both sides make of ids of texts, of nothing, and of no vocabulary."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Optional, Protocol, Sequence

from .on_files import Files
from .sides import Sides
from .target import Case, Found


class Ask(Protocol):
    """How the two sides differ on ids, with or without special tokens in the text."""

    def __call__(self, sides: Sides, ids: Sequence[int], /, *, skip: bool) -> Optional[Found]: ...


@dataclass(frozen=True)
class OfIds:
    """A file and ids a case."""

    files: Files
    ask: Ask

    def draw(self, chance: Random) -> Case:
        path, ids = self.files.ids(chance)
        return {"tokenizer": path, "ids": ids, "skip": chance.random() < 0.5}

    def check(self, case: Case) -> Optional[Found]:
        sides = self.files.sides(case)
        return None if sides is None else self.ask(sides, case["ids"], skip=case["skip"])
