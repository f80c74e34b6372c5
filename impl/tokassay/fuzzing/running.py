"""Running text: a tokenizer's own words as often as words are, in lines; what is odd stands in between."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import List, Sequence, Tuple

from .material import Material

GLUE = (" ", " ", " ", " ", " ", " ", ", ", ". ", "\n", " \n\n")
MOST_WORDS = 2_000
PARTS = (6, 18)  # of a text
STRETCH = 6  # words between two of GLUE, at most


@dataclass(frozen=True)
class Running:
    """The n-th word is n times as rare as the first: what is long ago known recurs, and new ones come."""

    words: Tuple[str, ...]
    weights: Tuple[float, ...]
    """Cumulative."""

    @classmethod
    def of(cls, words: Sequence[str]) -> Running:
        chosen = tuple(dict.fromkeys(words))[:MOST_WORDS]
        return cls(chosen, tuple(accumulate(1 / rank for rank in range(1, len(chosen) + 1))))

    def text(self, chance: Random) -> str:
        parts: List[str] = []
        for _ in range(chance.randint(*PARTS)):
            words = chance.choices(self.words, cum_weights=self.weights, k=chance.randint(1, STRETCH))
            parts += (" ".join(words), chance.choice(GLUE))
        return "".join(parts)


@dataclass(frozen=True)
class Voices:
    """Two running texts of one tokenizer: of ASCII words, and of all of them."""

    ascii: Running
    all: Running

    @classmethod
    def of(cls, material: Material) -> Voices:
        added = set(material.added)  # they have kinds of their own, and are no words
        words = [word for word in (word.strip() for word in material.words) if word and word not in added]
        words = words or ["a"]
        plain = [word for word in words if word.isascii()] or ["a"]
        return cls(Running.of(plain), Running.of(words))

    def text(self, chance: Random) -> str:
        return (self.ascii if chance.random() < 0.85 else self.all).text(chance)
