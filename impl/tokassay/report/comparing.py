"""What changed between two runs: new failures, what was fixed, other verdicts, vectors that are gone."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Tuple

from tokassay.checks.verdict import FAILURES, Verdict
from tokassay.verdicts.events import Footer, Header
from tokassay.verdicts.exit_code import CONFORMS, DIVERGES, ENGINE_DOWN, SUITE_BROKEN

from . import markdown
from .excerpt import answer_key
from .writing import stream

Case = Tuple[str, str, str, str]  # engine, tokenizer, suite, vector
TITLES = {
    "new_failures": "New failures",
    "fixed": "Fixed",
    "changed": "Other verdicts",
    "other_answers": "Fails still, with another answer",
    "missing": "Not in the new run",
}


@dataclass(frozen=True)
class Change:
    """One case. `old` or `new` is "" where that run does not hold it; `reason` is the new run's."""

    engine: str
    tokenizer: str
    suite: str
    vector: str
    old: str
    new: str
    reason: str = ""


@dataclass(frozen=True)
class Told:
    """What a run said of one case. `answer`: a hash of both sides of the difference."""

    kind: str
    answer: int
    reason: str


@dataclass
class Comparison:
    """The changes by what they mean. Mutable on purpose: collected while the new run goes by."""

    new_failures: List[Change] = field(default_factory=list)
    fixed: List[Change] = field(default_factory=list)
    changed: List[Change] = field(default_factory=list)
    other_answers: List[Change] = field(default_factory=list)
    missing: List[Change] = field(default_factory=list)
    added: int = 0  # vectors that only the new run holds, and that do not fail
    failing: int = 0  # failures of both
    same: int = 0
    versions: Dict[str, Tuple[str, str]] = field(
        default_factory=dict
    )  # engine → old and new, where they differ

    new_exit_code: int = CONFORMS

    @property
    def exit_code(self) -> int:
        """1 where something fails that did not; 3 or 4 where the new run proves nothing (``exit.codes``)."""
        if self.new_exit_code in (ENGINE_DOWN, SUITE_BROKEN):
            return self.new_exit_code
        return DIVERGES if self.new_failures else CONFORMS

    def changes(self) -> Iterator[Tuple[str, List[Change]]]:
        """Title and changes, without the kinds of change that there are none of."""
        for name, title in TITLES.items():
            found: List[Change] = getattr(self, name)
            if found:
                yield title, found


def compared(old: Path, new: Path) -> Comparison:
    """Reads both reports. Raises ReportError."""
    found = Comparison()
    before, old_versions, _ = _told(old)
    after, new_versions, found.new_exit_code = _told(new)
    for case, told in after.items():
        _add(found, case, before.pop(case, None), told)
    found.missing.extend(Change(*case, told.kind, "") for case, told in before.items())
    for engine in old_versions.keys() & new_versions.keys():
        if old_versions[engine] != new_versions[engine]:
            found.versions[engine] = (old_versions[engine], new_versions[engine])
    return found


def _told(path: Path) -> Tuple[Dict[Case, Told], Dict[str, str], int]:
    """What a run said, the versions of its engines, and its exit code."""
    code = CONFORMS
    told: Dict[Case, Told] = {}
    versions: Dict[str, str] = {}
    for event in stream(path):
        if isinstance(event, Header):
            versions = {str(e["name"]): str(e.get("version", "")) for e in event.engines}
        elif isinstance(event, Verdict):
            told[event.engine, event.tokenizer, event.suite, event.vector] = _of(event)
        elif isinstance(event, Footer):
            code = event.exit_code
    return told, versions, code


def _of(verdict: Verdict) -> Told:
    if verdict.kind == "pass":
        return _PASS
    answer = answer_key(verdict)
    return Told(verdict.kind, answer, verdict.reason)


_PASS = Told("pass", 0, "")


def _add(found: Comparison, case: Case, old: Optional[Told], new: Told) -> None:
    change = Change(*case, old.kind if old else "", new.kind, new.reason)
    failed, fails = old is not None and old.kind in FAILURES, new.kind in FAILURES
    if fails and not failed:
        found.new_failures.append(change)
    elif old is None:
        found.added += 1
    elif failed and not fails:
        (found.fixed if new.kind in ("pass", "known") else found.changed).append(change)
    elif old.kind != new.kind:
        found.changed.append(change)
    elif fails and old.answer != new.answer:
        found.other_answers.append(change)
    else:
        found.same += 1
        found.failing += fails


# -- for readers ------------------------------------------------------------------------------------


def sentence(found: Comparison) -> str:
    """The result in one line."""
    parts = [f"{len(changes):,} {title[0].lower()}{title[1:]}" for title, changes in found.changes()]
    same = f"{found.same:,} the same" + (f", {found.failing:,} of them failing" if found.failing else "")
    new = [f"{found.added:,} new without failure"] if found.added else []
    down = [f"the new run ended with exit code {found.new_exit_code}"] if found.exit_code > DIVERGES else []
    return "; ".join([*(parts or ["no change"]), *new, same, *down])


def text(found: Comparison, limit: int) -> List[str]:
    """Lines, at most `limit` for each kind of change."""
    lines = [f"{engine}: {old} -> {new}" for engine, (old, new) in sorted(found.versions.items())]
    for title, changes in found.changes():
        lines += ["", f"{title} ({len(changes)})"]
        lines += [f"  {_case(change)}: {_kinds(change)}{_because(change)}" for change in changes[:limit]]
        lines += [f"  and {len(changes) - limit} more"] * (len(changes) > limit)
    return [*lines, "", sentence(found)] if lines else [sentence(found)]


def as_markdown(found: Comparison, limit: int) -> str:
    """The same as a page."""
    lines = [f"## tokassay: {len(found.new_failures):,} new failures", "", sentence(found), ""]
    lines += [
        f"- {markdown.code(e)} {markdown.code(a)} to {markdown.code(b)}"
        for e, (a, b) in found.versions.items()
    ]
    for title, changes in found.changes():
        rows = [
            (*(markdown.code(one) for one in (c.engine, c.tokenizer, c.suite, c.vector)), _kinds(c))
            for c in changes[:limit]
        ]
        lines += [f"### {title} ({len(changes):,})"]
        lines += markdown.table(("engine", "tokenizer", "suite", "vector", "verdict"), rows)
        lines += [f"and {len(changes) - limit:,} more", ""] * (len(changes) > limit)
    return "\n".join(lines) + "\n"


def as_json(found: Comparison) -> str:
    """Everything, as one object."""
    return json.dumps({**asdict(found), "exit_code": found.exit_code})


def _case(change: Change) -> str:
    return f"{change.engine} / {change.tokenizer} / {change.suite} / {change.vector}"


def _kinds(change: Change) -> str:
    if not change.old or not change.new:
        return change.new or f"was {change.old}"
    return change.new if change.old == change.new else f"{change.old} -> {change.new}"


def _because(change: Change) -> str:
    return f": {change.reason}" if change.reason else ""
