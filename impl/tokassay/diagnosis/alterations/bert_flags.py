"""One flag of BertNormalizer is ignored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Iterator

from tokassay.core.description import Description
from tokassay.core.normalizers.bert import BertNormalizer

from . import Altered
from ._parts import each_replaced, normalizers, with_normalizers

STAGE = "normalizer"
FLAGS = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")


def alter(description: Description) -> Iterator[Altered]:
    steps = normalizers(description)
    for flag in FLAGS:
        for changed in each_replaced(steps, lambda step, flag=flag: _flipped(step, flag)):  # type: ignore[misc]
            cause = f"{flag} of BertNormalizer is taken for its opposite"
            yield Altered(cause, with_normalizers(description, changed))


def _flipped(step: Any, flag: str) -> Iterator[Any]:
    if isinstance(step, BertNormalizer):
        value = getattr(step, flag)
        yield replace(step, **{flag: not (step.lowercase if value is None else value)})
