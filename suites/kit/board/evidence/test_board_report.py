"""Pages of boards: only from folders that hold, with every label, and without a claim where there is none."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokassay.board.verifying import verified
from tokassay.cli import main
from tokassay.device import folder as names
from tokassay.device.samples import derived
from tokassay.report import board_host, board_page, board_plots, board_view
from tokassay.report.board_note import document

HOSTILE = "</style><script>document.title='owned'</script>\u202e"


@pytest.fixture(scope="module")
def runs(good: Path, second: Path, emulated: Path, throttled: Path, maker: Any) -> list[Any]:
    return board_page.ordered([verified(one, maker.trust) for one in (second, throttled, emulated, good)])


def test_pages_and_a_note_are_written_for_folders_that_hold(
    good: Path, emulated: Path, maker: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    words = ["board", "report", str(good), str(emulated), "-o", str(tmp_path / "out")]
    assert main([*words, "--allowed-signers", str(maker.signers)]) == 0
    written = {"rock-rock-1.html", "standin-standin-1.html", "index.html", "release-note.md"}
    assert {path.name for path in (tmp_path / "out").iterdir()} == written
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_nothing_is_written_where_one_folder_does_not_hold(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    shutil.copytree(good, tmp_path / "bad")
    (tmp_path / "bad" / names.FACTS).unlink()
    assert main(["board", "report", str(good), str(tmp_path / "bad"), "-o", str(tmp_path / "out")]) == 4
    assert "bad: facts.json: is missing" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_page_tells_identity_conditions_and_every_sum(runs: list[Any]):
    found = runs[0]
    page = board_page.rendered(found)
    for told in (
        "Radxa ROCK 5B",
        "rockchip,rk3588",
        "4 \u00d7 Cortex-A76 (big)",
        "1,800 MHz",
        "46.5 \u00b0C",
    ):
        assert told in page
    assert all(value in page for _, value in board_view.sums(found))
    assert len(board_view.sums(found)) == len(names.SUBJECTS) + 2 + 2


def test_a_page_needs_no_other_file_and_no_script(runs: list[Any]):
    for page in (board_page.rendered(runs[0], "index.html"), board_page.comparison(runs)):
        assert "default-src 'none'" in page
        assert "<script" not in page
        assert set(re.findall(r'(?:src|href)="([^#"][^"]*)"', page)) <= {
            "data:,",
            *(board_page.page_name(found) for found in runs),
            "index.html",
        }


def test_what_a_board_says_is_never_markup(good: Path, maker: Any, copied: Callable[[Path], Any]):
    changed = copied(good)
    changed.json(names.IDENTITY, lambda value: value.update(model=HOSTILE, libc=HOSTILE))
    changed.seal()
    found = verified(changed.folder, maker.trust)
    for page in (board_page.rendered(found), board_page.comparison([found])):
        assert "<script" not in page
        assert "\u202e" not in page
    assert "<" not in re.sub("`[^`]*`", "", document([found]))


# -- labels -------------------------------------------------------------------------------------------


def test_emulated_and_throttled_runs_are_labelled_and_claim_nothing(runs: list[Any]):
    told = {found.evidence.controller["board"]: board_page.rendered(found) for found in runs}
    assert "Emulated: its times say nothing about a board" in told["standin"]
    assert "cooling_device0 (cpufreq-cpu4): cooling state 3" in told["warm"]
    for board, page in told.items():
        assert ("Not a claim about the board" in page) == (board != "rock")


def test_the_note_gives_latency_of_claimable_runs_alone(runs: list[Any]):
    note = document(runs)
    (head,) = [line for line in note.splitlines() if line.startswith("| operation")]
    assert head.count("rock") == 2
    assert "standin" not in head
    assert "warm" not in head
    assert "emulated: its times say nothing about a board: `qemu-user`" in note


def test_a_note_without_a_claimable_run_has_no_latency(runs: list[Any]):
    assert "Latency" not in document([found for found in runs if found.unclaimable])


# -- numbers ------------------------------------------------------------------------------------------


def test_big_and_little_stand_on_one_axis_with_the_ratio_of_their_medians(runs: list[Any]):
    for one in board_view.operations(runs[0]):
        big, little = one.cores
        assert "(big)" in big.name
        assert "(little)" in little.name
        assert one.ratio == f"{little.p50 / big.p50:.2f}"
        assert big.mark < little.mark < board_plots.WIDTH


def test_the_percentiles_of_a_row_are_those_of_the_raw_samples(runs: list[Any]):
    series = [one for one in runs[0].evidence.series if one["inputs"] != "fresh"]
    shown = {
        (one.engine, one.tokenizer, one.operation, core.p50, core.p90, core.p99, core.most)
        for one in board_view.operations(runs[0])
        for core in one.cores
    }
    kept = ("engine", "tokenizer", "operation")
    wanted = {
        (*(one[name] for name in kept), *(derived(one)[name] for name in ("p50", "p90", "p99", "max")))
        for one in series
    }
    assert shown == wanted


def test_cold_starts_are_set_side_by_side(runs: list[Any]):
    rows = {(one.tokenizer, one.core): one.cells for one in board_view.cold_starts(runs[0])}
    start, whole, mtok, vocab = rows["gpt2", "Cortex-A76 (big)"]
    series = {
        one["operation"]: derived(one)
        for one in runs[0].evidence.series
        if (one["tokenizer"], one["part"]) == ("gpt2", "0xd0b")
    }
    told = f"{series['cold-mtok']['p50'] / series['cold-tokenizer.json']['p50']:.2f} of tokenizer.json"
    assert (start[2], whole[2], mtok[2]) == ("", "", told)
    assert vocab[2].endswith(" of tokenizer.json, other ids")  # greedy matching is another model
    assert rows["wordpiece-short-words", "Cortex-A76 (big)"][3] is None
    assert "Cold start" in board_page.rendered(runs[0])


def test_calls_that_were_given_the_same_are_named(good: Path, maker: Any, copied: Callable[[Path], Any]):
    changed = copied(good)
    changed.lines(names.SAMPLES, lambda rows: rows[1].update(inputs="same"))
    where = "reference / gpt2 / encode-short"
    changed.data(names.TRANSCRIPT, lambda held: held + f"the same input each time: {where}: no\n".encode())
    changed.seal()
    found = verified(changed.folder, maker.trust)
    assert board_view.repeated(found) == [where]
    assert any("it may be remembered" in str(problem) for problem in found.unclaimable)
    assert where in board_page.rendered(found)


def test_two_dates_of_a_board_are_compared_and_two_boards_are_not(runs: list[Any]):
    (row,) = [
        row
        for row in board_page.rows(runs)
        if row.name[2] == "decode" and row.name[1:] == ("gpt2", "decode", "Cortex-A76 (big)")
    ]
    older, newer, *others = row.cells
    assert older.change is None
    assert -20 < newer.change < -10
    assert [cell.change for cell in others] == [None, None]
    assert [cell.claimable for cell in row.cells] == [True, True, False, False]


def test_a_run_that_lacks_a_tokenizer_has_empty_cells(runs: list[Any]):
    rows = [row for row in board_page.rows(runs) if row.name[1] == "wordpiece-short-words"]
    assert {row.cells[1] for row in rows} == {None}
    assert "none" in board_page.comparison(runs)


def test_every_sample_is_in_a_bar_of_the_histogram():
    scale = board_plots.Scale.over([[100, 200, 10_000]])
    assert len(board_plots.bars([100, 200, 10_000], scale)) == 3
    assert all(x >= 0 and x + width <= board_plots.WIDTH for x, _, width, _ in board_plots.bars([100], scale))


def test_ticks_are_round_and_do_not_collide():
    ticks = board_plots.Scale(90, 2_000_000).ticks()
    assert [label for _, label in ticks] == ["100 ns", "1 \u00b5s", "10 \u00b5s", "100 \u00b5s", "1 ms"]
    places = [place for place, _ in board_plots.Scale(100, 900).ticks()]
    assert all(after - before > board_plots.APART for before, after in zip(places, places[1:], strict=False))


def test_a_course_reaches_from_zero_to_the_highest_of_its_group():
    found = board_plots.course("one", "MHz", [0.0, 1.0, 2.0], [1800.0, 900.0, 1800.0], 1800.0)
    assert (found.first, found.low, found.high, found.last) == (
        "1,800 MHz",
        "900 MHz",
        "1,800 MHz",
        "1,800 MHz",
    )
    assert found.points == "0.0,1.0 180.0,16.0 360.0,1.0"


# -- without --------------------------------------------------------------------------------------------


def test_a_run_without_samples_and_conditions_has_a_page(maker: Any):
    folder = maker.make("bare", timing=None, bare=True)
    found = verified(folder, maker.trust)
    page = board_page.rendered(found)
    assert "This run took no samples." in page
    assert "None of these runs took samples." in board_page.comparison([found])
    assert "no compatible: /sys/firmware/devicetree/base/compatible" in page


def test_every_suite_stands_beside_the_host_s_on_every_core(runs: list[Any]):
    found = runs[0]
    assert board_host.cores(found) == ("Cortex-A76 (big)", "Cortex-A55 (little)")
    rows = {(row.suite, row.tokenizer): row for row in board_host.rows(found)}
    assert {row.state for row in rows.values()} == {"equal"}
    asked = rows["determinism", "gpt2"]
    ids = found.evidence.footer.ids["reference"]["gpt2"]
    assert {*asked.cores, asked.threads, asked.host} == {ids}
    told = rows["encode", "gpt2"]
    assert (told.cores, told.threads) == ((found.summary["answers"]["reference"]["gpt2"]["encode"], ""), "")
    page = board_page.rendered(found)
    for sum_ in (ids, told.host):
        assert f'<code title="{sum_}">{sum_[:16]}</code>' in page
    assert "the machine that took the evidence in; 0 sums of answers and device files were derived" in page


def test_a_note_tells_of_every_suite_whether_board_and_host_are_equal(runs: list[Any]):
    note = document(runs[:1])
    columns = ("Cortex-A76 (big)", "Cortex-A55 (little)", "threads")
    assert (
        f"| suite | engine | {' | '.join(f'board, {name}' for name in columns)} | host | tokenizers |" in note
    )
    rows = [line.split(" | ") for line in note.splitlines() if line.endswith(" equal |")]
    assert len(rows) == 5
    (asked,) = (row for row in rows if row[0] == "| `determinism`")
    assert len(set(asked[2:6])) == 1
    assert asked[6] == "2 equal |"


def test_what_differs_from_the_host_is_named_on_page_and_note(
    good: Path, maker: Any, copied: Callable[[Path], Any]
):
    changed = copied(good)
    changed.json(names.HOST, lambda host: host["answers"]["reference"]["gpt2"].update(encode="0" * 64))
    changed.json(names.HOST, lambda host: host["unlike"].update({"reference / gpt2 / encode": "1 of 8"}))
    changed.json(names.HOST, lambda host: host["missing"].update(gone="it is not here"))
    changed.seal()
    found = verified(changed.folder, maker.trust)
    (row,) = (row for row in board_host.rows(found) if row.state != "equal")
    assert (row.suite, row.tokenizer, row.state, row.note) == ("encode", "gpt2", "differs", "1 of 8")
    assert "- `encode`, `reference`, `gpt2`: differs: `1 of 8`" in document([found])
    assert "1 of 2 equal" in board_page.rendered(found)


def test_a_host_that_could_not_answer_is_said_to_have_not(
    good: Path, maker: Any, copied: Callable[[Path], Any]
):
    changed = copied(good)
    nothing: dict[str, Any] = {name: {} for name in ("ids", "answers", "compiled")}
    missing = dict.fromkeys(("gpt2", "wordpiece-short-words"), "it was not at hand")
    changed.json(names.HOST, lambda host: host.update(**nothing, missing=missing))
    changed.seal()
    rows = board_host.rows(verified(changed.folder, maker.trust))
    assert {(row.state, row.note, row.host) for row in rows} == {("not derived", "it was not at hand", "")}


def test_device_files_are_compared_with_those_of_this_host(runs: list[Any]):
    states = {row.state for row in board_view.compared(runs[0])}
    assert states == {"same"}
    assert "vocab.bin" in board_page.rendered(runs[0])
