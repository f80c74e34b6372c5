"""A text under transformation that remembers where each of its characters came from.

This is what HF calls a NormalizedString, on characters instead of bytes: `spans[i]` is the range
of the *original* text (in characters) that `text[i]` stands for. Inserted characters share the
range of a neighbour or have an empty one; a range never cuts an original character, so characters
are enough (HF aligns bytes, but every byte of a character carries the whole character's range).

Every change is written as a list of `(character, change)` for the new text (clause ``align.changes``):
`0` replaces one old character, `+1` is inserted, `-n` replaces one and swallows the next n.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Callable, Iterable, List, Mapping, Optional, Sequence, Tuple

from .errors import EncodeError

Span = Tuple[int, int]
Change = Tuple[str, int]


@dataclass(frozen=True)
class AlignedText:
    """`text`, one original range per character, and the original range of the whole piece.

    All ranges count characters of the original text, never of a piece.
    """

    text: str
    spans: Sequence[Span]
    origin: Span

    @classmethod
    def of(cls, text: str) -> AlignedText:
        """A text that has not been changed yet: character i stands for i..i+1."""
        edges = list(range(len(text) + 1))  # each number once: a long text has a pair for every character
        return cls(text, list(zip(edges, edges[1:])), (0, len(text)))

    def original_span(self, start: int, end: int) -> Span:
        """The original range behind characters start..end of `text` (``align.offsets``).

        An empty range has no characters to ask, so it is returned as it is, counted from the origin.
        """
        if start >= end or end > len(self.text):
            return (self.origin[0] + start, self.origin[0] + end)
        return (self.spans[start][0], self.spans[end - 1][1])

    def slice(self, start: int, end: int) -> AlignedText:
        """The piece start..end; its origin is what its first and last characters stand for."""
        if start > end:
            raise EncodeError(f"a piece would end at {end}, before its start {start}: the oracle panics")
        origin = self.original_span(start, end)
        return AlignedText(self.text[start:end], self.spans[start:end], origin)

    def cut(self, ranges: Iterable[Span]) -> List[AlignedText]:
        """One piece per range, empty ones left out (no pre-tokenizer ever yields an empty piece)."""
        return [self.slice(start, end) for start, end in ranges if start != end]

    def transform(self, changes: Iterable[Change], removed_first: int = 0) -> AlignedText:
        """The text that `changes` spell; `removed_first` old characters are dropped before the first.

        Raises EncodeError where the oracle reads past its alignments and panics (``align.reach``).
        """
        low, high = self._reach()
        position = low + min(removed_first, high - low)
        chars: List[str] = []
        spans: List[Span] = []
        for char, change in changes:
            chars.append(char)
            if change > 0:
                spans.append(self.spans[position - 1] if position else (self.origin[0], self.origin[0]))
                continue
            if position >= len(self.spans):
                raise EncodeError("a normalizer inserted text that stands for nothing: the oracle panics")
            spans.append(self.spans[position])
            position += min(1 - change, high - position)
        if low == 0 and high == len(self.text):
            return replace(self, text="".join(chars), spans=spans)
        text = self.text[:low] + "".join(chars) + self.text[high:]
        return replace(self, text=text, spans=[*self.spans[:low], *spans, *self.spans[high:]])

    def _reach(self) -> Span:
        """The part of `text` that a whole-text change rewrites.

        The oracle finds it by way of the original text, so characters that stand for nothing at the
        very start are out of reach (they stay, and are in the way), and a piece that consists of
        them alone is only added to.
        """
        size = len(self.text)
        if self.origin[0] == self.origin[1]:
            return (0, 0)
        low = 0
        while low < size and self.spans[low][0] == self.spans[low][1]:
            low += 1
        return (low, size)

    def changed(self, text: str) -> AlignedText:
        """Every character replaced by the one at the same place in `text`."""
        if self._reach() == (0, len(self.text)):
            return AlignedText(text, self.spans, self.origin)  # `replace` is slow, and this runs per piece
        return self.transform([(char, 0) for char in text])

    def expanded(self, spell: Callable[[str], str]) -> AlignedText:
        """Every character replaced by what `spell` makes of it, one character or more.

        `spell` works on whole texts, too, character by character.
        """
        spelled = spell(self.text)
        if len(spelled) == len(self.text):
            return self.changed(spelled)
        return self.transform([(char, int(i > 0)) for old in self.text for i, char in enumerate(spell(old))])

    def filtered(self, dropped: Mapping[int, Optional[str]]) -> AlignedText:
        """Without the characters that `dropped` maps to None (a `str.translate` table)."""
        if len(self.text.translate(dropped)) == len(self.text):
            return self.changed(self.text)
        changes: List[Change] = []
        removed = removed_first = 0
        last = ""
        for char in self.text:
            if dropped.get(ord(char), char) is None:
                removed += 1
                continue
            if last:
                changes.append((last, -removed))
            else:
                removed_first = removed
            last, removed = char, 0
        if last:
            changes.append((last, -removed))
        return self.transform(changes, removed_first)

    def stripped(self, start: int, end: int) -> AlignedText:
        """Only characters start..end are kept; the origin stays that of the whole piece."""
        if (start, end) == (0, len(self.text)):
            return self
        return self.transform([(char, 0) for char in self.text[start:end]], start)

    def prepended(self, prefix: str) -> AlignedText:
        """`prefix` in front, standing for the first character (nothing happens to an empty text).

        With an empty prefix the first character comes to stand for nothing, as in the oracle.
        """
        if not self.text:
            return self
        first = self.spans[0] if prefix else (self.origin[0], self.origin[0])
        spans = [*([first] * len(prefix)), first, *self.spans[1:]]
        return replace(self, text=prefix + self.text, spans=spans)

    def replaced(self, matches: Iterable[Span], content: str) -> AlignedText:
        """Every match replaced by `content`, which stands for the last character before the match's end.

        A match at the very start of the piece and without width has none: its content stands for nothing.
        """
        parts: List[str] = []
        spans: List[Span] = []
        done = 0
        for start, end in matches:
            parts += (self.text[done:start], content)
            spans += self.spans[done:start]
            spans += [self.spans[end - 1] if end else (self.origin[0], self.origin[0])] * len(content)
            done = end
        parts.append(self.text[done:])
        spans += self.spans[done:]
        return replace(self, text="".join(parts), spans=spans)
