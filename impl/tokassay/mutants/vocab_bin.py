"""Compiling, reading and matching a vocab.bin, broken one branch at a time."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterator, List, Mapping, Optional, Sequence, Tuple

from tokassay import formats
from tokassay.core.byte_records import Records, pack
from tokassay.core.decoders.stored_bytes import StoredBytes
from tokassay.core.description import Description
from tokassay.core.errors import FormatError
from tokassay.core.models.byte_matching import ByteIndex, Find, Match
from tokassay.core.models.greedy_bytes import LINE_MARKER, SPACE_MARKER, Exact, GreedyBytes, greedy
from tokassay.formats.vocab_bin.compiling import SINGLE, Singles, compile_entries

from . import Answer, Change, Outcome

AREA = "vocab-bin"
HELP = "compiling, reading and matching a vocab.bin"
TOKENIZER = "qwen"

PROBES: Sequence[str] = (
    "The quick brown fox jumps over the lazy dog.",
    "one two  three   four",
    "  leading and trailing  ",
    "first line\nsecond line\n\nfourth line\n",
    "def f(x):\n    return x + 1\n",
    "\u4f60\u597d\uff0c\u4e16\u754c\u3002\u8bf7\u56de\u7b54\u3002",
    "\u3053\u3093\u306b\u3061\u306f\u3001\u4e16\u754c",
    "\uc548\ub155\ud558\uc138\uc694",
    "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440",
    "caf\u00e9 na\u00efve \u00fcber \u00a1ol\u00e9!",
    "soft\u00adhyphen \u00ad \u4e2d\u00ad\u6587",
    "delete\x7fthe\x7fcharacter",
    "\u0421\u0435\u043d \u64ad\u653e \u2019\u2026\u2014 \u00a0\u3000",
    "\U0001f600\U0001f469\u200d\U0001f4bb \u2764\ufe0f",
    "<|im_start|>user\nhi<|im_end|>\n<|endoftext|>",
    "up to here\0and not further",
    "tab\there, return\r\n",
    "1234567890 3.14 1,000,000",
)
"""Fixed texts: every mutant changes the answer to at least one of them."""


@dataclass(frozen=True)
class Table:
    """A vocab.bin in memory, ready to match."""

    model: GreedyBytes
    index: ByteIndex

    @classmethod
    def of(cls, data: bytes) -> Table:
        """Raises FormatError where the loader refuses the file."""
        records = Records(data)
        return cls(GreedyBytes(records), ByteIndex.of(records.strings))

    def find(self, data: bytes, start: int, end: int) -> Optional[Match]:
        return self.index.find(data, start, end)

    def exact(self, entry: bytes) -> Optional[int]:
        return self.index.ids.get(entry)


Encode = Callable[[Table, str], List[int]]
Decode = Callable[[List[str]], str]


def encode(table: Table, text: str, find: Optional[Find] = None, exact: Optional[Exact] = None) -> List[int]:
    """As the clauses say, but for the parts that are given."""
    return [placed.id for placed in greedy(find or table.find, exact or table.exact, text.encode("utf-8"))]


def decode(tokens: List[str]) -> str:
    """As the clauses say."""
    return "".join(StoredBytes().decode_chain(tokens))


@dataclass(frozen=True)
class Mutant:
    """A name, the branch that is broken, and what stands in its place: a file, an encoder or a decoder."""

    name: str
    branch: str
    data: bytes
    encode: Encode = encode
    decode: Decode = decode

    def answers(self, probes: Sequence[str]) -> Iterator[Tuple[Answer, str]]:
        """Ids of every probe and their text; what the loader says where it refuses the file."""
        try:
            table = Table.of(self.data)
        except FormatError as error:
            yield from ((f"refused: {error}", "") for _ in probes)
            return
        for probe in probes:
            ids = self.encode(table, probe)
            yield tuple(ids), self.decode([table.model.id_to_token(index) or "" for index in ids])


def outcomes(path: Path, most: int = 0) -> Iterator[Outcome]:  # noqa: ARG001 - all are tried, they are few
    """Every mutant on the vocab.bin that the tokenizer.json at `path` is compiled to."""
    description = formats.read(path)
    sound = Mutant("", "", compile_entries(description).data)
    expected = list(sound.answers(PROBES))
    for mutant in mutants(description, sound.data):
        pairs = zip(PROBES, expected, mutant.answers(PROBES))
        yield Outcome(
            mutant.name,
            mutant.branch,
            tuple(
                Change(number, probe, wanted[0], got[0], wanted[1], got[1])
                for number, (probe, wanted, got) in enumerate(pairs, 1)
                if wanted != got
            ),
        )


def mutants(description: Description, sound: bytes) -> Iterator[Mutant]:
    """Of the compiler, of the file, of the matcher, of the decoder."""
    yield from _compiled(description)
    yield from _written(Records(sound).strings)
    yield from _matched(sound)
    yield Mutant("markers-shown", "vocab-bin.decode.markers", sound, decode=_marked)


def _compiled(description: Description) -> Iterator[Mutant]:
    """A branch of the compiler's spelling removed or shifted."""
    for name, branch, single in _spellings():
        yield Mutant(name, branch, compile_entries(description, single=single).data)
    bare = compile_entries(description)
    yield Mutant("no-special-copy", "vocab-bin.compile.special", pack(_dense(bare.tokens)))


def _dense(tokens: Mapping[int, bytes]) -> List[bytes]:
    return [tokens.get(index, b"") for index in range(max(tokens, default=-1) + 1)]


