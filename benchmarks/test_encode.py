"""Ids of whole texts and of short lines: cold and warm, against the oracle and tiktoken, ids compared."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Callable, List

import corpora
import pytest
from measure import compare, timed

from tokassay import Tokenizer

BYTE_LEVEL = ["qwen3", "llama3_1"]
FALLBACK = ["llama2", "gemma3"]
OTHERS = ["afaan_wordpiece", "mon"]
TEXTS = {
    "code": lambda: [corpora.code()],
    "prose": lambda: [corpora.prose()],
    "chinese": lambda: [corpora.chinese()],
    "lines": corpora.lines,
}


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("name", [*BYTE_LEVEL, *FALLBACK, *OTHERS])
def test_ids(
    benchmark: Callable[..., object],
    row: Callable[[str], None],
    file_of: Callable[[str], Path],
    name: str,
    kind: str,
) -> None:
    texts = TEXTS[kind]()
    times = compare(file_of(name), texts)
    assert times.equal
    row(f"{name:16} {kind:8} cold {times.cold:6.2f}  warm {times.warm:6.2f}  first {times.first:6.2f}")
    tokenizer = Tokenizer.from_file(file_of(name))
    benchmark.pedantic(lambda: [tokenizer.encode(text).ids for text in texts], warmup_rounds=1, rounds=3)
    benchmark.extra_info.update(cold=times.cold, warm=times.warm, first=times.first)


@pytest.mark.parametrize("name", [*BYTE_LEVEL, *FALLBACK, *OTHERS])
def test_lines_in_one_batch(
    benchmark: Callable[..., object], row: Callable[[str], None], file_of: Callable[[str], Path], name: str
) -> None:
    """`encode_batch` on both sides, the oracle's on one thread."""
    times = compare(file_of(name), corpora.lines(), batch=True)
    assert times.equal
    row(f"{name:16} a batch  cold {times.cold:6.2f}  warm {times.warm:6.2f}  first {times.first:6.2f}")
    tokenizer = Tokenizer.from_file(file_of(name))
    benchmark.pedantic(lambda: tokenizer.encode_batch(corpora.lines()), rounds=1)
    benchmark.extra_info.update(cold=times.cold, warm=times.warm, first=times.first)


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("name", [*BYTE_LEVEL, "gpt4o"])
def test_warm_against_tiktoken(
    benchmark: Callable[..., object],
    row: Callable[[str], None],
    file_of: Callable[[str], Path],
    name: str,
    kind: str,
) -> None:
    """The vocabulary is taken from our own file: tiktoken reads its own from the network."""
    import tiktoken

    texts = TEXTS[kind]()
    tokenizer = Tokenizer.from_file(file_of(name))
    peer = tiktoken.Encoding(
        "bench", pat_str=_pattern(tokenizer), mergeable_ranks=_ranks(tokenizer), special_tokens={}
    )
    encode: Callable[[], List[object]] = lambda: [  # noqa: E731
        tokenizer.encode(text, add_special_tokens=False).ids for text in texts
    ]
    theirs: Callable[[], List[object]] = lambda: [peer.encode_ordinary(text) for text in texts]  # noqa: E731
    assert encode() == theirs()
    pairs = [(timed(theirs)[1], timed(encode)[1]) for _ in range(5)]
    ratio = median(theirs for theirs, _ in pairs) / median(ours for _, ours in pairs)
    row(f"{name:16} {kind:8} warm against tiktoken {ratio:6.2f}")
    benchmark.extra_info.update(warm=ratio)
    benchmark.pedantic(encode, rounds=3)


def _pattern(tokenizer: Tokenizer) -> str:
    fields = tokenizer.description.pre_tokenizer.to_fields()
    return fields["pretokenizers"][0]["pattern"]["Regex"]


def _ranks(tokenizer: Tokenizer) -> dict[bytes, int]:
    from tokassay.core.byte_alphabet import BYTE_OF_CHAR

    special = {token.content for token in tokenizer.description.added_tokens}
    vocab = tokenizer.description.model.vocab
    return {
        bytes(BYTE_OF_CHAR[character] for character in token): index
        for token, index in vocab.items()
        if token not in special
    }
