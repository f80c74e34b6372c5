"""Strings that a pipeline's regular expressions match, drawn from their parsed form."""

from __future__ import annotations

import dataclasses
import random
from functools import lru_cache
from typing import Iterator, Sequence, Tuple

from ..core.description import Description
from ..core.regex.nodes import Alternatives, Chars, Literal, Look, Node, Repeat, children
from ..core.regex.parse import parse

# ByteLevel's built-in expression (clause pretok.byte-level.regex), for pipelines that name no pattern.
_BUILT_IN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def patterns_of(description: Description) -> Tuple[str, ...]:
    """Every regular expression of the pipeline, or ByteLevel's where there is none."""
    found = (*_patterns(description.normalizer), *_patterns(description.pre_tokenizer))
    return found or (_BUILT_IN,)


def _patterns(value: object) -> Iterator[str]:
    """Found by the JSON form of components, where a pattern that is one stands under ``Regex``."""
    fields = value.to_fields() if dataclasses.is_dataclass(value) and hasattr(value, "to_fields") else value
    if isinstance(fields, dict):
        if isinstance(fields.get("Regex"), str):
            yield fields["Regex"]
        for part in fields.values():
            yield from _patterns(part)
    elif isinstance(fields, (list, tuple)):
        for part in fields:
            yield from _patterns(part)


@lru_cache(maxsize=256)
def _parsed(pattern: str) -> Node:
    return parse(pattern)


def sample_match(rng: random.Random, patterns: Sequence[str]) -> str:
    """A string along a random way through one of `patterns` (look-around is ignored, so it may not match)."""
    return _sample(rng, _parsed(rng.choice(patterns)))


def _sample(rng: random.Random, node: Node) -> str:
    if isinstance(node, Literal):
        return rng.choice((node.text, node.text.swapcase())) if node.fold else node.text
    if isinstance(node, Chars):
        return _character(rng, node)
    if isinstance(node, Alternatives):
        return _sample(rng, rng.choice(node.options))
    if isinstance(node, Look):
        return ""
    if isinstance(node, Repeat):
        most = node.low + 3 if node.high is None else min(node.high, node.low + 3)
        return "".join(_sample(rng, node.body) for _ in range(rng.randint(node.low, most)))
    return "".join(_sample(rng, part) for part in children(node))


def _character(rng: random.Random, node: Chars) -> str:
    """Half the time the first or last character of a range: classes go wrong at their borders."""
    if not node.ranges:
        return ""
    low, high = rng.choice(node.ranges)
    code = rng.choice((low, high)) if rng.random() < 0.5 else rng.randint(low, high)
    return "" if 0xD800 <= code <= 0xDFFF else chr(code)
