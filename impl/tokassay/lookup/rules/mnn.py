"""MNN's look-ahead: drafts built token by token from what followed each n-gram of the prompt."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import ClassVar, Dict, FrozenSet, Iterable, List, Optional, Sequence, Tuple

from ..occurrences import to_ids
from . import NO_DRAFT, Draft
from ._options import check_counts, check_range

SELECTIONS = ("freqxlen", "fcfs")
SHARES = {"low": (0,), "medium": (60, 50, 50, 40), "high": (90, 80, 70, 60, 50)}
"""Least share in percent of the chosen follower, for n = 1, 2, ...; the last one holds for all above."""
Choice = Tuple[int, Optional[int]]
NOTHING: Choice = (0, None)
LONGEST = 8
"""The engine's own key holds no more tokens."""


@dataclass(frozen=True)
class Mnn:
    """``lookup.mnn.*``: only the prompt and reference texts are in the table, the current token is not.

    Attributes:
        selection: ``freqxlen`` (most frequent times length) or ``fcfs`` (longest, then first come).
        strictness: which shares the first drafted token needs: ``low`` (none), ``medium`` or ``high``.
        punctuation: ids after which ``high`` holds anyway.
    """

    NAME: ClassVar[str] = "mnn"
    max_ngram: int = 3
    num_draft: int = 10
    selection: str = "freqxlen"
    strictness: str = "low"
    punctuation: Iterable[int] = ()

    def __post_init__(self) -> None:
        check_counts(self.max_ngram, self.num_draft)
        check_range("max_ngram", self.max_ngram, 1, LONGEST)
        for name, known in (("selection", SELECTIONS), ("strictness", tuple(SHARES))):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, not {getattr(self, name)!r}")
        object.__setattr__(self, "punctuation", frozenset(self.punctuation))

    def open(self) -> Followers:
        return Followers(self.max_ngram)

    def draft(self, tables: Followers) -> Draft:
        tables.settle()
        tail = tables.ids[-self.max_ngram :].tolist()
        n, token = self._next(tables, tail, self._shares(tail))
        first = n
        draft: List[int] = []
        while token is not None and len(draft) < self.num_draft:
            draft.append(token)
            tail.append(token)
            _, token = self._next(tables, tail, SHARES["low"])
        return Draft(draft, first) if draft else NO_DRAFT

    def padding(self, draft: Sequence[int]) -> Sequence[int]:
        """Token 0 up to full length, once there is a draft at all (``lookup.mnn.padding``)."""
        return [0] * (self.num_draft - len(draft)) if draft else ()

    def _next(self, tables: Followers, tail: List[int], shares: Tuple[int, ...]) -> Choice:
        """The next token after `tail`, and the n that chose it."""
        longest = range(min(self.max_ngram, len(tail)), 0, -1)
        found = ((n, tables.followers(tail[-n:])) for n in longest)
        matches = [(n, followers) for n, followers in found if followers]
        if self.selection == "fcfs":
            return next(((n, next(iter(followers))) for n, followers in matches), NOTHING)
        return self._most_frequent(matches, shares)

    def _shares(self, tail: Sequence[int]) -> Tuple[int, ...]:
        punctuation: FrozenSet[int] = self.punctuation  # type: ignore[assignment]
        return SHARES["high" if tail and tail[-1] in punctuation else self.strictness]

    @staticmethod
    def _most_frequent(matches: List[Tuple[int, Dict[int, int]]], shares: Tuple[int, ...]) -> Choice:
        """The best count times n. One that lacks its share still stands in the way of lower ones."""
        best, chosen = 0, NOTHING
        for n, followers in matches:
            # The engine walks a hash table: what came last stands first there, and ties go to the first.
            token = max(reversed(list(followers)), key=followers.__getitem__)
            score = followers[token] * n
            if score > best:
                enough = followers[token] * 100 >= shares[min(n, len(shares)) - 1] * sum(followers.values())
                best, chosen = score, (n, token) if enough else NOTHING
        return chosen


class Followers:
    """What followed each n-gram of the prompt and of reference texts, how often, in order of coming."""

    def __init__(self, max_ngram: int) -> None:
        self._max_ngram = max_ngram
        self.ids = array("I")
        self._prompt = 0  # length of the history's part that counts
        self._indexed = 0
        self._table: Dict[bytes, Dict[int, int]] = {}

    def extend(self, ids: Sequence[int], role: str) -> None:
        values = to_ids(ids)
        if role == "reference":
            for end in range(len(values)):
                self._count(values, end, 1)
            return
        grown = role == "prompt" and self._prompt == len(self.ids)
        self.ids.extend(values)
        self._prompt = len(self.ids) if grown else self._prompt

    def settle(self) -> None:
        """Bring the table up to the prompt, without the current token (``lookup.mnn.current``)."""
        end = min(self._prompt, len(self.ids) - 1)
        for position in range(self._indexed, end):
            self._count(self.ids, position, 1)
        self._indexed = max(self._indexed, end)

    def followers(self, ngram: Sequence[int]) -> Dict[int, int]:
        return self._table.get(array("I", ngram).tobytes(), {})

    def truncate(self, length: int) -> None:
        end = max(0, length - 1)  # the token that becomes the current one leaves the table, too
        for position in range(self._indexed - 1, end - 1, -1):
            self._count(self.ids, position, -1)
        self._indexed, self._prompt = min(self._indexed, end), min(self._prompt, length)
        del self.ids[length:]

    def _count(self, ids: array[int], position: int, change: int) -> None:
        """The token at `position` follows (or no longer follows) the n-grams before it."""
        for n in range(1, min(self._max_ngram, position) + 1):
            key = ids[position - n : position].tobytes()
            followers = self._table.setdefault(key, {})
            followers[ids[position]] = followers.get(ids[position], 0) + change
            if not followers[ids[position]]:
                del followers[ids[position]]
