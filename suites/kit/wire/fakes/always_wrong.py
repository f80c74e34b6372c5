"""Every id is one too large."""

from __future__ import annotations

from right import Bytes

from tokassay.device.serve import serve


class Wrong(Bytes):
    def encode(self, text: str):
        return [index + 1 for index in super().encode(text)]


serve("always-wrong", "1.0", Wrong)
