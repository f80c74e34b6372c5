"""The C header and the C ABI: the same four functions, as a program and as a library."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Callable

import pytest

from tokassay.checks.engine import CrashError, FaultError, RefusalError
from tokassay.engines.wire import WireEngine

HERE = Path(__file__).parent
ECHO = HERE / "echo.c"
C99 = "-std=c99"
LIBRARY = (C99, "-DLIBRARY", "-shared", "-fPIC")
SANITIZED = (C99, "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover")


@pytest.fixture(params=["header", "library"])
def echo(request: pytest.FixtureRequest, compiled: Callable[..., Path], opened: Callable[..., WireEngine]):
    if request.param == "header":
        return opened(f"exec:{compiled(ECHO, C99)}", validate=True)
    return opened(f"cabi:{compiled(ECHO, *LIBRARY)}", validate=True)


def texts():
    """Texts over all planes, NUL and line ends included."""
    draw = random.Random(7)
    alphabet = '\0\n\r"\\/ab\x7f\x80\u00e9\u2028\ud7ff\ue000\ufffd\uffff\U00010000\U0001f600\U0010ffff'
    return ["", *("".join(draw.choices(alphabet, k=draw.randrange(40))) for _ in range(200))]


def test_texts_and_bytes_arrive_as_they_are(echo: WireEngine):
    session = echo.load("t.json")
    for text, encoded in zip(texts(), session.encode_many(texts()), strict=True):
        assert bytes(encoded.ids) == text.encode()
        assert session.decode(encoded.ids) == text
    data = bytes(range(256))
    assert bytes(session.encode_bytes(data).ids) == data
    assert session.decode_bytes(list(data)) == data


def test_ids_that_are_no_text_are_shown_and_equal_nothing(echo: WireEngine):
    assert echo.load("t.json").decode([97, 255]) == "a\udcff"


def test_a_text_larger_than_the_first_room_is_asked_again(echo: WireEngine):
    session = echo.load("t.json")
    text = "x" * 10_000
    assert session.decode(session.encode(text).ids) == text


def test_what_the_functions_answer_is_told(echo: WireEngine):
    session = echo.load("t.json")
    with pytest.raises(RefusalError, match="tokassay_encode answered -1"):
        session.encode("refuse")
    with pytest.raises(FaultError, match=r"no .* way"):
        session.encode("fail")
    with pytest.raises(CrashError, match="killed by SIGABRT"):
        session.encode("crash")
    with pytest.raises(FaultError, match='cannot read "refuse"'):
        echo.load("refuse")
    with pytest.raises(FaultError, match="32 bits"):
        session.decode([1 << 32])
    assert session.encode("a").ids == [97]


def test_both_tell_who_they_are(echo: WireEngine):
    assert (echo.info.name, echo.info.version) == ("echo", "1.0")
    assert echo.info.capabilities == {"encode", "decode", "encode_bytes", "decode_bytes"}
    assert len(echo.info.build["sha256"]) == 64


def test_the_header_is_good_cplusplus(compiled: Callable[..., Path], tmp_path: Path):
    source = tmp_path / "echo.cpp"
    source.write_text(ECHO.read_text())
    assert compiled(source, "-std=c++11", compiler="c++").is_file()


def test_a_library_without_the_functions_is_refused(
    compiled: Callable[..., Path], opened: Callable[..., WireEngine], tmp_path: Path
):
    source = tmp_path / "empty.c"
    source.write_text("int nothing;\n")
    with pytest.raises(Exception, match="tokassay_open"):
        opened(f"cabi:{compiled(source, C99, '-shared', '-fPIC')}")


def replies(program: Path, lines: bytes):
    done = subprocess.run([program], input=lines, capture_output=True, check=True)
    return [without_duration(json.loads(line)) for line in done.stdout.split(b"\n") if line]


def without_duration(reply: dict) -> dict:
    """A reply without `ns`, which has to be there where ids or a text are, and a whole number."""
    assert ("ns" in reply) == any(name in reply for name in ("ids", "text", "bytes_hex")), reply
    assert reply.get("ns", 0) >= 0
    return {name: value for name, value in reply.items() if name != "ns"}


GOOD = '{"op":"encode","id":7,"handle":0,"text":"a","add_special":true}'
LOAD = '{"op":"load","id":1,"handle":0,"path":"t.json"}'
NO_REQUEST = {"id": None, "error": "not a request"}


@pytest.mark.parametrize(
    "line",
    [
        "garbage",
        "{",
        "{}",
        "[]",
        '{"id":7',
        '{"id":7,}',
        '{"id":"7","op":"bye"}',
        '{"id":7.5,"op":"bye"}',
        '{"id":7,"op":"bye"} x',
        '{"id":7,"op":"b\\x"}',
        '{"id":7,"op":"\\u12g4"}',
        '{"id":7,"ids":[1,]}',
        '{"id":7,"ids":[1 2]}',
        '{"id":7,"x":' + "[" * 200 + "]" * 200 + "}",
        '{"id":7,"x":"open}',
        '{"id":7,"text":"\\',
        '{"id":7,"x":tru}',
    ],
)
def test_a_line_that_is_no_request_is_told_and_the_next_is_answered(compiled: Callable[..., Path], line: str):
    program = compiled(ECHO, *SANITIZED)
    found = replies(program, f"{LOAD}\n{line}\n{GOOD}\n".encode())
    assert found[1:] == [NO_REQUEST, {"id": 7, "ids": [97]}]


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ('{"id":7,"op":"encode","handle":9,"text":"a"}', {"error": "no such handle"}),
        ('{"id":7,"op":"encode","handle":3,"text":"a"}', {"error": "nothing is loaded under this handle"}),
        ('{"id":7,"op":"encode","handle":0}', {"error": "encode without a text"}),
        ('{"id":7,"op":"decode","handle":0}', {"error": "decode without ids"}),
        ('{"id":7,"op":"decode","handle":0,"ids":[-1]}', {"error": "an id does not fit into 32 bits"}),
        (
            '{"id":7,"op":"decode","handle":0,"ids":[99999999999999999999]}',
            {"error": "an id does not fit into 32 bits"},
        ),
        (
            '{"id":7,"op":"encode","handle":0,"text":"\\ud800"}',
            {"error": "the text holds a lone surrogate, which is no UTF-8"},
        ),
        ('{"id":7,"op":"encode","handle":0,"bytes_hex":"0"}', {"error": "bytes_hex is not hexadecimal"}),
        ('{"id":7,"op":"encode","handle":0,"bytes_hex":"zz"}', {"error": "bytes_hex is not hexadecimal"}),
        ('{"id":7,"op":"load","handle":0}', {"error": "load without a path"}),
        (
            '{"id":7,"op":"stages","handle":0,"text":"a"}',
            {"unsupported": "tokassay_engine.h does not do this"},
        ),
        (
            '{"id":7,"op":"encode","handle":0,"text":"a","pair":"b"}',
            {"unsupported": "tokassay_engine.h does not do this"},
        ),
        (
            '{"id":7,"op":"encode","handle":0,"text":"a","want":["tokens"]}',
            {"unsupported": "tokassay_engine.h does not do this"},
        ),
        ('{"id":7,"op":"encode","handle":0,"text":"a","want":[],"limits":false}', {"ids": [97]}),
        (' { "future" : { "x" : [ 1.5e3 , null , { } ] } , "id" : 7 , "op" : "bye" } ', {"bye": True}),
        ('{"id":7,"op":"hello","protocol":2}', {"unsupported": "this engine speaks protocol 1"}),
        (
            '{"id":7,"op":"encode","handle":0,"text":"\\ud83d\\ude00\\/\\b\\f"}',
            {"ids": [240, 159, 152, 128, 47, 8, 12]},
        ),
        ('{"id":7,"op":"encode","handle":0,"text":"\u00e9"}', {"ids": [195, 169]}),
    ],
)
def test_each_request_has_its_reply(compiled: Callable[..., Path], line: str, reply: dict):
    program = compiled(ECHO, *SANITIZED)
    assert replies(program, f"{LOAD}\n{line}\n".encode())[1] == {"id": 7, **reply}


def test_no_line_breaks_the_reader(compiled: Callable[..., Path]):
    """Good requests with bytes changed, cut and doubled; the address sanitizer watches."""
    draw, lines = random.Random(11), [LOAD.encode()]
    for _ in range(3000):
        line = bytearray(GOOD.replace('"a"', r'"a\u00e9\ud83d\ude00\n"').encode())
        for _ in range(draw.randrange(1, 4)):
            at = draw.randrange(len(line))
            line[at : at + draw.randrange(3)] = draw.choice(
                [b"", b'"', b"\\", b"\\u", b"{", b"]", b"\xff", b"9", b"\0"]
            )
        lines.append(bytes(line).replace(b"\n", b""))
    done = subprocess.run(
        [compiled(ECHO, *SANITIZED)], input=b"\n".join(lines) + b"\n", capture_output=True, check=True
    )
    answered = [json.loads(line) for line in done.stdout.split(b"\n") if line]
    assert len(answered) == len([line for line in lines if line])
    assert NO_REQUEST in answered
