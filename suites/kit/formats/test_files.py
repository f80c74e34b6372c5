"""Files as the system has them: what is no file, line ends and marks of editors, writing that breaks off."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict

import pytest

from tokassay import FormatError, data, formats
from tokassay.core.description import AddedToken, Description
from tokassay.core.models.wordpiece import WordPiece

JSON = b'{\n"version": "1.0",\n"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}\n}\n'
TEXTS: Dict[str, bytes] = {
    "tokenizer.json": JSON,
    "sentencepiece": b"430 0\n1 0 1\n0 1\n2\nPHM+ -1.5 3\nYQ== 1e-07 1\n",
    "tiktoken-lines": b"430 1\n0 0 0\n\n2\nYQ==\nYg==\n",
    "bert": b"430 2\n0 0 0\n\n2\nW1VOS10=\nYQ==\n",
    "huggingface": b"430 3\n0 0 0\n\n3 1\na\nb\nab\na b\n",
    "tiktoken": b"YQ== 0\nYg== 1\nYWI= 2\n",
    "vocab.txt": b"[PAD]\n[UNK]\nab\n##c\n",
    "clip-merges": b'"bpe_simple_vocab_16e6.txt#version: 0.2\na b</w>\nt h\n',
    "tekken.json": json.dumps(
        {
            "config": {"pattern": "\\S", "default_vocab_size": 3, "default_num_special_tokens": 2},
            "vocab": [{"rank": 0, "token_bytes": "YQ=="}],
            "special_tokens": [{"rank": 1, "token_str": "<s>"}],
        },
        indent=1,
    ).encode()
    + b"\n",
}
FORMAT_OF = dict.fromkeys(("sentencepiece", "tiktoken-lines", "bert", "huggingface"), "tokenizer.txt")
MARKED = ("vocab.txt",)
"""Where a byte order mark is part of the first token, as in any tool that reads lines."""


def parsed(name: str, content: bytes) -> Description:
    return formats.parse(content, format=FORMAT_OF.get(name, name))


@pytest.mark.parametrize("name", TEXTS)
def test_line_ends_of_windows_change_nothing(name: str) -> None:
    content = TEXTS[name]
    assert content.count(b"\n") > 1
    assert parsed(name, content.replace(b"\n", b"\r\n")) == parsed(name, content)


@pytest.mark.parametrize("name", TEXTS)
def test_a_last_line_need_not_end(name: str) -> None:
    assert parsed(name, TEXTS[name][:-1]) == parsed(name, TEXTS[name])


@pytest.mark.parametrize("name", sorted(set(TEXTS) - set(MARKED)))
def test_a_byte_order_mark_is_refused(name: str) -> None:
    with pytest.raises(FormatError) as caught:
        parsed(name, b"\xef\xbb\xbf" + TEXTS[name])
    assert caught.value.offset in (0, None)


@pytest.mark.parametrize("name", MARKED)
def test_a_byte_order_mark_of_a_word_list_belongs_to_its_first_word(name: str) -> None:
    assert parsed(name, b"\xef\xbb\xbf" + TEXTS[name]).model.token_to_id("\ufeff[PAD]") == 0


@pytest.mark.parametrize("token", ["a\0b", "a\nb", "a\r\nb", "\0", "\n"])
@pytest.mark.parametrize("target", ["tokenizer.json", "mtok", "tokenizer.txt"])
def test_nul_and_line_ends_inside_a_token_are_kept(token: str, target: str) -> None:
    held = formats.project(Description(WordPiece({"[UNK]": 0, token: 1})), target)
    again = formats.parse(formats.serialize(held, target), format=target)
    assert again.model.token_to_id(token) == 1


def test_nul_and_line_ends_of_entries_are_kept() -> None:
    table = bytes.fromhex("02000000 00000000 0300 610062 01000000 0200 0d0a")
    assert formats.serialize(formats.parse(table, format="vocab.bin"), "vocab.bin") == table


@pytest.mark.parametrize("target", ["mtok", "vocab.bin"])
def test_a_text_of_65536_bytes_is_a_loss_and_65535_are_none(target: str) -> None:
    whole = formats.read(data.root() / "golden" / "tokenizers" / "qwen" / "tokenizer.json")

    def long(size: int) -> Description:
        return Description(
            whole.model,
            pre_tokenizer=whole.pre_tokenizer,
            decoder=whole.decoder,
            added_tokens=(AddedToken(9000, "x" * size, normalized=False, special=True),),
        )

    assert formats.project(long(65_535), target)
    with pytest.raises(FormatError, match="65535"):
        formats.project(long(65_536), target)
    assert formats.losses(long(65_536), target)


def _pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


NO_FILES: Dict[str, Callable[[Path], Path]] = {
    "a pipe that nobody writes": _pipe,
    "a device without an end": lambda _: Path("/dev/zero"),
    "an empty device": lambda _: Path("/dev/null"),
    "a folder": lambda folder: folder,
    "nothing": lambda folder: folder / "x",
    "behind a file": lambda _: Path(__file__) / "x",
    "a name that is too long": lambda folder: folder / ("x" * 5000),
    "a name with NUL": lambda folder: folder / "a\0b",
}


@pytest.mark.parametrize("kind", NO_FILES)
@pytest.mark.parametrize("name", [None, "mtok", "vocab.bin", "tokenizer.txt", "tokenizer.json"])
def test_what_is_no_file_is_refused_at_once(kind: str, name: Any, tmp_path: Path) -> None:
    path = NO_FILES[kind](tmp_path)
    with pytest.raises(FormatError) as caught:
        formats.read(path, format=name)
    assert caught.value.path == str(path)


BREAKING = """
import os, pathlib, resource, signal, sys
from tokassay import formats
description, path = formats.read(sys.argv[2]), sys.argv[3]
if sys.argv[1] == "full":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
else:
    pathlib.Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
try:
    formats.write(formats.project(description, sys.argv[4]), path, sys.argv[4])
except OSError as error:
    sys.exit(error.errno)
"""


@pytest.mark.parametrize("target", ["tokenizer.json", "mtok", "tokenizer.txt", "vocab.bin"])
@pytest.mark.parametrize("how", ["full", "killed"])
def test_writing_that_breaks_off_leaves_the_old_file(how: str, target: str, tmp_path: Path) -> None:
    source, path = data.root() / "golden" / "tokenizers" / "qwen" / "tokenizer.json", tmp_path / "out"
    path.write_bytes(b"old")
    environment = {**os.environ, "PYTHONPATH": str(data.root() / "impl")}
    done = subprocess.run(
        [sys.executable, "-c", BREAKING, how, str(source), str(path), target], env=environment, check=False
    )
    assert done.returncode != 0
    assert path.read_bytes() == b"old"
    assert how == "killed" or [one.name for one in tmp_path.iterdir()] == ["out"]
