"""The seventh call of a process is its last."""

from __future__ import annotations

import itertools
import os
import sys

from right import Bytes

from tokassay.device.serve import serve

CALLS = itertools.count(1)


class Crashes(Bytes):
    def encode(self, text: str):
        if next(CALLS) == 7:
            sys.stderr.write("assertion failed: seven\n")
            os.abort()
        return super().encode(text)


serve("crashes", "1.0", Crashes)
