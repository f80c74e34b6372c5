"""Files of many tiny tokens, one for each format: what takes a few bytes there takes an object here."""

from __future__ import annotations

import base64
import json
import struct
from array import array
from itertools import chain, islice, product
from pathlib import Path
from typing import Callable, Mapping, Sequence

from tokassay import formats
from tokassay.core.byte_records import pack
from tokassay.core.description import Description
from tokassay.core.models.unigram import Unigram
from tokassay.core.models.wordpiece import WordPiece

LETTERS = [chr(code) for code in range(33, 127) if chr(code) not in '"\\']


def words(count: int) -> list[str]:
    """Distinct, the shortest first."""
    of_all_sizes = chain.from_iterable(product(LETTERS, repeat=size) for size in (1, 2, 3, 4))
    return ["".join(word) for word in islice(of_all_sizes, count)]


def _pairs(tokens: Sequence[str]) -> list[str]:
    """A merge for each token of several letters."""
    return [f"{token[:-1]} {token[-1]}" for token in tokens if len(token) > 1]


def _gguf(kind: str, tokens: Sequence[str], merges: Sequence[str] = ()) -> bytes:
    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value)) + value.encode()

    def column(name: str, kind: int, count: int, values: bytes) -> bytes:
        return text(f"tokenizer.ggml.{name}") + struct.pack("<IIQ", 9, kind, count) + values

    parts = [
        text("tokenizer.ggml.model") + struct.pack("<I", 8) + text(kind),
        column("tokens", 8, len(tokens), b"".join(map(text, tokens))),
        column("scores", 6, len(tokens), array("f", [-1]).tobytes() * len(tokens)),
        column("merges", 8, len(merges), b"".join(map(text, merges))),
    ]
    return struct.pack("<4sIQQ", b"GGUF", 3, 0, len(parts)) + b"".join(parts)


def _sentencepiece(tokens: Sequence[str], kind: int) -> bytes:
    pieces = (b"\n%c%b\x15\0\0\0\0" % (len(token), token.encode()) for token in tokens)
    return b"".join(b"\n%c%b" % (len(piece), piece) for piece in pieces) + b"\x12\x02\x18%c" % kind


def _json(**model: object) -> bytes:
    return json.dumps({"version": "1.0", "model": model}, separators=(",", ":")).encode()


def _numbered(tokens: Sequence[str]) -> dict[str, int]:
    return {token: index for index, token in enumerate(tokens)}


def _tekken(tokens: Sequence[str]) -> bytes:
    config = {"pattern": "\\p{L}+", "default_vocab_size": len(tokens), "default_num_special_tokens": 0}
    vocab = [{"rank": index, "token_bytes": _base64(token)} for index, token in enumerate(tokens)]
    return json.dumps({"config": config, "vocab": vocab}, separators=(",", ":")).encode()


def _base64(token: str) -> str:
    return base64.b64encode(token.encode()).decode()


def _text(kind: int, lines: Sequence[str], counts: str) -> bytes:
    return "".join(f"{line}\n" for line in (f"430 {kind}", "0 0 0", "", counts, *lines)).encode()


def _mtok(model: object) -> bytes:
    return formats.serialize(formats.project(Description(model), "mtok"), "mtok")  # type: ignore[arg-type]


_MAKERS: Mapping[str, Callable[[list[str]], bytes]] = {
    "gpt2.gguf": lambda tokens: _gguf("gpt2", tokens, _pairs(tokens)),
    "llama.gguf": lambda tokens: _gguf("llama", tokens),
    "t5.gguf": lambda tokens: _gguf("t5", tokens),
    "bert.gguf": lambda tokens: _gguf("bert", tokens),
    "same.gguf": lambda tokens: _gguf("bert", ["a"] * len(tokens)),
    "unigram.model": lambda tokens: _sentencepiece(tokens, 1),
    "bpe.model": lambda tokens: _sentencepiece(tokens, 2),
    "x.tiktoken": lambda tokens: "".join(
        f"{_base64(token)} {index}\n" for index, token in enumerate(tokens)
    ).encode(),
    "tekken.json": _tekken,
    "sentencepiece.txt": lambda tokens: _text(
        0, [f"{_base64(token)} -1 1" for token in tokens], str(len(tokens))
    ),
    "tiktoken.txt": lambda tokens: _text(1, list(map(_base64, tokens)), str(len(tokens))),
    "bert.txt": lambda tokens: _text(2, list(map(_base64, tokens)), str(len(tokens))),
    "huggingface.txt": lambda tokens: _text(
        3, [*tokens, *_pairs(tokens)], f"{len(tokens)} {len(_pairs(tokens))}"
    ),
    "vocab.txt": lambda tokens: "\n".join(["[UNK]", *tokens]).encode(),
    "unigram.mtok": lambda tokens: _mtok(Unigram([(token, -1.0) for token in tokens], 0)),
    "wordpiece.mtok": lambda tokens: _mtok(WordPiece(_numbered(tokens), tokens[0])),
    "vocab.bin": lambda tokens: pack([token.encode() for token in tokens]),
    "wordlevel.json": lambda tokens: _json(type="WordLevel", vocab=_numbered(tokens), unk_token="!"),
    "bpe.json": lambda tokens: _json(
        type="BPE", vocab=_numbered(tokens), merges=[pair.split(" ") for pair in _pairs(tokens)]
    ),
    "lines.json": lambda tokens: _json(type="BPE", vocab=_numbered(tokens), merges=_pairs(tokens)),
    "unigram.json": lambda tokens: _json(type="Unigram", unk_id=0, vocab=[[token, -1.0] for token in tokens]),
}
NAMES = tuple(_MAKERS)


def written(name: str, folder: Path, count: int) -> Path:
    """The file with that many tokens."""
    path = folder / name
    path.write_bytes(_MAKERS[name](words(count)))
    return path
