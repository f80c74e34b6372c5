"""action.yml: well-formed, and its steps do what they say in a clean environment outside the checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tokassay import cli, data

ROOT = Path(__file__).parents[3]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ENGINE = """\
import json, sys
for line in sys.stdin:
    ask = json.loads(line)
    answer = {
        "hello": {"protocol": 1, "engine": {"name": "bytes", "version": "1"}, "capabilities": ["encode"]},
        "load": {"loaded": True},
        "encode": {"ids": [0]},
        "bye": {"bye": True},
    }[ask["op"]]
    print(json.dumps({"id": ask["id"], **answer}), flush=True)
"""


def steps(action: Any = ACTION) -> dict[str, Any]:
    return {step["name"]: step for step in action["runs"]["steps"]}


def expressions(value: Any) -> set[str]:
    return set(re.findall(r"\$\{\{\s*([\w.-]+)", yaml.safe_dump(value, width=10**6)))


def test_every_input_is_described_and_used():
    used = {name.partition(".")[2] for name in expressions(ACTION) if name.startswith("inputs.")}
    assert used == set(ACTION["inputs"])
    assert all(one["description"] for one in ACTION["inputs"].values())
    assert [name for name, one in ACTION["inputs"].items() if one.get("required")] == ["engine"]


def test_scripts_get_their_inputs_as_variables_only():
    """An expression inside a script would be code of whoever wrote the input."""
    scripts = [step for step in ACTION["runs"]["steps"] if "run" in step]
    assert scripts
    assert all(step["shell"] == "bash" and "${{" not in step["run"] for step in scripts)


def test_workflows_give_the_action_only_inputs_that_exist():
    workflows = [yaml.safe_load(path.read_text("utf-8")) for path in WORKFLOWS]
    jobs = [step for flow in workflows for job in flow["jobs"].values() for step in job["steps"]]
    uses = [step for step in jobs if step.get("uses") == "./"]
    assert uses
    assert all(set(step["with"]) <= set(ACTION["inputs"]) for step in uses)


def test_every_exit_code_is_told():
    assert all(str(code) in ACTION["outputs"]["exit-code"]["description"] for code in range(5))


class Runner:
    """What a runner does with the scripts of a composite action, no more."""

    def __init__(self, folder: Path, action_path: str, **inputs: str) -> None:
        self.folder, self.outputs = folder, folder / "outputs"
        defaults = {name: str(one.get("default", "")) for name, one in ACTION["inputs"].items()}
        self.values = {f"inputs.{name}": value for name, value in {**defaults, **inputs}.items()}
        self.values["github.action_path"] = action_path
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "RUNNER_TEMP": str(folder / "temp"),
            "GITHUB_OUTPUT": str(self.outputs),
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        }

    def filled(self, value: str) -> str:
        """Expressions by their values."""
        return re.sub(r"\$\{\{\s*([\w.-]+)\s*\}\}", lambda found: self.values[found[1]], value)

    def wanted(self, step: dict[str, Any]) -> bool:
        """Whether its condition holds: an input compared with a text."""
        if "if" not in step:
            return True
        name, sign, text = re.fullmatch(r"\$\{\{ ([\w.-]+) (==|!=) '(\w*)' \}\}", step["if"]).groups()
        return (self.values[name] == text) == (sign == "==")

    def run(self, name: str) -> subprocess.CompletedProcess[str]:
        step = steps()[name]
        return self.shell(step["run"], {key: self.filled(value) for key, value in step["env"].items()})

    def shell(self, script: str, given: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        environment = {**self.environment, **(given or {})}
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )

    def job(self, *, leave_out: str = "") -> tuple[bool, list[str]]:
        """Every step in its order until one fails: whether the job is green, and what was uploaded."""
        uploaded = []
        for step in ACTION["runs"]["steps"]:
            if step["name"] == leave_out or not self.wanted(step):
                continue
            if "uses" in step:
                path = self.filled(step["with"].get("path") or step["with"]["sarif_file"])
                uploaded += [path] if (self.folder / path).exists() else []
            elif self.run(step["name"]).returncode:
                return False, uploaded
            elif step.get("id"):
                self.output()
        return True, uploaded

    def output(self) -> str:
        found = dict(line.split("=") for line in self.outputs.read_text("utf-8").splitlines())
        self.values.update({f"steps.run.outputs.{name}": value for name, value in found.items()})
        return found["exit-code"]


def workflow(step: int, folder: Path) -> Runner:
    """The kit's own workflow for an engine, with the worked example at one of its steps."""
    (job,) = yaml.safe_load((ROOT / ".github/workflows/engine.yml").read_text("utf-8"))["jobs"].values()
    build = next(one["run"] for one in job["steps"] if one.get("name") == "Build the engine")
    runner = Runner(folder, str(ROOT), **next(one["with"] for one in job["steps"] if one.get("uses") == "./"))
    shutil.copytree(ROOT / "docs" / "protocol", folder / "docs" / "protocol")
    built = runner.shell(re.sub(r"STEP=\d", f"STEP={step}", build))
    assert built.returncode == 0, built.stderr
    return runner


