"""The components of tokenizer.json: fields, order of fields, and order among components.

Facts of tokenizers 0.23.3. A component of our own that is not in here is still read: by its ``type``,
through its own ``from_fields``.
"""

from __future__ import annotations

from ...core.added_columns import FLAGS, AddedTokens
from .families import Candidate, Family
from .models import MODEL
from .shapes import (
    At,
    Field,
    Shape,
    boolean,
    character,
    constant,
    enum,
    fixed,
    many,
    mapping,
    optional,
    string,
    struct,
    unsigned,
)

__all__ = [
    "DECODER",
    "MODEL",
    "NORMALIZER",
    "PADDING",
    "POST_PROCESSOR",
    "PRE_TOKENIZER",
    "TRUNCATION",
    "added_tokens",
]

_CORE = "tokassay.core"
_U32, _USIZE = unsigned(32), unsigned(64)
_BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
_PATTERN = enum({"String": string, "Regex": string})
_TOKEN_AND_ID = fixed(string, _U32)


def _unit(name: str) -> Candidate:
    """A component without fields: its type must be right, and ``["NFC"]`` will do."""
    return Candidate(name, struct(name, (), typed=True))


def _candidate(name: str, *fields: Field, typed: bool = False, listed: bool = True) -> Candidate:
    return Candidate(name, struct(name, fields, typed=typed, listed=listed))


def _metaspace() -> Candidate:
    fields = (
        Field("replacement", character),
        Field("add_prefix_space", optional(boolean), optional=True),
        Field("prepend_scheme", constant("first", "never", "always"), default="always"),
        Field("split", optional(boolean), optional=True),
        Field("str_rep", optional(string), optional=True, kept=False),
    )
    shape = struct("Metaspace", fields, typed=True)

    def check(value: object, at: At) -> object:
        found = shape(value, at)
        assert isinstance(found, dict)
        if found.pop("add_prefix_space") is False and found["prepend_scheme"] != "never":
            raise at.field("add_prefix_space").error("false contradicts prepend_scheme")
        return {**found, "split": found["split"] is not False}

    return Candidate("Metaspace", check)


_BYTE_LEVEL = _candidate(
    "ByteLevel",
    Field("add_prefix_space", boolean),
    Field("trim_offsets", boolean),
    Field("use_regex", boolean, default=True),
    typed=True,
    listed=False,
)
_REPLACE = _candidate("Replace", Field("pattern", _PATTERN), Field("content", string))


def _normalizer(value: object, at: At) -> object:
    return NORMALIZER.resolve(value, at)


def _pre_tokenizer(value: object, at: At) -> object:
    return PRE_TOKENIZER.resolve(value, at)


def _post_processor(value: object, at: At) -> object:
    return POST_PROCESSOR.resolve(value, at)


def _decoder(value: object, at: At) -> object:
    return DECODER.resolve(value, at)


