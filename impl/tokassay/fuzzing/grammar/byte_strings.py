"""Bytes that are nearly UTF-8: what a byte-taking engine has to replace or reject."""

from __future__ import annotations

from random import Random

PARTS = (
    *(b"a", b"ab ", b" ", b"\n", "\u00e9".encode(), "\u4e2d".encode(), "\U0001f600".encode(), b"\x00"),
    *(
        b"\x80",
        b"\xbf",
        b"\xc0\x80",
        b"\xc1",
        b"\xc3",
        b"\xe4\xb8",
        b"\xf0\x9f\x98",
        b"\xf0\x9f",
        b"\xff",
        b"\xfe",
    ),
    *(b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xe0\x80\x80"),
    *(b"\xf0\x80\x80\x80", b"\xef\xbf\xbd", b"\xef\xbb\xbf", b"\xed\xa0\xbd\xed\xb8\x80", b"\xe2\x28\xa1"),
)


def nearly_utf8(chance: Random) -> bytes:
    """Valid characters with overlong, cut, lone and impossible sequences between them."""
    made = b"".join(chance.choice(PARTS) for _ in range(chance.randint(1, 8)))
    return made[: chance.randint(0, len(made))] if chance.random() < 0.2 else made
