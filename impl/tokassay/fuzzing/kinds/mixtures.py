"""Texts of several classes in a row."""

from __future__ import annotations

import random

from ..material import Material
from . import blanks, own, scripts, symbols


def kind_long(rng: random.Random, material: Material) -> str:
    parts = (symbols.kind_prose, symbols.kind_code, scripts.kind_han, own.kind_vocabulary)
    return "".join(rng.choice(parts)(rng, material) for _ in range(rng.randint(8, 30)))


def kind_everything(rng: random.Random, material: Material) -> str:
    modules = (blanks, own, scripts, symbols)
    found = [value for module in modules for name, value in vars(module).items() if name.startswith("kind_")]
    return "".join(rng.choice(found)(rng, material) for _ in range(rng.randint(2, 4)))
