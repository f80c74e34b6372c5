"""Takes as many seconds for a text as its argument says."""

from __future__ import annotations

import sys
import time

from right import Bytes

from tokassay.device.serve import serve


class Slow(Bytes):
    def encode(self, text: str):
        time.sleep(float(sys.argv[1]))
        return super().encode(text)


serve("slow", "1.0", Slow)
