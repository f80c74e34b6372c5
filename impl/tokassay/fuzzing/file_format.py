"""The property of every format: refused with FormatError, or read and no worse for being written.

Of another engine than the reference: it reads the files that the reference reads, and answers as it does.
"""

from __future__ import annotations

import sys
import traceback
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Iterator, List, Optional, Tuple

from tokassay import Tokenizer
from tokassay.core.description import Description
from tokassay.core.errors import FormatError, TokassayError
from tokassay.formats import codecs, parse, serialize

from . import coverage
from .grammar import files
from .kinds.mixtures import kind_everything
from .material import Material
from .sides import Loader, Sides
from .target import Case, Found, Setting

PROBE = "ab <s> 1\u00e9\u4e2d"
REFERENCE = "reference"
TEXTS = 3


@dataclass(frozen=True)
class FileFormat:
    """Read; write what was read; read that: the same description, and the same bytes when written again.

    With a `loader`, another engine beside the reference: half of the files are sound, each comes with texts.
    """

    format: str
    loader: Optional[Loader] = None

    def draw(self, chance: Random) -> Case:
        if self.loader is None:
            return {"format": self.format, "hex": files.mutated(chance, self.format).hex()}
        sound = chance.random() < 0.5
        content = chance.choice(files.seeds(self.format)) if sound else files.mutated(chance, self.format)
        return {"format": self.format, "hex": content.hex(), **_questions(chance, content, self.format)}

    def case_of(self, content: bytes) -> Case:
        return {"format": self.format, "hex": content.hex()}

    def check(self, case: Case) -> Optional[Found]:
        content = bytes.fromhex(case["hex"])
        if self.loader is None:
            return self.check_bytes(content)
        sides, found = self.loader.content(content, self.format.rpartition(".")[2])
        return found if sides is None else next(filter(None, _answers(sides, case)), None)

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


def _questions(chance: Random, content: bytes, name: str) -> Case:
    """Texts and ids for the tokenizer in a file; others where it cannot be read."""
    known = _known(content, name)
    if known is None:
        return {"texts": [PROBE], "ids": [0, 1, 2]}
    material, size = known
    texts = [kind_everything(chance, material) for _ in range(TEXTS)]
    return {"texts": texts, "ids": [chance.randrange(size + 2) for _ in range(chance.randint(1, 8))]}


@lru_cache(maxsize=256)  # sound files recur
def _known(content: bytes, name: str) -> Optional[Tuple[Material, int]]:
    """What the tokenizer in a file is made of, and its size."""
    try:
        tokenizer = Tokenizer.from_description(parse(content, format=name))
        return Material.of(tokenizer), tokenizer.vocab_size
    except TokassayError:
        return None


def _answers(sides: Sides, case: Case) -> Iterator[Optional[Found]]:
    ids: List[Any] = [case.get("ids", [])]
    for number, text in enumerate(case.get("texts", [PROBE])):
        yield sides.encoded(text, special=number % 2 == 0, whole=number == 0)
        ids.append(sides.ids_of(text) or [])
    for some in ids:
        yield sides.decoded(some, skip=False)
        yield sides.decoded(some, skip=True)


def known(name: str, setting: Setting) -> FileFormat:
    """Raises KeyError for a format that there is no reader of."""
    codec = codecs()[name]
    if setting.engine == REFERENCE:
        return FileFormat(codec.NAME)
    return FileFormat(codec.NAME, Loader.of(replace(setting, witness=REFERENCE)))


def seeds(name: str) -> Iterator[bytes]:
    """Small files of the format."""
    return iter(files.seeds(name)[:200])


def run(path: str) -> int:
    """The target of a file, coverage-guided."""
    return coverage.main(Path(path), sys.argv[1:])
