"""Several reports as one, and what changed between two."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Callable, Sequence

import pytest

from tokassay.checks.verdict import Difference, Verdict
from tokassay.cli import main
from tokassay.report.comparing import compared
from tokassay.report.merging import merged
from tokassay.report.writing import read_report
from tokassay.verdicts.events import Event, Footer, Header, Measured, NotRun, ReportError

Write = Callable[..., Path]


@pytest.fixture
def write(sample: SimpleNamespace, tmp_path: Path) -> Write:
    def written(name: str, body: Sequence[Event], head: Header = sample.head, **footer: object) -> Path:
        *events, end = sample.whole(body, head)
        return sample.recorded(tmp_path / name, [*events, replace(end, **footer)])

    return written


def verdict(vector: str, kind: str = "pass", **more: object) -> Verdict:
    return replace(Verdict(kind, "encode", "own", "gpt2", vector), **more)


# -- merge --------------------------------------------------------------------------------------------


def test_shards_make_the_whole_run(write: Write, sample: SimpleNamespace):
    half = len(sample.body) // 2
    parts = [write("a", sample.body[:half]), write("b", sample.body[half:])]
    events = list(merged(parts))
    assert events[1:-1] == list(sample.body)
    assert events[0] == sample.head
    assert events[-1].counts == sample.events[-1].counts
    assert (events[-1].seconds, events[-1].exit_code) == (3.0, 1)


def test_the_same_report_twice_is_the_same_report(write: Write, sample: SimpleNamespace):
    path = write("a", sample.body)
    assert Counter(map(str, list(merged([path, path]))[:-1])) == Counter(map(str, sample.events[:-1]))


def test_what_one_report_could_not_run_and_another_ran_is_run(write: Write):
    a = write(
        "a", [NotRun("own", "gpt2", "encode", 1, "not fetched"), NotRun("own", "gpt2", "decode", 1, "no")]
    )
    b = write("b", [verdict("v/1")])
    assert list(merged([a, b]))[1:-1] == [NotRun("own", "gpt2", "decode", 1, "no"), verdict("v/1")]


def test_measures_of_a_repeated_run_are_not_counted_twice(write: Write):
    body = [verdict("v/1"), Measured("own", "gpt2", {"a.b": (1, 1, 0)})]
    assert list(merged([write("a", body), write("b", body)]))[1:-1] == body


def other_version(head: Header) -> Header:
    return replace(head, engines=({"name": "own", "version": "9"},))


def other_file(head: Header) -> Header:
    return replace(head, tokenizers=({"name": "gpt2", "sha256": "99"},))


@pytest.mark.parametrize(
    ("change", "reason"),
    [(other_version, "engine own: version '9'"), (other_file, "tokenizer gpt2: sha256 '99'")],
)
def test_reports_about_different_things_are_refused(
    change: Callable[[Header], Header], reason: str, write: Write, sample: SimpleNamespace
):
    parts = [write("a", [verdict("v/1")]), write("b", [verdict("v/2")], change(sample.head))]
    with pytest.raises(ReportError, match=reason):
        list(merged(parts))


def program(head: Header, sha256: str) -> Header:
    return replace(head, engines=({"name": "own", "version": "1", "build": {"sha256": sha256}},))


def test_two_programs_of_one_name_are_not_one_engine(write: Write, sample: SimpleNamespace):
    first, other = (program(sample.head, digit * 64) for digit in "ab")
    parts = [write("a", [verdict("v/1")], first), write("b", [verdict("v/2")], other)]
    with pytest.raises(ReportError, match="engine own: another program"):
        list(merged(parts))
    same = [write("c", [verdict("v/1")], first), write("d", [verdict("v/2")], first)]
    assert len(list(merged(same))) == 4


def test_two_verdicts_on_one_case_are_refused(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    parts = [write("a", [verdict("v/1")]), write("b", [verdict("v/1", "crash")])]
    assert main(["report", "merge", *map(str, parts), "-o", str(tmp_path / "out")]) == 4
    assert "another verdict (crash) on own / gpt2 / encode / v/1" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_two_answers_on_one_case_are_refused(write: Write):
    one, two = (verdict("v/1", "diverge", difference=Difference("ids", [1], [got])) for got in (2, 3))
    with pytest.raises(ReportError, match="another verdict"):
        list(merged([write("a", [one]), write("b", [two])]))


def test_other_ids_on_one_tokenizer_are_refused(write: Write):
    parts = [write(name, [verdict(f"v/{name}")], ids={"own": {"gpt2": name}}) for name in "ab"]
    with pytest.raises(ReportError, match="other ids of own on gpt2"):
        list(merged(parts))


def test_merge_writes_a_report_with_everything(write: Write, sample: SimpleNamespace, tmp_path: Path):
    out = tmp_path / "out"
    assert main(["report", "merge", str(write("a", sample.body)), "-o", str(out)]) == 1
    assert read_report(out)[:-1] == list(sample.events[:-1])
    assert (out / "report.html").is_file()


def test_a_report_is_not_merged_into_itself(write: Write, capsys: pytest.CaptureFixture[str]):
    path = write("a", [verdict("v/1")])
    assert main(["report", "merge", str(path), "-o", str(path)]) == 2
    assert "is one of the reports to merge" in capsys.readouterr().err
    assert read_report(path)


# -- compare ------------------------------------------------------------------------------------------

OLD = [
    verdict("same/pass"),
    verdict("same/fail", "diverge", difference=Difference("ids", [1], [2])),
    verdict("breaks/one"),
    verdict("fixed/one", "crash"),
    verdict("kind/one", "diverge", difference=Difference("ids", [1], [2])),
    verdict("answer/one", "diverge", difference=Difference("ids", [1], [2])),
    verdict("gone/one"),
]
NEW = [
    verdict("same/pass"),
    verdict("same/fail", "diverge", difference=Difference("ids", [1], [2])),
    verdict("breaks/one", "timeout", reason="no answer"),
    verdict("fixed/one"),
    verdict("kind/one", "crash"),
    verdict("answer/one", "diverge", difference=Difference("ids", [1], [3])),
    verdict("new/pass"),
    verdict("new/fail", "error"),
]


def test_every_kind_of_change_is_told(write: Write):
    found = compared(write("old", OLD), write("new", NEW))
    names = {title: [change.vector for change in changes] for title, changes in found.changes()}
    assert names == {
        "New failures": ["breaks/one", "new/fail"],
        "Fixed": ["fixed/one"],
        "Other verdicts": ["kind/one"],
        "Fails still, with another answer": ["answer/one"],
        "Not in the new run": ["gone/one"],
    }
    assert (found.added, found.same, found.failing) == (1, 2, 1)


def test_new_failures_are_exit_code_1(write: Write, capsys: pytest.CaptureFixture[str]):
    old, new = str(write("old", OLD)), str(write("new", NEW))
    assert main(["report", "compare", old, new]) == 1
    out = capsys.readouterr().out
    assert "  own / gpt2 / encode / breaks/one: pass -> timeout: no answer" in out
    assert out.endswith("1 new without failure; 2 the same, 1 of them failing\n")


@pytest.mark.parametrize("code", [3, 4])
def test_a_new_run_that_proves_nothing_is_no_success(
    code: int, write: Write, capsys: pytest.CaptureFixture[str]
):
    old, new = str(write("old", OLD)), str(write("new", OLD[:1], exit_code=code))
    assert main(["report", "compare", old, new]) == code
    assert f"the new run ended with exit code {code}" in capsys.readouterr().out


def test_failures_that_stay_are_exit_code_0(write: Write, capsys: pytest.CaptureFixture[str]):
    old = str(write("old", OLD))
    assert main(["report", "compare", old, old]) == 0
    assert capsys.readouterr().out == "no change; 7 the same, 4 of them failing\n"


def test_a_comparison_as_json_has_everything(write: Write, capsys: pytest.CaptureFixture[str]):
    assert (
        main(["report", "compare", str(write("old", OLD)), str(write("new", NEW)), "--json", "--limit", "1"])
        == 1
    )
    found = json.loads(capsys.readouterr().out)
    assert [change["vector"] for change in found["new_failures"]] == ["breaks/one", "new/fail"]
    assert found["exit_code"] == 1


def test_a_comparison_as_a_page_is_bounded(
    write: Write, sample: SimpleNamespace, capsys: pytest.CaptureFixture[str]
):
    newer = other_version(sample.head)
    args = [
        "report",
        "compare",
        str(write("old", OLD)),
        str(write("new", NEW, newer)),
        "--markdown",
        "--limit",
        "1",
    ]
    assert main(args) == 1
    out = capsys.readouterr().out
    assert out.startswith("## tokassay: 2 new failures\n")
    assert "- `own` `1` to `9`" in out
    assert "| `own` | `gpt2` | `encode` | `breaks/one` | pass -> timeout |" in out
    assert "and 1 more" in out


# -- forms --------------------------------------------------------------------------------------------

FORMS = {
    "html": "<!doctype html>",
    "markdown": "## tokassay: 8 checks failed",
    "sarif": '"version": "2.1.0"',
    "junit": "<testsuites",
    "badge": "<svg",
    "endpoint": '"schemaVersion": 1',
}


@pytest.mark.parametrize("form", FORMS)
def test_a_report_becomes_every_form_again(form: str, write: Write, sample: SimpleNamespace, tmp_path: Path):
    path = write("a", sample.body)
    assert main(["report", form, str(path), "-o", str(tmp_path / "out")]) == 0
    assert FORMS[form] in (tmp_path / "out").read_text("utf-8")


def test_forms_go_to_stdout_without_a_file(
    write: Write, sample: SimpleNamespace, capsys: pytest.CaptureFixture[str]
):
    assert main(["report", "endpoint", str(write("a", sample.body))]) == 0
    assert json.loads(capsys.readouterr().out)["color"] == "red"


@pytest.mark.parametrize("arguments", [("html",), ("junit",), ("merge", "-o", "x"), ("compare", "b")])
def test_a_truncated_report_is_refused_by_every_action(
    arguments: Sequence[str],
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    path = write("a", [verdict("v/1")])
    monkeypatch.chdir(write("b", [verdict("v/1")]).parent)
    file = path / "results.jsonl"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
    action, *rest = arguments
    assert main(["report", action, "a", *rest]) == 4
    assert "truncated" in capsys.readouterr().err
    assert not Path("x").exists()


def test_a_report_without_a_footer_event_is_not_whole(write: Write):
    assert isinstance(read_report(write("a", [verdict("v/1")]))[-1], Footer)