def _spellings() -> Iterator[Tuple[str, str, Singles]]:
    def without(lowest: int, highest: int) -> Singles:
        return {char: byte for char, byte in SINGLE.items() if not lowest <= byte[0] <= highest}

    shifted = {char: bytes([byte[0] - (0x80 <= byte[0] <= 0xA0)]) for char, byte in SINGLE.items()}
    controls = {chr(0x100 + byte): bytes([byte]) for byte in range(0x21)}
    branch = "vocab-bin.compile.bytes"
    yield "no-ad", f"{branch}: U+0143 to AD", without(0xAD, 0xAD)
    yield "no-80-a0", f"{branch}: U+0122..U+0142 to 80..A0", without(0x80, 0xA0)
    yield "no-7f", f"{branch}: U+0121 to 7F", without(0x7F, 0x7F)
    yield "no-a1-ac", f"{branch}: U+00A1..U+00AC", without(0xA1, 0xAC)
    yield "no-ae-ff", f"{branch}: U+00AE..U+00FF", without(0xAE, 0xFF)
    yield "no-branch", f"{branch}: all of them", {}
    yield "one-less", f"{branch}: U+0122..U+0142 to 7F..9F", shifted
    yield "markers-as-bytes", "vocab-bin.compile.markers: U+0100..U+0120 to 00..20", {**SINGLE, **controls}


def _written(strings: Sequence[bytes]) -> Iterator[Mutant]:
    """The same entries, put into the file otherwise."""
    order, sizes = "vocab-bin.compile.order", "vocab-bin.layout"
    count = len(strings)
    as_text = sorted(range(count), key=str)
    yield Mutant("sorted-by-bytes", f"{order}: ids are places among the sorted bytes", pack(sorted(strings)))
    yield Mutant("sorted-as-text", f"{order}: ids as text, 10 before 2", pack([strings[i] for i in as_text]))
    yield Mutant("ids-from-one", f"{order}: the first id is 1", pack(strings, range(1, count + 1)))
    yield Mutant("big-endian", f"{sizes}: big-endian numbers", _packed(strings, ">IH", ">I", len))
    yield Mutant(
        "character-lengths", f"{sizes}: lengths in characters", _packed(strings, "<IH", "<I", _characters)
    )
    yield Mutant(
        "one-byte-ids", f"{sizes}: ids cut to one byte", pack(strings, [i & 0xFF for i in range(count)])
    )


def _packed(strings: Sequence[bytes], frame: str, head: str, size: Callable[[bytes], int]) -> bytes:
    entries = (struct.pack(frame, index, size(entry)) + entry for index, entry in enumerate(strings))
    return struct.pack(head, len(strings)) + b"".join(entries)


def _characters(entry: bytes) -> int:
    return len(entry.decode("utf-8", "replace"))


def _matched(sound: bytes) -> Iterator[Mutant]:
    """The matcher with one rule left out."""
    clause = "vocab-bin.encode"
    yield Mutant("first-match", f"{clause}.longest: the smallest id that fits", sound, _first_match)
    yield Mutant("shortest-match", f"{clause}.longest: the shortest entry", sound, _shortest_match)
    yield Mutant("no-space-marker", f"{clause}.spaces: no marker is tried", sound, _no_space_marker)
    yield Mutant("every-space", f"{clause}.spaces.lost: each space is a marker", sound, _every_space)
    yield Mutant("no-line-marker", f"{clause}.newline: line feeds are unmatched", sound, _no_line_marker)
    yield Mutant("every-line", f"{clause}.newline: each line feed is a marker", sound, _every_line)
    yield Mutant("unmatched-left-out", f"{clause}.unmatched: nothing instead of id 0", sound, _left_out)
    yield Mutant("nul-read-over", f"{clause}.nul: the text goes on", sound, _past_nul)


def _first_match(table: Table, text: str) -> List[int]:
    ids = table.index.ids

    def find(data: bytes, start: int, end: int) -> Optional[Match]:
        fits = [
            Match(ids[data[start:at]], at - start)
            for at in range(start + 1, end + 1)
            if data[start:at] in ids
        ]
        return min(fits, default=None)

    return encode(table, text, find)


def _shortest_match(table: Table, text: str) -> List[int]:
    ids = table.index.ids

    def find(data: bytes, start: int, end: int) -> Optional[Match]:
        at = next((at for at in range(start + 1, end + 1) if data[start:at] in ids), None)
        return None if at is None else Match(ids[data[start:at]], at - start)

    return encode(table, text, find)


def _no_space_marker(table: Table, text: str) -> List[int]:
    def find(data: bytes, start: int, end: int) -> Optional[Match]:
        return None if data.startswith(SPACE_MARKER) else table.find(data, start, end)

    return encode(table, text, find)


def _every_space(table: Table, text: str) -> List[int]:
    return encode(table, text.replace(" ", SPACE_MARKER.decode()))


def _no_line_marker(table: Table, text: str) -> List[int]:
    return encode(table, text, exact=lambda _: None)


def _every_line(table: Table, text: str) -> List[int]:
    return encode(table, text.replace("\n", LINE_MARKER.decode()))


def _left_out(table: Table, text: str) -> List[int]:
    placed = greedy(table.find, table.exact, text.encode("utf-8"))
    first = table.model.records.strings[0]
    data = text.encode("utf-8")
    return [one.id for one in placed if one.id != 0 or data[one.start : one.end] == first]


def _past_nul(table: Table, text: str) -> List[int]:
    return encode(table, text.replace("\0", ""))


def _marked(tokens: List[str]) -> str:
    return "".join(tokens)
