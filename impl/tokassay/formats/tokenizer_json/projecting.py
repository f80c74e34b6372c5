"""What tokenizer.json can hold of a device file's description (clauses ``mtok.project.json``)."""

from __future__ import annotations

from dataclasses import replace
from typing import Iterator, List, Optional, Tuple

from ...core.description import Description, Model, Normalizer, PostProcessor, PreTokenizer
from ...core.models.sorted_bpe import SortedBPE
from ...core.models.wordpiece import WordPiece
from ...core.normalizers.bert import BertNormalizer
from ...core.normalizers.code_point_table import CodePointTable
from ...core.normalizers.nfc import NFC
from ...core.normalizers.nfd import NFD
from ...core.normalizers.nfkc import NFKC
from ...core.normalizers.nothing import Nothing
from ...core.normalizers.sequence import Sequence as Normalizers
from ...core.normalizers.tabled_bert import TabledBert
from ...core.normalizers.untabled_nfkc import UntabledNFKC
from ...core.postprocessors.id_frame import IdFrame
from ...core.postprocessors.template import (
    Piece,
    SequencePiece,
    SpecialPiece,
    SpecialToken,
    TemplateProcessing,
)
from ...core.pretokenizers import nothing
from ...core.pretokenizers.byte_level import ByteLevel
from ...core.pretokenizers.sequence import Sequence as Splitters
from ...core.unicode.single_points import VERSIONS, single_points
from ..losing import Missing


def project(description: Description) -> Description:
    """The same tokenizer in components that tokenizer.json has; FormatError names one that it has not."""
    return replace(
        description,
        model=_model(description.model),
        normalizer=_normalizer(description.normalizer),
        pre_tokenizer=_with_spelling(description, _pre_tokenizer(description.pre_tokenizer)),
        post_processor=_post_processor(description.post_processor),
        device=None,
        warnings=(),
    )


def _model(model: Model) -> Model:
    """On tables of its own, not on those of a file."""
    if isinstance(model, SortedBPE):
        return model.plain
    return replace(model, vocab=dict(model.vocab)) if isinstance(model, WordPiece) else model


def missing(description: Description) -> Iterator[Missing]:
    """Tables of single code points: the nearest component composes, or reads a newer Unicode version."""
    yield from _missing(description.normalizer, "normalizer")


def _missing(part: Optional[Normalizer], field: str) -> Iterator[Missing]:
    if isinstance(part, CodePointTable):
        yield Missing(
            field, f"a table of code points becomes {_form(part).TYPE}", ("e\u0301", "q\u0307\u0323")
        )
    if isinstance(part, TabledBert) and part.table is not None:
        yield Missing(field, "a table of decompositions becomes Unicode 9.0's", ("\u0e33", "\U00011938"))
    for i, one in enumerate(getattr(part, "normalizers", ())):
        yield from _missing(one, f"{field}.normalizers[{i}]")


def _normalizer(part: Optional[Normalizer]) -> Optional[Normalizer]:
    if isinstance(part, CodePointTable):
        return _form(part)
    if isinstance(part, TabledBert):
        return BertNormalizer(part.clean_text, part.handle_chinese_chars, part.strip_accents, part.lowercase)
    if isinstance(part, UntabledNFKC):
        return NFKC()
    if isinstance(part, Normalizers):
        parts = (_normalizer(one) for one in part.normalizers)
        return Normalizers(tuple(one for one in parts if one is not None))
    return None if isinstance(part, Nothing) else part


def _form(table: CodePointTable) -> Normalizer:
    """The form whose table it is; NFKC for one that nobody knows."""
    if table.entries == single_points("NFC", VERSIONS[0]):  # no later version changed it
        return NFC()
    decomposing = any(table.entries == single_points("NFD", version) for version in VERSIONS[:2])
    return NFD() if decomposing else NFKC()


def _pre_tokenizer(part: Optional[PreTokenizer]) -> Optional[PreTokenizer]:
    if isinstance(part, Splitters):
        parts = (_pre_tokenizer(one) for one in part.pretokenizers)
        return Splitters(tuple(one for one in parts if one is not None))
    return None if isinstance(part, nothing.Nothing) else part


def _with_spelling(description: Description, part: Optional[PreTokenizer]) -> Optional[PreTokenizer]:
    """A model that spells bytes itself leaves that to a pre-tokenizer here."""
    if not getattr(description.model, "byte_level", False):
        return part
    spelling = ByteLevel(add_prefix_space=False, trim_offsets=True, use_regex=False)
    before = part.pretokenizers if isinstance(part, Splitters) else (() if part is None else (part,))
    return Splitters((*before, spelling))


def _post_processor(part: Optional[PostProcessor]) -> Optional[PostProcessor]:
    if not isinstance(part, IdFrame):
        return part
    pieces: List[Piece] = []
    tokens: List[Tuple[str, SpecialToken]] = []
    for op, token in zip(part.ops, part.tokens):
        name = token or str(op)
        pieces.append(SequencePiece("A", 0) if op is None else SpecialPiece(name, 0))
        if op is not None:
            tokens.append((name, SpecialToken(name, (op,), (token,))))
    return TemplateProcessing(tuple(pieces), (*pieces, SequencePiece("B", 1)), dict(tokens))
