"""The folder in which a reader of the pages stands: their own files, by the names that the pages use."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Mapping

from tokassay import cli

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "docs" / "protocol" / "example"
QWEN = ROOT / "golden" / "tokenizers" / "qwen" / "tokenizer.json"
TEXTS = ("my_texts.txt", "my_text.txt", "corpus.txt", "lines.txt", "book.txt")
TEXT = "Hello, world\nna\u00efve 123\nthe cat and the dog and the cat and the dog\n"
TEMPLATE = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
PROMPT = "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
ANSWERING = """\
import json, sys
from tokassay import Tokenizer, zoo
from tokassay.engines.recorded import questions
from pathlib import Path
name, folder, *form = sys.argv[1:]
path = name if Path(name).is_file() else zoo.locate([name]).present[name]
tokenizer = Tokenizer.from_file(path)
for asked in questions.read(Path(folder)):
    ids = list(tokenizer.encode(asked.data.decode("utf-8", "replace"), add_special_tokens=False).ids)
    print(" ".join(map(str, ids)) if form else json.dumps({"id": asked.id, "ids": ids}))
"""
# A report without a divergence, and one with some, on a few vectors.
REPORTS = {"OLD": ("reference", 0), "NEW": ("fake:wrong", 1)}


def fill(folder: Path) -> None:
    """Everything that the pages take for granted."""
    model = folder / "path" / "to" / "model"
    for path in (folder / "tokenizer.json", model / "tokenizer.json", folder / "qwen3" / "tokenizer.json"):
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(QWEN, path)
    shutil.copy(QWEN, model.parent)
    (model / "tokenizer_config.json").write_text(json.dumps({"chat_template": TEMPLATE + PROMPT}))
    (folder / "chat.json").write_text(json.dumps([{"role": "user", "content": "Hello"}]))
    for name in TEXTS:
        (folder / name).write_text(TEXT, "utf-8")
    (folder / "answering.py").write_text(ANSWERING)
    _made(folder)


def _made(folder: Path) -> None:
    """What has to be built: the engine of the worked example, a device file, reports."""
    shutil.copy(EXAMPLE / "engine.c", folder)
    shutil.copy(EXAMPLE / "tokenizer.json", folder / "toy.json")
    done(f"cc -I '{EXAMPLE.parent}' -o engine engine.c", folder)
    done_here("tokassay convert tokenizer.json tokenizer.mtok --lossy", folder)
    shutil.copy(folder / "tokenizer.mtok", folder / "model.mtok")
    for name, (engine, code) in REPORTS.items():
        few = "--tokenizer gpt2 --suite encode --vector 'digits/*'"
        done_here(f"tokassay run --engine {engine} {few} --report {name}", folder, code=code)
    for name in ("RESULTS", "shard1", "shard2"):
        shutil.copytree(folder / "NEW", folder / name)


def environment(checkout: Path = ROOT) -> Mapping[str, str]:
    """The programs of this interpreter first; the package of that checkout."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {
        **os.environ,
        "PATH": programs,
        "PYTHONPATH": str(checkout / "impl"),
        "GITHUB_STEP_SUMMARY": "summary.md",
        "PYTEST_ADDOPTS": "",
    }


def done_here(command: str, folder: Path, *, code: int = 0) -> None:
    """A command of tokassay in this process, which has started already; anything else by a shell."""
    if not command.startswith("tokassay ") or set(command) & set("<>|&;$\n"):
        done(command, folder, code=code)
        return
    with contextlib.chdir(folder):
        assert cli.main(shlex.split(command)[1:]) == code, command


def done(command: str, folder: Path, *, code: int = 0, checkout: Path = ROOT) -> None:
    """A command as a shell runs it. Raises AssertionError where it ends with another exit code."""
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=dict(environment(checkout)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, f"{command}\n{ran.stdout[-2000:]}\n{ran.stderr[-2000:]}"
