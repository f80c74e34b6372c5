"""Where in a JSON text a fault stands, for the faults that Python's reader reports without a position.

Slow and simple: it runs only once a file is known to be wrong.
"""

from __future__ import annotations

import ast
import codecs
import json
import re
from typing import Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from .numbers import read_number

_TOKEN = re.compile(rb'"|[{}\[\],:]|[^\s{}\[\],:"]+')
# A few dozen escapes at once: `re` keeps a state for each time that a group matches.
_OF_STRING = re.compile(rb'[^"\\]*(?:\\.[^"\\]*){0,64}', re.DOTALL)
_NUMBER = re.compile(r"-?[0-9][-+.0-9eE]*")
_CONSTANTS = ("NaN", "Infinity", "-Infinity")
_QUOTED = re.compile(r"""(.*?)\[('[^'\\]*'|"[^"\\]*")\]""", re.DOTALL)
_LONGEST_FIELD = 80
_LONGEST_KEY = 1000
_SEPARATOR = ","
_BETWEEN = (",", ":", "}", "]")

Step = Union[str, int]
"""A key, or the index of an item."""

_FIRST: Dict[str, Step] = {"{": "", "[": 0}
"""What opens a container, and the first step into it."""


class Place(NamedTuple):
    """A token of the text: its first byte, and the field that it belongs to."""

    position: int
    token: str
    field: str


def find(data: bytes, wrong: Callable[[str, int], bool]) -> Optional[Place]:
    """The first token for which `wrong(token, number of containers around it)` holds."""
    for position, token, steps in _walk(data):
        if wrong(token, len(steps)):
            return Place(position, token, _field(steps))
    return None


def field_at(data: bytes, offset: int) -> str:
    """The field that the token at a byte belongs to."""
    return next((_field(steps) for position, _, steps in _walk(data) if position >= offset), "")


def _walk(data: bytes) -> Iterator[Tuple[int, str, List[Step]]]:
    """Every token (of long strings the beginning) with its position and the steps down to it.

    The steps are one list, changed meanwhile.
    """
    steps: List[Step] = []
    before = ""
    for position, token in _tokens(data):
        yield position, token, steps
        if token in _FIRST:
            steps.append(_FIRST[token])
        elif token in ("}", "]"):
            del steps[-1:]
        elif steps:
            steps[-1] = _next_step(steps[-1], before, token)
        before = token


def _tokens(data: bytes) -> Iterator[Tuple[int, str]]:
    found = _TOKEN.search(data)
    while found:
        start, end = found.span()
        if found[0] == b'"':
            end = _string_end(data, end)
        if end:
            yield start, data[start : min(end, start + _LONGEST_KEY)].decode("utf-8", "replace")
        found = _TOKEN.search(data, end or start + 1)


def _string_end(data: bytes, at: int) -> int:
    """Behind the closing quote, 0 where there is none."""
    while True:
        found = _OF_STRING.match(data, at)
        if found is None or (found.end() == at != len(data) and data[at : at + 1] != b'"'):
            return 0
        at = found.end()
        if data[at : at + 1] == b'"':
            return at + 1
        if at == len(data):
            return 0


def offset_of(data: bytes, field: str) -> Optional[int]:
    """The byte at which the value of a field begins; of a missing one, the container that should hold it."""
    found = (_value_of(data, name) for name in _upwards(_dotted(field)))
    return next((place for place in found if place is not None), 3 * data.startswith(codecs.BOM_UTF8))


def _dotted(field: str) -> str:
    """``a['b']``, as models name an entry, is ``a.b`` here."""
    quoted = _QUOTED.fullmatch(field)
    return f"{quoted[1]}.{ast.literal_eval(quoted[2])}" if quoted else field


def _upwards(field: str) -> Iterator[str]:
    """The field, and what it lies in: ``a.b[1]``, ``a.b``, ``a``."""
    while field:
        yield field
        field = field[: max(field.rfind("."), field.rfind("["), 0)]


def _value_of(data: bytes, field: str) -> Optional[int]:
    for position, token, steps in _walk(data):
        # Most tokens are ruled out by the last step, which is cheap.
        if (
            token not in _BETWEEN
            and steps
            and f".{field}".endswith(_step(steps[-1]))
            and _whole(steps) == field
        ):
            return position
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


def deepest(data: bytes) -> Optional[Place]:
    """The first container within which nothing is nested deeper."""
    depths: List[int] = []

    def note(_: str, depth: int) -> bool:
        depths.append(depth)
        return False

    find(data, note)
    most = max(depths, default=0)
    return find(data, lambda token, depth: depth >= most - 1 and token in _FIRST)


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
    found = _whole(steps[:_LONGEST_FIELD])
    return found if len(found) <= _LONGEST_FIELD else found[:_LONGEST_FIELD] + "..."


def _whole(steps: Sequence[Step]) -> str:
    return "".join(map(_step, steps)).lstrip(".")


def _step(step: Step) -> str:
    return f"[{step}]" if isinstance(step, int) else f".{step}"
