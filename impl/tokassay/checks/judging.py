"""From an engine's answer to a verdict: what all checks share."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Callable, Optional, Sequence, Tuple, TypeVar

from .engine import (
    CAPABILITIES,
    AbsentError,
    CrashError,
    EngineError,
    EngineInfo,
    FaultError,
    RefusalError,
    Session,
    TimeLimitError,
    UnavailableError,
)
from .vector import Vector
from .verdict import Difference, Verdict, passed

T = TypeVar("T")
TEXT_SHOWN = 160
# Capabilities without which there is no engine, look-up, of which an engine knows its own rule, and
# templates, which not every engine can be given all names for: a refusal is about the case, not a claim.
BASIC = ("encode", "decode", "lookup", "template")
# What the oracle's own panic is called in an expectation; no engine is asked to do better than refuse.
PANICS = ("PanicException", "crash")
# A vector of a text names the clauses that its ids are about; these suites ask something else of it.
_ASKED_OF_A_TEXT = {
    "decode": "decode.ids",
    "offsets": "encoding.offsets",
    "determinism": "verdict.determinism",
}
_OURS = (KeyboardInterrupt, SystemExit, GeneratorExit)


def ask(call: Callable[..., T], *arguments: Any, **options: Any) -> T:
    """The engine's answer; whatever it raises becomes an `EngineError`.

    An answer that is computed when first read has to be read through here, too.
    """
    try:
        return call(*arguments, **options)
    except EngineError:
        raise
    except Exception as error:
        raise FaultError(f"{type(error).__name__}: {error}") from error
    except BaseException as error:
        if isinstance(error, _OURS):
            raise
        raise CrashError(f"{type(error).__name__}: {error}") from error


def kind_of(error: EngineError) -> str:
    """The verdict kind of what an engine did instead of answering."""
    if isinstance(error, RefusalError):
        return "unsupported"
    if isinstance(error, CrashError):
        return "crash"
    if isinstance(error, AbsentError):
        return "not-run"
    return "timeout" if isinstance(error, TimeLimitError) else "error"


def narrowed(vector: Vector, tokenizer: str) -> Vector:
    """The vector with one tokenizer's answer only, as a check takes it."""
    if len(vector.expect) == 1 and tokenizer in vector.expect:
        return vector
    return replace(vector, expect={tokenizer: vector.expect[tokenizer]})


def tokenizer_of(vector: Vector) -> str:
    """The name of the one tokenizer of a narrowed vector."""
    (name,) = vector.expect
    return name


def expected_error(vector: Vector) -> str:
    """The class of the error that the oracle answers instead of a result, or ""."""
    (answer,) = vector.expect.values()
    failed = "error" in answer and "chunks" not in answer  # with chunks it is the stream that failed
    return str(answer["error"]) if failed else ""


def shown(vector: Vector) -> str:
    """The input as ASCII: a JSON string, a hex string for bytes, or ids; a long one is cut."""
    given = vector.given
    name = next(
        (name for name in ("bytes_hex", "text", "ids", "recipe", "sweep", "probe") if name in given), None
    )
    text = json.dumps(given[name]) if name else ""
    return text if len(text) <= TEXT_SHOWN else f"{text[:TEXT_SHOWN]}... ({len(text)} characters)"


def judged(
    engine: Session,
    vector: Vector,
    suite: str,
    needs: Sequence[str],
    compare: Callable[[Session, Vector], Optional[Difference]],
) -> Verdict:
    """The verdict of one comparison: `compare` asks the engine and answers a difference or None."""
    if not engine.info.capabilities.issuperset(needs):
        missing = next(need for need in needs if need not in engine.info.capabilities)
        reason = f"does not claim {missing} ({CAPABILITIES[missing]})"
        return verdict(engine.info, vector, suite, "unsupported", reason)
    try:
        difference = compare(engine, vector)
    except UnavailableError:
        raise
    except EngineError as error:
        return verdict(engine.info, vector, suite, *_failure(error, needs))
    if difference is None:
        return passed(suite, engine.info.name, tokenizer_of(vector), vector.id)
    return replace(verdict(engine.info, vector, suite, "diverge", ""), difference=difference)


def refused(
    engine: Session,
    vector: Vector,
    suite: str,
    needs: Sequence[str],
    attempt: Callable[[Session, Vector], object],
) -> Verdict:
    """The verdict where the oracle answers with an error: `attempt` has to end in one as well."""

    def compare(engine: Session, vector: Vector) -> Optional[Difference]:
        attempt(engine, vector)
        return Difference("outcome", f"an error ({expected_error(vector)})", "an answer")

    found = judged(engine, vector, suite, needs, compare)
    return accepted(vector, found) if found.kind in ("error", "crash") else found


def fails(wanted: str, attempt: Callable[[], object]) -> bool:
    """Whether `attempt` ends in an error, as the oracle does; a crash counts only where it panics itself."""
    try:
        attempt()
    except (FaultError, RefusalError):
        return True
    except CrashError:
        if wanted not in PANICS:
            raise
        return True
    return False


def accepted(vector: Vector, failure: Verdict) -> Verdict:
    """A failure as a pass, where the oracle fails, too; a crash only where the oracle panics itself."""
    wanted = expected_error(vector)
    kinds = ("error", "unsupported", "crash") if wanted in PANICS else ("error", "unsupported")
    if wanted and failure.kind in kinds:
        return passed(failure.suite, failure.engine, failure.tokenizer, failure.vector)
    return failure


def verdict(info: EngineInfo, vector: Vector, suite: str, kind: str, reason: str) -> Verdict:
    """A verdict with everything that a reader needs to understand it."""
    name, clauses = tokenizer_of(vector), clauses_of(vector, suite)
    return Verdict(kind, suite, info.name, name, vector.id, reason, None, clauses, shown(vector))


def clauses_of(vector: Vector, suite: str) -> Tuple[str, ...]:
    """The clauses of a failure: first what the suite asks of a text, then what the text is about."""
    own = _ASKED_OF_A_TEXT.get(suite) if vector.op in ("encode", "long") else None
    return vector.clauses if own is None or own in vector.clauses else (own, *vector.clauses)


def _failure(error: EngineError, needs: Sequence[str]) -> Tuple[str, str]:
    """A refusal of something that the engine claims is an error: it claims too much."""
    claimed = [need for need in needs if need not in BASIC]
    if isinstance(error, RefusalError) and claimed:
        return "error", f"claims {', '.join(claimed)} but refuses: {error.reason}"
    return kind_of(error), error.reason
