"""Random patterns over Oniguruma's syntax, and texts that disturb them.

Everything follows from a `random.Random`: a seed names a campaign.
"""

from __future__ import annotations

from random import Random
from typing import Callable, Sequence, Tuple

ODD = "ßſﬁﬀﬃﬆKİıŉǰẞΐς²½aAbBsSkKiftx019 _-'\n\r\t\u0085\u2028\u200d\u0301अ्ー中한😀\U0001f1e6\U0001f468"
_LITERALS = (*"aabbsskfixS1 -_'", r"\n", r"\x{df}", r"\u017f", "ß", "ss", "fi", "st", "é", "中", r"\-", r"\.")
_SETS = (
    *(r"\w", r"\W", r"\s", r"\S", r"\d", r"\D", r"\h", r"\H", ".", r"\N", r"\O", r"(?m:.)", r"\R", r"\X"),
    *(
        r"\p{L}",
        r"\p{Lu}",
        r"\P{N}",
        r"\p{^Ll}",
        r"\p{Han}",
        r"\p{Alphabetic}",
        r"\p{Word}",
        r"\p{M}",
        r"\p{Emoji}",
    ),
)
_ANCHORS = ("^", "$", r"\A", r"\z", r"\Z", r"\b", r"\B", r"\G", r"\y", r"\Y")
_IN_CLASS = (
    *(
        *"abskx1_",
        r"\w",
        r"\s",
        r"\d",
        r"\W",
        r"\p{Lu}",
        r"\p{^L}",
        "a-f",
        "k-s",
        "0-9",
        r"\n",
        "ß",
        "ﬁ",
        "[:alpha:]",
    ),
    *("[:^digit:]", "[:punct:]", "[b-d]", "[^s]", r"\-", "é-ſ"),
)
_QUANTIFIERS = (
    *(
        "*",
        "+",
        "?",
        "*?",
        "+?",
        "??",
        "*+",
        "++",
        "?+",
        "{2}",
        "{1,2}",
        "{,2}",
        "{2,}",
        "{1,2}?",
        "{2}?",
        "{1,2}+",
    ),
    *("{2,1}", "{0}", "{1}", "{"),
)


_FLAGS = ("", "", "", "", "", "(?i)", "(?i)", "(?x)", "(?m)", "(?W)", "(?D)", "(?P)", "(?iI)", "(?C)")
_GUARDS = (
    *(r"\b", "$", "^", r"\B", r"\z", r"\A", r"\Z", r"\G", r"\K", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)"),
    *(r"(?=\w)", r"(?!\w)", r"(?<=\s)", r"(?<!\s)", "(?=a|b)", "(?:)", "x?", r"(?:\b)"),
)
_DOTS = (
    *(".+", ".*", r"\O+", r"\O*", r"\N+", "(?m:.)+", "(?m:.+)", "(.+)", "(.*)", r"(\O+)", "(?>.+)", ".++"),
    *("(?:.+|a)", "(?:.+|.*b)", r"(?:\O+|\O*b)", ".{2,}", "(?:.+b)+", r"(?:\b.+)+", r"(?:\b\O+)+", "(?i:.+)"),
)
_BEHIND = (
    *(
        "",
        "a",
        "b",
        "[ab]",
        r"\w",
        r"\d",
        "$",
        "(?=b)",
        "(?!b)",
        "(?i:b)",
        "(?:a|b)",
        r"(?:a|\w)",
        "b?",
        "b+",
    ),
    *("(b)", "(?>b)", ".", r"\1", "[^a]", "[0-9]", r"\s", r"\n", r"\R", "(?<=b)", "ab", "(?:ab|b)", "é"),
)
_SMALL = (
    *(
        "a",
        "b",
        "ab",
        "[ab]",
        ".",
        "a?",
        "b*",
        "k??",
        "b*?",
        "a?+",
        r"\b",
        "^",
        "$",
        "(?=a)",
        "(?!b)",
        "(a|)",
    ),
    *("(?:a|)", "(?:|a)", "(?:a?b?)*", "(?:a*)+", "(?:b??){2}", "(?>a|ab|)", "(?:a?){2,3}"),
)
_LOOPS = ("*", "+", "?", "{2}", "{,2}", "{2,}", "*?", "+?", "{2,3}", "{3}", "{1,3}", "*+", "{12}", "{2,3}?")


def pattern(random: Random, depth: int = 3) -> str:
    """One pattern; some are invalid, which is a case too."""
    if depth == 3 and random.random() < 0.15:
        return random.choice((_guarded_dot, _empty_loop))(random)
    flags = random.choice(_FLAGS) if depth == 3 else ""
    return flags + "|".join(_branch(random, depth) for _ in range(random.choice((1, 1, 1, 2, 3))))


def _branch(random: Random, depth: int) -> str:
    return "".join(_item(random, depth) for _ in range(random.choice((1, 1, 2, 2, 3, 4))))


def _item(random: Random, depth: int) -> str:
    kinds: Sequence[Tuple[int, Callable[[Random, int], str]]] = (
        (6, lambda r, _: r.choice(_LITERALS)),
        (4, lambda r, _: r.choice(_SETS)),
        (1, lambda r, _: r.choice(_ANCHORS)),
        (3, _class),
        (4 if depth else 0, _group),
    )
    (kind,) = random.choices([one for _, one in kinds], [weight for weight, _ in kinds])
    text = kind(random, depth)
    return text + (random.choice(_QUANTIFIERS) if random.random() < 0.35 else "")


def _class(random: Random, _depth: int) -> str:
    parts = [random.choice(_IN_CLASS) for _ in range(random.randint(1, 4))]
    if random.random() < 0.15:
        parts.insert(random.randint(0, len(parts)), "&&")
    return f"[{random.choice(('', '', '^'))}{''.join(parts)}]"


def _group(random: Random, depth: int) -> str:
    opening = random.choice(
        ("(?:", "(?:", "(", "(?>", "(?=", "(?!", "(?<=", "(?<!", "(?i:", "(?-i:", "(?<n>", r"(?:\K")
    )
    close = ")" + random.choice(("", "", "", "", r"\1", r"\k<n>", r"\g<n>", r"\g<1>"))
    return opening + pattern(random, depth - 1) + close


def _guarded_dot(random: Random) -> str:
    """Assertions before a greedy dot, where the oracle's search takes short cuts."""
    guards = random.choice(_GUARDS) + random.choice(("", "", *_GUARDS))
    behind = random.choice(_BEHIND) + random.choice(("", *_BEHIND))
    return random.choice(("", "", "", "(?m)", "(?i)")) + guards + random.choice(_DOTS) + behind


def _empty_loop(random: Random) -> str:
    """A repeated group that can match nothing."""
    options = ("".join(random.choice(_SMALL) for _ in range(random.randint(0, 3))) for _ in range(2))
    return f"(?:{'|'.join(options)})" + random.choice(_LOOPS) + random.choice(("", "b", "c", "$", "a"))


def text(random: Random, most: int = 8) -> str:
    """A short text of characters that fold, join, count as words or end lines in unusual ways."""
    return "".join(random.choice(ODD) for _ in range(random.randint(0, most)))


def edge_text(random: Random, edges: str, most: int = 13) -> str:
    """A text half of odd characters, half of those around the ends of a pattern's own sets."""
    return "".join(
        random.choice(edges if random.random() < 0.5 else ODD) for _ in range(random.randint(1, most))
    )
