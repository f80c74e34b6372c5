"""JSON that two readers take for two things is refused, whoever signed it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokassay.device import folder as names

Copied = Callable[[Path], Any]


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        assert old in data
        return data.replace(old, new, 1)

    return change


AMBIGUOUS = {
    "a key twice": (names.OUTCOME, replaced(b'"exit_code": 0', b'"exit_code": 1, "exit_code": 0'), "twice"),
    "a key twice in a line": (names.SAMPLES, replaced(b'"pid":', b'"pid":1,"pid":'), "twice"),
    "a key twice in the results": (
        names.RESULTS,
        replaced(b'"exit_code":', b'"exit_code":1,"exit_code":'),
        "twice",
    ),
    "not a number": (names.OUTCOME, replaced(b'"exit_code": 0', b'"exit_code": NaN'), "NaN"),
    "infinity": (names.OUTCOME, replaced(b'"exit_code": 0', b'"exit_code": -Infinity'), "-Infinity"),
    "beyond a double": (names.OUTCOME, replaced(b'"exit_code": 0', b'"exit_code": 1e999'), "out of range"),
    "many digits": (
        names.OUTCOME,
        replaced(b'"exit_code": 0', b'"exit_code": ' + b"9" * 6000),
        "6000 digits",
    ),
    "true for one": (names.OUTCOME, replaced(b'"exit_code": 0', b'"exit_code": true'), "expected int"),
    "text for a number": (names.OUTCOME, replaced(b'"exit_code": 0', b'"exit_code": "0"'), "expected int"),
    "null": (names.OUTCOME, replaced(b'"exit_code": 0', b'"exit_code": null'), "expected int, got null"),
    "beyond ASCII": (names.OUTCOME, replaced(b'"reason": ""', '"reason": "\u0430"'.encode()), "ascii"),
    "a comment": (names.OUTCOME, replaced(b"{", b"{ /* fast */"), "no plain JSON"),
    "deep": (names.FACTS, lambda _data: b"[" * 100_000, "no plain JSON"),
    "a list": (names.IDENTITY, lambda data: b"[" + data + b"]", "expected an object, got list"),
    "zero bytes": (names.CONTROLLER, lambda data: data + b"\0" * 512, "no plain JSON"),
    "UTF-16": (names.CONTROLLER, lambda data: data.decode().encode("utf-16"), "no plain JSON"),
}


@pytest.mark.parametrize("name", AMBIGUOUS)
def test_ambiguous_json_is_refused_even_with_the_right_hashes(
    name: str, good: Path, maker: Any, copied: Copied
):
    file, change, reason = AMBIGUOUS[name]
    changed = copied(good)
    changed.data(file, change)
    try:
        changed.seal(hashes=file in names.BOARD_FILES)
    except (ValueError, TypeError, RecursionError):
        changed.sign()
    told = maker.refusal(changed.folder)
    assert f"{file}: " in told
    assert reason in told
