"""Canonical composition, done otherwise: another form, one code point at a time, or a newer Unicode."""

from __future__ import annotations

import unicodedata
from typing import Any, Callable, Iterator, Literal

from tokassay.core.description import Description
from tokassay.core.normalizers.nfc import NFC
from tokassay.core.normalizers.nfd import NFD
from tokassay.core.normalizers.nfkc import NFKC
from tokassay.core.normalizers.nfkd import NFKD

from . import Altered
from ._parts import Changing, each_replaced, normalizers, with_normalizers

STAGE = "normalizer"
FORMS = (NFC, NFD, NFKC, NFKD)


def alter(description: Description) -> Iterator[Altered]:
    steps = normalizers(description)
    for cause, change in (
        ("{} works on one code point at a time: sequences stay as they are", _one_by_one),
        ("{} follows a newer Unicode than the oracle's 9.0", _newer),
        ("combining marks are dropped after {}", _bare),
    ):
        for changed in each_replaced(steps, lambda step, change=change: _changed(step, change)):  # type: ignore[misc]
            yield Altered(cause.format(_name(steps)), with_normalizers(description, changed))
    for other in FORMS:
        for changed in each_replaced(steps, lambda step, other=other: _other(step, other)):  # type: ignore[misc]
            yield Altered(f"{other.TYPE} stands for {_name(steps)}", with_normalizers(description, changed))


def _name(steps: Any) -> str:
    return next((step.TYPE for step in steps if isinstance(step, FORMS)), "normalization")


def _changed(step: Any, change: Callable[[Any], Callable[[str], str]]) -> Iterator[Any]:
    if isinstance(step, FORMS):
        yield Changing(change(step))


def _other(step: Any, other: Any) -> Iterator[Any]:
    if isinstance(step, FORMS) and not isinstance(step, other):
        yield other()


def _one_by_one(step: Any) -> Callable[[str], str]:
    return lambda text: "".join(map(step.normalize, text))


def _newer(step: Any) -> Callable[[str], str]:
    form: Literal["NFC", "NFD", "NFKC", "NFKD"] = step.TYPE
    return lambda text: unicodedata.normalize(form, text)


def _bare(step: Any) -> Callable[[str], str]:
    return lambda text: "".join(
        char for char in unicodedata.normalize("NFD", step.normalize(text)) if not unicodedata.combining(char)
    )
