"""The sections of small .mtok files, byte by byte: what make_mtok.py puts together."""

from __future__ import annotations

import json
import struct
from typing import Any, Dict, Optional, Sequence, Tuple

Row = Dict[str, Any]


def u16(value: int) -> bytes:
    return struct.pack("<H", value)


def u32(value: int) -> bytes:
    return struct.pack("<I", value)


def text(value: str) -> bytes:
    data = value.encode()
    return u16(len(data)) + data


# 0 a, 1 b, 2 c, 3 blank, 4 e, 5 ., 6 x, 7 mark, 8 e with acute, 9 acute, 10 ab, 11 f, 12 i, 13 A, 14 1
LETTERS = [*"abc e.x\u2581\u00e9\u0301", "ab", *"fiA12-\u4e16"]


def bpe(
    tokens: Sequence[str] = tuple(LETTERS),
    merges: Sequence[Tuple[str, str]] = (("a", "b"),),
    fallback: int = 0,
    spells: int = 0,
) -> bytes:
    ids = {token: index for index, token in enumerate(tokens)}
    keys = sorted((ids[left], ids[right], rank) for rank, (left, right) in enumerate(merges))
    records = b"".join(text(token) + u32(ids[token]) for token in sorted(ids))
    head = b"\0" + u32(len(ids)) + bytes([fallback, spells]) + u32(len(keys))
    return head + records + b"".join(struct.pack("<3I", *key) for key in keys)


def wordpiece(tokens: Sequence[str], longest: int = 100) -> bytes:
    ids = {token: index for index, token in enumerate(tokens)}
    records = b"".join(text(token) + u32(ids[token]) for token in sorted(ids))
    return b"\1" + u32(len(ids)) + text("[UNK]") + text("##") + u32(longest) + records


def unigram(pieces: Sequence[Tuple[str, float]], unknown: int = 0, fallback: int = 0) -> bytes:
    order = sorted(range(len(pieces)), key=lambda index: pieces[index][0])
    records = b"".join(text(pieces[i][0]) + struct.pack("<Id", i, pieces[i][1]) for i in order)
    return b"\2" + u32(len(pieces)) + u32(unknown) + bytes([fallback]) + records


def added(*tokens: Tuple[int, int, int, int, str]) -> bytes:
    """(id, special, lstrip, rstrip, content)."""
    return u32(len(tokens)) + b"".join(u32(t[0]) + bytes(t[1:4]) + text(t[4]) for t in tokens)


def table(*entries: Tuple[str, str]) -> bytes:
    return u32(len(entries)) + b"".join(u32(ord(char)) + text(to) for char, to in entries)


FUSE = b"\4"
HEADER = b"430 4\n0 0 0\n\n"


def mtok(  # noqa: PLR0917
    normalizer: bytes = b"\0",
    splitter: bytes = b"\0",
    model: Optional[bytes] = None,
    decoder: bytes = FUSE,
    tokens: bytes = u32(0),
    tail: bytes = b"",
    header: bytes = HEADER,
) -> bytes:
    return header + normalizer + splitter + (bpe() if model is None else model) + decoder + tokens + tail


def json_file(**parts: Any) -> Row:
    """A tokenizer.json that something is written from."""
    model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None}
    model.update(
        {"end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False}
    )
    model.update({"vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]})
    document: Row = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": []}
    document.update({"normalizer": None, "pre_tokenizer": None, "post_processor": None})
    document.update({"decoder": {"type": "Fuse"}, "model": model})
    document.update({name: value for name, value in parts.items() if name in document})
    model.update({name: value for name, value in parts.items() if name not in document})
    return {"name": "tokenizer.json", "text": json.dumps(document)}