def fake_install(runner: Runner, folder: Path) -> None:
    """A ``tokassay`` where the action installs one: the one under test."""
    program = Path(runner.environment["RUNNER_TEMP"]) / "tokassay" / "bin" / "tokassay"
    program.parent.mkdir(parents=True)
    package = Path(cli.__file__).parents[2]
    program.write_text(
        f"#!/bin/sh\nPYTHONPATH='{package}' exec '{sys.executable}' -m tokassay \"$@\"\n", "utf-8"
    )
    program.chmod(0o755)
    (folder / "engine.py").write_text(ENGINE, "utf-8")


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    runner = Runner(
        tmp_path,
        str(ROOT),
        engine=f"exec:'{sys.executable}' engine.py",
        tokenizer="gpt2 llama3",
        suite="encode",
        arguments="--vector bug-* --failures 1",
    )
    fake_install(runner, tmp_path)
    return runner


def test_an_engine_that_diverges_fails_the_job_after_the_report_is_there(runner: Runner, tmp_path: Path):
    done = runner.run("Run")
    assert done.returncode == 0, done.stderr
    assert "gpt2" in done.stdout
    assert "llama3" in done.stdout
    assert (tmp_path / "tokassay-report" / "results.jsonl").is_file()
    sarif = steps()["Upload the findings"]["with"]["sarif_file"].rpartition("/")[2]
    assert (tmp_path / "tokassay-report" / sarif).is_file()
    summary = (tmp_path / "tokassay-report" / "summary.md").read_text("utf-8")
    assert (tmp_path / "summary.md").read_text("utf-8") == summary
    assert runner.output() == "1"
    assert runner.run("Conclude").returncode == 1


@pytest.mark.parametrize(("step", "green"), [(2, False), (6, True)])
def test_the_job_of_an_engine_is_green_when_it_is_right(step: int, green: bool, tmp_path: Path):
    runner = workflow(step, tmp_path)
    fake_install(runner, tmp_path)
    assert runner.job(leave_out="Install tokassay") == (green, ["tokassay-report"])
    assert runner.output() == str(int(not green))
    told = (tmp_path / "summary.md").read_text("utf-8")
    assert ("diverge" in told) != green


def test_uploads_are_chosen_by_inputs(tmp_path: Path):
    runner = workflow(6, tmp_path)
    fake_install(runner, tmp_path)
    runner.values |= {"inputs.artifact": "", "inputs.sarif": "true", "inputs.report": "told"}
    assert runner.job(leave_out="Install tokassay") == (True, ["told/results.sarif"])


def test_an_engine_that_is_not_there_is_exit_code_3(runner: Runner):
    runner.values["inputs.engine"] = "exec:./absent"
    runner.run("Run")
    assert runner.output() == "3"


@pytest.mark.nightly
def test_the_built_wheel_runs_in_a_clean_environment(tmp_path: Path):
    """Build, install from the wheel alone, run an engine's program: outside the checkout."""
    assert data.root() == ROOT, "this test needs the checkout"
    subprocess.run([sys.executable, "-m", "build", "--wheel", "-o", str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    runner = Runner(
        tmp_path,
        "",
        engine="exec:./engine",
        package=str(wheel),
        python=sys.executable,
        suite="encode determinism",
        arguments="--vector bug-* --failures 1",
    )
    (tmp_path / "engine").write_text(f"#!{sys.executable}\n{ENGINE}", "utf-8")
    (tmp_path / "engine").chmod(0o755)
    installed = runner.run("Install tokassay")
    assert installed.returncode == 0, installed.stderr
    done = runner.run("Run")
    assert done.returncode == 0, done.stderr
    assert "determinism" in done.stdout
    assert runner.output() == "1"


@pytest.mark.nightly
def test_the_whole_job_runs_with_what_it_installs_itself(tmp_path: Path):
    runner = workflow(6, tmp_path)
    runner.values["inputs.python"] = sys.executable
    assert runner.job() == (True, ["tokassay-report"])
