"""Tampering by someone without the key: each byte counts; every file, field and kind of damage is tried."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tokassay.board.verifying import Trust, verified
from tokassay.board.verifying.reading import EVERY
from tokassay.device import folder as names

Copied = Callable[[Path], Any]
JSON = (
    names.REQUEST,
    names.IDENTITY,
    names.FACTS,
    names.OUTCOME,
    names.CONTROLLER,
    names.HOST,
    names.STATEMENT,
)
JSON_LINES = (names.CONDITIONS, names.SAMPLES, names.RESULTS)


# -- without the key: each file -----------------------------------------------------------------------


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def _linked(path: Path) -> None:
    moved = path.parent.parent / f"{path.parent.name}-{path.name}"
    path.replace(moved)
    path.symlink_to(moved)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "gone": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "first byte flipped": lambda path: path.write_bytes(flipped(path.read_bytes(), 0)),
    "middle byte flipped": lambda path: path.write_bytes(
        flipped(path.read_bytes(), path.stat().st_size // 2)
    ),
    "last byte flipped": lambda path: path.write_bytes(flipped(path.read_bytes(), path.stat().st_size - 1)),
    "last byte gone": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "half of it gone": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "a blank more": lambda path: path.write_bytes(path.read_bytes() + b" "),
    "a line more": lambda path: path.write_bytes(path.read_bytes() + b"\n"),
    "a byte order mark": lambda path: path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes()),
    "other line ends": lambda path: path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n")),
    "a link to itself elsewhere": _linked,
    "a folder": lambda path: (path.unlink(), path.mkdir()),
    "a pipe": lambda path: (path.unlink(), os.mkfifo(path)),
}


@pytest.mark.parametrize("name", EVERY)
def test_damage_of_every_file_is_told_of_that_file(name: str, good: Path, maker: Any, copied: Copied):
    for damage, make in DAMAGE.items():
        changed = copied(good)
        make(changed.folder / name)
        assert name in maker.refusal(changed.folder), damage


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value in a JSON value; of a list the last item."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list) and value:
        yield from places(value[-1], (*path, len(value) - 1))
    if path:
        yield path


def altered(value: Any) -> Any:
    """Another value of the same type, near to it."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return value + "1"
    if isinstance(value, list):
        return [*value, *value[:1]] if value else ["1"]
    return {**value, "1": "1"} if isinstance(value, dict) else 1


