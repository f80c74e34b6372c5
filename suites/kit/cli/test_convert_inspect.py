"""`convert` writes whole files and names losses; `inspect` shows entries and what exporters get wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List

import pytest

from tokassay import Tokenizer, data, formats
from tokassay.cli import main
from tokassay.cli.convert import format_named
from tokassay.cli.inspect import legible
from tokassay.core.byte_records import Records, pack
from tokassay.core.description import AddedToken, Description, Device, Program
from tokassay.core.models.wordlevel import WordLevel
from tokassay.core.models.wordpiece import WordPiece
from tokassay.core.postprocessors.id_frame import IdFrame
from tokassay.formats.audit import Finding, audit

OWN = data.root() / "golden" / "tokenizers" / "qwen" / "tokenizer.json"
Capture = pytest.CaptureFixture[str]


def vocab_bin(tmp_path: Path, *strings: bytes) -> Path:
    path = tmp_path / "vocab.bin"
    path.write_bytes(pack(strings))
    return path


def kinds(description: Description, config: Dict[str, object] = {}) -> List[str]:  # noqa: B006 - not changed
    return [finding.kind for finding in audit(description, config)]


def test_a_tokenizer_is_compiled_and_its_cost_told(tmp_path: Path, capsys: Capture):
    out = tmp_path / "vocab.bin"
    assert main(["convert", "qwen", str(out), "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["special copied"] == 7
    assert "no merges" in printed.err
    assert " instead of [" in printed.err
    assert formats.read(out).model.vocab_size == 1175


def test_special_tokens_can_be_copied_from_an_old_table(tmp_path: Path):
    old, new = tmp_path / "old.bin", tmp_path / "new.bin"
    assert main(["convert", "qwen", str(old)]) == 0
    strings = list(Records(old.read_bytes()).strings)
    strings[1170] = b"<|other|>"
    old.write_bytes(pack(strings))
    assert main(["convert", "qwen", str(new), "--specials-from", str(old)]) == 0
    assert new.read_bytes() == old.read_bytes()


def test_a_table_is_written_again_in_the_order_of_its_ids(tmp_path: Path, capsys: Capture):
    source = tmp_path / "shuffled.bin"
    source.write_bytes(pack([b"b", b"a"], [1, 0]))
    assert main(["convert", str(source), str(tmp_path / "vocab.bin")]) == 0
    assert (tmp_path / "vocab.bin").read_bytes() == pack([b"a", b"b"])
    assert "total entries: 2" in capsys.readouterr().out


def test_what_cannot_be_written_leaves_no_file(tmp_path: Path, capsys: Capture):
    source = vocab_bin(tmp_path, b"a")
    for options in ([], ["--lossy"]):
        assert main(["convert", str(source), str(tmp_path / "tokenizer.json"), *options]) == 2
        assert "stored bytes" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["vocab.bin"]


def test_a_loss_needs_the_option(tmp_path: Path, capsys: Capture):
    out = tmp_path / "tokenizer.mtok"
    assert main(["convert", "qwen", str(out)]) == 2
    assert "--lossy" in capsys.readouterr().err
    assert not out.exists()
    lists = ["--special-ids", "1168,1169", "--stop-ids", "1170", "--prefix-ids", "5"]
    assert main(["convert", "qwen", str(out), "--lossy", *lists]) == 0
    assert out.read_bytes().startswith(b"430 4\n2 1 1\n1168 1169 1170 5\n")


def test_the_format_is_told_by_the_name():
    assert format_named("vocab.bin") == format_named("qwen.bin") == "vocab.bin"
    assert format_named("x.json") == "tokenizer.json"
    assert format_named("tokenizer.mtok") == "mtok"


@pytest.mark.parametrize("name", ["nothing.xyz", "nothing"])
def test_a_name_without_a_format_is_a_usage_error(tmp_path: Path, name: str, capsys: Capture):
    assert main(["convert", "qwen", str(tmp_path / name)]) == 2
    assert "--to" in capsys.readouterr().err


def test_entries_are_found_by_text_and_by_id(tmp_path: Path, capsys: Capture):
    path = vocab_bin(tmp_path, b"!", "\u4f60\u597d".encode(), b"\xad", "\u4f60\u597d\u5417\x01".encode())
    assert main(["inspect", str(path), "--find", "\u4f60\u597d", "--ids", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "'\u4f60\u597d': 2 hits [1, 3]"
    assert lines[1].split() == ["1", "e4bda0e5a5bd", "\u4f60\u597d"]
    assert lines[2].split()[2] == "\u4f60\u597d\u5417\\x01"
    assert lines[3].split() == ["2", "ad", "\\xad"]


def test_what_is_not_found_is_exit_code_1(tmp_path: Path, capsys: Capture):
    path = vocab_bin(tmp_path, b"!")
    assert main(["inspect", str(path), "--find", "x", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {"find": "x", "hits": 0, "ids": []}
    assert main(["inspect", str(path), "--ids", "7", "--json"]) == 1


def test_a_sound_file_has_no_fault(capsys: Capture):
    assert main(["inspect", "qwen"]) == 0
    assert "format: tokenizer.json" in capsys.readouterr().out


def test_the_audit_of_a_table(tmp_path: Path, capsys: Capture):
    path = vocab_bin(tmp_path, b"!", b"a", b"a", b"b\xc4\xa0c", b"", b"\xc4\xa0", b"\xc4\xa0")
    (tmp_path / "config.json").write_text('{"vocab_size": 6, "bos_token_id": 9, "eos_token_id": [1, 2]}')
    assert main(["inspect", str(path), "--json"]) == 1
    first, *rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    faults = {row["kind"]: row["reason"] for row in rows if row["fault"]}
    assert first["common characters"].startswith("4 of 201, MISSING")
    assert faults["duplicates"].endswith("a smaller one: 2")
    assert "vocab_size 6" in faults["beyond"]
    assert faults["absent"] == "config.json's bos_token_id names ids without a token: 9"
    assert "3" in next(row["reason"] for row in rows if row["kind"] == "unreachable")


def test_a_config_that_is_not_json_is_a_usage_error(tmp_path: Path):
    path = vocab_bin(tmp_path, b"!")
    (tmp_path / "config.json").write_text("{")
    assert main(["inspect", str(path)]) == 2


def words(device: Device, *added: AddedToken, **parts: Any) -> Description:
    return Description(WordLevel({"a": 0, "b": 3}, "a"), added_tokens=added, device=device, **parts)


def test_a_vocabulary_without_a_token_has_no_holes():
    assert "holes" not in kinds(Description(WordLevel({}, "a")))


def test_holes_are_noted():
    (finding,) = audit(words(Device()))
    assert (finding.kind, finding.fault) == ("holes", False)
    assert "2 ids below 3 have no token: 1, 2" in finding.reason


@pytest.mark.parametrize(("last", "shown"), [(6, "1, 2, 3, 4, 5"), (7, "1, 2, 3, 4, 5, ...")])
def test_five_ids_are_shown(last: int, shown: str):
    (found,) = audit(Description(WordLevel({"a": 0, "b": last}, "a")))
    assert found.reason.endswith(f": {shown}")


def test_lists_that_name_no_token_are_faults():
    assert kinds(words(Device(special_ids=(0, 7), prefix_ids=(9,)))) == ["holes", "absent", "absent"]


def test_a_prefix_in_header_and_program_is_doubled():
    device = Device(prefix_ids=(3,), program=Program((3, None)))
    assert "doubled" in kinds(words(device))
    assert "doubled" not in kinds(words(Device(prefix_ids=(3,))))
    assert "doubled" not in kinds(words(Device(prefix_ids=(3,), program=Program((0, None)))))


def test_an_id_twice_before_a_text_is_doubled():
    assert "doubled" in kinds(words(Device(), post_processor=IdFrame((3, 3, None), ("b", "b", ""))))
    assert "doubled" not in kinds(words(Device(), post_processor=IdFrame((3, None, 3), ("b", "", "b"))))
    others = IdFrame((3, 0, 0, None), ("b", "a", "a", ""))
    assert "doubled" not in kinds(words(Device(), post_processor=others))


def test_what_stands_around_a_text_makes_no_token_unreachable():
    for frame in (IdFrame((3, None), ("b", "")), IdFrame((None, 3), ("", "b"))):
        assert "unreachable" not in kinds(words(Device(), post_processor=frame))


def test_later_pieces_of_words_are_not_called_unreachable():
    words = WordPiece({"[UNK]": 0, "a": 1, "##b": 2, "ab": 3, "c": 4})
    assert kinds(Description(words)) == []


def test_content_that_cannot_be_is_the_last_finding():
    class Broken(WordLevel):
        def prove(self) -> List[Any]:
            raise formats.FormatError("is not sorted", field="model.vocab", offset=7)

    found = list(audit(Description(Broken({"a": 0}, "a"))))
    assert found == [Finding("content", "is not sorted", field="model.vocab", offset=7)]


def test_bytes_are_legible():
    assert legible(b"a\xad\x7f\n\xc4\xa0") == "a\\xad\\x7f\\n\u0120"


def test_an_own_tokenizer_loses_nothing_when_written_as_it_is(tmp_path: Path):
    out = tmp_path / "tokenizer.json"
    assert main(["convert", "qwen", str(out)]) == 0
    assert Tokenizer.from_file(out).description == formats.read(OWN)
