"""Where templates stand: folders, configurations, device files, GGUF metadata."""

from __future__ import annotations

import json
import struct

import pytest

from tokassay import chat, data, formats
from tokassay.core.description import Device
from tokassay.core.errors import FormatError

TOKENIZER = data.root() / "golden" / "tokenizers" / "gpt2" / "tokenizer.json"


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def test_a_configuration(tmp_path):
    tokens = {"bos_token": "<s>", "eos_token": {"content": "</s>"}, "pad_token": None}
    path = write(tmp_path / "tokenizer_config.json", {"chat_template": "T", **tokens})
    for given in (path, tmp_path, tmp_path / "tokenizer.json"):
        found = chat.read(given)
        assert found.choose() == "T"
        assert found.tokens == {"bos_token": "<s>", "eos_token": "</s>"}
        assert found.path == str(path)


def test_a_file_of_its_own_wins(tmp_path):
    write(tmp_path / "tokenizer_config.json", {"chat_template": "old", "bos_token": "<s>"})
    write(tmp_path / "chat_template.jinja", "new")
    found = chat.read(tmp_path)
    assert (found.choose(), found.tokens) == ("new", {"bos_token": "<s>"})


def test_named_templates(tmp_path):
    named = [{"name": "default", "template": "D"}, {"name": "tool_use", "template": "T"}]
    write(tmp_path / "tokenizer_config.json", {"chat_template": named})
    write(tmp_path / "additional_chat_templates" / "rag.jinja", "R")
    found = chat.read(tmp_path)
    assert (found.choose(), found.choose(with_tools=True)) == ("D", "T")
    assert (found.choose("rag"), found.choose("tool_use")) == ("R", "T")
    with pytest.raises(FormatError, match="no chat template called 'x'; there: default, rag, tool_use"):
        found.choose("x")


def test_a_template_alone(tmp_path):
    assert chat.read(write(tmp_path / "my.jinja", "\u00e9")).choose() == "\u00e9"


@pytest.mark.parametrize("given", ["llm_config.json", "."])
def test_the_configuration_of_mnn(tmp_path, given):
    write(tmp_path / "llm_config.json", {"jinja": {"chat_template": "T", "eos": "</s>", "bos": "<s>"}})
    found = chat.read(tmp_path / given)
    assert found.choose() == "T"
    assert found.tokens == {"bos_token": "<s>", "eos_token": "</s>"}


def test_the_tail_of_a_device_file(tmp_path):
    import dataclasses

    device = Device(chat_template="{{ eos_token }}", eos_token="</s>", flags=0, bos_token="<s>")
    description = dataclasses.replace(formats.project(formats.read(TOKENIZER), "mtok"), device=device)
    path = tmp_path / "tokenizer.mtok"
    formats.write(description, path)
    found = chat.read(path)
    assert chat.render(found.choose(), "Hi", **found.tokens) == "</s>"
    assert found.tokens == {"bos_token": "<s>", "eos_token": "</s>"}


def text(value):
    return struct.pack("<Q", len(value)) + value.encode()


def gguf(entries):
    body = b"".join(text(key) + value for key, value in entries.items())
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(entries)) + body


def string(value):
    return struct.pack("<I", 8) + text(value)


def test_the_metadata_of_gguf(tmp_path):
    path = tmp_path / "model.gguf"
    tokens = struct.pack("<IIQ", 9, 8, 2) + text("<s>") + text("</s>")
    entries = {
        "general.name": string("n"),
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.bos_token_id": struct.pack("<II", 4, 0),
        "tokenizer.ggml.eos_token_id": struct.pack("<II", 4, 1),
        "tokenizer.ggml.pad_token_id": struct.pack("<II", 4, 9),
        "tokenizer.chat_template": string("T"),
        "tokenizer.chat_template.tool_use": string("U"),
    }
    path.write_bytes(gguf(entries))
    found = chat.read(path)
    assert found.named == {"default": "T", "tool_use": "U"}
    assert found.tokens == {"bos_token": "<s>", "eos_token": "</s>"}
    path.write_bytes(gguf({"general.name": string("n")}))
    with pytest.raises(FormatError, match="holds no chat template"):
        chat.read(path)
    path.write_bytes(gguf(entries)[:-3])
    with pytest.raises(FormatError, match=r"model\.gguf"):
        chat.read(path)
    path.write_bytes(b"")
    with pytest.raises(FormatError, match="cannot be read"):
        chat.read(path)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("tokenizer_config.json", "{", "is not JSON"),
        ("tokenizer_config.json", "[]", "is not a JSON object"),
        ("tokenizer_config.json", {"chat_template": 3}, "neither a text nor a list"),
        ("tokenizer_config.json", {"chat_template": [{"name": "a"}]}, r"chat_template\[0\]"),
        ("tokenizer_config.json", {"chat_template": [3]}, r"chat_template\[0\]"),
        ("tokenizer_config.json", {}, "none"),
        ("llm_config.json", {"jinja": {}}, "jinja.chat_template"),
        ("nothing.txt", "x", "nothing.txt"),
    ],
)
def test_what_holds_none_is_named(tmp_path, name, content, told):
    path = write(tmp_path / name, content)
    with pytest.raises(FormatError, match=told):
        chat.read(path).choose()


def test_a_folder_without_any(tmp_path):
    with pytest.raises(FormatError, match="no chat template: neither"):
        chat.read(tmp_path)


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "a.jinja").write_bytes(b"a\xff")
    with pytest.raises(FormatError, match="is not UTF-8") as caught:
        chat.read(tmp_path / "a.jinja")
    assert caught.value.offset == 1
    with pytest.raises(FormatError, match="cannot be read"):
        chat.read(tmp_path / "b.jinja")


def test_a_device_file_without_a_template(tmp_path):
    path = tmp_path / "tokenizer.mtok"
    formats.write(formats.project(formats.read(TOKENIZER), "mtok"), path)
    with pytest.raises(FormatError, match="holds no chat template"):
        chat.read(path)
