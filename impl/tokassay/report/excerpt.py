"""A failed verdict cut to what a reader looks at: bounded, and plain enough for JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import zip_longest
from textwrap import dedent
from typing import Any, Dict, List, Mapping, Tuple

from tokassay.checks.verdict import Comparable, Difference, Verdict
from tokassay.verdicts.events import Finding, to_json

BEFORE, AFTER = 6, 18  # items around the first difference
ITEM, TEXT, LINES = 80, 600, 3000  # characters that are kept of an item, a text, an account
VECTORS = 5  # ids of vectors of a finding that are kept


def cut(text: str, limit: int) -> str:
    """The text, or its beginning with its length."""
    return text if len(text) <= limit else f"{text[:limit]} ... ({len(text)} characters)"


def of_verdict(verdict: Verdict) -> Dict[str, Any]:
    """The fields that have a value."""
    stage, _, account = verdict.stage.partition("\n")
    values = {
        "kind": verdict.kind,
        "suite": verdict.suite,
        "engine": verdict.engine,
        "tokenizer": verdict.tokenizer,
        "vector": verdict.vector,
        "reason": cut(verdict.reason, TEXT),
        "text": cut(verdict.text, TEXT),
        "clauses": list(verdict.clauses),
        "cause": cut(verdict.cause, TEXT),
        "code": verdict.code,
        "stage": stage,
        "account": cut(dedent(account), LINES),
        "difference": of_difference(verdict.difference) if verdict.difference else None,
    }
    return {name: value for name, value in values.items() if value}


def of_finding(finding: Finding) -> Dict[str, Any]:
    """The fields that have a value; `card` is a link only where it leads somewhere below the report."""
    values = {
        "kind": finding.kind,
        "suite": finding.suite,
        "engine": finding.engine,
        "tokenizer": finding.tokenizer,
        "count": finding.count,
        "vectors": list(finding.vectors[:VECTORS]),
        "cause": cut(finding.cause, TEXT),
        "code": finding.code,
        "stage": finding.stage,
        "characters": finding.characters,
        "text": given(finding.given),
        "account": cut(dedent(finding.account), LINES),
        "difference": of_difference(finding.difference) if finding.difference else None,
        "card": finding.card,
    }
    return {name: value for name, value in values.items() if value}


def answer_key(verdict: Verdict) -> int:
    """Equal, within one process, for verdicts of one kind with the same answers on both sides."""
    return hash(to_json(Verdict(verdict.kind, "", "", "", "", difference=verdict.difference)))


def given(values: Mapping[str, Any]) -> str:
    """The smallest input of a finding: an ASCII JSON string where it is a text, else JSON of its fields."""
    shown = values["text"] if set(values) == {"text"} else values
    return cut(json.dumps(shown), TEXT) if values else ""


def of_difference(difference: Difference) -> Dict[str, Any]:
    """Both sides around the first difference, aligned: columns of (expected, got, whether they are equal)."""
    if difference.what.startswith("sha256 ") and isinstance(difference.expected, str):  # one item, not 64
        difference = replace(difference, expected=[difference.expected], got=[difference.got])
    at = difference.first
    start = max(0, at - BEFORE)
    sides = (difference.expected, difference.got)
    windows = [_items(side, start, at + AFTER) for side in sides]
    return {
        "what": cut(difference.what, TEXT),
        "first": at,
        "form": _form(difference.expected),
        "before": start,
        "after": [max(0, len(side) - at - AFTER) for side in sides],
        "columns": aligned(*windows),
    }


def _form(value: Comparable) -> str:
    if isinstance(value, str):
        return "text"
    return "bytes" if isinstance(value, bytes) else "list"


def _items(value: Comparable, start: int, end: int) -> List[str]:
    part = value[start:end]
    if isinstance(part, str):
        return [json.dumps(char)[1:-1] for char in part]
    if isinstance(part, bytes):
        return [f"{byte:02x}" for byte in part]
    return [cut(_item(item), ITEM) for item in part]


def _item(value: object) -> str:
    is_digest = isinstance(value, str) and len(value) == 64 and not set(value) - set("0123456789abcdef")
    return str(value) if is_digest else json.dumps(value, default=str)


def aligned(expected: List[str], got: List[str]) -> List[Tuple[str, str, bool]]:
    """Items of both sides in columns, "" where one has nothing to stand beside."""
    columns: List[Tuple[str, str, bool]] = []
    matcher = SequenceMatcher(None, expected, got, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        pairs = zip_longest(expected[i1:i2], got[j1:j2], fillvalue="")
        columns.extend((a, b, tag == "equal") for a, b in pairs)
    return columns
