"""Rules broken on purpose, and which probes notice: the table "mutated branch, probe, ids".

Every mutant has to be caught by at least one probe; one that is not is a hole in the suite: exit code 1.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Iterator, List, Tuple

from tokassay.mutants import Answer, Change, Outcome, areas
from tokassay.verdicts.exit_code import CONFORMS, DIVERGES

from . import UsageError
from ._common import HELP_TOKENIZER, find_tokenizer, print_json

NAME = "mutants"
HELP = "break rules on purpose and show which probes notice"
SHOWN_IDS = 6


def configure(parser: argparse.ArgumentParser) -> None:
    known = "; ".join(f"{name}: {area.HELP}" for name, area in areas().items())
    parser.add_argument("areas", nargs="*", metavar="AREA", help=f"default: every area ({known})")
    parser.add_argument("--tokenizer", metavar="T", help=f"{HELP_TOKENIZER}; default: the area's own")
    parser.add_argument("--json", action="store_true", help="one JSON object per mutant")


def run(args: argparse.Namespace) -> int:
    """Raises UsageError for an area that does not exist."""
    known = areas()
    unknown = [name for name in args.areas if name not in known]
    if unknown:
        raise UsageError(f"no area {unknown[0]!r}", f"known: {', '.join(known)}")
    missed = 0
    for name in args.areas or known:
        for outcome in known[name].outcomes(find_tokenizer(args.tokenizer or known[name].TOKENIZER)):
            missed += not outcome.caught
            if args.json:
                print_json({"area": name, "caught": outcome.caught, **asdict(outcome)})
            else:
                print("\n".join(shown(outcome)))
    return DIVERGES if missed else CONFORMS


def shown(outcome: Outcome) -> Iterator[str]:
    """The mutant's line, then one line for each probe that changes."""
    count = len(outcome.changes)
    yield f"{outcome.mutant:20} {f'{count} probes change' if count else 'NOT CAUGHT':18} {outcome.branch}"
    yield from (
        f"  {change.number:2} {_cut(json.dumps(change.probe), 30):30} {_difference(change)}"
        for change in outcome.changes
    )


def _difference(change: Change) -> str:
    if isinstance(change.expected, str) or isinstance(change.got, str):
        return _cut(f"{_ids(change.expected)} -> {_ids(change.got)}", 110)
    if change.expected == change.got:
        return f"ids as before, text {_cut(json.dumps(change.text_got), 60)}"
    first, expected, got = differing(change.expected, change.got)
    return f"at {first}: {_ids(expected)} -> {_ids(got)}"


def differing(
    expected: Tuple[int, ...], got: Tuple[int, ...]
) -> Tuple[int, Tuple[int, ...], Tuple[int, ...]]:
    """Where two lists of ids part, and what stands there until they end in the same way."""
    first = 0
    while first < min(len(expected), len(got)) and expected[first] == got[first]:
        first += 1
    last = 0
    while last < min(len(expected), len(got)) - first and expected[-1 - last] == got[-1 - last]:
        last += 1
    return first, expected[first : len(expected) - last], got[first : len(got) - last]


def _ids(answer: Answer) -> str:
    if isinstance(answer, str):
        return answer
    ids: List[str] = list(map(str, answer[:SHOWN_IDS]))
    return f"[{', '.join(ids)}{', ...' if len(answer) > SHOWN_IDS else ''}]"


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: size - 3]}..."
