"""BPE: characters joined pair by pair in the order of a list of merges (clauses ``model.bpe.*``)."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Dict, List, Mapping, Optional, Sequence, Tuple, Union, cast

from ..errors import FormatError, UnsupportedError
from ..fields import Fields
from ..token import Token
from .bpe_bytes import ByteBPE
from .bpe_fast import FastBPE
from .bpe_merge import Merges, Step, merge_plain, merge_queue, rank_table
from .bpe_merges import MergeList, Pair, read_merges
from .bpe_sought import SoughtRanks
from .bpe_symbols import Alphabet
from .spans import character_ranges
from .vocabulary import ById, Tokens, by_id, in_id_order, read_vocab


@dataclass(frozen=True)
class BPE:
    """HF ``models.BPE``. `merges` are in rank order; of equal pairs the last one counts.

    Raises:
        FormatError: a merge names or makes a token outside the vocabulary; dropout outside 0..1.
    """

    TYPE: ClassVar[str] = "BPE"
    UNTYPED_ORDER: ClassVar[int] = 0
    vocab: Mapping[str, int]
    merges: Union[MergeList, Sequence[Pair]]  # kept as a MergeList
    dropout: Optional[float] = None
    unk_token: Optional[str] = None
    continuing_subword_prefix: Optional[str] = None
    end_of_word_suffix: Optional[str] = None
    fuse_unk: bool = False
    byte_fallback: bool = False
    ignore_merges: bool = False
    # The id that each merge makes: found while checking.
    made: Sequence[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.dropout is not None and not 0.0 <= self.dropout <= 1.0:
            raise FormatError(f"{self.dropout} is not in 0..1", field="dropout")
        merges = self.merges if isinstance(self.merges, MergeList) else MergeList.of(self.merges)
        object.__setattr__(self, "merges", merges)
        object.__setattr__(self, "made", merges.made(self.vocab, self.continuing_subword_prefix or ""))

    @classmethod
    def from_fields(cls, fields: Fields) -> BPE:
        try:
            return cls(
                read_vocab(fields),
                read_merges(fields),
                _read_dropout(fields),
                fields.optional_string("unk_token"),
                fields.optional_string("continuing_subword_prefix"),
                fields.optional_string("end_of_word_suffix"),
                bool(fields.optional_boolean("fuse_unk")),
                bool(fields.optional_boolean("byte_fallback")),
                bool(fields.optional_boolean("ignore_merges")),
            )
        except FormatError as error:
            inside = (error.field or "").startswith(fields.where)
            raise error if inside else fields.error(error.field or "", error.reason) from None

    def to_fields(self) -> Dict[str, object]:
        return {
            "type": self.TYPE,
            "dropout": self.dropout,
            "unk_token": self.unk_token,
            "continuing_subword_prefix": self.continuing_subword_prefix,
            "end_of_word_suffix": self.end_of_word_suffix,
            "fuse_unk": self.fuse_unk,
            "byte_fallback": self.byte_fallback,
            "ignore_merges": self.ignore_merges,
            "vocab": in_id_order(self.vocab),
            "merges": list(map(list, self.merges)),
        }

    @property
    def vocab_size(self) -> int:
        return len(self.vocab)

    @cached_property
    def _tokens(self) -> Tokens:
        return by_id(self.vocab)

    def token_to_id(self, token: str) -> Optional[int]:
        return self.vocab.get(token)

    def id_to_token(self, index: int) -> Optional[str]:
        tokens = self._tokens
        if isinstance(tokens, (dict, ById)):
            return tokens.get(index)
        return tokens[index] if 0 <= index < len(tokens) else None

    @cached_property
    def alphabet(self) -> Alphabet:
        """How pieces become symbols."""
        return Alphabet(
            self.vocab,
            self.unk_token,
            self.continuing_subword_prefix or "",
            self.end_of_word_suffix or "",
            self.fuse_unk,
            self.byte_fallback,
        )

    @cached_property
    def sought(self) -> Merges:
        """The merges by id without a table, where they are simple; else the table."""
        distinct = len(self._tokens) == len(self.vocab)
        if not distinct or "" in self.vocab or self.continuing_subword_prefix:
            return self._table(simple=False)
        merges = cast("MergeList", self.merges)
        ranks = SoughtRanks(self.vocab, self._tokens, merges, self.made)
        return Merges(ranks, self.made, self._width, simple=True)

    @cached_property
    def table(self) -> Merges:
        """The merges by id in a table."""
        return self._table(simple=True) if self.sought.simple else self.sought

    def _table(self, *, simple: bool) -> Merges:
        find, merges = self.vocab.__getitem__, cast("MergeList", self.merges)
        ranks = rank_table(map(find, merges.left), map(find, merges.right), list(self.vocab.values()))
        return Merges(ranks, tuple(self.made), self._width, simple)

    @cached_property
    def _width(self) -> int:
        return max(self.vocab.values(), default=0) + 1 | 1

    def build(self) -> BPESegmenter:
        """A segmenter; all of them share their tables, which are the size of the vocabulary."""
        return BPESegmenter(self, self._fast)

    @cached_property
    def _fast(self) -> FastBPE:
        return FastBPE(self)


def _read_dropout(fields: Fields) -> Optional[float]:
    """HF keeps single precision, and writes its shortest decimal form."""
    value = fields.optional_number("dropout")
    if value is None:
        return None
    try:
        single: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        raise fields.error("dropout", f"{str(value)[:40]} is not in 0..1") from None
    shortest = (float(f"{single:.{digits}g}") for digits in range(6, 10))
    return next(number for number in shortest if struct.pack("<f", number) == struct.pack("<f", single))


@dataclass(frozen=True)
class BPESegmenter:
    """`tokenize` is symbols, merges, offsets; `ids` is `FastBPE`."""

    model: BPE
    fast: FastBPE

    @property
    def merges(self) -> Merges:
        return self.model.table

    def tokenize(self, piece: str) -> List[Token]:
        """Raises UnsupportedError with dropout above 0, EncodeError for an unknown that has no token."""
        self._refuse_dropout()
        if self.model.ignore_merges and piece in self.model.vocab:
            return [Token(self.model.vocab[piece], piece, 0, len(piece))]
        symbols = self.model.alphabet.symbols(piece)
        merge = merge_plain if len(symbols) <= 64 and self.merges.simple else merge_queue
        parts = merge(symbols, self.merges)
        spans = character_ranges(piece, (size for _, size in parts))
        name = self.model.id_to_token
        return [Token(index, name(index) or "", *span) for (index, _), span in zip(parts, spans)]

    def ids(self, piece: str) -> List[int]:
        self._refuse_dropout()
        if self.model.ignore_merges:
            whole = self.model.vocab.get(piece)
            if whole is not None:
                return [whole]
        return list(self.fast.ids(piece))

    def forget(self) -> None:
        """Empty what texts have filled; tables stay."""
        self.fast.forget()

    def merges_of(self, piece: str) -> List[Tuple[str, str, int]]:
        """(left, right, rank) of each merge of a piece, in the order in which they happen."""
        if self.model.ignore_merges and piece in self.model.vocab:
            return []
        applied: List[Step] = []
        merge_queue(self.model.alphabet.symbols(piece), self.merges, applied)
        name = self.model.id_to_token
        return [(name(left) or "", name(right) or "", rank) for left, right, rank in applied]

    def is_cut_behind(self, characters: str) -> bool:
        """No token goes from one of these characters on to another one, wherever they stand in a piece."""
        return not self.model.ignore_merges and self.fast.is_cut_behind(characters)

    def of_bytes(self) -> Optional[ByteBPE]:
        """The same model on raw text whose bytes are to be spelled out, with cuts that only raw text has."""
        if self.model.dropout:
            return None
        return ByteBPE(self.fast, self.model.ignore_merges)

    def _refuse_dropout(self) -> None:
        if self.model.dropout:
            raise UnsupportedError(
                f"BPE dropout {self.model.dropout} merges at random: there is no one answer to compare"
            )
