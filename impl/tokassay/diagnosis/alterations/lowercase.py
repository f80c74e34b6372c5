"""Small letters made otherwise."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator

from tokassay.core.description import Description
from tokassay.core.normalizers.bert import BertNormalizer
from tokassay.core.normalizers.lowercase import Lowercase

from . import Altered
from ._parts import Changing, each_replaced, normalizers, with_normalizers

STAGE = "normalizer"
WAYS: Dict[str, Callable[[str], str]] = {
    "only ASCII letters are made small": lambda text: "".join(c.lower() if c.isascii() else c for c in text),
    "each letter becomes one small letter, never more": lambda text: "".join(c.lower()[:1] for c in text),
    "capital sigma at a word's end becomes final sigma": str.lower,
}


def alter(description: Description) -> Iterator[Altered]:
    steps = normalizers(description)
    for cause, way in WAYS.items():
        for changed in each_replaced(steps, lambda step, way=way: _changed(step, way)):  # type: ignore[misc]
            yield Altered(cause, with_normalizers(description, changed))


def _changed(step: Any, way: Callable[[str], str]) -> Iterator[Any]:
    if isinstance(step, Lowercase):
        yield Changing(way)
    elif isinstance(step, BertNormalizer) and step.lowercase:
        fields = {**step.to_fields(), "lowercase": False, "strip_accents": step.strip_accents is not False}
        from tokassay.core.fields import Fields  # noqa: PLC0415 - rarely needed

        yield Changing(way, BertNormalizer.from_fields(Fields(fields, "")))
