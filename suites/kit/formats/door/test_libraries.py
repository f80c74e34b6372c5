"""Formats of other libraries: the ids (and texts) of the library itself, on the texts of the suites."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
import sentencepiece
import tiktoken

from tokassay import Tokenizer, data, formats

OWN = data.root() / "golden" / "tokenizers"
MODELS = ["bpe.model", "bpe-rules.model", "unigram.model", "unigram-bytes.model"]


def ids(tokenizer: Tokenizer, text: str) -> list[int]:
    return list(tokenizer.encode(text, add_special_tokens=False).ids)


@pytest.mark.parametrize("name", MODELS)
def test_sentencepiece_models_give_the_ids_and_texts_of_the_library(files: Path, texts: list[str], name: str):
    own = Tokenizer.from_file(files / name)
    library = sentencepiece.SentencePieceProcessor(model_file=str(files / name))
    for text in [*texts, "a b<sep> a  b", " héllo  <ctl><s>", "\ufb01\u0301e\u0301", "\u200b", "  x  "]:
        expected = library.encode(text)
        assert ids(own, text) == expected, text
        assert own.decode(expected, skip_special_tokens=False) == library.decode(expected), text


@pytest.mark.parametrize("name", MODELS)
def test_sentencepiece_offsets_cover_the_text_in_order(files: Path, name: str):
    own = Tokenizer.from_file(files / name)
    for text in ["Hello  world \u4f60\u597d \ufb01", " \U0001f600 e\u0301"]:
        encoding = own.encode(text, add_special_tokens=False)
        assert list(encoding.ids) == ids(own, text)
        ends = [end for _, end in encoding.offsets]
        assert ends == sorted(ends)
        assert max(ends) <= len(text)


def library_of(path: Path) -> tiktoken.Encoding:
    pattern = formats.read(path).pre_tokenizer.pretokenizers[0].pattern.source
    lines = [line.split() for line in path.read_bytes().splitlines()]
    ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
    return tiktoken.Encoding("own", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


def test_ranks_give_the_ids_of_tiktoken(files: Path, texts: list[str]):
    own, library = Tokenizer.from_file(files / "o200k.tiktoken"), library_of(files / "o200k.tiktoken")
    for text in [*texts, "abcabcabc" * 40]:
        expected = library.encode_ordinary(text)
        assert ids(own, text) == expected, text
        assert own.decode(expected) == library.decode(expected), text


def test_both_ways_to_join_give_the_same(files: Path, texts: list[str]):
    for name in ("o200k.tiktoken", "bpe.model"):
        segmenter = formats.read(files / name).model.build()
        for text in [
            text[:64] for text in texts[::5] if name == "bpe.model" or (text.isalnum() and text.isascii())
        ]:
            if text:
                assert segmenter.ids(text) == [token.id for token in segmenter.tokenize(text)], text


def test_what_is_merged_by_ranks_is_written_back(files: Path):
    path = files / "o200k.tiktoken"
    assert formats.serialize(formats.read(path), "tiktoken") == path.read_bytes()


def test_tekken_ids_stand_behind_the_special_ones(files: Path, texts: list[str]):
    tekken = Tokenizer.from_file(files / "tekken.json")
    assert tekken.vocab_size == len((files / "o200k.tiktoken").read_bytes().splitlines()) - 10 + 8
    assert [tekken.id_to_token(index) for index in (1, 3, 4, 7)] == [
        "<s>",
        "[INST]",
        "<SPECIAL_4>",
        "<SPECIAL_7>",
    ]
    assert all(min(ids(tekken, text)) >= 8 for text in texts)


@pytest.mark.parametrize(("file", "name"), [("llama3.gguf", "llama3"), ("llama2-like.gguf", "llama2-like")])
def test_a_gguf_gives_the_ids_of_the_tokenizer_that_it_was_made_from(
    files: Path, texts: list[str], file: str, name: str
):
    made, source = Tokenizer.from_file(files / file), Tokenizer.from_file(OWN / name / "tokenizer.json")
    for text in [*texts, "a<s> b</s>", "<|begin_of_text|> x"]:
        expected = ids(source, text)
        assert ids(made, text) == expected, text
        assert made.decode(expected, skip_special_tokens=False) == source.decode(
            expected, skip_special_tokens=False
        )


def test_clip_merges_give_the_tokens_of_the_same_merges_in_json(files: Path, texts: list[str]):
    own, other = (
        Tokenizer.from_file(files / "clip-merges.txt"),
        Tokenizer.from_file(OWN / "clip" / "tokenizer.json"),
    )
    for text in texts:
        assert own.encode(text).tokens == other.encode(text).tokens, text


def test_the_two_tokens_of_clip_are_special_and_not_normalized(files: Path):
    added = formats.read(files / "clip-merges.txt").added_tokens
    assert [(token.special, token.normalized) for token in added] == [(True, False)] * 2
