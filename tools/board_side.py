"""Run the board side's tests with nothing installed: standard library only, Python 3.9 and newer.

A test module takes part when everything that it imports is the standard library, pytest, or the board side of
tokassay; pytest itself is replaced by the few features below, because a board has no pip. Ends with a line
``N passed, N failed`` and exit code 1 when a test failed or none ran.

Usage: python -I -S tools/board_side.py [NAME-PART]
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import inspect
import itertools
import re
import sys
import tempfile
import traceback
import types
from pathlib import Path
from typing import Any, Callable, Iterator
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
BOARD = ("core", "formats", "lookup", "checks", "verdicts", "device", "data")
sys.path.insert(0, str(ROOT / "impl"))


# -- the part of pytest that board-side tests may use -----------------------------------------------


class Mark:
    """``pytest.mark``: parametrize, and nightly (not run here)."""

    @staticmethod
    def parametrize(names: Any, values: Any, ids: Any = None) -> Callable[[Any], Any]:  # noqa: ARG004
        split = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)

        def decorate(function: Any) -> Any:
            rows = [dict(zip(split, _values(value, len(split)))) for value in values]
            function.axes = [rows, *getattr(function, "axes", [])]
            return function

        return decorate

    @staticmethod
    def nightly(function: Any) -> Any:
        function.nightly = True
        return function


def _values(value: Any, count: int) -> tuple[Any, ...]:
    if isinstance(value, Parameters):
        return value.values
    return (value,) if count == 1 else tuple(value)


class Parameters:
    """``pytest.param(...)``."""

    def __init__(self, *values: Any, id: str | None = None) -> None:  # noqa: A002
        self.values, self.id = values, id


class Raised:
    value: BaseException


@contextlib.contextmanager
def raises(kinds: Any, match: str | None = None) -> Iterator[Raised]:
    caught = Raised()
    try:
        yield caught
    except kinds as error:
        caught.value = error
        if match is not None and not re.search(match, str(error)):
            raise AssertionError(f"{match!r} does not match {str(error)!r}") from error
    else:
        raise AssertionError(f"{kinds} was not raised")


class MonkeyPatch(contextlib.ExitStack):
    """The fixture ``monkeypatch``, for names with dots and for items."""

    def setattr(self, name: str, value: object) -> None:
        self.enter_context(mock.patch(name, value))

    def setitem(self, mapping: Any, key: object, value: object) -> None:
        self.enter_context(mock.patch.dict(mapping, {key: value}))


def stand_in() -> types.ModuleType:
    module = types.ModuleType("pytest")
    module.mark, module.raises, module.param = Mark, raises, Parameters  # type: ignore[attr-defined]
    return module


# -- finding and running -----------------------------------------------------------------------------


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            module = node.module or ""
            yield from (
                [f"tokassay.{alias.name}" for alias in node.names] if module == "tokassay" else [module]
            )


def is_board_side(path: Path) -> bool:
    standard = getattr(sys, "stdlib_module_names", None)
    tree = ast.parse(path.read_text("utf-8"))
    if any(isinstance(node, ast.Attribute) and node.attr == "fixture" for node in ast.walk(tree)):
        return False  # what pytest's stand-in does not have
    for name in imported(tree):
        top = name.split(".")[0]
        if top == "tokassay":
            part = [*name.split("."), ""][1]
            if part not in BOARD and not part[:1].isupper():
                return False
        elif top != "pytest" and not (top in standard if standard else _is_standard(top)):
            return False
    return True


def _is_standard(name: str) -> bool:
    """Before Python 3.10 there is no list: with -S whatever can be found is the standard library."""
    return importlib.util.find_spec(name) is not None


def cases(function: Any) -> Iterator[dict[str, Any]]:
    for rows in itertools.product(*getattr(function, "axes", [])):
        yield {name: value for row in rows for name, value in row.items()}


def run_case(function: Any, arguments: dict[str, Any]) -> bool:
    wanted = set(inspect.signature(function).parameters) - set(arguments)
    with tempfile.TemporaryDirectory() as folder, MonkeyPatch() as patches:
        fixtures = {"tmp_path": Path(folder), "monkeypatch": patches}
        try:
            function(**arguments, **{name: fixtures[name] for name in wanted})
        except Exception:  # noqa: BLE001 - any failure of a test is reported and counted
            where = f"{function.__module__}::{function.__name__}"
            print(f"FAILED {where} {arguments!a:.200}\n{traceback.format_exc()}")
            return False
    return True


def load(path: Path) -> types.ModuleType:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def main(part: str = "") -> int:
    sys.modules["pytest"] = stand_in()
    results: list[bool] = []
    for path in sorted((ROOT / "suites").rglob("test_*.py")):
        if part not in str(path) or not is_board_side(path):
            continue
        module = load(path)
        before = len(results)
        for name, function in list(vars(module).items()):
            if name.startswith("test_") and callable(function) and not getattr(function, "nightly", False):
                results += [run_case(function, case) for case in cases(function)]
        print(f"{path.relative_to(ROOT)}: {len(results) - before}")
    version = ".".join(map(str, sys.version_info[:3]))
    print(f"board side under Python {version}")
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
