"""Damaged device files: a FormatError with field and place, or a load that encodes; never anything else."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Callable, Dict, Iterator, Optional

import pytest

from tokassay import FormatError, Tokenizer, formats
from tokassay.core.byte_records import pack
from tokassay.core.errors import TokassayError

TEXTS = ("", "ab a\n", "\u4f60<s>\u00e9", "A b!", "\0x")
SMALL: Dict[str, bytes] = {
    "vocab.bin": pack([b"!", b"a", b"ab", b"\xc4\xa0a", "\u4f60".encode()]),
    "sentencepiece": b"430 0\n1 1 1\n1 1 1\n4\nPHVuaz4= 0 2\nPHM+ -1.5 3\nYQ== -1 1\n4paB -2e1 1\n",
    "tiktoken": b"430 1\n1 0 0\n2\n3\nYQ==\nYg==\nPHM+\n",
    "bert": b"430 2\n1 0 1\n0 0\n4\nW1VOS10=\nYQ==\nIyNi\n5L2g\n",
    "huggingface": b"430 3\n0 1 0\n1\n3 1\na\nb\nab\na b\n",
}
NAMES = {name: "vocab.bin" if name == "vocab.bin" else "tokenizer.txt" for name in SMALL}


def cut(data: bytes) -> Iterator[bytes]:
    return (data[:size] for size in range(len(data)))


def changed(change: Callable[[int], int]) -> Callable[[bytes], Iterator[bytes]]:
    def every(data: bytes) -> Iterator[bytes]:
        return (data[:at] + bytes([change(data[at])]) + data[at + 1 :] for at in range(len(data)))

    return every


def flipped(data: bytes) -> Iterator[bytes]:
    for bit in range(8):
        yield from changed(lambda byte, mask=1 << bit: byte ^ mask)(data)  # type: ignore[misc]


def doubled(data: bytes) -> Iterator[bytes]:
    return (data[:at] + data[at : at + 1] + data[at:] for at in range(len(data)))


def dropped(data: bytes) -> Iterator[bytes]:
    return (data[:at] + data[at + 1 :] for at in range(len(data)))


DAMAGES = {
    "cut": cut,
    "zero": changed(lambda _: 0),
    "ones": changed(lambda _: 0xFF),
    "newline": changed(lambda _: 0x0A),
    "flipped": flipped,
    "doubled": doubled,
    "dropped": dropped,
}


def refusal(data: bytes, name: str, *, strict: bool = False) -> Optional[FormatError]:
    """What is refused, None for a file that loads and encodes."""
    try:
        tokenizer = Tokenizer.from_description(formats.parse(data, format=name, strict=strict))
        for text in TEXTS:
            use(tokenizer, text)
    except FormatError as error:
        return error
    return None


def use(tokenizer: Tokenizer, text: str) -> None:
    try:
        encoding = tokenizer.encode(text)
        assert len(encoding.tokens) == len(encoding.ids)
        tokenizer.decode(encoding.ids)
    except FormatError:
        raise
    except TokassayError:
        pass  # not every table covers every text


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("reading", ["documented", "loader"])
def test_damage_is_refused_or_loaded(name: str, damage: str, reading: str):
    if reading == "loader" and name == "vocab.bin":
        reading = "documented"  # it has one reading only
    codec = NAMES[name] + ("-loader" if reading == "loader" else "")
    found = [refusal(data, codec) for data in DAMAGES[damage](SMALL[name])]
    assert all(error.field for error in found if error is not None)
    assert damage not in ("cut", "ones") or any(found)


@pytest.mark.parametrize("name", SMALL)
def test_what_is_strictly_loaded_has_no_warning(name: str):
    for data in (*flipped(SMALL[name]), *cut(SMALL[name])):
        if refusal(data, NAMES[name], strict=True) is None:
            assert formats.parse(data, format=NAMES[name], strict=True).warnings == ()


@pytest.mark.parametrize("name", SMALL)
def test_every_refusal_of_a_cut_file_has_a_place_within_it(name: str):
    for data in cut(SMALL[name]):
        error = refusal(data, NAMES[name])
        assert error is None or (error.offset is not None and 0 <= error.offset <= len(data)), data


@pytest.mark.parametrize("count", [0, 2**31, 2**32 - 1])
def test_counts_that_cannot_be_take_no_memory(count: int):
    with pytest.raises(FormatError, match=r"entries"):
        formats.parse(struct.pack("<I", count) + SMALL["vocab.bin"][4:], format="vocab.bin")
    for kind in range(4):
        head = f"430 {kind}\n0 0 0\n\n{count} {count}\n" if kind == 3 else f"430 {kind}\n0 0 0\n\n{count}\n"
        file = f"{head}a\n".encode()
        if count:
            with pytest.raises(FormatError, match="do not fit"):
                formats.parse(file, format="tokenizer.txt")
        else:
            assert formats.parse(file, format="tokenizer.txt").model.vocab_size == 0


def test_memory_stays_near_the_file():
    import tracemalloc

    for data, name in (
        (pack([b""] * 50_000), "vocab.bin"),
        (b"430 1\n0 0 0\n\n50000\n" + b"\n" * 50_000, "tokenizer.txt"),
    ):
        tracemalloc.start()
        formats.parse(data, format=name)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak <= 4 * len(data) + (64 << 20)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path):
    target = tmp_path / "vocab.bin"
    target.write_bytes(b"old")
    with pytest.raises(FormatError):
        formats.write(formats.parse(SMALL["bert"]), target, "vocab.bin")
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["vocab.bin"]
