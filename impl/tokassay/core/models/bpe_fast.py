"""BPE ids without the definition's cost: three exact loops, chosen by length and kind.

* up to `SHORT` symbols: a list of the ranks of the adjacent pairs, patched at two places per merge.
  It is the definition itself; only unchanged ranks are not looked up again.
* longer pieces are first cut where no merge can cross (`bpe_cuts`), and the parts remembered.
* long parts: a left-to-right search for the one sequence of valid tokens whose neighbours are
  valid pairs (`bpe_seams` has the theorem). Linear but for the retries.
* models whose merges are not `simple`, or that have a suffix: symbols and the queue of `bpe_merge`.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Dict, List, Mapping, Optional, Protocol, Sequence, Set, Tuple, Union, cast
from weakref import ref

from ..memo import Memo, loosely
from .bpe_cuts import MARK, Division
from .bpe_merge import NO_RANK, Merges, merge_queue
from .bpe_merges import MergeList
from .bpe_seams import Seams
from .bpe_symbols import Alphabet

SHORT = 14
AT_ONCE = 24  # a part that was cut coarsely
MEDIUM = 256
WARM_UP = 1024
BYTE_TOKENS = [f"<0x{byte:02X}>" for byte in range(256)]


class Source(Protocol):
    """What is needed of a BPE model."""

    @property
    def merges(self) -> Union[MergeList, Sequence[Tuple[str, str]]]: ...
    @property
    def vocab(self) -> Mapping[str, int]: ...
    @property
    def alphabet(self) -> Alphabet: ...
    @property
    def sought(self) -> Merges: ...
    @property
    def table(self) -> Merges: ...


class Characters(Dict[str, Optional[int]]):
    """Character → id of its entry, None for unknown; found when first asked, bounded by the vocabulary."""

    def __init__(self, alphabet: Alphabet) -> None:
        super().__init__()
        self.vocab = alphabet.vocab

    def __missing__(self, character: str) -> Optional[int]:
        found = self.vocab.get(character)
        if found is not None:  # unknown characters are not kept: there are more of them than entries
            self[character] = found
        return found


def merge_ranked(ids: List[int], merges: Merges) -> List[int]:
    """`bpe_merge.merge_plain` on bare ids, in place."""
    ranks = merges.ranks
    return merge_in(ids, [ranks[left].get(right, NO_RANK) for left, right in zip(ids, ids[1:])], merges)


def merge_in(ids: List[int], found: List[int], merges: Merges) -> List[int]:
    """The same with the ranks of the adjacent pairs found already; both lists are used up."""
    ranks, made = merges.ranks, merges.made
    for last in range(len(found) - 1, -1, -1):  # how many pairs will be left
        rank = min(found)
        if rank == NO_RANK:
            break
        at = found.index(rank)  # the first of equal ranks is the leftmost
        new = ids[at] = made[rank]
        del ids[at + 1], found[at]
        if at:
            found[at - 1] = ranks[ids[at - 1]].get(new, NO_RANK)
        if at < last:
            found[at] = ranks[new].get(ids[at + 1], NO_RANK)
    return ids


class FastBPE:
    """`ids` of a piece; equal to the definition for every model.

    Tables are made after `WARM_UP` symbols: a short first text should not wait for what it does not use.
    """

    def __init__(self, model: Source) -> None:
        self.model = ref(model)  # which holds this
        self.alphabet, self.merges = model.alphabet, model.sought
        self.merge_list = cast("MergeList", model.merges)
        self.characters = Characters(self.alphabet)
        self.is_simple = self.merges.simple and not self.alphabet.suffix
        self.chunks = Memo(loosely(self._whole))
        self.patience = WARM_UP

    def settle(self) -> None:
        """Make the table of ranks now; from here on it is used."""
        model = self.model()
        assert model is not None
        self.patience, self.merges = 0, model.table

    def forget(self) -> None:
        """Empty what texts have filled; tables stay."""
        self.chunks.clear()
        self.characters.clear()
        if "seams" in vars(self):
            self.seams.clear()
            self.seams.trees.clear()

    @cached_property
    def seams(self) -> Seams:
        """Which tokens may be neighbours."""
        self.settle()
        return Seams(self.alphabet.vocab, self.merges, loosely(self.encode_known))

    @cached_property
    def division(self) -> Optional[Division]:
        """The proven cuts of `simple` merges, None where one names a byte token or the unknown token."""
        special = {*BYTE_TOKENS, self.alphabet.unk_token or ""}
        merges = self.merge_list
        named = not (special.isdisjoint(merges.left) and special.isdisjoint(merges.right))
        return None if named else Division.of(merges)

    @cached_property
    def all_known(self) -> bool:
        """Every unknown character becomes byte symbols of its own."""
        return self.alphabet.byte_fallback and all(map(self.alphabet.vocab.__contains__, BYTE_TOKENS))

    @cached_property
    def longest(self) -> Dict[str, int]:
        """First two characters → length of the longest entry that starts so."""
        rising = sorted(self.alphabet.vocab, key=len)  # of one head the longest is written last
        return dict(zip(map(itemgetter(slice(2)), rising), map(len, rising)))

    def is_cut_behind(self, characters: str) -> bool:
        """No merge goes from one of these characters on to any other character."""
        return (
            self.is_simple
            and self.all_known
            and self.division is not None
            and not any(pair[0] in characters and pair[1] not in characters for pair in self.division.seams)
        )

    def ids(self, piece: str) -> Sequence[int]:
        """Raises EncodeError for an unknown character whose `unk_token` is not in the vocabulary."""
        if self.patience > 0:
            self.patience -= len(piece)
            if self.patience <= 0:
                self.settle()
            if len(piece) <= MEDIUM:
                return self._merged(piece)
        if len(piece) <= SHORT or not self.is_simple:
            return self._merged(piece)
        if (len(piece) > MEDIUM or self.alphabet.byte_fallback) and self._is_divisible(piece):
            chunks = self.division.chunks(piece)  # type: ignore[union-attr]
            if len(chunks) > 1:
                return tuple(chain.from_iterable(map(self.chunks.__getitem__, chunks)))
        return self._chunk(piece)

    def _is_divisible(self, piece: str) -> bool:
        known = self.all_known or None not in map(self.characters.__getitem__, set(piece))
        return known and self.division is not None

    def _whole(self, chunk: str) -> Tuple[int, ...]:
        return tuple(self._chunk(chunk))

    def _chunk(self, chunk: str) -> Sequence[int]:
        """A piece without coarse cuts."""
        if len(chunk) <= AT_ONCE:
            return self._merged(chunk)
        if chunk.startswith(MARK + MARK):
            indented = self._indented(chunk)
            if indented is not None:
                return indented
        if not chunk.lstrip(MARK).isascii() and self.alphabet.byte_fallback and self._is_divisible(chunk):
            parts = self.division.parts(chunk)  # type: ignore[union-attr]
            if len(parts) > 1:
                return tuple(chain.from_iterable(map(self.chunks.__getitem__, parts)))
        if None in map(self.characters.__getitem__, set(chunk)):
            return self._merged(chunk)
        return self.search(chunk)

    def _indented(self, chunk: str) -> Optional[Sequence[int]]:
        """Marks and a word from their own results, if the pair at the border is valid (`bpe_seams`)."""
        marks = len(chunk) - len(chunk.lstrip(MARK))
        if marks == len(chunk) or self.characters[chunk[marks]] is None or self.characters[MARK] is None:
            return None
        for border in (marks - 1, marks):
            left, right = self.chunks[chunk[:border]], self.chunks[chunk[border:]]
            if not self.seams[left[-1] * self.merges.width + right[0]]:
                return left + right
        return None

    def _merged(self, piece: str) -> List[int]:
        """Symbols, then merges."""
        if self.is_simple:
            ids = list(map(self.characters.__getitem__, piece))
            if None not in ids and len(ids) <= MEDIUM:
                return merge_ranked(ids, self.merges)  # type: ignore[arg-type]
        symbols = self.alphabet.symbols(piece)
        if self.merges.simple and len(symbols) <= MEDIUM:
            return merge_ranked([index for index, _ in symbols], self.merges)
        return [index for index, _ in merge_queue(symbols, self.merges)]

    def encode_known(self, piece: str) -> List[int]:
        """Known characters only; for the few tokens and pairs that `Seams` cannot reason about."""
        ids: List[int] = list(map(self.characters.__getitem__, piece))  # type: ignore[arg-type]
        return merge_ranked(ids, self.merges)

    def search(self, piece: str) -> List[int]:
        """The sequence of valid tokens with valid neighbours: there is exactly one, and it is BPE's.

        Tries the longest entry first and steps back where nothing fits. A place where nothing
        fitted stays `dead`: the tokens up to a place are the BPE of the text up to there, hence
        unique, so coming back to it by other tokens is impossible. Known characters only.
        """
        entry, trees, seams, longest = self.alphabet.vocab.get, self.seams.trees, self.seams, self.longest
        width, size = self.merges.width, len(piece)
        tokens: List[int] = []
        starts: List[int] = []
        dead: Set[int] = set()
        at, before = 0, -1
        end = min(size, longest.get(piece[:2], 1))
        while at < size:
            while end > at:
                token = entry(piece[at:end])
                # Cheapest test first; the last one is the theorem's.
                if (
                    token is not None
                    and end not in dead
                    and trees[token] is not None
                    and (before < 0 or not seams[before * width + token])
                ):
                    break
                end -= 1
            else:
                dead.add(at)
                tokens.pop()
                end, at = at - 1, starts.pop()
                before = tokens[-1] if tokens else -1
                continue
            tokens.append(token)
            starts.append(at)
            before, at = token, end
            end = min(size, at + longest.get(piece[at : at + 2], 1))
        return tokens
