"""Texts to measure on, made from what the machine has: nothing is downloaded, nothing is committed.

* code: the standard library's own sources, in the order of their names;
* prose: docstrings and the interpreter's help topics, every paragraph once;
* Chinese: jieba's dictionary words drawn by their frequency with a fixed seed, no sentence twice;
* lines: the first non-blank source lines of at most 80 characters, as they come, repeats included.

Sizes are bytes of UTF-8. Two machines with other versions of Python or jieba have other texts, so
only ratios within one run are worth comparing.
"""

from __future__ import annotations

import ast
import random
import sysconfig
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Iterable, Iterator, List, Optional

MEGABYTE = 1_000_000
STOPS = "。。。。！？"


@lru_cache(maxsize=4)
def code(size: int = 2 * MEGABYTE) -> str:
    """Python source."""
    return _first(size, _sources())


@lru_cache(maxsize=4)
def prose(size: int = 2 * MEGABYTE) -> str:
    """English documentation."""
    return _first(size, (paragraph + "\n\n" for paragraph in dict.fromkeys(_paragraphs())))


@lru_cache(maxsize=4)
def chinese(size: int = 2 * MEGABYTE) -> str:
    """Sentences of words by frequency. Raises ModuleNotFoundError without jieba."""
    return _first(size, _sentences())


@lru_cache(maxsize=4)
def lines(count: int = 50_000) -> List[str]:
    """Short source lines, without their line ends."""
    every = (line for source in _sources() for line in source.splitlines())
    short = (line for line in every if line.strip() and len(line) <= 80)
    return [line for _, line in zip(range(count), short)]


def spaceless(size: int = MEGABYTE) -> str:
    """Source without any white space."""
    return "".join(code(2 * size).split())[:size]


def _first(size: int, parts: Iterable[str]) -> str:
    kept: List[str] = []
    room = size
    for part in parts:
        data = part.encode()[:room].decode(errors="ignore")
        kept.append(data)
        room -= len(data.encode())
        if room < 4:
            break
    return "".join(kept)


def _sources() -> Iterator[str]:
    library = Path(sysconfig.get_paths()["stdlib"])
    for path in sorted(library.rglob("*.py")):
        if not {"site-packages", "test", "tests", "pydoc_data"} & set(path.parts):
            yield path.read_text(encoding="utf-8", errors="ignore")


def _paragraphs() -> Iterator[str]:
    for topic in import_module("pydoc_data.topics").topics.values():
        yield from topic.split("\n\n")
    for source in _sources():
        for text in _docstrings(source):
            yield from text.split("\n\n")


def _docstrings(source: str) -> Iterator[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            text: Optional[str] = ast.get_docstring(node)
            if text:
                yield text


def _sentences() -> Iterator[str]:
    """Five to thirty words, a comma now and then, a paragraph every few sentences."""
    words, weights = _dictionary()
    chance = random.Random(20240229)
    seen = set()
    while True:
        chosen = chance.choices(words, cum_weights=weights, k=chance.randint(5, 30))
        marks = [chance.choice(["", "", "", "", "", "", "", "，"]) for _ in chosen[1:]] + [
            chance.choice(STOPS)
        ]
        sentence = "".join(word + mark for word, mark in zip(chosen, marks))
        if sentence not in seen:
            seen.add(sentence)
            yield sentence + ("\n" if chance.random() < 0.2 else "")


def _dictionary() -> tuple[List[str], List[int]]:
    found = find_spec("jieba")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("the Chinese text is sampled from the dictionary of the package jieba")
    rows = (Path(found.origin).parent / "dict.txt").read_text(encoding="utf-8").splitlines()
    entries = [row.split(" ") for row in rows]
    return [entry[0] for entry in entries], list(accumulate(int(entry[1]) for entry in entries))
