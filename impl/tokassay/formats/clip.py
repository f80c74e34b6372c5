"""CLIP's file of merges, plain or gzipped; the vocabulary follows from it (clauses ``clip.*``)."""

from __future__ import annotations

import zlib
from typing import Dict, Iterator, List, NoReturn, Optional, Tuple

from ..core.byte_alphabet import CHAR_OF_BYTE
from ..core.decoders.byte_level import ByteLevel as ByteLevelDecoder
from ..core.description import AddedToken, Description
from ..core.errors import FormatError
from ..core.matching import TextPattern
from ..core.models.bpe import BPE
from ..core.normalizers.lowercase import Lowercase
from ..core.normalizers.nfc import NFC
from ..core.normalizers.replace import Replace
from ..core.normalizers.sequence import Sequence as Normalizers
from ..core.postprocessors.roberta import RobertaProcessing
from ..core.pretokenizers.byte_level import ByteLevel
from ..core.pretokenizers.sequence import Sequence as Splitters
from ..core.pretokenizers.split import Split

NAME = "clip-merges"
GZIP = b"\x1f\x8b"
HEAD = b'"bpe_simple_vocab_16e6.txt#version:'
MOST_MERGES = 49152 - 256 - 2
ROOM = 16 << 20  # what a gzipped file may unfold to, beyond four times its size
SUFFIX = "</w>"
START, END = "<|startoftext|>", "<|endoftext|>"
PATTERN = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"


def probe(data: bytes) -> bool:
    """The first line of the only such file there is, behind gzip or not."""
    if data[:2] != GZIP:
        return data.startswith(HEAD)
    try:
        return zlib.decompressobj(31).decompress(data[:4096], len(HEAD)) == HEAD
    except zlib.error:
        return True  # nothing else that is read here is gzipped


def parse(data: bytes) -> Description:
    """BPE on lower-cased text. FormatError with field and offset (in the unfolded file)."""
    text = _unfolded(data) if data[:2] == GZIP else data
    merges = list(_merges(text))
    vocab = _vocabulary(merges)
    model = BPE(vocab, merges, unk_token=END, end_of_word_suffix=SUFFIX)
    split = Split(TextPattern("Regex", PATTERN), "Removed", invert=True)
    blanks = Replace(TextPattern("Regex", r"\s+"), " ")
    return Description(
        model=model,
        normalizer=Normalizers((NFC(), blanks, Lowercase())),
        pre_tokenizer=Splitters((split, ByteLevel(add_prefix_space=False))),
        post_processor=RobertaProcessing(
            (END, vocab[END]), (START, vocab[START]), trim_offsets=False, add_prefix_space=False
        ),
        decoder=ByteLevelDecoder(add_prefix_space=True, trim_offsets=True),
        added_tokens=tuple(
            AddedToken(vocab[name], name, normalized=False, special=True) for name in (START, END)
        ),
    )


def _unfolded(data: bytes) -> bytes:
    limit = 4 * len(data) + ROOM
    stream = zlib.decompressobj(31)
    try:
        text = stream.decompress(data, limit)
    except zlib.error as error:
        raise FormatError(f"is not gzip: {error}", field="gzip", offset=0) from error
    if not stream.eof:
        reason = f"unfolds to more than {limit} bytes" if len(text) == limit else "ends too early"
        raise FormatError(reason, field="gzip", offset=len(data))
    return text


def locate(data: bytes, field: str) -> Optional[int]:
    """The line of a merge, in the unfolded file."""
    text = _unfolded(data) if data[:2] == GZIP else data
    lines = (offset for place, (offset, _) in enumerate(_lines(text)) if field == f"merges[{place}]")
    return next(lines, None)


def _lines(text: bytes) -> Iterator[Tuple[int, List[bytes]]]:
    """The lines behind the first one with their offsets, as many as ``clip.vocabulary`` has room for."""
    offset = 0
    for line in text.split(b"\n", MOST_MERGES + 1)[: MOST_MERGES + 1]:
        parts = line.rstrip(b"\r").split()
        if offset and parts:
            yield offset, parts
        offset += len(line) + 1


def _merges(text: bytes) -> Iterator[Tuple[str, str]]:
    if not text.startswith(HEAD):
        raise FormatError("does not begin with the name of the file", field="head", offset=0)
    for place, (offset, parts) in enumerate(_lines(text)):
        try:
            left, right = (part.decode("utf-8") for part in parts)
        except ValueError as error:  # UnicodeDecodeError is one, too
            reason = "expected two parts in UTF-8"
            raise FormatError(reason, field=f"merges[{place}]", offset=offset) from error
        yield left, right


def _vocabulary(merges: List[Tuple[str, str]]) -> Dict[str, int]:
    """Bytes, bytes at the end of a word, what the merges make, the two special tokens."""
    visible = [char for byte, char in enumerate(CHAR_OF_BYTE) if ord(char) == byte]
    letters = visible + [char for byte, char in enumerate(CHAR_OF_BYTE) if ord(char) != byte]
    tokens = [*letters, *(letter + SUFFIX for letter in letters)]
    tokens += [left + right for left, right in merges]
    return {token: index for index, token in enumerate([*tokens, START, END])}


def serialize(description: Description) -> NoReturn:
    """Not written."""
    raise FormatError(f"{NAME} are only read", field=type(description.model).__name__)
