"""Mutation testing of core/, formats/ and lookup/: cosmic-ray's operators, each mutant in a forked process.

Usage: mutation.py sample            (write the seeded sample: one JSON object per line)
       mutation.py run RESULTS       (try what RESULTS has no line for; can be interrupted)
       mutation.py report RESULTS    (the figures and the survivors)

A mutant lives in the memory of one process: no source file changes. That process imports the mutated module
in place of the real one and runs the tests that `mutation.toml` names for it until the first failure. Places
are sampled, not operators: of the variants at one place (`<` for `<=`, `==`, ...) one is drawn.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import resource
import signal
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

import tomllib

CONFIG = Path(__file__).with_suffix(".toml")
PACKAGE = Path("impl/tokassay")


@dataclass(frozen=True)
class Mutation:
    """One change: the `occurrence`-th place in a module where an operator of cosmic-ray applies."""

    module: str
    operator: str
    occurrence: int
    line: int

    @property
    def family(self) -> str:
        """The operator without its variant."""
        return self.operator.split("_")[0]


@dataclass(frozen=True)
class Config:
    """`mutation.toml`: which modules, how many mutants, and the tests of each part of the package."""

    parts: Tuple[str, ...]
    data: Tuple[str, ...]
    left_out: Tuple[str, ...]
    seed: int
    count: int
    seconds: float
    tests: Mapping[str, Sequence[str]]
    explained: Mapping[str, str]

    @classmethod
    def read(cls) -> Config:
        found = tomllib.loads(CONFIG.read_text("utf-8"))
        found["parts"], found["data"] = tuple(found["parts"]), tuple(found["data"])
        return cls(**{**found, "left_out": tuple(found["left_out"])})

    def tests_of(self, module: str) -> Sequence[str]:
        """Those of the longest prefix that names the module."""
        fitting = [prefix for prefix in self.tests if module.startswith(prefix)]
        return self.tests[max(fitting, key=len)]


def modules(config: Config) -> List[str]:
    """Below the package, tables of data left out."""
    paths = sorted(path for part in config.parts for path in (PACKAGE / part).rglob("*.py"))
    names = [path.relative_to(PACKAGE).as_posix() for path in paths]
    return [name for name in names if not name.startswith(config.data)]


def places(module: str, config: Config) -> Iterator[List[Mutation]]:
    """The variants at each place of a module."""
    from cosmic_ray import plugins  # noqa: PLC0415 - not for `report`
    from cosmic_ray.ast import ast_nodes, get_ast  # noqa: PLC0415 - not for `report`

    nodes = list(ast_nodes(get_ast((PACKAGE / module).read_text("utf-8"))))
    found: Dict[Tuple[str, object], List[Mutation]] = {}
    for name in plugins.operator_names():
        operator = plugins.get_operator(name)
        if name.startswith(config.left_out) or operator.arguments():
            continue
        spans = (span for node in nodes for span in operator().mutation_positions(node))
        for occurrence, span in enumerate(spans):
            mutation = Mutation(module, name, occurrence, span[0][0])
            found.setdefault((mutation.family, span), []).append(mutation)
    yield from found.values()


def sample(config: Config) -> List[Mutation]:
    """In a random order, so that every beginning of it is a sample, too."""
    draw = random.Random(config.seed)
    drawn = [draw.choice(variants) for module in modules(config) for variants in places(module, config)]
    return draw.sample(drawn, config.count)


def mutated(mutation: Mutation) -> str:
    """The module's source with the change."""
    from cosmic_ray import plugins  # noqa: PLC0415 - not for `report`
    from cosmic_ray.ast import get_ast  # noqa: PLC0415 - not for `report`
    from cosmic_ray.mutating import MutationVisitor  # noqa: PLC0415 - not for `report`

    visitor = MutationVisitor(mutation.occurrence, plugins.get_operator(mutation.operator)())
    return str(visitor.walk(get_ast((PACKAGE / mutation.module).read_text("utf-8"))).get_code())


