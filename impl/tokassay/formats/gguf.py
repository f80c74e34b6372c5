"""The vocabulary in a GGUF file's metadata; the tensors are not looked at (clauses ``gguf.*``)."""

from __future__ import annotations

import math
import struct
import sys
from array import array
from typing import Any, Callable, Dict, Mapping, NoReturn, Optional, Sequence, Tuple

from ..core.decoders.byte_level import ByteLevel as ByteLevelDecoder
from ..core.decoders.wordpiece import WordPiece as WordPieceDecoder
from ..core.description import AddedToken, Description
from ..core.errors import FormatError
from ..core.matching import TextPattern
from ..core.models.bpe import BPE
from ..core.models.bpe_merges import Gathered, MergeList
from ..core.models.scored_bpe import ScoredBPE
from ..core.models.scored_tokens import BYTE, CONTROL, NORMAL, UNKNOWN, USER_DEFINED, ScoredTokens
from ..core.models.scored_unigram import ScoredUnigram
from ..core.models.wordpiece import WordPiece
from ..core.normalizers.bert import BertNormalizer
from ..core.normalizers.sentence_piece import SentencePiece
from ..core.packed import Strings, places
from ..core.packed import tokens as spelling
from ..core.pretokenizers.bert import BertPreTokenizer
from ..core.pretokenizers.byte_level import ByteLevel
from ..core.pretokenizers.sequence import Sequence as Splitters
from ..core.pretokenizers.split import Split
from ._marks import mark_decoder
from ._patterns import LLAMA_CPP, WHOLE_PIECES

NAME = "gguf"
MAGIC, VERSIONS = b"GGUF", (2, 3)
PREFIX = "tokenizer.ggml."
MARK = "\u2581"
MOST_ADDED = 100_000
UNKNOWN_WORD = 100  # llama.cpp's default, as in BERT's own vocabulary
STRING, ARRAY, BOOL = 8, 9, 7
NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
WANTED = frozenset(
    PREFIX + name
    for name in (
        "model",
        "pre",
        "tokens",
        "scores",
        "token_type",
        "merges",
        "add_space_prefix",
        "remove_extra_whitespaces",
        "precompiled_charsmap",
        "unknown_token_id",
    )
)


def probe(data: bytes) -> bool:
    return data[:4] == MAGIC


class Cursor:
    """Reads forward; FormatError (offset, field) instead of past the end."""

    def __init__(self, data: bytes, place: int) -> None:
        self.data, self.place, self.field = data, place, "header"

    def error(self, reason: str, offset: Optional[int] = None) -> FormatError:
        return FormatError(reason, field=self.field, offset=self.place if offset is None else offset)

    def take(self, size: int) -> int:
        """The place of the next `size` bytes."""
        begin = self.place
        if size > len(self.data) - begin:
            raise self.error(f"needs {size} bytes, {len(self.data) - begin} are left")
        self.place += size
        return begin

    def number(self, code: str) -> Any:
        return struct.unpack_from(f"<{code}", self.data, self.take(struct.calcsize(f"<{code}")))[0]

    def string(self) -> str:
        return self.text().decode("utf-8")

    def text(self) -> bytes:
        """UTF-8."""
        size = self.number("Q")
        begin = self.take(size)
        found = self.data[begin : begin + size]
        try:
            found.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self.error(f"is not UTF-8: {error.reason}", begin + error.start) from error
        return found

    def value(self, kind: int, *, keep: bool) -> Any:
        """A value, None where it is passed over."""
        if kind == STRING:
            return self.string() if keep else self._skip_string()
        if kind == ARRAY:
            return self._array(keep=keep)
        if kind not in NUMBERS:
            raise self.error(f"value type {kind} is not known")
        return self.number(NUMBERS[kind])

    def _skip_string(self) -> None:
        self.take(self.number("Q"))

    def _array(self, *, keep: bool) -> Any:
        kind, count = self.number("I"), self.number("Q")
        if kind in NUMBERS:
            return self._numbers(NUMBERS[kind], count, keep=keep)
        if kind != STRING:
            raise self.error(f"an array of value type {kind} is not read")
        if count > (len(self.data) - self.place) // 8:
            raise self.error(f"{count} strings do not fit into the rest of the file")
        if keep:
            return spelling(Strings(self.text() for _ in range(count)))
        for _ in range(count):
            self._skip_string()
        return None

    def _numbers(self, code: str, count: int, *, keep: bool) -> Any:
        size = struct.calcsize(f"<{code}")
        begin = self.take(size * count)
        if not keep:
            return None
        found = array("B" if code == "?" else code)
        found.frombytes(self.data[begin : begin + size * count])
        if sys.byteorder == "big":
            found.byteswap()
        return found


