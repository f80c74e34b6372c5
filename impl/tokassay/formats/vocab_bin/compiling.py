"""From a byte-level vocabulary to the entries of a vocab.bin (clauses ``vocab-bin.compile.*``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Dict, Iterator, List, Mapping, Optional, Tuple

from ...core.added_tokens import AddedVocabulary
from ...core.byte_records import Records, pack
from ...core.description import Component, Description
from ...core.errors import FormatError

Singles = Mapping[str, bytes]
"""Characters that are stored as one byte."""
# Ids may be this many times as many as entries: more holes than that are a mistake.
SPARSEST = 4


@dataclass(frozen=True)
class Compiled:
    """Entries by id, and where they come from.

    Attributes:
        tokens: id → stored bytes of the vocabulary's own tokens.
        special: id → stored bytes of the tokens that were added to it.
        converted: how many of `tokens` are not simply their UTF-8; the others are kept as they are.
    """

    tokens: Mapping[int, bytes]
    special: Mapping[int, bytes]
    converted: int

    @cached_property
    def strings(self) -> List[bytes]:
        """Stored bytes of ids 0, 1, ...; empty for a hole. FormatError where holes prevail."""
        found: Dict[int, bytes] = {**self.tokens, **self.special}
        count = max(found, default=-1) + 1
        if count == 0:
            raise FormatError("there are no tokens to write", field="model.vocab")
        if count > SPARSEST * len(found) + 1024:
            reason = f"{len(found)} tokens reach up to id {count - 1}: every id would take an entry"
            raise FormatError(reason, field="model.vocab")
        return [found.get(index, b"") for index in range(count)]

    @cached_property
    def data(self) -> bytes:
        """The file's bytes."""
        return pack(self.strings)

    def statistics(self) -> Dict[str, int]:
        """The figures that are printed after compiling."""
        kept = len(self.tokens) - self.converted
        return {
            "total entries": len(self.strings),
            "converted": self.converted,
            "kept": kept,
            "special copied": len(self.special),
            "max_len": max(map(len, self.strings)),
            "bytes": len(self.data),
        }


def compile_entries(
    description: Description, specials: Optional[Records] = None, single: Optional[Singles] = None
) -> Compiled:
    """The entries of a byte-level tokenizer.

    Args:
        description: its model's vocabulary spells bytes with the byte alphabet.
        specials: a vocab.bin from which the entries behind the vocabulary are copied instead.
        single: which characters become one byte, instead of `SINGLE` (to show what happens then).

    Raises:
        FormatError: the tokenizer does not spell bytes; a token is too long; there are too many holes.
    """
    if not spells_bytes(description):
        raise FormatError(
            "vocab.bin holds byte-level vocabularies; nothing here is ByteLevel", field="decoder"
        )
    spelled = {index: token for token, index in description.model.vocab.items()}
    special = _added(description) if specials is None else _copied(specials, max(spelled, default=-1) + 1)
    tokens = {
        index: stored_bytes(spelled[index], single) for index in sorted(spelled) if index not in special
    }
    converted = sum(stored != spelled[index].encode("utf-8") for index, stored in tokens.items())
    return Compiled(tokens, special, converted)


def stored_bytes(token: str, single: Optional[Singles] = None) -> bytes:
    """A token of the byte alphabet as it is stored (``vocab-bin.compile.bytes``).

    Characters for the bytes 7F..FF become those bytes; all others, the markers of space and line feed
    among them, stay what they are in UTF-8.
    """
    table = SINGLE if single is None else single
    return b"".join([table.get(char) or char.encode("utf-8", "surrogatepass") for char in token])


def _single() -> Iterator[Tuple[str, bytes]]:
    yield "\u0143", b"\xad"
    yield "\u0121", b"\x7f"
    for code in range(0x0122, 0x0143):
        yield chr(code), bytes([code - 0xA2])
    for code in (*range(0xA1, 0xAD), *range(0xAE, 0x100)):
        yield chr(code), bytes([code])


SINGLE: Singles = dict(_single())


def spells_bytes(description: Description) -> bool:
    """Whether a ByteLevel component, alone or within a Sequence, reads or writes the byte alphabet."""
    parts = (description.normalizer, description.pre_tokenizer, description.decoder)
    return any(_names_byte_level(part) for part in parts)


def _names_byte_level(part: Optional[Component]) -> bool:
    if part is None or part.TYPE == "ByteLevel":
        return part is not None
    inner = ("normalizers", "pretokenizers", "decoders")
    return any(_names_byte_level(each) for name in inner for each in getattr(part, name, ()))


def _added(description: Description) -> Dict[int, bytes]:
    """Added tokens as plain UTF-8, by the id in force."""
    added = AddedVocabulary.build(description.added_tokens, description.model, description.normalizer)
    return {index: token.content.encode("utf-8") for index, token in sorted(added.tokens.items())}


def _copied(records: Records, first: int) -> Dict[int, bytes]:
    return {i: stored for i, stored in enumerate(records.strings) if i >= first and stored}
