"""Whether a part does the same as the one that a tokenizer.txt has in its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Iterator, Tuple

from ...core.decoders.byte_level import ByteLevel as ByteLevelDecoder
from ...core.decoders.metaspace import Metaspace
from ...core.description import Description
from ...core.models.bpe import BPE
from ...core.models.pieces import Kind, byte_of
from ...core.models.scored_pieces import ScoredPieces
from ...core.models.unigram import Unigram
from ...core.pretokenizers.bert import BertPreTokenizer
from ...core.pretokenizers.byte_level import ByteLevel
from ...core.pretokenizers.sequence import Sequence as PreTokenizers
from .documented import MARK

_SPLITTERS = (PreTokenizers, ByteLevel, BertPreTokenizer)


def alike(whole: Description, held: Description, name: str) -> bool:
    """Whether ids and texts are the same: but for flags of offsets, and tokens that no merge makes."""
    part, other = getattr(whole, name), getattr(held, name)
    if isinstance(part, BPE) and isinstance(other, BPE) and not part.ignore_merges:
        return _same_merges(part, other)
    if isinstance(part, Unigram) and isinstance(other, ScoredPieces):
        return whole.normalizer == held.normalizer and not any(reachable(whole, other))
    if isinstance(part, ByteLevelDecoder):
        return isinstance(other, ByteLevelDecoder)
    if isinstance(part, Metaspace) and isinstance(held.model, ScoredPieces):
        return _only_leads(part, whole, held.model)
    if isinstance(part, _SPLITTERS) and isinstance(other, _SPLITTERS):
        return _fields(part) == _fields(other)
    return bool(part == other)


def _same_merges(part: BPE, held: BPE) -> bool:
    prefix, suffix = part.continuing_subword_prefix or None, part.end_of_word_suffix or None
    plain = replace(part, vocab=held.vocab, continuing_subword_prefix=prefix, end_of_word_suffix=suffix)
    return plain == held and part.vocab.items() <= held.vocab.items()


def reachable(whole: Description, model: ScoredPieces) -> Iterator[str]:
    """Entries that text can be as a Unigram and not as pieces: no added token catches them before.

    With other normalizers a text may become one of the caught ones, too.
    """
    caught = {token.content for token in whole.added_tokens if not token.single_word and not token.normalized}
    for piece in model.table.pieces:
        if piece.kind not in (Kind.NORMAL, Kind.USER_DEFINED) and piece.text not in caught:
            yield piece.text
    unigram = whole.model
    if isinstance(unigram, Unigram) and unigram.unknown_score != model.build().unknown_score:
        yield ""


def _only_leads(part: Metaspace, whole: Description, model: ScoredPieces) -> bool:
    """Whether every token has at most one mark, in front: then it is no matter which of them are dropped."""
    tokens = (*(piece.text for piece in model.table.pieces), *(token.content for token in whole.added_tokens))
    is_plain = all(token and token[0] != " " and MARK not in token[1:] for token in tokens)
    spells = any(byte_of(piece) is not None for piece in model.table.pieces)
    return is_plain and not spells and part.replacement == MARK and part.prepend_scheme != "never"


def _fields(part: Any) -> object:
    """As in JSON, without what concerns offsets."""
    if isinstance(part, PreTokenizers):
        return [_fields(one) for one in part.pretokenizers]
    return {name: value for name, value in part.to_fields().items() if name != "trim_offsets"}


def disguised(text: str) -> Tuple[str, ...]:
    """What normalizers make the text of: the text itself, capitals, full width."""
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)
    return text, text.upper(), wide
