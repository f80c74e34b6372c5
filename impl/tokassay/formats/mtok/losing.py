"""What .mtok cannot hold, by component (clauses ``mtok.project.*``)."""

from __future__ import annotations

import re
from typing import Iterator, Optional, Tuple

from ...core.description import Decoder, Description, Normalizer, PreTokenizer
from ...core.models.bpe import BPE
from ...core.models.sorted_bpe import SortedBPE
from ...core.models.unigram import Unigram
from ...core.models.wordpiece import WordPiece
from ...core.unicode.normalization import nfc, nfd
from ..losing import Missing, stored_lengths
from .pretokenizers import BEHAVIOURS
from .projecting import spells_bytes

_BYTE_TOKENS = tuple(f"<0x{byte:02X}>" for byte in range(256))
_MARKS = ("e\u0301", "q\u0307\u0323", "a\u0323\u0301", "\uac00\u11a8")
_TABLED = {
    "NFC": "NFC becomes a table of single code points: nothing composes, marks are not reordered",
    "NFKC": "NFKC becomes a table of single code points: nothing composes, marks are not reordered",
    "NFKD": "NFKD becomes an NFKC table",
    "Precompiled": "Precompiled becomes an NFKC table",
    "StripAccents": "StripAccents becomes a table that decomposes first",
}
_DROPPED = ("NFD", "Nmt", "ByteLevel")
_UNSPLIT = ("Whitespace", "Punctuation", "CharDelimiterSplit", "UnicodeScripts", "FixedLength")
_META = re.compile(r"[\\^$.|?*+()\[\]{}]")


def missing(description: Description) -> Iterator[Missing]:
    """Everything that `project` changes in a way that some text shows."""
    yield from _normalizer(description.normalizer, "normalizer")
    yield from _pre_tokenizer(description.pre_tokenizer, "pre_tokenizer")
    yield from _model(description)
    if description.decoder is None:
        yield Missing("decoder", "no decoder becomes ByteLevel", ("a a",))
    yield from _decoder(description.decoder, "decoder")
    yield from _added_tokens(description)
    yield from stored_lengths(description)


def _normalizer(part: Optional[Normalizer], field: str) -> Iterator[Missing]:
    kind = "" if part is None else part.TYPE
    if kind in _TABLED:
        yield Missing(field, _TABLED[kind], ("\u00e9", *_MARKS))
    elif kind in _DROPPED:
        yield Missing(field, f"{kind} is dropped", ("\u00e9", "\x01", *_MARKS))
    elif kind == "Replace" and (part.pattern.kind != "String" or not part.pattern.source):  # type: ignore[union-attr]
        yield Missing(field, "Replace by a regular expression is dropped", ("aa", "  ", "``"))
    for i, one in enumerate(getattr(part, "normalizers", ())):
        yield from _normalizer(one, f"{field}.normalizers[{i}]")


def _pre_tokenizer(part: Optional[PreTokenizer], field: str) -> Iterator[Missing]:
    kind = "" if part is None else part.TYPE
    if kind in _UNSPLIT:
        between = f"a{getattr(part, 'delimiter', ' ')}b"
        yield Missing(field, f"{kind} is dropped", (between, "ab ab", "a-b", "a.b", "ab12"))
    elif kind == "ByteLevel" and part.add_prefix_space:  # type: ignore[union-attr]
        yield Missing(field, "ByteLevel no longer adds a space in front", ("a",))
    elif kind == "Metaspace":
        yield from _metaspace(part, field)
    elif kind == "Split":
        yield from _split(part, field)
    for i, one in enumerate(getattr(part, "pretokenizers", ())):
        yield from _pre_tokenizer(one, f"{field}.pretokenizers[{i}]")


def _metaspace(part: object, field: str) -> Iterator[Missing]:
    if part.prepend_scheme == "first":  # type: ignore[attr-defined]
        yield Missing(f"{field}.prepend_scheme", "Metaspace with scheme first becomes always")
    if not part.pieces:  # type: ignore[attr-defined]
        yield Missing(f"{field}.split", "Metaspace without split splits", ("a b", "a b c d"))


def _split(part: object, field: str) -> Iterator[Missing]:
    pattern, behaviour = part.pattern, part.behavior  # type: ignore[attr-defined]
    if behaviour not in BEHAVIOURS:
        reason = f"Split behaviour {behaviour} becomes Removed: what matches is lost"
        yield Missing(f"{field}.behavior", reason, (f"a{pattern.source}b", "a-b", "a--b", "a b"))
    if pattern.kind == "String" and _META.search(pattern.source):
        reason = "a plain pattern becomes a regular expression"
        yield Missing(f"{field}.pattern", reason, (f"a{pattern.source}b", "ab"))


def _model(description: Description) -> Iterator[Missing]:
    model = description.model
    if not isinstance(model, (BPE, SortedBPE, Unigram, WordPiece)):
        yield Missing("model", f"{model.TYPE} has no place in the file")
    if isinstance(model, Unigram) and model.unk_id is None:
        yield Missing("model.unk_id", "a Unigram model must have an unknown token")
    if isinstance(model, BPE):
        yield from _bpe(model)
        if spells_bytes(description):
            yield Missing(
                "model", "the file says that the model spells bytes; here nothing does", ("\u00e9", " a")
            )


def _bpe(model: BPE) -> Iterator[Missing]:
    all_bytes = model.byte_fallback and all(map(model.vocab.__contains__, _BYTE_TOKENS))
    if model.unk_token is not None and not all_bytes:
        yield Missing("model.unk_token", "unknown characters vanish", ("\U000e0041", "\x00", "axb"))
    for name in ("continuing_subword_prefix", "end_of_word_suffix"):
        if getattr(model, name):
            yield Missing(f"model.{name}", "is dropped", ("ab", "the", "a"))
    if model.ignore_merges:
        yield Missing("model.ignore_merges", "whole words that merges do not make are taken apart")
    if model.dropout:
        yield Missing("model.dropout", "is dropped")


def _decoder(part: Optional[Decoder], field: str) -> Iterator[Missing]:
    kind = "" if part is None else part.TYPE
    if kind in ("BPEDecoder", "CTC"):
        yield Missing(field, f"{kind} becomes ByteLevel")
    elif kind == "Metaspace" and part.prepend_scheme == "first":  # type: ignore[union-attr]
        return  # decodes as always does
    elif kind == "Replace" and (part.pattern.kind != "String" or not part.pattern.source):  # type: ignore[union-attr]
        yield Missing(field, "Replace by a regular expression is dropped", ("aa", "a b"))
    for i, one in enumerate(getattr(part, "decoders", ())):
        yield from _decoder(one, f"{field}.decoders[{i}]")


def _added_tokens(description: Description) -> Iterator[Missing]:
    for i, token in enumerate(description.added_tokens):
        if token.single_word:
            inside = (f"{token.content}a", f"a{token.content}")
            yield Missing(f"added_tokens[{i}].single_word", "is found inside words, too", inside)
        if token.normalized and _matters(description, token.content):
            reason, texts = "is only found in the text as it is", _variants(token.content)
            yield Missing(f"added_tokens[{i}].normalized", reason, (*texts, f"a {token.content}"))


def _variants(content: str) -> Tuple[str, ...]:
    """What a normalizer may make the same."""
    return content.upper(), content.lower(), nfd(content), nfc(content)


def _matters(description: Description, content: str) -> bool:
    """Whether looking for the token before or behind the normalizer can be told apart."""
    normalizer = description.normalizer
    parts = getattr(normalizer, "normalizers", (normalizer,))
    return normalizer is not None and bool(parts) and content != ""
