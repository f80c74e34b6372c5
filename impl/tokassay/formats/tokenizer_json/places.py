"""Where in a JSON text a fault stands, for the faults that Python's reader reports without a position.

Slow and simple: it runs only once a file is known to be wrong.
"""

from __future__ import annotations

import json
import re
from typing import Callable, Dict, List, NamedTuple, Optional, Union

from .numbers import read_number

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_NUMBER = re.compile(r"-?[0-9][-+.0-9eE]*")
_CONSTANTS = ("NaN", "Infinity", "-Infinity")
_LONGEST_FIELD = 80
_SEPARATOR = ","

Step = Union[str, int]
"""A key, or the index of an item."""

_FIRST: Dict[str, Step] = {"{": "", "[": 0}
"""What opens a container, and the first step into it."""


class Place(NamedTuple):
    """A token of the text: its index in characters, and the field that it belongs to."""

    position: int
    token: str
    field: str


def find(text: str, wrong: Callable[[str, int], bool]) -> Optional[Place]:
    """The first token for which `wrong(token, number of containers around it)` holds."""
    steps: List[Step] = []
    before = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if wrong(token, len(steps)):
            return Place(match.start(), token, _field(steps))
        if token in _FIRST:
            steps.append(_FIRST[token])
        elif token in ("}", "]"):
            del steps[-1:]
        elif steps:
            steps[-1] = _next_step(steps[-1], before, token)
        before = token
    return None


def not_a_number(token: str, _: int) -> bool:
    """A constant that JSON does not know, or a number beyond the range of doubles."""
    if token in _CONSTANTS:
        return True
    if not _NUMBER.fullmatch(token):
        return False
    try:
        read_number(token)
    except ValueError:
        return True
    return False


def deepest(text: str) -> Optional[Place]:
    """The first container within which nothing is nested deeper."""
    depths: List[int] = []

    def note(_: str, depth: int) -> bool:
        depths.append(depth)
        return False

    find(text, note)
    most = max(depths, default=0)
    return find(text, lambda token, depth: depth >= most - 1 and token in _FIRST)


def _next_step(step: Step, before: str, token: str) -> Step:
    if isinstance(step, int):
        return step + 1 if token == _SEPARATOR else step
    return _key(token) if before in ("{", ",") and token.startswith('"') else step


def _key(token: str) -> str:
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return token


def _field(steps: List[Step]) -> str:
    parts = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps[:_LONGEST_FIELD])
    found = "".join(parts).lstrip(".")
    return found if len(found) <= _LONGEST_FIELD else found[:_LONGEST_FIELD] + "..."
