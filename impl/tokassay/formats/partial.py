"""A tokenizer with one part as another description has it: what one loss alone changes."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields, replace
from typing import Any, Iterable, Iterator, List, Optional, Union

from ..core.description import AddedToken, Description
from ..core.errors import TokassayError

_STEP = re.compile(r"(\w+)(?:\[(\d+)\])?")
Step = Union[str, int]
NO_MODEL: Any = None
"""Stands where the other description has no model: there is nothing to exchange it for."""


def exchanged(whole: Description, held: Description, names: Iterable[str]) -> Optional[Description]:
    """`whole`, with the parts of those names as in `held`; "" is all of it.

    A name is a path (``normalizer.normalizers[2]``, ``model.unk_token``, ``added_tokens[3].single_word``).
    None where such a tokenizer cannot be.
    """
    try:
        for name in names:
            whole = _exchanged(whole, held, name)
    except (TokassayError, AttributeError, IndexError):
        return None
    return whole


def family(name: str) -> str:
    """The first step of a name."""
    return name.partition(".")[0].partition("[")[0]


def _exchanged(whole: Description, held: Description, name: str) -> Description:
    if not name:
        return held
    kind = family(name)
    if kind == "model" and held.model is NO_MODEL:
        raise AttributeError(kind)
    if kind != "added_tokens":
        return replace(whole, **{kind: _put(getattr(whole, kind), getattr(held, kind), _steps(name)[1:])})
    place = _steps(name)[1:2]
    if place:
        return replace(whole, added_tokens=tuple(_one_changed(whole, held, place[0])))
    return replace(whole, added_tokens=held.added_tokens, device=held.device)


def _steps(name: str) -> List[Step]:
    """``a.b[2]`` is a, b, 2. Metaspace's ``split`` goes by another name here."""
    found: List[Step] = []
    for word in re.sub(r"\.split$", ".pieces", name).split("."):
        step = _STEP.fullmatch(word)
        found += [word] if step is None else [step[1], *([] if step[2] is None else [int(step[2])])]
    return found


def _put(own: Any, theirs: Any, steps: List[Step]) -> Any:
    """`own`, with what `theirs` has at the end of the way."""
    if not steps:
        return theirs
    first, *rest = steps
    if isinstance(first, int):
        if len(own) != len(theirs):
            raise IndexError(first)  # places do not stand for each other
        return (*own[:first], _put(own[first], theirs[first], rest), *own[first + 1 :])
    return replace(own, **{first: _put(getattr(own, first), _value(own, theirs, first), rest)})


def _value(own: Any, theirs: Any, name: str) -> Any:
    """The other's value; of another kind of component, what `own` has where nothing is said."""
    if type(own) is type(theirs) or hasattr(theirs, name):
        return getattr(theirs, name)
    default = next((field.default for field in fields(own) if field.name == name), MISSING)
    if default is MISSING:
        raise AttributeError(name)
    return default


def _one_changed(whole: Description, held: Description, place: Step) -> Iterator[AddedToken]:
    """The added tokens with that one as the format holds it, or without it."""
    kept = {token.content: token for token in held.added_tokens}
    for index, token in enumerate(whole.added_tokens):
        if index != place:
            yield token
        elif token.content in kept:
            yield kept[token.content]
