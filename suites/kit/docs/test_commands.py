"""The commands of the pages work: each is run as it stands, or commands.toml says why it is not."""

from __future__ import annotations

import shutil
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

import pytest
import tomllib

sys.path.insert(0, str(Path(__file__).parent))

import scratch
from pages import ROOT, Command, commands


@dataclass(frozen=True)
class Entry:
    """What commands.toml says of a command."""

    command: Optional[str] = None
    starts: str = ""
    page: Optional[str] = None
    before: str = ""
    exit: int = 0
    checkout: bool = False
    nightly: str = ""
    never: str = ""

    def fits(self, command: Command) -> bool:
        said = command.text == self.command if self.command else command.text.startswith(self.starts)
        return said and self.page in (None, command.page)

    @property
    def weight(self) -> int:
        return len(self.command or self.starts)


ENTRIES = [
    Entry(**one)
    for one in tomllib.loads((Path(__file__).parent / "commands.toml").read_text("utf-8"))["command"]
]


def entry_of(command: Command) -> Entry:
    fitting = [entry for entry in ENTRIES if entry.fits(command)]
    return max(fitting, key=lambda entry: entry.weight, default=Entry())


def by_page(*, nightly: bool) -> dict[str, list[Command]]:
    """The commands that run, page by page; the fast ones alone unless `nightly`."""
    found: dict[str, list[Command]] = defaultdict(list)
    for command in commands():
        entry = entry_of(command)
        if not entry.never and (nightly or not entry.nightly):
            found[command.page].append(command)
    return found


FAST, ALL = by_page(nightly=False), by_page(nightly=True)


def test_there_are_commands_on_the_pages_that_have_some():
    assert {"README.md", "docs/running.md", "docs/reports.md", "docs/vectors.md"} <= FAST.keys() | ALL.keys()
    assert len(commands()) > 60
    assert sum(map(len, FAST.values())) > 20


def test_nothing_is_installed_by_default():
    installing = ("pip ", "npm ", "tox ", "python3 -m venv ")
    assert [one for page in FAST.values() for one in page if one.text.startswith(installing)] == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.command or entry.starts or entry.page)
def test_what_is_said_is_said_of_some_command(entry: Entry):
    assert [command for command in commands() if entry_of(command) == entry]
    assert not (entry.nightly and entry.never)
    assert len(entry.nightly + entry.never) != 1


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    scratch.fill(folder)
    return folder


def line_of(command: Command) -> str:
    entry = entry_of(command)
    return f"{entry.before}\n{command.text}" if entry.before else command.text


@pytest.mark.parametrize("page", FAST)
def test_the_fast_commands_of_a_page_work(page: str, filled: Path, tmp_path: Path):
    folder = shutil.copytree(filled, tmp_path / "scratch")
    for command in FAST[page]:  # one after the other, as a reader does
        scratch.done_here(line_of(command), folder, code=entry_of(command).exit)


@pytest.mark.nightly
@pytest.mark.parametrize("page", [page for page in ALL if ALL[page] != FAST.get(page)])
def test_all_commands_of_a_page_work(page: str, filled: Path, tmp_path: Path):
    kept = shutil.ignore_patterns(".*", "__pycache__")
    checkout = shutil.copytree(ROOT, tmp_path / "checkout", ignore=kept)
    folder = shutil.copytree(filled, tmp_path / "scratch")
    for command in ALL[page]:
        entry = entry_of(command)
        where, source = (checkout, checkout) if entry.checkout else (folder, ROOT)
        scratch.done(line_of(command), where, code=entry.exit, checkout=source)


def test_a_command_that_fails_is_told(tmp_path: Path):
    with pytest.raises(AssertionError, match=r"tokassay judge nowhere\n"):
        scratch.done("tokassay judge nowhere", tmp_path)
