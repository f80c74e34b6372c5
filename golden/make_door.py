"""Write golden/vectors/*/door*.jsonl: small files in other formats, and what the clauses say of them.

    python golden/make_door.py

Needs sentencepiece and tiktoken. The answers stand here, written by hand; a difference between hand, library
and reference stops the program.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import struct
import sys
from pathlib import Path
from typing import Any, Iterator, Optional

import sentencepiece

from tokassay import FormatError, Tokenizer, formats
from tokassay.vectors.rows import arranged, write_file

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "suites" / "kit" / "formats" / "door"), str(ROOT / "golden" / "makers")]
from charsmap import charsmap_of  # noqa: E402
from models import message, model, piece  # noqa: E402

Row = dict[str, Any]
UNK, CTL = piece("<unk>", 0, 2), piece("<s>", 0, 3)
AB = [UNK, CTL, piece("a", -3), piece("b", -4), piece("ab", -1), piece("\u2581", -5), piece("\u2581a", -2)]
OPTIONS = {"dummy": 1, "extra": 0}
CLIP = b'"bpe_simple_vocab_16e6.txt#version: 0.2\na b</w>\nt h\n'


def row(  # noqa: PLR0917
    op: str, topic: str, clause: str, name: str, content: bytes, answer: Row, **fields: Any
) -> Row:
    kind = "door" if op == "load" else "door-encode"
    return {
        "id": f"{kind}/{topic}",
        "op": op,
        "kind": kind,
        "level": "must",
        "clauses": clause.split(),
        "source": {"kind": "hand", "ref": ""},
        "oracle": {"name": "clause", "version": "1"},
        "file": {"name": name, "hex": content.hex()},
        "expect": {"inline": {"sha256": hashlib.sha256(content).hexdigest()[:16], **answer}},
        **fields,
    }


def loads(  # noqa: PLR0917
    topic: str,
    clause: str,
    name: str,
    content: bytes,
    probe: str,
    ids: list[int],
    back: Optional[str] = None,
    names: Optional[dict[int, Optional[str]]] = None,
) -> Row:
    """A file that loads: `probe` gives `ids`, and these give `back`."""
    tokenizer = Tokenizer(formats.parse(content, format=name))
    back = probe if back is None else back
    found, decoded = tokenizer.encode(probe, add_special_tokens=False).ids, tokenizer.decode(ids, False)
    if (list(found), decoded) != (ids, back):
        sys.exit(f"{topic}: {list(found)} instead of {ids}, {decoded!a} instead of {back!a}")
    if name == "sentencepiece":
        library = sentencepiece.SentencePieceProcessor(model_proto=content)
        if (library.encode(probe), library.decode(ids)) != (ids, back):
            sys.exit(f"{topic}: the library says {library.encode(probe)}, {library.decode(ids)!a}")
    size = tokenizer.vocab_size
    answer: Row = {
        "loads": True,
        "vocab_size": size,
        "vocab_size_no_added": tokenizer.description.model.vocab_size,
    }
    answer.update({"ids": ids, "decoded": back})
    if names is None:
        return row("load", topic, clause, name, content, answer, probe=probe)
    answer["id_to_token"] = {str(index): token for index, token in names.items()}
    if any(tokenizer.id_to_token(index) != token for index, token in names.items()):
        sys.exit(f"{topic}: {[tokenizer.id_to_token(index) for index in names]}")
    return row("load", topic, clause, name, content, answer, probe=probe, probe_ids=list(names))


def refused(topic: str, clause: str, name: str, content: bytes) -> Row:
    try:
        formats.parse(content, format=name)
    except FormatError:
        return row("load", topic, clause, name, content, {"loads": False, "error": "FormatError"})
    sys.exit(f"{topic}: loads")


def sp(  # noqa: PLR0917
    topic: str, clause: str, content: bytes, probe: str, ids: list[int], back: Optional[str] = None
) -> Row:
    return loads(topic, clause, "sentencepiece", content, probe, ids, back)


def piece_rows() -> Iterator[Row]:
    def bad(topic: str, clause: str, content: bytes) -> Row:
        return refused(topic, clause, "sentencepiece", content)

    whole = model(AB, 2, **OPTIONS)
    yield sp("sp-bpe", "sentencepiece.message", whole, "ab a", [5, 4, 6])
    yield sp("sp-defaults", "sentencepiece.message", b"".join(AB), " a  a ", [6, 6], "a a")
    yield bad("sp-word-model", "sentencepiece.message", model(AB, 3))
    yield bad("sp-piece-again", "sentencepiece.pieces", model([*AB, piece("a")], 2))
    yield bad("sp-empty-piece", "sentencepiece.pieces", model([*AB, piece("")], 2))
    yield bad("sp-not-a-number", "sentencepiece.pieces", model([*AB, piece("c", float("nan"))], 2))
    yield bad("sp-type-9", "sentencepiece.pieces", model([*AB, piece("c", -1, 9)], 2))
    yield sp("decode-mark", "sentencepiece.decode", whole, "\u2581a", [5, 6], " a")
    yield sp(
        "decode-unknown-first",
        "sentencepiece.decode.named",
        model(AB, 2, dummy=0, extra=1),
        "x",
        [0],
        " \u2047 ",
    )


def normalized_rows() -> Iterator[Row]:
    order = "sentencepiece.normalizer.order"
    yield sp("sp-blanks-go", order, model(AB, 2, dummy=1, extra=1), "  a   a ", [6, 6], "a a")
    yield sp("sp-blanks-stay", order, model(AB, 2, **OPTIONS), " a", [5, 6], " a")
    yield sp("sp-mark-behind", order, model(AB, 2, suffix=1, dummy=1, extra=0), "ab", [4, 5], "ab ")
    rules = message(3, message(2, charsmap_of({"x": "a", "xy": "b"})) + b"\x18\x00\x20\x00")
    ruled = b"".join(AB) + message(2, b"\x18\x02") + rules
    yield sp("sp-longest-rule", "sentencepiece.normalizer.longest", ruled, "xyx", [3, 2], "ba")
    user = [*AB, piece("xy", -9, 4)]
    kept = b"".join(user) + message(2, b"\x18\x02") + rules
    yield sp("sp-rule-inside", "sentencepiece.normalizer.user-defined", kept, "xyx", [7, 2], "xya")
    yield sp(
        "sp-control",
        "scored.kinds",
        model([*AB, piece("<", -1)], 2, dummy=0, extra=0),
        "<s>a",
        [7, 0, 2],
        "< \u2047 a",
    )


def scored_rows() -> Iterator[Row]:
    ties = [UNK, piece("a", -9), piece("b", -9), piece("ab", -1), piece("ba", -1), piece("aba", -5)]
    plain = {"dummy": 0, "extra": 0}
    yield sp("bpe-leftmost", "scored.bpe.order", model(ties, 2, **plain), "ababa", [3, 5])
    yield sp(
        "bpe-user",
        "scored.bpe.user-defined",
        model([*ties, piece("bab", -1, 4)], 2, **plain),
        "ababa",
        [1, 6, 1],
    )
    unused = [UNK, piece("a", -9), piece("b", -9), piece("ab", -1), piece("aba", -2, 5), piece("c", -1, 5)]
    yield sp("bpe-unused", "scored.bpe.unused", model(unused, 2, **plain), "abab", [3, 3])
    yield sp(
        "bpe-unused-half", "scored.bpe.unused", model(unused, 2, **plain), "abac", [3, 1, 0], "aba \u2047 "
    )
    sums = [UNK, piece("a", -1), piece("b", -1), piece("ab", -2), piece("ba", -2), piece("bab", -3)]
    yield sp("unigram-ties", "scored.unigram.best", model(sums, 1, **plain), "abab", [1, 5])
    yield sp(
        "unigram-unknown", "scored.unigram.unknown", model(sums, 1, **plain), "axxb", [1, 0, 2], "a \u2047 b"
    )
    users = [*sums, piece("aba", -99, 4)]
    yield sp("unigram-user", "scored.unigram.user-defined", model(users, 1, **plain), "abab", [6, 2])
    hexes = [piece(f"<0x{byte:02X}>", 0, 6) for byte in range(256)]
    fallback = model([*sums, *hexes], 1, byte_fallback=1, **plain)
    yield sp("bytes", "scored.unknown", fallback, "a\u00e9", [1, 6 + 0xC3, 6 + 0xA9])
    yield sp("unknown-run", "scored.unknown", model(ties, 2, **plain), "xyz", [0], " \u2047 ")


def rank_rows() -> Iterator[Row]:
    def ranks(*tokens: bytes) -> bytes:
        return b"".join(b"%s %d\n" % (base64.b64encode(token), i) for i, token in enumerate(tokens))

    some = ranks(b"a", b"b", b" ", b"ab", b" a")
    yield loads("ranks", "tiktoken.lines", "tiktoken", some.replace(b"\n", b"\r\n\n"), "ab a", [3, 4])
    yield refused("ranks-three-words", "tiktoken.lines", "tiktoken", b"YQ== 0 1\n")
    yield refused("ranks-token-again", "tiktoken.lines", "tiktoken", b"YQ== 0\nYQ== 1\n")
    yield refused("ranks-not-base64", "tiktoken.lines", "tiktoken", b"YQ 0\n")
    yield loads(
        "ranks-empty", "tiktoken.empty", "tiktoken", some + b"= 5\n", "ab", [3], names={4: "\u0120a", 5: None}
    )
    yield loads("ranks-pattern", "tiktoken.pattern", "tiktoken", some, "a a", [0, 4])
    yield refused("ranks-beyond", "tiktoken.ranks.beyond", "tiktoken", b"YQ== 99999\n")
    answer = {"error": "EncodeError"}
    yield row("encode", "no-such-byte", "tiktoken.bytes", "tiktoken", some, answer, text="c")
    document: Row = {
        "config": {"pattern": "\\S| a", "default_vocab_size": 7, "default_num_special_tokens": 3},
        "vocab": [
            {"rank": i, "token_bytes": base64.b64encode(token).decode()}
            for i, token in enumerate([b"a", b"b", b" ", b" a", b"ab"])
        ],
        "special_tokens": [{"rank": 2, "token_str": "[X]"}],
    }
    name = "tekken.json"
    yield loads("tekken", "tekken.config", name, json.dumps(document).encode(), "b ab", [4, 6, 4])
    yield loads(
        "tekken-more",
        "tekken.vocabulary",
        name,
        json.dumps(document).encode(),
        "ab",
        [3, 4],
        names={6: "\u0120a", 7: None},
    )
    fewer = {**document, "vocab": document["vocab"][:3]}
    yield refused("tekken-fewer", "tekken.vocabulary", name, json.dumps(fewer).encode())
    names = {0: "<unk>", 1: "<s>", 2: "[X]"}
    yield loads(
        "tekken-special", "tekken.special", name, json.dumps(document).encode(), "a", [3], names=names
    )


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def entry(key: str, kind: int, value: bytes) -> bytes:
    return text(f"tokenizer.ggml.{key}") + struct.pack("<I", kind) + value


def strings(*values: str) -> bytes:
    return struct.pack("<IQ", 8, len(values)) + b"".join(map(text, values))


def kinds(*values: int) -> bytes:
    return struct.pack(f"<IQ{len(values)}i", 5, len(values), *values)


def scores(*values: float) -> bytes:
    return struct.pack(f"<IQ{len(values)}f", 6, len(values), *values)


def gguf_file(*entries: bytes) -> bytes:
    return struct.pack("<4sIQQ", b"GGUF", 3, 0, len(entries)) + b"".join(entries)


def merged_rows() -> Iterator[Row]:
    merged = [entry("model", 8, text("gpt2")), entry("pre", 8, text("llama-bpe"))]
    merged += [entry("tokens", 9, strings("a", "b", "ab", "aba", "<x>")), entry("merges", 9, strings("a b"))]
    typed = gguf_file(*merged, entry("token_type", 9, kinds(1, 1, 1, 1, 3)))
    yield loads("gguf-bpe", "gguf.gpt2", "gguf", typed, "aba", [3])
    yield loads("gguf-control", "gguf.added", "gguf", typed, "ab<x>a", [2, 4, 0])
    yield refused(
        "gguf-pattern", "gguf.refused", "gguf", gguf_file(merged[0], entry("pre", 8, text("?")), *merged[2:])
    )
    yield refused("gguf-cut", "gguf.metadata", "gguf", typed[:-1])
    yield refused(
        "gguf-too-many",
        "gguf.metadata",
        "gguf",
        gguf_file(entry("tokens", 9, struct.pack("<IQ", 8, 1 << 60))),
    )
    yield refused("gguf-key-again", "gguf.metadata", "gguf", gguf_file(merged[0], merged[0]))


def columns_rows() -> Iterator[Row]:
    tokens = entry("tokens", 9, strings("<unk>", "\u2581", "a", "\u2581a", "aa"))
    columns = [
        tokens,
        entry("token_type", 9, kinds(2, 1, 1, 1, 4)),
        entry("scores", 9, scores(0, -3, -2, -2, -1)),
    ]
    scored = gguf_file(entry("model", 8, text("llama")), *columns)
    yield loads("gguf-llama", "gguf.llama", "gguf", scored, "a aa", [3, 1, 4])
    summed = gguf_file(entry("model", 8, text("t5")), *columns)
    yield loads("gguf-t5", "gguf.t5", "gguf", summed, "a a", [3, 3])


def words_rows() -> Iterator[Row]:
    words = [
        entry("tokens", 9, strings("[UNK]", "[CLS]", "\u2581ab", "c", "\u2581x")),
        entry("token_type", 9, kinds(3, 3, 1, 1, 1)),
        entry("unknown_token_id", 4, struct.pack("<I", 0)),
    ]
    bert = gguf_file(entry("model", 8, text("bert")), *words)
    yield loads(
        "gguf-bert",
        "gguf.bert",
        "gguf",
        bert,
        "\u00c1bc, x[CLS]abc",
        [2, 3, 0, 4, 1, 2, 3],
        "abc [UNK] x [CLS] abc",
    )
    yield refused(
        "gguf-bert-no-unknown", "gguf.bert", "gguf", gguf_file(entry("model", 8, text("bert")), *words[:2])
    )
    yield refused("gguf-rwkv", "gguf.refused", "gguf", gguf_file(entry("model", 8, text("rwkv")), *words[:2]))


def clip_rows() -> Iterator[Row]:
    name = "clip-merges"
    yield refused("clip-head", "clip.head", name, CLIP[1:])
    ids = {
        0: "!",
        256: "!</w>",
        512: "ab</w>",
        513: "th",
        514: "<|startoftext|>",
        515: "<|endoftext|>",
        516: None,
    }
    yield loads(
        "clip", "clip.vocabulary clip.pipeline", name, CLIP, "AB  th", [512, 83, 327], "ab</w>th</w>", ids
    )
    yield loads("clip-gzip", "clip.gzip", name, gzip.compress(CLIP, mtime=0), "ab", [512], "ab</w>")
    yield refused("clip-gzip-cut", "clip.gzip", name, gzip.compress(CLIP, mtime=0)[:-4])


def main() -> None:
    makers = (
        piece_rows,
        normalized_rows,
        scored_rows,
        rank_rows,
        merged_rows,
        columns_rows,
        words_rows,
        clip_rows,
    )
    rows = [row for make in makers for row in make()]
    for op, file in (("load", "load/door.jsonl"), ("encode", "encode/door-encode.jsonl")):
        kept = [arranged(one) for one in rows if one["op"] == op]
        write_file(ROOT / "golden" / "vectors" / file, kept)
        print(f"{file}: {len(kept)} vectors")


if __name__ == "__main__":
    main()