def metadata(data: bytes, wanted: Callable[[str], bool] = WANTED.__contains__) -> Mapping[str, Any]:
    """The entries about the tokenizer, or others that are wanted. FormatError."""
    cursor = Cursor(data, len(MAGIC))
    if data[:4] != MAGIC:
        raise FormatError("does not begin with GGUF", field="header", offset=0)
    version = cursor.number("I")
    if version not in VERSIONS:
        raise FormatError(f"version {version} is not read, 2 and 3 are", field="header", offset=4)
    cursor.number("Q")  # tensors
    found: Dict[str, Any] = {}
    for place in range(cursor.number("Q")):
        cursor.field = f"metadata[{place}]"
        begin = cursor.place
        key = cursor.string()
        if key in found:
            raise FormatError(f"{key} came before", field=cursor.field, offset=begin)
        cursor.field = key
        keep = wanted(key)
        value = cursor.value(cursor.number("I"), keep=keep)
        if keep:
            found[key] = value
    return found


def locate(data: bytes, field: str) -> Optional[int]:
    """Where the value of an entry begins, or an item of it; the end of the metadata for a missing one."""
    cursor, (key, _, index) = Cursor(data, 8), field.partition("[")
    cursor.number("Q")
    for _ in range(cursor.number("Q")):
        name, kind, begin = cursor.string(), cursor.number("I"), cursor.place
        if name == key:
            return _item(cursor, kind, int(index.rstrip("]") or -1)) or begin
        cursor.value(kind, keep=False)
    return cursor.place


def _item(cursor: Cursor, kind: int, index: int) -> Optional[int]:
    """The place of a string in an array."""
    if kind != ARRAY or index < 0 or (cursor.number("I"), cursor.number("Q") > index) != (STRING, True):
        return None
    for _ in range(index):
        cursor.value(STRING, keep=False)
    return cursor.place


def parse(data: bytes) -> Description:
    """What llama.cpp calls gpt2, llama, t5 or bert. FormatError with field and offset."""
    entries = {key[len(PREFIX) :]: value for key, value in metadata(data).items()}
    kind = _entry(entries, "model", str)
    readers = {"gpt2": _merged, "llama": _scored, "t5": _scored, "bert": _word_pieces}
    if kind not in readers:
        reason = f"vocabularies of the kind {kind!r} are not read ({', '.join(readers)} are)"
        raise FormatError(reason, field=f"{PREFIX}model")
    return readers[kind](entries, kind)


def _entry(entries: Mapping[str, Any], name: str, kind: type, default: Any = None) -> Any:
    value = entries.get(name, default)
    if value is None or not isinstance(value, kind):
        reason = "is missing" if name not in entries else f"expected {kind.__name__}"
        raise FormatError(reason, field=PREFIX + name)
    return value


def _strings(entries: Mapping[str, Any], name: str) -> Sequence[str]:
    value: Sequence[str] = _entry(entries, name, Sequence)
    if isinstance(value, (str, array)):
        raise FormatError("expected a list of strings", field=PREFIX + name)
    return value


def _tokens(entries: Mapping[str, Any]) -> Tuple[Sequence[str], bytes]:
    """Token and type of each id."""
    tokens = _strings(entries, "tokens")
    kinds = _entry(entries, "token_type", array, array("i", [NORMAL]) * len(tokens))
    if len(kinds) != len(tokens):
        raise FormatError(f"{len(kinds)} types for {len(tokens)} tokens", field=f"{PREFIX}token_type")
    unknown = set(kinds) - set(range(NORMAL, BYTE + 1))
    if unknown:
        raise FormatError(f"type {min(unknown)} is not known", field=f"{PREFIX}token_type")
    return tokens, bytes(iter(kinds))


def _added(tokens: Sequence[str], kinds: bytes, special: Tuple[int, ...]) -> Tuple[AddedToken, ...]:
    count = sum(map(kinds.count, special))
    if count > MOST_ADDED:
        raise FormatError(f"{count} added tokens are too many", field=f"{PREFIX}token_type")
    return tuple(
        AddedToken(index, token, normalized=False, special=kind != USER_DEFINED)
        for index, (token, kind) in enumerate(zip(tokens, kinds))
        if kind in special and token
    )


