"""Models of .mtok (clauses ``mtok.model.*``)."""

from __future__ import annotations

import struct
from array import array
from typing import List

from ...core.description import Model
from ...core.errors import FormatError
from ...core.models.entries import Entries, entries
from ...core.models.sorted_bpe import SortedBPE
from ...core.models.sorted_merges import SortedMerges
from ...core.models.sorted_vocabulary import SortedVocabulary
from ...core.models.unigram import Unigram
from ...core.models.wordpiece import WordPiece
from .cursor import Cursor, string, u8, u32

BPE, WORDPIECE, UNIGRAM = range(3)


def read(cursor: Cursor) -> Model:
    """Structure is proven; the tables of BPE and WordPiece stay in the file."""
    start, kind = cursor.at, cursor.u8("model.type")
    if kind not in (BPE, WORDPIECE, UNIGRAM):
        raise cursor.fault(f"no model has type {kind}", "model.type", start)
    count = cursor.u32("model.vocab_size")
    if kind == BPE:
        return _bpe(cursor, count)
    return _wordpiece(cursor, count) if kind == WORDPIECE else _unigram(cursor, count)


def _vocabulary(cursor: Cursor, count: int) -> SortedVocabulary:
    vocab = SortedVocabulary.walk(cursor.data, cursor.at, count)
    cursor.at = vocab.end
    return vocab


def _bpe(cursor: Cursor, count: int) -> SortedBPE:
    byte_fallback, byte_level = cursor.flag("model.byte_fallback"), cursor.flag("model.byte_level")
    merge_count = cursor.u32("model.merge_size")
    vocab = _vocabulary(cursor, count)
    merges = SortedMerges(cursor.data, cursor.at, merge_count)
    cursor.at += len(merges.stored)
    return SortedBPE(vocab, merges, byte_fallback, byte_level)


def _wordpiece(cursor: Cursor, count: int) -> WordPiece:
    unknown, prefix = cursor.string("model.unk_token"), cursor.string("model.continuing_subword_prefix")
    longest = cursor.u32("model.max_input_chars_per_word")
    return WordPiece(_vocabulary(cursor, count), unknown, prefix, longest)


def _unigram(cursor: Cursor, count: int) -> Unigram:
    """Scores are needed together, so this one is read whole: ids 0..count-1, each once."""
    unknown, byte_fallback = cursor.u32("model.unk_id"), cursor.flag("model.byte_fallback")
    if count > cursor.left // 14:
        raise cursor.fault(f"{count} entries do not fit into the file", "model.vocab", cursor.at)
    found, places, before = Entries(), array("I", bytes(4 * count)), b""
    for place in range(count):
        at, token = cursor.at, cursor.string("model.vocab").encode("utf-8")
        index, score = cursor.u32("model.vocab"), struct.unpack("<d", cursor.take(8, "model.vocab"))[0]
        if index >= count or places[index]:
            raise cursor.fault(f"id {index} is not one of {count}, or comes twice", "model.vocab", at)
        if not -float("inf") < score < float("inf"):
            raise cursor.fault(f"score {score} is not finite", "model.vocab", at)
        if token < before:
            raise cursor.fault("entries are not sorted", "model.vocab", at)
        found.append(token, score)
        places[index], before = place + 1, token
    if unknown >= count:
        raise cursor.fault(f"{unknown} is outside the vocabulary of {count}", "model.unk_id", cursor.at)
    ordered = Entries()
    for place in places:
        ordered.append(found.texts.strings[place - 1], found.scores[place - 1])
    return Unigram(entries(ordered), unknown, byte_fallback)


def written(model: Model) -> bytes:
    """The bytes of a model that this format has; FormatError for any other."""
    if isinstance(model, SortedBPE):
        return _written_bpe(model)
    if isinstance(model, WordPiece):
        return _written_wordpiece(model)
    if isinstance(model, Unigram) and model.unk_id is not None:
        return _written_unigram(model, model.unk_id)
    raise FormatError(f".mtok cannot hold {model.TYPE} as it is", field="model")


def _written_bpe(model: SortedBPE) -> bytes:
    flags = bytes([model.byte_fallback, model.byte_level])
    head = u8(BPE) + u32(len(model.vocab)) + flags + u32(len(model.merges))
    return head + model.vocab.stored + model.merges.stored


def _written_wordpiece(model: WordPiece) -> bytes:
    vocab = model.vocab if isinstance(model.vocab, SortedVocabulary) else SortedVocabulary.of(model.vocab)
    if model.max_input_chars_per_word >= 1 << 32:
        raise FormatError("is above 2**32-1", field="model.max_input_chars_per_word")
    names = string(model.unk_token, "model") + string(model.continuing_subword_prefix, "model")
    return u8(WORDPIECE) + u32(len(vocab)) + names + u32(model.max_input_chars_per_word) + vocab.stored


def _written_unigram(model: Unigram, unknown: int) -> bytes:
    order = sorted(range(len(model.pieces)), key=lambda index: (model.pieces[index][0], index))
    records: List[bytes] = []
    for index in order:
        token, score = model.pieces[index]
        records.append(string(token, f"model.vocab[{index}]") + struct.pack("<Id", index, score))
    return u8(UNIGRAM) + u32(len(order)) + u32(unknown) + u8(model.byte_fallback) + b"".join(records)
