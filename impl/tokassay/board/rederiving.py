"""Evidence is re-derived: every number, hash, signature, nonce and host key, offline.

Each check is a generator of faults; a folder with one fault is refused. What a check cannot know without a
list of the user's own (signers, known hosts, nonce) it is given in `Trust`.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tokassay import data
from tokassay.checks.verdict import Verdict
from tokassay.device import folder as names
from tokassay.device.asked import tokenizer_files
from tokassay.device.folder import read_json, read_lines, sha256_of
from tokassay.device.making import compiled
from tokassay.device.samples import OPERATIONS
from tokassay.device.statement import rendered, statement
from tokassay.verdicts import events
from tokassay.verdicts.exit_code import exit_code

from .signing import SignatureError, check

EVERY = (*names.SUBJECTS, names.STATEMENT, names.SIGNATURE)


@dataclass(frozen=True)
class Trust:
    """What the verifier knows by itself. `latency`: the folder's latency is to be claimed."""

    signers: Path
    known_hosts: Path | None = None
    nonce: str = ""
    bundle: str = ""
    latency: bool = False


@dataclass(frozen=True)
class Evidence:
    """A folder, each file read when it is first needed. Reading raises OSError, ValueError or ReportError."""

    folder: Path
    trust: Trust
    found: dict[str, str] = field(default_factory=dict)  # what a report shows of a good folder

    def read(self, name: str) -> dict[str, Any]:
        return read_json(self.folder / name)

    @cached_property
    def request(self) -> dict[str, Any]:
        return self.read(names.REQUEST)

    @cached_property
    def outcome(self) -> dict[str, Any]:
        return self.read(names.OUTCOME)

    @cached_property
    def identity(self) -> dict[str, Any]:
        return self.read(names.IDENTITY)

    @cached_property
    def stated(self) -> dict[str, Any]:
        return self.read(names.STATEMENT)

    @cached_property
    def series(self) -> list[dict[str, Any]]:
        return list(read_lines(self.folder / names.SAMPLES))

    @cached_property
    def conditions(self) -> list[dict[str, Any]]:
        return list(read_lines(self.folder / names.CONDITIONS))

    @cached_property
    def events(self) -> list[events.Event]:
        return events.read(self.folder / names.RESULTS)


Faults = Iterator[str]


def verify(folder: Path, trust: Trust) -> tuple[list[str], Mapping[str, str]]:
    """The faults of a folder, each with the name of its check, and what was found about a good one."""
    evidence = Evidence(folder, trust)
    faults: list[str] = []
    for one in CHECKS:
        name = one.__name__.strip("_")
        try:
            faults += [f"{name}: {fault}" for fault in one(evidence)]
        except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            faults.append(f"{name}: cannot be read: {type(error).__name__}: {error}")
        if faults and one is _files:
            break  # nothing else can be said about a folder with missing or foreign files
    return faults, evidence.found


def _files(evidence: Evidence) -> Faults:
    held = {path.name for path in evidence.folder.iterdir()} if evidence.folder.is_dir() else set()
    yield from (f"{name} is missing" for name in EVERY if name not in held)
    yield from (f"{name} does not belong here" for name in sorted(held - set(EVERY)))


def _subjects(evidence: Evidence) -> Faults:
    stated = {one["name"]: one["digest"]["sha256"] for one in evidence.stated["subject"]}
    if set(stated) != set(names.SUBJECTS) or len(evidence.stated["subject"]) != len(stated):
        yield f"the statement is about {sorted(stated)}"
        return
    for name, expected in stated.items():
        if sha256_of(evidence.folder / name) != expected:
            yield f"{name} is not the file that was signed"


def _derived(evidence: Evidence) -> Faults:
    """Statement and summary are what the files give, byte for byte."""
    derived = statement(evidence.folder)
    if rendered(derived) == (evidence.folder / names.STATEMENT).read_bytes():
        summary = derived["predicate"]["tokassay"]["summary"]
        evidence.found.update({"result": summary["result"], "exit code": str(summary["exit_code"])})
        for label in ("emulated", "throttled"):
            evidence.found[label] = "; ".join(summary[label]) or "no"
        return
    yield "the statement is not the one that the files give"
    stated, found = evidence.stated.get("predicate", {}), derived["predicate"]
    yield from (f"{name} differs" for name in found if stated.get(name) != found[name])


