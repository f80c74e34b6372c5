"""SortedBPE: BPE on sorted tables that stay in the file. Clauses ``mtok.model.bpe`` and below.

The rule is that of `BPE`. A short text is done by bisection alone; once `WARM_UP` symbols have been
asked for, or a piece is long, the tables are read, their content is proven, and `BPE` takes over.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, List, Optional, Sequence, Tuple

from ..byte_alphabet import spell
from ..description import Segmenter
from ..description import Warning as Oddity
from ..device_only import DeviceOnly
from ..errors import FormatError
from ..token import Token
from .bpe import BPE
from .sorted_merges import SortedMerges
from .sorted_vocabulary import SortedVocabulary
from .spans import character_ranges
from .vocabulary import oddities

WARM_UP = 4096
LONG = 1024
NO_RANK = 1 << 32


@dataclass(frozen=True)
class SortedBPE(DeviceOnly):
    """`byte_level`: the model spells bytes itself, as no pre-tokenizer does (``mtok.model.bpe.byte-level``).

    A character that is no token and has no byte tokens is dropped: the file has no unknown token.
    """

    TYPE: ClassVar[str] = "SortedBPE"
    PART: ClassVar[str] = "model"
    CLAUSE: ClassVar[str] = "mtok.model.bpe"
    vocab: SortedVocabulary
    merges: SortedMerges
    byte_fallback: bool = False
    byte_level: bool = False

    @property
    def vocab_size(self) -> int:
        return len(self.vocab)

    def token_to_id(self, token: str) -> Optional[int]:
        return self.vocab.find(token)

    def id_to_token(self, index: int) -> Optional[str]:
        return self.vocab.tokens.get(index)

    @cached_property
    def plain(self) -> BPE:
        """The same as `BPE`, without `byte_level`; FormatError for content that cannot be."""
        whole = self.vocab.whole
        merges = self.merges.in_rank_order(self.vocab.tokens, whole)
        try:
            return BPE(whole, merges, byte_fallback=self.byte_fallback)
        except FormatError as error:
            raise self.merges.making_nothing(self.vocab.tokens, whole) or error from None

    def belongs_to(self, path: str) -> None:
        """Name the file in what is found wrong later."""
        self.vocab.path = self.merges.path = path

    def prove(self) -> Sequence[Oddity]:
        """What is odd about the content, read whole; FormatError for what cannot be."""
        return oddities(self.plain.vocab, "model.vocab")

    def build(self) -> SortedSegmenter:
        return SortedSegmenter(self, self._patience)

    @cached_property
    def _patience(self) -> Patience:
        return Patience(WARM_UP)


@dataclass
class Patience:
    """How many symbols are done by bisection still; the segmenters of a model share it."""

    left: int


class SortedSegmenter:
    """`ids` by bisection while little has been asked; `tokenize` is that of `BPE`."""

    def __init__(self, model: SortedBPE, patience: Patience) -> None:
        self.model, self.patience = model, patience

    @cached_property
    def full(self) -> Segmenter:
        """The segmenter of `BPE`."""
        return self.model.plain.build()

    def ids(self, piece: str) -> List[int]:
        """Raises FormatError where the file's content cannot be."""
        spelled = spell(piece) if self.model.byte_level else piece
        if self.patience.left <= 0 or len(spelled) > LONG:
            return self.full.ids(spelled)
        self.patience.left -= len(spelled)
        return [index for index, _ in self._merged(self._symbols(spelled))]

    def _symbols(self, piece: str) -> List[Tuple[int, str]]:
        """What `Alphabet` makes of a piece, with the strings: they tell what a merge makes."""
        find = self.model.vocab.find
        symbols: List[Tuple[int, str]] = []
        for character in piece:
            index = find(character)
            if index is not None:
                symbols.append((index, character))
            elif self.model.byte_fallback:
                names = [f"<0x{byte:02X}>" for byte in character.encode()]
                if all(name in self.model.vocab for name in names):
                    symbols += [(self.model.vocab[name], name) for name in names]
        return symbols

    def _merged(self, parts: List[Tuple[int, str]]) -> List[Tuple[int, str]]:
        """Merge the adjacent pair with the least (rank, position) until there is none."""
        ranks = [self._rank(left, right) for left, right in zip(parts, parts[1:])]
        while ranks:
            rank = min(ranks)
            if rank == NO_RANK:
                break
            at = ranks.index(rank)
            parts[at : at + 2] = [self._made(parts[at], parts[at + 1])]
            del ranks[at]
            for near in (at - 1, at):
                if 0 <= near < len(ranks):
                    ranks[near] = self._rank(parts[near], parts[near + 1])
        return parts

    def _rank(self, left: Tuple[int, str], right: Tuple[int, str]) -> int:
        rank = self.model.merges.rank(left[0], right[0])
        return NO_RANK if rank is None else rank

    def _made(self, left: Tuple[int, str], right: Tuple[int, str]) -> Tuple[int, str]:
        token = left[1] + right[1]
        index = self.model.vocab.find(token)
        if index is None:
            offset = self.model.merges.place(left[0], right[0])
            reason = f"makes {token!r}, which is not in the vocabulary"
            raise FormatError(reason, field="model.merges", path=self.model.merges.path, offset=offset)
        return index, token

    def tokenize(self, piece: str) -> List[Token]:
        """Raises FormatError where the file's content cannot be."""
        if not self.model.byte_level:
            return self.full.tokenize(piece)
        tokens = self.full.tokenize(spell(piece))
        spans = character_ranges(piece, (token.end - token.start for token in tokens))
        return [Token(token.id, token.value, *span) for token, span in zip(tokens, spans)]
