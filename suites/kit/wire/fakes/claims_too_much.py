"""Claims offsets, and has none."""

from __future__ import annotations

from right import Bytes

from tokassay.device.serve import serve


class NoOffsets:
    def __init__(self, ids: list[int]) -> None:
        self.ids = ids

    @property
    def offsets(self):
        raise NotImplementedError("offsets come with the next release")


class Claims(Bytes):
    def encode(self, text: str):
        return NoOffsets(super().encode(text))


serve("claims-too-much", "1.0", Claims, capabilities=["encode", "decode", "offsets"])
