"""The property of every format: refused with FormatError, or read and no worse for being written."""

from __future__ import annotations

import sys
import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Iterator, Optional

from tokassay import Tokenizer
from tokassay.core.description import Description
from tokassay.core.errors import FormatError, TokassayError
from tokassay.formats import codecs, parse, serialize

from . import coverage
from .grammar import files
from .target import Case, Found

PROBE = "ab <s> 1\u00e9\u4e2d"


@dataclass(frozen=True)
class FileFormat:
    """Read; write what was read; read that: the same description, and the same bytes when written again."""

    format: str

    def draw(self, chance: Random) -> Case:
        return {"format": self.format, "hex": files.mutated(chance, self.format).hex()}

    def case_of(self, content: bytes) -> Case:
        return {"format": self.format, "hex": content.hex()}

    def check(self, case: Case) -> Optional[Found]:
        return self.check_bytes(bytes.fromhex(case["hex"]))

    def check_bytes(self, content: bytes) -> Optional[Found]:
        try:
            description = parse(content, format=self.format)
        except FormatError:
            return None
        except Exception as error:  # noqa: BLE001 - the property
            return _raised("read", error)
        return self._used(description) or self._written(description)

    def _used(self, description: Description) -> Optional[Found]:
        """A tokenizer that was read encodes and decodes, or refuses by name."""
        try:
            tokenizer = Tokenizer.from_description(description)
            tokenizer.decode(list(tokenizer.encode(PROBE).ids))
        except TokassayError:
            return None
        except Exception as error:  # noqa: BLE001 - the property
            return _raised("use", error)
        return None

    def _written(self, description: Description) -> Optional[Found]:
        try:
            content = serialize(description, self.format)
        except TokassayError:
            return None  # more than the format can say: it was read with a tolerance
        except Exception as error:  # noqa: BLE001 - the property
            return _raised("write", error)
        try:
            again = parse(content, format=self.format)
            twice = serialize(again, self.format)
        except Exception as error:  # noqa: BLE001 - the property
            return _raised("read what was written", error)
        if not _same(description, again):
            return Found("read-write-read", "diverge", _differing(description, again))
        return None if twice == content else Found("bytes written twice", "diverge")


def _same(first: Description, second: Description) -> bool:
    """Equal, but for a program where there was none: what is written says in one what surrounds a text."""
    old, new = first.device, second.device
    if old is not None and new is not None and old.program is None:
        second = replace(second, device=replace(new, program=None))
    return first == second


def _differing(first: Description, second: Description) -> str:
    """The first field that differs."""
    names = [name for name in vars(first) if name != "warnings"]
    return next((name for name in names if getattr(first, name) != getattr(second, name)), "")


def _raised(step: str, error: Exception) -> Found:
    """A place in the code is a cause."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} in {Path(last.filename).name}: {last.name}"
    return Found(step, "error", where, "a FormatError", str(error)[:300])


def known(name: str) -> FileFormat:
    """Raises KeyError for a format that there is no reader of."""
    return FileFormat(codecs()[name].NAME)


def seeds(name: str) -> Iterator[bytes]:
    """Small files of the format."""
    return iter(files.seeds(name)[:200])


def run(path: str) -> int:
    """The target of a file, coverage-guided."""
    return coverage.main(Path(path), sys.argv[1:])
