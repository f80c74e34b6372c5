"""Reports: the matrix, JSON Lines that can be trusted, JUnit XML that any reader takes."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Iterable, Iterator, Sequence
from xml.etree import ElementTree as ET

import pytest

from tokassay.checks.verdict import Difference, Verdict
from tokassay.report import matrix
from tokassay.report.failures import Failures
from tokassay.report.writing import MADE, read_report, recorder
from tokassay.verdicts.events import Broken, EngineDown, Event, Footer, Header, NotRun, ReportError

HEAD = Header(
    "1", "2026-01-01T00:00:00Z", "Linux", "3.11", ({"name": "hf"},), ({"name": "gpt2"},), ("encode",)
)
PASS = Verdict("pass", "encode", "hf", "gpt2", "digits/one")
DIVERGE = Verdict(
    "diverge",
    "encode",
    "hf",
    "gpt2",
    "digits/two",
    "",
    Difference("ids", [1, 2], [1, 3]),
    ("a.b",),
    '"\\u0000"',
    "model",
)
BYTES = Verdict("diverge", "decode", "hf", "gpt2", "digits/two", "", Difference("bytes", b"\xff", b"\x00"))
EVENTS: Sequence[Event] = [
    HEAD,
    PASS,
    DIVERGE,
    BYTES,
    Verdict("crash", "encode", "hf", "gpt2", "digits/three", "panic \x00\x1b \ud800"),
    Verdict("unsupported", "offsets", "hf", "gpt2", "digits/one", "does not claim offsets"),
    NotRun("hf", "qwen3", "encode", 7, "not fetched"),
    EngineDown("mnn", "no wheel"),
    Broken("encode / gpt2 / x", "KeyError: ids"),
    Footer({"pass": 1, "diverge": 2, "crash": 1, "unsupported": 1, "not-run": 7}, 0.5, 4),
]


def recorded(folder: Path, events: Iterable[Event] = EVENTS) -> Path:
    with recorder(folder) as record:
        for event in events:
            record(event)
    return folder


def test_what_is_written_is_read_again(tmp_path: Path):
    assert read_report(recorded(tmp_path)) == list(EVENTS)


def test_a_report_is_ascii_with_one_object_a_line(tmp_path: Path):
    content = (recorded(tmp_path) / "results.jsonl").read_bytes()
    assert content.isascii()
    assert content.count(b"\n") == len(EVENTS)


DAMAGE = {
    "no header": lambda lines: lines[1:],
    "no footer: the report is truncated": lambda lines: lines[:-1],
    "the footer counts": lambda lines: lines[:1] + lines[2:],
    "stands after the footer": lambda lines: [*lines, lines[1]],
    "a second header": lambda lines: [lines[0], *lines],
    "not a report line": lambda lines: [lines[0], lines[1][:-9], *lines[2:]],
    "unknown verdict kind": lambda lines: [lines[0], lines[1].replace(b'"pass"', b'"fine"'), *lines[2:]],
    "protocol": lambda lines: [lines[0].replace(b"report/1", b"report/9"), *lines[1:]],
}


@pytest.mark.parametrize("reason", DAMAGE)
def test_a_damaged_report_is_refused(reason: str, tmp_path: Path):
    file = recorded(tmp_path) / "results.jsonl"
    file.write_bytes(b"\n".join([*DAMAGE[reason](file.read_bytes().split(b"\n")[:-1]), b""]))
    with pytest.raises(ReportError, match=reason):
        read_report(tmp_path)


def test_no_report_at_all_is_refused(tmp_path: Path):
    with pytest.raises(ReportError, match=r"results\.jsonl"):
        read_report(tmp_path / "nowhere" / "results.jsonl")


def cut_short() -> Iterator[Event]:
    yield HEAD
    raise RuntimeError


def test_a_run_that_dies_leaves_a_truncated_report_and_nothing_else(tmp_path: Path):
    for name in MADE:
        (tmp_path / name).write_text("of an older run", "utf-8")
    with pytest.raises(RuntimeError):
        recorded(tmp_path, cut_short())
    assert [path.name for path in tmp_path.iterdir()] == ["results.jsonl"]
    with pytest.raises(ReportError, match="no footer"):
        read_report(tmp_path)


# -- matrix -----------------------------------------------------------------------------------------


def test_the_matrix_counts_every_kind():
    rows = [line.split("  ") for line in matrix.plain(matrix.collected(EVENTS)).split("\n")]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert cells == [
        ["engine", "tokenizer", "decode", "encode", "offsets"],
        ["hf", "gpt2", "0/1 1 diverge", "1/3 1 diverge, 1 crash", "0/1 1 unsupported"],
        ["hf", "qwen3", ".", "0/7 7 not run", "."],
        [],
    ]
    assert matrix.collected(EVENTS).totals() == dict(EVENTS[-1].counts)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_matrix_is_coloured_on_a_terminal_only():
    table = matrix.collected(EVENTS)
    assert "\x1b[" not in matrix.rendered(table, io.StringIO())
    assert "\x1b[" in matrix.rendered(table, Terminal())


# -- failures ---------------------------------------------------------------------------------------


def failures(*events: Event, limit: int = 20) -> str:
    found = Failures(limit)
    for event in events:
        found.add(event)
    return "\n".join(found.lines())


def test_a_failure_shows_both_answers_under_each_other():
    assert failures(DIVERGE).split("\n") == [
        "diverge: hf / gpt2 / encode / digits/two",
        "  clause   a.b",
        '  text     "\\u0000"',
        "  differs  ids, first at 1",
        "  expected 1 2",
        "  got      1 3",
        "             ^",
        "  stage    model",
        "",
    ]


def test_one_cause_is_shown_once_with_a_count():
    crash = [
        Verdict("error", "encode", "hf", "gpt2", f"v/{i}", "cannot load the tokenizer") for i in range(5)
    ]
    shown = failures(*crash)
    assert shown.count("cannot load") == 1
    assert "and 4 more with the same reason" in shown


def test_what_is_not_shown_is_counted():
    many = [Verdict("error", "encode", "hf", "gpt2", f"v/{i}", f"reason {i}") for i in range(5)]
    assert "3 more failures" in failures(*many, limit=2)


def test_reasons_for_unsupported_are_grouped_and_few():
    suites = [
        Verdict("unsupported", suite, "hf", "gpt2", f"v/{i}", f"reason {i}")
        for i in range(10)
        for suite in ("encode", "decode")
    ]
    shown = failures(*suites).split("\n")
    assert shown[0] == "unsupported: hf: reason 0: 1 in encode, 1 in decode"
    assert shown[8] == "unsupported or not run for 2 more reasons (--report DIR keeps all)"


# -- JUnit ------------------------------------------------------------------------------------------


def test_junit_has_every_case_with_its_outcome(tmp_path: Path):
    root = ET.parse(recorded(tmp_path) / "junit.xml").getroot()
    suites = {suite.get("name"): suite for suite in root}
    encode = suites["hf / gpt2 / encode"]
    counts = [encode.get(name) for name in ("tests", "failures", "errors", "skipped")]
    assert counts == ["3", "1", "1", "0"]
    assert "expected 1 2" in encode.find(".//failure").text
    skipped = suites["hf / gpt2 / offsets"].find(".//skipped")
    assert skipped.get("message") == "unsupported: does not claim offsets"
    assert suites["hf / qwen3 / encode"].find(".//skipped").get("message") == "not-run: not fetched"


def test_junit_survives_characters_that_xml_cannot_hold(tmp_path: Path):
    case = ET.parse(recorded(tmp_path) / "junit.xml").getroot().find(".//error")
    assert case.get("message") == "crash: panic \\u0000\\u001b \\ud800"


def test_junit_names_engines_that_did_not_start_and_broken_suites(tmp_path: Path):
    root = ET.parse(recorded(tmp_path) / "junit.xml").getroot()
    messages = [error.get("message") for error in root.iter("error")]
    assert {"no wheel", "KeyError: ids"} <= set(messages)


def test_two_runs_do_not_write_one_report(tmp_path: Path):
    with recorder(tmp_path) as record:
        for event in EVENTS[:2]:
            record(event)
        with pytest.raises(OSError, match="another run writes its report there"), recorder(tmp_path):
            pass
        for event in EVENTS[2:]:
            record(event)
    assert read_report(tmp_path) == list(EVENTS)
