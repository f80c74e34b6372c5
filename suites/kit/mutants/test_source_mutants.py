"""Mutants of the sources (tools/mutation): what is recorded, swapped, tried and reported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Dict, List

import pytest

from tokassay import data

ROOT = data.root()
sys.path.insert(0, str(ROOT))  # tools/ is no package that is installed

from tools.mutation import reporting, sampling, swapping  # noqa: E402
from tools.mutation.recording import Record  # noqa: E402
from tools.mutation.trying import by_cost, statement  # noqa: E402

SOURCE = """\
LIMIT = 3

def outer(n, step=1):
    def inner(k):
        return k + step
    return inner(n) if n < LIMIT else n

class Box:
    size = 4

    def doubled(self, n):
        return [2 * n for _ in range(2)]
"""

MODULE = """\
def grown(n):
    while n < 3:
        n += 1
    return n

def unseen(n):
    return n
"""
TESTS = """\
import pytest
from tokassay.core.growing import grown

@pytest.fixture(scope="module")
def three():
    return grown(0)

def test_grows(three):
    assert three == 3

def test_is_a_number(three):
    assert isinstance(three, int)

def test_of_something_else():
    assert True
"""
TRY = """\
import json, sys
from pathlib import Path
from tools.mutation import recording, trying
from tools.mutation.sampling import Config, Mutation

sys.path.insert(0, "impl")
config = Config(("core",), (), (), 0, 3, 5.0, ["tests"], {"core/": ["tests"]})
changes = [
    (2, "n < 3", "n < 2"),
    (3, "n += 1", "n += 0"),
    (4, "return n\\n\\n", "return int(n)\\n\\n"),
    (7, "def unseen(n):\\n    return n", "def unseen(n):\\n    return 0"),
]
source = Path("impl/tokassay/core/growing.py").read_text()
trying.preload = lambda: None
trying.sample = lambda config: [Mutation("core/growing.py", "core/Text", n, changes[n][0]) for n in range(4)]
trying.mutated = lambda one: source.replace(*changes[one.occurrence][1:])
recording.record(config, ["tests"]).write(Path("tests.json"))
trying.run(config, recording.Record.read(Path("tests.json")), Path("results.jsonl"), again=False)
"""


def functions(source: str) -> Dict[str, FunctionType]:
    names: Dict[str, object] = {}
    exec(swapping.compiled(source, Path("module.py")), names)
    found = [one for one in [*names.values(), *vars(names["Box"]).values()] if isinstance(one, FunctionType)]
    return {one.__name__: one for one in found}


def swapped(before: str, after: str) -> Dict[str, FunctionType]:
    """The functions of SOURCE, with a change made to them while they live."""
    known = functions(SOURCE)
    codes = [swapping.compiled(text, Path("module.py")) for text in (SOURCE, SOURCE.replace(before, after))]
    swapping.swap(codes[0], codes[1], list(known.values()))
    return known


def test_a_function_that_lives_gets_its_change():
    assert swapped("k + step", "k - step")["outer"](1) == 0


def test_a_method_gets_its_change():
    assert swapped("2 * n", "3 * n")["doubled"](None, 5) == [15, 15]


def test_what_did_not_change_stays():
    assert swapped("k + step", "k - step")["doubled"](None, 5) == [10, 10]


@pytest.mark.parametrize(
    "change", [("LIMIT = 3", "LIMIT = 4"), ("step=1", "step=2"), ("size = 4", "size = 5")]
)
def test_what_runs_at_import_is_not_swapped(change: tuple[str, str]):
    with pytest.raises(swapping.AtImportError):
        swapped(*change)


@pytest.mark.parametrize(("line", "lines"), [(1, {1}), (4, {4}), (6, {6}), (8, {8, 9, 10})])
def test_a_statement_is_the_innermost_and_of_a_block_the_head(line: int, lines: set[int]):
    source = SOURCE.replace("class Box:\n", "class Box(\n    object\n):\n")
    assert statement(source, line) == lines


def test_quick_tests_come_first_and_those_of_one_file_together():
    record = Record({"b::slow": 2.0, "a::x": 0.009, "b::x": 0.010, "a::y": 0.011}, {}, {})
    assert by_cost(set(record.seconds), record) == ["a::x", "a::y", "b::x", "b::slow"]


def test_a_record_is_read_as_it_was_written(tmp_path: Path):
    record = Record({"a": 1.0, "b": 2.0}, {"core/x.py": {3: {"a", "b"}, 4: {"b"}}}, {"core/x.py": {1}})
    record.write(tmp_path / "tests.json")
    assert Record.read(tmp_path / "tests.json") == record


def test_tests_are_added_to_a_record():
    one = Record({"a": 1.0}, {"m": {3: {"a"}}}, {"m": {1}})
    both = one.merged(Record({"b": 2.0}, {"m": {3: {"b"}, 4: {"b"}}}, {"m": {1}}))
    assert both == Record({"a": 1.0, "b": 2.0}, {"m": {3: {"a", "b"}, 4: {"b"}}}, {"m": {1}})


def ran(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Four mutants of a package of one module: seen, endless, harmless, and on a line without a test."""
    package = folder / "impl" / "tokassay"
    empty = {package / "__init__.py": "", package / "core" / "__init__.py": ""}
    files = {**empty, package / "core" / "growing.py": MODULE, folder / "tests" / "test_growing.py": TESTS}
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    outside = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-n 2"}  # of a run around this one
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **outside}
    command = [sys.executable, "-c", script]
    return subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)


