"""`export` writes what a model folder is exported as; `verify` says whether a device file is faithful."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List

import pytest

from tokassay import data, engines, formats
from tokassay.checks.engine import UnavailableError
from tokassay.cli import main
from tokassay.core.description import Device
from tokassay.diagnosis.faithful import Comparison

OWN = data.root() / "golden" / "tokenizers"
FEW = ["--texts", "80"]


def lines(capsys: pytest.CaptureFixture[str]) -> List[str]:
    return capsys.readouterr().out.splitlines()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A folder with a tokenizer and what transformers keeps beside it."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "tokenizer.json").write_bytes((OWN / "llama2-like" / "tokenizer.json").read_bytes())
    config: Dict[str, Any] = {
        "chat_template": [{"name": "tool_use", "template": "t"}, {"name": "default", "template": "{{ a }}"}],
        "eos_token": {"content": "</s>"},
        "bos_token": "<s>",
        "clean_up_tokenization_spaces": True,
        "additional_special_tokens": ["\u2581the"],
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": [2, 7]}))
    return folder


def test_a_model_folder_is_exported_with_its_lists_and_its_tail(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["export", str(model), str(out), "--json"]) == 0
    told = json.loads(lines(capsys)[0])
    device = formats.read(out / "tokenizer.mtok").device
    assert device is not None
    known = formats.read(model / "tokenizer.json")
    special = {token.id for token in known.added_tokens if token.special}
    the = known.model.token_to_id("\u2581the")
    assert set(told["special_ids"]) - {the} == special
    assert told["special_ids"] == list(device.special_ids)
    assert told["stop_ids"] == [2, 7] == list(device.stop_ids)
    assert told["prefix_ids"] == [1] == list(device.prefix_ids)
    assert (device.chat_template, device.eos_token, device.flags, device.bos_token) == (
        "{{ a }}",
        "</s>",
        1,
        "<s>",
    )
    assert [path.name for path in out.iterdir()] == ["tokenizer.mtok"]


def test_what_an_export_loses_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(OWN / "qwen"), str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert "normalizer: NFC becomes a table" in captured.err
    assert "special_ids: [" in captured.out
    assert formats.read(tmp_path / "tokenizer.mtok").normalizer is not None


def test_a_folder_without_a_tokenizer_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(tmp_path), str(tmp_path / "out")]) == 2
    assert "holds no tokenizer" in capsys.readouterr().err


def test_a_configuration_that_is_no_object_is_refused(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (model / "tokenizer_config.json").write_text("[1]")
    assert main(["export", str(model), str(tmp_path / "out")]) == 2
    assert "expected an object" in capsys.readouterr().err
    (model / "tokenizer_config.json").write_text("{")
    assert main(["export", str(model), str(tmp_path / "out")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def convert(name: str, out: Path, *options: str) -> Path:
    assert main(["convert", name, str(out), *options]) == 0
    return out


def test_a_faithful_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = convert("llama2-like", tmp_path / "x.mtok")
    capsys.readouterr()
    assert main(["verify", str(path), "--against", "llama2-like", *FEW]) == 0
    assert lines(capsys)[0] == "faithful"


def test_a_file_that_does_not_compose_is_not_faithful(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = convert("qwen", tmp_path / "x.mtok", "--lossy")
    capsys.readouterr()
    assert main(["verify", str(path), "--against", "qwen", "--json", *FEW]) == 1
    told = json.loads(lines(capsys)[0])
    assert told["faithful"] is False
    assert told["differs"]["document"]["encode"] > 0
    smallest = next(finding for finding in told["findings"] if finding["op"] == "encode")
    assert len(smallest["input"][0]) == 2
    assert set(smallest["answers"]) == {"original", "document"}


def test_three_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = convert("qwen", tmp_path / "x.mtok", "--lossy")
    capsys.readouterr()
    assert main(["verify", str(path), "--against", "qwen", "--engine", "mnn", *FEW]) == 1
    told = lines(capsys)
    assert [line.split()[0] for line in told[3:5]] == ["document", "mnn"]
    at = next(i for i, line in enumerate(told) if line.startswith("mnn differs in encode"))
    assert [line.split()[0] for line in told[at + 1 : at + 4]] == ["original", "document", "mnn"]


def test_content_is_proven_before_anything_is_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = convert("llama2-like", tmp_path / "x.mtok")
    content = path.read_bytes()
    path.write_bytes(content.replace(b"\x01\x00a", b"\x01\x00\xff", 1))
    capsys.readouterr()
    assert main(["verify", str(path), "--against", "llama2-like"]) == 2
    assert "model.vocab" in capsys.readouterr().err


def test_without_the_oracle_the_reference_stands_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = convert("llama2-like", tmp_path / "x.mtok")
    known = engines.open

    def unavailable(address: str) -> engines.Engine:
        if address == "hf":
            raise UnavailableError("not here")
        return known(address)

    monkeypatch.setattr("tokassay.cli.verify.engines.open", unavailable)
    assert main(["verify", str(path), "--against", "llama2-like", *FEW]) == 0
    assert "stands in for the oracle" in capsys.readouterr().err


def test_a_table_version_is_for_tables_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    convert("wordpiece-short-words", tmp_path / "old.mtok", "--lossy", "--table-version", "12.1")
    convert("wordpiece-short-words", tmp_path / "new.mtok", "--lossy", "--table-version", "15.1")
    old, new = (formats.read(tmp_path / name).normalizer for name in ("old.mtok", "new.mtok"))
    assert [len(part.normalizers[1].entries) for part in (old, new)] == [4796, 4928]  # type: ignore[union-attr]
    assert main(["convert", "qwen", str(tmp_path / "tokenizer.json"), "--table-version", "14"]) == 2
    assert main(["convert", "qwen", str(tmp_path / "q.mtok"), "--lossy", "--table-version", "8"]) == 2
    assert "known: 12.1" in capsys.readouterr().err


def test_lists_take_the_place_of_the_defaults(tmp_path: Path) -> None:
    options = ("--special-ids", "1,2", "--stop-ids", "3", "--prefix-ids", "4 5")
    path = convert("llama2-like", tmp_path / "x.mtok", *options)
    assert path.read_bytes().startswith(b"430 4\n2 1 2\n1 2 3 4 5\n")
    device = formats.read(path).device
    assert device is not None
    assert (device.special_ids, device.stop_ids, device.prefix_ids) == ((1, 2), (3,), (4, 5))
    assert Device() != device


def test_ids_are_made_few(tmp_path: Path) -> None:
    """Decoding: the shortest list of ids at which two readings differ."""
    path = convert("bert-uncased", tmp_path / "x.mtok")
    reference = engines.open("reference")
    others = {"document": reference.load(str(path))}
    comparison = Comparison(reference.load(str(OWN / "t5" / "tokenizer.json")), others)
    tally = comparison.run(["ab"], [(50, 51, 52, 53)])
    findings = comparison.findings(tally)
    assert {finding.op for finding in findings} >= {"encode", "decode"}
    assert all(len(finding.input[1]) <= 2 for finding in findings if finding.op == "decode")
