"""What a format cannot hold of a tokenizer, and a text that shows it (contract: `formats.losses`).

A codec names what it drops (`missing`); here a text is searched for whose ids change by that alone. The
search tries what the codec suggests, then a list of odd texts, then the tokens of the vocabulary; for a
decoder lists of ids, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import Callable, Iterable, Iterator, Optional, Sequence, Tuple, Union

from ..core.description import Description
from ..core.errors import FormatError, TokassayError
from ..core.tokenizer import Tokenizer
from .partial import exchanged, family

MOST_TOKENS = 20_000
MOST_TRIES = 300
Ids = Tuple[int, ...]
Answer = Union[Ids, str, None]
"""Ids, for a decoder the text, None where there is an error."""
Example = Union[str, Ids]
"""A text; for a decoder also ids, special tokens shown."""

PROBES = (
    "Hello world", " a  b ", "e\u0301", "\u00e9", "q\u0307\u0323", "\uac00\u11a8", "\ufb01 \u2460",
    "I\u0130\u00df",
    "a-b--c", "it's 12345", "x.y,z!", "\ta\n\n b", "ABC abc", "\u4f60\u597d\uff0c\u4e16\u754c", "a\u200db",
    "\x01", "a \x85b\u2028", "\u0915\u093e", "\U0001f469\u200d\U0001f4bb", "\u03a3\u03c3\u03c2", "axb",
    "xx", "##",
    "aabb", "<0x41>",
)  # fmt: skip


LONG = ("a b " * 50, "a b " * 2000)


@dataclass(frozen=True)
class Missing:
    """Something that a format cannot hold; `texts` may show it.

    `field` names the part by a path, as `exchanged` takes it.
    """

    field: str
    reason: str
    texts: Tuple[str, ...] = ()


@dataclass(frozen=True)
class Loss:
    """`text` encodes to `before`, and to `after` without what is lost; for a decoder both are texts.

    Attributes:
        text: the shortest that was found; None where no text shows it.
        ids: what shows it in place of a text, for a decoder; special tokens are not skipped then.
        tried: how many texts and lists of ids were tried.
    """

    field: str
    reason: str
    text: Optional[str] = None
    before: Answer = None
    after: Answer = None
    ids: Optional[Ids] = None
    tried: int = 0


def stored_lengths(description: Description) -> Iterator[Missing]:
    """Truncation and padding, which no device format holds."""
    for name in ("truncation", "padding"):
        if getattr(description, name) is not None:
            yield Missing(name, f"stored {name} is dropped", LONG)


@dataclass(frozen=True)
class _Sides:
    """`after`: with the loss, None where that is no tokenizer. `others`: with all of the family but it."""

    ask: Callable[[Tokenizer, Example], Answer]
    before: Tokenizer
    after: Optional[Tokenizer]
    others: Optional[Tokenizer] = None

    def differ(self, example: Example) -> Optional[Tuple[Answer, Answer]]:
        """Both answers, where they are two."""
        wanted = self.ask(self.before, example)
        if wanted is None or (self.after is None and not wanted):
            return None
        got = None if self.after is None else self.ask(self.after, example)
        alone = self.others is None or self.ask(self.others, example) == wanted
        return (wanted, got) if wanted != got and alone else None


def shown(missing: Sequence[Missing], whole: Description, held: Optional[Description]) -> Iterator[Loss]:
    """Every loss with its example. `held`: what the format can hold, None where that is nothing."""
    fields = [one.field for one in missing]
    for one in missing:
        others = [name for name in fields if name != one.field and family(name) == family(one.field)]
        yield _shown(one, _sides(one.field, others, whole, held), whole)


def _sides(field: str, others: Sequence[str], whole: Description, held: Optional[Description]) -> _Sides:
    """One loss by itself; where that is no tokenizer, its family without the text that the others show."""
    ask = _decoded if family(field) == "decoder" else _encoded
    before = Tokenizer(whole)
    alone = None if held is None else exchanged(whole, held, [field])
    if alone is not None or held is None:
        return _Sides(ask, before, _tokenizer(alone))
    rest = exchanged(whole, held, others) if others else None
    return _Sides(ask, before, _tokenizer(exchanged(whole, held, [family(field)])), _tokenizer(rest))


def _tokenizer(description: Optional[Description]) -> Optional[Tokenizer]:
    try:
        return None if description is None else Tokenizer(description)
    except TokassayError:
        return None


def _shown(one: Missing, sides: _Sides, whole: Description) -> Loss:
    tried = 0
    for tried, example in enumerate(_examples(one, sides.before, whole), 1):
        found = sides.differ(example)
        if found is None:
            continue
        if not isinstance(example, str):
            return Loss(one.field, one.reason, None, *found, ids=example, tried=tried)
        short = _shrunk(example, lambda shorter: sides.differ(shorter) is not None)
        return Loss(one.field, one.reason, short, *(sides.differ(short) or found), tried=tried)
    return Loss(one.field, one.reason, tried=tried)


def _examples(one: Missing, tokenizer: Tokenizer, whole: Description) -> Iterator[Example]:
    behind = (f"a{token.content}a b" for token in whole.added_tokens[:20])
    yield from chain(one.texts, PROBES, behind, _tokens(tokenizer))
    if family(one.field) == "decoder":
        yield from _pairs(sorted({*whole.model.vocab.values(), *(token.id for token in whole.added_tokens)}))


def _pairs(ids: Sequence[int]) -> Iterator[Ids]:
    """Each id first, then behind another: decoders look at the first token."""
    yield from ((index,) for index in ids[:MOST_TOKENS])
    yield from ((ids[0], index) for index in ids[:MOST_TOKENS])


def _encoded(tokenizer: Tokenizer, example: Example) -> Answer:
    try:
        return tuple(tokenizer.encode(example).ids) if isinstance(example, str) else None
    except FormatError:
        raise
    except TokassayError:
        return None


def _decoded(tokenizer: Tokenizer, example: Example) -> Answer:
    try:
        if not isinstance(example, str):
            return tokenizer.decode(list(example), skip_special_tokens=False)
        return tokenizer.decode(tokenizer.encode(example).ids)
    except FormatError:
        raise
    except TokassayError:
        return None


def _tokens(tokenizer: Tokenizer) -> Iterator[str]:
    """The vocabulary as texts, the latest tokens first: they are the least likely to be reached by merges."""
    vocab = tokenizer.description.model.vocab
    latest: Iterable[Tuple[str, int]] = sorted(vocab.items(), key=lambda item: item[1], reverse=True)
    for token, index in islice(latest, MOST_TOKENS):
        try:
            text = tokenizer.decode([index], skip_special_tokens=False)
        except TokassayError:
            continue
        if text and "\ufffd" not in text:
            yield text
        if token != text and _is_text(token):
            yield token


def _is_text(token: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in token)


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
