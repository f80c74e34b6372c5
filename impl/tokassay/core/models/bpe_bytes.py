"""Byte-level BPE on raw text: cuts between characters that no merge crosses (clause ``model.bpe.cuts``).

The lemma of `bpe_cuts` on bytes is useless for Chinese: nearly every pair of a last and a first
byte occurs in some merge. Seen as characters few do. A merge may also hold only a *part* of the
character on one side (the last bytes of the left one, the first bytes of the right one); such
merges are rules on byte suffixes and prefixes, tried when a pair of characters is met first.
"""

from __future__ import annotations

from itertools import chain, compress
from operator import add, and_, itemgetter, or_
from typing import Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple

from ..byte_alphabet import BYTE_OF_CHAR, CHAR_OF_BYTE, spell
from ..memo import Memo
from .bpe_cuts import cut_where
from .bpe_fast import SHORT, FastBPE
from .bpe_merges import MergeList

MOST_CHARACTERS = 1 << 16
LEADS = frozenset(CHAR_OF_BYTE[0xC2:0xF5])
TAILS = frozenset(CHAR_OF_BYTE[0x80:0xC0])
# Building the rules reads every merge; short texts are done before that pays.
WARM_UP = 4096


class Open(Dict[str, bool]):
    """Character → may a merge reach it over one of its borders by a part of it, or of its neighbour?

    ASCII characters count as reached: what lies between them is left to the merges.
    """

    def __init__(self, whole: Set[bytes], reached: Callable[[bytes], bool]) -> None:
        super().__init__()
        self.whole, self.reached = whole, reached

    def __missing__(self, character: str) -> bool:
        data = character.encode()
        found = len(data) == 1 or data in self.whole or self.reached(data)
        if len(self) >= MOST_CHARACTERS:
            self.clear()
        self[character] = found
        return found


class CharacterSeams:
    """Borders between characters that a merge may cross: pairs of whole characters, and open sides.

    A side is open where a rule with a *part* of a character could apply. It is then never cut,
    whatever the other side is: that gives away some cuts and needs no look at pairs.
    """

    def __init__(self, merges: MergeList) -> None:
        self.pairs: Set[str] = set()
        to_heads: Set[bytes] = set()  # whole on the left, first bytes on the right
        from_tails: Set[bytes] = set()  # last bytes on the left, whole on the right
        tails: Set[bytes] = set()  # last bytes on the left, first bytes on the right
        for before, after in _borders(merges):
            whole_left, whole_right = _is_whole(before), _is_whole(after)
            if whole_left and whole_right:
                self.pairs.add((before + after).decode())
            elif whole_left:
                to_heads.add(before)
            elif whole_right:
                from_tails.add(after)
            else:
                tails.add(before)
        self.open_left = Open(to_heads, lambda data: any(map(data.endswith, tails)))
        self.open_right = Open(from_tails, lambda _: False)

    def parts(self, text: str) -> List[str]:
        """`text` cut wherever nothing crosses."""
        rest = text[1:]
        open_sides = map(or_, map(self.open_left.__getitem__, text), map(self.open_right.__getitem__, rest))
        joined = map(or_, map(self.pairs.__contains__, map(add, text, rest)), open_sides)
        return cut_where(text, joined)


def _borders(merges: MergeList) -> Iterator[Tuple[bytes, bytes]]:
    """What each merge has on both sides of its border, where both are non-ASCII characters or parts."""
    ends = map(TAILS.__contains__, map(itemgetter(-1), merges.left))
    begins = map(LEADS.__contains__, map(itemgetter(0), merges.right))
    # Four bytes hold a character; there are far fewer such ends and beginnings than merges.
    sides = [(left[-4:], right[:4]) for left, right in compress(merges, map(and_, ends, begins))]
    last = {end: _last(end) for end, _ in sides}
    first = {start: _first(start) for _, start in sides}
    for end, start in sides:
        before, after = last[end], first[start]
        if before is not None and after is not None:
            yield before, after


def _is_whole(data: bytes) -> bool:
    return _width(data[0]) == len(data) and data[0] >= 0xC2


def _last(text: str) -> Optional[bytes]:
    """The last character of a spelled text, or its last bytes if there is no more; None: not a border."""
    data = _bytes(text[-4:])
    tail = len(data) - len(data.rstrip(bytes(range(0x80, 0xC0))))
    if tail == len(data):
        return data if 0 < tail < 4 else None
    return data[-tail - 1 :] if _width(data[-tail - 1]) == tail + 1 else None


def _first(text: str) -> Optional[bytes]:
    """The first character, or its first bytes where the text has no more; None: such bytes are in no text."""
    data = _bytes(text[:4])
    if not data:
        return None
    head = data[: _width(data[0])]
    return head if all(0x80 <= byte < 0xC0 for byte in head[1:]) else None


def _bytes(text: str) -> bytes:
    """Nothing when a character is not in the byte alphabet: such an entry is in no spelled text."""
    known = [BYTE_OF_CHAR[character] for character in text if character in BYTE_OF_CHAR]
    return bytes(known) if len(known) == len(text) else b""


def _width(lead: int) -> int:
    return 1 if lead < 0xC0 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


class ByteBPE:
    """Ids of a raw piece: ``ids(piece)`` is the model's answer to the piece with its bytes spelled out."""

    def __init__(self, fast: FastBPE, whole: bool) -> None:
        self.vocab, self.fast, self.whole = fast.alphabet.vocab, fast, whole
        self.parts = Memo(self._part)
        self.seams: Optional[CharacterSeams] = None
        # An unknown byte symbol vanishes or waits, so that others become neighbours: no cuts then.
        self.patience = WARM_UP if all(map(self.vocab.__contains__, CHAR_OF_BYTE)) and fast.is_simple else -1

    def ids(self, piece: str) -> Sequence[int]:
        spelled = spell(piece)
        if self.whole:
            found = self.vocab.get(spelled)
            if found is not None:
                return [found]
        seams = None if len(spelled) <= SHORT or piece.isascii() else self._seams(len(spelled))
        if seams is not None:
            parts = seams.parts(piece)
            if len(parts) > 1:
                return tuple(chain.from_iterable(map(self.parts.__getitem__, parts)))
        return self.fast.ids(spelled)

    def _part(self, part: str) -> Sequence[int]:
        # A part never uses the rule for whole pieces: it is none.
        return self.fast.ids(spell(part))

    def _seams(self, symbols: int) -> Optional[CharacterSeams]:
        if self.seams is None and self.patience > 0:
            self.patience = max(self.patience - symbols, 0)
            if not self.patience:
                self.seams = CharacterSeams(self.fast.merge_list)
        return self.seams
