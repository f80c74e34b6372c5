"""Write what HF's normalizers make of unusual strings: the answers that other Pythons are checked with.

Run on the host with the oracle installed; rewrites `normalized.jsonl` beside it.
"""

from __future__ import annotations

import json
import random
import unicodedata
from pathlib import Path

from tokenizers import normalizers

FORMS = ("NFC", "NFD", "NFKC", "NFKD", "Lowercase")
POINTS = [*range(0x20, 0xD800), *range(0xE000, 0x20000)]
MARKS = [chr(point) for point in POINTS if unicodedata.combining(chr(point))]
SPLIT = [chr(point) for point in POINTS if unicodedata.decomposition(chr(point))]
UPPER = [chr(point) for point in POINTS if chr(point).lower() != chr(point)]


def text(rng: random.Random) -> str:
    sources = (
        MARKS,
        MARKS,
        SPLIT,
        UPPER,
        "aeiostu ΣσK",
        range(0xAC00, 0xD7A4),
        range(0x1100, 0x1200),
        POINTS,
    )
    drawn = (rng.choice(rng.choice(sources)) for _ in range(rng.randint(1, 8)))
    return "".join(one if isinstance(one, str) else chr(one) for one in drawn)


def main() -> None:
    rng = random.Random(20261130)
    texts = [text(rng) for _ in range(1000)]
    rows = ([one, *(getattr(normalizers, form)().normalize_str(one) for form in FORMS)] for one in texts)
    lines = [json.dumps(row, ensure_ascii=True) for row in rows]
    Path(__file__).with_name("normalized.jsonl").write_text("\n".join(lines) + "\n", "ascii")


if __name__ == "__main__":
    main()
