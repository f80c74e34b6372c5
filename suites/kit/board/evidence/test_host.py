"""The host's answers in the evidence: beside every sum of the board, derived again where that can be done."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tokassay.board.verifying import at_hand, verified
from tokassay.board.verifying.hosting import Ran, derived
from tokassay.checks.verdict import Difference, Verdict
from tokassay.device import folder as names
from tokassay.device.request import Request
from tokassay.verdicts.answers import Answers, answer_of, line_of
from tokassay.verdicts.events import Tally, from_json, to_json

Copied = Callable[[Path], Any]
OTHER = "1 of 8 vectors, first ascii-words/hello-world"
SUITES = {"decode", "determinism", "encode", "lookup", "offsets"}


def host_of(folder: Path) -> dict[str, Any]:
    return names.read_json(folder / names.HOST)


def other_answer(changed: Any) -> None:
    """One verdict of the board says something else, and everything that the board derives goes with it."""

    def change(rows: list[Any]) -> None:
        next(row for row in rows if row.get("suite") == "determinism").update(digest="0" * 16)
        tally = Tally()
        for row in rows:
            tally.add(from_json(json.dumps(row)))
        rows[-1]["ids"] = tally.ids()

    changed.lines(names.RESULTS, change)
    (footer,) = (row for row in names.read_lines(changed.folder / names.RESULTS) if row["event"] == "footer")
    changed.json(
        names.FACTS, lambda facts: [core.update(ids=footer["ids"]) for core in facts["ids"]] and None
    )


def test_every_suite_and_tokenizer_stands_beside_the_host_s(good: Path):
    host, summary = host_of(good), names.read_json(good / names.STATEMENT)["predicate"]["tokassay"]["summary"]
    assert host["answers"] == summary["answers"]
    assert host["ids"] == summary["ids"]
    assert host["compiled"] == names.read_json(good / names.FACTS)["compiled"]
    assert (host["unlike"], host["missing"]) == ({}, {})
    assert set(host["answers"]["reference"]["gpt2"]) == SUITES


def test_an_answer_that_is_not_the_host_s_is_told_with_suite_and_vector(
    good: Path, maker: Any, copied: Copied
):
    changed = copied(good)
    other_answer(changed)
    changed.host()
    changed.seal()
    found = verified(changed.folder, maker.trust)
    assert found.exit_code == 1
    assert [str(one) for one in found.findings] == [
        "results.jsonl: ids.reference.gpt2: are not those of the host",
        f"results.jsonl: answers.reference.gpt2.determinism: are not those of the host: {OTHER}",
    ]
    assert found.summary["result"] == "FAILED"
    assert len(found.summary["differing"]) == 2


def test_the_host_s_answers_are_derived_again_from_the_bundle(good: Path, maker: Any):
    without = verified(good, maker.trust).again
    assert (without.count, set(without.missing)) == (0, {"gpt2", "wordpiece-short-words"})
    assert "was not given, and here another one is made" in without.told
    again = verified(good, replace(maker.trust, bundle=maker.bundle)).again
    assert (again.missing, again.problems) == ({}, [])
    assert again.count == 2 + 2 * len(SUITES) - 1 + sum(map(len, host_of(good)["compiled"].values()))


def test_answers_of_the_host_that_were_made_to_fit_are_refused_by_who_has_the_bundle(
    good: Path, maker: Any, copied: Copied
):
    """By the holder of the key, who leaves no contradiction in the folder."""
    changed = copied(good)
    other_answer(changed)
    changed.seal()
    statement = names.read_json(changed.folder / names.STATEMENT)
    summary = statement["predicate"]["tokassay"]["summary"]
    changed.json(
        names.HOST, lambda host: host.update(ids=summary["ids"], answers=summary["answers"], unlike={})
    )
    changed.seal()
    assert verified(changed.folder, maker.trust).exit_code == 0
    told = maker.refusal(changed.folder, replace(maker.trust, bundle=maker.bundle))
    assert "host.json: ids.reference.gpt2: is not what is derived from the same vectors here" in told


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda host: host.update(run="other-1"), "host.json: run: is 'other-1'"),
        (lambda host: host.update(tokassay="0"), "host.json: tokassay"),
        (
            lambda host: host["answers"]["reference"]["gpt2"].pop("encode"),
            "answers.reference.gpt2.encode: is missing",
        ),
        (lambda host: host["ids"].clear(), "ids.reference.gpt2: is missing, and nothing says why"),
        (lambda host: host["compiled"].pop("gpt2"), "compiled.gpt2.mtok: is missing"),
        (
            lambda host: host["answers"].update(mnn={"gpt2": {"encode": "0"}}),
            "answers.mnn.gpt2.encode: stands beside",
        ),
        (
            lambda host: host["answers"]["reference"]["gpt2"].update(encode="0" * 64),
            "unlike.reference / gpt2 / encode",
        ),
        (
            lambda host: host["unlike"].update({"reference / gpt2 / encode": "1"}),
            "unlike.reference / gpt2 / encode",
        ),
    ],
)
def test_a_table_that_is_not_whole_is_refused(
    change: Any, place: str, good: Path, maker: Any, copied: Copied
):
    changed = copied(good)
    changed.json(names.HOST, lambda host: change(host) and None)
    changed.seal()
    assert place in maker.refusal(changed.folder)


def test_what_could_not_be_derived_says_why_and_is_derived_by_who_can(good: Path, maker: Any, copied: Copied):
    changed = copied(good)
    ran = Ran.read(changed.folder)
    hand = at_hand({**ran.request, "bundle": "0" * 64}, ran.tokenizers)
    names.write_json(changed.folder / names.HOST, derived(ran, hand))
    changed.seal()
    assert "0000 was not given" in host_of(changed.folder)["missing"]["gpt2"]
    found = verified(changed.folder, replace(maker.trust, bundle=maker.bundle))
    assert found.again.host["answers"] == host_of(good)["answers"]


def test_another_version_s_answers_are_not_derived(good: Path):
    ran = Ran.read(good)
    hand = at_hand({**ran.request, "tokassay": "0.0.1"}, ran.tokenizers)
    assert "the run was of tokassay 0.0.1, this is " in hand.reason
    assert set(derived(ran, hand).missing) == set(ran.tokenizers)


def test_a_vector_that_is_not_at_hand_leaves_no_sum_of_its_suite(good: Path, maker: Any):
    ran = Ran.read(good)
    hand = at_hand(ran.request, ran.tokenizers, [maker.bundle])
    extra = Verdict("pass", "encode", "reference", "gpt2", "made-up/0000")
    found = derived(replace(ran, events=[*ran.events, extra]), hand)
    assert found.missing == {
        "gpt2 / encode": "1 vectors have no answer here: they are not in what is at hand"
    }
    assert "encode" not in found.answers["reference"]["gpt2"]
    assert "encode" in found.answers["reference"]["wordpiece-short-words"]


def test_a_bundle_that_cannot_be_read_is_no_crash(good: Path, tmp_path: Path):
    (tmp_path / "no.pyz").write_bytes(b"#!/bin/sh")
    ran = Ran.read(good)
    request = Request.of({**ran.request, "bundle": names.sha256_of(tmp_path / "no.pyz")}).to_json()
    found = derived(ran, at_hand(request, ran.tokenizers, [tmp_path / "no.pyz"]))
    assert found.missing["gpt2"] == "File is not a zip file"


def test_a_sum_knows_vector_kind_ids_and_another_answer_but_no_order():
    one = Verdict("pass", "encode", "e", "t", "v/1")
    other = replace(one, kind="diverge", difference=Difference("bytes", b"a", b"b"))
    variants = [
        one,
        replace(one, vector="v/2"),
        replace(one, digest="1"),
        replace(one, kind="known"),
        other,
        replace(other, difference=Difference("bytes", b"a", b"c")),
    ]
    assert len({answer_of(line_of(verdict)) for verdict in variants}) == len(variants)
    assert all(answer_of(line_of(v)) == answer_of(json.loads(to_json(v))) for v in variants)
    sums = []
    for verdicts in (variants, variants[::-1]):
        answers = Answers()
        for verdict in verdicts:
            answers.add(verdict)
        answers.add(replace(one, kind="unsupported"))
        sums.append(answers.sums())
    assert sums[0] == sums[1]
