"""Case-insensitive matching as Oniguruma does it, spelled out in sets. Clauses ``regex.fold.*``."""

from __future__ import annotations

from functools import lru_cache
from typing import Dict, List, Tuple

from ..unicode.case import fold_class, fold_classes, fold_keys, fold_many, fold_target
from ..unicode.ranges import Ranges, complement, holds, of_text, union
from .nodes import Chars, Node, Sequence, alternatives, sequence


def fold_set(found: Ranges, negated: bool) -> Node:
    """A class under ``(?i)``: closed under single folds; expansions are a second choice unless negated."""
    closed = union(
        found, of_text("".join(fold_class(char) for char in fold_classes() if holds(found, ord(char))))
    )
    if negated:
        return Chars(complement(closed))
    expansions = {text: None for char, text in fold_many().items() if holds(found, ord(char))}
    return alternatives((Chars(closed), *(variants(text) for text in expansions)))


def variants(text: str) -> Node:
    """Each character in every case."""
    return Sequence(tuple(Chars(of_text(fold_class(char))) for char in text))


@lru_cache(maxsize=1)
def _keys() -> Dict[str, Tuple[str, ...]]:
    return {_targets(text): chars for text, chars in fold_keys().items()}


def _targets(text: str) -> str:
    return "".join(map(fold_target, text))


def fold_run(text: str) -> Node:
    """A literal run under ``(?i)``: the longest of three, two or one characters that fold to something."""
    items: List[Node] = []
    at = 0
    while at < len(text):
        for width in (3, 2):
            singles = _keys().get(_targets(text[at : at + width]))
            if len(text) - at >= width and singles is not None:
                items.append(
                    alternatives((variants(text[at : at + width]), Chars(of_text("".join(singles)))))
                )
                at += width
                break
        else:
            items.append(_fold_one(text[at]))
            at += 1
    return sequence(tuple(items))


def _fold_one(char: str) -> Node:
    expansion = fold_many().get(char)
    single = Chars(of_text(_siblings(char)))
    return single if expansion is None else alternatives((single, variants(expansion)))


def _siblings(char: str) -> str:
    """The characters that fold like this one, to one character or to several."""
    return fold_class(char) + "".join(fold_keys().get(fold_many().get(char, ""), ()))


def fold_single(text: str) -> Node:
    """A literal in a look-behind under ``(?i)``: one character stays one."""
    return sequence(tuple(Chars(of_text(_siblings(char))) for char in text))
