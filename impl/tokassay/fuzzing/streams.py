"""Streams of the engine under test beside the oracle's, as clauses ``stream.*`` have it."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

from tokassay.checks.engine import EngineError, Session, UnavailableError

from .target import Found

Steps = List[Optional[str]]


def compared(
    engine: Session,
    witness: Session,
    ids: Sequence[int],
    full: Optional[str],
    *,
    skip: bool,
    late: bool = True,
) -> Optional[Found]:
    """How the engine's stream is wrong. `full`: what all the ids decode to; None where that fails.

    An engine that flushes has to end with that text, or with what the oracle's stream came to, and may not be
    later than the oracle (which `late` asks for). One that does not is compared step by step.
    """
    theirs, failed = _steps(witness, ids, skip)
    ours, ended = _steps(engine, ids, skip)
    if "flush" not in engine.info.capabilities:
        same = (ours, ended) == (theirs, failed)
        return None if same else Found("stream", "diverge", "steps", theirs, ours)
    if full is None:
        return None
    if ended:
        return Found("stream", "error", "", full, ours)
    text = _joined(ours)
    if text != full and not _stands(text, _joined(theirs), full, failed=failed):
        return Found("stream", "diverge", "whole text", full, text)
    return _partial(ours, full) or (None if failed or not late else _late(ours, theirs))


def _stands(text: str, streamed: str, full: str, *, failed: bool) -> bool:
    """Whether the text goes on from what the oracle's stream had given already.

    `decode` may replace characters of it afterwards (``stream.byte-fallback``): then only U+FFFD follows.
    """
    rest = text[len(streamed) :]
    replaced = "\ufffd" in full and set(rest) <= {"\ufffd"}
    return text.startswith(streamed) and (failed or replaced or rest == full[len(streamed) :])


def _joined(steps: Steps) -> str:
    return "".join(step or "" for step in steps)


def _partial(ours: Steps, full: str) -> Optional[Found]:
    if any("\ufffd" in (step or "") for step in ours) and "\ufffd" not in full:
        return Found("stream", "diverge", "part of a character", full, ours)
    return None


def _late(ours: Steps, theirs: Steps) -> Optional[Found]:
    """Where the engine has told less than the oracle had after the same id."""
    told = due = ""
    for mine, other in zip(ours, theirs):
        told, due = told + (mine or ""), due + (other or "")
        if len(told) < len(due) and due.startswith(told):
            return Found("stream", "diverge", "later than the oracle", theirs, ours)
    return None


def _steps(side: Session, ids: Sequence[int], skip: bool) -> Tuple[Steps, bool]:
    """Every step, the flush last where there is one; and whether it ended in a failure."""
    able = side.info.capabilities
    options: Dict[str, Any] = {"skip_special_tokens": skip} if "skip_special" in able else {}
    steps: Steps = []
    try:
        stream = side.stream(**options)
        for index in ids:
            steps.append(stream.step(index))
        if "flush" in able:
            steps.append(stream.flush())
    except (KeyboardInterrupt, SystemExit, MemoryError, UnavailableError):
        raise
    except EngineError:
        return steps, True
    except BaseException:  # noqa: BLE001 - PanicException derives from BaseException
        return steps, True
    return steps, False
