r"""One golden vector as a value, and how a JSON Lines file of them is read.

A row names its input once and holds the answers of many tokenizers (``expect``). What an
answer holds depends on the operation (``op``); docs/vectors.md and
golden/schema/vector.schema.json describe every field. Files are split on ``\n`` only: other
line separators may stand inside a text.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence, Tuple

from tokassay.core.errors import FormatError
from tokassay.core.fields import Fields

OPS = ("encode", "decode", "stream", "batch", "load", "sweep", "long", "lookup", "template")
LEVELS = ("must", "should")
#: The name under which a vector with its own tokenizer keeps its answer.
INLINE = "inline"
#: What ``rest`` of a zoo tokenizer's encode answer covers.
REST_FIELDS = ("tokens", "offsets", "special_ids")
#: What ``special`` of an own tokenizer's encode answer covers, all with special tokens on.
SPECIAL_FIELDS = ("tokens", "offsets", "type_ids", "attention_mask", "special_tokens_mask", "word_ids")

#: Hexadecimal digits of a sha256 that a row stores: enough to notice every change, short enough to read.
DIGITS = 16
#: The fields of a row that are not its input.
FRAME = frozenset(
    ("id", "op", "kind", "level", "clauses", "source", "oracle", "oracle_note", "expect", "hash")
)


@dataclass(frozen=True)
class Source:
    """Where a vector comes from.

    Attributes:
        kind: ``hand``, ``bug-report``, ``document``, ``fuzz`` or ``generated``.
        ref: a public reference, the generator's name, or empty.
    """

    kind: str
    ref: str


@dataclass(frozen=True)
class Vector:
    """One input and what the oracle answered, tokenizer by tokenizer.

    Attributes:
        id: slug ``kind/topic`` that never changes.
        op: one of `OPS`.
        kind: the class of the input, the first part of the id.
        level: ``must`` or ``should``.
        clauses: anchors of docs/spec.
        oracle: name and version of the program that answered.
        oracle_note: why the oracle's answer is doubtful, else empty.
        given: the input fields (``text``, ``bytes_hex``, ``pair``, ``ids``, ``tokenizer``, ...).
        expect: tokenizer name (or `INLINE`) to its answer, as stored.
        hash: sha256 of the row without this field.
    """

    id: str
    op: str
    kind: str
    level: str
    clauses: Tuple[str, ...]
    source: Source
    oracle: Tuple[str, str]
    oracle_note: str
    given: Mapping[str, object]
    expect: Mapping[str, Mapping[str, object]]
    hash: str

    @property
    def tokenizers(self) -> Tuple[str, ...]:
        return tuple(self.expect)

    @property
    def text(self) -> str:
        """The text given, with invalid UTF-8 replaced where it is given as bytes."""
        if "bytes_hex" in self.given:
            return self.data.decode("utf-8", "replace")
        return str(self.given["text"])

    @property
    def data(self) -> bytes:
        """The text given, as bytes."""
        if "bytes_hex" in self.given:
            return bytes.fromhex(str(self.given["bytes_hex"]))
        return str(self.given["text"]).encode("utf-8")

    @property
    def ids(self) -> Tuple[int, ...]:
        return tuple(self.given["ids"])  # type: ignore[arg-type]

    @property
    def inline(self) -> Optional[bytes]:
        """The bytes of the vector's own tokenizer file (the one that its sha256 names), else None."""
        if "file" in self.given:
            return file_bytes(self.given["file"])
        return inline_bytes(self.given["tokenizer"]) if "tokenizer" in self.given else None

    @property
    def file_name(self) -> str:
        """What the vector's own tokenizer file is called: the name of its format."""
        file: Any = self.given.get("file")
        return str(file["name"]) if file else "tokenizer.json"

    def answer(self, tokenizer: str) -> Dict[str, object]:
        """The oracle's answer with the fields filled in that a row leaves out because they are equal."""
        answer = dict(self.expect[tokenizer])
        if self.op == "encode" and "error" not in answer:
            answer.setdefault("decoded", self.text)
            answer.setdefault("decoded_plain", answer["decoded"])
            if "tokens" in answer:
                answer.setdefault("special_ids", answer["ids"])
        return answer


