"""Rules broken on purpose, and which probes notice: the table "mutated branch, probe, ids".

Every mutant has to be caught by at least one probe, unless nothing can catch it; one that is not is a hole in
the suite: exit code 1.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

from tokassay.mutants import Answer, Change, Outcome, areas
from tokassay.report import mutants_page
from tokassay.verdicts.exit_code import CONFORMS, DIVERGES

from . import UsageError
from ._common import HELP_TOKENIZER, at_least, find_tokenizer, print_json, seconds

NAME = "mutants"
HELP = "break rules on purpose and show which probes notice"
SHOWN_IDS = 6
SHOWN_CHANGES = 20


def configure(parser: argparse.ArgumentParser) -> None:
    known = "; ".join(f"{name}: {area.HELP}" for name, area in areas().items())
    parser.add_argument("areas", nargs="*", metavar="AREA", help=f"default: every area ({known})")
    parser.add_argument("--tokenizer", metavar="T", help=f"{HELP_TOKENIZER}; default: the area's own")
    parser.add_argument("--first", action="store_true", help="stop at the first probe that notices a mutant")
    parser.add_argument(
        "--hunt", type=at_least(1), metavar="N", help="let fuzz targets find N mutants, drawn at random"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of --hunt (default: 1)")
    parser.add_argument(
        "--time", type=seconds, default=60.0, metavar="S", help="of --hunt, for a mutant (default: 60)"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object per mutant")
    form.add_argument("--markdown", action="store_true", help="one table per area, as in docs/mutants.md")
    form.add_argument("--html", type=Path, metavar="FILE", help="write the table as a page of its own")


def run(args: argparse.Namespace) -> int:
    """Raises UsageError for an area that does not exist."""
    known = areas()
    unknown = [name for name in args.areas if name not in known]
    if unknown:
        raise UsageError(f"no area {unknown[0]!r}", f"known: {', '.join(known)}")
    if args.hunt:
        return _hunted(args)
    found = found_in(args.areas or list(known), args.tokenizer, most=int(args.first))
    if args.html:
        found = {name: list(outcomes) for name, outcomes in found.items()}
        args.html.write_text(mutants_page.rendered(found), encoding="utf-8")
    missed = 0
    for name, outcomes in found.items():
        tried: List[Outcome] = []
        for outcome in outcomes:
            tried.append(outcome)
            if args.json:
                print_json({"area": name, "caught": outcome.caught, **asdict(outcome)})
            elif not args.markdown and not args.html:
                print("\n".join(shown(outcome)))
        if args.markdown:
            print("\n".join(mutants_page.markdown(name, tried, counted=not args.first)))
        if not args.json:
            print(mutants_page.rate(name, tried), file=sys.stderr)
        missed += len(mutants_page.missed(tried))
    return DIVERGES if missed else CONFORMS


def _hunted(args: argparse.Namespace) -> int:
    """Each mutant's own line as soon as it is found; exit code 1 where one was not."""
    from tokassay.fuzzing import hunting  # noqa: PLC0415 - nobody else has to wait for it

    chosen = hunting.drawn(args.hunt, args.seed, args.areas or None)
    hunts: List[hunting.Hunt] = []
    if args.markdown:
        print("\n".join(hunting.HEAD))
    for hunt in hunting.hunts(chosen, args.seed, args.time):
        hunts.append(hunt)
        if args.json:
            print_json(hunt.told)
        else:
            print(hunt.row if args.markdown else hunt.line, flush=True)
    print(hunting.summary(hunts), file=sys.stderr)
    return CONFORMS if all(hunt.found for hunt in hunts) else DIVERGES


def found_in(names: Sequence[str], tokenizer: Optional[str], most: int) -> Dict[str, Iterable[Outcome]]:
    """Area → its outcomes, each worked out when it is asked for."""
    known = areas()
    return {
        name: known[name].outcomes(find_tokenizer(tokenizer or known[name].TOKENIZER), most) for name in names
    }


def shown(outcome: Outcome) -> Iterator[str]:
    """The mutant's line, then one line for each probe that changes."""
    count = len(outcome.changes)
    silent = "EQUIVALENT" if outcome.equivalent else "NOT CAUGHT"
    yield f"{outcome.mutant:20} {f'{count} probes change' if count else silent:18} {outcome.branch}"
    yield from (
        f"  {change.number:2} {_cut(json.dumps(change.probe), 30):30} {_difference(change)}"
        for change in outcome.changes[:SHOWN_CHANGES]
    )
    if count > SHOWN_CHANGES:
        yield f"     and {count - SHOWN_CHANGES} more"


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
