"""Bad .mtok files: a `FormatError` with its place, or a load that the clauses allow, and nothing else."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Tuple

import pytest

from tokassay import FormatError, Tokenizer, data, formats
from tokassay.core.decoders.byte_fallback import ByteFallback
from tokassay.core.decoders.fuse import Fuse
from tokassay.core.decoders.metaspace import Metaspace as MetaspaceDecoder
from tokassay.core.decoders.replace import Replace as ReplaceDecoder
from tokassay.core.decoders.sequence import Sequence as Decoders
from tokassay.core.decoders.strip import Strip as StripDecoder
from tokassay.core.decoders.wordpiece import WordPiece as WordPieceDecoder
from tokassay.core.description import AddedToken, Description, Device, Program
from tokassay.core.errors import TokassayError
from tokassay.core.matching import TextPattern
from tokassay.core.models.bpe import BPE
from tokassay.core.models.unigram import Unigram
from tokassay.core.models.wordpiece import WordPiece
from tokassay.core.normalizers.bert import BertNormalizer
from tokassay.core.normalizers.code_point_table import CodePointTable
from tokassay.core.normalizers.nothing import Nothing
from tokassay.core.normalizers.prepend import Prepend
from tokassay.core.normalizers.replace import Replace
from tokassay.core.normalizers.sequence import Sequence
from tokassay.core.normalizers.strip import Strip
from tokassay.core.normalizers.tabled_bert import TabledBert
from tokassay.core.normalizers.untabled_nfkc import UntabledNFKC
from tokassay.core.pretokenizers.bert import BertPreTokenizer
from tokassay.core.pretokenizers.byte_level import ByteLevel
from tokassay.core.pretokenizers.digits import Digits
from tokassay.core.pretokenizers.metaspace import Metaspace
from tokassay.core.pretokenizers.nothing import Nothing as NoSplit
from tokassay.core.pretokenizers.sequence import Sequence as Splitters
from tokassay.core.pretokenizers.split import Split
from tokassay.formats.mtok.projecting import project
from tokassay.formats.mtok.writing import written

TABLE = CodePointTable(((0xC4, "a"), (0xE9, "e\u0301"), (0xFB01, "fi")))
NORMALIZERS = Sequence(
    (
        Nothing(),
        UntabledNFKC(),
        Prepend("_"),
        Replace(TextPattern("String", " "), "_"),
        BertNormalizer(True, False, False, True),
        TabledBert(True, True, True, True, TABLE),
        TabledBert(False, False, True, False),
        TabledBert(False, False, False, True),
        TABLE,
        Strip(True, False),
    )
)
SPLITTERS = Splitters(
    (
        NoSplit(),
        ByteLevel(False, True, False),
        Digits(True),
        Metaspace("_", "never"),
        Split(TextPattern("Regex", "x+"), "MergedWithPrevious", True),
        BertPreTokenizer(),
    )
)
DECODERS = Decoders(
    (
        MetaspaceDecoder("_", "always"),
        WordPieceDecoder("##", True),
        ReplaceDecoder(TextPattern("String", "_"), " "),
        ByteFallback(),
        Fuse(),
        StripDecoder(" ", 1, 0),
    )
)
ADDED = (AddedToken(9, "<s>", normalized=False, special=True), AddedToken(7, "<t>", False, True, True, False))
DEVICE = Device((9,), (7,), (9,), "{{ a }}", "<s>", 1, "<t>", Program((9, None, 7)), b"zz")
LETTERS = {"a": 0, "b": 1, "ab": 2, "é": 3, "_": 4}
MODELS = {
    "bpe": BPE(LETTERS, [("a", "b")]),
    "wordpiece": WordPiece({"[UNK]": 0, "a": 1, "##b": 2}),
    "unigram": Unigram((("<unk>", 0.0), ("a", -1.0), ("ab", -1.5)), 0),
}


def whole(model: str) -> Description:
    return Description(MODELS[model], NORMALIZERS, SPLITTERS, None, DECODERS, ADDED, device=DEVICE)


FILES: Dict[str, bytes] = {model: written(project(whole(model))) for model in MODELS}


def outcome(content: bytes) -> str:
    """Loads, encodes and decodes, or is refused with a place."""
    try:
        tokenizer = Tokenizer.from_description(formats.parse(content, "x.mtok", format="mtok"))
        tokenizer.encode("aé ab x<s>1").ids  # noqa: B018
        tokenizer.decode([0, 1, 2, 9])
    except FormatError as error:
        placed = error.offset is not None and 0 <= error.offset <= len(content) and bool(error.field)
        return "refused" if placed else f"refused without a place: {error}"
    except TokassayError:
        return "loads"
    return "loads"


@pytest.mark.parametrize("model", FILES)
def test_every_component_survives(model: str) -> None:
    description = formats.parse(FILES[model], format="mtok")
    assert description == project(whole(model))
    assert written(description) == FILES[model]


@pytest.mark.parametrize("model", FILES)
def test_every_truncation_is_refused_or_ends_between_parts_of_the_tail(model: str) -> None:
    content = FILES[model]
    loads = [size for size in range(len(content)) if outcome(content[:size]) == "loads"]
    template = content.index(b"{{ a }}")
    after_added, after_template = template - 4, template + 7
    eos, flags = after_template + 5, after_template + 6
    bos = flags + 5
    program = bos + 2 + 5 + 1 + 5
    assert loads == [after_added, after_template, eos, flags, bos, program, program + 1]


def changes() -> Iterator[Tuple[str, Callable[[int], int]]]:
    yield "zero", lambda _: 0
    yield "ones", lambda _: 0xFF
    for bit in range(8):
        yield f"bit{bit}", lambda byte, bit=bit: byte ^ (1 << bit)  # type: ignore[misc]


@pytest.mark.parametrize("model", FILES)
@pytest.mark.parametrize("change", [change for _, change in changes()], ids=[name for name, _ in changes()])
def test_every_changed_byte_is_refused_or_loads(model: str, change: Callable[[int], int]) -> None:
    content = FILES[model]
    found = {
        outcome(content[:at] + bytes([change(byte)]) + content[at + 1 :]) for at, byte in enumerate(content)
    }
    assert found <= {"loads", "refused"}
    assert "refused" in found


COUNTS = (0, 2**31, 2**32 - 1)


def plain(**parts: bytes) -> bytes:
    """The smallest file, with sections replaced."""
    sections = {
        "header": b"430 4\n0 0 0\n\n",
        "normalizer": b"\0",
        "pre_tokenizer": b"\0",
        "model": struct.pack("<BIBBI", 0, 1, 0, 0, 0) + b"\1\0a" + struct.pack("<I", 0),
        "decoder": b"\0",
        "added": struct.pack("<I", 0),
        "tail": b"",
    }
    return b"".join({**sections, **parts}.values())


def u32(value: int) -> bytes:
    return struct.pack("<I", value)


COUNTED: List[Tuple[str, Callable[[bytes], bytes]]] = [
    ("normalizer sequence", lambda count: plain(normalizer=b"\4" + count)),
    ("table", lambda count: plain(normalizer=b"\6" + count)),
    ("bert table", lambda count: plain(normalizer=b"\7\0\0\1\0" + count)),
    ("pre-tokenizer sequence", lambda count: plain(pre_tokenizer=b"\6" + count)),
    ("vocabulary", lambda count: plain(model=b"\0" + count + bytes(6))),
    ("merges", lambda count: plain(model=b"\0" + u32(0) + bytes(2) + count)),
    ("wordpiece", lambda count: plain(model=b"\1" + count + bytes(8))),
    ("unigram", lambda count: plain(model=b"\2" + count + bytes(5))),
    ("decoder sequence", lambda count: plain(decoder=b"\7" + count)),
    ("added tokens", lambda count: plain(added=count)),
    ("template", lambda count: plain(tail=count)),
]


@pytest.mark.parametrize(("name", "make"), COUNTED, ids=[name for name, _ in COUNTED])
def test_counts(name: str, make: Callable[[bytes], bytes]) -> None:
    assert outcome(make(u32(0))) == ("refused" if name == "unigram" else "loads")
    for count in COUNTS[1:]:
        assert outcome(make(u32(count))) == "refused", (name, count)


@pytest.mark.parametrize(
    ("content", "field", "offset"),
    [
        (b"", "header", 0),
        (b"430 5\n0 0 0\n\n", "header", 0),
        (b"430 4\n", "header.counts", 6),
        (b"430 4\n0 0\n\n", "header.counts", 6),
        (b"430 4\n1 0 0\n\n", "header.ids", 12),
        (b"430 4\n1 0 0\n1 2\n", "header.ids", 12),
        (b"430 4\n1 0 0\n-1\n", "header.ids", 12),
        (b"430 4\n1 0 0\n4294967296\n", "header.ids", 12),
        (b"430 4\n1 0 0\n1", "header.ids", 12),
        (plain(normalizer=b"\x09"), "normalizer.type", 13),
        (plain(normalizer=b"\3\0\0\0\0"), "normalizer.pattern", 14),
        (plain(normalizer=b"\6" + u32(1) + u32(0xD800) + b"\0\0"), "normalizer.table", 18),
        (plain(normalizer=b"\2\1\0\xff"), "normalizer.prepend", 16),
        (plain(pre_tokenizer=b"\7"), "pre_tokenizer.type", 14),
        (plain(pre_tokenizer=b"\1\2"), "pre_tokenizer.use_regex", 15),
        (plain(pre_tokenizer=b"\3\2\0ab\0"), "pre_tokenizer.replacement", 15),
        (plain(pre_tokenizer=b"\4\1\0(\0\0"), "pre_tokenizer.pattern", 15),
        (plain(pre_tokenizer=b"\4\1\0a\0\3"), "pre_tokenizer.behavior", 19),
        (plain(model=b"\3"), "model.type", 15),
        (plain(decoder=b"\x08"), "decoder.type", 33),
        (plain(decoder=b"\5\0\0\0\0"), "decoder.pattern", 34),
        (plain(tail=b"\1\0\0\0\xff"), "chat_template", 42),
        (plain(tail=bytes(9) + b"\2\0\5\5"), "program", 49),
        (plain(tail=bytes(9) + b"\1\0\7\0\0\0\0"), "program", 49),
    ],
)
def test_the_place_of_a_fault(content: bytes, field: str, offset: int) -> None:
    with pytest.raises(FormatError) as caught:
        formats.parse(content, "x.mtok", format="mtok")
    assert (caught.value.field, caught.value.offset) == (field, offset)


def unigram(*entries: Tuple[str, int, float], unknown: int = 0) -> bytes:
    records = b"".join(
        struct.pack(f"<H{len(token)}sId", len(token), token.encode(), index, score)
        for token, index, score in entries
    )
    return plain(model=b"\2" + u32(len(entries)) + u32(unknown) + b"\0" + records)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (unigram(("a", 0, 0.0), ("b", 0, 0.0)), "comes twice"),
        (unigram(("a", 0, 0.0), ("b", 2, 0.0)), "is not one of 2"),
        (unigram(("b", 0, 0.0), ("a", 1, 0.0)), "not sorted"),
        (
            unigram(("a", 0, 0.0)).replace(b"\2" + u32(1) + u32(0), b"\2" + u32(9) + u32(0)),
            "9 entries do not fit",
        ),
        (unigram(("a", 0, float("nan"))), "not finite"),
        (unigram(("a", 0, float("inf"))), "not finite"),
        (unigram(("a", 0, 0.0), unknown=1), "outside the vocabulary"),
    ],
)
def test_unigram_is_read_whole(content: bytes, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        formats.parse(content, format="mtok")


def test_line_ends_of_windows_are_read() -> None:
    assert outcome(plain(header=b"430 4\r\n0 0 0\r\n\r\n")) == "loads"
    assert outcome(b"\xef\xbb\xbf" + plain()) == "refused"


def test_nesting_has_an_end() -> None:
    deep = (b"\4" + u32(1)) * 40 + b"\0"
    assert outcome(plain(normalizer=deep)) == "refused"


def test_strictness_proves_content() -> None:
    unsorted = struct.pack("<BIBBI", 0, 2, 0, 0, 0) + b"\1\0b" + u32(0) + b"\1\0a" + u32(1)
    assert formats.parse(plain(model=unsorted), format="mtok").model.vocab_size == 2
    with pytest.raises(FormatError, match="not sorted"):
        formats.parse(plain(model=unsorted), format="mtok", strict=True)


def test_what_is_met_later_names_the_file() -> None:
    unsorted = struct.pack("<BIBBI", 0, 2, 0, 0, 0) + b"\1\0b" + u32(0) + b"\1\0a" + u32(1)
    tokenizer = Tokenizer(formats.parse(plain(model=unsorted), "x.mtok", format="mtok"))
    with pytest.raises(FormatError, match=r"x\.mtok: byte 33: model\.vocab") as caught:
        tokenizer.decode([0])
    assert (caught.value.path, caught.value.offset) == ("x.mtok", 33)


def test_nul_and_line_end_inside_a_token(tmp_path: Path) -> None:
    model = BPE({"a\0": 0, "\n": 1, "a": 2, "\0": 3}, [("a", "\0")])
    path = tmp_path / "x.mtok"
    formats.write(project(Description(model, decoder=Fuse())), path, "mtok")
    assert Tokenizer.from_file(path).encode("a\0\n").ids == [0, 1]


def test_a_text_too_long_to_be_stored_leaves_no_file(tmp_path: Path) -> None:
    model = BPE({"x" * 65_536: 0}, [])
    path = tmp_path / "x.mtok"
    with pytest.raises(FormatError, match="65536 bytes"):
        formats.write(project(Description(model, decoder=Fuse())), path, "mtok")
    long = Description(BPE({"a": 0}, []), Prepend("x" * 65_536), decoder=Fuse())
    with pytest.raises(FormatError, match="65535 can be stored"):
        formats.write(project(long), path, "mtok")
    assert list(tmp_path.iterdir()) == []


HUNGRY = """
import json, resource, sys
from tokassay import FormatError, formats
for maker in sys.argv[1:]:
    content = eval(maker)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        formats.parse(content, format="mtok")
    except FormatError:
        pass
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    print(json.dumps([len(content), grown]))
"""
HEAD = 'b"430 4\\n0 0 0\\n\\n"'


@pytest.mark.parametrize(
    "body",
    [
        'b"\\4" + (1 << 22).to_bytes(4, "little") + bytes(1 << 22)',
        'b"\\6" + (1 << 20).to_bytes(4, "little") + bytes(6 << 20)',
        'b"\\0\\0\\0" + (1 << 20).to_bytes(4, "little") + bytes(6 + (6 << 20))',
        'b"\\0\\0\\0" + bytes(6) + (1 << 20).to_bytes(4, "little") + bytes(12 << 20)',
        'b"\\0\\0\\0" + bytes(10) + b"\\0" + (90000).to_bytes(4, "little") + bytes(9 * 90000)',
        'b"\\0\\0\\2" + (1 << 20).to_bytes(4, "little") + bytes(14 << 20)',
    ],
    ids=["sequence", "table", "vocabulary", "merges", "added", "unigram"],
)
def test_memory_stays_near_the_size_of_the_file(body: str) -> None:
    source = str(Path(data.root() / "impl"))
    run = subprocess.run(
        [sys.executable, "-c", HUNGRY, f"{HEAD} + {body}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={"PYTHONPATH": source},
    )
    size, grown = json.loads(run.stdout)
    assert grown <= 4 * size + (64 << 20)