def _merges(entries: Mapping[str, Any], vocab: Mapping[str, int]) -> MergeList:
    found = Gathered(vocab)
    for place, merge in enumerate(_strings(entries, "merges")):
        blank = merge.find(" ", 1)
        if blank < 0:
            raise FormatError("expected two parts", field=f"{PREFIX}merges[{place}]")
        found.add_named(merge[:blank], merge[blank + 1 :], f"{PREFIX}merges[{place}]")
    return found.merges()


def _merged(entries: Mapping[str, Any], kind: str) -> Description:  # noqa: ARG001 - one shape for all kinds
    tokens, kinds = _tokens(entries)
    pre = _entry(entries, "pre", str, "gpt-2")
    if pre not in LLAMA_CPP:
        known = ", ".join(LLAMA_CPP)
        raise FormatError(f"pre-tokenizer {pre!r} is not known ({known} are)", field=f"{PREFIX}pre")
    vocab = places(tokens, last=True)
    merges = _merges(entries, vocab)
    try:
        model = BPE(vocab, merges, ignore_merges=pre in WHOLE_PIECES)
    except FormatError as error:
        raise FormatError(error.reason, field=PREFIX + (error.field or "merges")) from error
    splits = [Split(TextPattern("Regex", pattern), "Isolated", invert=False) for pattern in LLAMA_CPP[pre]]
    return Description(
        model=model,
        pre_tokenizer=Splitters((*splits, ByteLevel(add_prefix_space=False, use_regex=not splits))),
        decoder=ByteLevelDecoder(add_prefix_space=False, trim_offsets=False),
        added_tokens=_added(tokens, kinds, (CONTROL, USER_DEFINED)),
    )


def _scored(entries: Mapping[str, Any], kind: str) -> Description:
    """llama: score merging with byte fallback; t5: the best sum, behind a charsmap."""
    tokens, kinds = _tokens(entries)
    scores = _entry(entries, "scores", array)
    if len(scores) != len(tokens) or scores.typecode != "f":
        raise FormatError(f"{len(scores)} scores for {len(tokens)} tokens", field=f"{PREFIX}scores")
    if any(map(math.isnan, scores)):  # neither above nor below any other: there is no order to join by
        raise FormatError("a score is not a number", field=f"{PREFIX}scores")
    # User-defined tokens were matched in the text; in what is left llama.cpp joins them like any other.
    free = kinds.replace(bytes([USER_DEFINED]), bytes([NORMAL]))
    table = ScoredTokens(tokens, scores, free)
    charsmap = _entry(entries, "precompiled_charsmap", array, array("B")).tobytes()
    try:
        normalizer = SentencePiece(
            charsmap if kind == "t5" else b"",
            _entry(entries, "add_space_prefix", bool, default=True),
            _entry(entries, "remove_extra_whitespaces", bool, default=False),
        )
    except FormatError as error:
        raise FormatError(error.reason, field=f"{PREFIX}precompiled_charsmap") from error
    return Description(
        model=ScoredUnigram(table) if kind == "t5" else ScoredBPE(table, byte_fallback=True),
        normalizer=normalizer,
        decoder=mark_decoder(normalizer),
        added_tokens=_added(tokens, kinds, (CONTROL, USER_DEFINED, UNKNOWN)),
    )


def _word_pieces(entries: Mapping[str, Any], kind: str) -> Description:  # noqa: ARG001
    """Words begin with the mark, what continues them with nothing; [CLS] and its like are special."""
    tokens, kinds = _tokens(entries)
    unknown = _entry(entries, "unknown_token_id", int, UNKNOWN_WORD)
    if unknown >= len(tokens):
        raise FormatError(f"{unknown} is no token", field=f"{PREFIX}unknown_token_id")
    spelled = (
        token if one == CONTROL or index == unknown else _hashed(token)
        for index, (token, one) in enumerate(zip(tokens, kinds))
    )
    vocab = places(spelling(Strings(map(str.encode, spelled))), last=True)
    return Description(
        model=WordPiece(vocab, tokens[unknown], "##", max_input_chars_per_word=sys.maxsize),
        normalizer=BertNormalizer(
            clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True
        ),
        pre_tokenizer=BertPreTokenizer(),
        decoder=WordPieceDecoder("##", cleanup=False),
        added_tokens=_added(tokens, kinds, (CONTROL, USER_DEFINED)),
    )


def _hashed(token: str) -> str:
    return token[len(MARK) :] if token.startswith(MARK) else f"##{token}"


def serialize(description: Description) -> NoReturn:
    """Not written."""
    raise FormatError(f"{NAME} files are only read", field=type(description.model).__name__)
