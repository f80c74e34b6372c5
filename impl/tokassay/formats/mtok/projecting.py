"""What .mtok can hold of a description: as the exporter maps it (clauses ``mtok.project.*``)."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, Dict, Optional, Tuple

from ...core import description as core
from ...core.decoders.byte_level import ByteLevel as ByteLevelDecoder
from ...core.decoders.metaspace import Metaspace as MetaspaceDecoder
from ...core.decoders.replace import Replace as ReplaceDecoder
from ...core.decoders.sequence import Sequence as DecoderSequence
from ...core.description import Description, Device
from ...core.errors import FormatError
from ...core.matching import TextPattern
from ...core.models.bpe import BPE
from ...core.models.sorted_bpe import SortedBPE
from ...core.models.sorted_merges import SortedMerges
from ...core.models.sorted_vocabulary import SortedVocabulary
from ...core.models.unigram import Unigram
from ...core.models.wordpiece import WordPiece
from ...core.normalizers.bert import BertNormalizer
from ...core.normalizers.code_point_table import CodePointTable
from ...core.normalizers.nothing import Nothing
from ...core.normalizers.replace import Replace
from ...core.normalizers.sequence import Sequence as NormalizerSequence
from ...core.normalizers.tabled_bert import TabledBert
from ...core.pretokenizers import nothing
from ...core.pretokenizers.byte_level import ByteLevel
from ...core.pretokenizers.metaspace import Metaspace
from ...core.pretokenizers.sequence import Sequence as PreTokenizerSequence
from ...core.pretokenizers.split import Split
from ...core.unicode.normalization import Form
from ...core.unicode.single_points import single_points
from . import decoders, pretokenizers
from .framing import programmed, special_ids
from .reading import frame

DEFAULT_VERSION = "14.0"
_FORMS: Dict[str, Form] = {"NFC": "NFC", "NFKC": "NFKC", "NFKD": "NFKC", "Precompiled": "NFKC"}
_KEPT = ("CodePointTable", "TabledBert", "UntabledNFKC", "Prepend", "Strip", "Nothing")


def project(description: Description, table_version: str = DEFAULT_VERSION) -> Description:
    """The nearest description that .mtok holds; reading it back from a file gives an equal one.

    Args:
        description: any. Its `device` says the header lists and the tail; by default the special ids are
            those of the added tokens, and the prefix is what stands before the text.
        table_version: Unicode version of the tables that stand for NFC, NFKC and NFD.

    Raises:
        FormatError: there is nothing near (WordLevel, a Unigram without unknown token).
    """
    added = tuple(
        core.AddedToken(token.id, token.content, False, token.lstrip, token.rstrip, False, token.special)
        for token in description.added_tokens
    )
    normalizer = _normalizer(description.normalizer, table_version)
    device = _device(description)
    return Description(
        project_model(description),
        None if isinstance(normalizer, Nothing) else normalizer,
        _top(_pre_tokenizer(description.pre_tokenizer)),
        frame(device, added),
        _decoder(description.decoder),
        added,
        device=device,
    )


def _device(description: Description) -> Device:
    """The lists and the tail that are given, else the defaults."""
    ops = programmed(description.post_processor)
    given = description.device
    if given is None:
        prefix = tuple(op for op in ops[: ops.index(None)] if op is not None) if None in ops else ()
        given = Device(special_ids(description.added_tokens), (), prefix, "", "", 0, "")
    if given.bos_token is not None and given.program is None:
        return replace(given, program=core.Program(ops))
    return given


def _normalizer(part: Optional[core.Normalizer], version: str) -> Optional[core.Normalizer]:
    if part is None or part.TYPE in _KEPT:
        return part
    if part.TYPE in _FORMS:
        return CodePointTable(single_points(_FORMS[part.TYPE], version))
    if part.TYPE == "Lowercase":
        return BertNormalizer(False, False, strip_accents=False, lowercase=True)
    if part.TYPE == "StripAccents":
        return TabledBert(False, False, True, False, _decomposing(version))
    if isinstance(part, BertNormalizer):
        return _bert(part, version)
    if isinstance(part, Replace) and part.pattern.kind == "String" and part.pattern.source:
        return part
    if isinstance(part, NormalizerSequence):
        return NormalizerSequence(tuple(_normalizer(one, version) or Nothing() for one in part.normalizers))
    return Nothing()


def _decomposing(version: str) -> CodePointTable:
    return CodePointTable(single_points("NFD", version))


def _bert(part: BertNormalizer, version: str) -> core.Normalizer:
    strips = part.lowercase if part.strip_accents is None else part.strip_accents
    if not strips:
        return replace(part, strip_accents=False)
    clean, cjk = part.clean_text, part.handle_chinese_chars
    return TabledBert(clean, cjk, True, part.lowercase, _decomposing(version))


def _top(part: Optional[core.PreTokenizer]) -> Optional[core.PreTokenizer]:
    return None if isinstance(part, nothing.Nothing) else part


def _pre_tokenizer(part: Optional[core.PreTokenizer]) -> Optional[core.PreTokenizer]:
    if part is None or part.TYPE in ("Digits", "BertPreTokenizer", "Nothing"):
        return part
    if isinstance(part, ByteLevel):
        return pretokenizers.byte_level(use_regex=part.use_regex)
    if isinstance(part, Metaspace):
        return pretokenizers.metaspace(part.replacement, prefix=part.prepend_scheme != "never")
    if isinstance(part, Split):
        return _split(part)
    if part.TYPE == "WhitespaceSplit":
        return Split(TextPattern("Regex", "\\s+"), "Removed", invert=False)
    if isinstance(part, PreTokenizerSequence):
        parts = (_pre_tokenizer(one) or nothing.Nothing() for one in part.pretokenizers)
        return PreTokenizerSequence(tuple(parts))
    return nothing.Nothing()


def _split(part: Split) -> Split:
    """A plain text becomes a pattern as it stands; a behaviour without a number becomes Removed."""
    behaviour = part.behavior if part.behavior in pretokenizers.BEHAVIOURS else "Removed"
    return Split(TextPattern("Regex", part.pattern.source), behaviour, part.invert)


def _decoder(part: Optional[core.Decoder]) -> core.Decoder:
    if part is None or isinstance(part, ByteLevelDecoder) or part.TYPE in ("BPEDecoder", "CTC"):
        return decoders.PLAIN_BYTE_LEVEL
    if isinstance(part, MetaspaceDecoder):
        return MetaspaceDecoder(part.replacement, "never" if part.prepend_scheme == "never" else "always")
    if isinstance(part, ReplaceDecoder) and not (part.pattern.kind == "String" and part.pattern.source):
        return DecoderSequence(())
    if isinstance(part, DecoderSequence):
        return DecoderSequence(tuple(_decoder(one) for one in part.decoders))
    return part


def project_model(description: Description) -> core.Model:
    """Only the model."""
    model = description.model
    if isinstance(model, BPE):
        return sorted_bpe(model, byte_level=spells_bytes(description))
    if isinstance(model, WordPiece):
        vocab = model.vocab if isinstance(model.vocab, SortedVocabulary) else SortedVocabulary.of(model.vocab)
        return replace(model, vocab=vocab)
    if isinstance(model, SortedBPE) or (isinstance(model, Unigram) and model.unk_id is not None):
        return model
    reason = "Unigram without unk_id" if isinstance(model, Unigram) else model.TYPE
    raise FormatError(f".mtok cannot hold {reason}, nor anything near it", field="model")


def sorted_bpe(model: BPE, *, byte_level: bool) -> SortedBPE:
    """The same merges on sorted tables; of equal pairs only the last one, which is the one that counts."""
    ranks: Dict[Tuple[int, int], int] = {}
    ids = model.vocab
    for rank, (left, right) in enumerate(model.merges):
        ranks[ids[left], ids[right]] = rank
    merges = SortedMerges.of((*pair, rank) for pair, rank in ranks.items())
    return SortedBPE(SortedVocabulary.of(model.vocab), merges, model.byte_fallback, byte_level)


def spells_bytes(description: Description) -> bool:
    """As the exporter decides: a Sequence without ByteLevel, decoded by ByteLevel."""
    splitter = description.pre_tokenizer
    if not isinstance(splitter, PreTokenizerSequence):
        return False
    holds: Callable[[object, str], bool] = lambda part, name: getattr(part, "TYPE", "") == name  # noqa: E731
    inside = getattr(description.decoder, "decoders", (description.decoder,))
    if any(holds(part, "ByteLevel") for part in splitter.pretokenizers):
        return False
    return any(holds(part, "ByteLevel") for part in inside)
