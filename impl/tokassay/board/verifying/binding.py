"""Do the files belong together: one run, one boot, one process, one order of time?"""

from __future__ import annotations

import calendar
import re
import time
from collections.abc import Iterator, Mapping
from typing import Any

from tokassay.checks.verdict import Verdict
from tokassay.device import folder as names
from tokassay.device.identity import PARTS
from tokassay.verdicts.exit_code import exit_code

from .evidence import Evidence
from .reading import Problem

NAME = re.compile(r"[A-Za-z0-9_+][A-Za-z0-9._+-]*")
SHA256 = re.compile(r"[0-9a-f]{64}")
ISO = "%Y-%m-%dT%H:%M:%SZ"
PHASES = ("before", "during", "after")
SLACK = 2.0  # seconds by which two readings of a clock of whole seconds may be apart
#: Field of the identity → its name in ``missing`` where it is null or empty.
NAMED = ("model", "compatible", "cpus", "memory_kib", "boot_id")
Problems = Iterator[Problem]


def run(evidence: Evidence) -> Problems:
    """Everything is of the run that was asked for."""
    wanted, nonce = evidence.request["run"], evidence.request["nonce"]
    if not NAME.fullmatch(wanted):
        yield Problem(names.REQUEST, "run", f"{wanted!r} is no file name")
    if not nonce:
        yield Problem(names.REQUEST, "nonce", "is empty")
    for file, told in ((names.OUTCOME, evidence.outcome), (names.CONTROLLER, evidence.controller)):
        if told["run"] != wanted:
            yield Problem(file, "run", f"is {told['run']!r}; the request is of {wanted!r}")
    if evidence.outcome["nonce"] != nonce:
        yield Problem(names.OUTCOME, "nonce", "is not the one of the request")
    for number, one in enumerate(evidence.series):
        if one["run"] != wanted:
            yield Problem(
                names.SAMPLES, f"[{number}].run", f"is {one['run']!r}; ids and timings of different runs"
            )
        if one["pid"] != evidence.outcome["pid"]:
            reason = f"is {one['pid']}; process {evidence.outcome['pid']} ran the suites"
            yield Problem(names.SAMPLES, f"[{number}].pid", reason)


def boot(evidence: Evidence) -> Problems:
    """One boot of one kernel."""
    wanted = evidence.identity["boot_id"] or ""
    if evidence.outcome["boot_id"] != wanted:
        yield Problem(names.OUTCOME, "boot_id", "is not the one of the identity: booted in between")
    for number, one in enumerate(evidence.conditions):
        if (one["boot_id"] or "") != wanted:
            yield Problem(names.CONDITIONS, f"[{number}].boot_id", "is not the one of the identity")


def inputs(evidence: Evidence) -> Problems:
    """The board ran what it was sent."""
    wanted = {"bundle": evidence.request["bundle"], **evidence.request["files"]}
    for name in sorted({*wanted, *evidence.outcome["inputs"]}):
        if not NAME.fullmatch(name):
            yield Problem(names.REQUEST, f"files.{name}", "is no file name")
        asked, ran = wanted.get(name, ""), evidence.outcome["inputs"].get(name, "")
        if not SHA256.fullmatch(asked):
            yield Problem(names.REQUEST, "bundle" if name == "bundle" else f"files.{name}", "is no sha256")
        elif asked != ran:
            yield Problem(
                names.OUTCOME, f"inputs.{name}", f"is {ran or 'missing'}; the request asks for {asked}"
            )


def identity(evidence: Evidence) -> Problems:
    """What is null is named as missing and nothing else is; parts and midr agree."""
    found, told = evidence.identity, set(evidence.identity["missing"])
    lacks = {name for name in NAMED if not found[name]}
    cpus = found["cpus"]
    lacks |= {"cpu_implementer"} if cpus and not all(cpu["implementer"] for cpu in cpus) else set()
    lacks |= {"midr"} if cpus and all(cpu["midr"] is None for cpu in cpus) else set()
    for name in sorted(lacks - told):
        yield Problem(names.IDENTITY, f"missing.{name}", "is not told, and the field is empty")
    for name in sorted(told - lacks):
        yield Problem(names.IDENTITY, f"missing.{name}", "is told, and the field is not empty")
    numbers = [cpu["number"] for cpu in cpus]
    if len(set(numbers)) != len(numbers):
        yield Problem(names.IDENTITY, "cpus", "a processor stands there twice")
    for number, cpu in enumerate(cpus):
        if cpu["midr"] is not None and not _agrees(cpu):
            reason = f"{cpu['midr']} is not of part {cpu['part']} by {cpu['implementer']}"
            yield Problem(names.IDENTITY, f"cpus[{number}].midr", reason)


