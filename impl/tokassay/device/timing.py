"""The series of samples of one engine on one tokenizer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from tokassay.checks import determinism
from tokassay.checks.asking import encoded, limited, text_of
from tokassay.checks.engine import Engine, EngineError, Session
from tokassay.checks.stored import of_suite
from tokassay.checks.vector import DIGITS, Vector, digest
from tokassay.verdicts.driver import Target

from .cores import Core
from .request import Request, Timing
from .samples import Series, Taken, take

SHORT, LONG = 40, 4000  # characters that the two texts come near to


@dataclass(frozen=True)
class Measurement:
    """One call to be timed. `ids` of the answer, for the digest; `units` that one call handles."""

    operation: str
    vector: str
    call: Callable[[], Any]
    ids: Callable[[Any], Optional[List[int]]]
    units: Callable[[Any], int]


@dataclass(frozen=True)
class Bench:
    """Where the samples are taken."""

    request: Request
    timing: Timing
    pid: int
    core: Core
    seen: Tuple[int, ...]

    def series(self, engine: Engine, target: Target) -> Iterator[Series]:
        """Each operation that the engine offers and the vectors have an input for. Raises EngineError."""
        session = engine.load(str(target.path))
        for one in measurements(engine, session, target):
            yield self._series(engine.info.name, target.name, one, take(one.call, self.timing))

    def _series(self, engine: str, tokenizer: str, one: Measurement, taken: Taken) -> Series:
        ids = one.ids(taken.answer)
        return Series(
            run=self.request.run,
            pid=self.pid,
            engine=engine,
            tokenizer=tokenizer,
            operation=one.operation,
            vector=one.vector,
            digest="" if ids is None else digest(ids)[:DIGITS],
            units=one.units(taken.answer),
            cpu=self.core.cpu,
            part=self.core.part,
            seen=self.seen,
            warmup=self.timing.warmup,
            started_ns=taken.started_ns,
            short=taken.short,
            ns=taken.ns,
        )


def measurements(engine: Engine, session: Session, target: Target) -> Iterator[Measurement]:
    """What is timed: loading, a short and a long text, the long text's ids back, one history's drafts."""
    yield Measurement("load", "", lambda: engine.load(str(target.path)), _none, lambda _: 1)
    texts = timed_texts(target.vectors)
    for name, vector in texts.items():
        yield _encoding(name, session, vector)
    if texts:
        yield _decoding(session, list(texts.values())[-1])
    history = next((vector for vector in target.vectors if vector.op == "lookup"), None)
    if history is not None and "lookup" in session.info.capabilities:
        yield _drafting(session, history)


def timed_texts(vectors: Sequence[Vector]) -> Dict[str, Vector]:
    """Operation → the vector of the determinism suite whose text comes nearest to its length."""
    plain = [one for one in of_suite(vectors, determinism.SUITE, determinism.applies) if _is_plain(one)]
    if not plain:
        return {}
    lengths = [(len(text_of(one)), one.id, one) for one in plain]

    def nearest(wanted: int) -> Vector:
        return min(lengths, key=lambda item: (abs(item[0] - wanted), item[1]))[2]

    return {"encode-short": nearest(SHORT), "encode-long": nearest(LONG)}


def _is_plain(vector: Vector) -> bool:
    return "text" in vector.given and "pair" not in vector.given and not limited(vector)


def _encoding(operation: str, session: Session, vector: Vector) -> Measurement:
    def ids(answer: Any) -> List[int]:
        return list(answer.ids)

    def call() -> Any:
        found = encoded(session, vector, special=True)
        found.ids  # noqa: B018 - an engine may compute them when they are first read
        return found

    return Measurement(operation, vector.id, call, ids, lambda answer: len(ids(answer)))


def _decoding(session: Session, vector: Vector) -> Measurement:
    ids = list(encoded(session, vector, special=True).ids)
    options = {"skip_special_tokens": True} if "skip_special" in session.info.capabilities else {}
    return Measurement(
        "decode", vector.id, lambda: session.decode(ids, **options), lambda _: ids, lambda _: len(ids)
    )


def _drafting(session: Session, vector: Vector) -> Measurement:
    given: Any = vector.given

    def call() -> Any:
        return session.lookup(given["rule"], given["options"], given["calls"])

    return Measurement("lookup", vector.id, call, _none, len)


def _none(_answer: Any) -> None:
    return None


__all__ = ["Bench", "EngineError", "Measurement", "measurements", "timed_texts"]
