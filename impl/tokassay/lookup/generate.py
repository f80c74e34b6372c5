"""Greedy decoding with drafts: the output of one token at a time, in fewer forward passes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, FrozenSet, Iterable, List, Optional, Sequence, Tuple, Union

from .index import NgramIndex
from .metrics import Acceptance, Step
from .rules._options import check_range, id_set

Model = Callable[[Sequence[int], int], Sequence[int]]
"""``model(ids, start)``: the greedy token after each of the positions start ... len(ids) - 1."""
BatchModel = Callable[[Sequence[Tuple[Sequence[int], int]]], Sequence[Sequence[int]]]
"""``model([(ids, start), ...])``: what `Model` answers, for several sequences in one forward pass."""
Stop = Callable[[Sequence[int]], bool]
"""``stop(output)``: whether generation ends after this output."""
EndTokens = Union[int, Iterable[int], None]


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
    eos: EndTokens = (),
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
    sequence = _Sequence.begin(prompt_ids, index, _Ending(id_set(eos), stop, max_new_tokens))
    while not sequence.ended:
        ids, start = sequence.ask()
        step = sequence.accept(model(ids, start))
        if on_step is not None:
            on_step(step)
    return sequence.generated


def generate_batch(
    model: BatchModel,
    prompts: Sequence[Sequence[int]],
    max_new_tokens: int,
    indexes: Sequence[NgramIndex],
    *,
    eos: EndTokens = (),
) -> List[Generated]:
    """`generate` for several sequences, each with an index of its own; those that have ended are left out.

    Raises what `generate` raises, and ValueError unless there is one index for each prompt, no two the same.
    """
    if len({id(index) for index in indexes}) != len(prompts):
        raise ValueError(f"{len(prompts)} prompts need as many indexes, each of its own, got {len(indexes)}")
    ending = _Ending(id_set(eos), None, max_new_tokens)
    sequences = [_Sequence.begin(prompt, index, ending) for prompt, index in zip(prompts, indexes)]
    while True:
        active = [sequence for sequence in sequences if not sequence.ended]
        if not active:
            return [sequence.generated for sequence in sequences]
        answers = model([sequence.ask() for sequence in active])
        if len(answers) != len(active):
            raise ValueError(f"the model answered {len(answers)} of {len(active)} sequences")
        for sequence, answer in zip(active, answers):
            sequence.accept(answer)


@dataclass(frozen=True)
class _Ending:
    eos: FrozenSet[int]
    stop: Optional[Stop]
    most: int

    def reached(self, output: Sequence[int]) -> bool:
        if len(output) >= self.most or (output and output[-1] in self.eos):
            return True
        return bool(output) and self.stop is not None and self.stop(output)


@dataclass
class _Sequence:
    """One sequence under way: what was fed last stays until the model has answered it."""

    index: NgramIndex
    ending: _Ending
    ids: List[int]
    first: int  # where the output begins
    fed: List[int] = field(default_factory=list)
    drafted: int = 0
    n: int = 0
    steps: List[Step] = field(default_factory=list)
    ended: bool = False

    @classmethod
    def begin(cls, prompt_ids: Sequence[int], index: NgramIndex, ending: _Ending) -> _Sequence:
        check_range("max_new_tokens", ending.most, 0, None)
        if not prompt_ids:
            raise ValueError("the prompt holds no id: a model has nothing to go on from")
        index.reset(keep_references=True)
        index.extend(prompt_ids, role="prompt")
        return cls(index, ending, list(prompt_ids), len(prompt_ids), ended=not ending.most)

    @property
    def output(self) -> List[int]:
        return self.ids[self.first :]

    @property
    def generated(self) -> Generated:
        return Generated(tuple(self.output), tuple(self.steps))

    def ask(self) -> Tuple[List[int], int]:
        """The history with a draft behind it, and the position whose successor is asked for first."""
        room = self.ending.most - (len(self.ids) - self.first) - 1
        proposal = self.index.propose()
        self.fed = [*proposal.ids, *proposal.padding][:room]
        self.drafted = min(len(proposal.ids), room)
        self.n = proposal.n if self.drafted else 0
        return [*self.ids, *self.fed], len(self.ids) - 1

    def accept(self, answers: Sequence[int]) -> Step:
        """What the model agrees with, then its own next token; the rest of the draft is forgotten."""
        if len(answers) != len(self.fed) + 1:
            raise ValueError(f"the model answered with {len(answers)} ids for {len(self.fed) + 1} positions")
        new: List[int] = []
        for drafted, token in zip([*self.fed, None], answers):
            new.append(token)
            self.ended = self.ending.reached([*self.output, *new])
            if token != drafted or self.ended:
                break
        self.ids += new
        self.index.extend(new)
        self.steps.append(Step(self.drafted, _agreeing(self.fed[: self.drafted], new), len(new), self.n))
        return self.steps[-1]


def _agreeing(draft: Sequence[int], new: Sequence[int]) -> int:
    """How many drafted ids, from the first on, stand in the output."""
    pairs = enumerate(zip(draft, new))
    return next((place for place, (drafted, token) in pairs if drafted != token), min(len(draft), len(new)))
