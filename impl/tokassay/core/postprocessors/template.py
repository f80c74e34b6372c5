"""TemplateProcessing: special tokens around the sequences, as a template says (``post.template.*``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List, Mapping, Tuple, Union

from ..columns import Columns
from ..errors import EncodeError, FormatError
from ..fields import Fields

_U32 = 2**32 - 1


@dataclass(frozen=True)
class SequencePiece:
    """A place for the first (`id` "A") or the second (`id` "B") sequence."""

    id: str
    type_id: int

    def to_fields(self) -> Dict[str, object]:
        return {"Sequence": {"id": self.id, "type_id": self.type_id}}


@dataclass(frozen=True)
class SpecialPiece:
    """A place for the special token that `TemplateProcessing.special_tokens` knows as `id`."""

    id: str
    type_id: int

    def to_fields(self) -> Dict[str, object]:
        return {"SpecialToken": {"id": self.id, "type_id": self.type_id}}


Piece = Union[SequencePiece, SpecialPiece]


@dataclass(frozen=True)
class SpecialToken:
    """What stands for a special token: one id or several, with their token strings."""

    id: str
    ids: Tuple[int, ...]
    tokens: Tuple[str, ...]

    @classmethod
    def from_fields(cls, fields: Fields) -> SpecialToken:
        ids = fields.each("ids", lambda value, place: Fields({"id": value}, place).integer("id", most=_U32))
        tokens = fields.each("tokens", lambda value, place: Fields({"token": value}, place).string("token"))
        return cls(fields.string("id"), ids, tokens)

    def to_fields(self) -> Dict[str, object]:
        return {"id": self.id, "ids": list(self.ids), "tokens": list(self.tokens)}


@dataclass(frozen=True)
class TemplateProcessing:
    """HF ``processors.TemplateProcessing``; `special_tokens` maps the name in a template to its token."""

    TYPE: ClassVar[str] = "TemplateProcessing"
    single: Tuple[Piece, ...]
    pair: Tuple[Piece, ...]
    special_tokens: Mapping[str, SpecialToken]

    @classmethod
    def from_fields(cls, fields: Fields) -> TemplateProcessing:
        known = fields.object("special_tokens")
        tokens = {name: SpecialToken.from_fields(known.object(name)) for name in known.values}
        return cls(fields.each("single", _piece), fields.each("pair", _piece), tokens)

    def to_fields(self) -> Dict[str, object]:
        return {
            "type": self.TYPE,
            "single": [piece.to_fields() for piece in self.single],
            "pair": [piece.to_fields() for piece in self.pair],
            "special_tokens": {
                name: self.special_tokens[name].to_fields() for name in sorted(self.special_tokens)
            },
        }

    def added_tokens(self, pair: bool) -> int:
        names = [
            piece.id for piece in (self.pair if pair else self.single) if isinstance(piece, SpecialPiece)
        ]
        return sum(len(self.special_tokens[name].ids) for name in names if name in self.special_tokens)

    def process(self, parts: List[Columns], add_special_tokens: bool) -> List[Columns]:
        """Fills the template.

        Raises:
            EncodeError: the template asks for what is not there (the oracle panics then).
        """
        if len(parts) not in (1, 2):
            raise EncodeError(f"template: takes one or two sequences, not {len(parts)}")
        template, parts = (self.single if len(parts) == 1 else self.pair), list(parts)
        filled: List[Columns] = []
        for piece in template:
            if isinstance(piece, SequencePiece):
                filled.append(_sequence(parts, piece))
            elif add_special_tokens:
                filled.append(self._special(piece))
        return filled

    def _special(self, piece: SpecialPiece) -> Columns:
        token = self.special_tokens.get(piece.id)
        if token is None:
            raise EncodeError(f"template: special token {piece.id!r} is not among special_tokens")
        return Columns.special(token.ids, token.tokens, piece.type_id)


def _sequence(parts: List[Columns], piece: SequencePiece) -> Columns:
    index = 0 if piece.id == "A" else 1
    if index >= len(parts):
        raise EncodeError("template: asks for a second sequence where there is one")
    # A sequence that occurs twice keeps, in its overflowing encodings, the type ids it came with.
    parts[index] = parts[index].with_type(piece.type_id)
    return parts[index]


def _piece(value: object, where: str) -> Piece:
    """``{"Sequence": {...}}`` or ``{"SpecialToken": {...}}``."""
    fields = Fields.of(value, where)
    if set(fields.values) == {"Sequence"}:
        inner = fields.object("Sequence")
        return SequencePiece(inner.choice("id", ("A", "B")), inner.integer("type_id", most=_U32))
    if set(fields.values) == {"SpecialToken"}:
        inner = fields.object("SpecialToken")
        return SpecialPiece(inner.string("id"), inner.integer("type_id", most=_U32))
    raise FormatError("expected exactly one of Sequence and SpecialToken", field=where)
