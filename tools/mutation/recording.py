"""Once, before all mutants: which tests run which lines, and what each test costs."""

from __future__ import annotations

import functools
import gc
import importlib
import json
import os
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Sequence, Set

import coverage
import pytest

from .sampling import PACKAGE, Config, dotted, modules

IMPORTED, COLLECTED, SHARED = "import", "collect ", "fixture "


@dataclass(frozen=True)
class Record:
    """`lines[module][line]` are the tests that run a line, `imported[module]` the lines run before any test.

    Tests are named by their ids; `seconds` are of processor time, measured while recording.
    """

    seconds: Mapping[str, float]
    lines: Mapping[str, Mapping[int, Set[str]]]
    imported: Mapping[str, Set[int]]

    @classmethod
    def read(cls, path: Path) -> Record:
        found = json.loads(path.read_text("utf-8"))
        names = list(found["seconds"])
        lines = {
            module: {int(line): {names[index] for index in tests} for line, tests in of.items()}
            for module, of in found["lines"].items()
        }
        imported = {module: set(of) for module, of in found["imported"].items()}
        return cls(found["seconds"], lines, imported)

    def write(self, path: Path) -> None:
        index = {name: at for at, name in enumerate(self.seconds)}
        lines = {
            module: {line: sorted(index[name] for name in tests) for line, tests in of.items()}
            for module, of in self.lines.items()
        }
        imported = {module: sorted(of) for module, of in self.imported.items()}
        path.write_text(json.dumps({"seconds": self.seconds, "lines": lines, "imported": imported}), "utf-8")

    def merged(self, other: Record) -> Record:
        """This one, and what `other` says of its tests and of lines at import."""
        return Record(
            {**self.seconds, **other.seconds},
            {
                module: _united(self.lines.get(module, {}), other.lines.get(module, {}))
                for module in {*self.lines, *other.lines}
            },
            {**self.imported, **other.imported},
        )

    def covering(self, module: str, lines: Iterable[int]) -> Set[str]:
        """The tests that run one of the lines."""
        of = self.lines.get(module, {})
        return set().union(*(of.get(line, set()) for line in lines))


def _united(one: Mapping[int, Set[str]], other: Mapping[int, Set[str]]) -> Dict[int, Set[str]]:
    return {line: one.get(line, set()) | other.get(line, set()) for line in {*one, *other}}


def caches() -> List[Any]:
    """Every memory of a function in this repository: what is remembered is not run again by the next test."""
    here, kind = str(Path.cwd()), type(functools.lru_cache(len))
    found = [thing for thing in gc.get_objects() if isinstance(thing, kind)]
    return [one for one in found if _file(one).startswith(here)]


def _file(cache: Any) -> str:
    return str(getattr(getattr(cache.__wrapped__, "__code__", None), "co_filename", ""))


@dataclass(eq=False)
class Recorder:
    """A pytest plugin: one context of coverage.py for each test, each shared fixture and each import."""

    measured: coverage.Coverage
    seconds: Dict[str, float] = field(default_factory=dict)
    shared: Dict[str, List[str]] = field(default_factory=dict)  # a shared fixture: the tests that ask for it
    failed: Set[str] = field(default_factory=set)  # without any mutant
    context: List[str] = field(default_factory=lambda: [IMPORTED])
    caches: List[Any] = field(default_factory=list)

    @contextmanager
    def _within(self, context: str) -> Iterator[None]:
        self.context.append(context)
        self.measured.switch_context(context)
        try:
            yield
        finally:
            self.context.pop()
            self.measured.switch_context(self.context[-1])

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[Any]:
        with self._within(COLLECTED + collector.nodeid):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[Any]:
        context = self.context[-1] if fixturedef.scope == "function" else _shared(fixturedef)
        with self._within(context):
            return (yield)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.caches = caches()
        for item in session.items:
            for definitions in item._fixtureinfo.name2fixturedefs.values():  # type: ignore[attr-defined]  # noqa: SLF001
                self.shared.setdefault(_shared(definitions[-1]), []).append(item.nodeid)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        for cache in self.caches:
            cache.cache_clear()
        began = time.process_time()
        with self._within(item.nodeid):
            result = yield
        self.seconds[item.nodeid] = round(time.process_time() - began, 4)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)

    def record(self, names: Sequence[str]) -> Record:
        """What was seen of `names`."""
        data, lines, imported = self.measured.get_data(), {}, {}
        for module in names:
            by_line = data.contexts_by_lineno(str((PACKAGE / module).resolve()))
            lines[module] = {line: self._tests(contexts) for line, contexts in by_line.items()}
            imported[module] = {line for line, contexts in by_line.items() if IMPORTED in contexts}
        seconds = {name: cost for name, cost in self.seconds.items() if name not in self.failed}
        return Record(seconds, lines, imported)

    def _tests(self, contexts: Iterable[str]) -> Set[str]:
        asking = [self.shared.get(context, [context]) for context in contexts]
        return {
            name for names in asking for name in names if name in self.seconds and name not in self.failed
        }


def _shared(definition: Any) -> str:
    return f"{SHARED}{definition.baseid} {definition.argname} {id(definition)}"


def record(config: Config, tests: Sequence[str]) -> Record:
    """Run `tests` once."""
    include = [str((PACKAGE / part).resolve() / "*") for part in config.parts]
    measured = coverage.Coverage(data_file=None, config_file=False, include=include)
    names = modules(config)
    measured.start()
    measured.switch_context(IMPORTED)
    for name in names:
        importlib.import_module(dotted(name))
    recorder = Recorder(measured)
    drive(tests, [recorder])
    measured.stop()
    return recorder.record(names)


def drive(tests: Sequence[str], plugins: List[object], *more: str) -> int:
    """The exit code of pytest in this process; PYTEST_ADDOPTS is meant for a run around this one."""
    os.environ.pop("PYTEST_ADDOPTS", None)
    return int(pytest.main([*options(), *more, *tests], plugins=plugins))


def options() -> List[str]:
    """Of pytest; temporary files have a folder of this process, since other runs clear the usual one."""
    folder = tempfile.mkdtemp(prefix="mutation-")
    return ["-q", "--tb=short", "-p", "no:cacheprovider", "--basetemp", f"{folder}/tmp", "-o", KEPT]


KEPT = "tmp_path_retention_policy=none"
