"""The commands that README.md, CONTRIBUTING.md and the pages of docs/ show in blocks of code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Iterator, List, Sequence

ROOT = Path(__file__).parents[3]
PROGRAMS = [
    "tokassay",
    "pytest",
    "python",
    "python3",
    "pip",
    "tox",
    "npm",
    "cc",
    "tar",
    "ssh-keygen",
    "echo",
    "cat",
]
COMMAND = re.compile(rf"(?:{'|'.join(PROGRAMS)})(?: (?!=)|$)")


@dataclass(frozen=True)
class Command:
    """One command of a page, without the comment behind it."""

    page: str
    text: str


@lru_cache(maxsize=1)
def commands() -> Sequence[Command]:
    """Every command of every page, in the order in which a reader meets them."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [Command(str(page.relative_to(ROOT)), text) for page in pages for text in in_page(page)]


def in_page(page: Path) -> List[str]:
    """The commands of one page, lines that go on joined."""
    joined = page.read_text("utf-8").replace("\\\n", " ")
    return [_without_comment(line) for line in _code(joined) if COMMAND.match(line)]


def _code(text: str) -> Iterator[str]:
    """The lines of blocks: between fences that name no other language, or indented by four and more."""
    fence = None
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fence = line.strip()[3:] if fence is None else None
        elif fence in ("", "sh", "bash", "console") or (fence is None and line.startswith("    ")):
            yield line.strip()


def _without_comment(line: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"\s+# .*$", "", line)).strip()
