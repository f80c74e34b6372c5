"""The command line without any other package: what comes with a plain `pip install tokassay`."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tokassay import cli

PACKAGES = "tokenizers tiktoken sentencepiece MNN gguf rich jinja2 jsonschema hypothesis numpy yaml selenium"


def said(*words: str) -> subprocess.CompletedProcess[str]:
    blocked = f"import sys; sys.modules.update(dict.fromkeys({PACKAGES.split()!r}))"
    program = f"{blocked}; from {cli.__name__} import main; sys.exit(main({list(words)!r}))"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def test_a_run_needs_none_of_them():
    one = ["--vector", "digits/*", "--tokenizer", "gpt2", "--suite", "encode"]
    ended = said("run", "--engine", "reference", *one)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "13 pass" in ended.stdout


@pytest.mark.parametrize(
    ("words", "package"),
    [
        (["fuzz", "template", "--count", "1"], "jinja2"),
        (["run", "--engine", "hf", "--tokenizer", "gpt2"], ""),
    ],
)
def test_what_needs_one_says_so(words: list[str], package: str):
    ended = said(*words)
    assert ended.returncode == 3
    assert package in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
    assert "not installed" in ended.stdout + ended.stderr or "needs the package" in ended.stderr
