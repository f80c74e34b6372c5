"""What a speculative run saved: reports disagree on these names, so each one is defined here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Mapping, Tuple


@dataclass(frozen=True)
class Step:
    """One forward pass.

    Attributes:
        drafted: ids that were proposed, padding not counted.
        accepted: how many of them, from the first on, the model agreed with.
        tokens: ids that the pass added to the output, its own token included.
        n: the size of the n-gram that the draft was found with; 0 for no draft.
    """

    drafted: int
    accepted: int
    tokens: int
    n: int = 0


@dataclass(frozen=True)
class Acceptance:
    """The sums over a run's steps (``lookup.metrics``)."""

    steps: Tuple[Step, ...]

    @property
    def forward_passes(self) -> int:
        return len(self.steps)

    @property
    def tokens(self) -> int:
        return sum(step.tokens for step in self.steps)

    @property
    def drafted(self) -> int:
        return sum(step.drafted for step in self.steps)

    @property
    def accepted(self) -> int:
        return sum(step.accepted for step in self.steps)

    @property
    def acceptance_rate(self) -> float:
        """Accepted ids in a drafted id; 0 when nothing was drafted."""
        return _ratio(self.accepted, self.drafted)

    @property
    def accepted_length(self) -> float:
        """Accepted ids in a step that had a draft, without the model's own token."""
        return _ratio(self.accepted, self.steps_with_draft)

    @property
    def accepted_length_with_bonus(self) -> float:
        """The same with the token that the model adds itself: what vLLM calls mean acceptance length."""
        return 1 + self.accepted_length if self.steps_with_draft else 0.0

    @property
    def tokens_per_forward(self) -> float:
        """Ids of output in a forward pass, steps without a draft included."""
        return _ratio(self.tokens, self.forward_passes)

    @property
    def steps_with_draft(self) -> int:
        return sum(1 for step in self.steps if step.drafted)

    @property
    def by_position(self) -> Tuple[float, ...]:
        """For the first, second, ... drafted id: how often it was accepted where it was drafted."""
        longest = max((step.drafted for step in self.steps), default=0)
        return tuple(self._accepted_at(position) for position in range(1, longest + 1))

    @property
    def by_ngram(self) -> Mapping[int, Acceptance]:
        """For each n: the passes whose draft was found with it."""
        sizes = sorted({step.n for step in self.steps} - {0})
        return {n: Acceptance(tuple(step for step in self.steps if step.n == n)) for n in sizes}

    def _accepted_at(self, position: int) -> float:
        drafted = sum(1 for step in self.steps if step.drafted >= position)
        return _ratio(sum(1 for step in self.steps if step.accepted >= position), drafted)


def acceptance(steps: Iterable[Step]) -> Acceptance:
    """The sums over `steps`."""
    return Acceptance(tuple(steps))


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
