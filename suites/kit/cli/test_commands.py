"""The command line: what each command prints, and the exit code of every way to fail."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Callable, Sequence

import pytest

from tokassay import data
from tokassay.cli import commands, main
from tokassay.verdicts.events import from_json

DIGITS = data.root() / "golden" / "vectors" / "encode" / "digits.jsonl"
FEW = ("--tokenizer", "word-level-lowercase", "--vectors", str(DIGITS))


def lines(text: str) -> Sequence[dict[str, object]]:
    return [json.loads(line) for line in text.split("\n") if line]


Give = Callable[[bytes], None]


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch):
    def give(content: bytes) -> None:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(content)))

    return give


# -- encode and decode ------------------------------------------------------------------------------


def test_encode_prints_one_object(capsys: pytest.CaptureFixture[str]):
    assert main(["encode", "--tokenizer", "gpt2", "a b"]) == 0
    (found,) = lines(capsys.readouterr().out)
    assert found["text"] == "a b"
    assert found["tokens"] == ["a", "\u0120b"]
    assert found["offsets"] == [[0, 1], [1, 3]]


def test_encode_reads_lines_that_end_at_line_feeds_only(stdin: Give, capsys: pytest.CaptureFixture[str]):
    stdin("a\u2028b\r\n\n\u0085".encode())
    assert main(["encode", "--tokenizer", "gpt2"]) == 0
    assert [found["text"] for found in lines(capsys.readouterr().out)] == ["a\u2028b\r", "", "\u0085"]


def test_encode_shows_stages(capsys: pytest.CaptureFixture[str]):
    assert main(["encode", "--tokenizer", "gpt2", "--stages", "a b"]) == 0
    (found,) = lines(capsys.readouterr().out)
    assert found["stages"]["pieces"] == ["a", "\u0120b"]
    assert found["stages"]["ids"] == found["ids"]


def test_encode_with_stages_names_what_is_odd_about_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    document = json.loads((data.root() / "golden/tokenizers/qwen/tokenizer.json").read_text("utf-8"))
    document["added_tokens"][0]["id"] = 3
    (tmp_path / "tokenizer.json").write_text(json.dumps(document), "utf-8")
    assert main(["encode", "--tokenizer", str(tmp_path), "--stages", "a"]) == 0
    assert "added_tokens[0]: says id 3, but 1168 is in force" in capsys.readouterr().err


def test_decode_takes_what_encode_prints(stdin: Give, capsys: pytest.CaptureFixture[str]):
    main(["encode", "--tokenizer", "gpt2", "Hello, w\u00f6rld"])
    stdin(capsys.readouterr().out.encode())
    assert main(["decode", "--tokenizer", "gpt2", "--stages"]) == 0
    (found,) = lines(capsys.readouterr().out)
    assert found["text"] == "Hello, w\u00f6rld"
    assert "".join(step or "" for step in found["steps"]) == found["text"]


@pytest.mark.parametrize("written", ["5 6 7", "5,6,7", "[5, 6, 7]", '{"ids": [5, 6, 7]}'])
def test_decode_takes_lists_in_several_forms(written: str, capsys: pytest.CaptureFixture[str]):
    assert main(["decode", "--tokenizer", "gpt2", written]) == 0
    assert lines(capsys.readouterr().out)[0]["ids"] == [5, 6, 7]


def test_an_engine_that_fails_on_a_text_is_exit_code_1(stdin: Give, capsys: pytest.CaptureFixture[str]):
    stdin(b"a\n" * 8)
    assert main(["encode", "--engine", "fake:crashes", "--tokenizer", "gpt2"]) == 1
    captured = capsys.readouterr()
    assert [found.get("error") for found in lines(captured.out)] == [None] * 6 + ["crash", None]
    assert "fake:crashes: crash: signal 11" in captured.err


# -- diff -------------------------------------------------------------------------------------------


def test_diff_of_equal_engines_is_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("one\ntwo\n", "utf-8")
    pair = ["--engine", "reference", "--engine", "fake:modest"]
    assert main(["diff", *pair, "--tokenizer", "gpt2", "--corpus", str(corpus)]) == 0
    assert capsys.readouterr().out == "3 lines, 0 differing, 0 findings, 0 shown\n"


def test_diff_shrinks_and_counts(stdin: Give, capsys: pytest.CaptureFixture[str]):
    stdin(b"some words\nother words\n")
    pair = ["--engine", "reference", "--engine", "fake:wrong"]
    assert main(["diff", *pair, "--tokenizer", "gpt2", "--json"]) == 1
    *found, counts = lines(capsys.readouterr().out)
    assert all(len(finding["text"]) == 1 for finding in found)
    assert counts["differing"] == sum(finding["count"] for finding in found) == 2


def test_diff_says_why_no_stage_is_known(stdin: Give, capsys: pytest.CaptureFixture[str]):
    stdin(b"a")
    pair = ["--engine", "fake:modest", "--engine", "fake:wrong"]
    assert main(["diff", *pair, "--tokenizer", "gpt2"]) == 1
    assert "stage    not known: fake:modest does not show its stages" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["run", "encode", "decode"])
def test_an_engine_that_nobody_knows_is_usage(command: str, capsys: pytest.CaptureFixture[str]):
    given = {"run": FEW, "encode": ["--tokenizer", "gpt2", "a"], "decode": ["--tokenizer", "gpt2", "1"]}
    assert main([command, "--engine", "nobody", *given[command]]) == 2
    assert "no engine is called 'nobody'" in capsys.readouterr().err


def test_diff_of_nothing_is_exit_code_4(stdin: Give):
    stdin(b"")
    assert main(["diff", "--engine", "reference", "--engine", "reference", "--tokenizer", "gpt2"]) == 4


def test_diff_needs_two_engines(capsys: pytest.CaptureFixture[str]):
    assert main(["diff", "--engine", "reference", "--tokenizer", "gpt2"]) == 2
    assert "two engines" in capsys.readouterr().err


# -- run --------------------------------------------------------------------------------------------

EXITS = {
    "modest": (0, "unsupported: fake:modest: does not claim offsets"),
    "wrong": (1, "differs  ids, first at 0"),
    "crashes": (1, "reason   signal 11 on the seventh call"),
    "hangs": (1, "reason   no answer within 5 s"),
    "wavers": (1, "differs  ids when asked again"),
    "raises": (1, "reason   ValueError: cannot encode"),
    "claims": (1, "reason   AttributeError: 'Bare' object has no attribute 'offsets'"),
    "dies": (3, "engine down: fake:dies: restarts are used up"),
    "absent": (3, "engine down: fake:absent: this fake never starts"),
    "refuses": (4, "nothing was tried"),
}


@pytest.mark.parametrize("fault", EXITS)
def test_every_fake_has_its_own_message_and_exit_code(fault: str, capsys: pytest.CaptureFixture[str]):
    code, message = EXITS[fault]
    assert main(["run", "--engine", f"fake:{fault}", *FEW]) == code
    assert message in capsys.readouterr().out


def test_the_reference_conforms(capsys: pytest.CaptureFixture[str]):
    assert main(["run", "--engine", "reference", *FEW]) == 0
    assert "exit code 0" in capsys.readouterr().out


def test_divergences_weigh_less_than_an_engine_that_is_down():
    assert main(["run", "--engine", "fake:wrong", "--engine", "fake:absent", *FEW]) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--suite", "nonsense"], "no suite 'nonsense'"),
        (["--level", "may"], "no level 'may'"),
        (["--tokenizer", "nonsense"], "no tokenizer 'nonsense'"),
    ],
)
def test_unknown_names_are_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    assert main(["run", "--engine", "reference", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_selection_without_vectors_is_exit_code_4(capsys: pytest.CaptureFixture[str]):
    assert main(["run", "--engine", "reference", "--vector", "nothing/like/this"]) == 4
    assert "no vector was selected" in capsys.readouterr().err


def test_a_real_tokenizer_that_is_not_fetched_is_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("TOKASSAY_CACHE", str(tmp_path))
    chosen = ["--tokenizer", "qwen3", *FEW, "--suite", "encode"]
    assert main(["run", "--engine", "reference", *chosen]) == 1
    out = capsys.readouterr().out
    assert (
        "not run: reference / qwen3 / encode: 13 vectors: not fetched; run: tokassay zoo fetch qwen3" in out
    )
    assert "13 not-run, 13 pass" in out


def test_json_is_the_event_stream(capsys: pytest.CaptureFixture[str]):
    main(["run", "--engine", "reference", *FEW, "--json"])
    events = [type(from_json(line)).__name__ for line in capsys.readouterr().out.split("\n") if line]
    assert events[0] == "Header"
    assert events[-1] == "Footer"
    assert set(events[1:-1]) == {"Verdict", "Measured"}


# -- reports ----------------------------------------------------------------------------------------


def test_a_report_shows_what_the_run_showed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["run", "--engine", "fake:wrong", *FEW, "--report", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert main(["report", "show", str(tmp_path)]) == 1
    assert capsys.readouterr().out == printed


def test_a_truncated_report_is_exit_code_4(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    main(["run", "--engine", "reference", *FEW, "--report", str(tmp_path)])
    file = tmp_path / "results.jsonl"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
    assert main(["report", "show", str(tmp_path)]) == 4
    assert "no footer: the report is truncated" in capsys.readouterr().err


# -- the whole --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", commands())
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    assert f"usage: tokassay {name}" in capsys.readouterr().out


def test_a_file_that_is_no_tokenizer_is_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    bad = tmp_path / "tokenizer.json"
    bad.write_text('{"model": 1}', "utf-8")
    assert main(["encode", "--tokenizer", str(bad), "x"]) == 2
    assert "model" in capsys.readouterr().err


def test_text_that_is_not_utf8_is_usage(stdin: Give, capsys: pytest.CaptureFixture[str]):
    stdin(b"a\n\xff\n")
    assert main(["encode", "--tokenizer", "gpt2"]) == 2
    assert "line 2 is not UTF-8 at byte 0" in capsys.readouterr().err


@pytest.mark.parametrize("ids", ["[1.5]", "[true]", "[NaN]", "[[1]]"])
def test_what_only_converts_to_an_integer_is_no_id(ids: str, capsys: pytest.CaptureFixture[str]):
    assert main(["decode", "--tokenizer", "llama3", ids]) == 2
    assert "not a list of ids" in capsys.readouterr().err
