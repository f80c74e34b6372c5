"""The same engine in another process: what it answered there has to be what it answered here."""

from __future__ import annotations

from typing import Dict, Iterable, Iterator, Mapping, Optional

from tokassay.checks import suites
from tokassay.checks.asking import encode_call, encoded
from tokassay.checks.calls import announce
from tokassay.checks.determinism import SUITE
from tokassay.checks.engine import Engine, EngineError, Session
from tokassay.checks.judging import ask
from tokassay.checks.vector import DIGITS, Vector, digest
from tokassay.checks.verdict import Difference, Verdict

from .events import Event


def compared(
    events: Iterable[Event], twin: Optional[Engine], path: str, vectors: Iterable[Vector]
) -> Iterator[Event]:
    """The events of one engine on one tokenizer, then a divergence for each text its twin answers otherwise.

    A twin that cannot be asked proves nothing: it is left out.
    """
    digests: Dict[str, Verdict] = {}
    for event in events:
        if twin is not None and isinstance(event, Verdict) and event.suite == SUITE and event.digest:
            digests[event.vector] = event
        yield event
    if twin is not None and digests:
        yield from _different(digests, twin, path, vectors)


def _different(
    digests: Mapping[str, Verdict], twin: Engine, path: str, vectors: Iterable[Vector]
) -> Iterator[Verdict]:
    asked = [vector for vector in vectors if vector.id in digests and suites()[SUITE].applies(vector)]
    try:
        session = ask(twin.load, path)
        able = session.info.capabilities
        announce(session, (encode_call(able, vector, special=True) for vector in asked))
    except EngineError:
        return
    for vector in asked:
        here = digests[vector.id]
        there = _digest(session, vector)
        if there and there != here.digest:
            difference = Difference("digest of the ids in another process", here.digest, there)
            yield Verdict(
                "diverge", SUITE, here.engine, here.tokenizer, vector.id, "", difference, vector.clauses
            )


def _digest(session: Session, vector: Vector) -> str:
    try:
        return digest(list(encoded(session, vector, special=True).ids))[:DIGITS]
    except EngineError:
        return ""
