"""Large files of one cruel shape each, valid and not: what costs little in a file and much in memory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Callable, Dict

sys.path.insert(0, str(Path(__file__).parent))
from hostile_devices import DEVICES, Maker
from tiny_tokens import words

SIZE = 5 << 20
_ADDED = (
    '{"id":%d,"content":"%s","single_word":false,"lstrip":false,"rstrip":false,"normalized":%s,"special":%s}'
)
_WORD_LEVEL = '{"type":"WordLevel","unk_token":"a","vocab":{"a":0}}'


def _filled(head: str, item: str, tail: str, separator: str = ",") -> Maker:
    """As many times the item as fit."""

    def make(size: int) -> bytes:
        count = size // (len(item) + len(separator))
        return f"{head}{separator.join([item] * count)}{tail}".encode()

    return make


def _numbered(head: str, item: Callable[[int, str], str], tail: str, separator: str = ",") -> Maker:
    """As many different items as fit: of its number and a word."""

    def make(size: int) -> bytes:
        tokens = words(size // (len(item(10**5, "aaaa")) + len(separator)))
        return f"{head}{separator.join(map(item, range(len(tokens)), tokens))}{tail}".encode()

    return make


def _document(model: str, more: str = "") -> str:
    return f'{{"version":"1.0",{more}"model":{model}}}'


def _around(text: str) -> tuple[str, str]:
    head, _, tail = text.partition("@")
    return head, tail


def _model(text: str) -> tuple[str, str]:
    return _around(_document(text))


def _inside(text: str) -> tuple[str, str]:
    return _around(_document(_WORD_LEVEL, text + ","))


_VOCAB = _model('{"type":"WordLevel","unk_token":"a","vocab":{@}}')
_MERGES = _model('{"type":"BPE","vocab":{"a":0,"aa":1},"merges":[@]}')
_SCORES = _model('{"type":"Unigram","unk_id":0,"vocab":[@]}')
_UNKNOWN = _model('{"type":"WordLevel","unk_token":"a","vocab":{"a":0},"more":[@]}')
_TOKENS = _inside('"added_tokens":[@]')
_HUGE = "9" * 4000


def _entry(index: int, token: str) -> str:
    return f'"{token}":{index}'


def _entries(pair: tuple[str, str], item: Callable[[int, str], str]) -> Maker:
    return _numbered(pair[0], item, pair[1])


def _items(pair: tuple[str, str], item: str) -> Maker:
    return _filled(pair[0], item, pair[1])


def _added(normalized: str = "false", special: str = "false") -> Callable[[int, str], str]:
    return lambda index, token: _ADDED % (index + 1, token + "~", normalized, special)


def _cut(make: Maker, tail: str) -> Maker:
    """Another end: what a writer leaves that was stopped, or wrote something wrong at last."""
    return lambda size: make(size).rstrip(b"]}\n") + tail.encode()


_VALID = _entries(_VOCAB, _entry)
_TEMPLATE = '{"type":"TemplateProcessing","single":[@],"pair":[],"special_tokens":{}}'
_NAMES = _TEMPLATE.replace("[@]", "[]").replace('special_tokens":{}', 'special_tokens":{@}')

JSON: Dict[str, Maker] = {
    "lists": _filled("[", "[]", "]"),
    "objects": _filled("[", "{}", "]"),
    "unknown-lists": _items(_UNKNOWN, "[]"),
    "unknown-numbers": _items(_UNKNOWN, "1.5"),
    "unknown-objects": _items(_UNKNOWN, '{"a":{}}'),
    "unknown-keys": _entries((_UNKNOWN[0][:-1] + "{", "}" + _UNKNOWN[1][1:]), _entry),
    "unknown-top": _items(_inside('"more":[@]'), "0"),
    "deep-lists": _filled("", "[", "", ""),
    "deep-objects": _filled("", '{"a":', "", ""),
    "deep-unknown": _filled(_UNKNOWN[0], "[", "", ""),
    "vocab-lists": _entries(_VOCAB, lambda _, token: f'"{token}":[]'),
    "vocab-texts": _entries(_VOCAB, lambda _, token: f'"{token}":"{token}"'),
    "vocab-one-text": _cut(_VALID, ',"~~~~~":"a"}}}'),
    "vocab-wide-ids": _entries(_VOCAB, lambda index, token: f'"{token}":{index << 33}'),
    "vocab-huge-ids": _entries(_VOCAB, lambda _, token: f'"{token}":{_HUGE}'),
    "vocab-one-id": _entries(_VOCAB, lambda _, token: f'"{token}":0'),
    "vocab-far-ids": _entries(_VOCAB, lambda index, token: f'"{token}":{index * 4001}'),
    "vocab-backwards": _entries(_VOCAB, lambda index, token: f'"{token}":{10**7 - index}'),
    "vocab-minus-zero": _cut(_VALID, ',"~~~~~":-0}}}'),
    "vocab-repeats-one": _items(_VOCAB, '"a":0'),
    "vocab-of-pairs": _entries(
        _model('{"type":"BPE","merges":[],"vocab":[@]}'), lambda i, token: f'["{token}",{i}]'
    ),
    "vocab-escapes": _entries(
        _VOCAB, lambda i, token: '"' + "".join(f"\\u{ord(c):04x}" for c in token) + f'":{i}'
    ),
    "vocab-unclosed": _cut(_VALID, ""),
    "vocab-open-string": _cut(_VALID, ',"~~~~~'),
    "vocab-comma": _cut(_VALID, ",}}}"),
    "vocab-word": _cut(_VALID, ',"~~~~~":nul}}}'),
    "vocab-two-ends": _cut(_VALID, "}}}}"),
    "vocab-nan": _cut(_VALID, ',"~~~~~":NaN}}}'),
    "vocab-surrogate": _cut(_VALID, ',"\\ud800":0}}}'),
    "vocab-bytes": lambda size: _VALID(size)[:-4] + b',"\xff":0}}}',
    "vocab-mark": lambda size: b"\xef\xbb\xbf" + _VALID(size),
    "vocab-spaces": _filled(_VOCAB[0], " " * 4000, '"a":0' + _VOCAB[1], ""),
    "vocab-two-models": lambda size: _VALID(size // 2)[:-1] + b"," + _VALID(size // 2)[1:],
    "long-token": _filled(_VOCAB[0] + '"a":0,"', "b", '":1' + _VOCAB[1], ""),
    "long-wide-token": _filled(_VOCAB[0] + '"a":0,"\U0001f600', "b", '":1' + _VOCAB[1], ""),
    "long-escapes": _filled(_VOCAB[0] + '"a":0,"', "\\n", '":1' + _VOCAB[1], ""),
    "long-open-string": _filled(_VOCAB[0] + '"\U0001f600', "b", "", ""),
    "long-unknown-string": _items(_UNKNOWN, '"\U0001f600' + "b" * 10**6 + '"'),
    "long-pattern": _filled(
        *_inside(
            '"pre_tokenizer":{"type":"Split","pattern":{"String":"@"},"behavior":"Isolated","invert":false}'
        )[:1],
        "ab",
        _inside('"x":"@"},"behavior":"Isolated","invert":false}')[1],
        "",
    ),
    "merges-numbers": _items(_MERGES, "0"),
    "merges-lists": _items(_MERGES, "[]"),
    "merges-threes": _items(_MERGES, '["a","a","a"]'),
    "merges-words": _items(_MERGES, '"a"'),
    "merges-repeated": _items(_MERGES, '"a a"'),
    "merges-pairs-repeated": _items(_MERGES, '["a","a"]'),
    "merges-one-number": lambda size: _items(_MERGES, '"a a"')(size)[:-3] + b",0]}}",
    "merges-one-missing": lambda size: _items(_MERGES, '"a a"')(size)[:-3] + b',"a b"]}}',
    "merges-of-version": _items(_MERGES, '"#version"'),
    "scores-texts": _entries(_SCORES, lambda _, token: f'["{token}","{token}"]'),
    "scores-repeated": _items(_SCORES, '["a",-1.5]'),
    "scores-threes": _items(_SCORES, '["a",0.0,0]'),
    "scores-flat": _items(_SCORES, "0"),
    "scores-long": _entries(_SCORES, lambda i, token: f'["{token}",-{i}.123456789012345678901234567890]'),
    "scores-too-large": _cut(_entries(_SCORES, lambda _, token: f'["{token}",-1]'), ',["~~~~~",1e999]]}}'),
    "added": _entries(_TOKENS, _added()),
    "added-normalized": _entries(_TOKENS, _added("true", "true")),
    "added-lowercase": _entries(
        _inside('"normalizer":{"type":"Lowercase"},"added_tokens":[@]'), _added("true", "true")
    ),
    "added-same": _items(_TOKENS, _ADDED % (1, "b", "false", "true")),
    "added-empty": _items(_TOKENS, _ADDED % (1, "", "false", "true")),
    "added-short": _entries(_TOKENS, lambda i, token: f'{{"id":{i},"content":"{token}"}}'),
    "added-reordered": _entries(
        _TOKENS, lambda i, token: (_ADDED % (i + 1, token, "true", "true")).replace('{"id"', '{"x":[[]],"id"')
    ),
    "added-lists": _items(_TOKENS, "[]"),
    "added-numbers": _items(_TOKENS, "0"),
    "added-wrong-last": lambda size: _entries(_TOKENS, _added())(size).replace(
        b'}],"model"', b'},0],"model"'
    ),
    "added-other-ids": _entries(_TOKENS, lambda i, token: _ADDED % (4 * 10**9 - i, token, "true", "true")),
    "added-unclosed": lambda size: _entries(_TOKENS, _added())(size)[: -len(_TOKENS[1])],
    "normalizers": _items(_inside('"normalizer":{"type":"Sequence","normalizers":[@]}'), '{"type":"NFC"}'),
    "template": _items(_inside(f'"post_processor":{_TEMPLATE}'), '{"Sequence":{"id":"A","type_id":0}}'),
    "special-names": _entries(
        _inside(f'"post_processor":{_NAMES}'), lambda _, t: f'"{t}":{{"id":"{t}","ids":[0],"tokens":["{t}"]}}'
    ),
    "special-ids": _items(
        _inside('"post_processor":' + _NAMES.replace("@", '"a":{"id":"a","ids":[@],"tokens":[]}')), "0"
    ),
    "top-repeated": _items(_around('{@,"version":"1.0"}'), '"version":"1.0"'),
}


def _twice(size: int) -> bytes:
    """Every token two times."""
    tokens = words(size // 26)
    listed = [_entry(index, token) for index, token in enumerate([*tokens, *tokens])]
    return f"{_VOCAB[0]}{','.join(listed)}{_VOCAB[1]}".encode()


JSON["vocab-repeats-all"] = _twice


def written(name: str, folder: Path, size: int = SIZE) -> Path:
    path = folder / name
    path.write_bytes(FILES[name](size))
    return path


FILES: Dict[str, Maker] = {**{f"{name}.json": make for name, make in JSON.items()}, **DEVICES}
