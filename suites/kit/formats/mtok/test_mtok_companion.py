"""What a model folder's configuration gives to the header and the tail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tokassay.core.description import AddedToken, Description, Device
from tokassay.core.models.wordlevel import WordLevel
from tokassay.formats.mtok.companion import device_of, with_device

VOCAB = {"a": 0, "<pad>": 1, "<mask>": 2, "<|im_end|>": 3, "</s>": 4, "<s>": 5}
ADDED = (AddedToken(9, "<s>", special=True), AddedToken(8, "</s>", special=True), AddedToken(7, "<x>"))
WORDS = Description(WordLevel(VOCAB, "a"), added_tokens=ADDED)


def device(folder: Path, **config: Any) -> Device:
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return device_of(WORDS, folder)


def test_without_a_configuration_the_special_added_tokens_are_the_special_ids(tmp_path: Path):
    assert device_of(WORDS, tmp_path).special_ids == (9, 8)


def test_the_special_tokens_of_the_configuration_come_first(tmp_path: Path):
    assert device(tmp_path, pad_token="<pad>", eos_token="</s>").special_ids == (8, 1, 9)


def test_a_token_is_named_by_its_text_or_by_an_object(tmp_path: Path):
    found = device(tmp_path, bos_token={"content": "<s>"}, eos_token="</s>")
    assert (found.bos_token, found.eos_token) == ("<s>", "</s>")


def test_a_name_without_a_token_is_left_out(tmp_path: Path):
    assert device(tmp_path, pad_token="<none>").special_ids == (9, 8)


def test_a_class_adds_the_token_that_its_configuration_leaves_out(tmp_path: Path):
    assert 2 in device(tmp_path, tokenizer_class="GemmaTokenizer").special_ids


@pytest.mark.parametrize(
    ("given", "stop"), [(5, (8, 3, 5)), ([8, 6], (8, 3, 6)), (None, (8, 3)), (True, (8, 3))]
)
def test_what_ends_a_text_is_each_stop_once(tmp_path: Path, given: object, stop: object):
    (tmp_path / "generation_config.json").write_text(json.dumps({"eos_token_id": given}))
    assert device(tmp_path, eos_token="</s>").stop_ids == stop


def test_of_several_templates_the_default_is_taken(tmp_path: Path):
    named = [{"name": "tools", "template": "t"}, {"name": "default", "template": "d"}, "x"]
    assert device(tmp_path, chat_template=named).chat_template == "d"
    assert device(tmp_path, chat_template="plain").chat_template == "plain"


@pytest.mark.parametrize(("value", "flag"), [(True, 1), (False, 0), (1, 0)])
def test_cleaning_up_is_asked_for_by_true(tmp_path: Path, value: object, flag: int):
    assert device(tmp_path, clean_up_tokenization_spaces=value).flags == flag


def test_lists_that_are_given_take_the_place_of_the_defaults(tmp_path: Path):
    found = with_device(WORDS, tmp_path, special=[1], prefix=[5]).device
    assert found is not None
    assert (found.special_ids, found.stop_ids, found.prefix_ids) == ((1,), (3,), (5,))