class Mutated(importlib.abc.MetaPathFinder):
    """Finds one module with another source."""

    def __init__(self, mutation: Mutation, source: str) -> None:
        self._path = PACKAGE / mutation.module
        parts = ("tokassay", *Path(mutation.module).with_suffix("").parts)
        self._name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        self._code: CodeType = compile(source, str(self._path.resolve()), "exec")

    def find_spec(
        self, fullname: str, _path: object = None, _target: Optional[ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        if fullname != self._name:
            return None
        code = self._code

        class Loader(importlib.machinery.SourceFileLoader):
            def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002
                return code

        where = str(self._path.resolve())
        return importlib.util.spec_from_file_location(fullname, where, loader=Loader(fullname, where))


def outcome(mutation: Mutation, config: Config) -> str:
    """``killed``, ``survived``, ``timeout`` (killed, too) or ``invalid`` (it does not even compile)."""
    source = mutated(mutation)
    try:
        finder = Mutated(mutation, source)
    except SyntaxError:
        return "invalid"
    child = os.fork()
    if child == 0:
        _become(finder, config.tests_of(mutation.module), config.seconds)
    until = time.monotonic() + 4 * config.seconds  # of the clock; the limit proper is on processor time
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return _named(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "timeout"


def _named(status: int) -> str:
    if os.WIFSIGNALED(status):
        return "timeout" if os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL) else "killed"
    return "survived" if os.WEXITSTATUS(status) == 0 else "killed"


def _become(finder: Mutated, tests: Sequence[str], seconds: float) -> None:
    """The mutant: runs the tests and ends this process."""
    code = 1
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        sys.meta_path.insert(0, finder)
        import pytest  # noqa: PLC0415 - imports what is mutated

        code = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests]))
    finally:
        os._exit(code)


def preload() -> None:
    """What every mutant needs and no mutation touches."""
    for name in ("hypothesis", "jinja2", "jsonschema", "numpy", "pytest", "tokenizers"):
        importlib.import_module(name)


def read_results(path: Path) -> List[dict[str, object]]:
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return [json.loads(line) for line in lines]


def run(config: Config, path: Path) -> None:
    """Append one line per mutant."""
    preload()
    done = {json.dumps(row["mutation"]) for row in read_results(path)}
    with path.open("a", encoding="utf-8") as stream:
        for mutation in sample(config):
            if json.dumps(asdict(mutation)) not in done:
                row = {"mutation": asdict(mutation), "outcome": outcome(mutation, config)}
                print(json.dumps(row), file=stream, flush=True)


def report(config: Config, path: Path) -> int:
    """Figures per part, then what survived without an explanation; 1 below 85 %."""
    rows = [(Mutation(**row["mutation"]), row["outcome"]) for row in read_results(path)]  # type: ignore[arg-type]
    valid = [(mutation, found) for mutation, found in rows if found != "invalid"]
    for part in config.parts:
        found = [found for mutation, found in valid if mutation.module.startswith(part)]
        dead = sum(one != "survived" for one in found)
        print(f"{part}: {dead} of {len(found)} killed ({dead / max(len(found), 1):.1%})")
    alive = [mutation for mutation, found in valid if found == "survived"]
    killed = len(valid) - len(alive)
    print(f"all: {killed} of {len(valid)} killed ({killed / max(len(valid), 1):.1%}) of {config.count} drawn")
    for mutation in alive:
        key = f"{mutation.module}:{mutation.line} {mutation.operator}"
        print(f"  {key}: {config.explained.get(key, 'NOT EXPLAINED')}")
    return int(killed < 0.85 * len(valid))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=("sample", "run", "report"))
    parser.add_argument("results", nargs="?", type=Path)
    args, config = parser.parse_args(), Config.read()
    if args.action == "sample":
        print("\n".join(json.dumps(asdict(mutation)) for mutation in sample(config)))
        return 0
    if args.results is None:
        parser.error("where are the results?")
    if args.action == "run":
        run(config, args.results)
        return 0
    return report(config, args.results)


if __name__ == "__main__":
    sys.exit(main())
