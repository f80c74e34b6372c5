"""The series of samples of one engine on one tokenizer."""

from __future__ import annotations

import sys
from array import array
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from tokassay.checks.asking import encoded
from tokassay.checks.engine import Engine, EngineError, FaultError, RefusalError, Session
from tokassay.checks.judging import ask
from tokassay.checks.vector import DIGITS, Vector, digest
from tokassay.verdicts.driver import Target

from . import cold
from .cores import Core
from .inputs import Timed, history, timed
from .measurement import Measurement, encode
from .request import Request, Timing
from .samples import FRESH, SAME, Series, Taken, take

MOST_KEPT = 2048  # answers to long texts, 4 bytes for each id
SAME_EACH_TIME = "the same input each time"  # in the transcript, where no other one could be given


@dataclass(frozen=True)
class Bench:
    """Where the samples are taken. `look`: called before a process ends that started for one sample."""

    request: Request
    timing: Timing
    pid: int
    core: Core
    seen: Tuple[int, ...]
    look: Callable[[], object] = int

    def starts(self, engine: Engine, target: Target, start: cold.Start) -> Iterator[Series]:
        """The engine alone, noted with the tokenizer that is timed first. Raises EngineError."""
        if self.timing.cold:
            with cold.Process(start, self.look) as process:
                one = cold.starting(process)
                yield self._series(engine, target, one, self._taken(one))

    def series(self, engine: Engine, target: Target, start: cold.Start) -> Iterator[Series]:
        """Each operation that the engine offers and the vectors have an input for.

        `start`: how the engine is started in a process of its own. Raises EngineError.
        """
        session = engine.load(str(target.path))
        given = timed(target.vectors)
        for one in measurements(engine, session, target, given):
            yield self._series(engine, target, *self._varied(engine, target, one))
        if self.timing.cold and target.name in (self.request.cold_starts or [target.name]):
            with cold.Process(start, self.look) as process:
                for one in cold.measurements(engine, process, target, given):
                    yield self._series(engine, target, one, self._taken(one))

    def _varied(self, engine: Engine, target: Target, one: Measurement) -> Tuple[Measurement, Taken]:
        """The samples; each with the same input where the engine refuses one of the different ones."""
        try:
            return one, self._taken(one)
        except (FaultError, RefusalError) as error:
            if one.again is None:
                raise
            where = f"{engine.info.name} / {target.name} / {one.operation}"
            print(f"{SAME_EACH_TIME}: {where}: {error}", file=sys.stderr)  # noqa: T201
            same = replace(one, given=one.again, inputs=SAME)
            return same, self._taken(same)

    def _taken(self, one: Measurement) -> Taken:
        return take(one.call, self._timing(one), one.given, one.units)

    def _timing(self, one: Measurement) -> Timing:
        if one.inputs != FRESH:
            return self.timing
        return replace(self.timing, samples=self.timing.cold, seconds=0.0, warmup=0)

    def _series(self, engine: Engine, target: Target, one: Measurement, taken: Taken) -> Series:
        ids = one.ids(taken.answer)
        return Series(
            run=self.request.run,
            pid=self.pid,
            engine=engine.info.name,
            tokenizer=target.name,
            operation=one.operation,
            vector=one.vector,
            digest="" if ids is None else digest(ids)[:DIGITS],
            inputs=one.inputs,
            units=taken.units,
            cpu=self.core.cpu,
            part=self.core.part,
            seen=self.seen,
            warmup=self._timing(one).warmup,
            started_ns=taken.started_ns,
            short=taken.short,
            ns=taken.ns,
        )


def measurements(engine: Engine, session: Session, target: Target, given: Timed) -> Iterator[Measurement]:
    """What is timed in this process: loading, short and long texts, the long ones' ids back, drafts."""
    yield Measurement("load", "", lambda _: engine.load(str(target.path)), inputs=SAME)
    if given.vectors:
        kept = Kept(session, given.texts["encode-long"])
        yield _encoding("encode-short", session, given, given.texts["encode-short"], _length)
        yield _encoding("encode-long", session, given, kept.text, kept.keep)
        yield _decoding(session, given, kept)
    calls = next((vector for vector in target.vectors if vector.op == "lookup"), None)
    if calls is not None and "lookup" in session.info.capabilities:
        yield _drafting(session, calls)


@dataclass
class Kept:
    """Ids of the long texts by their numbers, so that nothing is encoded again to be decoded."""

    session: Session
    texts: Callable[[int], str]
    number: Optional[int] = None
    ids: Dict[int, Any] = field(default_factory=dict)

    def text(self, number: int) -> str:
        self.number = number
        return self.texts(number)

    def keep(self, answer: Any) -> int:
        if self.number is not None and len(self.ids) < MOST_KEPT:
            self.ids[self.number] = array("I", answer.ids)
            self.number = None
        return len(answer.ids)

    def again(self, number: int) -> List[int]:
        found = self.ids.get(number)
        return list(encode(self.session, self.texts(number)).ids if found is None else found)


def _length(answer: Any) -> int:
    return len(answer.ids)


def _encoding(
    operation: str, session: Session, given: Timed, texts: Callable[[int], str], units: Callable[[Any], int]
) -> Measurement:
    vector = given.vectors[operation]
    return Measurement(
        operation,
        vector.id,
        lambda text: encode(session, text),
        texts,
        units,
        lambda _: _ids(session, vector),
        again=lambda _: vector.text,
    )


def _decoding(session: Session, given: Timed, kept: Kept) -> Measurement:
    """The ids of texts that differ as those of the long texts do."""
    vector = given.vectors["encode-long"]
    options = {"skip_special_tokens": True} if "skip_special" in session.info.capabilities else {}

    def call(ids: List[int]) -> int:
        ask(session.decode, ids, **options)
        return len(ids)

    return Measurement(
        "decode",
        vector.id,
        call,
        kept.again,
        int,
        lambda _: _ids(session, vector),
        again=lambda _: _ids(session, vector),
    )


def _ids(session: Session, vector: Vector) -> List[int]:
    return list(encoded(session, vector, special=True).ids)


def _drafting(session: Session, vector: Vector) -> Measurement:
    rule, options, calls = (vector.given[name] for name in ("rule", "options", "calls"))
    lookup: Callable[..., Any] = session.lookup
    return Measurement(
        "lookup",
        vector.id,
        lambda moved: ask(lookup, rule, options, moved),
        lambda number: history(calls, number),  # type: ignore[arg-type]
        len,
    )


__all__ = ["Bench", "EngineError", "Measurement", "measurements"]
