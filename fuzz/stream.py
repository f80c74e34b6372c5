"""Stream: the engine and the oracle let out the same text with every id of a stream."""

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
class Stream:
    """Ids of texts, of nothing, and of no vocabulary."""

    files: Files

    def draw(self, chance: Random) -> Case:
        path, ids = self.files.ids(chance)
        return {"tokenizer": path, "ids": ids, "skip": chance.random() < 0.5}

    def check(self, case: Case) -> Optional[Found]:
        sides = self.files.sides(case)
        return None if sides is None else sides.streamed(case["ids"], skip=case["skip"])


def open_target(setting: Setting) -> Stream:
    return Stream(Files.of(setting))


if __name__ == "__main__":
    sys.exit(main(Path(__file__)))
