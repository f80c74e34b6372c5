"""The second driver: the same checks on the same vectors as ``tokassay run``, as pytest items.

A test takes part by asking for the fixture ``cell`` in a module that names its ``SUITE``; it becomes one
item per engine and tokenizer. An item runs every vector of its cell, because a pytest item costs more than
a hundred checks; each failing vector is reported by its id. Options: ``--engine --tokenizer --suite --level
--vector --vectors --report``. A run that was asked for something and tried nothing fails.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Iterator, List, Optional, Sequence

import pytest

from tokassay.checks import Suite
from tokassay.checks.engine import Engine
from tokassay.checks.verdict import TRIED, Verdict
from tokassay.verdicts.driver import Plan, Target, run_target
from tokassay.verdicts.events import Broken, EngineDown, Event, Footer, ListNote, Tally, from_json, to_json

OPTIONS = ("engine", "tokenizer", "suite", "level", "vector")


@dataclass(frozen=True)
class Cell:
    """One engine on one tokenizer in one suite. `missing` names a cell without anything to run."""

    plan: Plan
    engine: Optional[Engine]
    target: Optional[Target]
    suite: str
    events: List[Event] = field(default_factory=list, compare=False)

    @property
    def engine_name(self) -> str:
        return self.engine.info.name if self.engine else ""

    @property
    def target_name(self) -> str:
        return self.target.name if self.target else ""

    @property
    def id(self) -> str:
        return f"{self.engine_name}-{self.target_name}" if self.engine else "not-selected"

    def failures(self) -> Sequence[str]:
        """Run every vector; what is not as it should be, in words.

        A cell in which nothing could be tried is skipped, with the reason.
        """
        assert self.engine is not None  # cells without one are deselected
        assert self.target is not None
        for event in run_target(self.plan, self.engine, self.target):
            self.events.append(self.plan.known.judge(event) if isinstance(event, Verdict) else event)
        from tokassay.report.failures import Failures  # noqa: PLC0415 - only where something runs

        found = Failures(limit=20, list_rest=True)
        for event in self.events:
            found.add(event)
        if not any(isinstance(event, Verdict) and event.kind in TRIED for event in self.events):
            pytest.skip("; ".join(found.lines()) or "nothing to try")
        return found.lines() if any(_is_failure(event) for event in self.events) else ()


def _is_failure(event: Event) -> bool:
    return (isinstance(event, Verdict) and event.failed) or isinstance(event, (Broken, EngineDown))


@dataclass
class Conformance:
    """What this pytest run has selected, run and seen."""

    config: pytest.Config
    plan: Optional[Plan] = None
    notes: List[str] = field(default_factory=list)
    events: List[Event] = field(default_factory=list)
    asked: bool = False

    def prepared(self) -> Plan:
        """The plan of the whole run, made when the first test asks for it."""
        if self.plan is None:
            from tokassay.cli import SuiteError, UsageError  # noqa: PLC0415 - only where something runs
            from tokassay.cli._plan import Selection, plan  # noqa: PLC0415

            given = {f"{name}s": tuple(self.config.getoption(f"assay_{name}") or ()) for name in OPTIONS}
            paths = {name: self.config.getoption(f"assay_{name}") for name in ("folder", "divergences")}
            chosen = Selection(**given, **paths)  # type: ignore[arg-type]
            try:
                self.plan = plan(chosen)
            except (SuiteError, UsageError) as error:
                raise pytest.UsageError(str(error)) from error
            self.notes.extend(chosen.notes)
        return self.plan

    def cells(self, suite: str) -> Iterator[Cell]:
        """The cells of a suite that have something to run."""
        whole = self.prepared()
        for one in whole.suites:
            if one.name == suite:
                yield from _cells(whole, one)


def _cells(whole: Plan, suite: Suite) -> Iterator[Cell]:
    part = replace(whole, suites=[suite])
    for target in whole.targets:
        vectors = [vector for vector in target.vectors if suite.applies(vector)]
        if vectors:
            for engine in whole.engines:
                yield Cell(part, engine, replace(target, vectors=vectors), suite.name)


CONFORMANCE = pytest.StashKey[Conformance]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tokassay", "tokassay: conformance of tokenizers")
    what = {
        "engine": "engine address, repeatable",
        "tokenizer": "own or real tokenizer by name, or a file; repeatable",
        "suite": "suite, repeatable",
        "level": "only vectors of this level (must, should), repeatable",
        "vector": "only vectors whose id matches this glob, repeatable",
    }
    for name, text in what.items():
        group.addoption(f"--{name}", action="append", dest=f"assay_{name}", metavar=name.upper(), help=text)
    group.addoption(
        "--vectors", dest="assay_folder", type=Path, metavar="PATH", help="other vectors: a folder, a file"
    )
    group.addoption(
        "--divergences", dest="assay_divergences", type=Path, metavar="FILE", help="known divergences (TOML)"
    )
    group.addoption(
        "--report",
        dest="assay_report",
        type=Path,
        metavar="DIR",
        help="write results.jsonl, junit.xml, report.html, ...",
    )


def pytest_configure(config: pytest.Config) -> None:
    conformance = Conformance(config)
    conformance.asked = any(config.getoption(f"assay_{name}") for name in OPTIONS)
    config.stash[CONFORMANCE] = conformance


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "cell" not in metafunc.fixturenames:
        return
    conformance = metafunc.config.stash[CONFORMANCE]
    cells = list(conformance.cells(metafunc.module.SUITE))
    none = Cell(conformance.prepared(), None, None, metafunc.module.SUITE)
    metafunc.parametrize("cell", cells or [none], ids=lambda cell: cell.id)


def pytest_collection_modifyitems(config: pytest.Config, items: List[pytest.Item]) -> None:
    """What was not selected is deselected, not skipped."""
    unselected = [item for item in items if (cell := _cell(item)) is not None and cell.engine is None]
    if unselected:
        config.hook.pytest_deselected(items=unselected)
        items[:] = [item for item in items if item not in unselected]


def _cell(item: pytest.Item) -> Optional[Cell]:
    spec = getattr(item, "callspec", None)
    found = spec.params.get("cell") if spec is not None else None
    return found if isinstance(found, Cell) else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:  # noqa: ARG001
    """Events travel on the report: with pytest-xdist the run and its summary are in two processes.

    Passes are nearly all of them; they travel as a count where no report is written.
    """
    report = yield
    cell = _cell(item)
    if cell is not None and report.when == "call":
        whole = item.config.getoption("assay_report") is not None
        told = [event for event in cell.events if whole or not _is_pass(event)]
        report.tokassay = [to_json(event) for event in told]
        report.tokassay_passes = [
            cell.engine_name,
            cell.target_name,
            cell.suite,
            len(cell.events) - len(told),
        ]
        cell.events.clear()
    return report


def _is_pass(event: Event) -> bool:
    return isinstance(event, Verdict) and event.kind == "pass"


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The matrix, what was not run, and the report files."""
    conformance, reports = config.stash[CONFORMANCE], _reports(config)
    if not reports and not conformance.asked:
        return
    from tokassay.report.matrix import Matrix, plain  # noqa: PLC0415 - only where something ran

    table = Matrix()
    for report in reports:
        engine, target, suite, passes = report.tokassay_passes
        table.count((engine, target, suite), "pass", passes)
        for line in report.tokassay:
            event = from_json(line)
            conformance.events.append(event)
            table.add(event)
    terminalreporter.section("conformance")
    for note in conformance.notes:
        terminalreporter.line(note)
    for remark in _list_notes(config):
        conformance.events.append(remark)
        terminalreporter.line(f"{remark.where}: {remark.reason}", red=remark.failed)
    terminalreporter.line(plain(table))
    if config.getoption("assay_report"):
        _write(config.getoption("assay_report"), conformance)


