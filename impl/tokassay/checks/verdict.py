"""A verdict: what one check found on one engine, tokenizer and vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Mapping, Optional, Sequence, Tuple, Union

# The closed set of kinds, and what each says. Clauses: ``verdict.*``.
KINDS: Mapping[str, str] = {
    "pass": "the engine answers as expected",
    "diverge": "the engine answers something else",
    "known": "it diverges as its owner has listed",
    "unexpected-pass": "it passes although its owner lists a divergence",
    "unsupported": "the engine does not claim what the vector needs",
    "error": "the engine answered with an error",
    "crash": "the engine panicked, aborted or died",
    "timeout": "the engine did not answer in time",
    "not-run": "the vector was selected but could not be tried",
}
# These make a run end with exit code 1.
FAILURES = frozenset({"diverge", "unexpected-pass", "error", "crash", "timeout"})
# These prove that something was really tried.
TRIED = FAILURES | {"pass", "known"}

Comparable = Union[str, bytes, Sequence[object]]


@dataclass(frozen=True)
class Difference:
    """Two answers that should be equal: `what` names them (ids, offsets, decoded, step 4, ...)."""

    what: str
    expected: Comparable
    got: Comparable

    @property
    def first(self) -> int:
        """Index of the first difference (the length of the shorter one when it is a prefix)."""
        for index, (a, b) in enumerate(zip(self.expected, self.got)):
            if a != b:
                return index
        return min(len(self.expected), len(self.got))


@dataclass(frozen=True)
class Verdict:
    """`kind` is one of `KINDS`; `stage` is filled by a diagnosis, where there is one.

    `engine` and `tokenizer` are names; `text` is the input as the failure report shows it (escaped).
    `code` and `cause` name what explains a divergence, where a diagnosis knows it; `digest` is the sha256
    of the ids, from the determinism suite.
    """

    kind: str
    suite: str
    engine: str
    tokenizer: str
    vector: str
    reason: str = ""
    difference: Optional[Difference] = None
    clauses: Tuple[str, ...] = ()
    text: str = ""
    stage: str = ""
    code: str = ""
    cause: str = ""
    digest: str = ""

    @property
    def failed(self) -> bool:
        return self.kind in FAILURES


def passed(suite: str, engine: str, tokenizer: str, vector: str) -> Verdict:
    """A pass. Nearly all of a run is passes: what is as in every `Verdict` is not set once more in each."""
    found = object.__new__(Verdict)
    vars(found).update(kind="pass", suite=suite, engine=engine, tokenizer=tokenizer, vector=vector)
    return found
