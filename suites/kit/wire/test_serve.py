"""The Python side of an engine, as one file that needs nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from tokassay.device import serve

ENGINE = """
import serve

class Toy:
    def __init__(self, path):
        print("loading", path)
    def encode(self, text, pair=None):
        if text == "fail":
            raise ValueError("no")
        if text == "refuse":
            raise NotImplementedError("not that")
        return list(text.encode())
    def decode(self, ids, skip_special_tokens=True):
        return bytes(ids).decode()

serve.serve("toy", "1.0", Toy)
"""


def said(folder: Path, *requests: object):
    """The replies of the engine above, run with the standard library alone."""
    shutil.copy(str(serve.__file__), str(folder / "serve.py"))
    (folder / "engine.py").write_text(ENGINE)
    lines = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in requests)
    command = [sys.executable, "-S", str(folder / "engine.py")]
    done = subprocess.run(command, input=lines.encode(), capture_output=True, check=True)
    replies = [json.loads(line) for line in done.stdout.split(b"\n") if line]
    return [without_duration(reply) for reply in replies], done.stderr.decode()


def without_duration(reply: dict) -> dict:
    """A reply without `ns`, which has to be there where ids or a text are, and a whole number."""
    assert ("ns" in reply) == any(name in reply for name in ("ids", "text", "bytes_hex")), reply
    assert reply.get("ns", 0) >= 0
    return {name: value for name, value in reply.items() if name != "ns"}


def test_a_copy_of_the_file_serves_an_engine(tmp_path: Path):
    replies, log = said(
        tmp_path,
        {"op": "hello", "id": 0, "protocol": 1},
        {"op": "load", "id": 1, "handle": 0, "path": "t.json"},
        {"op": "encode", "id": 2, "handle": 0, "text": "\u00e9\0", "add_special": True},
        {"op": "decode", "id": 3, "handle": 0, "ids": [104, 10], "skip_special": True},
        {"op": "bye", "id": 4},
    )
    hello, *rest = replies
    assert hello["capabilities"] == ["decode", "encode", "pair", "skip_special"]
    assert hello["engine"]["name"] == "toy"
    assert len(hello["engine"]["build"]["sha256"]) == 64
    assert rest == [
        {"id": 1, "loaded": True},
        {"id": 2, "ids": [195, 169, 0]},
        {"id": 3, "text": "h\n"},
        {"id": 4, "bye": True},
    ]
    assert "loading t.json" in log


def test_what_goes_wrong_is_told_and_the_engine_lives_on(tmp_path: Path):
    replies, log = said(
        tmp_path,
        {"op": "hello", "id": 0, "protocol": 2},
        {"op": "load", "id": 1, "handle": 0, "path": "t.json"},
        {"op": "encode", "id": 2, "handle": 0, "text": "fail", "add_special": True},
        {"op": "encode", "id": 3, "handle": 0, "text": "refuse", "add_special": True},
        {"op": "dance", "id": 4},
        "no JSON",
        {"op": "encode", "id": 5, "handle": 0, "text": "a", "add_special": True},
    )
    assert replies[0] == {"id": 0, "unsupported": "protocol 2; this engine speaks 1"}
    assert replies[2:5] == [
        {"id": 2, "error": "ValueError: no"},
        {"id": 3, "unsupported": "NotImplementedError: not that"},
        {"id": 4, "unsupported": "unknown operation 'dance'"},
    ]
    assert replies[5]["id"] is None
    assert replies[5]["error"].startswith("not a request")
    assert replies[6] == {"id": 5, "ids": [97]}
    assert "Traceback" in log


def test_a_function_shows_the_least():
    assert serve.shown_capabilities(lambda _: None) == ["encode", "decode"]
