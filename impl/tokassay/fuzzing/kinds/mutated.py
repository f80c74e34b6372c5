"""Natural text with something changed in it."""

from __future__ import annotations

import random

from ..material import Material
from ..odd_texts import KINDS
from . import blanks, scripts, symbols

_ODD = "".join(KINDS.values())


def _natural(rng: random.Random, material: Material) -> str:
    return rng.choice((symbols.kind_prose, symbols.kind_code, scripts.kind_han))(rng, material) + rng.choice(
        blanks_of(rng, material)
    )


def blanks_of(rng: random.Random, material: Material) -> tuple[str, str]:
    """Nothing, or blanks of some kind."""
    found = [value for name, value in vars(blanks).items() if name.startswith("kind_")]
    return "", rng.choice(found)(rng, material)


def kind_mutated_natural(rng: random.Random, material: Material) -> str:
    """A sentence with characters dropped, doubled, swapped, put in or changed in case."""
    text = _natural(rng, material)
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(text))
        odd = rng.choice(_ODD)
        before, here, after = text[:at], text[at : at + 1], text[at + 1 :]
        text = rng.choice(
            (
                *(before + after, before + here + here + after, before + odd + here + after),
                *(before + odd + after, before + here.swapcase() + after, after + here + before),
                before + here * 9 + after,
            )
        )
    return text
