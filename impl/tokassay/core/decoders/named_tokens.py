"""Tokens that decode to a text of their own (clause ``sentencepiece.decode.named``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, List, Mapping, Tuple

from ..device_only import DeviceOnly
from .stages import Grain, Stage


@dataclass(frozen=True)
class NamedTokens(DeviceOnly):
    """`texts`: token and what stands for it; every other token stays.

    `leading`: a mark that is taken away where there is no text yet: once, or with `every` from each token.
    """

    TYPE: ClassVar[str] = "named tokens"
    PART: ClassVar[str] = "decoder"
    CLAUSE: ClassVar[str] = "sentencepiece.decode.named"
    texts: Tuple[Tuple[str, str], ...]
    leading: str = ""
    every: bool = False
    fuses: ClassVar[bool] = False
    grain: ClassVar[Grain] = Grain.TOKEN

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
        """One token that comes in pieces; it has no name, since names come whole."""
        return _Named(NamedTokens((), self.leading, self.every))


class _Named:
    """Remembers whether there has been any text."""

    def __init__(self, named: NamedTokens) -> None:
        self._named, self._begun = named, not named.leading

    def push(self, text: str) -> List[str]:
        named = self._named.table.get(text)
        if named is None and not self._begun and text.startswith(self._named.leading):
            self._begun = not self._named.every
            named = text[len(self._named.leading) :]
        given = text if named is None else named
        self._begun = self._begun or given != ""
        return [given]

    def finish(self) -> List[str]:
        return []
