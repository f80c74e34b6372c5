"""Replies that are JSON, but wrong: the text says how."""

from __future__ import annotations

import json
import os

REPLIES = {
    "no ids": {},
    "ids are words": {"ids": ["a"]},
    "half an id": {"ids": [1.5]},
    "true is no id": {"ids": [True]},
    "null": {"ids": None},
    "extra": {"ids": [1], "idz": [1]},
    "right": {"ids": [1]},
}
HELLO = {
    "protocol": 1,
    "engine": {"name": "wrong-replies", "version": "1"},
    "capabilities": ["encode", "decode"],
}


def answer(request: dict) -> dict:
    if request["op"] in ("hello", "load"):
        return HELLO if request["op"] == "hello" else {"loaded": True}
    if request["text"] == "another id":
        return {"id": 999, "ids": [1]}
    if request["text"] == "twice":
        os.write(1, json.dumps({"id": request["id"], "ids": [1]}).encode() + b"\n")
    return REPLIES.get(request["text"], REPLIES["right"])


rest = b""
while chunk := os.read(0, 1 << 20):
    *lines, rest = (rest + chunk).split(b"\n")
    for line in lines:
        request = json.loads(line)
        os.write(1, json.dumps({"id": request["id"], **answer(request)}).encode() + b"\n")
