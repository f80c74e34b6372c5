"""Differential fuzzing: a target of `fuzz/` run for a time or a number of cases.

What is found is made small and stored in a folder of its own below STATE/findings; findings with one cause
are one. `--base` names findings that are known: they are counted, and only new ones fail.

Modes: `campaign` goes on until its budget is used up; `code-change` is short and meant for every change;
`batch` runs every target after the other; `prune` makes the corpus on disk as small as its coverage allows.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Dict, Iterable, List

from tokassay.checks.engine import UnavailableError
from tokassay.fuzzing import sarif
from tokassay.fuzzing.campaign import Campaign, Plan, Progress
from tokassay.fuzzing.coverage import few, plant
from tokassay.fuzzing.diagnosing import diagnosed
from tokassay.fuzzing.storing import Finding, Store, keys
from tokassay.fuzzing.target import Setting, programs
from tokassay.verdicts.exit_code import CONFORMS, DIVERGES

from . import SuiteError, UsageError
from ._common import HELP_TOKENIZER, find_tokenizer, print_json, warn

NAME = "fuzz"
HELP = "fuzz an engine against the oracle: campaigns, findings, corpus"
ALL = "all"
MODES = {"campaign": None, "code-change": 30.0, "batch": 600.0, "prune": None}


def configure(parser: argparse.ArgumentParser) -> None:
    known = "; ".join(f"{name}: {programs().help(name)}" for name in programs())
    parser.add_argument("target", metavar="TARGET", help=f"`all`, or one of {known}")
    parser.add_argument(
        "--engine", default="reference", metavar="E", help="engine address (default: reference)"
    )
    parser.add_argument(
        "--against", metavar="E", help="whose answers are right (default: hf; reference for hf itself)"
    )
    parser.add_argument(
        "--tokenizer", action="append", default=[], metavar="T", help=f"{HELP_TOKENIZER}; repeatable"
    )
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument("--time", type=float, metavar="S", help="seconds for a target")
    budget.add_argument("--count", type=int, metavar="N", help="cases for a target")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument("--resume", action="store_true", help="go on where an earlier campaign stopped")
    parser.add_argument("--mode", choices=MODES, default="campaign")
    parser.add_argument("--guided", action="store_true", help="coverage-guided, by atheris")
    parser.add_argument(
        "--state", type=Path, metavar="DIR", help="state, findings, corpus (default: .tokassay-fuzz/TARGET)"
    )
    parser.add_argument("--base", type=Path, metavar="DIR", help="findings that are known already")
    parser.add_argument("--sarif", type=Path, metavar="FILE", help="the new findings for code-scanning views")
    parser.add_argument(
        "--json", action="store_true", help="one JSON object per finding, and one with the counts"
    )


def run(args: argparse.Namespace) -> int:
    """Exit code 1 for new findings, 4 where no case was run."""
    names = list(programs()) if args.target == ALL or args.mode == "batch" else [args.target]
    if unknown := [name for name in names if name not in programs()]:
        raise UsageError(f"no fuzz target {unknown[0]!r}", f"known: {', '.join(programs())}")
    if args.workers < 1 or (args.count or 1) < 1 or (args.time or 1) <= 0:
        raise UsageError("a campaign needs at least one worker, and a budget above nothing")
    if args.mode == "prune":
        return max(_prune(name, _folder(args, name)) for name in names)
    outcomes = [_guided(args, name) if args.guided else _campaign(args, _plan(args, name)) for name in names]
    new = [finding for outcome in outcomes for finding in outcome.new]
    if args.sarif:
        args.sarif.write_text(sarif.text(new), "ascii")
    if not any(outcome.ran for outcome in outcomes):
        raise SuiteError("no case was run")
    return DIVERGES if new or any(outcome.stored for outcome in outcomes) else CONFORMS


@dataclass(frozen=True)
class Outcome:
    """What a target came to."""

    ran: int
    new: List[Finding]
    stored: int = 0  # files of bytes on which a coverage-guided run stopped, and that fail no more
    failing: int = 0  # cases on which the property did not hold


def _folder(args: argparse.Namespace, name: str) -> Path:
    if args.state is None:
        return Path(".tokassay-fuzz") / name
    several = args.target == ALL or args.mode == "batch"
    return args.state / name if several else Path(args.state)


def _setting(args: argparse.Namespace) -> Setting:
    files = tuple(str(find_tokenizer(name)) for name in args.tokenizer)
    return Setting(args.engine, args.against or ("reference" if args.engine == "hf" else "hf"), files)


def _plan(args: argparse.Namespace, name: str) -> Plan:
    seconds = args.time or (MODES[args.mode] if args.count is None else None)
    return Plan(name, _setting(args), args.seed, args.workers, seconds, args.count)


def _campaign(args: argparse.Namespace, plan: Plan) -> Outcome:
    name, store, known = plan.target, Store.open(_folder(args, plan.target)), keys(args.base)
    campaign = Campaign(plan, store, _Line(name), resume=args.resume and not plan.files)
    stopped = False
    try:
        progress = campaign.run()
    except KeyboardInterrupt:  # what was found until now is told
        progress, stopped = campaign.progress, True
    print(f"\r{name}: {progress.line}", file=sys.stderr)
    found = diagnosed(store, plan.setting)
    new = [finding for finding in found if finding.key not in known]
    _show(args, name, new, len(found) - len(new), campaign)
    if stopped:
        raise KeyboardInterrupt
    lost = campaign.progress.restarts
    return Outcome(campaign.ran or lost, new, failing=lost + sum(campaign.counts.values()))


class _Line:
    """The progress line: rewritten on a terminal, else every ten seconds."""

    def __init__(self, name: str) -> None:
        self.name, self.due, self.terminal = name, 0.0, sys.stderr.isatty()

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now < self.due:
            return
        self.due = now + (0.25 if self.terminal else 10.0)
        start, end = ("\r", "\x1b[K") if self.terminal else ("", "\n")
        print(f"{start}{self.name}: {progress.line}", end=end, file=sys.stderr, flush=True)


def _show(
    args: argparse.Namespace, name: str, new: Iterable[Finding], known: int, campaign: Campaign
) -> None:
    new = list(new)
    for finding in new:
        folder = campaign.store.place(finding)
        if args.json:
            print_json({"target": name, "folder": str(folder), **_told(finding)})
        else:
            print(f"{name}: {finding.cause or finding.found.signature}\n  tokassay replay {folder}")
    counts: Dict[str, Any] = {
        "target": name,
        "seed": args.seed,
        "execs": campaign.ran,
        "new": len(new),
        "known": known,
    }
    if args.json:
        print_json({**counts, "signatures": campaign.counts})
    else:
        print(", ".join(f"{key} {value}" for key, value in counts.items()))


def _told(finding: Finding) -> Dict[str, Any]:
    return {
        "key": finding.key,
        "cause": finding.cause,
        "signature": finding.found.signature,
        "case": finding.case,
        "expected": str(finding.found.expected),
        "got": str(finding.found.got),
    }


# -- coverage-guided -------------------------------------------------------------------------------------


def _guided(args: argparse.Namespace, name: str) -> Outcome:
    """The fuzzer in a process of its own; what it stores is made small and told as any finding."""
    folder = _folder(args, name)
    corpus, crashes = folder / "corpus", folder / "crashes"
    crashes.mkdir(parents=True, exist_ok=True)
    corpus.mkdir(exist_ok=True)
    before = set(crashes.iterdir())
    setting = _setting(args)
    words = [str(corpus), f"-artifact_prefix={crashes}/", f"-seed={args.seed}"]
    words += [f"-max_total_time={int(args.time)}"] if args.time else []
    words += [f"-runs={args.count}"] if args.count else []
    code = _atheris(programs()[name].path, words, setting)
    found = sorted(set(crashes.iterdir()) - before)
    if code not in (0, 77):
        raise UnavailableError(f"atheris ended with exit code {code}", "pip install tokassay[fuzz]")
    return _again(args, name, setting, found) if found else Outcome(1, [])


def _again(args: argparse.Namespace, name: str, setting: Setting, paths: List[Path]) -> Outcome:
    """What coverage-guided runs stored, as the cases of a campaign of its own."""
    chosen = replace(setting, tokenizers=setting.tokenizers or few())
    files = tuple(map(str, paths))
    outcome = _campaign(args, Plan(name, chosen, args.seed, count=len(files), files=files))
    for path in paths:
        print(f"{name}: tokassay replay {path} --target {name}")
    return outcome if outcome.failing else replace(outcome, ran=1, stored=len(files))


def _atheris(path: Path, words: List[str], setting: Setting) -> int:
    chosen = {
        "TOKASSAY_FUZZ_ENGINE": setting.engine,
        "TOKASSAY_FUZZ_WITNESS": setting.witness,
        "TOKASSAY_FUZZ_TOKENIZERS": os.pathsep.join(setting.tokenizers),
    }
    return subprocess.run(
        [sys.executable, str(path), *words], env={**os.environ, **chosen}, check=False
    ).returncode


def _prune(name: str, folder: Path) -> int:
    """The corpus merged into an empty folder: what adds no coverage stays out."""
    corpus, pruned = folder / "corpus", folder / "corpus.pruned"
    plant(programs()[name], corpus)
    pruned.mkdir(parents=True, exist_ok=True)
    code = _atheris(programs()[name].path, [str(pruned), str(corpus), "-merge=1", "-seeds=0"], Setting())
    before = len(list(corpus.iterdir()))
    if code or (before and not any(pruned.iterdir())):
        warn(f"atheris ended with exit code {code} and merged nothing: the corpus stays as it is")
        return DIVERGES
    for path in corpus.iterdir():
        path.unlink()
    for path in pruned.iterdir():
        path.rename(corpus / path.name)
    pruned.rmdir()
    print(f"{name}: corpus of {before} files, {len(list(corpus.iterdir()))} left")
    return CONFORMS
