"""Invalid UTF-8: an engine that takes bytes answers as the reference, by the policy that it declares."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import List, Optional, Union

from tokassay.checks.engine import EngineError, Session
from tokassay.core.errors import TextError
from tokassay.fuzzing.coverage import main
from tokassay.fuzzing.grammar import byte_strings
from tokassay.fuzzing.on_files import Files
from tokassay.fuzzing.target import Case, Found, Setting

Answer = Union[List[int], str]


@dataclass(frozen=True)
class InvalidUtf8:
    """The oracle takes text only; its ids of the text with every bad sequence replaced are what is right."""

    files: Files

    def draw(self, chance: Random) -> Case:
        return {"tokenizer": chance.choice(self.files.paths), "hex": byte_strings.nearly_utf8(chance).hex()}

    def case_of(self, content: bytes) -> Case:
        path = self.files.paths[(content[:1] or b"\0")[0] % len(self.files.paths)]
        return {"tokenizer": path, "hex": content[1:].hex()}

    def check(self, case: Case) -> Optional[Found]:
        sides = self.files.sides(case)
        if sides is None or "encode_bytes" not in sides.engine.info.capabilities:
            return None
        data = bytes.fromhex(case["hex"])
        rejects = sides.engine.info.invalid_utf8 == "reject" and not _is_valid(data)
        expected: Answer = "rejected" if rejects else _ids(sides.witness, data)
        got = _ids_of_bytes(sides.engine, data)
        return None if got == expected else Found("ids of bytes", "diverge", "", expected, got)


def _is_valid(data: bytes) -> bool:
    return data.decode("utf-8", "replace").encode("utf-8") == data


def _ids(witness: Session, data: bytes) -> Answer:
    try:
        return list(witness.encode(data.decode("utf-8", "replace")).ids)
    except EngineError:
        return "rejected"


def _ids_of_bytes(engine: Session, data: bytes) -> Answer:
    try:
        return list(engine.encode_bytes(data).ids)
    except (EngineError, TextError):
        return "rejected"


def open_target(setting: Setting) -> InvalidUtf8:
    return InvalidUtf8(Files.of(setting))


if __name__ == "__main__":
    sys.exit(main(Path(__file__)))
