"""Random texts in named classes, some of them made from the tokenizer under test itself.

A class is a function ``kind_*`` in `kinds/`: it takes a seeded generator and the tokenizer's `Material` and
answers one text. `generate` runs them in turn, so every class gets its share and
``(seed, class, index)`` names a text for ever.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
from functools import lru_cache
from typing import Callable, Iterator, Mapping, NamedTuple

from . import kinds as _kinds
from .material import Material

Kind = Callable[[random.Random, Material], str]


class Text(NamedTuple):
    """One generated text with the class that made it."""

    kind: str
    text: str


@lru_cache(maxsize=1)
def kinds() -> Mapping[str, Kind]:
    """Class name → generator, in alphabetical order."""
    found: dict[str, Kind] = {}
    for info in pkgutil.iter_modules(_kinds.__path__):
        module = importlib.import_module(f"{_kinds.__name__}.{info.name}")
        found.update((name[5:], value) for name, value in vars(module).items() if name.startswith("kind_"))
    return dict(sorted(found.items()))


def generate(material: Material, seed: int, count: int) -> Iterator[Text]:
    """`count` texts, the classes in turn; the same arguments always give the same texts."""
    made = tuple(kinds().items())
    for index in range(count):
        name, kind = made[index % len(made)]
        yield Text(name, kind(random.Random(f"{seed}/{name}/{index // len(made)}"), material))  # noqa: S311
