"""What several classes of texts draw from."""

from __future__ import annotations

import random
from typing import Sequence, Tuple

Range = Tuple[int, int]


def drawn(rng: random.Random, ranges: Sequence[Range], most: int = 10) -> str:
    """1..most characters, each from a random range (so that small ranges are not starved)."""
    return "".join(chr(rng.randint(*rng.choice(ranges))) for _ in range(rng.randint(1, most)))


def words(rng: random.Random, pool: Sequence[str], most: int = 5, glue: str = "") -> str:
    return glue.join(rng.choice(pool) for _ in range(rng.randint(1, most)))


def mixed(rng: random.Random, *parts: str) -> str:
    chosen = [rng.choice(parts) for _ in range(rng.randint(2, 6))]
    return "".join(chosen)


BLANKS = "".join(
    map(chr, [*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F])
)
BLANKS += "\u3000"
FALSE_BLANKS = "\x1c\x1d\x1e\x1f\u180e\u200b\u200c\u200d\u2060\ufeff\u2800\u3164"
MARKS = (
    (0x300, 0x36F),
    (0x483, 0x489),
    (0x591, 0x5BD),
    (0x64B, 0x65F),
    (0x93C, 0x94D),
    (0xE38, 0xE3A),
    (0x1AB0, 0x1ACE),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20F0),
    (0x3099, 0x309A),
    (0xFE20, 0xFE2F),
    (0x1E8D0, 0x1E8D6),
)
NEW = (
    (0x870, 0x8E1),
    (0x1C89, 0x1C8A),
    (0x1ABF, 0x1ACE),
    (0x2C2F, 0x2C5F),
    (0xA7C0, 0xA7F6),
    (0x10570, 0x105BC),
    (0x10D40, 0x10D8F),
    (0x10EC2, 0x10EC4),
    (0x11F00, 0x11F59),
    (0x16D40, 0x16D79),
    (0x1CC00, 0x1CCF9),
    (0x1DF00, 0x1DF2A),
    (0x1E030, 0x1E08F),
    (0x2EBF0, 0x2EE5D),
    (0x31350, 0x323AF),
    (0x11DE0, 0x11DE9),
    (0x16FF4, 0x16FF6),
    (0x32FF, 0x32FF),
)
LETTERS = ((0x41, 0x5A), (0x61, 0x7A))
CONTRACTIONS = (
    "'s",
    "'S",
    "'t",
    "'T",
    "'re",
    "'RE",
    "'ve",
    "'m",
    "'M",
    "'ll",
    "'LL",
    "'d",
    "'D",
    "'\u017f",
    "\u2019s",
    "'x",
    "''",
    "'l",
    "'r",
)
