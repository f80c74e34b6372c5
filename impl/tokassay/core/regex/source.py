"""The pattern's text with a reading position, and the two ways to stop: invalid and refused."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import PatternError


@dataclass
class Source:
    """A cursor over the pattern as written; positions are character indexes into it."""

    text: str
    at: int = 0

    def done(self) -> bool:
        return self.at >= len(self.text)

    def peek(self, size: int = 1) -> str:
        return self.text[self.at : self.at + size]

    def take(self, size: int = 1) -> str:
        """The next characters; PatternError when the pattern ends first."""
        if self.at + size > len(self.text):
            raise self.invalid("the pattern ends here", len(self.text))
        found = self.text[self.at : self.at + size]
        self.at += size
        return found

    def skip(self, expected: str) -> bool:
        """Whether `expected` comes next; it is read then."""
        if not self.text.startswith(expected, self.at):
            return False
        self.at += len(expected)
        return True

    def digits(self, alphabet: str, most: int) -> str:
        end = self.at
        while end < len(self.text) and end - self.at < most and self.text[end] in alphabet:
            end += 1
        return self.take(end - self.at)

    def until(self, end: str) -> str:
        """Everything before the next `end`, which is read too; PatternError without one."""
        stop = self.text.find(end, self.at)
        if stop < 0:
            raise self.invalid(f"there is no {end!r} for it", self.at)
        found = self.text[self.at : stop]
        self.at = stop + len(end)
        return found

    def invalid(self, reason: str, at: int) -> PatternError:
        return PatternError(reason, pattern=self.text, position=at)

    def refused(self, reason: str, at: int) -> PatternError:
        return PatternError(reason, pattern=self.text, position=at, refused=True)
