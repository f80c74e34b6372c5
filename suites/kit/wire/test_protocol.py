"""Every operation through a child, with every message checked against its schema."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Callable

import pytest

from tokassay import engines
from tokassay.checks.engine import CAPABILITIES, FaultError, UnavailableError
from tokassay.device import serve
from tokassay.engines.wire import messages, schemas

ROOT = Path(__file__).parents[3]
OWN = ROOT / "golden" / "tokenizers"
HARD = [
    "",
    "plain",
    "NUL \0 inside",
    "line\nfeed, \r\n, \x0b, \x85, \u2028 and \u2029",
    "quotes \" and ' and \\ and \\u0041",
    "\U0001f600 \U0010ffff \ufeff \ufffe",
    "\x7f\x80\x9f",
    "e\u0301 \u0f71\u0f72",
    "x" * 10_000,
]
SAMPLES = ["Hello world", "na\u00efve <|endoftext|> 123", "", "\U0001f600\n\n\t"]


def requests():
    return {
        value.op: value
        for value in vars(messages).values()
        if isinstance(value, type) and isinstance(getattr(value, "op", None), str)
    }


@pytest.mark.parametrize("text", HARD)
def test_any_text_arrives_as_it_is(fake: Callable[..., Any], text: str):
    session = fake("right", validate=True).load("t.json")
    ids = session.encode(text).ids
    assert bytes(ids) == text.encode()
    assert session.decode(ids) == text


@pytest.mark.parametrize("name", ["gpt2", "roberta", "bert-truncated-padded", "llama2-like"])
def test_a_child_answers_as_the_engine_in_this_process(opened: Callable[..., Any], name: str):
    path = str(OWN / name / "tokenizer.json")
    here, there = engines.open("reference").load(path), opened("child:reference", validate=True).load(path)
    assert there.info.capabilities == here.info.capabilities
    assert there.vocab_size() == here.vocab_size()
    assert there.vocab_size(with_added_tokens=False) == here.vocab_size(with_added_tokens=False)
    assert [there.id_to_token(i) for i in (0, 5, 10**6)] == [here.id_to_token(i) for i in (0, 5, 10**6)]
    for text in SAMPLES:
        assert told(there, text) == told(here, text)


def told(session: Any, text: str):
    """Everything that a session says about a text."""
    ids = list(session.encode(text).ids)
    stream = session.stream(skip_special_tokens=False)
    return {
        "encode": columns(session.encode(text)),
        "pair": columns(session.encode(text, "and a pair", add_special_tokens=False)),
        "limited": columns(session.encode_limited(text)),
        "batch": [columns(one) for one in session.encode_batch_limited([text, "a longer text than that"])],
        "bytes": columns(session.encode_bytes(text.encode() + b"\xff")),
        "decode": [session.decode(ids, skip_special_tokens=skip) for skip in (True, False)],
        "decode_bytes": session.decode_bytes(ids),
        "stream": [[stream.step(index) for index in ids], stream.flush()],
        "stages": {name: list(value) for name, value in vars(session.stages(text)).items()},
    }


def columns(encoded: Any):
    names = [name for names in messages.COLUMNS.values() for name in names]
    return {
        "ids": list(encoded.ids),
        **{name: [tuple(x) if isinstance(x, list) else x for x in getattr(encoded, name)] for name in names},
        "overflowing": [columns(part) for part in encoded.overflowing],
    }


def test_two_streams_run_beside_each_other(opened: Callable[..., Any]):
    session = opened("child:reference").load(str(OWN / "gpt2" / "tokenizer.json"))
    ids = session.encode("caf\u00e9 \U0001f600").ids
    first, second = session.stream(), session.stream()
    steps = [(first.step(index), second.step(index)) for index in ids]
    assert [a for a, _ in steps] == [b for _, b in steps]


def test_more_streams_than_numbers_are_refused_and_not_mixed_up(opened: Callable[..., Any]):
    session = opened("child:reference").load(str(OWN / "gpt2" / "tokenizer.json"))
    streams = [session.stream() for _ in range(9)]
    with pytest.raises(FaultError, match="more than 8 streams"):
        streams[0].step(0)
    streams[1].step(0)


def test_a_class_shows_what_it_can_do(opened: Callable[..., Any]):
    info = opened("py:right:Bytes", validate=True).info
    assert (info.name, info.capabilities) == ("right:Bytes", frozenset({"encode", "decode"}))
    assert re.fullmatch("[0-9a-f]{64}", info.build["sha256"])
    assert opened("py:right:Bytes").load("t.json").encode("\u00e9").ids == [195, 169]


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("py:right", "py needs MODULE:CLASS, got 'right'"),
        ("py:no_such_module:Engine", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("py:right:Nothing", "has no attribute 'Nothing'"),
        ("exec:", "exec needs a command"),
        ("exec:'", "cannot read the command"),
        ("cabi:no.so", "there is no file 'no.so'"),
        ("child:", "child needs the address of another engine"),
        ("child:nobody", "no engine is called 'nobody'"),
        ("child:exec:./engine", "exec has a process of its own already"),
    ],
)
def test_an_address_that_leads_nowhere_says_why(opened: Callable[..., Any], address: str, message: str):
    with pytest.raises(UnavailableError) as caught:
        opened(address)
    assert message in caught.value.reason


def test_every_operation_has_a_request_a_schema_and_a_server():
    written = {path.stem for path in schemas.folder().glob("*.json")}
    assert set(requests()) == written == set(serve.OPERATIONS)
    page = (ROOT / "docs" / "protocol" / "README.md").read_text("utf-8")
    table = page.partition("| `op` |")[2].partition("\n\n")[0]
    assert {name for name in written if f"`{name}`" in table} == written


def test_schema_page_and_kit_know_the_same_capabilities():
    schema = json.loads((schemas.folder() / "hello.json").read_text("utf-8"))
    capabilities = schema["$defs"]["reply"]["else"]["properties"]["capabilities"]["items"]["enum"]
    assert set(capabilities) == set(CAPABILITIES)
    page = (ROOT / "docs" / "protocol" / "README.md").read_text("utf-8")
    listed = page.partition("a closed list: `")[2].partition("`")[0].split()
    assert set(listed) == set(CAPABILITIES)


def test_the_schemas_are_schemas():
    from jsonschema import Draft202012Validator

    for path in schemas.folder().glob("*.json"):
        Draft202012Validator.check_schema(json.loads(path.read_text("utf-8")))


def test_the_example_of_the_page_is_an_engine(opened: Callable[..., Any], tmp_path: Path):
    page = (ROOT / "docs" / "protocol" / "README.md").read_text("utf-8")
    script = tmp_path / "engine.py"
    script.write_text(page.partition("```python\n")[2].partition("```")[0])
    assert len([line for line in script.read_text().splitlines() if line.strip()]) <= 15
    engine = opened(f"exec:{sys.executable} {script}", validate=True)
    assert engine.info.capabilities == {"encode", "decode", "add_special", "skip_special"}
    session = engine.load("t.json")
    assert session.decode(session.encode("\u00e9", add_special_tokens=False).ids) == "\u00e9"


@pytest.mark.parametrize("name", ["", " ", "li\nar", "\x1b[2J", "a\u202eb"])
def test_a_name_that_would_move_the_cursor_is_refused(name: str, tmp_path: Path, opened: Callable[..., Any]):
    script = tmp_path / "engine.py"
    source = Path(serve.__file__).parent
    script.write_text(
        f"import sys; sys.path.insert(0, {str(source)!r}); import serve; serve.serve({name!r}, '1', None)"
    )
    with pytest.raises(UnavailableError, match="where printable characters belong"):
        opened(f"exec:{sys.executable} {script}")
