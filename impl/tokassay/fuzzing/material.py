"""What a tokenizer is made of, as raw material for texts that matter to it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Iterable, Tuple

from ..core.description import AddedToken
from ..core.errors import DecodeError
from ..core.tokenizer import Tokenizer
from .matches import patterns_of

_SAMPLE = 6_000  # tokens and merges looked at; a fixed-seed sample of larger vocabularies


@dataclass(frozen=True)
class Material:
    """Texts cut from one tokenizer; every field is a tuple of non-empty strings (pairs for `merges`)."""

    words: Tuple[str, ...]  # what single ids decode to
    added: Tuple[str, ...]  # contents of added tokens, those with flags more often
    merges: Tuple[Tuple[str, str], ...]  # both halves of merges, as text
    patterns: Tuple[str, ...]  # regular expressions of the pipeline

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Material:
        """Cut the material out of `tokenizer` (always the same sample of a large one)."""
        description = tokenizer.description
        rng = random.Random(20261130)  # noqa: S311 - reproducible, not secret
        names = sorted(description.model.vocab.items(), key=lambda item: item[1])
        chosen = rng.sample(names, min(_SAMPLE, len(names)))
        words = [_decoded(tokenizer, index) for _, index in chosen]
        return cls(
            words=tuple(word for word in words if word) or ("a",),
            added=_added(description.added_tokens) or ("<none>",),
            merges=_merges(tokenizer, rng) or (("a", "b"),),
            patterns=patterns_of(description),
        )


def _added(tokens: Iterable[AddedToken]) -> Tuple[str, ...]:
    """Among a hundred plain ones, few that take the blanks beside them would hardly ever be met."""
    some = [token for token in tokens if token.content]
    flagged = [token for token in some if token.lstrip or token.rstrip or token.single_word]
    times = len(some) // max(1, len(flagged))
    return tuple(token.content for token in [*some, *flagged * times])


def _merges(tokenizer: Tokenizer, rng: random.Random) -> Tuple[Tuple[str, str], ...]:
    known = getattr(tokenizer.description.model, "merges", ())
    merges = list(known) if isinstance(known, Iterable) else []  # columns of a file are not looked through
    chosen = rng.sample(merges, min(_SAMPLE, len(merges)))
    halves = ((_text(tokenizer, left), _text(tokenizer, right)) for left, right in chosen)
    return tuple((left, right) for left, right in halves if left and right)


def _text(tokenizer: Tokenizer, token: str) -> str:
    index = tokenizer.token_to_id(token)
    return "" if index is None else _decoded(tokenizer, index)


def _decoded(tokenizer: Tokenizer, index: int) -> str:
    """The text of one id; empty for part of a character, or where decoding it alone fails."""
    try:
        text = tokenizer.decode([index], skip_special_tokens=False)
    except DecodeError:
        return ""
    return "" if "\ufffd" in text else text