def inline_bytes(tokenizer: object) -> bytes:
    """A tokenizer given inside a vector as the file that is loaded: a string is the file's text itself."""
    if isinstance(tokenizer, str):
        return tokenizer.encode("utf-8")
    return json.dumps(tokenizer, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def file_bytes(file: Any) -> bytes:
    """A file of any format inside a vector: its ``text``, or its bytes as ``hex``."""
    return bytes.fromhex(file["hex"]) if "hex" in file else str(file["text"]).encode("utf-8")


def canonical(value: object) -> bytes:
    """The one JSON form that digests are taken of: sorted keys, no blanks, ASCII only."""
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode("ascii")


def digest(value: object) -> str:
    """sha256 (hex) of the canonical JSON form of `value`; tuples count as lists."""
    return hashlib.sha256(canonical(value)).hexdigest()


def digest_fields(answer: Mapping[str, object], names: Sequence[str]) -> str:
    """The first `DIGITS` of the digest of some fields of an answer, as ``rest`` and ``special`` hold it."""
    return digest({name: answer[name] for name in names})[:DIGITS]


def is_about(answer: Mapping[str, object], sha256: str) -> bool:
    """Whether a stored answer was given with the tokenizer of that sha256."""
    return answer.get("sha256") == sha256[:DIGITS]


def row_hash(row: Mapping[str, object]) -> str:
    """The content hash of a row: everything but ``hash`` itself."""
    return digest({name: value for name, value in row.items() if name != "hash"})


Frame = Tuple[str, str, str, Tuple[str, ...], Source, Tuple[str, str], str]  # of a Vector, op to oracle_note


def parse_row(row: object, where: str) -> Vector:
    """A parsed JSON row as a `Vector`; FormatError names the field that is wrong."""
    try:
        return _plain_row(row)
    except (KeyError, TypeError, AttributeError, ValueError):  # what is wrong is said by the slow way
        return _checked_row(row, where)


def _plain_row(row: Any) -> Vector:
    """The fast way, for rows are many: an error where anything is not of the type that a `Vector` needs."""
    source, oracle, expect, clauses = row["source"], row["oracle"], row["expect"], row["clauses"]
    if type(clauses) is not list or not {dict}.issuperset(map(type, expect.values())):
        raise TypeError
    "".join((row["id"], row["hash"]))
    frame = _frame(
        row["op"],
        row["kind"],
        row["level"],
        source["kind"],
        source["ref"],
        oracle["name"],
        oracle["version"],
        row.get("oracle_note", ""),
        *clauses,
    )
    given = {name: value for name, value in row.items() if name not in FRAME}
    return Vector(row["id"], *frame, given, expect, row["hash"])


@lru_cache(maxsize=4096)
def _frame(op: str, kind: str, level: str, source: str, ref: str, *rest: str) -> Frame:
    """What stands between the id and the input of a row: the same in many rows, so looked at once."""
    name, version, note, *clauses = rest
    "".join((kind, source, ref, *rest))  # a TypeError for what is not a string
    return (
        OPS[OPS.index(op)],
        kind,
        LEVELS[LEVELS.index(level)],
        tuple(clauses),
        Source(source, ref),
        (name, version),
        note,
    )


def _checked_row(row: object, where: str) -> Vector:
    fields = Fields.of(row, where)
    source, oracle, expect = fields.object("source"), fields.object("oracle"), fields.object("expect")
    return Vector(
        id=fields.string("id"),
        op=fields.choice("op", OPS),
        kind=fields.string("kind"),
        level=fields.choice("level", LEVELS),
        clauses=tuple(str(clause) for clause in fields.sequence("clauses")),
        source=Source(source.string("kind"), source.string("ref")),
        oracle=(oracle.string("name"), oracle.string("version")),
        oracle_note=fields.string("oracle_note", ""),
        given={name: value for name, value in fields.values.items() if name not in FRAME},
        expect={name: expect.object(name).values for name in expect.values},
        hash=fields.string("hash"),
    )


def read_rows(path: Path) -> Iterator[Tuple[int, object]]:
    """Line number and parsed JSON of every line of a JSON Lines file; FormatError for a bad line."""
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if line:
            yield number, parse_line(line, number, path)


def parse_line(line: bytes, number: int, path: Path) -> object:
    """One line of a JSON Lines file; FormatError where it is not JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {error}", field=f"line {number}", path=str(path)) from error


def vector_files(folder: Path) -> Tuple[Path, ...]:
    """The vector files below a folder, in a fixed order."""
    return tuple(sorted(folder.rglob("*.jsonl")))


def read_vectors(path: Path) -> Tuple[Vector, ...]:
    """Every vector of one file, or of every file below a folder; FormatError with file and line."""
    files = vector_files(path) if path.is_dir() else (path,)
    return tuple(vector for file in files for vector in _read_file(file))


def _read_file(file: Path) -> Iterator[Vector]:
    try:
        for number, row in read_rows(file):
            yield parse_row(row, f"line {number}")
    except FormatError as error:
        raise error.at(str(file)) from error


def read_retractions(path: Path) -> Dict[str, str]:
    """Vector id to the reason why it is listed but not run; empty where the file is absent."""
    if not path.is_file():
        return {}
    rows = (Fields.of(row, f"line {number}") for number, row in read_rows(path))
    return {row.string("id"): row.string("reason") for row in rows}