def _signature(evidence: Evidence) -> Faults:
    try:
        evidence.found["signed by"] = check(evidence.folder, evidence.trust.signers)
    except SignatureError as error:
        yield str(error)


def _run(evidence: Evidence) -> Faults:
    run, nonce = evidence.request["run"], evidence.request["nonce"]
    told = {"outcome": evidence.outcome, "controller": evidence.read(names.CONTROLLER)}
    told["statement"] = evidence.stated["predicate"]["tokassay"]
    yield from (f"the {name} is of run {one['run']}" for name, one in told.items() if one["run"] != run)
    if {evidence.outcome["nonce"], told["statement"]["nonce"], evidence.trust.nonce or nonce} != {nonce}:
        yield "the nonce is not the controller's"
    yield from (f"samples of run {one['run']}" for one in evidence.series if one["run"] != run)
    evidence.found["run"] = run


def _board_files(evidence: Evidence) -> Faults:
    """What was fetched is what the board wrote."""
    wrote = evidence.outcome["files"]
    for name in names.BOARD_FILES:
        if wrote.get(name) != sha256_of(evidence.folder / name):
            yield f"{name} is not the file that the board wrote"
    yield from (f"the outcome names {name}" for name in sorted(set(wrote) - set(names.BOARD_FILES)))


def _inputs(evidence: Evidence) -> Faults:
    asked = {"bundle": evidence.request["bundle"], **evidence.request["files"]}
    if evidence.outcome["inputs"] != asked:
        yield "the board ran other files than it was sent"
    if evidence.trust.bundle and evidence.request["bundle"] != evidence.trust.bundle:
        yield f"the bundle's sha256 is {evidence.request['bundle']}"


def _results(evidence: Evidence) -> Faults:
    """Whole, counted, and with the ids and the exit code that its verdicts give."""
    tally, footer = events.Tally(), evidence.events[-1]
    for event in evidence.events:
        tally.add(event)
    header = evidence.events[0]
    if not isinstance(footer, events.Footer) or not isinstance(header, events.Header):
        yield "the results have no header or footer"
        return
    if dict(footer.ids) != tally.ids():
        yield "the digests of the ids are not those of the verdicts"
    if not footer.exit_code == exit_code(tally) == evidence.outcome["exit_code"]:
        yield f"exit codes {footer.exit_code} and {evidence.outcome['exit_code']}, not {exit_code(tally)}"
    if evidence.outcome["reason"]:
        yield f"the run ended early: {evidence.outcome['reason']}"
    asked = set(evidence.request["suites"])
    if asked and asked != set(header.suites):
        yield "the results are of other suites than were asked for"
    ran = {str(one["name"]) for one in header.tokenizers}
    if set(evidence.request["tokenizers"]) - ran:
        yield "the results are of other tokenizers than were asked for"


def _conditions(evidence: Evidence) -> Faults:
    phases = [one["phase"] for one in evidence.conditions]
    if phases != ["before", *["during"] * (len(phases) - 2), "after"]:
        yield f"phases {phases}"
    moments = [one["monotonic_ns"] for one in evidence.conditions]
    if moments != sorted(moments):
        yield "the snapshots are not in the order of time"
    boots = {evidence.identity["boot_id"], evidence.outcome["boot_id"]}
    if len(boots | {one["boot_id"] for one in evidence.conditions}) != 1:
        yield "the board was booted in between"


def _samples(evidence: Evidence) -> Faults:
    """Raw, of the process that ran the suites, within the run, of the ids that the suites saw."""
    seen = {
        (one.engine, one.tokenizer, one.vector): one.digest
        for one in evidence.events
        if isinstance(one, Verdict) and one.digest
    }
    parts = {cpu["number"]: cpu["part"] for cpu in evidence.identity["cpus"]}
    timing = evidence.request["timing"]
    if evidence.series and timing is None:
        yield "there are samples that nobody asked for"
        return
    for one in evidence.series:
        where = f"{one['engine']} / {one['tokenizer']} / {one['operation']}"
        yield from (f"{where}: {fault}" for fault in _series(evidence, one, seen, parts, timing))


