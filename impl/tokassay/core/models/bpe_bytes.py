"""Byte-level BPE on raw text: cuts between characters that no merge crosses (clause ``model.bpe.cuts``).

The lemma of `bpe_cuts` on bytes is useless for Chinese: nearly every pair of a last and a first
byte occurs in some merge. Seen as characters few do. A merge may also hold only a *part* of the
character on one side (the last bytes of the left one, the first bytes of the right one); such
merges are rules on byte suffixes and prefixes, tried when a pair of characters is met first.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain, compress, count
from operator import add, and_, itemgetter, or_
from typing import Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple, cast

from ..byte_alphabet import BYTE_OF_CHAR, CHAR_OF_BYTE, spell
from ..memo import Memo, loosely
from .bpe_cuts import cut_where
from .bpe_fast import FastBPE, merge_in, merge_ranked
from .bpe_merge import NO_RANK
from .bpe_merges import MergeList
from .bpe_seams import LEAF

MOST_CHARACTERS = 1 << 16
LEADS = frozenset(CHAR_OF_BYTE[0xC2:0xF5])
TAILS = frozenset(CHAR_OF_BYTE[0x80:0xC0])
# Building the rules reads every merge; short texts are done before that pays.
WARM_UP = 2048
# Above this many characters a piece is cut first: merging costs the square of the length.
MEDIUM = 48
# Up to this many characters merging their bytes is faster than to look for cuts between them.
SHORT = 24
# Up to this many ASCII characters merging is faster than a search for valid neighbours.
AT_ONCE = 32


class Remembered(Dict[str, bool]):
    """One character or two → an answer about them, asked once; emptied when full."""

    def __init__(self, answer: Callable[[str], bool]) -> None:
        super().__init__()
        self.answer = answer

    def __missing__(self, characters: str) -> bool:
        found = self.answer(characters)
        if len(self) >= MOST_CHARACTERS:
            self.clear()
        self[characters] = found
        return found


class CharacterSeams:
    """Borders that a merge may cross; next to an ASCII character every border counts as one.

    `pairs`: whole characters on both sides. `rules`: a part of a character on one side at least, or
    whole ones of which one is made no earlier than the two are joined.
    """

    def __init__(self, merges: MergeList, made: Sequence[int], vocab: Mapping[str, int]) -> None:
        self.pairs: Set[str] = set()
        self.rules: Set[Tuple[bytes, bytes]] = set()
        making = dict(zip(made, range(len(made))))  # id -> the last rank that makes it
        made_at = {}
        for rank, before, after in _borders(merges):
            whole = _is_whole(before) and _is_whole(after)
            if whole:
                self.pairs.add((before + after).decode())
            for one in (before, after) if whole else ():
                if one not in made_at:
                    made_at[one] = making.get(vocab.get(spell(one.decode()), -1), -1)
            if not whole or max(made_at[before], made_at[after]) >= rank:
                self.rules.add((before, after))
        rules = self.rules  # the answers below hold these, and not what holds the answers
        lefts, rights = {left for left, _ in rules}, {right for _, right in rules}
        self.entries = _entries(vocab)
        self.open_left = Remembered(lambda x: not lefts.isdisjoint(_ends(x)))
        self.open_right = Remembered(lambda y: not rights.isdisjoint(_starts(y)))
        self.meet = Remembered(
            lambda pair: any((end, start) in rules for end in _ends(pair[0]) for start in _starts(pair[1]))
        )

    def parts(self, text: str) -> List[str]:
        """`text` cut wherever nothing crosses; not where a rule could apply on both sides."""
        rest = text[1:]
        open_sides = map(and_, map(self.open_left.__getitem__, text), map(self.open_right.__getitem__, rest))
        joined = map(or_, map(self.pairs.__contains__, map(add, text, rest)), open_sides)
        if _holds_ascii(text):
            touching = map(or_, map(str.isascii, text), map(str.isascii, rest))
            joined = map(or_, joined, touching)
        return cut_where(text, joined)

    def keeps_characters_whole(self, text: str) -> bool:
        """No rule applies at a border inside `text`."""
        if len(text) > 1 and _holds_ascii(text):
            return False
        sides = list(map(self.open_left.__getitem__, text))
        if True not in sides:
            return True
        rest = text[1:]
        both = map(and_, sides, map(self.open_right.__getitem__, rest))
        return not any(map(self.meet.__getitem__, compress(map(add, text, rest), both)))


def _entries(vocab: Mapping[str, int]) -> Set[str]:
    """The characters above ASCII that have an entry."""
    short = [_bytes(entry) for entry in vocab if len(entry) <= 4 and entry[:1] in LEADS]
    return {data.decode() for data in short if _is_whole(data) and _width(data[0]) == len(data)}


def _ends(character: str) -> List[bytes]:
    data = character.encode()
    return [data[i:] for i in range(len(data))]


def _starts(character: str) -> List[bytes]:
    data = character.encode()
    return [data[:i] for i in range(1, len(data) + 1)]


def _holds_ascii(text: str) -> bool:
    """Then some of its borders are in no rule: rules are about characters of several bytes on both sides."""
    return min(text) < "\x80"


def _borders(merges: MergeList) -> Iterator[Tuple[int, bytes, bytes]]:
    """Rank, and what stands on both sides of the border, of merges between non-ASCII characters or parts."""
    ends = map(TAILS.__contains__, map(itemgetter(-1), merges.left))
    begins = map(LEADS.__contains__, map(itemgetter(0), merges.right))
    # Four bytes hold a character; there are far fewer such ends and beginnings than merges.
    found = compress(zip(count(), merges.left, merges.right), map(and_, ends, begins))
    sides = [(rank, left[-4:], right[:4]) for rank, left, right in found]
    last = {end: _last(end) for end in {end for _, end, _ in sides}}
    first = {start: _first(start) for start in {start for _, _, start in sides}}
    for rank, end, start in sides:
        before, after = last[end], first[start]
        if before is not None and after is not None:
            yield rank, before, after


def _is_whole(data: bytes) -> bool:
    """One character above ASCII; a surrogate and what else only looks like UTF-8 is in no text."""
    return data[:1] > b"\x7f" and len(data.decode(errors="ignore").encode()) == len(data)


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


class WholeCharacters(Dict[str, Optional[int]]):
    """Character → its id if BPE makes one rising token of its bytes, else None."""

    def __init__(self, fast: FastBPE) -> None:
        super().__init__()
        self.fast = fast

    def __missing__(self, character: str) -> Optional[int]:
        spelled = spell(character)
        ids = self.fast.ids(spelled) if spelled in self.fast.alphabet.vocab else ()
        tree = self.fast.seams.trees[ids[0]] if len(ids) == 1 else None
        found = ids[0] if tree is not None and tree.rank >= LEAF else None
        if len(self) >= MOST_CHARACTERS:
            self.clear()
        self[character] = found
        return found


class ByteBPE:
    """Ids of a raw piece: ``ids(piece)`` is the model's answer to the piece with its bytes spelled out.

    **Starting from whole characters.** Let every character of a piece be one rising token, and let
    no rule of `CharacterSeams` apply at a border inside it. Then merging may start from these
    tokens. *Proof.* Symbols are parts of one character or whole characters. Compare the merges
    across borders one by one with those of the process that starts from whole characters. If the
    latter's next one, y, were not the former's next one, x, then y is less than x and some
    character at its border is not whole yet; but what is left to merge in that character ranks
    below y, so x cannot be next either.
    """

    def __init__(self, fast: FastBPE, whole: bool) -> None:
        self.vocab, self.fast, self.whole = fast.alphabet.vocab, fast, whole
        self.bytes = [self.vocab.get(character, -1) for character in CHAR_OF_BYTE]
        self.ascii = self.bytes[:128]
        self.is_quick = fast.is_simple and -1 not in self.ascii
        self.parts = Memo(loosely(self._whole))
        self.characters = WholeCharacters(fast)
        self.seams: Optional[CharacterSeams] = None
        # An unknown byte symbol vanishes or waits, so that others become neighbours: no cuts then.
        self.patience = WARM_UP if -1 not in self.bytes and fast.is_simple else -1

    def forget(self) -> None:
        """Empty what texts have filled; tables stay."""
        self.parts.clear()
        self.characters.clear()
        if self.seams is not None:
            for answers in (self.seams.open_left, self.seams.open_right, self.seams.meet):
                answers.clear()

    def ids(self, piece: str) -> Sequence[int]:
        if self.whole:
            found = self.vocab.get(spell(piece))
            if found is not None:
                return (found,)
        if piece.isascii():
            if self.is_quick and len(piece) <= AT_ONCE and self.fast.patience <= 0:
                data, pairs = piece.encode(), self._ascii_pairs
                ranks = [pairs[left][right] for left, right in zip(data, data[1:])]
                return merge_in(list(map(self.ascii.__getitem__, data)), ranks, self.fast.merges)
            return self.fast.ids(spell(piece))
        seams = self._seams(piece)
        return self.fast.ids(spell(piece)) if seams is None else self._between_seams(piece, seams)

    @cached_property
    def _ascii_pairs(self) -> List[List[int]]:
        """The rank of each pair of ASCII characters: where most of the ranks of a piece stand at first."""
        rows = map(self.fast.merges.ranks.__getitem__, self.ascii)
        return [[row.get(right, NO_RANK) for right in self.ascii] for row in rows]

    def _between_seams(self, piece: str, seams: CharacterSeams) -> Sequence[int]:
        at_once = len(piece) <= SHORT and self.fast.patience <= 0
        if at_once and not seams.entries.issuperset(piece):
            return self._from_bytes(piece)
        ids = self._from_characters(piece, seams) if len(piece) <= MEDIUM else None
        if ids is not None:
            return ids
        if at_once:
            return self._from_bytes(piece)
        parts = seams.parts(piece)
        if len(parts) > 1:
            return tuple(chain.from_iterable(map(self.parts.__getitem__, parts)))
        return self.fast.ids(spell(piece))

    def _from_bytes(self, piece: str) -> List[int]:
        return merge_ranked(list(map(self.bytes.__getitem__, piece.encode())), self.fast.merges)

    def _whole(self, part: str) -> Tuple[int, ...]:
        return tuple(self._part(part))

    def _part(self, part: str) -> Sequence[int]:
        # A part never uses the rule for whole pieces: it is none.
        ids = self._from_characters(part, self.seams) if self.seams and len(part) <= MEDIUM else None
        return self.fast.ids(spell(part)) if ids is None else ids

    def _from_characters(self, text: str, seams: CharacterSeams) -> Optional[Sequence[int]]:
        ids = list(map(self.characters.__getitem__, text))
        if None in ids or not seams.keeps_characters_whole(text):
            return None
        return merge_ranked(cast("List[int]", ids), self.fast.merges)

    def _seams(self, piece: str) -> Optional[CharacterSeams]:
        if self.seams is None and self.patience > 0:
            self.patience = max(self.patience - len(piece), 0)
            if not self.patience:
                self.seams = CharacterSeams(self.fast.merge_list, self.fast.merges.made, self.vocab)
        return self.seams
