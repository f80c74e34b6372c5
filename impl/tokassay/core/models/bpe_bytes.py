"""Byte-level BPE on raw text: cuts between characters that no merge crosses (clause ``model.bpe.cuts``).

The lemma of `bpe_cuts` on bytes is useless for Chinese: nearly every pair of a last and a first
byte occurs in some merge. Seen as characters few do. A merge may also hold only a *part* of the
character on one side (the last bytes of the left one, the first bytes of the right one); such
merges are rules on byte suffixes and prefixes, tried when a pair of characters is met first.
"""

from __future__ import annotations

from itertools import chain, compress
from operator import and_, itemgetter
from typing import Dict, List, Optional, Set, Tuple

from ..byte_alphabet import BYTE_OF_CHAR, CHAR_OF_BYTE, spell
from ..memo import Memo
from .bpe_cuts import cut_at
from .bpe_fast import SHORT, FastBPE
from .bpe_merges import MergeList

MOST_PAIRS = 1 << 17
LEADS = frozenset(CHAR_OF_BYTE[0xC2:0xF5])
TAILS = frozenset(CHAR_OF_BYTE[0x80:0xC0])
# Building the rules reads every merge; short texts are done before that pays.
WARM_UP = 4096


class CharacterSeams(Dict[str, bool]):
    """Two characters → may a merge cross the border between them? Pairs with an ASCII side count as yes."""

    def __init__(self, merges: MergeList) -> None:
        super().__init__()
        self.rules: Set[Tuple[bytes, bytes]] = set()
        # A seam between non-ASCII characters ends in a continuation byte and begins with a lead byte.
        ends = map(TAILS.__contains__, map(itemgetter(-1), merges.left))
        begins = map(LEADS.__contains__, map(itemgetter(0), merges.right))
        for left, right in compress(merges, map(and_, ends, begins)):
            before, after = _last(left), _first(right)
            if before is not None and after is not None:
                self.rules.add((before, after))

    def __missing__(self, pair: str) -> bool:
        left, right = pair[0].encode(), pair[1].encode()
        joined = len(left) == 1 or len(right) == 1
        joined = joined or any(
            (left[i:], right[:j]) in self.rules for i in range(len(left)) for j in range(1, len(right) + 1)
        )
        if len(self) >= MOST_PAIRS:
            self.clear()
        self[pair] = joined
        return joined


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

    def ids(self, piece: str) -> List[int]:
        spelled = spell(piece)
        if self.whole:
            found = self.vocab.get(spelled)
            if found is not None:
                return [found]
        seams = None if len(spelled) <= SHORT or piece.isascii() else self._seams(len(spelled))
        if seams is not None:
            parts = cut_at(piece, seams.__getitem__)
            if len(parts) > 1:
                return list(chain.from_iterable(map(self.parts.__getitem__, parts)))
        return self.fast.ids(spelled)

    def _part(self, part: str) -> List[int]:
        # A part never uses the rule for whole pieces: it is none.
        return self.fast.ids(spell(part))

    def _seams(self, symbols: int) -> Optional[CharacterSeams]:
        if self.seams is None and self.patience > 0:
            self.patience = max(self.patience - symbols, 0)
            if not self.patience:
                self.seams = CharacterSeams(self.fast.merge_list)
        return self.seams
