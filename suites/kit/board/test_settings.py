"""Inventories: many boards in one TOML file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tokassay import data
from tokassay.board.links import Here, Ssh
from tokassay.board.settings import EACH_MODEL, Board, SettingsError, inventory, selected
from tokassay.device.asked import tokenizer_files

GOOD = """
[defaults]
levels = ["must"]
samples = 64
most_seconds = 900
[board.big]
host = "me@big"
groups = ["rk3588"]
files = ["engine"]
[board.small]
host = "local"
seconds = 2
"""


def test_defaults_hold_for_every_board_and_files_lie_beside_the_inventory(tmp_path: Path):
    (tmp_path / "boards.toml").write_text(GOOD)
    big, small = inventory(tmp_path / "boards.toml")
    assert (big.levels, big.samples, small.samples, small.seconds) == (("must",), 64, 64, 2)
    assert [one.timing and one.timing.most_seconds for one in (big, Board("a", "h"))] == [900, 60.0]
    assert big.files == (str(tmp_path / "engine"),)
    assert isinstance(big.link(), Ssh)
    assert isinstance(small.link(), Here)
    assert selected([big, small], ["rk3588"]) == [big]
    assert selected([big, small], []) == [big, small]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("board = 1 2", "boards.toml: "),
        ("[boards.x]\nhost='h'", r"tables \[board.NAME\]"),
        ("[board.x]\nlevels=['must']", "board.x.host is missing"),
        ("[board.x]\nhost='h'\nhots='h'", "board.x.hots is not known"),
        ("[board.x]\nhost='h'\nlevels='must'", "expected a list of strings"),
        ("[board.x]\nhost='h'\nlevels=[1]", "expected a list of strings"),
        ("[board.x]\nhost='h'\nsamples=true", "expected int"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, text: str, reason: str):
    (tmp_path / "boards.toml").write_text(text)
    with pytest.raises(SettingsError, match=reason):
        inventory(tmp_path / "boards.toml")


def test_an_unknown_board_is_named():
    with pytest.raises(SettingsError, match="no board or group 'b'; known: a"):
        selected([Board("a", "h")], ["b"])


def test_of_everything_one_tokenizer_of_each_model_type_is_measured_and_the_real_ones():
    assert Board("a", "h", zoo=("qwen3",)).measured == (*EACH_MODEL, "qwen3")
    assert Board("a", "h", zoo=("qwen3",)).cold_starts == ("gpt2", "qwen3")
    assert Board("a", "h", tokenizers=("clip",), zoo=("qwen3",)).measured == ("clip",)
    assert Board("a", "h", tokenizers=("clip",), zoo=("qwen3",)).cold_starts == ()
    assert Board("a", "h", tokenizers=("clip", "t5"), timed=("t5",)).measured == ("t5",)
    files = tokenizer_files(data.root())
    kinds = [json.loads(files[name].read_bytes())["model"]["type"] for name in EACH_MODEL]
    assert kinds == ["BPE", "Unigram", "WordPiece", "WordLevel"]


def test_no_samples_mean_no_timing():
    assert Board("a", "h", samples=0).timing is None
