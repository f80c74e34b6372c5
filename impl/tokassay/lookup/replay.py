"""A sequence of calls of `NgramIndex` as data: what vectors and the wire protocol hold."""

from __future__ import annotations

from typing import Any, List, Mapping, Sequence

from .index import NgramIndex

Call = Mapping[str, Any]
"""``{"extend": ids, "role": role}``, ``{"truncate": length}``, ``{"reset": true}`` or ``{"draft": true}``."""


def replay(rule: str, options: Mapping[str, Any], calls: Sequence[Call]) -> List[List[int]]:
    """The draft of each ``draft`` call. Raises what `NgramIndex` raises, ValueError for an unknown call."""
    index = NgramIndex(rule, **options)
    drafts: List[List[int]] = []
    for call in calls:
        if "draft" in call:
            drafts.append(index.draft())
        else:
            _change(index, call)
    return drafts


def _change(index: NgramIndex, call: Call) -> None:
    if "extend" in call:
        index.extend(call["extend"], role=call.get("role", "output"))
    elif "truncate" in call:
        index.truncate(call["truncate"])
    elif "reset" in call:
        index.reset()
    else:
        raise ValueError(f"unknown call {dict(call)!r}: extend, truncate, reset or draft")
