"""``--divergences FILE`` and ``--write-divergences FILE``: the owner's list, read and drafted (TOML)."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, Mapping, Sequence, Tuple

import tomllib

from tokassay.checks import Suite
from tokassay.checks.verdict import Verdict
from tokassay.core.errors import FormatError
from tokassay.verdicts.driver import Plan, Target
from tokassay.verdicts.events import Event, Finding
from tokassay.verdicts.globs import covering
from tokassay.verdicts.known import CLASSES, KnownList, entries

from . import UsageError

REASON = "to be filled"
DAYS = 180  # how long a drafted entry holds
HEAD = """\
# Known divergences, drafted by `tokassay run --write-divergences`.
# Fill in a reason and a link for each; an entry that passes, or is past its day, makes the run fail.
"""
Group = Tuple[str, str, str, str, str]  # engine, tokenizer, suite, class, cause


def today() -> dt.date:
    """The day that entries are compared with (UTC)."""
    return dt.datetime.now(dt.timezone.utc).date()


def known_list(path: Path) -> KnownList:
    """The list in a file, in force today. Raises UsageError."""
    try:
        document = tomllib.loads(path.read_bytes().decode("utf-8"))
        return KnownList(entries(document, str(path)), today().isoformat())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not TOML: {error}") from error
    except (FormatError, OSError) as error:
        raise UsageError(str(error)) from error


def draft(events: Iterable[Event], plan: Plan, *, whole: bool) -> str:
    """A list of all failures that are not listed yet, grouped by cause: with it the run has none.

    `whole`: the run saw every vector of its cells, so that a glob may stand for those it matches.
    """
    groups, causes = _grouped(
        event for event in events if not (isinstance(event, Verdict) and plan.known.matching(event))
    )
    cells = {
        (target.name, suite.name): _ids(target, suite) for target in plan.targets for suite in plan.suites
    }
    parts = [HEAD]
    for group, failing in groups.items():
        others = cells.get(group[1:3], failing)
        globs = covering(failing, others) if whole else sorted(failing)
        parts.append("\n".join([*_table(group, globs, len(failing), causes.get(group, "")), ""]))
    return "\n".join(parts)


def _ids(target: Target, suite: Suite) -> List[str]:
    return [vector.id for vector in target.vectors if suite.applies(vector)]


def _grouped(events: Iterable[Event]) -> Tuple[Dict[Group, List[str]], Dict[Group, str]]:
    """Failing vectors by group, and what a reader is told about the group."""
    failed, found = [], []
    for event in events:
        if isinstance(event, Verdict) and event.kind in CLASSES:
            failed.append(event)
        elif isinstance(event, Finding):
            found.append(event)
    of_vector = {
        (finding.engine, finding.tokenizer, finding.kind, vector): finding
        for finding in found
        for vector in finding.vectors
    }
    groups: Dict[Group, List[str]] = {}
    causes: Dict[Group, str] = {}
    for one in failed:
        finding = of_vector.get((one.engine, one.tokenizer, one.kind, one.vector))
        cause = finding.cause if finding else one.cause or one.reason
        group = (one.engine, one.tokenizer, one.suite, one.kind, cause)
        groups.setdefault(group, []).append(one.vector)
        if finding and finding.given:
            causes[group] = json.dumps(finding.given)
    return groups, causes


def _table(group: Group, globs: Sequence[str], count: int, smallest: str) -> Iterator[str]:
    engine, tokenizer, suite, kind, cause = group
    yield f"# {count} vector{'s' if count > 1 else ''}" + (f": {_comment(cause)}" if cause else "")
    if smallest:
        yield f"# smallest input: {_comment(smallest)}"
    yield "[[divergence]]"
    values: Mapping[str, object] = {
        "engine": _literal(engine),
        "tokenizer": _literal(tokenizer),
        "suite": suite,
        "vector": list(globs),
        "class": kind,
        "reason": REASON,
        "link": "",
    }
    for key, value in values.items():
        yield f"{key} = {_toml(value)}"
    yield f"expires = {(today() + dt.timedelta(days=DAYS)).isoformat()}"


def _literal(name: str) -> str:
    """A glob that matches this name only."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


def _comment(text: str) -> str:
    return json.dumps(text)[1:-1].replace('\\"', '"')[:200]


def _toml(value: object) -> str:
    """A string or a list of strings; JSON's strings in ASCII are TOML's, surrogate pairs apart."""
    if isinstance(value, list):
        inner = ",\n".join(f"    {_toml(item)}" for item in value)
        return f"[\n{inner},\n]" if len(value) > 1 else f"[{_toml(value[0])}]"
    text = str(value).encode("utf-8", "replace").decode("utf-8")
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
