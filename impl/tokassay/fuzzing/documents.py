"""Small tokenizer.json documents of every component, and what can be wrong with them.

`documents` names each document by the field it is about. `mutants` changes one value at a time in every way:
to another type, away, twice, renamed, a list for an object. `damage` changes the text itself.
"""

from __future__ import annotations

import copy
import json
import random
from typing import Any, Dict, Iterator, List, Optional, Tuple

Path = Tuple[object, ...]
WORD_LEVEL: Dict[str, Any] = {
    "type": "WordLevel",
    "vocab": {"a": 0, "b": 1, "[UNK]": 2},
    "unk_token": "[UNK]",
}
_BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
_REPLACE = {"type": "Replace", "pattern": {"String": "a"}, "content": "b"}
_METASPACE = {"type": "Metaspace", "replacement": "_", "prepend_scheme": "always", "split": True}
_NORMALIZERS: List[Any] = [
    {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    },
    {"type": "Strip", "strip_left": True, "strip_right": False},
    *(
        {"type": name}
        for name in ("StripAccents", "NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Nmt", "ByteLevel")
    ),
    {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Prepend", "prepend": "x"}]},
    _REPLACE,
    {"type": "Replace", "pattern": {"Regex": "a+"}, "content": "b"},
    {"type": "Prepend", "prepend": "_"},
    {"type": "Precompiled", "precompiled_charsmap": "BAAAAAABAAAA"},
]
_PRE_TOKENIZERS: List[Any] = [
    _BYTE_LEVEL,
    {"type": "CharDelimiterSplit", "delimiter": "-"},
    _METASPACE,
    {
        "type": "Metaspace",
        "replacement": "_",
        "add_prefix_space": True,
        "prepend_scheme": "never",
        "str_rep": "_",
    },
    *({"type": name} for name in ("BertPreTokenizer", "Whitespace", "WhitespaceSplit", "UnicodeScripts")),
    {
        "type": "Sequence",
        "pretokenizers": [
            {"type": "Digits", "individual_digits": True},
            {"type": "Punctuation", "behavior": "Isolated"},
        ],
    },
    {"type": "Split", "pattern": {"Regex": "a|b"}, "behavior": "Removed", "invert": False},
    {"type": "FixedLength", "length": 3},
]
_POST_PROCESSORS: List[Any] = [
    {
        "type": "RobertaProcessing",
        "sep": ["a", 0],
        "cls": ["b", 1],
        "trim_offsets": True,
        "add_prefix_space": True,
    },
    {"type": "BertProcessing", "sep": ["a", 0], "cls": ["b", 1]},
    _BYTE_LEVEL,
    {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "a", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"a": {"id": "a", "ids": [0], "tokens": ["a"]}},
    },
    {"type": "Sequence", "processors": [{"type": "BertProcessing", "sep": ["a", 0], "cls": ["b", 1]}]},
]
_DECODERS: List[Any] = [
    {"type": "BPEDecoder", "suffix": "x"},
    _BYTE_LEVEL,
    {"type": "WordPiece", "prefix": "##", "cleanup": True},
    _METASPACE,
    {"type": "CTC", "pad_token": "p", "word_delimiter_token": "|", "cleanup": True},
    {
        "type": "Sequence",
        "decoders": [{"type": "Fuse"}, {"type": "Strip", "content": "_", "start": 1, "stop": 0}],
    },
    _REPLACE,
    {"type": "ByteFallback"},
]
_MODELS: List[Any] = [
    {
        "type": "BPE",
        "dropout": 0.0,
        "unk_token": "a",
        "continuing_subword_prefix": "",
        "end_of_word_suffix": "",
        "fuse_unk": True,
        "byte_fallback": False,
        "ignore_merges": True,
        "vocab": {"a": 0, "b": 1, "ab": 2},
        "merges": [["a", "b"]],
    },
    {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]},
    {
        "type": "BPE",
        "vocab": {"a": 0, "##b": 1, "ab": 2},
        "continuing_subword_prefix": "##",
        "merges": [["a", "##b"]],
    },
    {
        "type": "WordPiece",
        "unk_token": "a",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 5,
        "vocab": {"a": 0, "##b": 1},
    },
    WORD_LEVEL,
    {"type": "Unigram", "unk_id": 0, "vocab": [["a", -1.0], ["b", -2]], "byte_fallback": False},
]
_TRUNCATIONS: List[Any] = [{"direction": "Right", "max_length": 5, "strategy": "LongestFirst", "stride": 0}]
_PADDINGS: List[Any] = [
    {
        "strategy": strategy,
        "direction": "Left",
        "pad_to_multiple_of": 4,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    }
    for strategy in ("BatchLongest", {"Fixed": 5})
]
_FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": True, "special": False}
_ADDED_TOKENS: List[Any] = [
    [{"id": 3, "content": "x", **_FLAGS}, {"id": 0, "content": "a", **_FLAGS, "special": True}]
]
PARTS = {
    "normalizer": _NORMALIZERS,
    "pre_tokenizer": _PRE_TOKENIZERS,
    "post_processor": _POST_PROCESSORS,
    "decoder": _DECODERS,
    "model": _MODELS,
    "truncation": _TRUNCATIONS,
    "padding": _PADDINGS,
    "added_tokens": _ADDED_TOKENS,
}
VALUES: List[Any] = [
    *(None, True, False, 0, 1, -1, 5, 1.0, -0.5, 2**32 - 1, 2**32, 2**63, 2**64, 10**30, 1e-30),
    *("", "a", "ab", "NFC", "Right", "Isolated", "\u00e9"),
    *([], {}, [0], [None], ["a"], ["a", 0], [["a", 0]], ["a", "b"], [["a", "b"]], ["_", 1, 2]),
    *([True, True], [True, True, None, True], {"a": 0}, {"a": None}, {"String": "x"}, {"Regex": "("}),
    *({"NFC": None}, {"Removed": None}, {"Right": None}, {"Fixed": 1}),
    *({"type": "NFC"}, {"type": "Fuse"}, {"type": "Whitespace"}),
]
TYPES: List[Any] = [
    *("NFC", "Strip", "Prepend", "Sequence", "ByteLevel", "Fuse", "WordLevel", "BPE", "Unigram", "nope"),
    *("Bert", "Delimiter", "Metaspace", "Whitespace", {"NFC": None}, {"WordLevel": None}, {"Fuse": None}),
]


