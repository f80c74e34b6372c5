"""The kill matrix of an area of faults: which golden vectors notice which fault.

Every fault is tried on its own tokenizers only: those of golden/tokenizers that its patch changes (at most
`MOST`, all of them where these notice nothing) and those inside of vectors.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Sequence, Tuple, Union

from tokassay import data, formats
from tokassay.checks import Suite, suites
from tokassay.checks.engine import EngineError, FaultError, Session
from tokassay.checks.judging import accepted, ask, expected_error, kind_of, narrowed, shown, verdict
from tokassay.checks.vector import INLINE, Vector, read_retractions, read_vectors
from tokassay.checks.verdict import Comparable, Verdict
from tokassay.core.description import Description
from tokassay.core.errors import TokassayError

from . import Change, Outcome
from ._fault import Fault, FaultyEngine

MOST = 3
SHOWN = 60
LONG = 1 << 20  # as what a text made from a recipe counts
ANSWERED = ("load", "template")  # where to answer, and not to refuse, is a fault like any other
Loaded = Union[Session, EngineError]


@lru_cache(maxsize=1)
def own_tokenizers() -> Dict[str, Description]:
    """Name → description of every embedded tokenizer, those made to show where pieces end first."""
    paths = sorted((data.root() / "golden" / "tokenizers").glob("*/tokenizer.json"))
    read = {path.parent.name: formats.read(path) for path in paths}
    return dict(sorted(read.items(), key=lambda item: (not item[0].startswith("pairs-"), item[0])))


def size(vector: Vector) -> Tuple[int, str]:
    """Small vectors first: by the text, the ids, or the file that is given."""
    given = vector.given
    if "recipe" in given:
        return LONG, vector.id
    for name in ("text", "bytes_hex", "ids", "probe"):
        if name in given:
            return len(given[name]) + len(str(given.get("pair", ""))), vector.id  # type: ignore[arg-type]
    return len(json.dumps(dict(given))), vector.id


@lru_cache(maxsize=8)
def vectors(ops: Tuple[str, ...]) -> Sequence[Vector]:
    """The golden vectors of some operations, small ones first."""
    golden = data.root() / "golden"
    retracted = read_retractions(golden / "retracted.jsonl")
    found = [
        vector
        for op in ops
        for vector in read_vectors(golden / "vectors" / op)
        if vector.id not in retracted and "files" not in vector.given
    ]
    return sorted(found, key=size)


@lru_cache(maxsize=1 << 12)
def _inline(content: bytes, name: str) -> Union[Description, str]:
    """What a vector's own file holds, or why it cannot be read."""
    try:
        return formats.parse(content, format=name if name in formats.codecs() else None)
    except TokassayError as error:
        return f"{type(error).__name__}: {error}"


@dataclass(frozen=True)
class Bench:
    """One fault on the vectors of some suites."""

    fault: Fault
    suites: Tuple[Suite, ...]
    ops: Tuple[str, ...]
    engine: FaultyEngine
    sessions: Dict[str, Loaded] = field(default_factory=dict)

    @classmethod
    def of(cls, fault: Fault, names: Sequence[str], ops: Sequence[str]) -> Bench:
        known = suites()
        return cls(fault, tuple(known[name] for name in names), tuple(ops), fault.open_engine())

    def kills(self) -> Iterator[Tuple[Vector, Verdict]]:
        """Each vector that notices, with the verdict, small ones first."""
        concerned = [name for name, one in own_tokenizers().items() if self.fault.changed(one) is not None]
        found = False
        for kill in self._on(concerned[:MOST], inline=True):
            found = True
            yield kill
        if not found:
            yield from self._on(concerned[MOST:], inline=False)

    def _on(self, names: Sequence[str], *, inline: bool) -> Iterator[Tuple[Vector, Verdict]]:
        for vector in vectors(self.ops):
            asked = (
                [INLINE] if inline and INLINE in vector.expect else [n for n in names if n in vector.expect]
            )
            verdicts = (one for name in asked for one in self.judged(vector, name))
            failed = next((one for one in verdicts if one.failed), None)
            if failed is not None:
                yield vector, failed

    def judged(self, vector: Vector, name: str) -> Iterator[Verdict]:
        """What each suite says of one vector on one tokenizer."""
        one = narrowed(vector, name)
        if vector.op not in ANSWERED and expected_error(one):  # any answer would count as noticed
            return
        wanted = [suite for suite in self.suites if suite.applies(one)]
        loaded = self._loaded(one, name) if wanted else None
        if loaded is None:
            return
        for suite in wanted:
            if isinstance(loaded, EngineError):
                failure = verdict(self.engine.info, one, suite.name, kind_of(loaded), loaded.reason)
                yield accepted(one, failure)
            else:
                yield suite.check(loaded, one)

    def _loaded(self, vector: Vector, name: str) -> Optional[Loaded]:
        """A session or why there is none; None where the fault does not concern the tokenizer."""
        if name != INLINE:
            if name not in self.sessions:
                self.sessions[name] = self._opened(own_tokenizers()[name])
            return self.sessions[name]
        content = vector.inline or b""
        if self.fault.reading is not None:
            changed = self.fault.reading(content)
            if changed == content:
                return None
            content = changed
        description = _inline(content, vector.file_name)
        if isinstance(description, str):  # the sound reader says the same, where nothing is read otherwise
            return FaultError(description) if self.fault.reading is not None else None
        return None if self.fault.changed(description) is None else self._opened(description)

    def _opened(self, description: Description) -> Loaded:
        try:
            return ask(self.engine.of, description)
        except EngineError as error:
            return error


def outcome(fault: Fault, names: Sequence[str], ops: Sequence[str], most: int = 0) -> Outcome:
    """The vectors that notice a fault; `most`: stop at so many (0: try all)."""
    changes: List[Change] = []
    for number, (vector, found) in enumerate(Bench.of(fault, names, ops).kills(), 1):
        changes.append(_change(number, vector, found))
        if number == most:
            break
    return Outcome(fault.name, f"{fault.clause}: {fault.models}", tuple(changes), fault.equivalent)


def _change(number: int, vector: Vector, found: Verdict) -> Change:
    place = f"{vector.id} on {found.tokenizer} ({found.suite})"
    if found.difference is None:
        return Change(number, place, "an answer", f"{found.kind}: {found.reason}"[:SHOWN], shown(vector))
    expected, got = _answer(found.difference.expected), _answer(found.difference.got)
    return Change(number, place, expected, got, shown(vector))


def _answer(value: Comparable) -> Union[Tuple[int, ...], str]:
    if isinstance(value, (list, tuple)) and all(type(item) is int for item in value):
        return tuple(value)
    text = json.dumps(value, default=repr)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def golden() -> Path:
    return data.root() / "golden"
