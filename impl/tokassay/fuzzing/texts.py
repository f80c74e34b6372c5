"""Random texts in named classes, half of them made from the tokenizer under test itself.

Every function called ``kind_*`` is a class: it takes a seeded generator and the tokenizer's
`Material` and answers one text. `generate` runs them in turn, so every class gets its share and
``(seed, class, index)`` names a text for ever. Add a class by adding a function.
"""

from __future__ import annotations

import random
from typing import Callable, Iterator, Mapping, NamedTuple, Sequence, Tuple

from .material import Material
from .matches import sample_match

Kind = Callable[[random.Random, Material], str]
Range = Tuple[int, int]


class Text(NamedTuple):
    """One generated text with the class that made it."""

    kind: str
    text: str


def kinds() -> Mapping[str, Kind]:
    """Class name → generator, in a fixed order."""
    return {name[5:]: value for name, value in sorted(globals().items()) if name.startswith("kind_")}


def generate(material: Material, seed: int, count: int) -> Iterator[Text]:
    """`count` texts, the classes in turn; the same arguments always give the same texts."""
    made = tuple(kinds().items())
    for index in range(count):
        name, kind = made[index % len(made)]
        yield Text(name, kind(random.Random(f"{seed}/{name}/{index // len(made)}"), material))  # noqa: S311


# -- helpers -------------------------------------------------------------------------------------


def _from(rng: random.Random, ranges: Sequence[Range], most: int = 10) -> str:
    """1..most characters, each from a random range (so that small ranges are not starved)."""
    return "".join(chr(rng.randint(*rng.choice(ranges))) for _ in range(rng.randint(1, most)))


def _words(rng: random.Random, pool: Sequence[str], most: int = 5, glue: str = "") -> str:
    return glue.join(rng.choice(pool) for _ in range(rng.randint(1, most)))


def _mix(rng: random.Random, *parts: str) -> str:
    chosen = [rng.choice(parts) for _ in range(rng.randint(2, 6))]
    return "".join(chosen)


BLANKS = "".join(
    map(chr, [*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F])
)
BLANKS += "\u3000"
FALSE_BLANKS = "\x1c\x1d\x1e\x1f\u180e\u200b\u200c\u200d\u2060\ufeff\u2800\u3164"
MARKS = (
    (0x300, 0x36F),
    (0x483, 0x489),
    (0x591, 0x5BD),
    (0x64B, 0x65F),
    (0x93C, 0x94D),
    (0xE38, 0xE3A),
    (0x1AB0, 0x1ACE),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20F0),
    (0x3099, 0x309A),
    (0xFE20, 0xFE2F),
    (0x1E8D0, 0x1E8D6),
)
NEW = (
    (0x870, 0x8E1),
    (0x1C89, 0x1C8A),
    (0x1ABF, 0x1ACE),
    (0x2C2F, 0x2C5F),
    (0xA7C0, 0xA7F6),
    (0x10570, 0x105BC),
    (0x10D40, 0x10D8F),
    (0x10EC2, 0x10EC4),
    (0x11F00, 0x11F59),
    (0x16D40, 0x16D79),
    (0x1CC00, 0x1CCF9),
    (0x1DF00, 0x1DF2A),
    (0x1E030, 0x1E08F),
    (0x2EBF0, 0x2EE5D),
    (0x31350, 0x323AF),
    (0x11DE0, 0x11DE9),
    (0x16FF4, 0x16FF6),
    (0x32FF, 0x32FF),
)
LETTERS = ((0x41, 0x5A), (0x61, 0x7A))
CONTRACTIONS = (
    "'s",
    "'S",
    "'t",
    "'T",
    "'re",
    "'RE",
    "'ve",
    "'m",
    "'M",
    "'ll",
    "'LL",
    "'d",
    "'D",
    "'\u017f",
    "\u2019s",
    "'x",
    "''",
    "'l",
    "'r",
)


# -- plain scripts ---------------------------------------------------------------------------------


def kind_ascii(rng: random.Random, _: Material) -> str:
    return _from(rng, [(32, 126)], 24)


def kind_ascii_words(rng: random.Random, _: Material) -> str:
    return " ".join(_from(rng, LETTERS, 8) for _ in range(rng.randint(1, 6)))


def kind_letter_case(rng: random.Random, _: Material) -> str:
    return "".join(rng.choice((str.upper, str.lower))(char) for char in _from(rng, LETTERS, 16))


def kind_digits(rng: random.Random, _: Material) -> str:
    return _mix(rng, _from(rng, [(48, 57)], 12), ".", ",", " ", "a", _from(rng, [(48, 57)], 3))


