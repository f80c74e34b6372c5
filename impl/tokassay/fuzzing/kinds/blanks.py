"""Blanks, what looks like one, control and format characters, combining marks."""

from __future__ import annotations

import random

from ..material import Material
from ._pools import BLANKS, FALSE_BLANKS, MARKS, drawn, mixed, words


def kind_blanks(rng: random.Random, _: Material) -> str:
    return mixed(rng, words(rng, BLANKS, 4), words(rng, BLANKS, 2), "a", "b ", "\n", "\r\n")


def kind_false_blanks(rng: random.Random, _: Material) -> str:
    return mixed(rng, words(rng, FALSE_BLANKS, 3), " ", "a", "1", "\u3000")


def kind_spaces_and_newlines(rng: random.Random, _: Material) -> str:
    return mixed(rng, " " * rng.randint(1, 9), "\n" * rng.randint(1, 4), "\t", "\r\n", "x", "if", "  ", ";")


def kind_control(rng: random.Random, _: Material) -> str:
    return drawn(rng, [(0, 31), (127, 159), (0xAD, 0xAD), (97, 98)])


def kind_format(rng: random.Random, _: Material) -> str:
    return drawn(
        rng,
        [
            (0x200B, 0x200F),
            (0x202A, 0x202E),
            (0x2060, 0x206F),
            (0x61C, 0x61C),
            (0xFEFF, 0xFEFF),
            (0xFFF9, 0xFFFD),
            (0x600, 0x605),
            (97, 98),
        ],
    )


def kind_marks(rng: random.Random, _: Material) -> str:
    return mixed(rng, "a", "e", "\u1100", "क", "o", drawn(rng, MARKS, 4), drawn(rng, MARKS, 2))


def kind_marks_out_of_order(rng: random.Random, _: Material) -> str:
    return rng.choice("aqoUé가कא") + words(
        rng, "\u0307\u0323\u0301\u0315\u031b\u0345\u05b0\u05b4\u064b\u3099\u1ac9\u1abd\u0f71\u0f72", 6
    )


def kind_composed(rng: random.Random, _: Material) -> str:
    return words(
        rng,
        [
            "é",
            "e\u0301",
            "ñ",
            "n\u0303",
            "\u1e69",
            "\u0344",
            "\u212b",
            "\u2126",
            "\u0958",
            "\ufb1f",
            "\u1f71",
            "ế",
            "\uac01",
            "\u0f43",
        ],
        6,
    )


def kind_compatibility(rng: random.Random, _: Material) -> str:
    return drawn(
        rng,
        [
            (0xFB00, 0xFB06),
            (0x2460, 0x24FF),
            (0x3300, 0x33FF),
            (0xFF01, 0xFFEE),
            (0x1D400, 0x1D7FF),
            (0x2100, 0x214F),
            (0x1F100, 0x1F16C),
            (0x32FF, 0x32FF),
        ],
    )
