"""Compare two engines on a text: line by line, and the whole at once.

Every difference is made small (no character can be dropped) and shown with the first stage at which
the two engines part, the likely cause (the reference with one thing altered that answers as the second
engine does) and the characters at fault. Differences with one cause are one finding with a count.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

from tokassay import engines
from tokassay.checks.engine import EngineError, Session, UnavailableError
from tokassay.checks.judging import ask, kind_of
from tokassay.checks.verdict import Difference
from tokassay.diagnosis.characters import at_fault
from tokassay.diagnosis.explaining import Case, best
from tokassay.diagnosis.question import COLUMNS, Question
from tokassay.diagnosis.shrink import shrink
from tokassay.verdicts.exit_code import CONFORMS, DIVERGES
from tokassay.verdicts.showing import aligned, escaped
from tokassay.verdicts.stages import first_difference, stage_name

from . import SuiteError, UsageError
from ._common import HELP_TOKENIZER, decoded, find_tokenizer, load, print_json

NAME = "diff"
AGREED, SHORT = 100, 1000  # lines without a difference that a cause has to fit, and their characters
HELP = "compare two engines on a text file or stdin; first divergent stage, shrunk input"


@dataclass(frozen=True)
class Finding:
    """One difference, made small.

    `line` is where it was met first (0: only in the whole text); `no_stage` says why there is no `stage`.
    `cause` is the alteration of the reference that answers as the second engine does, `characters` the
    classes at fault.
    """

    text: str
    difference: Difference
    stage: str
    line: int
    count: int = 1
    no_stage: str = ""
    cause: str = ""
    characters: str = ""


@dataclass(frozen=True)
class Pair:
    """Two sessions on the same tokenizer."""

    a: Session
    b: Session

    def difference(self, text: str) -> Optional[Difference]:
        """How they differ on a text, compared by everything that both claim to know; None when they agree."""
        left, right = said(self.a, text), said(self.b, text)
        for name, value in left.items():
            if name in right and right[name] != value:
                return Difference(name, value, right[name])  # type: ignore[arg-type]
        return None if ("error" in left) == ("error" in right) else _outcomes(left, right)

    def stage(self, text: str) -> Tuple[str, str]:
        """The first stage at which they part, and why there is none."""
        for session in (self.a, self.b):
            if "stages" not in session.info.capabilities:
                return "", f"{session.info.name} does not show its stages"
        try:
            found = first_difference(ask(self.a.stages, text), ask(self.b.stages, text))
        except UnavailableError:
            raise
        except EngineError as error:
            return "", f"asked for its stages, an engine fails: {error.reason}"
        return found, "" if found else "every stage that both show is the same"


def _outcomes(left: Dict[str, object], right: Dict[str, object]) -> Difference:
    return Difference("outcome", *((str(side.get("error", "an answer")),) for side in (left, right)))


def said(session: Session, text: str) -> Dict[str, object]:
    """What an engine says about a text: ids, and what else it claims; or how it failed."""
    able = session.info.capabilities
    try:
        encoded = ask(session.encode, text)
        values: Dict[str, object] = {"ids": list(encoded.ids)}
        values.update(
            {name: list(ask(getattr, encoded, name)) for name in ("tokens", "offsets") if name in able}
        )
        values["decoded"] = ask(session.decode, encoded.ids)
    except UnavailableError:
        raise
    except EngineError as error:
        return {"error": f"{kind_of(error)}: {error.reason}"}
    return values


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--engine", action="append", required=True, metavar="E", help="an engine address; give two"
    )
    parser.add_argument("--tokenizer", required=True, metavar="T", help=HELP_TOKENIZER)
    parser.add_argument("--corpus", metavar="FILE", help="a UTF-8 text; without it stdin is read")
    parser.add_argument(
        "--limit", type=int, default=20, metavar="N", help="show at most N findings (all are counted)"
    )
    parser.add_argument(
        "--json", action="store_true", help="one JSON object per finding, and one with the counts"
    )


def run(args: argparse.Namespace) -> int:
    """Exit code 1 when the two engines differ, 4 when there was nothing to compare."""
    if len(args.engine) != 2:
        raise UsageError(
            f"diff compares two engines, got {len(args.engine)}", "--engine reference --engine hf"
        )
    path = str(find_tokenizer(args.tokenizer))
    pair = Pair(*(load(engines.open(address, isolate=True), path) for address in args.engine))
    content = Path(args.corpus).read_bytes() if args.corpus else sys.stdin.buffer.read()
    text = decoded(content, args.corpus or "stdin")
    if not text:
        raise SuiteError("nothing to compare: the text is empty")
    lines = text.split("\n")
    met = explained(pair, list(findings(pair, lines, text)), lines)
    _show(args, merged(met), len(lines), len(met))
    return DIVERGES if met else CONFORMS


def findings(pair: Pair, lines: List[str], whole: str) -> Iterator[Finding]:
    """Every differing line made small; the whole text only when no line differs by itself."""
    found = False
    for number, line in enumerate(lines, 1):
        if pair.difference(line) is not None:
            found = True
            yield small(pair, line, number)
    if not found and pair.difference(whole) is not None:
        yield small(pair, whole, 0)


def small(pair: Pair, text: str, line: int) -> Finding:
    """The finding behind a text on which the two differ."""
    least = shrink(text, lambda candidate: pair.difference(candidate) is not None)
    difference = pair.difference(least)
    if difference is None:
        raise SuiteError(f"an engine does not answer twice the same on {escaped(least)}")
    stage, no_stage = pair.stage(least)
    classes = at_fault(least, lambda candidate: pair.difference(candidate) is not None)
    return Finding(least, difference, stage, line, 1, no_stage, "", classes)


def explained(pair: Pair, met: List[Finding], lines: List[str]) -> List[Finding]:
    """The findings with their likely causes: alterations of the reference that answer as the second engine
    does, on the lines on which the two agree, too.
    """
    special = "add_special" in pair.b.info.capabilities
    known = [number for number, finding in enumerate(met) if finding.difference.what in COLUMNS]
    cases = [
        (Question(met[n].difference.what, met[n].text, special=special), met[n].difference.got) for n in known
    ]
    differing = {finding.line for finding in met}
    agreed = [line for number, line in enumerate(lines, 1) if number not in differing and len(line) < SHORT]
    passing = [
        (Question("ids", line, special=special), said(pair.b, line).get("ids", ()))
        for line in agreed[:AGREED]
    ]
    cases += [whole for n in known for whole in _as_met(pair, met[n], lines, special=special)]
    causes = best(pair.a.path, cases, passing, lambda: True) if cases else {}  # type: ignore[arg-type]
    told = {known[case]: cause for case, cause in causes.items() if case < len(known)}
    return [
        replace(one, cause=told[n].line, stage=one.stage or told[n].stage) if n in told else one
        for n, one in enumerate(met)
    ]


def _as_met(pair: Pair, finding: Finding, lines: List[str], *, special: bool) -> Iterator[Case]:
    """The line itself: a cause that explains no more than its smallest part is not the one."""
    line = lines[finding.line - 1] if finding.line else ""
    got: Any = said(pair.b, line).get(finding.difference.what) if 0 < len(line) < SHORT else None
    if got is not None:
        yield Question(finding.difference.what, line, special=special), got


def merged(found: List[Finding]) -> List[Finding]:
    """Findings with the same cause, else with the same small text, are one, with a count."""
    groups: Dict[Tuple[str, str], List[Finding]] = {}
    for finding in found:
        groups.setdefault((finding.cause, "" if finding.cause else finding.text), []).append(finding)
    return [
        replace(min(alike, key=lambda one: len(one.text)), line=alike[0].line, count=len(alike))
        for alike in groups.values()
    ]


def _show(args: argparse.Namespace, found: List[Finding], lines: int, differing: int) -> None:
    names = args.engine
    for finding in found[: args.limit]:
        if args.json:
            print_json(_as_json(finding, names))
        else:
            print("\n".join(_as_text(finding, names)), end="\n\n")
    counts = {
        "lines": lines,
        "differing": differing,
        "findings": len(found),
        "shown": min(len(found), args.limit),
    }
    if args.json:
        print_json(counts)
    else:
        print(", ".join(f"{count} {name}" for name, count in counts.items()))


def _as_text(finding: Finding, names: List[str]) -> List[str]:
    difference = finding.difference
    where = f"line {finding.line}" if finding.line else "the whole text"
    return [
        f"{difference.what} differ: {where}, {finding.count} time{'s' if finding.count > 1 else ''}",
        f"  text     {escaped(finding.text)}",
        *("  " + line for line in aligned(difference, (names[0], names[1]))),
        f"  stage    {finding.stage or f'not known: {finding.no_stage}'}",
        *([f"  cause    {finding.cause}"] if finding.cause else []),
        *([f"  chars    {finding.characters}"] if finding.characters else []),
    ]


def _as_json(finding: Finding, names: List[str]) -> Dict[str, object]:
    difference = finding.difference
    return {
        "line": finding.line,
        "count": finding.count,
        "text": finding.text,
        "differs": difference.what,
        "first": difference.first,
        "answers": dict(zip(names, (difference.expected, difference.got))) if names[0] != names[1] else None,
        "stage": stage_name(finding.stage),
        "cause": finding.cause or None,
        "characters": finding.characters,
        **({"no_stage": finding.no_stage} if finding.no_stage else {}),
    }
