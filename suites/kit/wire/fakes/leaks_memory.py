"""Keeps 64 MiB for every text."""

from __future__ import annotations

from right import Bytes

from tokassay.device.serve import serve

KEPT: list[bytearray] = []


class Leaks(Bytes):
    def encode(self, text: str):
        KEPT.append(bytearray(64 << 20))
        return super().encode(text)


serve("leaks", "1.0", Leaks)
