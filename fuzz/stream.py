"""Stream: the engine and the oracle let out the same text with every id of a stream."""

from __future__ import annotations

import sys
from pathlib import Path

from tokassay.fuzzing.coverage import main
from tokassay.fuzzing.of_ids import OfIds
from tokassay.fuzzing.on_files import Files
from tokassay.fuzzing.sides import Sides
from tokassay.fuzzing.target import Setting


def open_target(setting: Setting) -> OfIds:
    return OfIds(Files.of(setting), Sides.streamed)


if __name__ == "__main__":
    sys.exit(main(Path(__file__)))
