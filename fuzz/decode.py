"""Decode: the engine and the oracle agree on the text of ids, with and without special tokens."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Optional

from tokassay.fuzzing.coverage import main
from tokassay.fuzzing.on_files import Files
from tokassay.fuzzing.target import Case, Found, Setting


@dataclass(frozen=True)
class Decode:
    """Ids of texts, of nothing, and of no vocabulary."""

    files: Files

    def draw(self, chance: Random) -> Case:
        path, ids = self.files.ids(chance)
        return {"tokenizer": path, "ids": ids, "skip": chance.random() < 0.5}

    def check(self, case: Case) -> Optional[Found]:
        sides = self.files.sides(case)
        return None if sides is None else sides.decoded(case["ids"], skip=case["skip"])


def open_target(setting: Setting) -> Decode:
    return Decode(Files.of(setting))


if __name__ == "__main__":
    sys.exit(main(Path(__file__)))
