"""A failed verdict in words: the input escaped, the answers aligned around their first difference."""

from __future__ import annotations

import json
from typing import List, Sequence, Tuple

from tokassay.checks.verdict import Comparable, Difference, Verdict

from .clauses import sentence
from .events import Finding

WINDOW = 6  # items shown on each side of the first difference
TEXT_WINDOW = 40  # characters, for texts
TEXT_SHOWN = 160  # characters of the input


def escaped(text: str, limit: int = TEXT_SHOWN) -> str:
    """The text as an ASCII JSON string; a long one is cut and its length told."""
    if len(text) <= limit:
        return json.dumps(text)
    return f"{json.dumps(text[:limit])} ... ({len(text)} characters)"


def _items(value: Comparable, start: int, end: int) -> List[str]:
    part = value[start:end]
    if isinstance(part, str):
        return [json.dumps(part)]
    if isinstance(part, bytes):
        return [part.hex(" ")]
    return [json.dumps(item, default=str) for item in part]


def _columns(rows: Sequence[List[str]]) -> List[List[str]]:
    width = max(len(row) for row in rows)
    filled = [row + [""] * (width - len(row)) for row in rows]
    sizes = [max(len(row[i]) for row in filled) for i in range(width)]
    return [[item.rjust(size) for item, size in zip(row, sizes)] for row in filled]


def aligned(difference: Difference, names: Tuple[str, str] = ("expected", "got")) -> List[str]:
    """A line for each side, column under column; for sequences a third points at the difference."""
    at, sides = difference.first, (difference.expected, difference.got)
    textual = isinstance(difference.expected, (str, bytes))
    start, end = _window(at, TEXT_WINDOW if textual else WINDOW)
    rows = [_items(side, start, end) for side in sides]
    columns = rows if textual else _columns(rows)
    before = f"[{start} before] " if start else ""
    width = max(len(name) for name in names) + 1
    lines = [
        f"{name.ljust(width)}{before}{' '.join(row).rstrip()}{_left(side, end)}".rstrip()
        for name, row, side in zip(names, columns, sides)
    ]
    return lines if textual else [*lines, _pointer(columns, at - start, width + len(before))]


def _window(at: int, size: int) -> Tuple[int, int]:
    return max(0, at - size), at + size + 1


def _left(value: Comparable, end: int) -> str:
    return f" [{len(value) - end} more]" if len(value) > end else ""


def _pointer(columns: Sequence[List[str]], at: int, indent: int) -> str:
    row = columns[0]
    return " " * (indent + sum(len(item) + 1 for item in row[:at])) + "^" * max(
        1, len(row[at]) if at < len(row) else 1
    )


def explained(verdict: Verdict) -> List[str]:
    """Everything that a reader needs to see about a verdict that is not a pass, line by line."""
    lines = [f"{verdict.kind}: {verdict.engine} / {verdict.tokenizer} / {verdict.suite} / {verdict.vector}"]
    for clause in verdict.clauses:
        said = sentence(clause)
        lines.append(f"  clause   {clause}: {said}" if said else f"  clause   {clause}")
    if verdict.text:
        lines.append(f"  text     {verdict.text}")
    if verdict.reason:
        lines.append(f"  reason   {verdict.reason}")
    if verdict.difference is not None:
        lines.append(f"  differs  {verdict.difference.what}, first at {verdict.difference.first}")
        lines.extend("  " + line for line in aligned(verdict.difference))
    if verdict.stage:
        lines.append(f"  stage    {verdict.stage}")
    return lines


def found(findings: Sequence[Finding], limit: int) -> List[str]:
    """The findings of a run, each followed by an empty line; the ones with the most verdicts first."""
    lines: List[str] = []
    for finding in sorted(findings, key=lambda finding: -finding.count)[:limit]:
        lines += [*_finding(finding), ""]
    if len(findings) > limit:
        lines += [
            f"{len(findings) - limit} more findings (--failures N shows more, --report DIR keeps all)",
            "",
        ]
    return lines


def _finding(finding: Finding) -> List[str]:
    where = f"{finding.engine} / {finding.tokenizer} / {finding.suite}"
    lines = [f"finding: {where}: {finding.count} {finding.kind}: {finding.cause}"]
    if finding.stage:
        lines.append(f"  stage    {finding.stage}")
    if finding.characters:
        lines.append(f"  chars    {finding.characters}")
    if "text" in finding.given:
        lines.append(f"  smallest {escaped(str(finding.given['text']))}")
        if "pair" in finding.given:
            lines.append(f"  pair     {escaped(str(finding.given['pair']))}")
    elif "bytes_hex" in finding.given:
        lines.append(f"  smallest bytes {finding.given['bytes_hex']}")
    elif "ids" in finding.given:
        lines.append(f"  smallest ids {finding.given['ids']}")
    if finding.difference is not None:
        lines.extend("  " + line for line in aligned(finding.difference))
    if finding.card:
        lines.append(f"  card     {finding.card}")
    return lines
