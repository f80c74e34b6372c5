"""Each mutant in a forked process: the tests that run its line, quick ones first, until one fails."""

from __future__ import annotations

import ast
import gc
import importlib
import json
import math
import os
import resource
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Dict, List, NoReturn, Optional, Sequence, Set

import pytest

from .recording import Record, caches, drive
from .reporting import Row, read_results
from .sampling import PACKAGE, Config, Mutation, dotted, mutated, sample
from .swapping import AtImportError, Functions, Mutated, compiled, functions_by_file, swap

SURVIVED, KILLED, AT_IMPORT = 0, 11, 12  # how a mutant's process ends
UNUSABLE = 13  # how a worker ends for which pytest does not start
NAMES = {SURVIVED: "survived", AT_IMPORT: "at import"}
NOTE = 100  # the file in which a mutant's process names the test that it runs


@dataclass(frozen=True)
class Try:
    """A mutation, its place in the source, and where its outcome goes."""

    mutation: Mutation
    config: Config
    record: Record

    @property
    def path(self) -> Path:
        return PACKAGE / self.mutation.module

    @property
    def source(self) -> str:
        return self.path.read_text("utf-8")

    def tests(self) -> List[str]:
        """Those that run the statement, quick ones first and those of one file together."""
        lines = statement(self.source, self.mutation.line)
        return by_cost(self.record.covering(self.mutation.module, lines), self.record)

    def at_import(self) -> bool:
        """Whether the statement runs before any test, or in none: then perhaps while tests are collected."""
        lines = statement(self.source, self.mutation.line)
        imported = self.record.imported.get(self.mutation.module, set())
        return not imported.isdisjoint(lines) or not self.record.covering(self.mutation.module, lines)


def by_cost(tests: Set[str], record: Record) -> List[str]:
    def key(name: str) -> tuple[int, str, float]:
        seconds = record.seconds[name]
        return int(math.log2(seconds + 0.004)), name.split("::", maxsplit=1)[0], seconds

    return sorted(tests, key=key)


def statement(source: str, line: int) -> Set[int]:
    """The lines of the innermost statement around a line; of a block, its head alone."""
    found = {line}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or line
            lines = set(range(node.lineno, max(last, node.lineno) + 1))
            found = lines if line in lines else found
    return found


@dataclass(frozen=True)
class Outcome:
    """How a mutant ended (``killed``, ``timeout``, ``survived``, ...) and the last test that it began."""

    name: str
    by: str = ""

    @property
    def dead(self) -> bool:
        return self.name in ("killed", "timeout")


def in_child(work: Callable[[], object], clock: float) -> Outcome:
    """`work` in a forked process, for at most `clock` seconds."""
    with tempfile.TemporaryFile() as note:
        child = os.fork()
        if child == 0:
            os.dup2(note.fileno(), NOTE)
            try:
                work()
            finally:
                os._exit(KILLED)
        name = ended(child, clock)
        note.seek(0)
        return Outcome(name, note.read().decode() if name in ("killed", "timeout") else "")


