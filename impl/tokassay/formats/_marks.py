"""The decoder of vocabularies that write a space as U+2581: SentencePiece's, and GGUF's of the same kind."""

from __future__ import annotations

from typing import Tuple

from ..core.decoders.byte_fallback import ByteFallback
from ..core.decoders.fuse import Fuse
from ..core.decoders.named_tokens import NamedTokens
from ..core.decoders.replace import Replace
from ..core.decoders.sequence import Sequence as Decoders
from ..core.description import Decoder
from ..core.matching import TextPattern
from ..core.normalizers.sentence_piece import MARK, SPACE, SentencePiece


def mark_decoder(normalizer: SentencePiece, named: Tuple[Tuple[str, str], ...] = ()) -> Decoder:
    """Marks to spaces, bytes to text, and the mark in front taken away (``sentencepiece.decode``)."""
    every = normalizer.remove_extra_whitespaces
    leading = MARK if every or normalizer.add_dummy_prefix else ""
    names = NamedTokens(named, leading, every)
    return Decoders((names, Replace(TextPattern("String", MARK), SPACE), ByteFallback(), Fuse()))
