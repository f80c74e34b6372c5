"""Punctuation, symbols, emoji, code, markup, runs: what pre-tokenizers cut at."""

from __future__ import annotations

import random

from ..material import Material
from ._pools import CONTRACTIONS, drawn, mixed, words


def kind_punctuation(rng: random.Random, _: Material) -> str:
    return drawn(
        rng,
        [
            (33, 47),
            (58, 64),
            (91, 96),
            (123, 126),
            (0x2010, 0x205E),
            (0x3001, 0x3003),
            (0xA1, 0xBF),
            (0x2E00, 0x2E5D),
            (32, 32),
            (97, 97),
        ],
        14,
    )


def kind_symbols(rng: random.Random, _: Material) -> str:
    return drawn(
        rng, [(0x2190, 0x23FF), (0x2500, 0x27BF), (0x20A0, 0x20C0), (0x1F100, 0x1F1FF), (0x2070, 0x209C)]
    )


def kind_emoji(rng: random.Random, _: Material) -> str:
    return mixed(
        rng,
        "👩\u200d💻",
        "👍🏽",
        "🇫🇷",
        "1\ufe0f\u20e3",
        "🏴\U000e0067\U000e007f",
        "❤\ufe0f",
        drawn(rng, [(0x1F300, 0x1FAFF)], 3),
        " ",
        "a",
    )


def kind_contractions(rng: random.Random, _: Material) -> str:
    return mixed(rng, "we", "It", rng.choice(CONTRACTIONS), rng.choice(CONTRACTIONS), " ", "9", "ß", "É")


def kind_code(rng: random.Random, _: Material) -> str:
    return words(
        rng,
        [
            "def f(x):",
            "\n    ",
            "return",
            " x",
            "+=",
            "1_000",
            "/*",
            "*/",
            "\t",
            '"s"',
            "{}",
            "();",
            "\r\n",
            "#",
            "->",
            "self.",
            "0xFF",
            "  ",
        ],
        9,
    )


def kind_markup(rng: random.Random, _: Material) -> str:
    return words(
        rng,
        [
            "<p>",
            "</p>",
            "<br/>",
            "&amp;",
            "http://",
            "a.b/c?d=e",
            "@x",
            "#y",
            "**",
            "```",
            "|",
            "[1]",
            "\n\n",
            "- ",
            "<|",
            "|>",
            "</s>",
        ],
        8,
    )


def kind_markers(rng: random.Random, _: Material) -> str:
    """Characters that tokenizers use as their own marks."""
    return words(
        rng,
        [
            "▁",
            "▁▁",
            "Ġ",
            "Ċ",
            "##",
            "</w>",
            "<0x41>",
            "<0xE4>",
            "<0xzz>",
            "<unk>",
            "[UNK]",
            "<s>",
            "Ã",
            "Â",
            "\u2581a",
            "a",
            " ",
            "@@",
        ],
        7,
    )


def kind_runs(rng: random.Random, _: Material) -> str:
    char = rng.choice(
        ["a", " ", "=", "-", "1", "\n", "é", "中", "\u0301", "▁", "👍", "\x00", "ab", "'s", "Ġ"]
    )
    return rng.choice(["", "x", " "]) + char * rng.randint(2, 70) + rng.choice(["", "y", " "])


def kind_nul(rng: random.Random, _: Material) -> str:
    return mixed(rng, "\x00", "a", "\x00\x00", " ", "é", "\n")


def kind_mixed_scripts(rng: random.Random, _: Material) -> str:
    return drawn(
        rng,
        [
            (97, 122),
            (0x4E00, 0x9FFF),
            (0x400, 0x44F),
            (0xAC00, 0xD7A3),
            (0x600, 0x64A),
            (0x1F300, 0x1F5FF),
            (48, 57),
            (32, 32),
        ],
        18,
    )


def kind_prose(rng: random.Random, _: Material) -> str:
    pool = [
        "The",
        "engine",
        "was",
        "quietly",
        "worse,",
        "he said;",
        "naïve",
        "“quoted”",
        "don't",
        "3.14",
        "— and",
        "...",
        "U.S.",
        "café",
        "\n",
        "(see",
        "below)",
    ]
    return words(rng, pool, 12, " ")


def kind_short(rng: random.Random, _: Material) -> str:
    return drawn(rng, [(32, 126), (9, 13), (0xA0, 0x17F), (0x4E00, 0x4E80)], 2)


def kind_empty_or_one(rng: random.Random, material: Material) -> str:
    return rng.choice(
        ["", " ", "\n", "a", "\x00", "▁", "é", rng.choice(material.added), rng.choice(material.words)]
    )
