"""Added tokens broken: flags, order, overlaps, and where they are looked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Iterator, Optional

from tokassay.core.description import AddedToken, Description
from tokassay.diagnosis.alterations import Altered
from tokassay.mutants._fault import Fault
from tokassay.mutants._patches import added, described


def faults() -> Iterator[Fault]:
    yield from _flags()
    yield from _search()


def _flags() -> Iterator[Fault]:
    yield Fault(
        "lstrip-ignored",
        "blanks before an added token stay",
        "added.lstrip",
        added(lambda t: replace(t, lstrip=False)),
    )
    yield Fault(
        "rstrip-ignored",
        "blanks behind an added token stay",
        "added.rstrip",
        added(lambda t: replace(t, rstrip=False)),
    )
    yield Fault(
        "lstrip-always",
        "blanks before every added token go",
        "added.lstrip",
        added(lambda t: replace(t, lstrip=True)),
    )
    yield Fault(
        "rstrip-always",
        "blanks behind every added token go",
        "added.rstrip",
        added(lambda t: replace(t, rstrip=True)),
    )
    yield Fault(
        "strips-swapped",
        "lstrip is taken for rstrip",
        "added.lstrip",
        added(lambda t: replace(t, lstrip=t.rstrip, rstrip=t.lstrip)),
    )
    yield Fault(
        "single-word-ignored",
        "an added token is found within a word",
        "added.single-word",
        added(lambda t: replace(t, single_word=False)),
    )
    yield from _flags_more()


def _flags_more() -> Iterator[Fault]:
    yield Fault(
        "single-word-always",
        "an added token is not found within a word",
        "added.single-word",
        added(lambda t: replace(t, single_word=True)),
    )
    yield Fault(
        "found-before-normalizing",
        "all are looked for in the raw text",
        "added.two-searches",
        added(lambda t: replace(t, normalized=False)),
    )
    yield Fault(
        "found-after-normalizing",
        "all are looked for in the normalized text",
        "added.two-searches",
        added(lambda t: replace(t, normalized=True)),
    )
    yield Fault(
        "special-only",
        "added tokens that are not special are not found",
        "added.match",
        added(lambda t: t if t.special else None),
    )
    yield Fault(
        "special-not-parsed",
        "special tokens in a text are plain text",
        "added.match",
        added(lambda t: None if t.special else t),
    )
    yield Fault("added-tokens-missing", "no added token is found", "added.match", added(lambda _: None))


def _search() -> Iterator[Fault]:
    yield Fault(
        "shorter-token-wins",
        "of tokens at one place the shorter one is taken",
        "added.overlap",
        described(_shorter),
    )
    yield Fault(
        "first-listed-only",
        "only the first added token is looked for",
        "added.match",
        described(lambda d: replace(d, added_tokens=d.added_tokens[:1])),
    )
    yield Fault(
        "last-not-listed",
        "the last added token is not looked for",
        "added.match",
        described(lambda d: replace(d, added_tokens=d.added_tokens[:-1])),
    )
    yield Fault("once-per-text", "an added token is found once", "added.match", _once)
    yield Fault("in-any-case", "added tokens are found in capitals, too", "added.match", described(_capitals))
    yield Fault("ids-as-stored", "ids of the file although HF counts on", "added.ids", described(_as_stored))


def _shorter(description: Description) -> Description:
    """Without the tokens that another one is the beginning of."""
    contents = [token.content for token in description.added_tokens if token.content]
    kept = tuple(
        t
        for t in description.added_tokens
        if not any(t.content != c and t.content.startswith(c) for c in contents)
    )
    return replace(description, added_tokens=kept)


def _once(description: Description) -> Optional[Altered]:
    contents = [t.content for t in description.added_tokens if t.special and len(t.content) > 1]
    if not contents:
        return None

    def spoiled(text: str) -> str:
        """A later occurrence loses its first character."""
        for content in contents:
            first, found, rest = text.partition(content)
            text = first + found + rest.replace(content, content[1:])
        return text

    return Altered("", description, before=spoiled)


def _capitals(description: Description) -> Description:
    """Each token a second time, in capitals, under the same id; ids are taken as they are listed."""
    more = tuple(_upper(t) for t in description.added_tokens if t.content.upper() != t.content)
    return replace(description, added_tokens=(*description.added_tokens, *more))


def _upper(token: AddedToken) -> AddedToken:
    return replace(token, content=token.content.upper())


def _as_stored(description: Description) -> Optional[Description]:
    """Ids one above what is in force: what a file says that counts otherwise."""
    tokens = description.added_tokens
    fresh = [t for t in tokens if description.model.token_to_id(t.content) is None]
    if not fresh:
        return None
    return (
        replace(description, added_tokens=(*[t for t in tokens if t not in fresh], *fresh[::-1]))
        if len(fresh) > 1
        else None
    )
