"""Texts of one script or of several, from the oldest blocks to the newest."""

from __future__ import annotations

import random

from ..material import Material
from ._pools import LETTERS, NEW, drawn, mixed, words


def kind_ascii(rng: random.Random, _: Material) -> str:
    return drawn(rng, [(32, 126)], 24)


def kind_ascii_words(rng: random.Random, _: Material) -> str:
    return " ".join(drawn(rng, LETTERS, 8) for _ in range(rng.randint(1, 6)))


def kind_letter_case(rng: random.Random, _: Material) -> str:
    return "".join(rng.choice((str.upper, str.lower))(char) for char in drawn(rng, LETTERS, 16))


def kind_digits(rng: random.Random, _: Material) -> str:
    return mixed(rng, drawn(rng, [(48, 57)], 12), ".", ",", " ", "a", drawn(rng, [(48, 57)], 3))


def kind_other_digits(rng: random.Random, _: Material) -> str:
    return drawn(
        rng,
        [
            (0x660, 0x669),
            (0x966, 0x96F),
            (0xB2, 0xB3),
            (0xBC, 0xBE),
            (0x2150, 0x218B),
            (0x2460, 0x249B),
            (0xFF10, 0xFF19),
            (0x1D7CE, 0x1D7FF),
            (0x3021, 0x3029),
            (0x11DE0, 0x11DE9),
            (48, 57),
        ],
    )


def kind_latin(rng: random.Random, _: Material) -> str:
    return drawn(rng, [(0xC0, 0x24F), (0x1E00, 0x1EFF), *LETTERS], 14)


def kind_greek_cyrillic(rng: random.Random, _: Material) -> str:
    return drawn(rng, [(0x370, 0x3FF), (0x400, 0x52F), (0x1F00, 0x1FFE), (32, 32)], 14)


def kind_case_oddities(rng: random.Random, _: Material) -> str:
    return words(
        rng,
        [
            "İ",
            "ı",
            "ß",
            "ẞ",
            "Σ",
            "ς",
            "σ",
            "ſ",
            "K",
            "Å",
            "ǅ",
            "ǆ",
            "ŉ",
            "ǰ",
            "ﬁ",
            "ﬃ",
            "ΐ",
            "i̇",
            "I",
            "Ა",
            "ა",
            "A",
            " ",
        ],
        8,
    )


def kind_han(rng: random.Random, _: Material) -> str:
    return drawn(rng, [(0x4E00, 0x9FFF)], 12)


def kind_han_rare(rng: random.Random, _: Material) -> str:
    return drawn(
        rng,
        [
            (0x3400, 0x4DBF),
            (0xF900, 0xFAD9),
            (0x20000, 0x2A6DF),
            (0x2B81E, 0x2B922),
            (0x2E80, 0x2FD5),
            (0x3005, 0x3007),
            (0x4E00, 0x9FFF),
        ],
    )


def kind_japanese(rng: random.Random, _: Material) -> str:
    return drawn(
        rng, [(0x3041, 0x309F), (0x30A0, 0x30FF), (0x4E00, 0x9FFF), (0xFF66, 0xFF9F), (0x3000, 0x303F)], 12
    )


def kind_hangul(rng: random.Random, _: Material) -> str:
    return drawn(
        rng,
        [(0xAC00, 0xD7A3), (0x1100, 0x11FF), (0x3131, 0x318E), (0xA960, 0xA97C), (0xD7B0, 0xD7FB), (32, 32)],
    )


def kind_jamo(rng: random.Random, _: Material) -> str:
    return drawn(rng, [(0x1100, 0x1112), (0x1161, 0x1175), (0x11A7, 0x11C2), (0xAC00, 0xAC1C)])


def kind_arabic_hebrew(rng: random.Random, _: Material) -> str:
    return drawn(
        rng,
        [(0x590, 0x5F4), (0x600, 0x6FF), (0x750, 0x77F), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFC), (32, 32)],
        12,
    )


def kind_indic(rng: random.Random, _: Material) -> str:
    return drawn(
        rng, [(0x900, 0x97F), (0x980, 0x9FE), (0xB80, 0xBFA), (0xD00, 0xD7F), (0x200C, 0x200D), (32, 32)], 12
    )


def kind_thai_burmese_khmer(rng: random.Random, _: Material) -> str:
    return drawn(rng, [(0xE01, 0xE5B), (0xE81, 0xEDF), (0x1000, 0x109F), (0x1780, 0x17F9)], 12)


def kind_ethiopic_georgian(rng: random.Random, _: Material) -> str:
    return drawn(
        rng, [(0x1200, 0x137C), (0x10A0, 0x10FF), (0x1C90, 0x1CBF), (0x531, 0x58A), (0x13A0, 0x13FD)]
    )


def kind_newest(rng: random.Random, _: Material) -> str:
    return mixed(rng, drawn(rng, NEW, 4), "'d", " ", "a", "1")


def kind_unassigned(rng: random.Random, _: Material) -> str:
    return drawn(
        rng,
        [
            (0x378, 0x379),
            (0x2FE0, 0x2FEF),
            (0xE0080, 0xE00FF),
            (0x50000, 0x5FFFF),
            (0xFFFFE, 0xFFFFF),
            (0xFFFE, 0xFFFF),
            (0xFDD0, 0xFDEF),
            (97, 97),
        ],
    )


def kind_private(rng: random.Random, _: Material) -> str:
    return drawn(
        rng, [(0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD), (0xE0001, 0xE007F), (97, 99)]
    )


def kind_any_scalar(rng: random.Random, _: Material) -> str:
    return drawn(rng, [(0, 0xD7FF), (0xE000, 0x10FFFF)])


def kind_any_bmp(rng: random.Random, _: Material) -> str:
    return drawn(rng, [(0, 0xD7FF), (0xE000, 0xFFFF)], 14)