def _reports(config: pytest.Config) -> List[Any]:
    """The reports of the cells, from this process or from the workers."""
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    every = [report for found in reporter.stats.values() for report in found] if reporter else []
    return [report for report in every if hasattr(report, "tokassay")]


def _list_notes(config: pytest.Config) -> List[ListNote]:
    """What is wrong with the owner's list, after everything has run."""
    plan = config.stash[CONFORMANCE].plan
    if plan is None or not plan.known.entries:
        return []
    return list(plan.known.notes(from_json(line) for report in _reports(config) for line in report.tokassay))


def _write(folder: Path, conformance: Conformance) -> None:
    from tokassay.diagnosis.findings import Options, conclude  # noqa: PLC0415
    from tokassay.report.writing import recorder  # noqa: PLC0415
    from tokassay.verdicts.driver import header  # noqa: PLC0415
    from tokassay.verdicts.exit_code import exit_code  # noqa: PLC0415

    started, tally, plan = time.monotonic(), Tally(), conformance.prepared()
    failed = [event for event in conformance.events if isinstance(event, Verdict) and event.failed]
    with recorder(folder) as record:
        for event in (header(plan), *conformance.events):
            tally.add(event)
            record(event)
        for finding in conclude(plan, failed, Options()):
            record(finding)
        record(
            Footer(dict(tally.counts), round(time.monotonic() - started, 3), exit_code(tally), tally.ids())
        )


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Nothing tried is a failure where something was asked for; so is an expired known divergence."""
    conformance = session.config.stash[CONFORMANCE]
    if not conformance.asked or hasattr(session.config, "workerinput"):
        return
    if not _tried(session.config):
        session.exitstatus = pytest.ExitCode.USAGE_ERROR
    elif any(note.failed for note in _list_notes(session.config)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _tried(config: pytest.Config) -> bool:
    for report in _reports(config):
        events = map(from_json, report.tokassay)
        if report.tokassay_passes[-1] or any(isinstance(e, Verdict) and e.kind in TRIED for e in events):
            return True
    return False
