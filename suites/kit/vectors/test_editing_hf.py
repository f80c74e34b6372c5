"""`tokassay vectors add`, `retract`, `export` and `drift` on a small data folder."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tokassay.cli import main
from tokassay.vectors import drifting, linting
from tokassay.vectors.rows import read_file
from tokassay.vectors.targets import own_targets

# -- add, retract, export ---------------------------------------------------------------------------


def test_add_makes_a_complete_vector(root: Path, file: Path):
    options = ["--clause", "model.bpe", "--source", "bug-report", "--ref", "x/y#1", "--note", "odd"]
    assert main(["vectors", "add", "--kind", "letters", "--topic", "b-twice", "--text", "bb", *options]) == 0
    row = read_file(file)[1]
    assert row["expect"]["letters"]["ids"] == [1, 1]
    assert (row["source"], row["oracle_note"]) == ({"kind": "bug-report", "ref": "x/y#1"}, "odd")
    assert list(linting.lint(linting.read_golden(root, own_targets(root))))[:-1] == []


def test_add_takes_the_clauses_of_its_kind(file: Path):
    assert main(["vectors", "add", "--kind", "letters", "--topic", "b", "--text", "b"]) == 0
    assert read_file(file)[1]["clauses"] == ["model.bpe"]


def test_add_starts_a_file_and_takes_bytes_and_pairs(file: Path):
    assert (
        main(
            [
                "vectors",
                "add",
                "--kind",
                "bytes",
                "--topic",
                "cut",
                "--hex",
                "61c3",
                "--pair",
                "b",
                "--clause",
                "model.bpe",
            ]
        )
        == 0
    )
    assert read_file(file.parent / "bytes.jsonl")[0]["bytes_hex"] == "61c3"


def test_add_takes_a_file_as_it_is(root: Path, file: Path):
    (root / "text").write_bytes(b"a\r\nb")
    assert (
        main(
            [
                "vectors",
                "add",
                "--kind",
                "letters",
                "--topic",
                "crlf",
                "--file",
                str(root / "text"),
                "--clause",
                "model.bpe",
            ]
        )
        == 0
    )
    assert read_file(file)[1]["text"] == "a\r\nb"
    (root / "text").write_bytes(b"\xff")
    assert (
        main(
            [
                "vectors",
                "add",
                "--kind",
                "letters",
                "--topic",
                "ff",
                "--file",
                str(root / "text"),
                "--clause",
                "model.bpe",
            ]
        )
        == 2
    )


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize(("kind", "topic"), [("letters", "ab"), ("letters", "A b"), ("new", "x")])
def test_add_refuses_ids_taken_or_wrong_and_new_kinds_without_clause(kind: str, topic: str):
    assert main(["vectors", "add", "--kind", kind, "--topic", topic, "--text", "a"]) == 2


def test_retract_lists_a_vector_with_its_reason(root: Path):
    assert main(["vectors", "retract", "letters/ab", "--reason", "the text was wrong"]) == 0
    assert (root / "golden" / "retracted.jsonl").read_text() == (
        '{"id":"letters/ab","reason":"the text was wrong"}\n'
    )
    assert main(["vectors", "retract", "letters/ab", "--reason", "again"]) == 2
    assert main(["vectors", "retract", "letters/zz", "--reason", "x"]) == 2
    main(["vectors", "make"])
    assert main(["vectors", "export"]) == 2  # nothing is left


@pytest.mark.usefixtures("root")
def test_retract_wants_a_reason():
    assert main(["vectors", "retract", "letters/ab", "--reason", " "]) == 2


def test_export_gives_the_exact_texts(root: Path, capsys: pytest.CaptureFixture[str]):
    main(["vectors", "add", "--kind", "bytes", "--topic", "cut", "--hex", "61c3", "--clause", "model.bpe"])
    main(["vectors", "make"])
    capsys.readouterr()
    assert main(["vectors", "export"]) == 0
    assert capsys.readouterr().out == (
        '{"id":"bytes/cut","bytes_hex":"61c3"}\n{"id":"letters/ab","text":"ab a"}\n'
    )
    assert main(["vectors", "export", str(root / "out"), "--as", "files"]) == 0
    assert (root / "out" / "bytes" / "cut.txt").read_bytes() == b"a\xc3"
    assert (root / "out" / "letters" / "ab.txt").read_bytes() == b"ab a"


# -- drift ------------------------------------------------------------------------------------------


def test_the_same_oracle_does_not_drift(root: Path, file: Path):
    main(["vectors", "make"])
    found = drifting.compare(sys.executable, "same", read_file(file), own_targets(root))
    assert (found.compared, found.changes) == (1, ())
    assert "No answer differs." in "\n".join(drifting.table([found]))


def test_what_another_program_answered_is_not_compared(root: Path, file: Path):
    main(["vectors", "make"])
    rows = [{**row, "oracle": {"name": "scan", "version": "1"}} for row in read_file(file)]
    assert drifting.compare(sys.executable, "same", rows, own_targets(root)).compared == 0


def test_a_changed_answer_is_told_with_its_fields(root: Path, file: Path):
    main(["vectors", "make"])
    rows = read_file(file)
    rows[0]["expect"]["letters"].update(ids=[9], decoded="x")
    found = drifting.compare(sys.executable, "other", rows, own_targets(root))
    (change,) = found.changes
    assert (change.vector, change.tokenizer, change.what) == ("letters/ab", "letters", "decoded, ids")
    assert "| letters | decoded, ids | 1 | ab | letters |" in "\n".join(drifting.table([found]))


def test_refusing_and_accepting_are_told_apart():
    fails, answers = {"error": "Exception"}, {"ids": [1]}
    assert drifting.difference(fails, {"error": "PanicException"}) == ""
    assert drifting.difference(answers, fails) == "refused"
    assert drifting.difference(fails, answers) == "accepted"
    assert drifting.difference(answers, answers) == ""
