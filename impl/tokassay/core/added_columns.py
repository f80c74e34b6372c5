"""Many added tokens as columns: a few bytes for each instead of an object."""

from __future__ import annotations

from array import array
from typing import Iterator, Sequence

from .description import AddedToken
from .packed import MANY, Column, Strings, Texts

FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


class AddedTokens(Column[AddedToken]):
    """In the order of the file."""

    def __init__(self) -> None:
        self.contents, self.ids, self.flags = Texts(Strings()), array("I"), bytearray()

    def append(self, token: AddedToken) -> None:
        self.contents.strings.append(token.content.encode("utf-8"))
        self.ids.append(token.id)
        self.flags.append(sum(getattr(token, name) << place for place, name in enumerate(FLAGS)))

    def __len__(self) -> int:
        return len(self.ids)

    def _at(self, place: int) -> AddedToken:
        return _token(self.ids[place], self.contents[place], self.flags[place])

    def __iter__(self) -> Iterator[AddedToken]:
        return map(_token, self.ids, self.contents, self.flags)


def _token(index: int, content: str, flags: int) -> AddedToken:
    return AddedToken(index, content, *(bool(flags >> place & 1) for place in range(len(FLAGS))))


def added_tokens(found: AddedTokens) -> Sequence[AddedToken]:
    """Objects where there is room for them."""
    return found if len(found) > MANY // 10 else tuple(found)
