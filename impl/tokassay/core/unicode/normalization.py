"""NFC, NFD, NFKC and NFKD of Unicode 9.0, as the crate behind HF's normalizers has them.

The interpreter's own database may be any newer version. That does not matter: what was assigned in
9.0 normalizes alike ever since, and a code point unassigned in 9.0 is there an inert starter, so the
text is cut at those and they stay as they are. Clauses ``unicode.version.normalization``, ``norm.*``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Iterable, List, Literal, Optional, Tuple

from .ranges import class_body, complement
from .tables import ranges

Change = Tuple[str, int]
Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


@lru_cache(maxsize=1)
def _newer() -> re.Pattern[str]:
    # Written as what it is not: `re` finds most characters of most texts in its first table then.
    return re.compile(f"([^{class_body(complement(ranges('unassigned9')))}]+)")


@lru_cache(maxsize=1)
def _many_marks() -> re.Pattern[str]:
    return re.compile(f"[^{class_body(complement(ranges('m9')))}]{{100}}")


def _normal(form: Form, text: str) -> str:
    if text.isascii():
        return text
    if len(text) > 1000 and _many_marks().search(text):
        # The interpreter sorts marks by insertion: a long run of them would take quadratic time.
        return "".join([char for char, _ in changes(form, text)])
    parts = _newer().split(text)
    parts[::2] = [unicodedata.normalize(form, part) for part in parts[::2]]
    return "".join(parts)


def nfc(text: str) -> str:
    return _normal("NFC", text)


def nfd(text: str) -> str:
    return _normal("NFD", text)


def nfkc(text: str) -> str:
    return _normal("NFKC", text)


def nfkd(text: str) -> str:
    return _normal("NFKD", text)


def changes(form: Form, text: str) -> List[Change]:
    """The normalized text as (char, change) pairs, in HF's meaning of change.

    0: the char stands for the next original one; 1: it was inserted after that; -n: it stands for
    the next original char and swallows n more. Clause ``norm.alignment``.
    """
    if text.isascii():
        return [(char, 0) for char in text]
    pairs = _decomposed("NFKD" if "K" in form else "NFD", text)
    return list(pairs if form in ("NFD", "NFKD") else _composed(pairs))


def _decomposed(form: Form, text: str) -> List[Change]:
    found: List[Change] = []
    marks: List[Tuple[int, Change]] = []
    for char in text:
        for at, part in enumerate(_parts(form, char)):
            rank = _combining(part)
            if rank == 0 and marks:
                found += _ordered(marks)
                marks = []
            if rank == 0:
                found.append((part, int(at > 0)))
            else:
                marks.append((rank, (part, int(at > 0))))
    return found + _ordered(marks)


def _ordered(marks: List[Tuple[int, Change]]) -> List[Change]:
    return [change for _, change in sorted(marks, key=lambda mark: mark[0])]


@lru_cache(maxsize=4096)
def _parts(form: Form, char: str) -> str:
    return char if _newer().match(char) else unicodedata.normalize(form, char)


@lru_cache(maxsize=4096)
def _combining(char: str) -> int:
    return 0 if _newer().match(char) else unicodedata.combining(char)


@lru_cache(maxsize=4096)
def _pair(first: str, second: str) -> Optional[str]:
    """The one character that two compose to, if any."""
    if _newer().search(first + second):
        return None
    together = unicodedata.normalize("NFC", first + second)
    return together if len(together) == 1 else None


def _composed(pairs: Iterable[Change]) -> List[Change]:
    """Canonical composition over decomposed pairs; a composed char sums up what its parts stood for."""
    found: List[Change] = []
    starter: Optional[int] = None
    last = 0
    for char, change in pairs:
        rank = _combining(char)
        blocked = starter is not None and starter < len(found) - 1 and last >= rank
        whole = None if starter is None or blocked else _pair(found[starter][0], char)
        if whole is not None and starter is not None:
            found[starter] = (whole, found[starter][1] + change - 1)
            continue
        if rank == 0:
            starter = len(found)
        last = rank
        found.append((char, change))
    return found
