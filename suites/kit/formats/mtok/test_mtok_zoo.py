"""The eight tokenizers that MNN's exporter was asked about: its bytes, and what encoding from them gives."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

from tokassay import Tokenizer, data, formats, zoo
from tokassay.checks.vector import read_vectors
from tokassay.cli import main
from tokassay.formats.mtok.companion import with_device
from tokassay.formats.mtok.projecting import project
from tokassay.formats.mtok.writing import written

Row = Dict[str, Any]
EXPORTED: Dict[str, Row] = {
    row["tokenizer"]: row
    for row in map(json.loads, (data.root() / "golden" / "mtok" / "exported.jsonl").read_text().splitlines())
}
# Where the document itself changes ids: tables that do not compose, and words that merges do not make.
DIFFER = {"qwen3": "normalizer", "claude": "normalizer", "llama3_1": "model.ignore_merges"}
pytestmark = pytest.mark.nightly


def located(name: str) -> Path:
    found = zoo.locate([name])
    if name not in found.present:
        pytest.fail(f"{name}: {found.absent[name]}")
    return found.present[name]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exported")


def exported(name: str, folder: Path) -> bytes:
    """The file, from the original, its configuration, and the lists of the header."""
    model = folder / name
    model.mkdir(exist_ok=True)
    (model / "tokenizer_config.json").write_bytes(located(f"{name}_config").read_bytes())
    lists = (EXPORTED[name][key] for key in ("special", "stop", "prefix"))
    return written(project(with_device(formats.read(located(name)), model, *lists)))


@pytest.mark.parametrize("name", sorted(EXPORTED))
def test_the_command_writes_the_bytes_of_the_exporter(name: str, tmp_path: Path) -> None:
    """As a user: the published files in one folder, the lists of the header as options."""
    for file, entry in (("tokenizer.json", name), ("tokenizer_config.json", f"{name}_config")):
        (tmp_path / file).write_bytes(located(entry).read_bytes())
    options = [
        option
        for key in ("special", "stop", "prefix")
        if EXPORTED[name][key]
        for option in (f"--{key}-ids", ",".join(map(str, EXPORTED[name][key])))
    ]
    source, target = str(tmp_path / "tokenizer.json"), tmp_path / "out.mtok"
    assert main(["convert", source, str(target), "--lossy", *options]) == 0
    assert hashlib.sha256(target.read_bytes()).hexdigest() == EXPORTED[name]["sha256"]


@pytest.mark.parametrize("name", sorted(EXPORTED))
def test_the_bytes_are_those_of_the_exporter(name: str, folder: Path) -> None:
    content = exported(name, folder)
    assert len(content) == EXPORTED[name]["bytes"]
    assert hashlib.sha256(content).hexdigest() == EXPORTED[name]["sha256"]
    description = formats.parse(content, format="mtok")
    assert written(description) == content
    assert description == project(description)
    path = folder / f"{name}.mtok"
    path.write_bytes(content)
    strict = formats.parse(content, format="mtok", strict=name != "gpt4o")
    assert strict == description


@pytest.mark.parametrize("name", sorted(EXPORTED))
def test_the_lists_of_a_model_folder_are_those_of_the_exporter(name: str, folder: Path) -> None:
    model = folder / f"{name}-folder"
    model.mkdir()
    (model / "tokenizer_config.json").write_bytes(located(f"{name}_config").read_bytes())
    device = with_device(formats.read(located(name)), model).device
    assert device is not None
    found = (device.special_ids, device.stop_ids, device.prefix_ids)
    assert list(map(list, found)) == [EXPORTED[name][key] for key in ("special", "stop", "prefix")]


def answers(name: str) -> List[Tuple[str, str, List[int]]]:
    """Id, text and the oracle's ids of every text of the suite."""
    found = []
    for vector in read_vectors(data.root() / "golden" / "vectors" / "encode"):
        answer = vector.expect.get(name, {})
        if "text" in vector.given and "pair" not in vector.given and "ids" in answer:
            found.append((vector.id, str(vector.given["text"]), list(answer["ids"])))  # type: ignore[call-overload]
    return found


@pytest.mark.parametrize("name", sorted(EXPORTED))
def test_encoding_differs_only_where_the_document_does(name: str, folder: Path) -> None:
    tokenizer = Tokenizer(formats.parse(exported(name, folder), format="mtok"))
    rows = answers(name)
    assert len(rows) > 800
    wrong = [
        (topic, text)
        for topic, text, ids in rows
        if tokenizer.encode(text, add_special_tokens=False).ids != ids
    ]
    if name not in DIFFER:
        assert wrong == []
        return
    assert 0 < len(wrong) < 60, Counter(topic.split("/")[0] for topic, _ in wrong)
    (loss,) = formats.losses(formats.read(located(name)), "mtok")
    assert loss.field == DIFFER[name]
    whole = Tokenizer.from_file(located(name))
    normalizer = whole.description.normalizer
    held = tokenizer.description.normalizer
    for _, text in wrong:
        changed = (
            normalizer is not None and held is not None and normalizer.normalize(text) != held.normalize(text)
        )
        assert changed or name == "llama3_1"
