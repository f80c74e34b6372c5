"""A bundle for all tests, and boards that are folders on this machine: the same scripts, without ssh."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType

import pytest

from tokassay import data
from tokassay.board.bundling import bundle
from tokassay.board.links import Here, LinkError, Ran
from tokassay.board.settings import Board


@pytest.fixture(scope="session")
def bundle_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundle") / "tokassay-board.pyz"
    path.write_bytes(bundle())
    return path


@pytest.fixture(scope="session")
def operator_key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("keys") / "operator"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", path], check=True)
    return path


@dataclass
class Shaky:
    """A link to a folder of this machine that fails at the calls whose numbers are listed."""

    here: Here
    fails: Sequence[int] = ()
    calls: list[str] = field(default_factory=list)
    spoil: Callable[[Path], None] = lambda _path: None  # what a transfer does to a file
    name: str = "shaky"

    def _called(self, what: str) -> None:
        self.calls.append(what)
        if len(self.calls) - 1 in self.fails:
            raise LinkError("shaky: the connection was lost")

    def run(self, script: str, stdin: bytes = b"") -> Ran:
        self._called(script)
        return self.here.run(script, stdin)

    def put(self, source: Path, target: str) -> None:
        self._called(f"put {target}")
        self.here.put(source, target)
        self.spoil(self.here.home / target)

    def get(self, sources: Sequence[str], folder: Path) -> None:
        self._called(f"get {len(sources)}")
        self.here.get(sources, folder)
        for source in sources:
            self.spoil(folder / Path(source).name)

    def facts(self) -> dict[str, str]:
        self._called("facts")
        return dict(self.here.facts())

    def close(self) -> None:
        pass


SMALL = Board(
    "small",
    "local",
    python=sys.executable,
    tokenizers=("gpt2",),
    levels=("must",),
    vectors=("emoji/*",),
    emulated="a test",
    samples=4,
    seconds=0.0,
    warmup=1,
    cold=0,
)


@pytest.fixture
def small() -> Board:
    return replace(SMALL)


def standin_module() -> ModuleType:
    path = data.root() / "runners" / "board" / "standin" / "standin.py"
    spec = importlib.util.spec_from_file_location("standin", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def standin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of two stand-in boards; its ssh_config names them."""
    module, folder = standin_module(), tmp_path_factory.mktemp("standin")
    module.build()
    module.start(folder, boards=2)
    yield folder
    module.stop(folder)


@pytest.fixture
def board(standin: Path, small: Board) -> Board:
    """The first of them, for a small run."""
    ssh_config, vectors = str(standin / "ssh_config"), ("emoji/*", "lookup-seed/two-*")
    return replace(
        small,
        name="board0",
        host="board0",
        ssh_config=ssh_config,
        python="python3",
        vectors=vectors,
        emulated="qemu-user",
        samples=8,
    )
