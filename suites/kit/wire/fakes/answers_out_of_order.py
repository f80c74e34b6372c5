"""Speaks the protocol by hand, and answers what came together in the reverse order."""

from __future__ import annotations

import json
import os


def answer(request: dict) -> dict:
    if request["op"] == "hello":
        engine = {"name": "out-of-order", "version": "1.0"}
        return {"protocol": 1, "engine": engine, "capabilities": ["encode", "decode"]}
    if request["op"] == "load":
        return {"loaded": True}
    return {"ids": list(request["text"].encode())}


rest = b""
while chunk := os.read(0, 1 << 20):
    *lines, rest = (rest + chunk).split(b"\n")
    for line in reversed(lines):
        request = json.loads(line)
        os.write(1, json.dumps({"id": request["id"], **answer(request)}).encode() + b"\n")
