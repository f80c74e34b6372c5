"""Does what the text says: crash, hang, panic, refuse, or garbage; `remember` spoils the next call."""

from __future__ import annotations

import os
import sys
import time

from right import Bytes

from tokassay.device.serve import serve

STDOUT = os.dup(1)


class PanicError(Exception):
    pass


class Moody(Bytes):
    spoiled = False

    def __init__(self, path: str) -> None:
        super().__init__(path)
        if path.endswith("crash.json"):
            os.abort()
        if path.endswith("refuse.json"):
            raise NotImplementedError("this format")

    def encode(self, text: str):
        if self.spoiled or text == "crash":
            sys.stderr.write(f"fatal: {text}\n")
            os.abort()
        if text == "hang":
            time.sleep(60)
        if text == "panic":
            raise PanicError("index out of bounds")
        if text == "refuse":
            raise NotImplementedError("not this text")
        if text == "garbage":
            os.write(STDOUT, b"Hello!\n")
        self.spoiled = text == "remember"
        return super().encode(text)


serve("moody", "1.0", Moody, failures={PanicError: "crash"})
