"""The first step of BPE: a piece as symbols, before any merge (clauses ``model.bpe.symbols.*``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional, Tuple

from ..errors import EncodeError

# (id, UTF-8 bytes that it stands for)
Symbol = Tuple[int, int]


@dataclass(frozen=True)
class Alphabet:
    """What turns characters into symbols: the options of the model that act before merging."""

    vocab: Mapping[str, int]
    unk_token: Optional[str]
    prefix: str
    suffix: str
    fuse_unk: bool
    byte_fallback: bool

    def symbols(self, piece: str) -> List[Symbol]:
        """Raises EncodeError when an unknown character meets an `unk_token` outside the vocabulary.

        An unknown character waits: it is emitted before the next *known* character, so byte
        symbols of a later character come out before it (clause ``model.bpe.symbols.unknown-order``).
        Without `unk_token` it is dropped.
        """
        symbols: List[Symbol] = []
        waiting: Optional[Symbol] = None
        known: Dict[str, Symbol] = {}  # values of one form have one character each
        for character, value in zip(piece, self._values(piece)):
            symbol = known.get(value)
            size = symbol[1] if symbol else len(character.encode())
            if symbol is None and value in self.vocab:
                symbol = known[value] = (self.vocab[value], size)
            if symbol is not None:
                if waiting is not None:
                    symbols.append(waiting)
                    waiting = None
                symbols.append(symbol)
                continue
            as_bytes = self._bytes(value)
            if as_bytes is not None:
                symbols += as_bytes
            elif self.unk_token is not None and waiting is not None and self.fuse_unk:
                waiting = (waiting[0], waiting[1] + size)
            elif self.unk_token is not None:
                if waiting is not None:
                    symbols.append(waiting)
                waiting = (self._unknown(character), size)
        return symbols if waiting is None else [*symbols, waiting]

    def _values(self, piece: str) -> List[str]:
        """The strings to look up: prefix on all but the first character, suffix on the last."""
        values = [piece[0], *(self.prefix + character for character in piece[1:])]
        values[-1] += self.suffix
        return values

    def _bytes(self, value: str) -> Optional[List[Symbol]]:
        """One symbol per byte of the value, prefix and suffix included, if every byte has an entry."""
        if not self.byte_fallback:
            return None
        found = [self.vocab.get(f"<0x{byte:02X}>") for byte in value.encode()]
        return None if None in found else [(index, 1) for index in found if index is not None]

    def _unknown(self, character: str) -> int:
        index = self.vocab.get(self.unk_token or "")
        if index is None:
            raise EncodeError(
                f"{character!r} is unknown and the unknown token {self.unk_token!r} is not in the vocabulary"
            )
        return index
