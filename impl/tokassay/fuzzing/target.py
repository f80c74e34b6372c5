"""What a fuzz target is, and how targets are found: one file each in ``fuzz/``.

A target is a file with ``open_target(setting) -> Target`` whose docstring begins with its property.
A case is a JSON object, so that it can be stored, made smaller and tried again by anybody.
"""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Dict, Iterable, Iterator, Mapping, Optional, Protocol, Tuple

from tokassay import data
from tokassay.checks.engine import UnavailableError

from .choices import Decoded

Case = Dict[str, Any]
TIMEOUT = "timeout"


@dataclass(frozen=True)
class Setting:
    """What a target is run on.

    `engine` and `witness` are addresses; `tokenizers` are files (a target has its own where there are none).
    """

    engine: str = "reference"
    witness: str = "hf"
    tokenizers: Tuple[str, ...] = ()
    scratch: str = ""


@dataclass(frozen=True)
class Found:
    """A case on which the property does not hold.

    `what` is the answer that is wrong, `kind` a verdict kind. Findings with the same `what`, `kind` and
    `where` (a stage, a place in the code, a format) count as having one cause until more is known.
    """

    what: str
    kind: str = "diverge"
    where: str = ""
    expected: object = None
    got: object = None

    @property
    def signature(self) -> str:
        return " / ".join(part for part in (self.kind, self.what, self.where) if part)


class Target(Protocol):
    """One property."""

    def draw(self, chance: Random) -> Case:
        """A random case."""
        ...

    def check(self, case: Case) -> Optional[Found]:
        """How the property fails on a case, or None. Raises ValueError for what is no case at all."""
        ...


@dataclass(frozen=True)
class Program:
    """A target's file."""

    name: str
    help: str
    path: Path
    module: ModuleType = field(repr=False, compare=False)

    def open(self, setting: Setting) -> Target:
        made: Target = self.module.open_target(setting)
        return made

    def case_of(self, target: Target, content: bytes) -> Case:
        """The case that a coverage-guided fuzzer's bytes stand for."""
        own = getattr(target, "case_of", None)
        found: Case = own(content) if own is not None else target.draw(Decoded(content))
        return found

    def seeds(self) -> Iterable[bytes]:
        """Bytes to begin with, made of the golden data; none for a target that has no use for them."""
        own = getattr(self.module, "seeds", None)
        found: Iterable[bytes] = own() if own is not None else (bytes(64), bytes(range(256)))
        return found


@dataclass(frozen=True)
class Programs(Mapping[str, Program]):
    """Target name → program, imported when it is asked for: each needs its own packages."""

    paths: Mapping[str, Path]

    def __getitem__(self, name: str) -> Program:
        """Raises UnavailableError where a package of the target is not installed."""
        try:
            return _loaded(self.paths[name])
        except ModuleNotFoundError as error:
            reason = f"the fuzz target {name} needs the package {error.name}"
            raise UnavailableError(reason, "pip install tokassay[fuzz,chat]") from error

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    def help(self, name: str) -> str:
        """The first line of a program."""
        return self.paths[name].read_text("utf-8").split("\n", 1)[0].strip('"')


@lru_cache(maxsize=1)
def programs() -> Programs:
    """The files of fuzz/; their underscores are hyphens in names."""
    paths = sorted((data.root() / "fuzz").glob("*.py"))
    return Programs({path.stem.replace("_", "-"): path for path in paths})


@cache
def _loaded(path: Path) -> Program:
    name = f"tokassay_fuzz_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    first = (module.__doc__ or "").split("\n", 1)[0]
    return Program(path.stem.replace("_", "-"), first, path, module)
