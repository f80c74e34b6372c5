"""Tokens with their scores, as Unigram has them; many of them as columns."""

from __future__ import annotations

from array import array
from typing import Iterable, Iterator, Sequence, Tuple

from ..packed import MANY, Column, Strings, Texts

Entry = Tuple[str, float]


class Entries(Column[Entry]):
    """(token, score) by id."""

    def __init__(self) -> None:
        self.texts, self.scores = Texts(Strings()), array("d")

    def append(self, token: bytes, score: float) -> None:
        self.texts.strings.append(token)
        self.scores.append(score)

    def extend(self, tokens: Sequence[str], scores: Iterable[float]) -> None:
        self.texts.strings.extend([token.encode("utf-8", "surrogatepass") for token in tokens])
        self.scores.extend(scores)

    def __len__(self) -> int:
        return len(self.scores)

    def _at(self, place: int) -> Entry:
        return self.texts[place], self.scores[place]

    def __iter__(self) -> Iterator[Entry]:
        return zip(self.texts, self.scores)


def entries(found: Entries) -> Sequence[Entry]:
    """Objects where there is room for them."""
    return found if len(found) > MANY else tuple(found)
