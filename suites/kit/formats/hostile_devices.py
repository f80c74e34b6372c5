"""Large files of one cruel shape each in the formats that are not JSON alone (see `hostile_files`)."""

from __future__ import annotations

import base64
import json
import struct
import sys
from array import array
from pathlib import Path
from typing import Callable, Dict, Mapping, Sequence

sys.path.insert(0, str(Path(__file__).parent))
from tiny_tokens import words

Maker = Callable[[int], bytes]


def _lines(head: str, line: Callable[[int, str], str], tail: str = "") -> Maker:
    """As many lines as fit, of a number and a word."""

    def make(size: int) -> bytes:
        tokens = words(size // (len(line(10**5, "aaaa")) + 1))
        body = "".join(f"{text}\n" for text in map(line, range(len(tokens)), tokens))
        return (head % len(tokens) if "%" in head else head).encode() + body.encode() + tail.encode()

    return make


def _coded(token: str) -> str:
    return base64.b64encode(token.encode()).decode()


def _file(kind: int, counts: str = "%d") -> str:
    return f"430 {kind}\n0 0 0\n\n{counts}\n"


def _repeated(head: bytes, item: bytes, tail: bytes = b"") -> Maker:
    return lambda size: head + item * (size // len(item)) + tail


def _ids(text: str) -> Maker:
    """A header with a million ids."""
    return lambda size: f"430 {text}\n{size // 2} 0 0\n{'1 ' * (size // 2)}\n1\nYQ== 0 1\n".encode()


LINES: Mapping[str, Maker] = {
    "pieces-added.txt": _lines(_file(0), lambda _, token: f"{_coded(token)} -1 4"),
    "pieces-control.txt": _lines(_file(0), lambda _, token: f"{_coded(token)} -1 3"),
    "pieces-same.txt": _lines(_file(0), lambda *_: "YQ== -1 1"),
    "pieces-empty.txt": _lines(_file(0), lambda *_: " -1 1"),
    "pieces-wrong.txt": _lines(_file(0, "99999999"), lambda _, token: f"{_coded(token)} -1 1"),
    "pieces-last.txt": _lines(_file(0), lambda _, token: f"{_coded(token)} -1 1", "x").__call__,
    "pieces-scores.txt": _lines(_file(0), lambda i, token: f"{_coded(token)} -{i}e-300 1"),
    "ranks-empty.txt": _lines(_file(1), lambda *_: ""),
    "ranks-same.txt": _lines(_file(1), lambda *_: "YQ=="),
    "ranks-binary.txt": _lines(_file(1), lambda i, _: base64.b64encode(struct.pack(">I", i)).decode()),
    "words-same.txt": _lines(_file(2), lambda *_: "YQ=="),
    "words-wrong.txt": _lines(_file(2), lambda _, token: _coded(token) + "="),
    "tokens-same.txt": _lines(_file(3, "%d 0"), lambda *_: "a"),
    "tokens-empty.txt": _lines(_file(3, "%d 0"), lambda *_: ""),
    "merges-same.txt": _lines(_file(3, "2 %d").replace("%d", "%d\na\naa"), lambda *_: "a a"),
    "merges-missing.txt": _lines(_file(3, "2 %d").replace("%d", "%d\na\naa"), lambda *_: "a b"),
    "merges-long.txt": lambda size: f"{_file(3, '2 1')}a\naa\n{'a' * size} a\n".encode(),
    "ids-pieces.txt": _ids("0"),
    "ids-ranks.txt": _ids("1"),
    "one-line.txt": lambda size: f"{_file(2, '1')}{'YWFh' * (size // 4)}\n".encode(),
    "only-breaks.txt": lambda size: f"{_file(1, '3')}{chr(10) * size}".encode(),
    "vocab-same.txt": _lines("[UNK]\n", lambda *_: "a"),
    "vocab-empty.txt": _lines("[UNK]\n", lambda *_: ""),
    "vocab-bytes.txt": lambda size: _lines("[UNK]\n", lambda _, token: token)(size) + b"\xff\n",
    "vocab-long.txt": lambda size: b"[UNK]\n" + b"\xf0\x9f\x98\x80" + b"a" * size,
    "same.tiktoken": _lines("", lambda i, _: f"YQ== {i}"),
    "far.tiktoken": _lines("", lambda i, token: f"{_coded(token)} {i * 16}"),
    "very-far.tiktoken": _lines("", lambda i, token: f"{_coded(token)} {i + 4 * 10**9}"),
    "backwards.tiktoken": _lines("", lambda i, token: f"{_coded(token)} {9999999 - i}"),
    "one-rank.tiktoken": _lines("", lambda _, token: f"{_coded(token)} 0"),
    "last.tiktoken": _lines("", lambda i, token: f"{_coded(token)} {i}", "YQ"),
    "breaks.tiktoken": _lines("YQ== 0\n", lambda *_: ""),
    "long.tiktoken": lambda size: b"YQ== 0\n" + b"YWFh" * (size // 4) + b" 1\n",
    "bytes.tiktoken": _lines("", lambda i, _: f"{base64.b64encode(struct.pack('>I', i)).decode()} {i}"),
    "same.merges": _lines('"bpe_simple_vocab_16e6.txt#version: 0.2\n', lambda *_: "a b"),
    "words.merges": _lines('"bpe_simple_vocab_16e6.txt#version: 0.2\n', lambda _, token: f"{token} {token}"),
}


def _text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def _gguf(entries: Sequence[bytes]) -> bytes:
    return struct.pack("<4sIQQ", b"GGUF", 3, 0, len(entries)) + b"".join(entries)


def _column(name: str, kind: int, count: int, values: bytes) -> bytes:
    return _text(f"tokenizer.ggml.{name}") + struct.pack("<IIQ", 9, kind, count) + values


def _name(kind: str) -> bytes:
    return _text("tokenizer.ggml.model") + struct.pack("<I", 8) + _text(kind)


def _gguf_tokens(kind: str, name: Callable[[str], str], types: int = 1, score: float = -1.0) -> Maker:
    def make(size: int) -> bytes:
        tokens = [name(token) for token in words(size // 21)]
        count = len(tokens)
        columns = [
            _column("tokens", 8, count, b"".join(map(_text, tokens))),
            _column("scores", 6, count, array("f", [score]).tobytes() * count),
            _column("token_type", 5, count, array("i", [types]).tobytes() * count),
            _column("merges", 8, 0, b""),
        ]
        return _gguf([_name(kind), *columns])

    return make


def _gguf_array(name: str, kind: int, item: bytes) -> Maker:
    def make(size: int) -> bytes:
        count = size // len(item)
        tokens = _column("tokens", 8, 1, _text("a"))
        return _gguf([_name("llama"), tokens, _column(name, kind, count, item * count)])

    return make


def _gguf_entries(size: int) -> bytes:
    return _gguf([_name("llama"), *(_text(word) + b"\0\0\0\0\1" for word in words(size // 17))])


def _field(number: int, content: bytes) -> bytes:
    return bytes([number << 3 | 2]) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    return (bytes([value & 127 | 128]) + _varint(value >> 7)) if value > 127 else bytes([value])


_PIECE = _field(1, _field(1, b"<unk>") + b"\x18\x02")


def _pieces(kind: bytes, more: bytes = b"") -> Maker:
    def make(size: int) -> bytes:
        tokens = words(size // (10 + len(kind) + len(more)))
        return _PIECE + b"".join(_field(1, _field(1, token.encode()) + kind + more) for token in tokens)

    return make


def _mtok(model: bytes, tail: bytes = b"") -> bytes:
    return b"430 4\n0 0 0\n\n" + b"\0\0" + model + tail


def _record(token: bytes, rest: bytes) -> bytes:
    return struct.pack("<H", len(token)) + token + rest


def _words_model(size: int) -> bytes:
    tokens = sorted(words(size // 10))
    head = b"\x01" + struct.pack("<I", len(tokens)) + _record(b"!", b"") + _record(b"##", b"") + b"\x64\0\0\0"
    return head + b"".join(_record(token.encode(), struct.pack("<I", i)) for i, token in enumerate(tokens))


def _added(count: int) -> bytes:
    tokens = words(count)
    return struct.pack("<I", count) + b"".join(
        struct.pack("<I", i + 1) + b"\1\0\0" + _record(token.encode(), b"") for i, token in enumerate(tokens)
    )


_UNIGRAM = b"\x02\x01\0\0\0\0\0\0\0\0" + _record(b"a", struct.pack("<Id", 0, -1.0)) + b"\0"
_TABLE = b"\x06" + struct.pack("<I", 100_000)


def _tabled(size: int) -> bytes:
    """A normalizer's table with the most entries that are allowed, long as the file is."""
    length = min(size // 100_000, 65_535)
    codes = [code for code in range(1, 110_000) if not 0xD800 <= code < 0xE000][:100_000]
    entries = b"".join(struct.pack("<IH", code, length) + b"a" * length for code in codes)
    return b"430 4\n0 0 0\n\n" + _TABLE + entries + b"\0" + _UNIGRAM + bytes(4)


BINARY: Mapping[str, Maker] = {
    "entries.gguf": _gguf_entries,
    "added-llama.gguf": _gguf_tokens("llama", str, 4),
    "added-gpt2.gguf": _gguf_tokens("gpt2", str, 3),
    "unused-llama.gguf": _gguf_tokens("llama", str, 5),
    "same-llama.gguf": _gguf_tokens("llama", lambda _: "a"),
    "empty-llama.gguf": _gguf_tokens("llama", lambda _: ""),
    "same-t5.gguf": _gguf_tokens("t5", lambda _: "a"),
    "nan-t5.gguf": _gguf_tokens("t5", str, 1, float("nan")),
    "marked-bert.gguf": _gguf_tokens("bert", lambda token: f"\u2581{token[-2:]}"),
    "wrong-type.gguf": _gguf_tokens("llama", str, 77),
    "scores.gguf": _gguf_array("scores", 6, b"\0\0\0\0"),
    "flags.gguf": _gguf_array("token_type", 7, b"\1"),
    "charsmap.gguf": _gguf_array("precompiled_charsmap", 0, b"\x04"),
    "empty-strings.gguf": _gguf_array("tokens2", 8, bytes(8)),
    "empty-merges.gguf": _gguf_array("merges", 8, bytes(8)),
    "short.gguf": lambda size: _gguf_tokens("llama", str)(size)[: -size // 40],
    "user.model": _pieces(b"\x18\x04"),
    "control.model": _pieces(b"\x18\x03"),
    "odd.model": _pieces(b"\x18\x01" * 8),
    "unknown.model": _pieces(b"\x18\x02"),
    "wrong.model": lambda size: _pieces(b"")(size) + b"\x0a\x05\x0a\x01",
    "empty-pieces.model": _repeated(_PIECE, b"\x0a\x00"),
    "many-fields.model": _repeated(_PIECE, b"\x78\x01"),
    "trainers.model": _repeated(_PIECE, _field(2, b"\x18\x01")),
    "charsmap.model": lambda size: _PIECE + _field(3, _field(2, b"\x04\0\0\0" * (size // 4))),
    "one-piece.model": lambda size: _PIECE + _field(1, _field(1, b"a" * size)),
    "long-number.model": _repeated(_PIECE + b"\x18", b"\xff"),
    "words.mtok": lambda size: _mtok(_words_model(size), b"\0" + bytes(4)),
    "words-cut.mtok": lambda size: _mtok(_words_model(size))[:-3],
    "added.mtok": lambda size: _mtok(_UNIGRAM, _added(min(size // 12, 100_000))),
    "too-many-added.mtok": lambda size: _mtok(_UNIGRAM, _added(size // 12)),
    "template.mtok": lambda size: _mtok(_UNIGRAM, bytes(4) + struct.pack("<I", size) + b"a" * size),
    "wide-template.mtok": lambda size: _mtok(
        _UNIGRAM, bytes(4) + struct.pack("<I", size + 4) + "\U0001f600".encode() + b"a" * size
    ),
    "trailing.mtok": lambda size: _mtok(_UNIGRAM, bytes(4) + bytes(4) + b"\0\0\0\0\0\0\0" + b"a" * size),
    "table.mtok": _tabled,
    "ids.mtok": lambda size: f"430 4\n{size // 2} 0 0\n{'1 ' * (size // 2)}\n".encode() + b"\0\0" + _UNIGRAM,
    "empty-bpe.mtok": lambda size: _mtok(
        b"\0" + struct.pack("<I", size // 6) + b"\0\0\0\0\0\0" + bytes(6) * (size // 6), b"\0" + bytes(4)
    ),
    "merges-bpe.mtok": lambda size: _mtok(
        b"\0\1\0\0\0\0\0"
        + struct.pack("<I", size // 12)
        + _record(b"a", bytes(4))
        + bytes(12) * (size // 12),
        b"\0" + bytes(4),
    ),
    "empty-entries.bin": _repeated(b"", bytes(6)),
    "wrong-count.bin": lambda size: struct.pack("<I", 200_000) + bytes(6) * (size // 6),
    "far-ids.bin": lambda size: (
        struct.pack("<I", size // 7) + b"".join(struct.pack("<IHB", i * 5, 1, 97) for i in range(size // 7))
    ),
    "one-id.bin": lambda size: struct.pack("<I", size // 7) + struct.pack("<IHB", 0, 1, 97) * (size // 7),
    "same-bytes.bin": lambda size: (
        struct.pack("<I", size // 7) + b"".join(struct.pack("<IHB", i, 1, 97) for i in range(size // 7))
    ),
    "long-entries.bin": lambda size: (
        struct.pack("<I", size // 65541)
        + b"".join(struct.pack("<IH", i, 65535) + b"a" * 65535 for i in range(size // 65541))
    ),
}


def _tekken(entry: Callable[[int, str], object], more: Callable[[int], object] = lambda _: None) -> Maker:
    def make(size: int) -> bytes:
        sample = len(json.dumps(entry(10**5, "aaaa"), separators=(",", ":")))
        tokens = words(size // (sample + 1))
        config = {"pattern": "\\p{L}+", "default_vocab_size": len(tokens), "default_num_special_tokens": 0}
        vocab = list(map(entry, range(len(tokens)), tokens))
        document = {"config": config, "vocab": vocab, "special_tokens": more(size)}
        return json.dumps(document, separators=(",", ":")).encode()

    return make


def _ranked(index: int, token: str) -> Dict[str, object]:
    return {"rank": index, "token_bytes": _coded(token)}


TEKKEN: Mapping[str, Maker] = {
    "tekken-valid.json": _tekken(_ranked),
    "tekken-same.json": _tekken(lambda index, _: {"rank": index, "token_bytes": "YQ=="}),
    "tekken-lists.json": _tekken(lambda index, token: [] if index else _ranked(index, token)),
    "tekken-more.json": _tekken(lambda index, token: {**_ranked(index, token), "more": [[], [], {}, {}]}),
    "tekken-cut.json": lambda size: _tekken(_ranked)(size)[: -size // 50],
    "tekken-comma.json": lambda size: _tekken(_ranked)(size).replace(b'}],"special', b'},],"special'),
    "tekken-special.json": lambda size: _tekken(
        _ranked, lambda size: [{"rank": i, "token_str": "a"} for i in range(size // 20)]
    )(size // 2),
}
DEVICES: Mapping[str, Maker] = {**LINES, **BINARY, **TEKKEN}
