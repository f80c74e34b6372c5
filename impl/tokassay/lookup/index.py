"""`NgramIndex`: a history that grows as tokens come, and what a rule would draft after it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, List, Sequence, Tuple

from .rules import ROLES, Rule, rules


@dataclass(frozen=True)
class Proposal:
    """What an engine would verify next.

    Attributes:
        ids: the draft.
        n: the size of the n-gram that they were found with; 0 for no draft.
        padding: what the engine appends to fill the draft up; it is no draft and counts in no rate.
    """

    ids: Tuple[int, ...]
    n: int
    padding: Tuple[int, ...] = ()


class NgramIndex:
    """One sequence's n-grams under one rule. A step costs the same after 1,000 ids and after a million.

    >>> index = NgramIndex(rule="hf", max_ngram=2, num_draft=3)
    >>> index.extend([5, 6, 7, 8, 9, 5, 6])
    >>> index.draft()
    [7, 8, 9]
    """

    def __init__(
        self, rule: str = "seed", max_ngram: int = 3, num_draft: int = 10, **options: object
    ) -> None:
        """Raises ValueError for an unknown rule or a value out of range, TypeError for an unknown option."""
        self.rule: Rule = _make_rule(rule, {"max_ngram": max_ngram, "num_draft": num_draft, **options})
        self._references: List[Sequence[int]] = []
        self._tables = self.rule.open()

    def __len__(self) -> int:
        """The length of the history."""
        return len(self._tables.ids)

    @property
    def ids(self) -> List[int]:
        """The history: prompt and output."""
        return list(self._tables.ids)

    def extend(self, ids: Sequence[int], role: str = "output") -> None:
        """Append ids to the history, or add a text of its own.

        Args:
            ids: whole numbers from 0 to 2**32 - 1.
            role: ``prompt`` or ``output`` append to the history; ``reference`` is a whole text that is not
                part of it (a predicted output, a look-up file) and is searched after it.

        Raises:
            ValueError: an unknown role, something that is no id, or a rule that knows no reference texts.
        """
        if role not in ROLES:
            raise ValueError(f"role must be one of {', '.join(ROLES)}, not {role!r}")
        self._tables.extend(ids, role)
        if role == "reference":
            self._references.append(tuple(ids))

    def draft(self) -> List[int]:
        """The ids that the rule's engine verifies next, its padding included; empty for no draft."""
        draft = self.rule.draft(self._tables).ids
        return [*draft, *self.rule.padding(draft)]

    def propose(self) -> Proposal:
        """`draft` with the padding told apart."""
        draft = self.rule.draft(self._tables)
        return Proposal(tuple(draft.ids), draft.n, tuple(self.rule.padding(draft.ids)))

    def truncate(self, length: int) -> None:
        """Keep the first `length` ids, as after a rejected draft or a cut context.

        Raises ValueError for a length that the history does not have.
        """
        if not 0 <= length <= len(self):
            raise ValueError(f"length must be from 0 to {len(self)}, not {length}")
        self._tables.truncate(length)

    def reset(self, *, keep_references: bool = False) -> None:
        """Forget everything; a new request begins. With `keep_references`, reference texts stay."""
        self._tables = self.rule.open()
        kept = self._references if keep_references else []
        self._references = []
        for reference in kept:
            self.extend(reference, role="reference")


def _make_rule(name: str, options: Any) -> Rule:
    known = rules()
    if name not in known:
        raise ValueError(f"unknown rule {name!r}; known: {', '.join(sorted(known))}")
    allowed = [field.name for field in fields(known[name])]
    unknown = sorted(set(options) - set(allowed))
    if unknown:
        raise TypeError(f"the rule {name} has no option {unknown[0]!r}; it has: {', '.join(allowed)}")
    rule: Rule = known[name](**options)
    return rule