def _agrees(cpu: Mapping[str, Any]) -> bool:
    """Bits 31 to 24 of midr are the implementer, bits 15 to 4 the part."""
    try:
        midr = int(cpu["midr"], 16)
        return midr >> 24 & 0xFF == int(cpu["implementer"], 16) and midr >> 4 & 0xFFF == int(cpu["part"], 16)
    except ValueError:
        return False


def results(evidence: Evidence) -> Problems:
    """Ids and exit code are those of the verdicts; what ran is what was asked for."""
    tally, footer, outcome = evidence.told.tally, evidence.footer, evidence.outcome
    if dict(footer.ids) != tally.ids():
        yield Problem(names.RESULTS, "footer.ids", "are not the sha256 of the ids of the verdicts")
    if footer.exit_code != exit_code(tally):
        reason = f"is {footer.exit_code}; the verdicts give {exit_code(tally)}"
        yield Problem(names.RESULTS, "footer.exit_code", reason)
    if outcome["reason"]:
        yield Problem(names.OUTCOME, "reason", f"the run ended early: {outcome['reason']}")
    elif outcome["exit_code"] != footer.exit_code:
        yield Problem(names.OUTCOME, "exit_code", f"is not {footer.exit_code}, as the results have it")
    yield from _cases(evidence)
    yield from _asked(evidence)


def _cases(evidence: Evidence) -> Problems:
    """Every case once, and of what the header names."""
    header, seen = evidence.header, set[tuple[str, ...]]()
    engines = {one["name"] for one in header.engines}
    tokenizers = {one["name"] for one in header.tokenizers}
    for number, event in enumerate(evidence.events):
        if not isinstance(event, Verdict):
            continue
        case = (event.engine, event.tokenizer, event.suite, event.vector)
        if case in seen:
            yield Problem(names.RESULTS, f"[{number}]", f"{' / '.join(case)} stands there twice")
        seen.add(case)
        if not (event.engine in engines and event.tokenizer in tokenizers and event.suite in header.suites):
            yield Problem(names.RESULTS, f"[{number}]", f"{' / '.join(case)} is of nothing in the header")


def _asked(evidence: Evidence) -> Problems:
    header, request = evidence.header, evidence.request
    ran = {
        "suites": set(header.suites),
        "tokenizers": {one["name"] for one in header.tokenizers},
        "levels": set(header.levels),
    }
    for name, found in ran.items():
        if request[name] and set(request[name]) != found:
            reason = f"{sorted(found)} are not those of the request, {sorted(request[name])}"
            yield Problem(names.RESULTS, f"header.{name}", reason)
    if header.tokassay != request["tokassay"]:
        yield Problem(names.RESULTS, "header.tokassay", f"is {header.tokassay}, not {request['tokassay']}")
    if header.python != evidence.identity["python"].split()[0]:
        yield Problem(names.RESULTS, "header.python", "is not the one of the identity")
    if f"-{evidence.identity['machine']}" not in header.platform:
        yield Problem(names.RESULTS, "header.platform", "is not of the identity's machine")


def memory(evidence: Evidence) -> Problems:
    """What run and engines held at a time is no less than either, and no more than both."""
    own, engines, both = (evidence.outcome[name] for name in ("peak_kib", "children_kib", "together_kib"))
    if not max(own, engines) <= both <= own + engines:
        reason = f"is {both}; the run alone held {own} at most, its engines {engines}"
        yield Problem(names.OUTCOME, "together_kib", reason)


def facts(evidence: Evidence) -> Problems:
    """The ids of the first core are those of the results."""
    cores = evidence.facts["ids"]
    if not cores:
        yield Problem(names.FACTS, "ids", "of no core")
    elif cores[0]["ids"] != dict(evidence.footer.ids):
        yield Problem(names.FACTS, "ids[0].ids", "are not those of the results")
    kinds = [core["part"] for core in cores]
    if [part for part in kinds if part in PARTS] != [part for part in PARTS if part in kinds]:
        yield Problem(names.FACTS, "ids", "the kinds of cores are not in the order in which they run")
    parts = {cpu["number"]: cpu["part"] for cpu in evidence.identity["cpus"]}
    for number, core in enumerate(cores):
        if core["cpu"] is not None and parts.get(core["cpu"]) != core["part"]:
            yield Problem(names.FACTS, f"ids[{number}].part", f"is not that of processor {core['cpu']}")


