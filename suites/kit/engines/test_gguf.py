"""The GGUF vocabulary that the kit writes for llama.cpp, read back with the package gguf."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gguf import GGUFReader

from tokassay import data, engines, formats
from tokassay.checks.engine import FaultError, RefusalError, UnavailableError
from tokassay.engines import _gguf, llamacpp

OWN = data.root() / "golden" / "tokenizers"


def own(name: str) -> Path:
    return OWN / name / "tokenizer.json"


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKASSAY_CACHE", str(tmp_path))


def read(path: Path) -> dict[str, Any]:
    return {name: field.contents() for name, field in GGUFReader(path).fields.items()}


def test_a_byte_level_vocabulary():
    found, model = read(_gguf.vocabulary_gguf(str(own("llama3")))), json.loads(own("llama3").read_bytes())
    assert (found["tokenizer.ggml.model"], found["tokenizer.ggml.pre"]) == ("gpt2", "llama-bpe")
    for token, index in model["model"]["vocab"].items():
        assert found["tokenizer.ggml.tokens"][index] == token
    assert len(found["tokenizer.ggml.merges"]) == len(model["model"]["merges"])
    special = {token["id"] for token in model["added_tokens"] if token["special"]}
    types = found["tokenizer.ggml.token_type"]
    assert {index for index, kind in enumerate(types) if kind == _gguf.CONTROL} == special


def test_a_vocabulary_with_byte_fallback():
    found = read(_gguf.vocabulary_gguf(str(own("llama2-like"))))
    assert found["tokenizer.ggml.model"] == "llama"
    assert found["tokenizer.ggml.add_space_prefix"] is True
    tokens, types = found["tokenizer.ggml.tokens"], found["tokenizer.ggml.token_type"]
    assert [types[tokens.index(token)] for token in ("<0x00>", "<unk>", "<s>")] == [
        _gguf.BYTE,
        _gguf.UNKNOWN,
        _gguf.CONTROL,
    ]
    best = max(range(len(tokens)), key=lambda index: found["tokenizer.ggml.scores"][index])
    first = json.loads(own("llama2-like").read_bytes())["model"]["merges"][0]
    assert tokens[best] == first.replace(" ", "")


def test_words_begin_with_the_mark_and_continuations_with_nothing():
    found = read(_gguf.vocabulary_gguf(str(own("bert-uncased"))))
    assert found["tokenizer.ggml.model"] == "bert"
    vocab = json.loads(own("bert-uncased").read_bytes())["model"]["vocab"]
    tokens = found["tokenizer.ggml.tokens"]
    assert tokens[vocab["[UNK]"]] == "[UNK]"
    assert [tokens[vocab[token]] for token in ("##a", "a")] == ["a", "\u2581a"]


def test_a_file_is_made_once():
    made = _gguf.vocabulary_gguf(str(own("gpt2")))
    before = made.stat().st_mtime_ns
    assert _gguf.vocabulary_gguf(str(own("gpt2"))) == made
    assert made.stat().st_mtime_ns == before
    assert [path.name for path in made.parent.iterdir()] == [made.name]


@pytest.mark.parametrize(
    ("name", "pre"),
    [("gpt2", "gpt-2"), ("qwen", "qwen2"), ("o200k", "gpt-4o")],
)
def test_a_pre_tokenizer_is_known_by_its_patterns(name: str, pre: str):
    assert _gguf.describe(formats.read(own(name))).pre == pre


@pytest.mark.parametrize(
    ("names", "pre"),
    [
        (["qwen2"], "qwen2"),
        (["cl100k_llama3"], "llama-bpe"),
        (["o200k"], "gpt-4o"),
        (["tekken"], "tekken"),
        (["dsv3_a", "dsv3_b", "dsv3_c"], "deepseek-v3"),
    ],
)
def test_the_patterns_are_those_of_published_tokenizers(names: list[str], pre: str):
    published = json.loads((data.root() / "suites" / "kit" / "regex" / "published.json").read_bytes())
    assert _gguf.PRE_TOKENIZERS[tuple(published[name] for name in names)] == pre


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("wordpiece-short-words", "BERT's words only"),
        ("t5", "not Unigram"),
        ("bpe-word-suffix", "neither byte-level nor with byte fallback"),
        ("gpt2-prefix-space", "no pre-tokenizer with the patterns"),
    ],
)
def test_what_llama_cpp_cannot_be_told_is_a_refusal(name: str, reason: str):
    with pytest.raises(RefusalError, match=reason):
        _gguf.describe(formats.read(own(name)))


def test_other_pre_tokenizers_before_the_bytes_are_a_refusal():
    with pytest.raises(RefusalError, match="no such pre-tokenizer: Digits, ByteLevel"):
        _gguf._pre_tokenizer([{"type": "Digits"}, {"type": "ByteLevel", "use_regex": False}])


def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path):
    bad = tmp_path / "tokenizer.json"
    bad.write_text("{}", "utf-8")
    with pytest.raises(FaultError, match=r"cannot be made into a GGUF file: .*model: is missing"):
        _gguf.vocabulary_gguf(str(bad))
    with pytest.raises(FaultError, match="No such file"):
        _gguf.vocabulary_gguf(str(tmp_path / "absent.json"))


def test_without_the_package_the_hint_names_the_extra(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(llamacpp.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(UnavailableError, match=r"gguf is not installed \(pip install tokassay\[formats\]\)"):
        engines.open("llamacpp")
