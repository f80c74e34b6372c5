"""How engines are opened: in a child or not, under which name, and from whose distribution."""

from __future__ import annotations

import importlib.metadata
from dataclasses import dataclass

import pytest

from tokassay import data, engines
from tokassay.checks.engine import EngineInfo, UnavailableError
from tokassay.checks.naming import distinct
from tokassay.cli import main
from tokassay.cli._plan import Selection, open_engines
from tokassay.engines.wire import WireEngine

GPT2 = str(data.root() / "golden" / "tokenizers" / "gpt2" / "tokenizer.json")


def names(*addresses: str, in_process: bool = False) -> list[str]:
    opened, down = open_engines(Selection(engines=addresses, in_process=in_process))
    assert not down
    return [engine.info.name for engine in opened]


def test_a_run_keeps_native_engines_in_children():
    ((hf, reference), _) = open_engines(Selection(engines=("hf", "reference")))
    assert isinstance(hf, WireEngine)
    assert not isinstance(reference, WireEngine)
    hf.close()


def test_in_process_keeps_them_here():
    ((hf,), _) = open_engines(Selection(engines=("hf",), in_process=True))
    assert not isinstance(hf, WireEngine)


def test_engines_of_one_name_go_by_their_addresses():
    assert names("reference", "child:reference") == ["reference", "child:reference"]
    assert names("child:reference") == ["reference"]


def test_a_renamed_engine_signs_its_sessions():
    opened, _ = open_engines(Selection(engines=("reference", "child:reference")))
    assert [engine.load(GPT2).info.name for engine in opened] == ["reference", "child:reference"]


def test_a_child_again_keeps_its_name():
    opened, _ = open_engines(Selection(engines=("reference", "child:reference")))
    other = opened[1].again()
    assert other.info == opened[1].info
    assert other.connection is not opened[1].connection
    other.close()


class Foreign:
    """An engine that is no dataclass."""

    info = EngineInfo("reference", "7", frozenset({"encode", "decode"}))

    def load(self, path: str):
        return engines.open("reference").load(path)


def test_any_engine_can_be_renamed():
    foreign = distinct({"reference": engines.open("reference"), "theirs": Foreign()})[1]
    session = foreign.load(GPT2)
    assert (foreign.info.name, session.info.name, session.path) == ("theirs", "theirs", GPT2)
    assert session.encode("a").ids


@dataclass(frozen=True)
class Point:
    name: str
    adapter: object

    def load(self) -> object:
        return self.adapter


class Theirs:
    HELP = "an adapter of another distribution"

    @staticmethod
    def open_engine(argument: str) -> Foreign:
        del argument
        return Foreign()


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch):
    points = [Point("theirs", Theirs), Point("reference", Theirs)]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points if group else [])
    engines.adapters.cache_clear()
    yield
    engines.adapters.cache_clear()


@pytest.mark.usefixtures("announced")
def test_an_installed_distribution_adds_an_engine_and_takes_no_name():
    assert engines.open("theirs").info.version == "7"
    assert engines.open("reference").info.version != "7"


def test_a_package_that_is_not_installed_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch):
    def absent(name: str):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)
    with pytest.raises(UnavailableError, match=r"pip install splintr-rs"):
        engines.open("splintr")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("exec:", "exec needs a command"),
        ("exec:'", "cannot read the command"),
        ("cabi:", "cabi needs the path"),
        ("py:", "py needs MODULE:CLASS"),
        ("py:module", "py needs MODULE:CLASS"),
        ("child:", "child needs the address"),
        ("child:nobody", "no engine is called 'nobody'"),
        ("file:", "file needs the path"),
        ("file:nowhere.jsonl", "nowhere.jsonl"),
        ("fake:", "no fault ''"),
        ("hf:x", "hf takes no argument"),
        ("reference:x", "reference takes no argument"),
        ("hfjs:./x", "'./x' is no version"),
        ("tiktoken:x", "tiktoken takes no argument"),
        ("", "no engine is called ''"),
    ],
)
def test_an_address_that_is_none_is_usage(address: str, said: str, capsys: pytest.CaptureFixture[str]):
    assert main(["run", "--engine", address, "--tokenizer", "gpt2"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("address", ["exec:./nowhere", "cabi:./nowhere.so", "fake:absent"])
def test_an_engine_that_is_not_there_is_down(address: str):
    assert main(["run", "--engine", address, "--tokenizer", "gpt2", "--vector", "digits/seven"]) == 3