_BERT_FIELDS = (
    Field("clean_text", boolean),
    Field("handle_chinese_chars", boolean),
    Field("strip_accents", optional(boolean), optional=True),
    Field("lowercase", boolean),
)
NORMALIZER = Family(
    f"{_CORE}.normalizers",
    (
        Candidate("BertNormalizer", struct("BertNormalizer", _BERT_FIELDS), tag="Bert"),
        _candidate("Strip", Field("strip_left", boolean), Field("strip_right", boolean)),
        _unit("StripAccents"),
        _unit("NFC"),
        _unit("NFD"),
        _unit("NFKC"),
        _unit("NFKD"),
        _candidate("Sequence", Field("normalizers", many(_normalizer))),
        _unit("Lowercase"),
        _unit("Nmt"),
        Candidate(
            "Precompiled", struct("Precompiled", (Field("precompiled_charsmap", string),)), guessed=False
        ),
        _REPLACE,
        _candidate("Prepend", Field("prepend", string)),
        _unit("ByteLevel"),
    ),
)
PRE_TOKENIZER = Family(
    f"{_CORE}.pretokenizers",
    (
        _unit("BertPreTokenizer"),
        _BYTE_LEVEL,
        Candidate(
            "CharDelimiterSplit",
            struct("CharDelimiterSplit", (Field("delimiter", character),), typed=True, listed=False),
            tag="Delimiter",
        ),
        _metaspace(),
        _unit("Whitespace"),
        _candidate("Sequence", Field("pretokenizers", many(_pre_tokenizer)), typed=True, listed=False),
        _candidate(
            "Split",
            Field("pattern", _PATTERN),
            Field("behavior", constant(*_BEHAVIORS)),
            Field("invert", boolean),
            typed=True,
        ),
        _candidate(
            "Punctuation",
            Field("behavior", constant(*_BEHAVIORS), default="Isolated"),
            typed=True,
            listed=False,
        ),
        _unit("WhitespaceSplit"),
        _candidate("Digits", Field("individual_digits", boolean), typed=True, listed=False),
        _unit("UnicodeScripts"),
        _candidate("FixedLength", Field("length", _USIZE, default=5), typed=True, listed=False),
    ),
)
_PIECE_FIELDS = struct("", (Field("id", string), Field("type_id", _U32)))
_SEQUENCE_FIELDS = struct("", (Field("id", constant("A", "B")), Field("type_id", _U32)))
_TEMPLATE = many(enum({"Sequence": _SEQUENCE_FIELDS, "SpecialToken": _PIECE_FIELDS}))
_SPECIAL_TOKEN = struct("", (Field("id", string), Field("ids", many(_U32)), Field("tokens", many(string))))
POST_PROCESSOR = Family(
    f"{_CORE}.postprocessors",
    (
        _candidate(
            "RobertaProcessing",
            Field("sep", _TOKEN_AND_ID),
            Field("cls", _TOKEN_AND_ID),
            Field("trim_offsets", boolean),
            Field("add_prefix_space", boolean),
        ),
        _candidate("BertProcessing", Field("sep", _TOKEN_AND_ID), Field("cls", _TOKEN_AND_ID)),
        _BYTE_LEVEL,
        _candidate(
            "TemplateProcessing",
            Field("single", _TEMPLATE),
            Field("pair", _TEMPLATE),
            Field("special_tokens", mapping(_SPECIAL_TOKEN)),
        ),
        _candidate("Sequence", Field("processors", many(_post_processor)), typed=True, listed=False),
    ),
    tagged=False,
)
DECODER = Family(
    f"{_CORE}.decoders",
    (
        _candidate("BPEDecoder", Field("suffix", string)),
        _BYTE_LEVEL,
        _candidate("WordPiece", Field("prefix", string), Field("cleanup", boolean)),
        _metaspace(),
        _candidate(
            "CTC",
            Field("pad_token", string),
            Field("word_delimiter_token", string),
            Field("cleanup", boolean),
        ),
        _candidate("Sequence", Field("decoders", many(_decoder)), typed=True, listed=False),
        _REPLACE,
        _unit("Fuse"),
        _candidate("Strip", Field("content", character), Field("start", _USIZE), Field("stop", _USIZE)),
        _unit("ByteFallback"),
    ),
)
_PLAIN_TYPES = (int, str, bool, bool, bool, bool, bool)
added_token = struct(
    "",
    (Field("id", _U32), Field("content", string), *(Field(name, boolean) for name in FLAGS)),
    listed=False,
)


def added_tokens(value: object, at: At) -> object:
    """A list of added tokens. There may be thousands, so what is in plain order is not taken apart."""
    if isinstance(value, (AddedTokens, tuple)):  # checked while it was read
        return value
    if not isinstance(value, list):
        raise at.expected("a list", value)
    return [item if _is_plain(item) else added_token(item, at.item(i)) for i, item in enumerate(value)]


def _is_plain(item: object) -> bool:
    if type(item) is not dict or tuple(item) != ("id", "content", *FLAGS):
        return False
    return tuple(map(type, item.values())) == _PLAIN_TYPES and 0 <= item["id"] < 1 << 32


TRUNCATION: Shape = struct(
    "",
    (
        Field("direction", constant("Left", "Right"), default="Right"),
        Field("max_length", _USIZE),
        Field("strategy", constant("LongestFirst", "OnlyFirst", "OnlySecond")),
        Field("stride", _USIZE),
    ),
)
PADDING: Shape = struct(
    "",
    (
        Field("strategy", enum({"BatchLongest": None, "Fixed": _USIZE})),
        Field("direction", constant("Left", "Right")),
        Field("pad_to_multiple_of", optional(_USIZE), optional=True),
        Field("pad_id", _U32),
        Field("pad_type_id", _U32),
        Field("pad_token", string),
    ),
)