def kind_other_digits(rng: random.Random, _: Material) -> str:
    return _from(
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
    return _from(rng, [(0xC0, 0x24F), (0x1E00, 0x1EFF), *LETTERS], 14)


def kind_greek_cyrillic(rng: random.Random, _: Material) -> str:
    return _from(rng, [(0x370, 0x3FF), (0x400, 0x52F), (0x1F00, 0x1FFE), (32, 32)], 14)


def kind_case_oddities(rng: random.Random, _: Material) -> str:
    return _words(
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
    return _from(rng, [(0x4E00, 0x9FFF)], 12)


def kind_han_rare(rng: random.Random, _: Material) -> str:
    return _from(
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
    return _from(
        rng, [(0x3041, 0x309F), (0x30A0, 0x30FF), (0x4E00, 0x9FFF), (0xFF66, 0xFF9F), (0x3000, 0x303F)], 12
    )


def kind_hangul(rng: random.Random, _: Material) -> str:
    return _from(
        rng,
        [(0xAC00, 0xD7A3), (0x1100, 0x11FF), (0x3131, 0x318E), (0xA960, 0xA97C), (0xD7B0, 0xD7FB), (32, 32)],
    )


def kind_jamo(rng: random.Random, _: Material) -> str:
    return _from(rng, [(0x1100, 0x1112), (0x1161, 0x1175), (0x11A7, 0x11C2), (0xAC00, 0xAC1C)])


def kind_arabic_hebrew(rng: random.Random, _: Material) -> str:
    return _from(
        rng,
        [(0x590, 0x5F4), (0x600, 0x6FF), (0x750, 0x77F), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFC), (32, 32)],
        12,
    )


def kind_indic(rng: random.Random, _: Material) -> str:
    return _from(
        rng, [(0x900, 0x97F), (0x980, 0x9FE), (0xB80, 0xBFA), (0xD00, 0xD7F), (0x200C, 0x200D), (32, 32)], 12
    )


def kind_thai_burmese_khmer(rng: random.Random, _: Material) -> str:
    return _from(rng, [(0xE01, 0xE5B), (0xE81, 0xEDF), (0x1000, 0x109F), (0x1780, 0x17F9)], 12)


def kind_ethiopic_georgian(rng: random.Random, _: Material) -> str:
    return _from(
        rng, [(0x1200, 0x137C), (0x10A0, 0x10FF), (0x1C90, 0x1CBF), (0x531, 0x58A), (0x13A0, 0x13FD)]
    )


def kind_newest(rng: random.Random, _: Material) -> str:
    return _mix(rng, _from(rng, NEW, 4), "'d", " ", "a", "1")


def kind_unassigned(rng: random.Random, _: Material) -> str:
    return _from(
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
    return _from(
        rng, [(0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD), (0xE0001, 0xE007F), (97, 99)]
    )


def kind_any_scalar(rng: random.Random, _: Material) -> str:
    return _from(rng, [(0, 0xD7FF), (0xE000, 0x10FFFF)])


def kind_any_bmp(rng: random.Random, _: Material) -> str:
    return _from(rng, [(0, 0xD7FF), (0xE000, 0xFFFF)], 14)


# -- blanks, controls, marks -----------------------------------------------------------------------


def kind_blanks(rng: random.Random, _: Material) -> str:
    return _mix(rng, _words(rng, BLANKS, 4), _words(rng, BLANKS, 2), "a", "b ", "\n", "\r\n")


def kind_false_blanks(rng: random.Random, _: Material) -> str:
    return _mix(rng, _words(rng, FALSE_BLANKS, 3), " ", "a", "1", "\u3000")


def kind_spaces_and_newlines(rng: random.Random, _: Material) -> str:
    return _mix(rng, " " * rng.randint(1, 9), "\n" * rng.randint(1, 4), "\t", "\r\n", "x", "if", "  ", ";")


def kind_control(rng: random.Random, _: Material) -> str:
    return _from(rng, [(0, 31), (127, 159), (0xAD, 0xAD), (97, 98)])


def kind_format(rng: random.Random, _: Material) -> str:
    return _from(
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
    return _mix(rng, "a", "e", "\u1100", "क", "o", _from(rng, MARKS, 4), _from(rng, MARKS, 2))


def kind_marks_out_of_order(rng: random.Random, _: Material) -> str:
    return rng.choice("aqoUé가कא") + _words(
        rng, "\u0307\u0323\u0301\u0315\u031b\u0345\u05b0\u05b4\u064b\u3099\u1ac9\u1abd\u0f71\u0f72", 6
    )


def kind_composed(rng: random.Random, _: Material) -> str:
    return _words(
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
    return _from(
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


# -- punctuation, symbols, emoji -------------------------------------------------------------------


def kind_punctuation(rng: random.Random, _: Material) -> str:
    return _from(
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
    return _from(
        rng, [(0x2190, 0x23FF), (0x2500, 0x27BF), (0x20A0, 0x20C0), (0x1F100, 0x1F1FF), (0x2070, 0x209C)]
    )


def kind_emoji(rng: random.Random, _: Material) -> str:
    return _mix(
        rng,
        "👩\u200d💻",
        "👍🏽",
        "🇫🇷",
        "1\ufe0f\u20e3",
        "🏴\U000e0067\U000e007f",
        "❤\ufe0f",
        _from(rng, [(0x1F300, 0x1FAFF)], 3),
        " ",
        "a",
    )


def kind_contractions(rng: random.Random, _: Material) -> str:
    return _mix(rng, "we", "It", rng.choice(CONTRACTIONS), rng.choice(CONTRACTIONS), " ", "9", "ß", "É")


def kind_code(rng: random.Random, _: Material) -> str:
    return _words(
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
    return _words(
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
    return _words(
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
    return _mix(rng, "\x00", "a", "\x00\x00", " ", "é", "\n")


def kind_mixed_scripts(rng: random.Random, _: Material) -> str:
    return _from(
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
    return _words(rng, pool, 12, " ")


def kind_short(rng: random.Random, _: Material) -> str:
    return _from(rng, [(32, 126), (9, 13), (0xA0, 0x17F), (0x4E00, 0x4E80)], 2)


def kind_empty_or_one(rng: random.Random, material: Material) -> str:
    return rng.choice(
        ["", " ", "\n", "a", "\x00", "▁", "é", rng.choice(material.added), rng.choice(material.words)]
    )


def kind_long(rng: random.Random, material: Material) -> str:
    return "".join(
        rng.choice([kind_prose, kind_code, kind_han, kind_vocabulary])(rng, material)
        for _ in range(rng.randint(8, 30))
    )


# -- made from the tokenizer itself ------------------------------------------------------------------


def kind_vocabulary(rng: random.Random, material: Material) -> str:
    return _words(rng, material.words)


def kind_vocabulary_spaced(rng: random.Random, material: Material) -> str:
    return _words(rng, material.words, 5, " ")


def kind_vocabulary_cut(rng: random.Random, material: Material) -> str:
    """Tokens with an end cut off, glued together."""
    cut = (word[rng.randint(0, len(word) - 1) :] for word in (rng.choice(material.words) for _ in range(4)))
    return "".join(cut) + rng.choice(material.words)[:-1]


def kind_merge_pairs(rng: random.Random, material: Material) -> str:
    return "".join("".join(rng.choice(material.merges)) for _ in range(rng.randint(1, 4)))


def kind_merge_overlaps(rng: random.Random, material: Material) -> str:
    """Merges that compete: the right half of one is glued to the left half of another."""
    (a, b), (c, d) = rng.choice(material.merges), rng.choice(material.merges)
    return rng.choice([a + b + d, a + c + d, b + c, a + b + c + d, b + a, a + a + b, a + b + b])


def kind_added_tokens(rng: random.Random, material: Material) -> str:
    return _mix(rng, rng.choice(material.added), rng.choice(material.added), " ", "a", "  ", "\n", "x1")


def kind_added_look_alikes(rng: random.Random, material: Material) -> str:
    token = rng.choice(material.added)
    at = rng.randint(0, len(token))
    return rng.choice(
        [
            token[:-1],
            token[1:],
            token + token[1:],
            token.swapcase(),
            token[:at] + " " + token[at:],
            token.replace(" ", "\u00a0"),
            token[:at] + token,
        ]
    )


def kind_added_in_context(rng: random.Random, material: Material) -> str:
    token = rng.choice(material.added)
    return (
        rng.choice(["", "a", " ", "\u3000", "_", "é", "\n ", "\u200b"])
        + token
        + rng.choice(["", "b", " ", "  c", "1", "\u2028", ".", "\u0301"])
    )


def kind_pattern_matches(rng: random.Random, material: Material) -> str:
    """Strings that the pipeline's regular expressions match."""
    return "".join(sample_match(rng, material.patterns) for _ in range(rng.randint(1, 4)))


def kind_pattern_near_misses(rng: random.Random, material: Material) -> str:
    text = sample_match(rng, material.patterns) + sample_match(rng, material.patterns)
    at = rng.randint(0, max(0, len(text) - 1))
    return rng.choice(
        [
            text[:at] + text[at + 1 :],
            text[:at] + rng.choice("' \n1a.é") + text[at:],
            text[::-1],
            text.swapcase(),
        ]
    )


def kind_everything(rng: random.Random, material: Material) -> str:
    others = [kind for name, kind in kinds().items() if name not in {"everything", "long"}]
    return "".join(rng.choice(others)(rng, material) for _ in range(rng.randint(2, 4)))
