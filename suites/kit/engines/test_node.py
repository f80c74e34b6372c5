"""Engines in Node: the core one on our own tokenizers; what an installation that goes wrong says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Iterator

import pytest

from tokassay import data, engines
from tokassay.checks.engine import AddressError, CrashError, FaultError, RefusalError, UnavailableError
from tokassay.engines import _node, hfjs
from tokassay.engines.wire import Limits

OWN = data.root() / "golden" / "tokenizers"
IN_NODE = ["gpt-tokenizer", "hfjs", "js-tiktoken", "lenml", "llamacpp"]


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    opened = engines.open("hfjs")
    yield opened
    opened.close()


def load(engine: Any, name: str) -> Any:
    return engine.load(str(OWN / name / "tokenizer.json"))


def test_it_tells_its_pinned_version(engine: Any):
    assert (engine.info.name, engine.info.version) == ("hfjs", hfjs.PACKAGES[0].version)


@pytest.mark.parametrize("name", ["gpt2", "llama3", "bert-uncased", "llama2-like", "gemma"])
@pytest.mark.parametrize("text", ["Hello, world 123", "a\0b\n\u2028c", "\U0001f600 \u4f60\u597d"], ids=ascii)
def test_it_agrees_with_the_reference(engine: Any, name: str, text: str):
    own, reference = load(engine, name), load(engines.open("reference"), name)
    for special in (False, True):
        assert list(own.encode(text, add_special_tokens=special).ids) == list(
            reference.encode(text, add_special_tokens=special).ids
        )
    ids = reference.encode(text, add_special_tokens=False).ids
    assert own.decode(ids, skip_special_tokens=False) == reference.decode(ids, skip_special_tokens=False)


def test_no_ids_at_all_are_an_error_of_this_engine(engine: Any):
    with pytest.raises(FaultError, match="non-empty array"):
        load(engine, "gpt2").decode([])


def test_a_word_that_is_not_in_a_word_level_vocabulary_has_no_id(engine: Any):
    with pytest.raises(FaultError, match=r"ids\[0\] is null"):
        load(engine, "word-level-lowercase").encode("xyzzy", add_special_tokens=False)


def test_a_component_that_it_lacks_is_a_refusal(engine: Any):
    with pytest.raises(RefusalError, match="Unknown PreTokenizer type: UnicodeScripts"):
        load(engine, "unicode-scripts")


def test_a_heap_that_is_too_small_is_a_crash_of_the_case_that_needs_it():
    opened = engines.open("hfjs", Limits(memory_mb=40))
    session = load(opened, "gpt2")
    assert list(session.encode("a", add_special_tokens=False).ids) == [65]
    with pytest.raises(CrashError, match=r"SIGABRT.*HeapAllocator"):
        session.encode("a b " * 2_000_000)
    assert list(session.encode("a", add_special_tokens=False).ids) == [65]
    opened.close()


@pytest.mark.parametrize("name", IN_NODE)
def test_an_argument_is_a_version(name: str):
    with pytest.raises(AddressError, match=r"'\./x' is no version"):
        engines.open(f"{name}:./x")


# -- installation --------------------------------------------------------------------------------------


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of PATH but for the shell's, with an empty cache beside it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("TOKASSAY_CACHE", str(tmp_path / "cache"))
    return folder


def script(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    (folder / name).chmod(0o755)


PACKAGE = _node.Package("left-pad", "1.3.0", "sha512-right")


def lock(integrity: str) -> str:
    content = json.dumps({"packages": {"node_modules/left-pad": {"integrity": integrity}}})
    return f"mkdir node_modules; echo '{content}' > node_modules/.package-lock.json"


def test_without_a_registry_the_hint_says_what_is_needed(npm: Path):
    script(npm, "npm", "echo 'npm error network getaddrinfo ENOTFOUND' >&2; exit 1")
    with pytest.raises(UnavailableError, match="npm install failed: npm error network") as caught:
        _node.install("pad", [PACKAGE])
    assert "is the npm registry reachable?" in caught.value.hint


def test_another_file_than_the_pinned_one_is_never_used(npm: Path, tmp_path: Path):
    script(npm, "npm", lock("sha512-wrong"))
    with pytest.raises(UnavailableError, match=r"npm installed sha512-wrong instead of left-pad@1\.3\.0"):
        _node.install("pad", [PACKAGE])
    assert list((tmp_path / "cache" / "node").iterdir()) == []


def test_an_installation_is_done_once(npm: Path):
    script(npm, "npm", lock("sha512-right"))
    folder = _node.install("pad", [PACKAGE])
    script(npm, "npm", "exit 1")
    assert _node.install("pad", [PACKAGE]) == folder
    assert json.loads((folder / "package.json").read_text("utf-8"))["dependencies"] == {"left-pad": "1.3.0"}


def test_another_version_is_the_one_that_the_registry_describes(npm: Path):
    described = json.dumps({"version": "1.4.0", "dist.integrity": "sha512-newer"})
    script(npm, "npm", f"[ \"$2\" = left-pad@latest ] && echo '{described}'")
    beside = _node.Package("right-pad", "7.0.0", "sha512-beside")
    assert _node.chosen([PACKAGE, beside], "latest") == [
        _node.Package("left-pad", "1.4.0", "sha512-newer"),
        beside,
    ]
    assert _node.chosen([PACKAGE], "") == [PACKAGE]


@pytest.mark.parametrize("said", ["", "[]", "{}", '{"version": "1.4.0"}'], ids=ascii)
def test_a_version_that_the_registry_does_not_have_is_told(npm: Path, said: str):
    script(npm, "npm", f"echo '{said}'")
    with pytest.raises(UnavailableError, match=r"left-pad: the registry has no version '9\.9'"):
        _node.chosen([PACKAGE], "9.9")


def test_a_program_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnavailableError, match="hfjs needs node, which is not on PATH"):
        engines.open("hfjs")


def test_of_two_installations_at_a_time_one_stays(tmp_path: Path):
    whole, there = tmp_path / "whole", tmp_path / "there"
    for folder in (whole, there):
        folder.mkdir()
        (folder / "package.json").touch()
    _node._publish(whole, there)
    with pytest.raises(OSError, match="absent"):
        _node._publish(tmp_path / "absent", tmp_path / "new")
