"""Write golden/vectors/*/mtok*.jsonl: small .mtok files with what the clauses say about them.

The answers stand here, written by hand; the reference is only asked for what follows from them
(offsets, and digests of columns). A difference between hand and reference stops the program.

    python golden/make_mtok.py
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any, Dict, Iterator, List

from mtok_answers import answered, decodes, encodes, loads, refused, row
from mtok_parts import (
    FUSE,
    LETTERS,
    added,
    bpe,
    json_file,
    mtok,
    table,
    text,
    u16,
    u32,
    unigram,
    wordpiece,
)

from tokassay.vectors.rows import arranged, write_file

ROOT = Path(__file__).resolve().parent.parent
Row = Dict[str, Any]

SMALL = bpe(["a", "b", "ab"])
TAIL = u32(0) + text("") + b"\0" + text("")
S = [*LETTERS, "<s>", "</s>"]
MARKED = added((18, 1, 0, 0, "<s>"), (19, 1, 0, 0, "</s>"))


def rows() -> Iterator[Row]:
    yield from file_rows()
    yield from normalizer_rows()
    yield from splitter_rows()
    yield from model_rows()
    yield from decoder_rows()
    yield from tail_rows()
    yield from number_rows()
    yield from written_rows()


def file_rows() -> Iterator[Row]:
    whole = mtok(
        b"\2" + text("x"),
        b"\2\1",
        bpe(S),
        b"\7" + u32(2) + b"\1" + FUSE,
        MARKED,
        u32(2) + b"hi" + text("</s>") + b"\1" + text("<s>"),
        b"430 4\n2 1 1\n18 19 19 18\n",
    )
    yield loads("document-layout", "layout header.lists", whole, "ab1", [6, 10, 14], "xab1", "structure")
    yield loads("document-header", "header.magic header.lists", mtok(), "ab", [10], "ab", "text header")
    yield refused("magic", "header.magic", mtok(header=b"431 4\n0 0 0\n\n"))
    yield refused("another-type", "header.magic", mtok(header=b"430 5\n0 0 0\n\n"))
    yield refused("two-counts", "header.lists", mtok(header=b"430 4\n0 0\n\n"))
    yield refused("an-id-too-few", "header.lists", mtok(header=b"430 4\n2 0 0\n1\n"))
    yield refused("an-id-too-many", "header.lists", mtok(header=b"430 4\n1 0 0\n1 2\n"))
    yield loads("windows", "header.ends", mtok(header=b"430 4\r\n1 0 0\r\n17\r\n"), "ab", [10], "ab")
    yield refused("no-third-line", "header.ends", mtok(header=b"430 4\n0 0 0\n"))
    content = mtok(header=b"430 4\n1 0 1\n18 18\n", model=bpe(S), tokens=MARKED)
    yield encodes("document-prefix", "header.prefix", content, "ab", [10], [18, 10], "text header")
    yield decodes("document-special", "header.special", content, [18, 10], "ab", True, "text header")
    yield decodes("special-kept", "header.special", content, [18, 10], "<s>ab", False)
    other = mtok(header=b"430 4\n1 0 0\n10\n")
    yield decodes("listed-only", "header.special", other, [10], "ab", True)
    yield loads(
        "document-types", "types", mtok(b"\2" + text("\u4e16")), "a", [17, 0], "\u4e16a", "basic types"
    )
    yield refused("flag-of-two", "types.flag", mtok(splitter=b"\2\2"))
    yield refused("invalid-utf-8", "types", mtok(b"\2\1\0\xff"))
    yield refused("cut", "types", mtok()[:-5])
    yield refused("many-parts", "limits", mtok(b"\4" + u32(1025) + bytes(1025)))
    yield refused("deep", "limits", mtok((b"\4" + u32(1)) * 33 + b"\0"))


def normalizer_rows() -> Iterator[Row]:
    yield loads("document-none", "normalizer.none", mtok(), "\u00e9", [8], "\u00e9", "normalizer 0")
    nothing = mtok(b"\4" + u32(1) + b"\0")
    yield loads("none-in-a-sequence", "normalizer.none", nothing, "\u00e9", [8], "\u00e9")
    nfkc = mtok(b"\1")
    yield loads(
        "document-nfkc", "normalizer.nfkc", nfkc, "\ufb01e\u0301", [11, 12, 8], "fi\u00e9", "normalizer 1"
    )
    prepend = mtok(b"\2" + text("\u2581"))
    yield loads("document-prepend", "normalizer.prepend", prepend, "ab", [7, 10], "\u2581ab", "normalizer 2")
    yield loads("prepend-nothing", "normalizer.prepend", prepend, "", [], "")
    replace = mtok(b"\3" + text(" ") + text("\u2581"))
    yield loads(
        "document-replace", "normalizer.replace", replace, "a b", [0, 7, 1], "a\u2581b", "normalizer 3"
    )
    yield refused("replace-nothing", "normalizer.replace", mtok(b"\3" + text("") + text("a")))
    both = mtok(b"\4" + u32(2) + b"\2" + text(" ") + b"\3" + text(" ") + text("\u2581"))
    yield loads("document-sequence", "normalizer.sequence", both, "a", [7, 0], "\u2581a", "normalizer 4")
    lower = mtok(b"\5\0\0\0\1")
    yield loads("document-bert", "normalizer.bert", lower, "A", [0], "a", "normalizer 5")
    around = mtok(b"\5\1\1\0\0")
    yield loads("bert-clean-and-cjk", "normalizer.bert", around, "a\0\u4e16", [0, 3, 17, 3], "a \u4e16 ")
    yield loads("bert-strip", "normalizer.bert", mtok(b"\5\0\0\1\0"), "\u00e9", [4], "e")
    yield from table_rows()
    strip = mtok(b"\x08\1\0")
    yield loads("strip-left", "normalizer.strip", strip, " \u2028a ", [0, 3], "a ")
    yield loads("strip-right", "normalizer.strip", mtok(b"\x08\0\1"), " a \u0085", [3, 0], " a")
    yield refused("normalizer-nine", "normalizer.none", mtok(b"\x09"))


def table_rows() -> Iterator[Row]:
    entries = table(("\u2460", "1"), ("\ufb01", "fi"))
    tabled = mtok(b"\6" + entries)
    ids, back = [11, 12, 14, 4, 9], "fi1e\u0301"
    clauses = "normalizer.nfkc-table normalizer.table"
    yield loads(
        "document-nfkc-table", clauses, tabled, "\ufb01\u2460e\u0301", ids, back, "normalization table"
    )
    yield loads("document-look-up", clauses, tabled, "a\ufb02", [0], "a", "look-up by bisection")
    unchanged = mtok(b"\6" + entries, model=bpe([*LETTERS, "\x01"]))
    yield loads("a-table-leaves-control", "normalizer.nfkc-table", unchanged, "\x01", [18], "\x01")
    yield loads("a-table-may-drop", "normalizer.table", mtok(b"\6" + table(("x", ""))), "axb", [10], "ab")
    yield refused("unsorted-table", "normalizer.table", mtok(b"\6" + table(("b", "a"), ("a", "b"))))
    surrogate = mtok(b"\6" + u32(1) + u32(0xD800) + text("a"))
    yield refused("surrogate-in-table", "normalizer.table", surrogate)
    accents = table(("\u00e9", "e\u0301"))
    bert = mtok(b"\7\0\0\1\0" + accents)
    yield loads("document-bert-nfd", "normalizer.bert-nfd", bert, "\u00e9A", [4, 13], "eA", "normalizer 7")
    yield loads("bert-nfd-off", "normalizer.bert-nfd", mtok(b"\7\0\0\0\1"), "\u00e9A", [8, 0], "\u00e9a")
    made = mtok(b"\6" + table(("\u0340", "\u0300")), model=SMALL, tail=TAIL + u16(0))
    yield loads("reads-any-table", "normalizer.table-version", made, "ab", [2], "ab")


def splitter_rows() -> Iterator[Row]:
    crossing = bpe([*LETTERS, "a1", "b "], [("a", "1"), ("b", " "), ("a", "b")])
    yield loads(
        "document-no-splitter", "pretokenizer.none", mtok(model=crossing), "a1b ", [18, 19], "a1b ", "0"
    )
    empty = mtok(splitter=b"\6" + u32(1) + b"\0", model=crossing)
    yield loads("none-among-splitters", "pretokenizer.none", empty, "a1", [18], "a1")
    spelled = bpe(["a", "\u0120", "b", "\u0120b", "a\u0120"], [("a", "\u0120"), ("\u0120", "b")])
    cutting = mtok(splitter=b"\1\1", model=spelled, decoder=b"\0")
    clause = "pretokenizer.byte-level"
    yield loads("document-byte-level", clause, cutting, "a b", [0, 3], "a b", "pre-tokenizer 1")
    spelling = mtok(splitter=b"\1\0", model=spelled, decoder=b"\0")
    yield loads("byte-level-without-pattern", clause, spelling, "a b", [4, 2], "a b")
    digits = bpe([*LETTERS, "12", "a1"], [("1", "2"), ("a", "1")])
    each = mtok(splitter=b"\2\1", model=digits)
    yield loads("document-digits", "pretokenizer.digits", each, "a12", [0, 14, 15], "a12", "pre-tokenizer 2")
    runs = mtok(splitter=b"\2\0", model=digits)
    yield loads("digits-in-runs", "pretokenizer.digits", runs, "a12", [0, 18], "a12")
    words = bpe([*LETTERS, "b\u2581", "\u2581a"], [("b", "\u2581"), ("\u2581", "a")])
    clause = "pretokenizer.metaspace"
    marked = mtok(splitter=b"\3" + text("\u2581") + b"\1", model=words)
    yield loads("document-metaspace", clause, marked, "b a", [7, 1, 19], "\u2581b\u2581a", "pre-tokenizer 3")
    bare = mtok(splitter=b"\3" + text("\u2581") + b"\0", model=words)
    yield loads("metaspace-without-prefix", clause, bare, "b a", [1, 19], "b\u2581a")
    yield from split_rows()
    punctuated = bpe([*LETTERS, "a."], [("a", ".")])
    bert = mtok(splitter=b"\5", model=punctuated)
    yield loads(
        "document-bert-splitter", "pretokenizer.bert", bert, "a. b", [0, 5, 1], "a.b", "pre-tokenizer 5"
    )
    pair = mtok(splitter=b"\6" + u32(2) + b"\5\2\1", model=digits)
    clause = "pretokenizer.sequence"
    yield loads("document-splitters", clause, pair, "a12 1", [0, 14, 15, 14], "a121", "pre-tokenizer 6")
    yield refused("splitter-seven", "pretokenizer.none", mtok(splitter=b"\7"))


def split_rows() -> Iterator[Row]:
    joined = bpe([*LETTERS, "a-", "-b"], [("a", "-"), ("-", "b"), ("a", "b")])

    def split(invert: int, behaviour: int, pattern: str = "-") -> bytes:
        return mtok(splitter=b"\4" + text(pattern) + bytes([invert, behaviour]), model=joined)

    clause = "pretokenizer.split pretokenizer.split.behaviour"
    yield loads("document-split", clause, split(0, 0), "a-b", [0, 16, 1], "a-b", "pre-tokenizer 4")
    yield loads("split-removed", clause, split(0, 1), "a-b", [0, 1], "ab")
    yield loads("split-merged", clause, split(0, 2), "a-b", [18, 1], "a-b")
    yield loads("split-inverted", clause, split(1, 1), "a-b", [16], "-")
    yield refused("split-three", "pretokenizer.split.behaviour", split(0, 3))
    yield refused("split-pattern", "pretokenizer.split", split(0, 0, "("))
    spaces = mtok(splitter=b"\4" + text("\\s+") + b"\0\1")
    yield loads("split-white-space", "pretokenizer.split", spaces, "a\u0085\u2028b", [0, 1], "ab")


def model_rows() -> Iterator[Row]:
    names = {0: "a", 10: "ab", 99: None}
    clauses = "model.vocab model.bpe model.bpe.merges"
    yield loads("document-bpe", clauses, mtok(), "abab", [10, 10], "abab", "BPE", names=names)
    ranks = bpe(["a", "b", "c", "ab", "bc", "abc"], [("b", "c"), ("a", "b"), ("a", "bc")])
    yield loads("ranks-decide", "model.bpe.merges", mtok(model=ranks), "abc", [5], "abc")
    yield loads("unknown", "model.bpe.unknown", mtok(), "a\u00dfb", [10], "ab")
    every = bpe(["a", *(f"<0x{byte:02X}>" for byte in range(256))], [], fallback=1)
    fallback = mtok(model=every, decoder=b"\7" + u32(2) + b"\1" + FUSE)
    yield loads(
        "document-byte-fallback",
        "model.bpe.byte-fallback",
        fallback,
        "a\u00e9",
        [0, 196, 170],
        "a\u00e9",
        "BPE",
    )
    off = bpe(["a", *(f"<0x{byte:02X}>" for byte in range(256))], [])
    yield loads("byte-fallback-off", "model.bpe.byte-fallback", mtok(model=off), "a\u00e9", [0], "a")
    spelled = bpe(["\u00c3", "\u00a9", "\u00c3\u00a9"], [("\u00c3", "\u00a9")], spells=1)
    spelling = mtok(model=spelled, decoder=b"\0")
    yield loads("document-byte-level-model", "model.bpe.byte-level", spelling, "\u00e9", [2], "\u00e9", "BPE")
    pieces = wordpiece(["[UNK]", "ab", "##c", "a", "##b"], longest=4)
    words = mtok(splitter=b"\5", model=pieces, decoder=b"\3" + text("##") + b"\0")
    yield loads("document-wordpiece", "model.wordpiece", words, "abc ax", [1, 2, 0], "abc [UNK]", "WordPiece")
    yield loads("longest-word", "model.wordpiece", words, "abcc abccc", [1, 2, 2, 0], "abcc [UNK]")
    scored = unigram([("<unk>", 0.0), ("a", -1.0), ("b", -1.0), ("ab", -1.5)])
    found = mtok(model=scored)
    yield loads("document-unigram", "model.unigram", found, "abxa", [3, 0, 1], "ab<unk>a", "Unigram")
    yield refused("unigram-id-twice", "model.unigram", mtok(model=scored[:-12] + u32(0) + scored[-8:]))
    yield refused("model-three", "model.vocab", mtok(model=b"\3"))
    yield refused("vocabulary-too-long", "model.vocab", mtok(model=b"\0" + u32(2**31) + bytes(6)))
    yield refused(
        "merges-too-long", "model.bpe.merges", mtok(model=b"\0" + u32(0) + bytes(2) + u32(2**32 - 1))
    )
    unsorted = b"\0" + u32(2) + bytes(6) + text("b") + u32(0) + text("a") + u32(1)
    yield loads("unsorted-loads", "model.lazy", mtok(model=unsorted), "", [], "")


def decoder_rows() -> Iterator[Row]:
    spelled = mtok(model=bpe(["\u0120", "\u00c3", "\u00a9"], []), decoder=b"\0")
    yield decodes(
        "document-byte-level", "decoder.byte-level", spelled, [0, 1, 2], " \u00e9", True, "decoder 0"
    )
    tokens = bpe(["a", "<0xC3>", "<0xA9>"], [])
    fallback = mtok(model=tokens, decoder=b"\7" + u32(2) + b"\1" + FUSE)
    clause = "decoder.byte-fallback decoder.sequence decoder.fuse"
    yield decodes("document-byte-fallback", clause, fallback, [0, 1, 2], "a\u00e9", True, "decoder 1, 4, 7")
    words = bpe(["\u2581a", "b\u2581"], [])
    marked = mtok(model=words, decoder=b"\2" + text("\u2581") + b"\1")
    yield decodes("document-metaspace", "decoder.metaspace", marked, [0, 1, 0], "ab  a", True, "decoder 2")
    plain = mtok(model=words, decoder=b"\2" + text("\u2581") + b"\0")
    yield decodes("metaspace-without-prefix", "decoder.metaspace", plain, [0, 1], " ab ", True)
    pieces = wordpiece(["[UNK]", "ab", "##c", "."])
    clean = mtok(model=pieces, decoder=b"\3" + text("##") + b"\1")
    yield decodes(
        "document-wordpiece", "decoder.wordpiece", clean, [1, 2, 1, 3], "abc ab.", True, "decoder 3"
    )
    replaced = mtok(model=words, decoder=b"\5" + text("\u2581") + text("_"))
    yield decodes("document-replace", "decoder.replace", replaced, [0, 1], "_ab_", True, "decoder 5")
    yield refused("decoder-replaces-nothing", "decoder.replace", mtok(decoder=b"\5" + text("") + text("a")))
    stripped = mtok(model=bpe(["  a ", " b"], []), decoder=b"\6" + text(" ") + u32(1) + u32(1))
    yield decodes("document-strip", "decoder.strip", stripped, [0, 1], " ab", True, "decoder 6")
    yield refused("decoder-eight", "decoder.sequence", mtok(decoder=b"\x08"))


def tail_rows() -> Iterator[Row]:
    tokens = added((30, 1, 0, 0, "<s>"), (31, 0, 1, 1, "<t>"))
    marked = mtok(tokens=tokens)
    clauses = "added added.ids"
    yield loads("document-added", clauses, marked, "a <t> b<s>", [0, 31, 1, 30], "a<t>b<s>", "added tokens")
    raw = mtok(b"\5\0\0\0\1", tokens=added((30, 0, 0, 0, "A")))
    yield loads("added-before-the-normalizer", "added", raw, "Aa", [30, 0], "Aa")
    again = mtok(tokens=added((10, 0, 0, 0, "x"), (40, 0, 0, 0, "ab")))
    yield loads("added-ids-as-stored", "added.ids", again, "xab", [10, 40], "xab", names={10: "x", 40: "ab"})
    tail = u32(7) + b"{{ a }}" + text("</s>") + b"\1" + text("<s>")
    ended = mtok(tail=tail)
    yield loads("document-tail", "tail tail.flags", ended, "ab", [10], "ab", "chat template")
    for size, name in ((0, "nothing"), (11, "template"), (17, "eos"), (18, "flags")):
        yield loads(f"tail-ends-behind-{name}", "tail.ends", mtok(tail=tail[:size]), "ab", [10], "ab")
    yield refused("tail-cut", "tail.ends", mtok(tail=tail[:5]))
    yield refused("template-of-4-gb", "tail", mtok(tail=u32(2**32 - 1)))
    program = u16(3) + b"\1" + u32(18) + b"\0" + b"\1" + u32(19)
    framed = mtok(model=bpe(S), tokens=MARKED, tail=TAIL + program)
    yield encodes("program", "tail.program", framed, "ab", [10], [18, 10, 19])
    doubled = mtok(
        model=bpe(S),
        tokens=MARKED,
        tail=TAIL + u16(2) + b"\1" + u32(18) + b"\0",
        header=b"430 4\n0 0 1\n18\n",
    )
    yield encodes("program-instead-of-prefix", "tail.program", doubled, "ab", [10], [18, 10])
    older = mtok(model=bpe(S), tokens=MARKED, tail=TAIL + u16(2) + u32(19) + u32(18))
    yield encodes("older-program", "tail.program.older", older, "ab", [10], [10, 19, 18])
    both = u16(4) + (b"\1" + u32(18)) * 2 + b"\0" + b"\1" + u32(19)
    shape = mtok(model=bpe(S), tokens=MARKED, tail=TAIL + both)
    yield encodes("program-of-sixteen-bytes", "tail.program.ambiguous", shape, "ab", [10], [18, 18, 10, 19])
    yield refused("program-of-nothing-known", "tail.program", mtok(tail=TAIL + u16(2) + b"\5\5"))
    yield loads("trailing", "tail.trailing", mtok(tail=TAIL + u16(0) + b"zz"), "ab", [10], "ab")


def number_rows() -> Iterator[Row]:
    """Numbers beyond a byte and beyond two, and flags that look like each other."""
    high = mtok(tokens=added((300, 0, 0, 0, "<x>"), (40_000, 0, 0, 0, "<y>"), (70_000, 0, 0, 0, "<z>")))
    ids = [300, 40_000, 70_000]
    yield loads("ids-beyond-16-bits", "types added.ids", high, "<x><y><z>", ids, "<x><y><z>")
    size = "x" * 300
    yield loads("text-beyond-8-bits", "types", mtok(tokens=added((20, 0, 0, 0, size))), size, [20], size)
    accent = mtok(tokens=added((20, 0, 0, 0, "<\u00e9>")))
    yield loads("text-beyond-ascii", "types", accent, "<\u00e9>", [20], "<\u00e9>")
    sides = mtok(tokens=added((20, 0, 1, 0, "<l>")))
    yield loads("blanks-before-only", "added", sides, "a <l> b", [0, 20, 3, 1], "a<l> b")
    plain = mtok(model=bpe(S), tokens=added((18, 0, 0, 0, "<s>")), header=b"430 4\n1 0 0\n18\n")
    yield decodes("listed-and-not-special", "header.special", plain, [18, 10], "<s>ab", True)
    words = mtok(model=wordpiece(["[UNK]", "\u00e9", "##\u00e9"], 2), decoder=b"\3" + text("##") + b"\0")
    yield loads("word-of-two-characters", "model.wordpiece", words, "\u00e9\u00e9", [1, 2], "\u00e9\u00e9")
    near = [("?", -9.0), ("a", -1.4), ("b", -1.4), ("ab", -2.9)]
    yield loads("scores-with-fractions", "model.unigram", mtok(model=unigram(near)), "ab", [1, 2], "ab")
    pieces = [("?", -9.0), ("<0xC3>", -5.0), ("<0xA9>", -5.0)]
    fallback = mtok(model=unigram(pieces, 0, 1), decoder=b"\7" + u32(2) + b"\1" + FUSE)
    yield loads("unigram-bytes", "model.unigram", fallback, "\u00e9", [1, 2], "\u00e9")


def written_rows() -> Iterator[Row]:
    frame = TAIL + u16(0)

    def made(topic: str, clauses: str, source: Row, content: bytes, ids: List[int], back: str = "ab") -> Row:  # noqa: PLR0917
        return loads(topic, clauses, content, "ab", ids, back, written_from=source)

    yield made("written-plain", "project layout", json_file(), mtok(model=SMALL, tail=frame), [2])
    space = {"type": "WhitespaceSplit"}
    pattern = b"\4" + text("\\s+") + b"\0\1"
    split = mtok(splitter=pattern, model=SMALL, tail=frame)
    yield made("written-white-space-split", "project.alias", json_file(pre_tokenizer=space), split, [2])
    lower = {"type": "Lowercase"}
    content = mtok(b"\5\0\0\0\1", model=SMALL, tail=frame)
    yield made("written-lowercase", "project.alias", json_file(normalizer=lower), content, [2])
    clauses = "project.lossy"
    for name in ("NFC", "NFKC", "NFD", "StripAccents"):
        topic = f"not-written-{name.lower()}"
        yield unwritten(topic, f"{clauses} normalizer.table-version", json_file(normalizer={"type": name}))
    yield unwritten("not-written-ignore-merges", clauses, json_file(ignore_merges=True))
    yield unwritten("not-written-unknown", clauses, json_file(unk_token="a"))
    behaviour = {"type": "Split", "pattern": {"Regex": "-"}, "behavior": "Contiguous", "invert": False}
    yield unwritten("not-written-behaviour", clauses, json_file(pre_tokenizer=behaviour))
    word = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}
    yield unwritten("not-written-word-level", clauses, json_file(model=word))
    special = {"id": "a", "ids": [0], "tokens": ["a"]}
    pieces = [{"SpecialToken": {"id": "a", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    frames = {
        "type": "TemplateProcessing",
        "single": pieces,
        "pair": pieces,
        "special_tokens": {"a": special},
    }
    program = TAIL + u16(2) + b"\1" + u32(0) + b"\0"
    framed = mtok(model=SMALL, tail=program, header=b"430 4\n0 0 1\n0\n")
    yield made("written-template", "project.program", json_file(post_processor=frames), framed, [2])
    repeated = json_file(
        merges=[["a", "b"], ["b", "a"], ["a", "b"]], vocab={"a": 0, "b": 1, "ab": 2, "ba": 3}
    )
    kept = b"\0" + u32(4) + bytes(2) + u32(2)
    kept += b"".join(text(token) + u32(index) for token, index in (("a", 0), ("ab", 2), ("b", 1), ("ba", 3)))
    kept += struct.pack("<6I", 0, 1, 2, 1, 0, 1)
    yield made("written-repeated-merge", "project.merges", repeated, mtok(model=kept, tail=frame), [2])
    back = {"name": "mtok", "hex": mtok(b"\6" + table(("x", "a")), model=SMALL).hex()}
    empty = {"name": "tokenizer.json", "text": ""}
    refusal = {"loads": False, "error": "FormatError"}
    yield row(
        "mtok",
        "load",
        "no-tokenizer-json-for-a-table",
        "project.json",
        "",
        file=empty,
        written_from=back,
        expect=answered(b"", refusal),
    )


def unwritten(topic: str, clauses: str, source: Row) -> Row:
    refusal = {"loads": False, "error": "FormatError"}
    empty = {"name": "mtok", "hex": ""}
    return row(
        "mtok", "load", topic, clauses, "", file=empty, written_from=source, expect=answered(b"", refusal)
    )


def main() -> None:
    files: Dict[Path, List[Row]] = {}
    for one in rows():
        path = ROOT / "golden" / "vectors" / one["op"] / f"{one['kind']}.jsonl"
        files.setdefault(path, []).append(arranged(one))
    for path, content in files.items():
        write_file(path, content)
        print(path.relative_to(ROOT), len(content))


if __name__ == "__main__":
    main()
