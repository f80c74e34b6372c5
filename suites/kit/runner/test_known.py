"""The owner's list: still failing, passing, expired, of another class, matching nothing, malformed."""

from __future__ import annotations

import datetime as dt
import fnmatch
import itertools
from typing import Any, Sequence

import pytest

from tokassay.checks.verdict import Difference, Verdict
from tokassay.core.errors import FormatError
from tokassay.verdicts.events import Event, ListNote, NotRun
from tokassay.verdicts.globs import covering
from tokassay.verdicts.known import KnownList, entries

TODAY = "2026-11-30"


def listed(*tables: dict[str, Any]) -> KnownList:
    document = {"divergence": [{"class": "diverge", "reason": "bug 7", **table} for table in tables]}
    return KnownList(entries(document, "list.toml"), TODAY)


def verdict(kind: str, vector: str = "digits/one", engine: str = "mnn", suite: str = "encode") -> Verdict:
    return Verdict(kind, suite, engine, "gpt2", vector, difference=Difference("ids", [1], [2]))


def test_a_known_divergence_still_fails():
    entry = {"vector": "digits/*", "link": "https://example.org/7"}
    found = listed(entry).judge(verdict("diverge"))
    assert (found.kind, found.failed) == ("known", False)
    assert found.reason == "list.toml: entry 1: bug 7 (https://example.org/7)"
    assert found.difference == verdict("diverge").difference


def test_one_that_passes_is_an_unexpected_pass():
    found = listed({"vector": "digits/one"}).judge(verdict("pass"))
    assert (found.kind, found.failed) == ("unexpected-pass", True)
    assert found.reason == "it passes, but list.toml: entry 1: bug 7"


def test_the_class_has_to_be_the_listed_one():
    found = listed({"vector": "digits/one"}).judge(verdict("crash"))
    assert (found.kind, found.reason) == ("crash", "listed as diverge: list.toml: entry 1: bug 7")
    both = listed({"vector": "digits/one"}, {"vector": "digits/one", "class": "crash"})
    assert both.judge(verdict("crash")).kind == "known"


@pytest.mark.parametrize(
    ("day", "kind"), [("2026-11-29", "error"), (TODAY, "known"), ("2027-01-01", "known")]
)
def test_an_entry_holds_up_to_its_day(day: str, kind: str):
    for expires in (day, dt.date.fromisoformat(day)):
        found = listed({"vector": "*", "expires": expires}).judge(verdict("diverge"))
        assert found.kind == kind
        assert ("known until 2026-11-29, which is over" in found.reason) == (kind == "error")


@pytest.mark.parametrize("part", ["engine", "tokenizer", "suite"])
def test_an_entry_may_be_for_one_cell_only(part: str):
    assert listed({"vector": "*", part: "other"}).judge(verdict("diverge")).kind == "diverge"
    own = {"engine": "m*", "tokenizer": "gpt?", "suite": "encode"}[part]
    assert listed({"vector": "*", part: own}).judge(verdict("diverge")).kind == "known"


def test_what_the_engine_does_not_claim_stays_unsupported():
    assert listed({"vector": "*"}).judge(verdict("unsupported")).kind == "unsupported"


def applied(known: KnownList, *events: Event) -> Sequence[Event]:
    return list(known.applied(events))


def test_entries_that_match_nothing_and_expired_ones_are_told_at_the_end():
    known = listed(
        {"vector": ["a/b", "c/*"]}, {"vector": "digits/*"}, {"vector": "x/y", "expires": "2020-01-01"}
    )
    gone = NotRun("mnn", "gpt2", "stream", 1, "x")
    assert applied(known, verdict("diverge"), gone, verdict("pass", "other/one")) == [
        known.judge(verdict("diverge")),
        gone,
        verdict("pass", "other/one"),
        ListNote("list.toml: entry 1", "matches nothing: a/b, c/*", failed=False),
        ListNote("list.toml: entry 3", "expired on 2020-01-01: bug 7", failed=True),
    ]


def test_an_unexpected_pass_is_a_match():
    assert [
        event for event in applied(listed({"vector": "*"}), verdict("pass")) if type(event) is ListNote
    ] == []


def test_without_a_list_nothing_changes():
    assert applied(KnownList(), verdict("diverge")) == [verdict("diverge")]


MALFORMED = {
    "divergence: is missing": {},
    "divergences: unknown key": {"divergences": []},
    "divergence: expected a list": {"divergence": {}},
    r"divergence\[0\]: expected an object": {"divergence": ["x"]},
    r"divergence\[0\].vector: needs a glob": {"divergence": [{"class": "diverge", "reason": "r"}]},
    r"divergence\[0\].vector: needs a glob on": {"divergence": [{"vector": [], "class": "diverge"}]},
    r"divergence\[0\].class: expected one of": {"divergence": [{"vector": "*", "class": "pass"}]},
    r"divergence\[0\].class: is missing": {"divergence": [{"vector": "*", "reason": "r"}]},
    r"divergence\[0\].reason: must not be empty": {
        "divergence": [{"vector": "*", "class": "crash", "reason": " "}]
    },
    r"divergence\[0\].expires: not a day": {
        "divergence": [{"vector": "*", "class": "crash", "reason": "r", "expires": "soon"}]
    },
    r"divergence\[0\].kind: unknown key; known: vector": {"divergence": [{"vector": "*", "kind": "crash"}]},
}


@pytest.mark.parametrize("message", MALFORMED)
def test_a_malformed_list_is_refused_with_its_place(message: str):
    with pytest.raises(FormatError, match=f"^list.toml: {message}"):
        entries(MALFORMED[message], "list.toml")


IDS = ["a/b", "a/b-c", "a/b-d", "a/e", "f/g", "f/h-i", "f/h-j"]


@pytest.mark.parametrize(
    ("failing", "globs"),
    [
        (IDS, ["*"]),
        (IDS[:4], ["a/*"]),
        (["a/b-c", "a/b-d"], ["a/b-*"]),
        (["a/b", "a/b-c"], ["a/b", "a/b-c"]),
        (["f/g"], ["f/g"]),
        ([], []),
    ],
)
def test_globs_leave_open_what_they_can(failing: Sequence[str], globs: Sequence[str]):
    assert covering(failing, IDS) == globs


def test_globs_match_exactly_what_fails():
    for size in range(len(IDS) + 1):
        for failing in itertools.combinations(IDS, size):
            globs = covering(failing, IDS)
            assert [i for i in IDS if any(fnmatch.fnmatchcase(i, glob) for glob in globs)] == list(failing)
