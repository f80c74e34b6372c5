"""Strip: takes a character off both ends of every token, up to a number of times (``decode.strip``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..errors import DecodeError
from ..fields import Fields
from .stages import Each, Grain, Stage


@dataclass(frozen=True)
class Strip:
    """HF ``decoders.Strip``: at most `start` characters `content` at the start, `stop` at the end."""

    TYPE: ClassVar[str] = "Strip"
    content: str
    start: int
    stop: int
    fuses: ClassVar[bool] = False
    grain: ClassVar[Grain] = Grain.TOKEN

    @classmethod
    def from_fields(cls, fields: Fields) -> Strip:
        return cls(fields.character("content"), fields.integer("start"), fields.integer("stop"))

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "content": self.content, "start": self.start, "stop": self.stop}

    def decode_chain(self, tokens: List[str]) -> List[str]:
        """Every token without its ends.

        Raises:
            DecodeError: a token consists of `content` alone and is too short (the oracle panics).
        """
        return [self._stripped(token, False) for token in tokens]

    def _stripped(self, token: str, _: bool) -> str:
        n = len(token)
        left = min(n - len(token.lstrip(self.content)), self.start)
        right = min(n - len(token.rstrip(self.content)), self.stop)
        if left + right > n or (right == n and self.stop > n):
            self.refuse(n)
        return token[left : n - right]

    def refuse(self, length: int) -> None:
        raise DecodeError(f"Strip: {length} characters {self.content!r} are too few to strip")

    def stream(self, *, grain: Grain) -> Stage:  # noqa: ARG002
        return Each(self._stripped)

    def flow(self) -> Stage:
        return _Flow(self)


class _Flow:
    """Counts instead of keeping: all that is withheld is `content`, repeated."""

    def __init__(self, strip: Strip) -> None:
        self._strip = strip
        self._blank = 0  # how many `content` there were while there was nothing else
        self._held = 0  # how many `content` at the end are not given yet
        self._plain = False  # something else has been seen
        self._exists = False

    def push(self, text: str) -> List[str]:
        self._exists = True
        if self._plain:
            return [self._end(text)]
        rest = text.lstrip(self._strip.content)
        given = self._begin(len(text) - len(rest))
        self._plain = bool(rest)
        return [given + self._end(rest)]

    def _end(self, text: str) -> str:
        """What is certain not to be the end of the whole."""
        if not text:
            return ""
        content = self._strip.content
        body = text.rstrip(content)
        before = content * self._held if body else ""
        tail = len(text) - len(body) + (0 if body else self._held)
        self._held = min(tail, self._strip.stop)
        return before + body + content * (tail - self._held)

    def _begin(self, more: int) -> str:
        """`more` of `content` at the start: those beyond both limits can be given."""
        strip = self._strip
        given = max(self._blank - strip.start - strip.stop, 0)
        self._blank += more
        total = max(self._blank - strip.start, 0)
        self._held = min(total, strip.stop)
        return strip.content * (total - self._held - given)

    def finish(self) -> List[str]:
        strip, n = self._strip, self._blank
        if not self._exists or self._plain:
            return []
        if min(n, strip.start) + min(n, strip.stop) > n or strip.stop > n:
            strip.refuse(n)
        return []
