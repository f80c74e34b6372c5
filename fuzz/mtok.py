""".mtok: read or refused by name; what was read survives being written."""

from __future__ import annotations

import sys
from typing import Iterator

from tokassay.fuzzing import file_format
from tokassay.fuzzing.target import Setting

FORMAT = "mtok"


def open_target(setting: Setting) -> file_format.FileFormat:
    return file_format.known(FORMAT, setting)


def seeds() -> Iterator[bytes]:
    return file_format.seeds(FORMAT)


if __name__ == "__main__":
    sys.exit(file_format.run(__file__))
