"""Campaigns: findings, bases, resuming, workers that die, exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tokassay import data
from tokassay.cli import main
from tokassay.fuzzing.campaign import Campaign, Plan
from tokassay.fuzzing.storing import Store, read_finding
from tokassay.fuzzing.target import Setting

GPT2 = str(data.root() / "golden" / "tokenizers" / "gpt2" / "tokenizer.json")


def fuzz(*words):
    return main(["fuzz", *words])


def findings(folder):
    return [read_finding(path) for path in sorted((folder / "findings").iterdir())]


def test_a_right_engine_conforms(tmp_path, capsys):
    assert fuzz("encode", "--tokenizer", GPT2, "--count", "60", "--state", str(tmp_path), "--json") == 0
    counts = json.loads(capsys.readouterr().out)
    assert (counts["execs"], counts["new"], counts["target"]) == (60, 0, "encode")


def test_a_wrong_engine_is_one_small_finding_with_a_card(tmp_path, capsys):
    words = (
        "encode",
        "--engine",
        "fake:wrong",
        "--tokenizer",
        GPT2,
        "--count",
        "40",
        "--state",
        str(tmp_path),
    )
    assert fuzz(*words, "--sarif", str(tmp_path / "out.sarif")) == 1
    (found,) = findings(tmp_path)
    assert len(found.case["text"]) == 1
    folder = tmp_path / "findings" / found.name
    assert json.loads((folder / "card" / "card.json").read_text())["engine"]["name"] == "fake:wrong"
    assert "tokassay replay" in (folder / "README.md").read_text()
    assert len(json.loads((tmp_path / "out.sarif").read_text())["runs"][0]["results"]) == 1
    assert main(["replay", str(folder)]) == 1
    assert main(["replay", str(folder), "--engine", "reference", "--json"]) == 0
    capsys.readouterr()
    assert fuzz(*words, "--base", str(tmp_path)) == 0  # known by now


def test_count_and_seed_make_the_same_cases_whatever_the_workers(tmp_path):
    def keys(workers):
        store = Store.open(tmp_path / str(workers))
        setting = Setting("fake:wrong", "hf", (GPT2,))
        campaign = Campaign(Plan("decode", setting, 3, workers, None, 30), store, lambda _: None)
        campaign.run()
        return campaign.ran, sorted(store.findings)

    assert keys(1) == keys(2) == (30, [])  # that engine decodes rightly


@pytest.mark.parametrize(("sent", "kind"), [(signal.SIGKILL, "crash"), (signal.SIGSTOP, "timeout")])
def test_a_worker_that_dies_or_hangs_costs_one_case(tmp_path, sent, kind):
    store = Store.open(tmp_path)
    plan = Plan("lookup", Setting(), 3, 1, None, 6000, case_seconds=0.5, shrink_seconds=0.2)
    hit = []

    def say(_):
        if not hit:
            hit.append(True)
            os.kill(campaign.workers[0].process.pid, sent)

    campaign = Campaign(plan, store, say)
    progress = campaign.run()
    (found,) = store.findings.values()
    assert (found.found.kind, progress.restarts) == (kind, 1)
    assert set(found.case) == {"index", "seed"}
    assert campaign.state.next[0] >= 6000
    assert main(["replay", str(store.place(found))]) == 0  # the case itself is harmless


def test_a_budget_that_is_over_before_the_start_still_runs_a_case(tmp_path, capsys):
    assert fuzz("lookup", "--time", "0.001", "--state", str(tmp_path), "--json") == 0
    assert json.loads(capsys.readouterr().out)["execs"] > 0


def test_unknown_targets_and_budgets_are_usage_errors(tmp_path):
    assert fuzz("nothing") == 2
    assert fuzz("encode", "--workers", "0") == 2
    assert main(["replay", str(tmp_path)]) == 2


def test_an_engine_that_cannot_start_is_exit_code_3(tmp_path):
    assert fuzz("encode", "--engine", "exec:/no/such/engine", "--count", "5", "--state", str(tmp_path)) == 3


def test_killed_and_resumed_no_case_is_lost(tmp_path):
    """SIGKILL: what was done up to the last second is there, and the next run goes on behind it."""
    words = [sys.executable, "-m", "tokassay", "fuzz", "lookup", "--state", str(tmp_path), "--seed", "5"]
    running = subprocess.Popen([*words, "--time", "600"], stderr=subprocess.DEVNULL, start_new_session=True)
    state = tmp_path / "state.json"
    deadline = time.monotonic() + 60
    while (
        not (state.exists() and json.loads(state.read_text())["execs"] > 200) and time.monotonic() < deadline
    ):
        time.sleep(0.05)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    before = json.loads(state.read_text())
    assert before["execs"] > 200
    resumed = subprocess.run(
        [*words, "--resume", "--count", str(before["next"][0] + 50), "--json"],
        capture_output=True,
        check=True,
    )
    assert json.loads(resumed.stdout)["execs"] == 50
    assert json.loads(state.read_text())["execs"] == before["execs"] + 50


def test_a_finding_becomes_a_vector_draft(tmp_path):
    from tokassay.cli.vectors import _found

    fuzz("encode", "--engine", "fake:wrong", "--tokenizer", GPT2, "--count", "8", "--state", str(tmp_path))
    (found,) = findings(tmp_path)
    assert _found(tmp_path / "findings" / found.name) == {"text": found.case["text"]}


@pytest.mark.nightly
def test_every_target_in_code_change_mode(tmp_path):
    assert fuzz("all", "--mode", "code-change", "--time", "5", "--state", str(tmp_path)) == 0
