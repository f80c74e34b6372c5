"""Engines in child processes for the tests of the wire: the fakes, and what cc makes of C."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

from tokassay import engines
from tokassay.engines.wire import Limits

FAKES = Path(__file__).parent / "fakes"
PROTOCOL = Path(__file__).parents[3] / "docs" / "protocol"
IMPL = Path(__file__).parents[3] / "impl"


@pytest.fixture(autouse=True)
def children_find_tokassay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fakes import tokassay, which need not be installed where the tests run."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (IMPL, FAKES))))


@pytest.fixture
def opened() -> Iterator[Callable[..., Any]]:
    """``opened(address, **limits)``: an engine that ends with the test."""
    found: list[Any] = []

    def open_engine(address: str, **limits: Any) -> Any:
        found.append(engines.open(address, Limits(**limits)))
        return found[-1]

    yield open_engine
    for engine in found:
        engine.close()


@pytest.fixture
def fake(opened: Callable[..., Any]) -> Callable[..., Any]:
    """``fake(name, *arguments, **limits)``: a program of the folder fakes."""

    def open_fake(name: str, *arguments: str, **limits: Any) -> Any:
        words = [sys.executable, str(FAKES / f"{name}.py"), *arguments]
        return opened("exec:" + " ".join(f"'{word}'" for word in words), **limits)

    return open_fake


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """``compiled(source, *options)``: the program or library that cc makes, without a warning."""

    @cache
    def compile_source(source: Path, *options: str, compiler: str = "cc") -> Path:
        target = tmp_path_factory.mktemp("cc") / source.stem
        strict = ["-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-I", str(PROTOCOL)]
        subprocess.run([compiler, *strict, *options, "-o", str(target), str(source)], check=True)
        return target

    return compile_source