def document(**fields: object) -> Dict[str, Any]:
    """A WordLevel tokenizer.json with some fields set."""
    empty = dict.fromkeys(
        ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
    )
    return copy.deepcopy({"version": "1.0", **empty, "added_tokens": [], "model": WORD_LEVEL, **fields})


def documents() -> Iterator[Tuple[str, Dict[str, Any]]]:
    """(field, document) for every component and section."""
    for place, parts in PARTS.items():
        for part in parts:
            yield place, document(**{place: part})


def render(value: object, twice: Path = (), first: Optional[str] = None, path: Path = ()) -> str:
    """JSON text. The key at `twice` is written two times, with the value `first` the first time."""
    if isinstance(value, dict):
        items = []
        for key, item in value.items():
            text = render(item, twice, first, (*path, key))
            if twice == (*path, key):
                items.append(f"{json.dumps(key)}:{text if first is None else first}")
            items.append(f"{json.dumps(key)}:{text}")
        return "{" + ",".join(items) + "}"
    if isinstance(value, list):
        return "[" + ",".join(render(item, twice, first, (*path, i)) for i, item in enumerate(value)) + "]"
    return json.dumps(value)


def mutants(original: Dict[str, Any], place: str) -> Iterator[str]:
    """Texts of documents that differ from the original in one value below `place`."""
    yield render(original)
    for path in _paths(original[place], (place,)):
        for value in VALUES:
            yield render(_replaced(original, path, value))
        yield from _around(original, path)
        target = _at(original, path)
        if isinstance(target, dict):
            yield from _objects(original, path, target)
        elif isinstance(target, list):
            for extra in (None, 0, "a"):
                yield render(_replaced(original, path, [*target, extra]))


def _around(original: Dict[str, Any], path: Path) -> Iterator[str]:
    """The value taken away, its key repeated or renamed."""
    without = copy.deepcopy(original)
    del _at(without, path[:-1])[path[-1]]
    yield render(without)
    if isinstance(path[-1], str):
        for first in (None, "5", '"a"', "null"):
            yield render(original, path, first)
        for name in ("x", "type", "a"):
            renamed = copy.deepcopy(original)
            parent = _at(renamed, path[:-1])
            parent[name] = parent.pop(path[-1])
            yield render(renamed)


def _objects(original: Dict[str, Any], path: Path, target: Dict[str, Any]) -> Iterator[str]:
    """An object as a list of its fields, with a field too many, with another type."""
    values = list(target.values())
    for listed in (values, values[1:], values[:-1], [*values[1:], None], values[1:-1], [target.get("type")]):
        yield render(_replaced(original, path, listed))
    yield render(_replaced(original, path, {**target, "extra": {"z": [1]}}))
    for name in TYPES:
        yield render(_replaced(original, path, {**target, "type": name}))


def _paths(value: object, path: Path) -> Iterator[Path]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _paths(item, (*path, key))


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def _replaced(original: Dict[str, Any], path: Path, value: object) -> Dict[str, Any]:
    changed = copy.deepcopy(original)
    _at(changed, path[:-1])[path[-1]] = copy.deepcopy(value)
    return changed


SNIPPETS: Tuple[bytes, ...] = (
    *(b'"', b"\\", b"\\u", b"\\ud800", b"\\ud83d\\ude00", b"\\udc00", b"\\u0000", b"\\uD83D\\u0041", b"\\x"),
    *(b"\x00", b"\x1f", b"\x7f", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xf0\x9f\x98\x80"),
    *(
        b",",
        b":",
        b"{",
        b"}",
        b"[",
        b"]",
        b"null",
        b"nul",
        b"true",
        b" ",
        b"\n",
        b"\r",
        b"\t",
        b"\x0b",
        b"\xc2\xa0",
    ),
    *(b"NaN", b"Infinity", b"-Infinity", b"-", b"0", b"-0", b"00", b"1.", b".5", b"1e5", b"1E+5", b"1e400"),
    *(b"1e-400", b"+1", b"0x1", b"1.0", b"1" * 25, b"9" * 310, b"//", b"/**/", b"'", b"\\/", b"\\b", b"\\n"),
)


def damage(text: bytes, rng: random.Random) -> bytes:
    """The text with one or two places overwritten, inserted, cut out, repeated or cut off."""
    for _ in range(rng.choice((1, 1, 1, 2))):
        place, other = rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)
        removed = rng.choice((0, 0, 0, 1, 1, 2, 5))
        inserted = rng.choice((rng.choice(SNIPPETS), rng.choice(SNIPPETS), b"", text[other : other + 12]))
        end = len(text) if rng.random() < 0.1 else place + removed
        text = text[:place] + inserted + text[end:]
    return text
