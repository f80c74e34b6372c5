"""Tokens that decode to a text of their own (clause ``sentencepiece.decode.named``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, List, Mapping, NoReturn, Tuple

from ..device_only import refuse
from ..fields import Fields
from .stages import Each, Grain, Stage


@dataclass(frozen=True)
class NamedTokens:
    """`texts`: token and what stands for it; every other token stays.

    `leading`: a mark that is taken away, however often it comes, until there is any text.
    """

    TYPE: ClassVar[str] = "named tokens"
    CLAUSE: ClassVar[str] = "sentencepiece.decode.named"
    texts: Tuple[Tuple[str, str], ...]
    leading: str = ""
    fuses: ClassVar[bool] = False
    grain: ClassVar[Grain] = Grain.TOKEN

    @classmethod
    def from_fields(cls, fields: Fields) -> NoReturn:
        refuse(cls.TYPE, fields.place("type"))

    def to_fields(self) -> NoReturn:
        refuse(self.TYPE, "decoder.type")

    @cached_property
    def table(self) -> Mapping[str, str]:
        """Token → text."""
        return dict(self.texts)

    def decode_chain(self, tokens: List[str]) -> List[str]:
        stage = _Named(self)
        return [text for token in tokens for text in stage.push(token)]

    def stream(self, *, grain: Grain) -> Stage:  # noqa: ARG002 - tokens come whole
        return _Named(self)

    def flow(self) -> Stage:
        """One token that comes in pieces: a name is none of its pieces."""
        return Each(lambda token, first: token.lstrip(self.leading) if first and self.leading else token)


class _Named:
    """Remembers whether there has been any text."""

    def __init__(self, named: NamedTokens) -> None:
        self._named, self._begun = named, not named.leading

    def push(self, text: str) -> List[str]:
        named = self._named.table.get(text)
        if named is None:
            named = text if self._begun else text.lstrip(self._named.leading)
        self._begun = self._begun or named != ""
        return [named]

    def finish(self) -> List[str]:
        return []
