"""SentencePiece's ``.model``: a protobuf message with the vocabulary and two specs (``sentencepiece.*``)."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field
from typing import Dict, NoReturn, Optional, Sequence, Tuple, Union

from ..core.description import Description
from ..core.description import Warning as Oddity
from ..core.errors import FormatError
from ..core.models.scored_bpe import ScoredBPE
from ..core.models.scored_tokens import BYTE, CONTROL, NORMAL, UNKNOWN, USER_DEFINED, ScoredTokens
from ..core.models.scored_unigram import ScoredUnigram
from ..core.normalizers.sentence_piece import SentencePiece
from ..core.packed import Index, Strings
from ..core.packed import tokens as spelling
from ._marks import mark_decoder
from ._protobuf import Field, Range, content, fields, number, single, text

NAME = "sentencepiece"
PIECES, TRAINER, NORMALIZER = 1, 2, 3
MOST_NAMED = 100_000
UNIGRAM, BPE = 1, 2
MODEL_TYPE, SUFFIX, BYTE_FALLBACK, UNKNOWN_SURFACE = 3, 24, 35, 44
CHARSMAP, DUMMY_PREFIX, EXTRA_SPACES, ESCAPE = 2, 3, 4, 5


def probe(data: bytes) -> bool:
    """A first piece whose own first field is a string; the lengths may be wrong."""
    place = 1
    while place < len(data) and data[place] & 0x80:  # the length of the piece
        place += 1
    return place < 10 and data[:1] == b"\x0a" == data[place + 1 : place + 2]


@dataclass
class Read:
    """What the file says, defaults filled in."""

    tokens: Index = field(default_factory=lambda: Index(Strings(), last=False))
    scores: array[float] = field(default_factory=lambda: array("f"))
    kinds: bytearray = field(default_factory=bytearray)
    numbers: Dict[int, int] = field(
        default_factory=lambda: {MODEL_TYPE: UNIGRAM, SUFFIX: 0, BYTE_FALLBACK: 0}
    )
    charsmap: bytes = b""
    unknown_surface: str = " \u2047 "
    switches: Dict[int, int] = field(default_factory=lambda: {DUMMY_PREFIX: 1, EXTRA_SPACES: 1, ESCAPE: 1})


def parse(data: bytes) -> Description:
    """BPE or Unigram with its normalizer. FormatError with field and offset."""
    read = Read()
    for one in fields(data, Range(0, len(data)), ""):
        if one.number == PIECES:
            _read_piece(data, one._replace(where=f"pieces[{len(read.kinds)}]"), read)
        elif one.number == TRAINER:
            _read_trainer(data, one._replace(where="trainer_spec"), read)
        elif one.number == NORMALIZER:
            _read_normalizer(data, one._replace(where="normalizer_spec"), read)
    if not read.kinds:
        raise FormatError("holds no pieces", field="pieces", offset=len(data))
    return _describe(read)


def locate(data: bytes, field: str) -> Optional[int]:
    """Where a number or the charsmap of a spec stands; the end of the file where it is left out."""
    wanted, name = {"trainer_spec": TRAINER, "normalizer_spec": NORMALIZER}, field.partition(".")[0]
    found = [
        inner.offset
        for one in fields(data, Range(0, len(data)), "")
        if one.number == wanted.get(name)
        for inner in fields(data, content(one), name)
        if inner.where == field
    ]
    return found[-1] if found else len(data)


def _read_piece(data: bytes, message: Field, read: Read) -> None:
    token, score, kind = "", 0.0, NORMAL
    for one in fields(data, content(message), message.where):
        if one.number == 1:
            token = text(data, one)
        elif one.number == 2:
            score = single(data, one)
        elif one.number == 3:
            kind = number(one)
    if not math.isfinite(score) or not NORMAL <= kind <= BYTE:
        reason = f"score {score} is not finite" if NORMAL <= kind <= BYTE else f"type {kind} is not known"
        raise FormatError(reason, field=message.where, offset=message.offset)
    before = read.tokens.add(token.encode("utf-8"))
    if not token or before is not None:
        reason = f"is that of pieces[{before}], too" if token else "is empty"
        raise FormatError(f"the piece {reason}", field=message.where, offset=message.offset)
    read.scores.append(score)
    read.kinds.append(kind)


def _read_numbers(data: bytes, message: Field, numbers: Dict[int, int]) -> None:
    for one in fields(data, content(message), message.where):
        if one.number in numbers:
            numbers[one.number] = number(one)


def _read_trainer(data: bytes, message: Field, read: Read) -> None:
    _read_numbers(data, message, read.numbers)
    for one in fields(data, content(message), message.where):
        if one.number == UNKNOWN_SURFACE:
            read.unknown_surface = text(data, one)


def _read_normalizer(data: bytes, message: Field, read: Read) -> None:
    _read_numbers(data, message, read.switches)
    for one in fields(data, content(message), message.where):
        if one.number == CHARSMAP:
            inside = content(one)
            read.charsmap = data[inside.start : inside.end]


def _describe(read: Read) -> Description:
    kind = read.numbers[MODEL_TYPE]
    if kind not in (UNIGRAM, BPE):
        raise FormatError(f"model type {kind} is neither Unigram (1) nor BPE (2)", field="trainer_spec.3")
    named = sum(map(read.kinds.count, (CONTROL, UNKNOWN, USER_DEFINED)))
    if named > MOST_NAMED:
        raise FormatError(f"{named} of them are not normal, {MOST_NAMED} are allowed", field="pieces")
    tokens = spelling(read.tokens.strings)
    table = ScoredTokens(tokens, read.scores, bytes(read.kinds))
    fallback = bool(read.numbers[BYTE_FALLBACK])
    model: Union[ScoredBPE, ScoredUnigram]
    model = ScoredUnigram(table, fallback) if kind == UNIGRAM else ScoredBPE(table, fallback)
    try:
        normalizer = SentencePiece(
            read.charsmap,
            bool(read.switches[DUMMY_PREFIX]),
            bool(read.switches[EXTRA_SPACES]),
            bool(read.switches[ESCAPE]),
            bool(read.numbers[SUFFIX]),
            tuple(token for token, kind in zip(tokens, read.kinds) if kind == USER_DEFINED),
        )
    except FormatError as error:
        raise FormatError(error.reason, field="normalizer_spec.2") from error
    notes = [] if UNKNOWN in read.kinds else [Oddity("pieces", "no unknown piece: unknown text is an error")]
    decoder = mark_decoder(normalizer, _named(read, tokens))
    return Description(model=model, normalizer=normalizer, decoder=decoder, warnings=tuple(notes))


def _named(read: Read, tokens: Sequence[str]) -> Tuple[Tuple[str, str], ...]:
    """Control pieces decode to nothing, the unknown one to its surface (``sentencepiece.decode.named``)."""
    shown = {CONTROL: "", UNKNOWN: read.unknown_surface}
    return tuple((token, shown[kind]) for token, kind in zip(tokens, read.kinds) if kind in shown)


def serialize(description: Description) -> NoReturn:
    """Not written."""
    raise FormatError(f"{NAME} models are only read", field=type(description.model).__name__)
