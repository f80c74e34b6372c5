"""Tampering by someone who holds the key and makes hashes, statement and signature anew (`Changed.seal`).

What contradicts the rest of the folder is caught; the changes are listed by hand, each with the place that
has to be named.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokassay.board.verifying import Trust, verified
from tokassay.device import folder as names

Copied = Callable[[Path], Any]


def series(number: int, **fields: Any) -> Callable[[Any], None]:
    return lambda changed: changed.lines(names.SAMPLES, lambda rows: rows[number].update(fields))


def snapshot(number: int, **fields: Any) -> Callable[[Any], None]:
    return lambda changed: changed.lines(names.CONDITIONS, lambda rows: rows[number].update(fields))


def field(name: str, /, **fields: Any) -> Callable[[Any], None]:
    return lambda changed: changed.json(name, lambda value: value.update(fields))


def event(kind: str, /, **fields: Any) -> Callable[[Any], None]:
    """Fields of the last event of a kind."""

    def change(rows: list[Any]) -> None:
        [row for row in rows if row["event"] == kind][-1].update(fields)

    return lambda changed: changed.lines(names.RESULTS, change)


def without_sample(changed: Any) -> None:
    changed.lines(names.SAMPLES, lambda rows: rows[0].update(ns=rows[0]["ns"][:-1]))


def a_failure_hidden(changed: Any) -> None:
    """The last verdict is gone, and the footer counts one less; the ids still know of it."""

    def change(rows: list[Any]) -> None:
        last = max(number for number, row in enumerate(rows) if row.get("digest"))
        rows.pop(last)
        rows[-1]["counts"]["pass"] -= 1

    changed.lines(names.RESULTS, change)


def a_failure_made_a_pass(changed: Any) -> None:
    changed.lines(names.RESULTS, lambda rows: next(r for r in rows if "digest" in r).pop("digest") and None)


def all_ids_of_a_core(changed: Any) -> None:
    changed.json(names.FACTS, lambda value: value["ids"][0]["ids"]["reference"].update(gpt2="0" * 64))


def no_midr_told(changed: Any) -> None:
    def change(value: Any) -> None:
        for cpu in value["cpus"]:
            cpu["midr"] = None

    changed.json(names.IDENTITY, change)


def another_part(changed: Any) -> None:
    changed.json(names.IDENTITY, lambda value: value["cpus"][7].update(part="0xd05"))


def times_of(number: int, factor: float) -> Callable[[Any], None]:
    def change(rows: list[Any]) -> None:
        rows[number]["ns"] = [int(one * factor) for one in rows[number]["ns"]]

    return lambda changed: changed.lines(names.SAMPLES, change)


def cores_swapped(changed: Any) -> None:
    """The little core's times told as the big one's, and the other way round."""

    def change(rows: list[Any]) -> None:
        big, little = ({key: rows[at][key] for key in ("part", "cpu", "seen")} for at in (0, -1))
        for row in rows:
            row.update(little if row["part"] == big["part"] else big)

    changed.lines(names.SAMPLES, change)


def cores_swapped_everywhere(changed: Any) -> None:
    cores_swapped(changed)
    changed.json(names.FACTS, lambda facts: facts["ids"].reverse())


def a_core_twice(changed: Any) -> None:
    changed.json(names.FACTS, lambda facts: facts["ids"].append(facts["ids"][0]))


#: Change → what has to be named. Hashes, statement and signature are made anew after it, by the right key.
SEALED: dict[str, tuple[Callable[[Any], None], str]] = {
    "samples of another run": (series(3, run="other-1"), "samples.jsonl: [3].run"),
    "samples of another process": (series(3, pid=1), "samples.jsonl: [3].pid"),
    "samples of other ids": (series(2, digest="0" * 16), "samples.jsonl: [2].digest"),
    "samples of no ids": (series(2, digest=""), "samples.jsonl: [2].digest"),
    "samples of another vector": (series(2, vector="no/such"), "samples.jsonl: [2].vector"),
    "samples of another engine": (series(2, engine="mnn"), "samples.jsonl: [2].engine"),
    "samples of another tokenizer": (series(2, tokenizer="t5"), "samples.jsonl: [2].tokenizer"),
    "another operation": (series(1, operation="sleep"), "samples.jsonl: [1].operation"),
    "an operation twice": (series(1, operation="encode-long"), "stands there twice"),
    "another warm-up": (series(0, warmup=0), "samples.jsonl: [0].warmup"),
    "a little core sold as a big one": (series(-1, part="0xd0b"), "part"),
    "another processor": (series(0, cpu=5, seen=[5]), "samples.jsonl: [0].cpu"),
    "not pinned, as the kernel says": (series(0, seen=[6, 7]), "samples.jsonl: [0].seen"),
    "one sample less": (without_sample, "samples.jsonl: [0].short"),
    "no samples": (series(0, ns=[]), "samples.jsonl: [0].ns"),
    "a sample of no time": (series(0, ns=[0] * 1024), "samples.jsonl: [0].ns"),
    "a negative sample": (series(0, ns=[-1] * 1024), "samples.jsonl: [0].ns[0]"),
    "samples that are fractions": (series(0, ns=[1.5] * 1024), "samples.jsonl: [0].ns[0]"),
    "samples that are true": (series(0, ns=[True] * 1024), "samples.jsonl: [0].ns[0]"),
    "a huge sample": (series(0, ns=[2**63] * 1024), "samples.jsonl: [0].ns[0]"),
    "a series that takes longer": (times_of(0, 3), "samples.jsonl: [1].started_ns"),
    "the last one takes longer than the run": (times_of(-1, 100), "go on after the run"),
    "a series before the run": (series(0, started_ns=1), "samples.jsonl: [0].started_ns"),
    "units that are text": (series(0, units="1"), "samples.jsonl: [0].units"),
    "short, and it is not": (series(0, short=True), "samples.jsonl: [0].short"),
    "a series is gone": (
        lambda changed: changed.lines(names.SAMPLES, lambda rows: rows[:7] + rows[8:]),
        "on processor 7 (0xd0b) is missing",
    ),
    "a field that nobody knows": (series(0, note="fast"), "samples.jsonl: [0].note"),
    "a snapshot of another boot": (snapshot(1, boot_id="0"), "conditions.jsonl: [1].boot_id"),
    "a clock that goes back": (snapshot(2, monotonic_ns=1), "conditions.jsonl: [2].monotonic_ns"),
    "a date that goes back": (snapshot(2, utc="2025-12-31T00:00:00Z"), "conditions.jsonl: [2].utc"),
    "a date that goes on": (snapshot(-1, utc="2026-01-02T00:00:00Z"), "conditions.jsonl: ["),
    "a date that is none": (snapshot(0, utc="2026-02-30T00:00:00Z"), "conditions.jsonl: [0].utc"),
    "no snapshot before": (snapshot(0, phase="during"), "conditions.jsonl: phase"),
    "no snapshot after": (
        lambda changed: changed.lines(names.CONDITIONS, lambda rows: rows[:-1]),
        "conditions.jsonl: phase",
    ),
    "another boot": (field(names.IDENTITY, boot_id="0"), "outcome.json: boot_id"),
    "another machine": (field(names.IDENTITY, machine="riscv64"), "results.jsonl: header.platform"),
    "results that began before the run": (
        event("header", started="2025-12-31T23:00:00Z"),
        "results.jsonl: header.started",
    ),
    "results that took longer than the run": (event("footer", seconds=1e6), "results.jsonl: footer.seconds"),
    "another Python": (field(names.IDENTITY, python="3.9.2 (main)"), "results.jsonl: header.python"),
    "another date of the identity": (field(names.IDENTITY, utc="2026-01-03T00:00:00Z"), "conditions.jsonl"),
    "a model that is missing, and that is not told": (
        field(names.IDENTITY, model=None),
        "identity.json: missing.model",
    ),
    "something told as missing that is there": (
        field(names.IDENTITY, missing={"model": "nothing there"}),
        "identity.json: missing.model",
    ),
    "no midr, and that is not told": (no_midr_told, "identity.json: missing.midr"),
    "a part that its midr denies": (another_part, "identity.json: cpus[7].midr"),
    "no processors": (field(names.IDENTITY, cpus=[]), "identity.json: missing.cpus"),
    "another run in the outcome": (field(names.OUTCOME, run="other-1"), "outcome.json: run"),
    "another run in the request": (field(names.REQUEST, run="other-1"), "outcome.json: run"),
    "another run fetched": (field(names.CONTROLLER, run="other-1"), "controller.json: run"),
    "a run that is a path": (field(names.REQUEST, run="../rock-1"), "request.json: run"),
    "another nonce came back": (field(names.OUTCOME, nonce="x"), "outcome.json: nonce"),
    "another nonce was asked": (field(names.REQUEST, nonce="x"), "outcome.json: nonce"),
    "no nonce": (field(names.REQUEST, nonce=""), "request.json: nonce"),
    "another process in the outcome": (field(names.OUTCOME, pid=1), "samples.jsonl: [0].pid"),
    "another bundle ran": (
        field(names.OUTCOME, inputs={"bundle": "cd" * 32, "engine.bin": "ab" * 32}),
        "outcome.json: inputs.bundle",
    ),
    "another bundle was asked": (field(names.REQUEST, bundle="cd" * 32), "outcome.json: inputs.bundle"),
    "another engine ran": (
        field(names.REQUEST, files={"engine.bin": "cd" * 32}),
        "outcome.json: inputs.engine.bin",
    ),
    "an input is gone": (field(names.REQUEST, files={}), "request.json: files.engine.bin"),
    "an input with a path": (
        field(names.REQUEST, files={"../engine.bin": "ab" * 32}),
        "request.json: files.../engine.bin",
    ),
    "another exit code": (field(names.OUTCOME, exit_code=1), "outcome.json: exit_code"),
    "an exit code that the verdicts deny": (event("footer", exit_code=1), "results.jsonl: footer.exit_code"),
    "a run that ended early": (field(names.OUTCOME, reason="disk full"), "outcome.json: reason"),
    "less memory than its peak": (
        field(names.OUTCOME, peak_kib=9, together_kib=8, children_kib=0),
        "outcome.json: together_kib",
    ),
    "more memory than all peaks": (
        field(names.OUTCOME, peak_kib=9, together_kib=18, children_kib=8),
        "outcome.json: together_kib",
    ),
    "less memory than its engines'": (
        field(names.OUTCOME, peak_kib=1, together_kib=7, children_kib=8),
        "outcome.json: together_kib",
    ),
    "a run that took no time": (field(names.OUTCOME, seconds=0.0), "outcome.json: "),
    "a start that is later": (field(names.OUTCOME, started="2026-01-01T01:00:00Z"), "identity.json: utc"),
    "an end that is later": (field(names.OUTCOME, finished="2026-01-01T01:00:00Z"), "outcome.json: finished"),
    "fetched before it was asked": (field(names.CONTROLLER, fetched="2025-01-01T00:00:00Z"), "fetched"),
    "created in no form": (field(names.REQUEST, created="yesterday"), "request.json: created"),
    "other suites were asked": (field(names.REQUEST, suites=["encode"]), "results.jsonl: header.suites"),
    "other tokenizers were asked": (
        field(names.REQUEST, tokenizers=["t5"]),
        "results.jsonl: header.tokenizers",
    ),
    "other levels were asked": (field(names.REQUEST, levels=["may"]), "results.jsonl: header.levels"),
    "another version was asked": (field(names.REQUEST, tokassay="9"), "results.jsonl: header.tokassay"),
    "nobody asked for samples": (field(names.REQUEST, timing=None), "samples.jsonl: [0]"),
    "a verdict is hidden": (a_failure_hidden, "results.jsonl: footer.ids"),
    "a digest is gone": (a_failure_made_a_pass, "results.jsonl: footer.ids"),
    "a footer with other counts": (event("footer", counts={"pass": 1}), "results.jsonl: the footer counts"),
    "a footer with other ids": (event("footer", ids={}), "results.jsonl: footer.ids"),
    "a verdict of an unknown kind": (event("verdict", kind="great"), "results.jsonl: unknown verdict kind"),
    "a verdict of an unknown suite": (event("verdict", suite="speed"), "is of nothing in the header"),
    "a verdict of an unknown engine": (event("verdict", engine="mnn"), "is of nothing in the header"),
    "other ids on the first core": (all_ids_of_a_core, "facts.json: ids[0].ids"),
    "ids of no core": (field(names.FACTS, ids=[]), "facts.json: ids"),
    "cores swapped in the samples": (cores_swapped, "samples.jsonl: cpu"),
    "cores swapped everywhere": (cores_swapped_everywhere, "facts.json: ids"),
    "a core twice": (a_core_twice, "facts.json: ids"),
    "samples of a tokenizer that was not to be timed": (
        field(names.REQUEST, timed=["gpt2"]),
        "is not to be timed",
    ),
    "cold starts that were not asked for": (field(names.REQUEST, cold_starts=["gpt2"]), "is not to be timed"),
    "no processor time": (field(names.OUTCOME, cpu_seconds=-1.0), "outcome.json: cpu_seconds"),
}


@pytest.mark.parametrize("name", SEALED)
def test_a_contradiction_is_caught_in_what_was_signed_anew(name: str, good: Path, maker: Any, copied: Copied):
    change, place = SEALED[name]
    changed = copied(good)
    change(changed)
    try:
        changed.seal()
    except (ValueError, TypeError, KeyError):  # no statement can be made of it; its form is what is told
        changed.outcome_hashes()
        changed.sign()
    assert place in maker.refusal(changed.folder)


# -- everything anew and without a contradiction, by somebody else ----------------------------------------


def _every_series(change: Callable[[Any], object]) -> Callable[[Any], None]:
    return lambda changed: changed.lines(names.SAMPLES, lambda rows: [change(row) for row in rows] and None)


def _nonce_of_another_run(changed: Any) -> None:
    for name in (names.REQUEST, names.OUTCOME):
        changed.json(name, lambda value: value.update(nonce="nonce-of-second"))


def _label_removed(changed: Any) -> None:
    changed.json(names.REQUEST, lambda request: request.update(emulated=""))


def _host_made_to_fit(changed: Any) -> None:
    changed.json(names.HOST, lambda host: host["answers"]["reference"]["gpt2"].update(encode="0" * 64))
    changed.json(names.HOST, lambda host: host["unlike"].update({"reference / gpt2 / encode": "1 of 8"}))


FORGED: dict[str, Callable[[Any], None]] = {
    "samples in another order": _every_series(lambda row: row["ns"].sort()),
    "slow samples trimmed": _every_series(
        lambda row: row.update(ns=sorted(row["ns"])[: max(1024, len(row["ns"]) // 2)])
    ),
    "a nanosecond less": _every_series(lambda row: row.update(ns=[row["ns"][0] - 1, *row["ns"][1:]])),
    "more units": _every_series(lambda row: row.update(units=row["units"] + 1)),
    "the nonce of another run": _nonce_of_another_run,
    "the emulated label removed everywhere": _label_removed,
    "the host's answers altered": _host_made_to_fit,
    "another host key": field(names.CONTROLLER, host_key="SHA256:other"),
    "another model": field(names.IDENTITY, model="Radxa ROCK 5B+"),
    "more memory": field(names.IDENTITY, memory_kib=1 << 30),
    "another transcript": lambda changed: changed.data(
        names.TRANSCRIPT, lambda held: held + b"all is well\n"
    ),
    "less memory taken": field(names.OUTCOME, peak_kib=1, together_kib=1, children_kib=0),
    "less processor time taken": field(names.OUTCOME, cpu_seconds=0.1),
    "nothing changed": lambda _changed: None,
}


@pytest.mark.parametrize("name", FORGED)
def test_what_leaves_no_contradiction_is_caught_by_the_signature(
    name: str, emulated: Path, maker: Any, copied: Copied
):
    """All numbers derived anew and signed by another key; or with the old signature."""
    for again in (True, False):
        changed = copied(emulated)
        signature = (changed.folder / names.SIGNATURE).read_bytes()
        FORGED[name](changed)
        changed.seal(maker.other)
        assert verified(changed.folder, Trust()).signer  # nothing but the key speaks against it
        if not again:
            (changed.folder / names.SIGNATURE).write_bytes(signature)
        if again or name != "nothing changed":
            assert "statement.json.sig: " in maker.refusal(changed.folder)


# -- the statement --------------------------------------------------------------------------------------


def summarized(**fields: Any) -> Callable[[Any], None]:
    return lambda found: found["predicate"]["tokassay"]["summary"].update(fields)


def latency(**fields: Any) -> Callable[[Any], None]:
    return lambda found: found["predicate"]["tokassay"]["summary"]["latency"][1].update(fields)


#: Changes of what is claimed, signed by the right key, and what has to be named.
CLAIMS: dict[str, tuple[Callable[[Any], None], str]] = {
    "a better median": (latency(p50=1), "summary.latency[1].p50"),
    "a better tail": (latency(p99=1), "summary.latency[1].p99"),
    "a better maximum": (latency(max=1), "summary.latency[1].max"),
    "more units": (latency(units_per_second=10**9), "summary.latency[1].units_per_second"),
    "more samples": (latency(samples=4096), "summary.latency[1].samples"),
    "a number that is true": (latency(short=0), "summary.latency[1].short"),
    "a figure of which there are no samples": (latency(p95=1), "summary.latency[1].p95"),
    "latency of less": (summarized(latency=[]), "summary.latency"),
    "other counts": (summarized(counts={"pass": 10**6}), "summary.counts"),
    "other ids": (summarized(ids={}), "summary.ids"),
    "another exit code": (summarized(exit_code=1), "summary.exit_code"),
    "a label that nothing gives": (summarized(throttled=["too hot"]), "summary.throttled"),
    "a test less": (lambda found: found["predicate"]["passedTests"].pop() and None, "predicate.passedTests"),
    "another result": (lambda found: found["predicate"].update(result="FAILED"), "predicate.result"),
    "another run": (lambda found: found["predicate"]["tokassay"].update(run="other-1"), "tokassay.run"),
    "another nonce": (lambda found: found["predicate"]["tokassay"].update(nonce="x"), "tokassay.nonce"),
    "another configuration": (
        lambda found: found["predicate"]["configuration"][0]["digest"].update(sha256="cd" * 32),
        "predicate.configuration[0].digest.sha256",
    ),
    "another predicate": (lambda found: found.update(predicateType="https://slsa.dev/"), "predicateType"),
    "another type": (lambda found: found.update(_type="https://in-toto.io/Statement/v0.1"), "_type"),
    "a subject less": (lambda found: found.update(subject=found["subject"][:-1]), "statement.json: subject"),
    "a subject more": (
        lambda found: found["subject"].append({"name": "../../etc/passwd", "digest": {"sha256": "0" * 64}}),
        "statement.json: subject",
    ),
    "a subject with a path": (lambda found: found["subject"][0].update(name="../request.json"), "subject[0]"),
    "subjects in another order": (lambda found: found["subject"].reverse(), "subject[0]"),
    "a subject without sha256": (
        lambda found: found["subject"][0].update(digest={"md5": "0"}),
        "request.json",
    ),
    "no subjects": (lambda found: found.pop("subject") and None, "statement.json: subject"),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_that_the_files_do_not_give_is_caught(name: str, good: Path, maker: Any, copied: Copied):
    change, place = CLAIMS[name]
    changed = copied(good)
    changed.restate(change)
    assert place in maker.refusal(changed.folder)


@pytest.mark.parametrize("name", ["emulated", "throttled"])
def test_a_label_that_was_removed_is_caught(
    name: str, maker: Any, copied: Copied, request: pytest.FixtureRequest
):
    changed = copied(request.getfixturevalue(name))
    assert verified(changed.folder, maker.trust).summary["result"] == "WARNED"

    def change(found: Any) -> None:
        found["predicate"]["result"] = found["predicate"]["tokassay"]["summary"]["result"] = "PASSED"
        found["predicate"]["tokassay"]["summary"][name] = []

    changed.restate(change)
    assert f"summary.{name}" in maker.refusal(changed.folder)


def test_a_statement_in_another_form_is_caught(good: Path, maker: Any, copied: Copied):
    for form in ({"indent": 1, "sort_keys": True}, {"separators": (",", ":")}):
        changed = copied(good)
        text = json.dumps(json.loads((good / names.STATEMENT).read_bytes()), **form)
        (changed.folder / names.STATEMENT).write_text(
            f"{text} \n" if len(form) == 1 else f"{text}\n", "ascii"
        )
        changed.sign()
        assert "is not in the form that is signed" in maker.refusal(changed.folder)
