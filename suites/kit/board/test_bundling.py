"""The bundle: reproducible, small, standard library only, and honest about old Pythons."""

from __future__ import annotations

import ast
import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tokassay import data
from tokassay.board import bundling
from tokassay.zoo import Located


def test_the_same_sources_give_the_same_bytes(bundle_file: Path):
    assert bundling.bundle() == bundle_file.read_bytes()


def test_a_bundle_is_at_most_three_megabytes(bundle_file: Path):
    assert bundle_file.stat().st_size <= 3_000_000


def test_names_are_sorted_and_times_are_fixed(bundle_file: Path):
    with zipfile.ZipFile(bundle_file) as archive:
        names = archive.namelist()
        assert names == sorted(names)
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        told = json.loads(archive.read("manifest.json"))
        assert told["sha256"].keys() == set(names) - {"manifest.json", "version.txt"}
        for name, sha256 in told["sha256"].items():
            assert bundling.sha256(archive.read(name)) == sha256


def test_rows_hold_the_answers_of_the_own_tokenizers_only(bundle_file: Path):
    with zipfile.ZipFile(bundle_file) as archive:
        rows = [json.loads(line) for line in archive.read("golden/vectors/encode/emoji.jsonl").splitlines()]
        own = {name.split("/")[2] for name in archive.namelist() if name.startswith("golden/tokenizers/")}
    assert {name for row in rows for name in row["expect"]} <= {*own, "inline"}


def test_the_entry_is_read_by_python_2_and_3():
    text = (bundling.data.root() / "runners/board/__main__.py").read_text()
    assert ast.parse(text, feature_version=(3, 3))
    assert 'f"' not in text


def test_version_imports_nothing_of_the_kit(bundle_file: Path):
    words = [sys.executable, "-I", "-X", "importtime", bundle_file, "--version"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("tokassay-board ")
    assert "tokassay.device" not in done.stderr


def test_a_read_only_folder_does_not_keep_it_from_running(bundle_file: Path, tmp_path: Path):
    (tmp_path / "tmp").mkdir()
    place = tmp_path / "bundle"
    place.write_bytes(bundle_file.read_bytes())
    beside = f"bundle.{bundling.sha256(bundle_file.read_bytes())[:16]}.d"
    (tmp_path / beside).write_text("in the way, as a folder that cannot be made")
    words = [sys.executable, "-I", place, "identity"]
    done = subprocess.run(words, capture_output=True, check=True, env={"TMPDIR": str(tmp_path / "tmp")})
    assert json.loads(done.stdout)["page_size"] > 0


def test_a_bundle_that_took_the_place_of_another_is_unpacked_itself(bundle_file: Path, tmp_path: Path):
    place = tmp_path / "bundle"
    for number, content in enumerate((bundle_file.read_bytes(), bundle_file.read_bytes() + b" ")):
        place.write_bytes(content)
        words = [sys.executable, "-I", place, "identity"]
        subprocess.run(words, check=True, capture_output=True, env={"TMPDIR": str(tmp_path)})
        assert len(list(tmp_path.glob("bundle.*.d"))) == number + 1


def test_an_archive_holds_real_tokenizers_and_what_is_about_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "tokenizer.json"
    path.write_text("{}")
    monkeypatch.setattr(bundling.zoo, "locate", lambda names: Located(dict.fromkeys(names, path), {}))
    content = bundling.archive(["qwen3"])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.read("golden/tokenizers/qwen3/tokenizer.json") == b"{}"
        rows = archive.read("golden/vectors/encode/emoji.jsonl").splitlines()
    assert {name for row in rows for name in json.loads(row)["expect"]} == {"qwen3"}


def test_rows_keep_the_order_of_keys(bundle_file: Path):
    path = "golden/vectors/template/template-document.jsonl"
    with zipfile.ZipFile(bundle_file) as archive:
        rows = archive.read(path).splitlines()
    stored = {one["id"]: one for one in map(json.loads, (bundling.data.root() / path).open("rb"))}
    for row in map(json.loads, rows):
        assert json.dumps(row["messages"]) == json.dumps(stored[row["id"]]["messages"])


def test_the_archive_for_templates_is_python_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bundling, "template_of", {"qwen3_config": "{{ messages }}"}.get)
    content = bundling.templates()
    assert content == bundling.templates()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        real = json.loads(archive.read("golden/chat-templates.json"))
    assert real == {"qwen3_config": "{{ messages }}"}
    assert {"jinja2/__init__.py", "markupsafe/_native.py", "tokassay/chat/rendering.py"} <= set(names)
    assert not [name for name in names if name.endswith((".so", ".pyc"))]


def test_an_archive_names_what_is_not_in_the_cache(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bundling.zoo, "locate", lambda _names: Located({}, {"qwen3": "not fetched"}))
    with pytest.raises(ValueError, match="qwen3; run: tokassay zoo fetch"):
        bundling.archive(["qwen3"])


OTHERWISE = {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "PYTHONHASHSEED": "7", "SOURCE_DATE_EPOCH": "1"}


@pytest.mark.nightly
def test_two_checkouts_in_other_folders_and_surroundings_give_the_same_bytes(tmp_path: Path):
    made = []
    for number, (name, mask, given) in enumerate((("here", 0o022, {}), ("there, too", 0o077, OTHERWISE))):
        checkout = tmp_path / name
        for part in ("impl", "golden", "runners"):
            shutil.copytree(data.root() / part, checkout / part, copy_function=shutil.copyfile)
        for path in checkout.rglob("*.py"):
            os.utime(path, (number * 10**9, number * 10**9))
        words = [sys.executable, "-m", "tokassay", "board", "bundle", str(tmp_path / f"{number}.pyz")]
        environment = {**os.environ, **given, "PYTHONPATH": str(checkout / "impl")}
        subprocess.run(words, cwd=checkout, env=environment, umask=mask, check=True)
        made.append((tmp_path / f"{number}.pyz").read_bytes())
    assert made[0] == made[1]
