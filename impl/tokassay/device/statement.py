"""The in-toto Statement over an evidence folder: a test result, its configuration, the sha256 of all files.

https://in-toto.io/attestation/test-result/v0.1. Latency has no place in that predicate: it is in the
subjects. `summary` is derived from them alone, so that anybody can derive it again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Mapping

from tokassay.checks.verdict import TRIED
from tokassay.verdicts.answers import Answers, answer_of

from . import folder as names
from .conditions import throttled
from .cores import differing
from .folder import read_json, read_lines, sha256_of
from .hosted import unlike_host
from .identity import emulation
from .samples import derived

TYPE = "https://in-toto.io/Statement/v1"
PREDICATE = "https://in-toto.io/attestation/test-result/v0.1"
NAMESPACE = "tokassay-board"  # of the SSH signature
PASSED, WARNED, FAILED = "PASSED", "WARNED", "FAILED"


def statement(folder: Path) -> Dict[str, Any]:
    """The statement about a folder that holds all of `SUBJECTS`. Raises OSError or ValueError."""
    found = summary(folder)
    request = read_json(folder / names.REQUEST)
    return {
        "_type": TYPE,
        "subject": [
            {"name": name, "digest": {"sha256": sha256_of(folder / name)}} for name in names.SUBJECTS
        ],
        "predicateType": PREDICATE,
        "predicate": {
            "result": found["result"],
            "configuration": _configuration(request, read_json(folder / names.OUTCOME)),
            "passedTests": found["passed"],
            "warnedTests": found["warned"],
            "failedTests": found["failed"],
            "tokassay": {"run": request["run"], "nonce": request["nonce"], "summary": found},
        },
    }


def rendered(statement: Mapping[str, Any]) -> bytes:
    """The bytes that are signed."""
    return json.dumps(statement, sort_keys=True, separators=(",", ":")).encode("ascii") + b"\n"


def _configuration(request: Mapping[str, Any], outcome: Mapping[str, Any]) -> List[Dict[str, Any]]:
    """Resource descriptors of what ran: the bundle and the files beside the engines."""
    inputs = {"bundle": request["bundle"], **outcome["inputs"]}
    return [{"name": name, "digest": {"sha256": value}} for name, value in sorted(inputs.items())]


def summary(folder: Path) -> Dict[str, Any]:
    """Everything that is derived: verdicts, ids, labels, percentiles. Raises OSError or ValueError."""
    request, identity = read_json(folder / names.REQUEST), read_json(folder / names.IDENTITY)
    series = list(read_lines(folder / names.SAMPLES))
    counts, ids, answers, tests = _results(folder)
    facts, host = read_json(folder / names.FACTS), read_json(folder / names.HOST)
    emulated = [request["emulated"]] if request["emulated"] else []
    emulated += emulation(identity)
    heat = throttled(list(read_lines(folder / names.CONDITIONS)), series)
    code = read_json(folder / names.OUTCOME)["exit_code"]
    elsewhere = [*differing(facts["ids"]), *unlike_host(ids, answers, facts["compiled"], host)]
    unlike = [f"{where}: {why}" for where, why in elsewhere]
    return {
        "result": FAILED if code or unlike else WARNED if emulated or heat else PASSED,
        "exit_code": code,
        "counts": counts,
        "ids": ids,
        "answers": answers,
        **tests,
        "emulated": emulated,
        "throttled": heat,
        "differing": unlike,
        "latency": [_latency(one) for one in series],
    }


def _latency(series: Mapping[str, Any]) -> Dict[str, Any]:
    kept = ("engine", "tokenizer", "operation", "inputs", "cpu", "part", "short")
    return {**{name: series[name] for name in kept}, **derived(series)}


def _results(folder: Path) -> Any:
    """Counts and ids of the footer, sums of answers, names ``engine/tokenizer/suite`` by how they ended."""
    counts: Dict[str, int] = {}
    ids: Dict[str, Any] = {}
    ended: Dict[str, int] = {}
    answers = Answers()
    for event in read_lines(folder / names.RESULTS):
        if event["event"] == "verdict":
            name = "/".join((event["engine"], event["tokenizer"], event["suite"]))
            ended[name] = max(ended.get(name, 0), badness(event["kind"]))
            if event["kind"] in TRIED:
                answers.put((event["engine"], event["tokenizer"], event["suite"]), answer_of(event))
        elif event["event"] == "footer":
            counts, ids = event["counts"], event.get("ids", {})
    return (
        counts,
        ids,
        answers.sums(),
        {
            list_name: sorted(name for name, bad in ended.items() if bad == number)
            for number, list_name in enumerate(("passed", "warned", "failed"))
        },
    )


def badness(kind: str) -> int:
    """Of a verdict: 0 held, 1 not tried (a real template that is not on the board), 2 failed."""
    return 1 if kind == "not-run" else 0 if kind in ("pass", "known", "unsupported") else 2
