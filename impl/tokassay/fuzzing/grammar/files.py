"""Tokenizer files with something wrong in them: bytes changed where the structure is, not anywhere."""

from __future__ import annotations

import base64
import json
from functools import lru_cache
from random import Random
from typing import Callable, List, Mapping, Sequence, Tuple

from tokassay import data, formats
from tokassay.checks.vector import read_vectors
from tokassay.core.errors import TokassayError

from ..documents import damage
from . import tokenizers

INTEGERS = (0, 1, -1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 2**31 - 1, 2**31, 2**32 - 1, 2**63)
WIDTHS = (1, 2, 4, 8)
LINES = ("0", "-1", "1 2 3", "", " ", "4294967296", "1e5", "999999999999", "\u00e9", "//", "NaN", "=")
LARGEST = 30_000  # bytes of a file that is mutated


@lru_cache(maxsize=16)
def seeds(name: str) -> Sequence[bytes]:
    """Small files of a format: golden ones, and what the format can hold of the embedded tokenizers."""
    found = [*_golden(name), *_vectors(name), *_converted(name)]
    small = sorted({content for content in found if len(content) <= LARGEST}, key=len)
    return small or sorted(found, key=len)[:2] or [b""]


def _golden(name: str) -> List[bytes]:
    root = data.root() / "golden"
    paths = [*sorted((root / "formats").iterdir()), *sorted((root / "tokenizers").glob("*/tokenizer.json"))]
    contents = (path.read_bytes() for path in paths if path.is_file())
    return [content for content in contents if _probe(content) == name]


def _vectors(name: str) -> List[bytes]:
    folder = data.root() / "golden" / "vectors"
    rows = [row for op in ("load", "encode", "decode") for row in read_vectors(folder / op)]
    found = dict.fromkeys(row.inline for row in rows if row.inline is not None)
    small = (content for content in found if len(content) <= LARGEST)
    return [content for content in small if _probe(content) == name][:300]


def _converted(name: str) -> List[bytes]:
    found = []
    for number in range(40):
        document = tokenizers.tokenizer(Random(number))  # noqa: S311 - reproducible, not secret
        content = _serialized(json.dumps(document).encode("ascii"), name)
        found += [content] if content is not None else []
    return found


def _serialized(document: bytes, name: str) -> bytes | None:
    try:
        described = formats.parse(document, format="tokenizer.json")
        return formats.serialize(formats.project(described, name), name)
    except (TokassayError, KeyError, AttributeError):
        return None


def _probe(content: bytes) -> str:
    try:
        return formats.probe(content)
    except TokassayError:
        return ""


def mutated(chance: Random, name: str) -> bytes:
    """A file of the format with a few changes, two thirds of them in numbers, lengths and lines."""
    content = chance.choice(seeds(name))
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        content = chance.choice(MUTATIONS[_is_text(content)])(chance, content)
    return content


def _is_text(content: bytes) -> bool:
    return b"\x00" not in content[:2000]


def _number(chance: Random, content: bytes) -> bytes:
    """A little-endian integer overwritten, or the one that is there moved by one."""
    width = chance.choice(WIDTHS)
    at = chance.randrange(max(1, len(content) - width))
    there = int.from_bytes(content[at : at + width], "little")
    value = chance.choice((chance.choice(INTEGERS), there + 1, there - 1, there * 2, len(content) - at))
    return content[:at] + (value % (1 << 8 * width)).to_bytes(width, "little") + content[at + width :]


def _varint(chance: Random, content: bytes) -> bytes:
    """The continuation bit of a byte flipped: lengths and tags of protobuf change their size."""
    at = chance.randrange(max(1, len(content)))
    return content[:at] + bytes(byte ^ 0x80 for byte in content[at : at + 1]) + content[at + 1 :]


def _cut(chance: Random, content: bytes) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def _moved(chance: Random, content: bytes) -> bytes:
    """A stretch taken out, and put somewhere else or twice."""
    start = chance.randrange(len(content) + 1)
    part = content[start : start + chance.choice((1, 4, 8, 12, 40))]
    at = chance.randrange(len(content) + 1)
    rest = content if chance.random() < 0.5 else content[:start] + content[start + len(part) :]
    return rest[:at] + part + rest[at:]


def _line(chance: Random, content: bytes) -> bytes:
    """One line dropped, doubled, replaced, swapped with another, or rewritten in one field."""
    lines = content.split(b"\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    kind = chance.randrange(5)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(other, lines[at])
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        lines[at] = chance.choice(LINES).encode("utf-8")
    else:
        words = lines[at].split(b" ")
        words[chance.randrange(len(words))] = _word(chance)
        lines[at] = b" ".join(words)
    return b"\n".join(lines)


def _word(chance: Random) -> bytes:
    text = chance.choice(LINES).encode("utf-8")
    return base64.b64encode(text) if chance.random() < 0.3 else text


def _damage(chance: Random, content: bytes) -> bytes:
    return damage(content, chance)


Mutation = Callable[[Random, bytes], bytes]
MUTATIONS: Mapping[bool, Tuple[Mutation, ...]] = {
    True: (_line, _line, _line, _damage, _damage, _cut, _moved),
    False: (_number, _number, _number, _varint, _damage, _cut, _moved),
}
