"""`tokassay vectors make` and `lint` on a small data folder: what the oracle says, stored and checked."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any, Callable

import pytest

from tokassay.checks.vector import INLINE, digest_fields, read_vectors, row_hash
from tokassay.cli import main
from tokassay.vectors import linting, making
from tokassay.vectors.oracle import Oracle, OracleError
from tokassay.vectors.rows import given, read_file, write_file
from tokassay.vectors.storing import stored
from tokassay.vectors.targets import Target, own_targets, zoo_targets

SMALL: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("letters.json").read_text("utf-8"))
LETTERS, ROW = SMALL["tokenizer"], SMALL["row"]
Edit = Callable[[dict[str, Any]], None]


def edited(file: Path, change: Edit) -> dict[str, Any]:
    (row,) = read_file(file)
    change(row)
    file.write_text(json.dumps(row, separators=(",", ":")) + "\n")
    return row


def faults(root: Path) -> list[str]:
    return list(linting.lint(linting.read_golden(root, own_targets(root))))


# -- make -------------------------------------------------------------------------------------------


def test_make_fills_in_what_the_oracle_says(file: Path):
    assert main(["vectors", "make"]) == 0
    (vector,) = read_vectors(file)
    answer = vector.answer("letters")
    assert answer["ids"] == [2, 3, 0]
    assert answer["tokens"] == ["ab", " ", "a"]
    assert answer["offsets"] == [[0, 2], [2, 3], [3, 4]]
    assert answer["special_ids"] == answer["ids"]
    assert answer["decoded"] == answer["decoded_plain"] == "ab a"
    assert vector.hash == row_hash(read_file(file)[0])


def test_make_keeps_the_ids_where_only_decoding_fails(file: Path):
    cut = {"type": "Strip", "content": "a", "start": 1, "stop": 1}
    write_file(file, [{**read_file(file)[0], "tokenizer": {**LETTERS, "decoder": cut}}])
    main(["vectors", "make"])
    (vector,) = read_vectors(file)
    answer = vector.answer(INLINE)
    assert answer["ids"] == [2, 3, 0]
    assert answer["decoded"] == answer["decoded_plain"] == {"error": "PanicException"}


def test_make_asks_nothing_twice(file: Path, capsys: pytest.CaptureFixture[str]):
    main(["vectors", "make"])
    before = file.read_bytes()
    capsys.readouterr()
    assert main(["vectors", "make"]) == 0
    assert capsys.readouterr().out == "0 answers computed, 1 kept, 0 out of date\n"
    assert file.read_bytes() == before


def test_a_changed_text_is_asked_again(file: Path):
    main(["vectors", "make"])
    edited(file, lambda row: row.update(text="b"))
    main(["vectors", "make"])
    assert read_file(file)[0]["expect"]["letters"]["ids"] == [1]


def test_a_changed_tokenizer_is_asked_again(root: Path, file: Path):
    main(["vectors", "make"])
    path = root / "golden" / "tokenizers" / "letters" / "tokenizer.json"
    path.write_text(json.dumps({**LETTERS, "model": {**LETTERS["model"], "merges": []}}))
    main(["vectors", "make"])
    assert read_file(file)[0]["expect"]["letters"]["ids"] == [0, 1, 3, 0]


@pytest.mark.usefixtures("root")
def test_a_vector_can_be_asked_again_by_name(capsys: pytest.CaptureFixture[str]):
    main(["vectors", "make"])
    capsys.readouterr()
    main(["vectors", "make", "letters/*"])
    assert capsys.readouterr().out.startswith("1 answers computed")


def test_answers_of_an_absent_zoo_tokenizer_stay_until_the_input_changes(root: Path, file: Path):
    here = root / "golden" / "tokenizers" / "letters" / "tokenizer.json"
    sha256 = own_targets(root)["letters"].sha256
    present, absent = zoo_targets({"far": sha256}, {"far": here}), zoo_targets({"far": sha256}, {})
    making.make(file.parent, present)
    assert making.make(file.parent, absent).kept == 1
    edited(file, lambda row: row.update(text="b"))
    made = making.make(file.parent, absent)
    assert (made.kept, made.dropped) == (0, 1)
    assert read_file(file)[0]["expect"] == {}


def test_a_zoo_tokenizer_gets_ids_and_one_digest(root: Path, file: Path):
    here = root / "golden" / "tokenizers" / "letters" / "tokenizer.json"
    making.make(file.parent, zoo_targets({"far": own_targets(root)["letters"].sha256}, {"far": here}))
    answer = read_file(file)[0]["expect"]["far"]
    rest = {"tokens": ["ab", " ", "a"], "offsets": [[0, 2], [2, 3], [3, 4]], "special_ids": [2, 3, 0]}
    assert answer == {"sha256": answer["sha256"], "ids": [2, 3, 0], "rest": digest_fields(rest, list(rest))}


def test_make_says_what_is_not_fetched(root: Path, capsys: pytest.CaptureFixture[str]):
    (root / "golden" / "zoo.toml").write_text(
        "[far]\nkind = 'tokenizer.json'\nregistry = 'npm'\npackage = 'p'\nversion = '1'\n"
        f"path = 'x'\nsize = 1\nsha256 = '{'0' * 64}'\n"
    )
    assert main(["vectors", "make"]) == 0
    assert "not fetched, so not asked: far; run: tokassay zoo fetch" in capsys.readouterr().err


# -- the oracle -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def oracle():
    with Oracle() as process:
        yield process


def ask(oracle: Oracle, **row: object) -> dict[str, Any]:
    return dict(oracle.ask(row, None))


def test_bytes_are_read_as_utf8_with_replacement(oracle: Oracle):
    assert ask(oracle, op="encode", bytes_hex="62ff61", tokenizer=LETTERS)["ids"] == [1, 0]


def test_a_refused_file_is_an_answer(oracle: Oracle):
    assert ask(oracle, op="load", tokenizer="{")["loads"] is False


def test_a_panic_is_an_answer(oracle: Oracle):
    broken = {**LETTERS, "normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAA="}}
    assert ask(oracle, op="load", tokenizer=broken) == {"loads": False, "error": "PanicException"}
    assert ask(oracle, op="load", tokenizer=LETTERS)["loads"] is True


def test_a_stream_keeps_the_chunks_before_an_error(oracle: Oracle):
    found = ask(oracle, op="stream", ids=[0, 2], skip_special_tokens=False, tokenizer=LETTERS)
    assert found == {"chunks": ["a", "ab"], "full": "aab"}


def test_a_batch_is_encoded_as_the_file_says(oracle: Oracle):
    padding = {"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": None}
    padded = {**LETTERS, "padding": {**padding, "pad_id": 3, "pad_type_id": 0, "pad_token": " "}}
    assert ask(oracle, op="batch", texts=["a", "aaa"], tokenizer=padded)["ids"] == [[0, 3, 3], [0, 0, 0]]


def test_a_crash_of_the_oracle_costs_one_answer():
    with Oracle() as process:
        process._process.kill()
        process._process.wait()
        assert ask(process, op="load", tokenizer=LETTERS) == {"error": "crash"}
        assert ask(process, op="load", tokenizer=LETTERS)["loads"] is True


def test_an_answer_that_takes_too_long_costs_one_answer():
    with Oracle(seconds=0.1) as process:
        process._process.send_signal(signal.SIGSTOP)
        assert ask(process, op="load", tokenizer=LETTERS) == {"error": "timeout"}
        process.seconds = None
        assert ask(process, op="load", tokenizer=LETTERS)["loads"] is True


def test_a_python_without_the_oracle_says_so():
    with pytest.raises(OracleError, match="cannot run the oracle"):
        Oracle("/bin/false")


def test_truncation_of_a_named_tokenizer_is_off_unless_asked_for(root: Path):
    path = root / "limited.json"
    limits = {"direction": "Right", "max_length": 1, "strategy": "LongestFirst", "stride": 0}
    path.write_text(json.dumps({**LETTERS, "truncation": limits}))
    with Oracle() as process:
        plain = process.ask({"op": "encode", "text": "a a"}, path)
        limited = process.ask({"op": "encode", "text": "a a", "limits": True}, path)
    assert plain["ids"] == [0, 3, 0]
    assert (limited["ids"], limited["overflowing"]) == ([0], [[3], [0]])


# -- lint -------------------------------------------------------------------------------------------


def test_made_vectors_have_no_fault_but_their_small_number(root: Path):
    main(["vectors", "make"])
    assert faults(root) == ["1 texts of 1 kinds; wanted are 400 of 40"]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda row: row.update(text="b"), "the hash is not that of the row"),
        (lambda row: row.update(clauses=["model.nothing"]), "no such clause in docs/spec: model.nothing"),
        (lambda row: row.update(clauses=[]), "clauses: [] should be non-empty"),
        (lambda row: row.update(level="may"), "level: 'may' is not one of"),
        (lambda row: row.update(id="Letters/ab"), "does not match"),
        (lambda row: row.update(kind="words"), "belongs into golden/vectors/encode/words.jsonl"),
        (lambda row: row.update(colour=1), "'colour'"),
        (lambda row: row.pop("text"), "is not valid under any of the given schemas"),
        (lambda row: row["expect"].clear(), "no answer, or an old one, of letters"),
        (
            lambda row: row["expect"]["letters"].update(sha256="0" * 16),
            "no answer, or an old one, of letters",
        ),
        (lambda row: row["expect"].update(far=row["expect"]["letters"]), "no tokenizer 'far'"),
        (
            lambda row: row["expect"]["letters"].update(ids=[-1]),
            "is not valid under any of the given schemas",
        ),
    ],
)
def test_lint_finds(root: Path, file: Path, change: Edit, fault: str):
    main(["vectors", "make"])
    edited(file, change)
    assert any(fault in line for line in faults(root)), faults(root)


def test_lint_finds_equal_ids_and_another_form(root: Path, file: Path):
    main(["vectors", "make"])
    file.write_bytes(file.read_bytes() * 2)
    assert any("2 vectors have this id" in line for line in faults(root))
    file.write_text(json.dumps(read_file(file)[0]) + "\n")
    assert any("not in the canonical form" in line for line in faults(root))


def test_lint_finds_retractions_of_nothing(root: Path):
    main(["vectors", "make"])
    (root / "golden" / "retracted.jsonl").write_text('{"id":"a/b","reason":" "}\n')
    found = "\n".join(faults(root))
    assert "a/b: no such vector" in found
    assert "a/b: a retraction needs a reason" in found


@pytest.mark.usefixtures("root")
def test_lint_ends_with_4_and_prints_the_faults(capsys: pytest.CaptureFixture[str]):
    assert main(["vectors", "lint"]) == 4
    assert "golden/vectors/encode/letters.jsonl:1:" in capsys.readouterr().out


# -- what is stored ---------------------------------------------------------------------------------


def test_the_row_of_a_vector_with_its_own_tokenizer_is_for_that_alone():
    row = {**ROW, "tokenizer": LETTERS}
    (target,) = making.targets_of(row, {"letters": Target("letters", "", own=True, path=None)})
    assert target.name == INLINE


def test_an_error_is_stored_as_it_is():
    assert stored(ROW, {"error": "Exception"}, "f" * 64, full=True) == {
        "sha256": "f" * 16,
        "error": "Exception",
    }


def test_what_the_oracle_is_asked_holds_the_input_alone():
    assert given({**ROW, "expect": {}, "hash": "", "oracle": {}}) == {"op": "encode", "text": "ab a"}


def test_writing_the_same_rows_changes_no_file(tmp_path: Path):
    assert write_file(tmp_path / "x.jsonl", [ROW])
    assert not write_file(tmp_path / "x.jsonl", [ROW])
