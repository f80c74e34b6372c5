"""`tokassay lookup`: acceptance on a text that is known."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tokassay import cli, data

TOKENIZER = data.root() / "golden" / "tokenizers" / "gpt2" / "tokenizer.json"


def run(capsys, *arguments):
    code = cli.main(["lookup", *map(str, arguments), "--tokenizer", str(TOKENIZER)])
    told = capsys.readouterr()
    return code, told.out, told.err


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("first name, last name, user name; " * 6, encoding="utf-8")
    return path


def test_every_setting_stands_beside_the_others(capsys, text):
    code, out, _ = run(
        capsys, text, "--rule", "seed", "--max-ngram", 1, "--max-ngram", 3, "--num-draft", 4, "--json"
    )
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [(row["rule"], row["max_ngram"], row["num_draft"]) for row in rows] == [
        ("seed", 1, 4),
        ("seed", 3, 4),
    ]
    assert all(row["tokens"] == row["forward_passes"] + row["accepted"] for row in rows)
    assert rows[1]["accepted"] > 0
    assert sum(part["accepted"] for part in rows[1]["by_ngram"].values()) == rows[1]["accepted"]


def test_the_page_shows_every_setting_and_the_best_one(capsys, text, tmp_path):
    page = tmp_path / "lookup.html"
    row = json.loads(run(capsys, text, "--rule", "seed", "--max-ngram", 2, "--num-draft", 4, "--json")[1])
    code, _, _ = run(capsys, text, "--html", page)
    shown = page.read_text(encoding="utf-8")
    assert code == 0
    assert shown.count("tokens per pass</") == 0
    assert shown.count('aria-label="seed, N = 2') == 2
    assert shown.count("<small>best</small>") >= 1
    assert row["tokens"] > 0
    assert f"{row['tokens']} tokens of output" in shown


def test_the_table_has_a_line_for_each_rule_and_size(capsys, text):
    code, out, _ = run(capsys, text)
    assert code == 0
    assert len(out.splitlines()) == 1 + 2 * 2 * 2


def test_a_prediction_is_drafted_from(capsys, text, tmp_path):
    prediction = tmp_path / "prediction.txt"
    prediction.write_bytes(text.read_bytes())
    row = ["--rule", "hf", "--max-ngram", 3, "--num-draft", 10, "--json"]
    found = json.loads(run(capsys, text, "--prediction", prediction, *row)[1])
    assert found["tokens_per_forward"] > 9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--prompt-chars", 100000], "leaves no continuation after 100000"),
        (["--max-ngram", 0], "max_ngram must be at least 1"),
        (["--rule", "llama.cpp-simple", "--prediction", TOKENIZER], "knows no reference texts"),
        (["--prediction", "absent.txt"], "absent.txt cannot be read"),
    ],
)
def test_wrong_use_is_exit_code_2(capsys, text, arguments, message):
    code, out, err = run(capsys, text, *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_bytes_that_are_no_text_are_named(capsys, tmp_path):
    path = tmp_path / "bad.txt"
    path.write_bytes(b"ab\xff")
    code, _, err = run(capsys, path)
    assert code == 2
    assert "is not UTF-8: byte 2 is 0xff" in err


def test_an_unknown_rule_is_refused_with_the_known_ones(text):
    command = [
        sys.executable,
        "-m",
        "tokassay",
        "lookup",
        str(text),
        "--tokenizer",
        str(TOKENIZER),
        "--rule",
        "x",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "llama.cpp-simple" in done.stderr
