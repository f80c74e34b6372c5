"""How long a fuzz target takes to find a mutant: seconds of processor time on one core, the plain loop.

Each mutant is hunted in a process of its own, and its time begins with that process: loading the tokenizers
counts, importing the kit does not.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import random
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from typing import Any, Collection, Dict, Iterator, List, Mapping, Optional, Sequence

from tokassay.mutants import Mutant, catalogue

from .target import Found, Setting, Target, programs
from .worker import case_seed, tried

TARGETS: Mapping[str, Sequence[str]] = {
    "encode": ("encode", "random-tokenizer", "invalid-utf8"),
    "decode": ("decode", "random-tokenizer"),
    "stream": ("stream",),
    "formats": ("mtok", "tokenizer-txt"),
    "lookup": ("lookup",),
    "template": ("template",),
}
"""Area → its fuzz targets, which take turns."""
TURN = 5.0


@dataclass(frozen=True)
class Hunt:
    """The target that was at it last, seconds and cases in all, and what it saw: nothing for none."""

    mutant: Mutant
    target: str
    seconds: float
    cases: int
    found: str

    @property
    def told(self) -> Mapping[str, object]:
        """For JSON."""
        address = f"{self.mutant.area}/{self.mutant.name}"
        measured = {"seconds": round(self.seconds, 2), "cases": self.cases, "found": self.found}
        return {"mutant": address, "target": self.target, **measured}

    @property
    def line(self) -> str:
        name, target, seconds, cases, found = self.told.values()
        return f"{name:44} {target:17} {seconds:6.2f} s {cases:8,} cases  {found or 'NOT FOUND'}"

    @property
    def row(self) -> str:
        """Of the table whose `HEAD` is above."""
        name, target, seconds, cases, found = self.told.values()
        return f"| `{name}` | `{target}` | {seconds:.2f} | {cases:,} | {found or 'not found'} |"


HEAD = ("| mutant | target | seconds | cases | what differs |", "|---|---|---|---|---|")


def summary(hunts: Sequence[Hunt]) -> str:
    """One line on all of them."""
    times = sorted(hunt.seconds for hunt in hunts if hunt.found) or [0.0]
    middle, longest = statistics.median(times), times[-1]
    found = sum(bool(hunt.found) for hunt in hunts)
    return f"{found} of {len(hunts)} found, median {middle:.2f} s, longest {longest:.2f} s"


def drawn(count: int, seed: int, areas: Optional[Collection[str]] = None) -> List[Mutant]:
    """`count` mutants of some areas or of all, at random; all of them where there are no more."""
    able = [mutant for mutant in catalogue(areas) if mutant.area in TARGETS]
    return random.Random(seed).sample(able, min(count, len(able)))  # noqa: S311 - reproducible, not secret


def hunts(mutants: Sequence[Mutant], seed: int, seconds: float) -> Iterator[Hunt]:
    """Each mutant, until it is found or `seconds` of processor time are over."""
    for name in dict.fromkeys(name for mutant in mutants for name in TARGETS[mutant.area]):
        programs()[name]  # imported once, here
    context = multiprocessing.get_context("fork")
    for mutant in mutants:
        queue = context.SimpleQueue()
        process = context.Process(target=_hunt, args=(mutant, seed, seconds, queue), daemon=True)
        process.start()
        process.join()
        if queue.empty():
            raise RuntimeError(f"{mutant.address}: the process ended with exit code {process.exitcode}")
        yield Hunt(mutant, *queue.get())


def _hunt(mutant: Mutant, seed: int, seconds: float, queue: Any) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what native code prints when it panics
    hounds: Dict[str, Hound] = {}
    found, name = None, ""
    with tempfile.TemporaryDirectory(prefix="tokassay-fuzz-") as scratch:
        for name in itertools.cycle(TARGETS[mutant.area]):
            if name not in hounds:
                hounds[name] = Hound(programs()[name].open(Setting(mutant.address, scratch=scratch)), seed)
            found = hounds[name].found(min(seconds, time.process_time() + TURN))
            if found is not None or time.process_time() >= seconds:
                break
    cases = sum(hound.cases for hound in hounds.values())
    queue.put((name, time.process_time(), cases, found.signature if found else ""))


@dataclass
class Hound:
    """A target and how many of its cases were tried."""

    target: Target
    seed: int
    cases: int = 0
    chance: random.Random = field(default_factory=random.Random)

    def found(self, until: float) -> Optional[Found]:
        """What the next cases show, until this process has used so many seconds."""
        while time.process_time() < until:
            self.chance.seed(case_seed(self.seed, self.cases))
            self.cases += 1
            found = tried(self.target.check, self.target.draw(self.chance))
            if found is not None:
                return found
        return None
