"""Encode: the reference and the oracle agree on ids, tokens, offsets and decoded text of generated texts.

Usage: python fuzz/encode.py TOKENIZER.json [--seed N] [--count N]   (exit 1 with the differences)
"""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path
from typing import Iterator, Optional, Sequence

from tokassay.fuzzing.compare import Pair, differences
from tokassay.fuzzing.material import Material
from tokassay.fuzzing.texts import Text, generate

ROUND = 2_000


def rounds(material: Material, seed: int, count: Optional[int]) -> Iterator[Text]:
    """Texts round after round, each with its own seed; without a count, for ever."""
    for number in itertools.count():
        left = ROUND if count is None else min(ROUND, count - number * ROUND)
        if left <= 0:
            return
        print(f"seed {seed + number}: {left} texts", file=sys.stderr)
        yield from generate(material, seed + number, left)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tokenizer", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=None, help="texts in all (default: until interrupted)")
    options = parser.parse_args(arguments)
    pair = Pair.load(options.tokenizer)
    found = differences(pair, rounds(Material.of(pair.reference), options.seed, options.count))
    for difference in found:
        print(difference)
    return 1 if found else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
