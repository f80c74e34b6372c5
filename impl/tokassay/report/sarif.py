"""A run as SARIF 2.1.0, for code-scanning views.

One rule for each clause that a failing vector cites first (the suite's own where it cites none), one result
for each failure that the summary keeps. A vector has no place in anybody's source tree: a result names it as
a logical location, and as a virtual path ``tokassay/TOKENIZER/VECTOR``, since some viewers want a file.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Dict, List, Mapping
from urllib.parse import quote

from tokassay import __version__
from tokassay.verdicts.clauses import sentence

from .summary import Summary

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"known": "note"}


def document(summary: Summary) -> Dict[str, Any]:
    """The log as a value."""
    failures = summary.shown()
    rules = list(dict.fromkeys(_rule_id(row) for row in failures))
    places = {rule: place for place, rule in enumerate(rules)}
    driver = {"name": "tokassay", "version": __version__, "rules": [_rule(rule) for rule in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(row, places) for row in failures],
        "invocations": [_invocation(summary)],
        "properties": {
            "failures": summary.failures,
            "engines": [dict(engine) for engine in (summary.header.engines if summary.header else ())],
        },
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def text(summary: Summary) -> str:
    """The log as ASCII JSON."""
    return json.dumps(document(summary), indent=1) + "\n"


def _rule_id(row: Mapping[str, Any]) -> str:
    clauses = row.get("clauses")
    return str(clauses[0]) if clauses else f"check.{row['suite']}"


def _rule(anchor: str) -> Dict[str, Any]:
    said = sentence(anchor) or f"The clause {anchor}."
    return {"id": anchor, "shortDescription": {"text": said}}


def _result(row: Mapping[str, Any], places: Mapping[str, int]) -> Dict[str, Any]:
    rule = _rule_id(row)
    identity = "/".join((row["engine"], row["tokenizer"], row["suite"], row["vector"]))
    path = "/".join(
        quote(part.encode("utf-8", "replace")) for part in ("tokassay", row["tokenizer"], row["vector"])
    )
    return {
        "ruleId": rule,
        "ruleIndex": places[rule],
        "level": LEVELS.get(row["kind"], "error"),
        "message": {"text": _message(row)},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": path}, "region": {"startLine": 1}},
                "logicalLocations": [{"fullyQualifiedName": identity, "kind": "member"}],
            }
        ],
        "partialFingerprints": {"vector/v1": hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()},
        "properties": {
            name: row[name]
            for name in ("kind", "engine", "tokenizer", "suite", "vector", "stage", "times")
            if name in row
        },
    }


def _message(row: Mapping[str, Any]) -> str:
    lines = [
        f"{row['engine']} {row['kind']}s on {row['vector']}"
        if row["kind"] == "diverge"
        else f"{row['kind']}: {row['engine']} on {row['vector']}"
    ]
    lines += [f"{name}: {row[name]}" for name in ("text", "cause", "reason", "stage") if row.get(name)]
    difference = row.get("difference")
    if difference:
        columns = difference["columns"]
        lines.append(f"{difference['what']}, first difference at {difference['first']}")
        lines += [
            f"{name}: {' '.join(column[side] for column in columns)}"
            for side, name in enumerate(("expected", "got"))
        ]
    return "\n".join(lines)


def _invocation(summary: Summary) -> Dict[str, Any]:
    """`executionSuccessful` is about the run itself, not about what it found."""
    serious: List[Dict[str, Any]] = [
        {"level": "error", "message": {"text": f"{note.title}: {note.where}: {note.reason}"}}
        for note in summary.notes
        if note.serious
    ]
    found: Dict[str, Any] = {"executionSuccessful": not serious, "toolExecutionNotifications": serious}
    if summary.header is not None and summary.header.started:
        found["startTimeUtc"] = summary.header.started
    if summary.footer is not None:
        found["exitCode"] = summary.footer.exit_code
    return found
