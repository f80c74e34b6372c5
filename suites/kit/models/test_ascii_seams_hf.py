"""Byte-level BPE whose merges join an ASCII byte with the first byte of the character behind it."""

from __future__ import annotations

import json

import pytest
import tokenizers

from tokassay import Tokenizer, formats
from tokassay.core.byte_alphabet import CHAR_OF_BYTE, spell

TEXTS = [
    " \u0100",
    "a \u0100\u0101\u0101",
    "\u0100 \u0101",
    "\u4e2d \u0100",
    " \u0100\u4e2d\u4e2e\u6587",
    "\u4e2da",
]


def document(merges: list[tuple[str, str]]) -> str:
    tokens = [*CHAR_OF_BYTE, *dict.fromkeys(left + right for left, right in merges)]
    return json.dumps(
        {
            "version": "1.0",
            "model": {"type": "BPE", "vocab": {t: i for i, t in enumerate(tokens)}, "merges": merges},
            "pre_tokenizer": {
                "type": "ByteLevel",
                "add_prefix_space": False,
                "trim_offsets": False,
                "use_regex": False,
            },
        }
    )


@pytest.mark.parametrize(
    "merges",
    [
        [(spell(" "), spell("\u0100")[0])],
        [(spell("\u4e2d")[-1], "a")],
        [(spell(" "), spell("\u0100")[0]), tuple(spell("\u0100"))],
        [tuple(spell("\u0100")), (spell(" "), spell("\u0100"))],
        [tuple(spell("\u0100")), (spell("\u0100")[0], spell("\u0100")[1]), (spell(" "), spell("\u0100")[0])],
    ],
)
def test_a_merge_over_an_ascii_border_is_made_after_the_warm_up_too(merges: list[tuple[str, str]]) -> None:
    value = document(merges)
    oracle = tokenizers.Tokenizer.from_str(value)
    ours = Tokenizer.from_description(formats.parse(value.encode()))
    ours.encode("\u4e2d\u4e2e" * 5_000)  # the cuts between characters come into force
    for text in [*TEXTS, *(text * 9 for text in TEXTS)]:
        assert ours.encode(text).ids == oracle.encode(text).ids, text
