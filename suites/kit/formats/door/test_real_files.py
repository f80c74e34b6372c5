"""Real files of the zoo in the formats of other libraries, against those libraries (nightly)."""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path
from typing import Callable

import pytest
import sentencepiece
import tiktoken

from tokassay import Tokenizer, engines, formats, zoo
from tokassay.engines._gguf import vocabulary_gguf
from tokassay.zoo.fetching import Outcome

pytestmark = pytest.mark.nightly
# llama.cpp has its own Unicode tables, reads marks in one pattern in its own way, and takes `</s>` for
# special wherever it is a token: such texts are left out (docs/spec/gguf.md).
COMPARED: dict[str, Callable[[str], bool]] = {
    "llama2": lambda _: True,
    "gemma3": lambda _: True,
    "llama3_1": lambda text: max(text) <= "\uffff",
    "deepseek_v3": lambda text: max(text) <= "\uffff",
    "gptoss": lambda text: max(text) <= "\u024f",
    "qwen3": lambda text: "</s>" not in text,
}


@cache
def fetched(name: str) -> Path:
    outcome: Outcome
    (outcome,) = zoo.fetch([zoo.entries()[name]])
    assert outcome.path is not None, outcome.error
    return outcome.path


def differing(path: Path, texts: list[str], encode: Callable[[str], list[int]]) -> list[str]:
    own = Tokenizer.from_file(path)
    return [t for t in texts if list(own.encode(t, add_special_tokens=False).ids) != list(encode(t))]


@pytest.mark.parametrize(
    "name", ["j2_sp", "mistral_v1_sp", "mistral_v2_sp", "mistral_v3_sp", "mistral_v7_sp"]
)
def test_sentencepiece_models(name: str, texts: list[str]):
    path = fetched(name)
    library = sentencepiece.SentencePieceProcessor(model_file=str(path))
    assert differing(path, texts, library.encode) == []


@pytest.mark.parametrize(
    "name", ["qwen_ranks", "qwen_dashscope_ranks", "whisper_gpt2_ranks", "whisper_ranks"]
)
def test_ranks(name: str, texts: list[str]):
    path = fetched(name)
    pattern = formats.read(path).pre_tokenizer.pretokenizers[0].pattern.source
    lines = [line.split() for line in path.read_bytes().splitlines()]
    ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
    library = tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    assert differing(path, texts, library.encode_ordinary) == []


@pytest.mark.parametrize("name", ["tekken_240718", "tekken_240911"])
def test_tekken(name: str, texts: list[str]):
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    path = fetched(name)
    library = Tekkenizer.from_file(path)
    assert Tokenizer.from_file(path).vocab_size == library.n_words
    assert differing(path, texts, lambda text: library.encode(text, bos=False, eos=False)) == []


@pytest.mark.parametrize("name", COMPARED)
def test_gguf_vocabularies(name: str, texts: list[str]):
    """What llama.cpp gives for the same file."""
    path = fetched(name)
    engine = engines.open("llamacpp")
    session = engine.load(str(path))
    compared = [text for text in texts if COMPARED[name](text)]
    assert compared
    wrong = differing(vocabulary_gguf(str(path)), compared, lambda text: list(session.encode(text).ids))
    engine.close()
    assert wrong == []


def test_the_published_merges_of_clip():
    clip = Tokenizer.from_file(fetched("clip_merges"))
    assert clip.vocab_size == 49408
    assert list(clip.encode("a photo of a cat").ids) == [49406, 320, 1125, 539, 320, 2368, 49407]
