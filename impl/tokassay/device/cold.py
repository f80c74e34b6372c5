"""Cold starts: from a process that was started for one sample alone to the ids of its first text.

The file is in the operating system's memory by then, as after any copy: what is cold is the engine.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional

from tokassay import formats
from tokassay.checks.engine import Engine
from tokassay.checks.judging import ask
from tokassay.verdicts.driver import Target

from .inputs import Timed
from .making import device_file
from .measurement import Measurement, encode
from .samples import COLD, FRESH

Start = Callable[[], Engine]
#: In-process engine → where it is to be had in a process of its own, without the rest of the kit.
ALONE: Mapping[str, str] = {"reference": "py:tokassay.device.alone:load"}


def address(engine: Engine, own: str) -> str:
    """Under which address an engine starts in a process of its own each time it is opened."""
    return own if hasattr(engine, "close") else ALONE.get(own, f"child:{own}")


@dataclass
class Process:
    """The engine's process, one at a time: it ends when the next one begins. `look`: called before."""

    start: Start
    look: Callable[[], object] = int
    engine: Optional[Any] = field(default=None, repr=False)

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self, _number: int = 0) -> None:
        if self.engine is not None:
            self.look()
            self.engine.close()
            self.engine = None

    def begin(self, _number: int = 0) -> Engine:
        self.end()
        self.engine = self.start()
        return self.engine


def starting(process: Process) -> Measurement:
    """The start itself, whatever is loaded then."""
    return Measurement("start", "", process.begin, process.end, inputs=FRESH)


def measurements(engine: Engine, process: Process, target: Target, given: Timed) -> Iterator[Measurement]:
    """Load and first encode for each format that the engine reads."""
    if not given.vectors:
        return
    with tempfile.TemporaryDirectory(prefix="tokassay-") as scratch:
        for name, path in _files(engine, target, Path(scratch)).items():
            yield _first_ids(name, str(path), process, given)


def _first_ids(name: str, path: str, process: Process, given: Timed) -> Measurement:
    vector = given.vectors["encode-short"]

    def call(engine: Engine) -> List[int]:
        return list(encode(ask(engine.load, path), vector.text).ids)

    return Measurement(
        f"cold-{name}", vector.id, call, process.begin, ids=lambda answer: answer, inputs=FRESH
    )


def _files(engine: Engine, target: Target, folder: Path) -> Dict[str, Path]:
    """Format → the tokenizer in it; without those that the engine does not read or that cannot hold it."""
    source = Path(str(target.path))
    found: Dict[str, Path] = {}
    description = formats.read(source)
    for name in COLD:
        if name not in engine.info.formats:
            continue
        data = source.read_bytes() if name == "tokenizer.json" else device_file(description, name)
        if data is not None:
            found[name] = folder / (name if "." in name else f"tokenizer.{name}")
            found[name].write_bytes(data)
    return found