def phases(evidence: Evidence) -> Problems:
    """Before, during, after; by a clock that does not go back."""
    found = [one["phase"] for one in evidence.conditions]
    wanted = [PHASES[0], *[PHASES[1]] * max(1, len(found) - 2), PHASES[2]]
    if found != wanted:
        yield Problem(names.CONDITIONS, "phase", "not one before, some during, one after")
    before = 0
    for number, one in enumerate(evidence.conditions):
        if one["monotonic_ns"] < before:
            yield Problem(names.CONDITIONS, f"[{number}].monotonic_ns", "is earlier than the one before")
        before = one["monotonic_ns"]


def clocks(evidence: Evidence) -> Problems:
    """The board's date and its steady clock go together; both lie within the run."""
    outcome, moments = evidence.outcome, list(_moments(evidence))
    stamps: list[tuple[str, str, float]] = []
    for file, field, text in moments:
        seconds = seconds_of(text)
        if seconds is None:
            yield Problem(file, field, f"{text!r} is no UTC in ISO 8601")
            return
        stamps.append((file, field, seconds))
    for (_, _, before), (file, field, after) in zip(stamps, stamps[1:], strict=False):
        if after < before:
            yield Problem(file, field, "is earlier than what happened before: the board's date was set back")
    passed = stamps[-1][2] - stamps[0][2]
    if abs(passed - outcome["seconds"]) > SLACK:
        reason = f"{passed:g} s after the start by date, {outcome['seconds']:g} s by the steady clock"
        yield Problem(names.OUTCOME, "finished", reason)
    yield from _steady(evidence)
    yield from _of_results(evidence, stamps[0][2], stamps[-1][2])


def _of_results(evidence: Evidence, first: float, last: float) -> Problems:
    began = seconds_of(evidence.header.started)
    if began is None or not first <= began <= last:
        yield Problem(names.RESULTS, "header.started", "is not within the run: results of another one")
    if evidence.footer.seconds > evidence.outcome["seconds"] + SLACK:
        yield Problem(names.RESULTS, "footer.seconds", "is more than the run took")


def _steady(evidence: Evidence) -> Problems:
    if not evidence.conditions:
        return
    first = evidence.conditions[0]
    for number, one in enumerate(evidence.conditions):
        date = (seconds_of(one["utc"]) or 0) - (seconds_of(first["utc"]) or 0)
        steady = (one["monotonic_ns"] - first["monotonic_ns"]) / 1e9
        if abs(date - steady) > SLACK:
            reason = f"{date:g} s after the first by date, {steady:.3f} s by the steady clock"
            yield Problem(names.CONDITIONS, f"[{number}].utc", reason)
    if steady > evidence.outcome["seconds"] + 0.01:
        yield Problem(names.OUTCOME, "seconds", f"the conditions alone took {steady:.3f} s")


def _moments(evidence: Evidence) -> Iterator[tuple[str, str, str]]:
    """The board's dates in the order in which they were read."""
    yield names.OUTCOME, "started", evidence.outcome["started"]
    yield names.IDENTITY, "utc", evidence.identity["utc"]
    for number, one in enumerate(evidence.conditions):
        yield names.CONDITIONS, f"[{number}].utc", one["utc"]
    yield names.OUTCOME, "finished", evidence.outcome["finished"]


def controller(evidence: Evidence) -> Problems:
    """The controller's own dates."""
    asked, fetched = (
        seconds_of(text) for text in (evidence.request["created"], evidence.controller["fetched"])
    )
    if asked is None:
        yield Problem(names.REQUEST, "created", "is no UTC in ISO 8601")
    if fetched is None:
        yield Problem(names.CONTROLLER, "fetched", "is no UTC in ISO 8601")
    if asked is not None and fetched is not None and fetched < asked:
        yield Problem(names.CONTROLLER, "fetched", "is earlier than the request")


def seconds_of(text: str) -> float | None:
    """Since 1970; None for what is no UTC of ISO 8601 in whole seconds."""
    try:
        found = calendar.timegm(time.strptime(text, ISO))
    except ValueError:
        return None
    return float(found) if time.strftime(ISO, time.gmtime(found)) == text else None
