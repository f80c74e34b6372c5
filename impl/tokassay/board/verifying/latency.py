"""The samples: taken by the process and in the run of the ids, in one order of time; what may be claimed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from tokassay.checks import determinism
from tokassay.checks.vector import INLINE
from tokassay.checks.verdict import Verdict
from tokassay.device import folder as names
from tokassay.device.conditions import throttled
from tokassay.device.request import COLD_SAMPLES
from tokassay.device.request import SAMPLES as LEAST
from tokassay.device.samples import COLD, DIFFERENT, FRESH, OPERATIONS, SAME
from tokassay.device.timing import SAME_EACH_TIME

from .deriving import emulated_because
from .evidence import Evidence, Json
from .reading import Problem

Problems = Iterator[Problem]
Key = tuple[str, str, str]
ANSWERING = ("encode-short", "encode-long", "decode", *(f"cold-{name}" for name in COLD))
LOSING = ("cold-mtok", "cold-vocab.bin")  # such a file may not hold all that the ids of the results need
LONGEST_GAP = 60.0  # seconds without a snapshot, after which nothing is known of the conditions


def series(evidence: Evidence) -> Problems:
    """Each series by itself."""
    timing, parts = evidence.request["timing"], _parts(evidence)
    seen = {
        (event.engine, event.tokenizer, event.vector): event
        for event in evidence.events
        if isinstance(event, Verdict) and event.suite == determinism.SUITE
    }
    for number, one in enumerate(evidence.series):
        found = _untimely(one, timing) if timing else iter([("", "nobody asked for samples")])
        given = _repeated(one, evidence.transcript)
        for field, reason in (*found, *given, *_elsewhere(one, parts), *_of_other_ids(evidence, one, seen)):
            yield Problem(names.SAMPLES, f"[{number}].{field}" if field else f"[{number}]", reason)


def _parts(evidence: Evidence) -> Mapping[int, str]:
    return {cpu["number"]: cpu["part"] for cpu in evidence.identity["cpus"]}


def _untimely(one: Json, timing: Json) -> Iterator[tuple[str, str]]:
    taken = one["ns"]
    if not taken:
        yield "ns", "no sample"
        return
    if min(taken) == 0:
        yield "ns", "a call that took no time"
    if one["operation"] not in OPERATIONS:
        yield "operation", f"is none of {', '.join(OPERATIONS)}"
    fresh = one["inputs"] == FRESH
    warmup, wanted = (0, timing["cold"]) if fresh else (timing["warmup"], timing["samples"])
    if one["warmup"] != warmup:
        yield "warmup", f"is {one['warmup']}; the request asks for {warmup}"
    if one["short"] != (len(taken) < wanted):
        yield "short", f"is {str(one['short']).lower()} with {len(taken)} of {wanted} samples"


def _repeated(one: Json, transcript: str) -> Iterator[tuple[str, str]]:
    """What the calls were given is what belongs to the operation, or the transcript says why not."""
    operation = one["operation"]
    alone = operation == "start" or operation.startswith("cold-")
    wanted = FRESH if alone else SAME if operation == "load" else DIFFERENT
    case = f"{one['engine']} / {one['tokenizer']} / {operation}"
    excused = one["inputs"] == SAME and f"{SAME_EACH_TIME}: {case}: " in transcript
    if one["inputs"] != wanted and not excused:
        yield "inputs", f"is {one['inputs']}, not {wanted}"


def _elsewhere(one: Json, parts: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    if one["cpu"] is None:
        return
    if one["seen"] != [one["cpu"]]:
        yield "seen", f"is {one['seen']}; it was pinned to {one['cpu']}"
    if parts.get(one["cpu"]) != one["part"]:
        yield "part", f"{one['part']} is not that of processor {one['cpu']}"


def _of_other_ids(evidence: Evidence, one: Json, seen: Mapping[Key, Verdict]) -> Iterator[tuple[str, str]]:
    """The ids that were timed are those that the determinism suite saw."""
    header = evidence.header
    if one["engine"] not in {known["name"] for known in header.engines}:
        yield "engine", f"{one['engine']} is not in the results"
    if one["tokenizer"] not in {known["name"] for known in header.tokenizers}:
        yield "tokenizer", f"{one['tokenizer']} is not in the results"
    if not one["digest"]:
        if one["operation"] in ANSWERING:
            yield "digest", "is empty: nothing ties the times to ids"
        return
    verdict = seen.get((one["engine"], one["tokenizer"], one["vector"]))
    if verdict is None and determinism.SUITE in header.suites:
        yield "vector", f"{one['vector']} is not in the results"
    elif verdict is None or one["operation"] in LOSING:
        return
    elif verdict.digest not in ("", one["digest"]):
        yield "digest", "is not that of the results: ids and timings of different runs"


def order(evidence: Evidence) -> Problems:
    """One series after the other, all between the first snapshot and the last."""
    if not evidence.conditions:
        return
    before, end = (evidence.conditions[at]["monotonic_ns"] for at in (0, -1))
    for number, one in enumerate(evidence.series):
        if one["started_ns"] < before:
            reason = "is earlier than the series before has ended" if number else "is before the run"
            yield Problem(names.SAMPLES, f"[{number}].started_ns", reason)
        before = one["started_ns"] + sum(one["ns"])
        if before > end:
            yield Problem(names.SAMPLES, f"[{number}].ns", "go on after the run has ended")


def cores(evidence: Evidence) -> Problems:
    """One core after the other, in the order in which the suites ran on them."""
    told = [core for core, _ in groupby((one["part"], one["cpu"]) for one in evidence.series)]
    ran = [(core["part"], core["cpu"]) for core in evidence.facts["ids"]]
    if told != [core for core in ran if core in told]:
        yield Problem(names.SAMPLES, "cpu", "the cores do not come one after the other, as in the facts")


def complete(evidence: Evidence) -> Problems:
    """Every core has the same series, every engine and tokenizer has some; or the transcript says why not."""
    if evidence.request["timing"] is None:
        return
    cores = [(core["part"], core["cpu"]) for core in evidence.facts["ids"]]
    found: dict[tuple[Any, ...], set[Key]] = {core: set() for core in cores}
    timed, started = evidence.request["timed"], evidence.request["cold_starts"]
    for number, one in enumerate(evidence.series):
        chosen = started if one["operation"].startswith("cold-") else timed
        if chosen and one["tokenizer"] not in chosen:
            yield Problem(names.SAMPLES, f"[{number}].tokenizer", f"{one['tokenizer']} is not to be timed")
        core, key = (one["part"], one["cpu"]), (one["engine"], one["tokenizer"], one["operation"])
        if core not in found:
            yield Problem(names.SAMPLES, f"[{number}].cpu", "is none of those that the suites ran on")
        elif key in found[core]:
            yield Problem(names.SAMPLES, f"[{number}]", f"{' / '.join(key)} stands there twice")
        found.setdefault(core, set()).add(key)
    wanted = set().union(*found.values()) | _loads(evidence)
    for (part, cpu), keys in found.items():
        for engine, tokenizer, operation in sorted(wanted - keys):
            if f"no samples: {engine} / {tokenizer}: " not in evidence.transcript:
                what = f"{engine} / {tokenizer} / {operation}"
                yield Problem(
                    names.SAMPLES, "", f"{what} on processor {cpu} ({part or 'unknown'}) is missing"
                )


def _loads(evidence: Evidence) -> set[Key]:
    header = evidence.header
    named = {str(one["name"]) for one in header.tokenizers if one["name"] != INLINE}
    named &= set(evidence.request["timed"]) or named
    return {(str(engine["name"]), name, "load") for engine in header.engines for name in named}


def unclaimable(evidence: Evidence) -> Iterator[Problem]:
    """Why latency cannot be claimed from this run, even where the folder holds."""
    emulated = emulated_because(evidence)
    yield from (Problem(names.IDENTITY, "", f"the run was emulated: {why}") for why in emulated)
    heat = throttled(evidence.conditions, evidence.series)
    yield from (Problem(names.CONDITIONS, "", f"the run was throttled: {why}") for why in heat)
    if not evidence.series:
        yield Problem(names.SAMPLES, "", "there are no samples")
    for number, one in enumerate(evidence.series):
        least = COLD_SAMPLES if one["inputs"] == FRESH else LEAST
        if len(one["ns"]) < least:
            yield Problem(names.SAMPLES, f"[{number}].ns", f"{len(one['ns'])} samples, fewer than {least}")
        if one["inputs"] == SAME and one["operation"] != "load":
            yield Problem(
                names.SAMPLES, f"[{number}].inputs", "the same input each time: it may be remembered"
            )
        if one["cpu"] is None:
            yield Problem(names.SAMPLES, f"[{number}].cpu", "the process was not pinned")
    if not any(one["policies"] for one in evidence.conditions):
        yield Problem(names.CONDITIONS, "policies", "nothing is known of clock frequencies")
    moments = [one["monotonic_ns"] / 1e9 for one in evidence.conditions]
    for number, (earlier, later) in enumerate(zip(moments, moments[1:], strict=False), 1):
        if later - earlier > LONGEST_GAP:
            reason = f"nothing is known of the {later - earlier:.0f} s before"
            yield Problem(names.CONDITIONS, f"[{number}]", reason)
