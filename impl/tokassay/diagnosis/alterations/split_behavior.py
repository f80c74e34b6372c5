"""Split does something else with its matches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Iterator

from tokassay.core.description import Description
from tokassay.core.pretokenizers.digits import Digits
from tokassay.core.pretokenizers.punctuation import Punctuation
from tokassay.core.pretokenizers.split import Split
from tokassay.core.splitting import BEHAVIOURS

from . import Altered
from ._parts import each_replaced, splitters, with_splitters

STAGE = "pre-tokenizer"


def alter(description: Description) -> Iterator[Altered]:
    steps = splitters(description)
    for behaviour in BEHAVIOURS:
        for changed in each_replaced(steps, lambda step, name=behaviour: _other(step, name)):  # type: ignore[misc]
            yield Altered(
                f"the pre-tokenizer's behavior is {behaviour}", with_splitters(description, changed)
            )
    for changed in each_replaced(steps, lambda step: _flipped(step, Split, "invert")):
        yield Altered("Split takes invert for its opposite", with_splitters(description, changed))
    for changed in each_replaced(steps, lambda step: _flipped(step, Digits, "individual_digits")):
        yield Altered("Digits takes individual_digits for its opposite", with_splitters(description, changed))


def _other(step: Any, behaviour: str) -> Iterator[Any]:
    if isinstance(step, (Split, Punctuation)) and step.behavior != behaviour:
        yield replace(step, behavior=behaviour)


def _flipped(step: Any, kind: type, name: str) -> Iterator[Any]:
    if isinstance(step, kind):
        yield replace(step, **{name: not getattr(step, name)})  # type: ignore[type-var]
