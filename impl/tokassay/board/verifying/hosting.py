"""Host against board: the ids that the reference answers here, vector by vector."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tokassay import __version__
from tokassay.checks import determinism
from tokassay.checks.asking import encoded
from tokassay.checks.engine import EngineError, Session
from tokassay.checks.stored import of_suite
from tokassay.checks.vector import DIGITS, INLINE, Vector, digest
from tokassay.checks.verdict import Verdict
from tokassay.device import folder as names
from tokassay.device.reference import NAME, reference

from .evidence import Evidence
from .reading import Problem
from .selection import planned


def differing(evidence: Evidence, archives: Sequence[bytes]) -> Iterator[Problem]:
    """Tokenizers for which the board's reference answered other ids than the one here; a finding, no forgery.

    `archives`: content of the bundle, and of the archive of real tokenizers where there was one. Silent where
    the run was of another version. Raises FormatError or RequestError.
    """
    told = _told(evidence)
    if not told or evidence.request["tokassay"] != __version__:
        return
    with planned(evidence, archives) as plan:
        for target in plan.targets if plan is not None else ():
            if target.name == INLINE or target.name not in told:
                continue
            session = reference().load(str(target.path))
            vectors = of_suite(target.vectors, determinism.SUITE, determinism.applies)
            other = [one.id for one in vectors if _unlike(session, one, told[target.name])]
            if other:
                reason = (
                    f"{len(other)} of {len(vectors)} vectors have other ids on the host, first {other[0]}"
                )
                yield Problem(names.RESULTS, f"ids.{NAME}.{target.name}", reason)


def _told(evidence: Evidence) -> Mapping[str, Mapping[str, str]]:
    """Tokenizer → vector → digest of the ids that the board's reference answered."""
    found: dict[str, dict[str, str]] = {}
    for event in evidence.events:
        if isinstance(event, Verdict) and event.engine == NAME and event.digest:
            found.setdefault(event.tokenizer, {})[event.vector] = event.digest
    return found


def _unlike(session: Session, vector: Vector, told: Mapping[str, str]) -> bool:
    """Whether both answered, and not the same."""
    if vector.id not in told:
        return False
    try:
        return digest(list(encoded(session, vector, special=True).ids))[:DIGITS] != told[vector.id]
    except EngineError:
        return True
