"""Findings as lines of a report: written, read again, and as their schema says."""

from __future__ import annotations

import json

import jsonschema
import pytest

from tokassay import data
from tokassay.checks.verdict import Difference
from tokassay.verdicts.events import Finding, Footer, ListNote, Tally, from_json, to_json
from tokassay.verdicts.exit_code import exit_code

SCHEMA = json.loads((data.root() / "golden" / "schema" / "finding.schema.json").read_text("utf-8"))
FULL = Finding(
    "mnn",
    "qwen3",
    "encode",
    "diverge",
    2,
    ("controls/a", "controls/b"),
    "control characters become spaces",
    "controls-to-spaces",
    "normalizer",
    "control character",
    {"text": "\u0085\ud7ff"},
    Difference("ids", [1, 2], [3]),
    "normalizer\n expected ...",
    "cards/mnn-qwen3-1",
)
BARE = Finding("mnn", "qwen3", "encode", "crash", 1, ("a/b",), "signal 11")
BYTES = Finding(
    "mnn", "qwen3", "decode", "diverge", 1, ("a/b",), "?", difference=Difference("bytes", b"\xff", b"")
)


@pytest.mark.parametrize("finding", [FULL, BARE, BYTES])
def test_a_finding_is_read_as_it_was_written_and_fits_its_schema(finding: Finding):
    line = to_json(finding)
    jsonschema.validate(json.loads(line), SCHEMA)
    assert from_json(line) == finding


def test_findings_change_no_count_and_no_exit_code():
    tally = Tally({"pass": 1})
    tally.add(FULL)
    assert (tally.counts, exit_code(tally)) == ({"pass": 1}, 0)


@pytest.mark.parametrize(("failed", "code"), [(True, 1), (False, 0)])
def test_a_note_on_the_list_fails_a_run_where_it_says_so(failed: bool, code: int):
    note = ListNote("divergences.toml: entry 1", "matches nothing", failed)
    assert from_json(to_json(note)) == note
    tally = Tally({"pass": 1})
    tally.add(note)
    assert exit_code(tally) == code


def test_the_footer_keeps_the_digests_of_the_ids():
    footer = Footer({"pass": 1}, 0.5, 0, {"hf": {"gpt2": "0" * 64}})
    assert from_json(to_json(footer)) == footer