def ended(child: int, seconds: float) -> str:
    """How a mutant's process ended; ``timeout`` is a kill, too."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done and os.WIFSIGNALED(status):
            return "timeout" if os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGPROF) else "killed"
        if done:
            return NAMES.get(os.WEXITSTATUS(status), "killed")
        time.sleep(0.005)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "timeout"


def limit(seconds: float) -> None:
    """This process is a mutant from now on: silent, in a group of its own, with limits."""
    os.setpgrp()
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)


@dataclass(eq=False)
class Stop:
    """A pytest plugin: the first test that fails ends the process; a test that hangs does, too."""

    record: Record

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        os.ftruncate(NOTE, 0)
        os.pwrite(NOTE, item.nodeid.encode(), 0)
        signal.setitimer(signal.ITIMER_PROF, 2 + 10 * self.record.seconds.get(item.nodeid, 1))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        expected = (pytest.skip.Exception, pytest.xfail.Exception)
        if call.excinfo and not call.excinfo.errisinstance(expected) and not item.get_closest_marker("xfail"):
            os._exit(KILLED)


def run_items(items: Sequence[pytest.Item], seconds: float) -> NoReturn:
    """In this order, until `seconds` of processor time are over."""
    for item, after in zip(items, [*items[1:], None]):
        left = time.process_time() < seconds
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after if left else None)
        if not left:
            break
    os._exit(SURVIVED)


@dataclass(eq=False)
class Server:
    """A pytest plugin: has collected everything, runs nothing itself and forks for each mutant."""

    tries: Sequence[Try]
    write: Callable[[Try, Outcome], None]
    items: Dict[str, pytest.Item] = field(default_factory=dict)
    sound: Dict[str, bool] = field(default_factory=dict)  # whether a test passes without a mutant

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        session.config._tmp_path_factory.getbasetemp()  # noqa: SLF001 - children share the folder
        for cache in caches():
            cache.cache_clear()
        functions = functions_by_file()
        gc.freeze()  # a fork shares what no collection touches
        for one in self.tries:
            outcome = self._outcome(one, functions)
            if outcome.name != "at import" and (outcome.name != "survived" or not one.at_import()):
                self.write(one, outcome)
        return True

    def _outcome(self, one: Try, functions: Functions) -> Outcome:
        try:
            changed = compiled(mutated(one.mutation), one.path)
        except SyntaxError:
            return Outcome("invalid")
        original = compiled(one.source, one.path)

        def work() -> None:
            limit(one.config.seconds + 60)
            try:
                swap(original, changed, functions.get(original.co_filename, []))
            except AtImportError:
                os._exit(AT_IMPORT)
            names = [name for name in one.tests() if name in self.items and self.sound.get(name, True)]
            run_items([self.items[name] for name in names], one.config.seconds)

        outcome = in_child(work, 120 + 40 * one.config.seconds)
        return outcome if self._counts(outcome) else self._outcome(one, functions)

    def _counts(self, outcome: Outcome) -> bool:
        """A kill counts if the test passes without the mutant."""
        name = outcome.by
        if outcome.dead and name and name not in self.sound:
            found = in_child(lambda: self._alone(name), 600)
            self.sound[name] = not found.dead
        return not outcome.dead or self.sound.get(name, True)

    def _alone(self, name: str) -> None:
        limit(120)
        run_items([self.items[name]], 100)


@dataclass(eq=False)
class Fresh:
    """A pytest plugin: of what is collected, what runs the module first, then the rest."""

    one: Try

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            os._exit(KILLED)
        items = {item.nodeid: item for item in session.items}
        record, module = self.one.record, self.one.mutation.module
        near = record.covering(module, record.lines.get(module, {})) & items.keys()
        known = (items.keys() & record.seconds.keys()) - near
        names = [*by_cost(near, record), *by_cost(known, record)]
        run_items([items[name] for name in names], time.process_time() + self.one.config.seconds)


def fresh(one: Try) -> Outcome:
    """The outcome in a process that has imported nothing of the package yet."""
    changed = compiled(mutated(one.mutation), one.path)

    def work() -> None:
        limit(one.config.seconds + 120)
        sys.meta_path.insert(0, Mutated(dotted(one.mutation.module), one.path, changed))
        tests = one.config.tests_at_import(one.mutation.module)
        drive(tests, [Fresh(one), Stop(one.record)])

    return in_child(work, 400 + 40 * one.config.seconds)


def preload() -> None:
    """What every mutant needs and no mutation touches."""
    for name in ("hypothesis", "jinja2", "jsonschema", "numpy", "tokenizers"):
        importlib.import_module(name)
    from hypothesis import Phase, settings  # noqa: PLC0415 - just imported

    phases = (Phase.explicit, Phase.generate)  # nobody reads the example: no shrinking
    settings.register_profile("mutants", derandomize=True, database=None, deadline=None, phases=phases)
    settings.load_profile("mutants")


def run(config: Config, record: Record, results: Path, *, again: bool, workers: int = 1) -> None:
    """Append one line per mutant; with `again`, the survivors once more."""
    preload()
    before = read_results(results)
    tries = [Try(one, config, record) for one in sample(config) if _wanted(before.get(one.name), again=again)]
    stream = results.open("a", encoding="utf-8")

    def write(one: Try, outcome: Outcome) -> None:
        text = one.source.splitlines()[one.mutation.line - 1].strip()
        row = {"mutation": one.mutation.to_json(), "text": text, "outcome": outcome.name, "by": outcome.by}
        print(json.dumps(row), file=stream, flush=True)

    def try_fresh(share: Sequence[Try]) -> None:
        for one in share:
            write(one, fresh(one))

    _share(tries, workers, lambda share: _serve(share, write, config))
    after = read_results(results)
    left = [one for one in tries if after.get(one.mutation.name) == before.get(one.mutation.name)]
    _share(left, workers, try_fresh)
    stream.close()


def _wanted(rows: Optional[List[Row]], *, again: bool) -> bool:
    if rows is None:
        return not again
    return again and rows[-1]["outcome"] == "survived"


def _share(tries: Sequence[Try], workers: int, work: Callable[[Sequence[Try]], None]) -> None:
    """Each worker is a process with every n-th of the tries."""
    children = []
    for index in range(min(workers, len(tries))):
        children.append(os.fork())
        if children[-1] == 0:
            try:
                work(tries[index::workers])
            finally:
                os._exit(0)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    if UNUSABLE in codes:
        raise SystemExit("pytest does not start with these tests: no mutant was tried")


def _serve(tries: Sequence[Try], write: Callable[[Try, Outcome], None], config: Config) -> None:
    plugins = [Server(tries, write), Stop(tries[0].record)]
    if drive(config.tests, plugins, "--capture=no") == pytest.ExitCode.USAGE_ERROR:
        os._exit(UNUSABLE)  # every mutant would seem to be killed