def put(value: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> None:
    for step in path[:-1]:
        value = value[step]
    value[path[-1]] = change(value[path[-1]])


@pytest.mark.parametrize("name", JSON)
def test_a_change_of_any_field_is_caught(name: str, good: Path, maker: Any, copied: Copied):
    tried = list(places(json.loads((good / name).read_bytes())))
    for path in tried:
        changed = copied(good)
        changed.json(name, lambda value, path=path: put(value, path, altered))
        assert maker.refusal(changed.folder)
        shutil.rmtree(changed.folder)
    assert len(tried) >= 8


@pytest.mark.parametrize("name", JSON_LINES)
def test_a_change_of_any_field_of_a_line_is_caught(name: str, good: Path, maker: Any, copied: Copied):
    for path in places(json.loads((good / name).read_bytes().splitlines()[-1])):
        changed = copied(good)
        changed.lines(name, lambda rows, path=path: put(rows[-1], path, altered))
        assert name in maker.refusal(changed.folder), path


@pytest.mark.parametrize("name", JSON_LINES)
def test_lines_that_are_gone_doubled_or_in_another_order_are_caught(
    name: str, good: Path, maker: Any, copied: Copied
):
    for change in (
        lambda rows: rows[1:],
        lambda rows: rows[:-1],
        lambda rows: [*rows, rows[-1]],
        lambda rows: [rows[1], rows[0], *rows[2:]],
        lambda _rows: [],
    ):
        for sealed in (False, True):
            changed = copied(good)
            changed.lines(name, change)
            if sealed and changed.folder.joinpath(name).stat().st_size:
                changed.seal()
            assert maker.refusal(changed.folder)


# -- whole folders --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_a_file_of_another_run_is_caught(name: str, good: Path, second: Path, maker: Any, copied: Copied):
    """Unsigned, and with everything else made anew around it."""
    for sealed in (False, True):
        changed = copied(good)
        shutil.copyfile(second / name, changed.folder / name)
        if sealed and name not in (names.TRANSCRIPT, names.STATEMENT, names.SIGNATURE):
            changed.seal(hashes=name in names.BOARD_FILES)
        assert maker.refusal(changed.folder)


FOREIGN = ("notes.txt", ".hidden", "statement.json.bak", "results.jsonl.gz", "samples.jsonl~")


@pytest.mark.parametrize("name", FOREIGN)
def test_a_file_that_does_not_belong_there_is_refused(name: str, good: Path, maker: Any, copied: Copied):
    changed = copied(good)
    (changed.folder / name).write_text("faster\n", "ascii")
    assert f"{name}: is no part of an evidence folder" in maker.refusal(changed.folder)


def test_no_folder_and_a_file_are_refused(tmp_path: Path, good: Path, maker: Any):
    assert "No such file" in maker.refusal(tmp_path / "none")
    assert "Not a directory" in maker.refusal(good / names.REQUEST)


# -- the signature --------------------------------------------------------------------------------------


def test_a_folder_signed_by_another_key_is_refused(good: Path, maker: Any, copied: Copied):
    changed = copied(good)
    changed.seal(maker.other)
    assert "statement.json.sig: by none of the allowed signers" in maker.refusal(changed.folder)
    assert verified(changed.folder, Trust()).signer.startswith("SHA256:")


def test_a_signature_for_another_purpose_is_refused(good: Path, maker: Any, copied: Copied):
    changed = copied(good)
    changed.sign(namespace="git")
    assert "statement.json.sig: does not hold" in maker.refusal(changed.folder)
    assert "statement.json.sig: does not hold" in maker.refusal(changed.folder, Trust())


def test_the_signature_of_another_statement_is_refused(
    good: Path, emulated: Path, maker: Any, copied: Copied
):
    changed = copied(good)
    shutil.copyfile(emulated / names.SIGNATURE, changed.folder / names.SIGNATURE)
    assert "statement.json.sig: does not hold" in maker.refusal(changed.folder)


# -- what the verifier knows by itself ------------------------------------------------------------------


def test_another_nonce_host_key_or_bundle_than_expected_is_refused(good: Path, maker: Any, tmp_path: Path):
    other = tmp_path / "other.pyz"
    other.write_bytes(b"#!/usr/bin/env python3\n")
    for given, place in (
        ({"nonce": "mine"}, "request.json: nonce"),
        ({"host_key": "SHA256:other"}, "controller.json: host_key"),
        ({"bundle": other}, "request.json: bundle"),
    ):
        assert place in maker.refusal(good, replace(maker.trust, **given))


@pytest.mark.parametrize("name", ["emulated", "throttled"])
def test_latency_of_an_emulated_or_throttled_run_is_no_claim(
    name: str, maker: Any, request: pytest.FixtureRequest
):
    folder = request.getfixturevalue(name)
    assert verified(folder, maker.trust).unclaimable
    assert f"the run was {name}: " in maker.refusal(folder, replace(maker.trust, latency=True))


# -- of another type --------------------------------------------------------------------------------------

OTHERS: tuple[Any, ...] = (None, 7, 1.5, "x", [], [1], {}, {"x": "x"})


def other_types(source: bytes, *, lines: bool) -> Iterator[bytes]:
    """A file with one value of another type: each place of each kind of line, each other type."""
    rows = source.splitlines() if lines else [source]
    for number in {tuple(sorted(json.loads(row))): number for number, row in enumerate(rows)}.values():
        for path in places(json.loads(rows[number])):
            for other in OTHERS:
                value = json.loads(rows[number])
                put(value, path, lambda _before, other=other: other)
                yield b"\n".join(
                    [*rows[:number], json.dumps(value).encode("ascii"), *rows[number + 1 :], b""]
                )


@pytest.mark.nightly
@pytest.mark.parametrize("name", [*JSON, *JSON_LINES])
def test_a_value_of_another_type_is_refused_and_no_crash(name: str, good: Path, maker: Any, copied: Copied):
    """Everywhere: nothing is signed anew, so that every reason to refuse is looked for."""
    changed, source = copied(good), (good / name).read_bytes()
    for data in other_types(source, lines=name in JSON_LINES):
        if data != source:
            (changed.folder / name).write_bytes(data)
            assert maker.refusal(changed.folder)


@pytest.mark.parametrize("field", ["engines", "tokenizers", "suites", "started", "python", "platform"])
def test_a_header_of_other_types_is_refused_and_no_crash(field: str, good: Path, maker: Any, copied: Copied):
    changed = copied(good)
    for other in (*OTHERS, [{}], [{"name": 1}], [{"name": "x", "sha256": None}]):
        changed.lines(names.RESULTS, lambda rows, other=other: rows[0].update({field: other}))
        assert names.RESULTS in maker.refusal(changed.folder)


@pytest.mark.parametrize("other", [None, 7, [], {}])
def test_a_verdict_of_other_types_is_refused_and_no_crash(other: Any, good: Path, maker: Any, copied: Copied):
    changed = copied(good)
    for field in ("engine", "tokenizer", "suite", "vector", "digest", "reason"):
        changed.lines(names.RESULTS, lambda rows, field=field: rows[2].update({field: other}))
        assert names.RESULTS in maker.refusal(changed.folder)
