"""What a format cannot hold of a tokenizer, and a text that shows it (contract: `formats.losses`).

A codec names what it drops (`missing`); here a text is searched for whose ids change. The search tries
what the codec suggests, then a list of odd texts, then the tokens of the vocabulary.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from ..core.description import AddedToken, Description
from ..core.errors import FormatError, TokassayError
from ..core.tokenizer import Tokenizer

MOST_TOKENS = 20_000
MOST_TRIES = 300
_FIELD = re.compile(r"(\w+)(?:\[(\d+)\])?.*", re.DOTALL)
Answer = Union[Tuple[int, ...], str, None]
"""Ids, for a decoder the text, None where there is an error."""

PROBES = (
    "Hello world", " a  b ", "e\u0301", "\u00e9", "q\u0307\u0323", "\uac00\u11a8", "\ufb01 \u2460",
    "I\u0130\u00df",
    "a-b--c", "it's 12345", "x.y,z!", "\ta\n\n b", "ABC abc", "\u4f60\u597d\uff0c\u4e16\u754c", "a\u200db",
    "\x01", "a \x85b\u2028", "\u0915\u093e", "\U0001f469\u200d\U0001f4bb", "\u03a3\u03c3\u03c2", "axb",
    "xx", "##",
    "aabb",
)  # fmt: skip


@dataclass(frozen=True)
class Missing:
    """Something that a format cannot hold; `texts` may show it."""

    field: str
    reason: str
    texts: Tuple[str, ...] = ()


@dataclass(frozen=True)
class Loss:
    """`text` encodes to `before`, and to `after` with what the format holds; None: no text was found.

    For a decoder both are the texts that come back.
    """

    field: str
    reason: str
    text: Optional[str] = None
    before: Answer = None
    after: Answer = None


def shown(missing: Iterable[Missing], whole: Description, held: Optional[Description]) -> List[Loss]:
    """Every loss with its example. `held`: what the format can hold, None where that is nothing."""
    return [_shown(one, whole, held) for one in missing]


def _shown(one: Missing, whole: Description, held: Optional[Description]) -> Loss:
    family = one.field.partition(".")[0].partition("[")[0]
    ask: Callable[[Tokenizer, str], Answer] = _decoded if family == "decoder" else _encoded
    before = Tokenizer(whole)
    after = None if held is None else _with(whole, held, one.field)
    behind = (f"a{token.content}a b" for token in whole.added_tokens[:20])
    for text in chain(one.texts, PROBES, behind, _tokens(before)):
        found = _differs(ask, before, after, text)
        if found is not None:
            short = _shrunk(text, lambda shorter: _differs(ask, before, after, shorter) is not None)
            return Loss(one.field, one.reason, short, *(_differs(ask, before, after, short) or found))
    return Loss(one.field, one.reason)


def _with(whole: Description, held: Description, field: str) -> Optional[Tokenizer]:
    """The tokenizer with one added token, or one family of components, as the format holds it; without a
    field, all of them.
    """
    if not field:
        return Tokenizer(held)
    family, place = _FIELD.fullmatch(field).groups()  # type: ignore[union-attr]
    changes: Dict[str, Any] = {family: getattr(held, family)}
    if place:
        changes = {family: tuple(_one_changed(whole, held, int(place)))}
    elif family == "added_tokens":
        changes["device"] = held.device
    try:
        return Tokenizer(replace(whole, **changes))
    except TokassayError:
        return None


def _one_changed(whole: Description, held: Description, place: int) -> Iterator[AddedToken]:
    """The added tokens with that one as the format holds it, or without it."""
    kept = {token.content: token for token in held.added_tokens}
    for index, token in enumerate(whole.added_tokens):
        if index != place:
            yield token
        elif token.content in kept:
            yield kept[token.content]


def _differs(
    ask: Callable[[Tokenizer, str], Answer], before: Tokenizer, after: Optional[Tokenizer], text: str
) -> Optional[Tuple[Answer, Answer]]:
    wanted = ask(before, text)
    if wanted is None:
        return None
    got = None if after is None else ask(after, text)
    return None if wanted == got or (after is None and not wanted) else (wanted, got)


def _encoded(tokenizer: Tokenizer, text: str) -> Answer:
    try:
        return tuple(tokenizer.encode(text).ids)
    except FormatError:
        raise
    except TokassayError:
        return None


def _decoded(tokenizer: Tokenizer, text: str) -> Answer:
    try:
        return tokenizer.decode(tokenizer.encode(text).ids)
    except FormatError:
        raise
    except TokassayError:
        return None


def _tokens(tokenizer: Tokenizer) -> Iterator[str]:
    """The vocabulary as texts, the latest tokens first: they are the least likely to be reached by merges."""
    model = tokenizer.description.model
    for index in islice(sorted(model.vocab.values(), reverse=True), MOST_TOKENS):
        try:
            text = tokenizer.decode([index], skip_special_tokens=False)
        except TokassayError:
            continue
        if text and "\ufffd" not in text:
            yield text


def _shrunk(text: str, differs: Callable[[str], bool]) -> str:
    """Without what the difference does not need: halves first, single characters last."""
    size, tries = len(text) // 2, MOST_TRIES
    while size:
        at = 0
        while at < len(text) > size and tries:
            shorter, tries = text[:at] + text[at + size :], tries - 1
            if differs(shorter):
                text = shorter
            else:
                at += size
        size //= 2
    return text
