"""Greedy decoding with drafts: the output of one token at a time, in fewer forward passes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, FrozenSet, Iterable, List, Optional, Sequence, Tuple, Union

from .index import NgramIndex
from .metrics import Acceptance, Step
from .rules._options import check_range, id_set

Model = Callable[[Sequence[int], int], Sequence[int]]
"""``model(ids, start)``: the greedy token after each of the positions start ... len(ids) - 1."""
Stop = Callable[[Sequence[int]], bool]
"""``stop(output)``: whether generation ends after this output."""


@dataclass(frozen=True)
class Generated:
    """The output ids (the end token included, where there was one) and what they cost."""

    ids: Tuple[int, ...]
    steps: Tuple[Step, ...]

    @property
    def acceptance(self) -> Acceptance:
        return Acceptance(self.steps)

    @property
    def forward_passes(self) -> int:
        return self.acceptance.forward_passes

    @property
    def drafted(self) -> int:
        return self.acceptance.drafted

    @property
    def accepted(self) -> int:
        return self.acceptance.accepted


def generate(
    model: Model,
    prompt_ids: Sequence[int],
    max_new_tokens: int,
    index: NgramIndex,
    *,
    eos: Union[int, Iterable[int], None] = (),
    stop: Optional[Stop] = None,
    on_step: Optional[Callable[[Step], None]] = None,
) -> Generated:
    """The model's greedy output, verified draft by draft (``lookup.generate.*``).

    Args:
        model: one call is one forward pass, see `Model`.
        prompt_ids: at least one id.
        max_new_tokens: the most ids to output; drafts leave room for the model's own token.
        index: emptied first, but for its reference texts.
        eos: end tokens; the first one ends the output.
        stop: asked after every id.
        on_step: told of each forward pass.

    Raises:
        ValueError: an empty prompt, a negative budget, or a model that answers with another number of ids.
    """
    check_range("max_new_tokens", max_new_tokens, 0, None)
    if not prompt_ids:
        raise ValueError("the prompt holds no id: a model has nothing to go on from")
    index.reset(keep_references=True)
    index.extend(prompt_ids, role="prompt")
    ending = _Ending(id_set(eos), stop, max_new_tokens)
    output: List[int] = []
    steps: List[Step] = []
    while not ending.reached(output):
        new, step = _step(model, [*prompt_ids, *output], index, ending, output)
        output += new
        index.extend(new)
        steps.append(step)
        if on_step is not None:
            on_step(step)
    return Generated(tuple(output), tuple(steps))


@dataclass(frozen=True)
class _Ending:
    eos: FrozenSet[int]
    stop: Optional[Stop]
    most: int

    def reached(self, output: Sequence[int]) -> bool:
        if len(output) >= self.most or (output and output[-1] in self.eos):
            return True
        return bool(output) and self.stop is not None and self.stop(output)


def _step(
    model: Model, ids: List[int], index: NgramIndex, ending: _Ending, output: List[int]
) -> Tuple[List[int], Step]:
    """One forward pass over a draft: what the model agrees with, then its own next token."""
    room = ending.most - len(output) - 1
    proposal = index.propose()
    draft, fed = proposal.ids[:room], [*proposal.ids, *proposal.padding][:room]
    answers = model([*ids, *fed], len(ids) - 1)
    if len(answers) != len(fed) + 1:
        raise ValueError(f"the model answered with {len(answers)} ids for {len(fed) + 1} positions")
    new: List[int] = []
    for drafted, token in zip([*fed, None], answers):
        new.append(token)
        if token != drafted or ending.reached([*output, *new]):
            break
    return new, Step(len(draft), _agreeing(draft, new), len(new), proposal.n if draft else 0)


def _agreeing(draft: Sequence[int], new: Sequence[int]) -> int:
    """How many drafted ids, from the first on, stand in the output."""
    pairs = enumerate(zip(draft, new))
    return next((place for place, (drafted, token) in pairs if drafted != token), min(len(draft), len(new)))
