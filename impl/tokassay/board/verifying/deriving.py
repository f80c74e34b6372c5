"""The statement again, from the files alone, and where the one in the folder differs from it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tokassay.device import folder as names
from tokassay.device.conditions import throttled
from tokassay.device.cores import differing
from tokassay.device.hosted import unlike_host
from tokassay.device.identity import emulation
from tokassay.device.samples import derived
from tokassay.device.statement import FAILED, PASSED, PREDICATE, TYPE, WARNED, rendered

from .evidence import Evidence
from .reading import Problem
from .sealing import sha256

HELD = ("pass", "known", "unsupported")  # verdict kinds of a test that passed
NOT_TRIED = "not-run"  # of one that is warned of
KEPT = ("engine", "tokenizer", "operation", "inputs", "cpu", "part", "short")
MOST = 20  # differences that are told


def statement(evidence: Evidence) -> Mapping[str, Any]:
    """What the files say, in the statement's form."""
    found = summary(evidence)
    inputs = {"bundle": evidence.request["bundle"], **evidence.outcome["inputs"]}
    ours = {"run": evidence.request["run"], "nonce": evidence.request["nonce"], "summary": found}
    return {
        "_type": TYPE,
        "subject": [
            {"name": name, "digest": {"sha256": sha256(evidence.files[name])}} for name in names.SUBJECTS
        ],
        "predicateType": PREDICATE,
        "predicate": {
            "result": found["result"],
            "configuration": [
                {"name": name, "digest": {"sha256": value}} for name, value in sorted(inputs.items())
            ],
            "passedTests": found["passed"],
            "warnedTests": found["warned"],
            "failedTests": found["failed"],
            "tokassay": ours,
        },
    }


def summary(evidence: Evidence) -> Mapping[str, Any]:
    """Counts, ids, tests, labels and percentiles, each from the raw lines."""
    kinds = evidence.told.kinds
    failed = {name for name, seen in kinds.items() if seen - {*HELD, NOT_TRIED}}
    warned = {name for name, seen in kinds.items() if NOT_TRIED in seen} - failed
    emulated, heat = emulated_because(evidence), throttled(evidence.conditions, evidence.series)
    code = evidence.outcome["exit_code"]
    told = (evidence.told.tally.ids(), evidence.told.answers, evidence.facts["compiled"])
    elsewhere = [*differing(evidence.facts["ids"]), *unlike_host(*told, evidence.host)]
    unlike = [f"{where}: {why}" for where, why in elsewhere]
    return {
        "result": FAILED if code or unlike else WARNED if emulated or heat else PASSED,
        "exit_code": code,
        "counts": evidence.told.tally.counts,
        "ids": told[0],
        "answers": told[1],
        "passed": sorted(kinds.keys() - failed - warned),
        "warned": sorted(warned),
        "failed": sorted(failed),
        "emulated": emulated,
        "throttled": heat,
        "differing": unlike,
        "latency": [{**{name: one[name] for name in KEPT}, **derived(one)} for one in evidence.series],
    }


def emulated_because(evidence: Evidence) -> list[str]:
    """What the runner's configuration says, and what the identity lacks."""
    told = [evidence.request["emulated"]] if evidence.request["emulated"] else []
    return [*told, *emulation(evidence.identity)]


def stated(evidence: Evidence) -> Iterator[Problem]:
    """Where the statement is not the one that the files give; in content first, then in bytes."""
    if any(not one["ns"] for one in evidence.series):
        return  # told by another check
    wanted = json.loads(rendered(statement(evidence)))
    found = [Problem(names.STATEMENT, where, reason) for where, reason in _unlike(evidence.statement, wanted)]
    yield from found[:MOST]
    if not found and rendered(wanted) != evidence.files[names.STATEMENT]:
        yield Problem(names.STATEMENT, "", "is not in the form that is signed")


def _unlike(stated: Any, wanted: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Paths at which two JSON values differ, types included."""
    if isinstance(stated, dict) and isinstance(wanted, dict):
        for name in sorted({*stated, *wanted}):
            below = f"{where}.{name}" if where else name
            if name not in stated or name not in wanted:
                yield below, "is missing" if name in wanted else "nothing in the files says so"
            else:
                yield from _unlike(stated[name], wanted[name], below)
    elif isinstance(stated, list) and isinstance(wanted, list) and len(stated) == len(wanted):
        for number, (one, other) in enumerate(zip(stated, wanted, strict=True)):
            yield from _unlike(one, other, f"{where}[{number}]")
    elif type(stated) is not type(wanted) or stated != wanted:
        yield where, f"says {_shown(stated)}; the files give {_shown(wanted)}"


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 100 else f"{text[:100]} ..."