def _series(
    evidence: Evidence,
    one: Mapping[str, Any],
    seen: Mapping[tuple[str, str, str], str],
    parts: Mapping[int, str],
    timing: Mapping[str, Any],
) -> Faults:
    taken = one["ns"]
    if not taken or not all(type(sample) is int and sample > 0 for sample in taken):
        yield "samples are positive whole nanoseconds"
        return
    if one["pid"] != evidence.outcome["pid"]:
        yield "another process took the samples than ran the suites"
    if one["operation"] not in OPERATIONS or one["warmup"] != timing["warmup"]:
        yield "not what was asked for"
    if one["short"] != (len(taken) < timing["samples"]):
        yield f"{len(taken)} samples, short: {one['short']}"
    if one["cpu"] is not None and (list(one["seen"]) != [one["cpu"]] or parts.get(one["cpu"]) != one["part"]):
        yield "the processor is not the one that it was pinned to"
    if one["digest"] and seen.get((one["engine"], one["tokenizer"], one["vector"])) != one["digest"]:
        yield "the timed ids are not those of the suites"
    first, last = (evidence.conditions[end]["monotonic_ns"] for end in (0, -1))
    if not first <= one["started_ns"] or one["started_ns"] + sum(taken) > last:
        yield "the samples were not taken within the run"


def _facts(evidence: Evidence) -> Faults:
    """Device files made on the board equal those made here; ids are the same on every core."""
    facts = evidence.read(names.FACTS)
    files = tokenizer_files(data.root())
    here = compiled(files, [name for name in facts["compiled"] if name in files])
    for name, expected in here.items():
        if json.loads(json.dumps(expected)) != facts["compiled"][name]:
            yield f"the device files of {name} are others than those made here"
    ids = [json.dumps(one["ids"], sort_keys=True) for one in facts["ids"]]
    if len(set(ids)) != 1:
        yield "the ids differ from core to core"
    footer = evidence.events[-1]
    if isinstance(footer, events.Footer) and ids[:1] != [json.dumps(footer.ids, sort_keys=True)]:
        yield "the ids are not those of the results"


def _host_key(evidence: Evidence) -> Faults:
    controller = evidence.read(names.CONTROLLER)
    if controller["host"] == "local" and not controller["host_key"]:
        evidence.found["host key"] = "none: the runner was on the board itself"
        return
    evidence.found["host key"] = str(controller["host_key"])
    known = evidence.trust.known_hosts
    if known is not None and controller["host_key"] not in _fingerprints(known):
        yield f"{controller['host_key']} is in none of the lines of {known.name}"


def _fingerprints(known_hosts: Path) -> set[str]:
    told = subprocess.run(["ssh-keygen", "-lf", known_hosts], capture_output=True, check=False).stdout
    return {line.split()[1] for line in told.decode("utf-8", "replace").splitlines() if len(line.split()) > 1}


def _latency(evidence: Evidence) -> Faults:
    """Only where it is to be claimed."""
    if not evidence.trust.latency:
        return
    summary = statement(evidence.folder)["predicate"]["tokassay"]["summary"]
    for label in ("emulated", "throttled"):
        yield from (f"the run was {label}: {why}" for why in summary[label])
    if not evidence.series:
        yield "there are no samples"
    short = [one for one in evidence.series if one["short"]]
    if short:
        yield f"{len(short)} series ended before their number of samples"
    if any(one["cpu"] is None for one in evidence.series):
        yield "the process was not pinned"


CHECKS: tuple[Callable[[Evidence], Faults], ...] = (
    _files,
    _subjects,
    _derived,
    _signature,
    _run,
    _board_files,
    _inputs,
    _results,
    _conditions,
    _samples,
    _facts,
    _host_key,
    _latency,
)
