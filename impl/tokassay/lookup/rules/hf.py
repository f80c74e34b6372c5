"""transformers' rule (PromptLookupCandidateGenerator, 5.24.0): shortened drafts, cut before the end token."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Callable, ClassVar, FrozenSet, Iterable, List, Optional, Sequence, Union

from ..texts import Candidate, Texts
from . import NO_DRAFT, Draft
from ._options import check_counts, id_set, no_padding

Banned = Callable[[Sequence[int], int], bool]
"""``banned(ids, token)``: may `token` not follow `ids`? What logits processors decide there."""


@dataclass(frozen=True)
class Hf:
    """``lookup.hf.*``: the longest n-gram wins, its leftmost occurrence, and as many ids as there are.

    Attributes:
        eos: end tokens; the draft ends before the first one, and may be empty then.
        max_length: no draft when only one more id fits.
        banned: ids that must not be drafted, as a set or as a function of the ids before and the id.
    """

    NAME: ClassVar[str] = "hf"
    max_ngram: int = 3
    num_draft: int = 10
    eos: Union[int, Iterable[int], None] = None
    max_length: Optional[int] = None
    banned: Union[Banned, Iterable[int], None] = None

    def __post_init__(self) -> None:
        check_counts(self.max_ngram, self.num_draft)
        object.__setattr__(self, "eos", id_set(self.eos))
        if self.banned is not None and not callable(self.banned):
            object.__setattr__(self, "banned", _member_of(frozenset(self.banned)))

    def open(self) -> Texts:
        return Texts(self.max_ngram)

    def draft(self, tables: Texts) -> Draft:
        if self.max_length is not None and len(tables.ids) + 1 == self.max_length:
            return NO_DRAFT
        for candidate in tables.candidates():
            found = self._continue(tables, candidate)
            if found is not None:
                return Draft(found, candidate[0])
        return NO_DRAFT

    def _continue(self, tables: Texts, candidate: Candidate) -> Optional[List[int]]:
        """The draft from this n; None where the next n is to be tried (``lookup.hf.banned``, ``.length``)."""
        n, ids, start, stop, reference = candidate
        if self.max_length is not None and not reference:
            stop = min(stop, self.max_length)
        draft = ids[start : min(start + self.num_draft, stop)].tolist()
        if self.banned is None:
            return self._before_eos(draft) if draft else None
        tail = tables.ids[-n:]
        later = (begin for begin in range(start + 1, stop) if ids[begin - n : begin] == tail)
        for begin in itertools.chain((start,), later):
            draft = self._allowed(tables.ids, ids[begin : min(begin + self.num_draft, stop)])
            if draft:
                return self._before_eos(draft)
        return None

    def _allowed(self, history: Sequence[int], draft: Sequence[int]) -> List[int]:
        """The draft up to its first banned id."""
        allowed: List[int] = []
        for token in draft:
            if self.banned([*history, *allowed], token):  # type: ignore[operator, misc]
                break
            allowed.append(token)
        return allowed

    def _before_eos(self, draft: List[int]) -> List[int]:
        eos: FrozenSet[int] = self.eos  # type: ignore[assignment]
        if not eos:
            return draft
        return draft[: next((place for place, token in enumerate(draft) if token in eos), len(draft))]

    padding = staticmethod(no_padding)


def _member_of(ids: FrozenSet[int]) -> Banned:
    return lambda _, token: token in ids
