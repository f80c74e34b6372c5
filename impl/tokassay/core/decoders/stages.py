"""How a decoder works piece by piece: a stage takes one text at a time and gives texts back.

Every stage is exact: what it has given, joined, is what its decoder makes of the whole. It keeps
no more than the few characters whose meaning the next piece can still change. A growing token exists
once any piece of it has come, an empty one included: some decoders make something of an empty token.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Callable, List, Protocol, Sequence


class Grain(IntEnum):
    """How finely the tokens that a decoder reads may be cut without a difference in the joined text."""

    CHARACTER = 0  # anywhere between characters
    FIRST_TOKEN = 1  # anywhere but in the first token
    TOKEN = 2  # nowhere


class Stage(Protocol):
    """State of one decoder within one stream."""

    def push(self, text: str) -> List[str]:
        """What can be given once `text` is known: whole tokens for a `stream`, any cut for a `flow`."""
        ...

    def finish(self) -> List[str]:
        """The rest. Nothing may be pushed afterwards."""
        ...


class Chain:
    """Stages one after the other."""

    def __init__(self, stages: Sequence[Stage]) -> None:
        self._stages = stages

    def push(self, text: str) -> List[str]:
        return self._through([text], 0)

    def finish(self) -> List[str]:
        texts: List[str] = []
        for i, stage in enumerate(self._stages):
            texts += self._through(stage.finish(), i + 1)
        return texts

    def _through(self, texts: List[str], first: int) -> List[str]:
        for stage in self._stages[first:]:
            texts = [given for text in texts for given in stage.push(text)]
        return texts


class Each:
    """Every piece on its own; `change` is also told whether it is the first."""

    def __init__(self, change: Callable[[str, bool], str]) -> None:
        self._change, self._first = change, True

    def push(self, text: str) -> List[str]:
        first, self._first = self._first, False
        return [self._change(text, first)]

    def finish(self) -> List[str]:
        return []


class Pass:
    """Every piece as it is."""

    def push(self, text: str) -> List[str]:
        return [text]

    def finish(self) -> List[str]:
        return []


class Fusing:
    """Every piece as it is, and one token in the end even if there was no piece."""

    def push(self, text: str) -> List[str]:
        return [text]

    def finish(self) -> List[str]:
        return [""]


class Filled:
    """Every piece but empty ones: a token that stays empty does not exist."""

    def push(self, text: str) -> List[str]:
        return [text] if text else []

    def finish(self) -> List[str]:
        return []


class Inserting:
    """``whole.replace("", new)`` on one growing text: `new` around every character."""

    def __init__(self, new: str) -> None:
        self._new, self._exists = new, False

    def push(self, text: str) -> List[str]:
        self._exists = True
        return ["".join(self._new + char for char in text)]

    def finish(self) -> List[str]:
        return [self._new] if self._exists else []


class Replacing:
    """``whole.replace(old, new)`` on one growing text; `old` is not empty.

    Only a tail that may be the beginning of `old` is kept: fewer characters than `old` has.
    """

    def __init__(self, old: str, new: str) -> None:
        self._old, self._new, self._kept = old, new, ""

    def push(self, text: str) -> List[str]:
        *done, tail = (self._kept + text).split(self._old)
        n = _overlap(tail, self._old)
        self._kept = tail[len(tail) - n :]
        return [self._new.join([*done, tail[: len(tail) - n]])]

    def finish(self) -> List[str]:
        return [self._kept] if self._kept else []


def _overlap(text: str, word: str) -> int:
    """Length of the longest end of `text` that begins `word` without being all of it."""
    for n in range(min(len(text), len(word) - 1), 0, -1):
        if word.startswith(text[-n:]):
            return n
    return 0
