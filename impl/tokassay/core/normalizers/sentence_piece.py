"""The normalizer inside a SentencePiece model (clauses ``sentencepiece.normalizer.*``)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from ..aligned import AlignedText
from ..charsmap import Charsmap
from ..device_only import DeviceOnly
from ..models.scored_tokens import by_first, kept_at

SPACE, MARK = " ", "\u2581"


class Laid(NamedTuple):
    """A character of the result and the range of the text that it stands for."""

    character: str
    start: int
    end: int


@dataclass(frozen=True)
class SentencePiece(DeviceOnly):
    """Rules, then white space, then the mark in front (or behind), which stands for its neighbour.

    `charsmap` is empty for the identity. `kept`: user-defined tokens, which no rule changes.
    """

    TYPE: ClassVar[str] = "SentencePiece"
    PART: ClassVar[str] = "normalizer"
    CLAUSE: ClassVar[str] = "sentencepiece.normalizer.order"
    charsmap: bytes = b""
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    escape_whitespaces: bool = True
    as_suffix: bool = False
    kept: Tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.charsmap:
            self.rules  # noqa: B018 - raises FormatError now, not at the first text

    @cached_property
    def rules(self) -> Optional[Charsmap]:
        """The rules of the charsmap."""
        return Charsmap.parse(self.charsmap) if self.charsmap else None

    @cached_property
    def _kept(self) -> Mapping[str, Sequence[str]]:
        return by_first(iter(self.kept))

    def normalize(self, text: str) -> str:
        return "".join([laid.character for laid in self._laid(text)])

    def align(self, text: AlignedText) -> AlignedText:
        laid = self._laid(text.text)
        spans = [text.original_span(one.start, one.end) for one in laid]
        return replace(text, text="".join([one.character for one in laid]), spans=spans)

    def _mapped(self, text: str) -> Iterator[Tuple[str, int, int]]:
        """What the longest rule at each place makes of it (``sentencepiece.normalizer.longest``)."""
        data, place, offset = text.encode() if self.rules is not None else b"", 0, 0
        while place < len(text):
            new = kept = kept_at(self._kept, text, place)
            size = 1 if kept is None else len(kept)
            if kept is None and self.rules is not None:
                found = self.rules.longest(data, offset)
                if found is not None:
                    new, size = found[1], len(data[offset : offset + found[0]].decode())
            end = place + size
            yield text[place:end] if new is None else new, place, end
            offset += len(text[place:end].encode())
            place = end

    def _laid(self, text: str) -> List[Laid]:
        mapped = list(self._mapped(text))
        if self.remove_extra_whitespaces:
            begin = next((i for i, (new, _, _) in enumerate(mapped) if new != SPACE), len(mapped))
            mapped = mapped[begin:]
        if not mapped:
            return []
        mark = MARK if self.escape_whitespaces else SPACE
        first, last = Laid(mark, *mapped[0][1:]), Laid(mark, *mapped[-1][1:])
        laid = [first] if self.add_dummy_prefix and not self.as_suffix else []
        behind_space = self.remove_extra_whitespaces
        for new, start, end in mapped:
            kept = new.lstrip(SPACE) if behind_space else new
            laid += [Laid(mark if char == SPACE else char, start, end) for char in kept]
            behind_space = self.remove_extra_whitespaces and (kept.endswith(SPACE) if kept else behind_space)
        while self.remove_extra_whitespaces and laid and laid[-1].character == mark:
            laid.pop()
        return [*laid, last] if self.add_dummy_prefix and self.as_suffix else laid