def test_a_mutant_is_killed_by_a_test_of_its_line_or_by_its_time(tmp_path: Path):
    done = ran(tmp_path, TRY)
    assert done.returncode == 0, done.stderr
    rows = map(json.loads, (tmp_path / "results.jsonl").read_text("utf-8").splitlines())
    outcomes = [row["outcome"] for row in sorted(rows, key=lambda row: row["mutation"]["occurrence"])]
    assert outcomes == ["killed", "timeout", "survived", "survived"]


def test_where_pytest_does_not_start_no_mutant_is_killed(tmp_path: Path):
    done = ran(tmp_path, TRY.replace('["tests"]', '["nowhere"]'))
    assert "pytest does not start" in done.stderr
    assert done.returncode == 1
    assert (tmp_path / "results.jsonl").read_text("utf-8") == ""


LINES = ("from __future__ import annotations", "no line", "known = codecs()", "gone()")


def row(outcome: str, occurrence: int = 0) -> Dict[str, object]:
    mutation = sampling.Mutation("formats/codec.py", "core/AddNot_1", occurrence, 5)
    return {"mutation": mutation.to_json(), "text": LINES[occurrence], "outcome": outcome}


def tried(path: Path, *rows: Dict[str, object]) -> List[reporting.Tried]:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    return reporting.tried(reporting.read_results(path))


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)


def test_the_latest_try_counts_and_the_first_is_told(tmp_path: Path):
    found = tried(tmp_path / "r", row("survived"), row("invalid", 1), row("killed", 2), row("killed"))
    figures = reporting.figures("formats", found, {})
    assert (figures.tried, figures.at_first, figures.killed) == (2, 1, 2)


def test_a_survivor_is_explained_or_open_or_rewritten(tmp_path: Path):
    found = tried(tmp_path / "r", row("survived"), row("survived", 2), row("survived", 3))
    explained = {("formats/codec.py", "core/AddNot", LINES[0]): "the same answer"}
    figures = reporting.figures("all", found, explained)
    assert (figures.explained, figures.open, figures.rewritten) == (1, 1, 1)
    reasons = [one[-1] for one in reporting.survivors(found, explained)]
    assert reasons == ["the same answer", reporting.OPEN, reporting.REWRITTEN]


def test_every_explanation_has_a_reason():
    assert all(reason and key[1].startswith("core/") for key, reason in reporting.read_explained().items())


def test_every_module_has_tests_for_what_runs_at_import():
    config = sampling.Config.read()
    assert len(sampling.modules(config)) > 150
    assert all(config.tests_at_import(module) for module in sampling.modules(config))
