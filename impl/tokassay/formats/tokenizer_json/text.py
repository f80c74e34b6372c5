"""JSON text as the oracle reads it: stricter than Python's reader (clauses ``json.syntax``).

No byte order mark, NaN or lone surrogate, nothing nested deeper than 127, no number beyond the range
of doubles. Repeated keys are kept in sight, because in some places the oracle refuses them.
"""

from __future__ import annotations

import json
import re
import sys
from functools import partial
from typing import Any, Callable, Dict, FrozenSet, List, NamedTuple, NoReturn, Optional, Tuple

from ...core.description import Warning as Oddity
from ...core.errors import FormatError
from .numbers import read_number
from .places import Place, deepest, find, not_a_number

MAX_DEPTH = 127
MOST_PATTERNS, A_PATTERN = 100_000, 20
"""Characters of all patterns of a component, and what each counts beside its own."""
_ESCAPE = re.compile(
    rb"\\(?:[^u]|(u[dD][89abAB][0-9a-fA-F]{2}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|u[dD][c-fC-F])|u)"
)
# On the bytes, where a search for a rare byte is many times as fast as on characters.
_SURROGATE = re.compile(rb"\\u[dD]")
_MINUS_ZERO = re.compile(rb"-0\s*[,\]}]")


class Repeated(Dict[str, object]):
    """An object in which some keys occur more than once; the last value counts."""

    def __init__(self, pairs: List[Tuple[str, object]]) -> None:
        super().__init__(pairs)
        seen: set[str] = set()
        self.repeated: FrozenSet[str] = frozenset(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        self.pairs = pairs


class Document(NamedTuple):
    """A parsed file, and whether any object in it is a `Repeated`; `notes`: what is odd about a table."""

    value: object
    has_repeats: bool
    notes: Tuple[Oddity, ...] = ()


def load(data: bytes) -> Document:
    """The value of a whole file; FormatError with the byte offset of the first fault."""
    reader = Reader(data)
    reader.refuse_lone_surrogates()
    text = _decode(data)
    try:
        return reader.document(text)
    except json.JSONDecodeError as error:
        raise _at(text, error.pos, f"invalid JSON: {error.msg}") from error
    except RecursionError as error:
        raise _placed("is nested too deeply", find(data, _too_deep)) from error
    except MemoryError as error:
        raise FormatError("does not fit into memory", offset=0) from error
    except ValueError as error:  # from the number hooks, or an integer of thousands of digits
        raise _placed(_number_fault(error), find(data, not_a_number)) from error


def nested_too_deeply(data: bytes) -> FormatError:
    """The error for a file that could be parsed and not be understood within the interpreter's depth."""
    return _placed("is nested too deeply", deepest(data))


def _too_deep(token: str, depth: int) -> bool:
    return depth >= MAX_DEPTH and token in ("{", "[")


def _number_fault(error: ValueError) -> str:
    reason = str(error)
    return f"invalid JSON: {reason if reason.endswith('JSON number') else 'number out of range'}"


def _placed(reason: str, place: Optional[Place]) -> FormatError:
    if place is None:
        return FormatError(reason, offset=0)
    return FormatError(reason, field=place.field or None, offset=place.position)


def check_limits(value: object, field: str, depth: int) -> None:
    """FormatError when `value`, itself at nesting `depth`, holds what the oracle's reader refuses.

    That is containers below its depth limit, and integers beyond the range of doubles.
    """
    level: List[object] = [value]
    while True:
        if [item for item in level if type(item) is int and item.bit_length() > 1024]:
            raise FormatError("number out of range", field=field)
        inside = [item for item in level if isinstance(item, (dict, list))]
        if not inside:
            return
        if depth > MAX_DEPTH:
            raise FormatError(f"is nested more than {MAX_DEPTH} deep", field=field)
        level = [child for item in inside for child in (item.values() if isinstance(item, dict) else item)]
        depth += 1


def check_patterns(value: object, field: str) -> None:
    """FormatError for more text to compile than real components have: it takes 400 times its size."""
    found, rest = 0, [value]
    while rest:
        item = rest.pop()
        if isinstance(item, dict):
            found += sum(len(str(item[kind])) + A_PATTERN for kind in ("String", "Regex") if kind in item)
            rest += item.values()
        elif isinstance(item, list):
            rest += item
    if found > MOST_PATTERNS:
        raise FormatError(f"patterns of {found} characters, {MOST_PATTERNS} are compiled", field=field)


def _decode(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"invalid UTF-8: {error.reason}", offset=error.start) from error
    if text.startswith("\ufeff"):
        raise FormatError("invalid JSON: starts with a byte order mark", offset=0)
    return text


def _at(text: str, position: int, reason: str) -> FormatError:
    return FormatError(reason, offset=len(text[:position].encode("utf-8")))


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _integer(text: str) -> Any:
    """As the oracle: minus zero is a float, and so is (or fails as) what does not fit 64 bits."""
    if text == "-0":
        return -0.0
    return int(text) if len(text) < 19 else _wide_integer(text)


def _wide_integer(text: str) -> Any:
    approximate = read_number(text)
    return int(text) if abs(approximate) < 1e20 else approximate


def _object(repeats: List[Repeated], pairs: List[Tuple[str, object]]) -> Dict[str, object]:
    """An object of these entries; noted where keys occur more than once."""
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    repeats.append(Repeated(pairs))
    return repeats[-1]


class Reader:
    """Python's reader with the oracle's rules for the numbers and keys of one file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.repeats: List[Repeated] = []
        # No method: its decoder would hold the reader, and so the file, until the next search for cycles.
        self.object: Callable[[List[Tuple[str, object]]], Dict[str, object]] = partial(_object, self.repeats)
        # The hook for integers costs a call per vocabulary entry, so it is used only where it may matter.
        odd = _MINUS_ZERO.search(data) is not None or not hasattr(sys, "get_int_max_str_digits")
        self.whole_number: Callable[[str], Any] = _integer if odd else int
        self.decoder = json.JSONDecoder(
            object_pairs_hook=self.object,
            parse_float=read_number,
            parse_int=_integer if odd else None,
            parse_constant=_refuse_constant,
        )

    def refuse_lone_surrogates(self) -> None:
        """FormatError for an escape of half a pair."""
        if not _SURROGATE.search(self.data):
            return
        for match in _ESCAPE.finditer(self.data):
            if match.lastindex and len(match[0]) < 12:
                raise FormatError("invalid JSON: escape of half a surrogate pair", offset=match.start())

    def document(self, text: str) -> Document:
        """A whole text. Raises what the decoder and its hooks raise."""
        return Document(self.decoder.decode(text), bool(self.repeats))
