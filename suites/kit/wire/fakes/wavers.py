"""Every second answer is another one."""

from __future__ import annotations

import itertools

from right import Bytes

from tokassay.device.serve import serve

CALLS = itertools.count(1)


class Wavers(Bytes):
    def encode(self, text: str):
        return super().encode(text) * (1 + next(CALLS) % 2)


serve("wavers", "1.0", Wavers)
