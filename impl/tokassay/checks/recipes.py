"""Long texts that are made instead of stored: a recipe's name, a seed and a size give the same text for ever.

The generator is a plain 64-bit linear congruence, so that no Python version can change a text.
Add a recipe by adding a function called ``recipe_*``.
"""

from __future__ import annotations

from typing import Callable, Dict, Iterator, Mapping, Sequence, TypeVar

T = TypeVar("T")


class Dice:
    """Reproducible choices from a seed."""

    def __init__(self, seed: int) -> None:
        self.state = (seed * 2 + 1) & (2**64 - 1)

    def below(self, limit: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
        return (self.state >> 33) % limit

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]


Recipe = Callable[[Dice], Iterator[str]]

_PROSE = """
the a of to and in that it is was for on are with as they be at one have this from or had by hot
word but what some we can out other were all there when up use your how said an each she which do
their time if will way about many then them write would like so these her long make thing see him
two has look more day could go come did number sound no most people my over know water than call
first who may down side been now find any tokenizer conformance byte divergence nevertheless
extraordinary Kestrel Lisbon don't it's we've U.S. e.g. naïve café Zürich Łódź résumé 2026 3.14
1,024 10% $5 (aside) “quoted” —
"""
_WORDS = tuple(_PROSE.split())
_CODE = (
    *(
        "def f(x):\n",
        "    return x + 1\n",
        "for i in range(10):\n",
        "\tif a[i] != b[j]:\n",
        "# count pieces\n",
    ),
    *(
        "        self._state = {}\n",
        "\n",
        "\n\n",
        "x = 0xFF & ~mask\n",
        "assert ids == expected, repr(ids)\n",
    ),
    *(
        "import os, sys\n",
        "s = \"it's\" + 'ok'\n",
        "public static void main(String[] args) {\n",
        "  }\n",
        "});\n",
    ),
    *("#include <stdint.h>\n", "/* a */ // b\n", "SELECT * FROM t WHERE id >= 1000000;\n", "    \n", "x\n"),
    *(
        '<div class="row">&nbsp;</div>\n',
        '{"key": [1, 2.5e-3, null]}\n',
        "                x\n",
        "λ = 'π'  # naïve\n",
    ),
    "HTTPServer2XMLParser = lambda *a, **k: None\n",
)
_SCRIPTS = (
    (0x61, 26), (0x61, 26), (0x41, 26), (0x30, 10), (0x20, 1), (0x20, 1), (0x0A, 1), (0x21, 15), (0xC0, 100),
    (0x391, 50), (0x410, 64), (0x5D0, 27), (0x621, 26), (0x660, 10), (0x905, 50), (0xE01, 46), (0x1100, 19),
    (0x1161, 21), (0x2010, 20), (0x2190, 80), (0x300, 60), (0x3041, 80), (0x30A1, 80), (0x4E00, 20000),
    (0xAC00, 11000), (0xFF10, 80), (0x1F300, 700), (0x1D400, 80), (0x20000, 2000), (0x200B, 5),
)  # fmt: skip


def recipe_prose(dice: Dice) -> Iterator[str]:
    """Words with sentence ends and paragraphs."""
    while True:
        for _ in range(4 + dice.below(14)):
            yield dice.pick(_WORDS) + " "
        yield dice.pick((". ", ".\n", "!\n\n", "? ", "; "))


def recipe_code(dice: Dice) -> Iterator[str]:
    """Lines of several programming languages, with indentation."""
    while True:
        yield "    " * dice.below(4) + dice.pick(_CODE)


def recipe_scripts(dice: Dice) -> Iterator[str]:
    """Characters of thirty ranges mixed: letters, digits, blanks, marks, symbols, emoji."""
    while True:
        first, count = dice.pick(_SCRIPTS)
        for _ in range(1 + dice.below(6)):
            yield chr(first + dice.below(count))


def recipe_chinese(dice: Dice) -> Iterator[str]:
    """Common ideographs without a blank; a full stop now and then."""
    while True:
        for _ in range(3 + dice.below(30)):
            yield chr(0x4E00 + dice.below(3000))
        yield dice.pick(("\uff0c", "\u3002", "\uff1f", "\u3001"))


def recipe_letters(dice: Dice) -> Iterator[str]:
    """Small letters, no blank anywhere."""
    while True:
        yield chr(97 + dice.below(26))


def recipe_one_letter(_: Dice) -> Iterator[str]:
    while True:
        yield "a" * 64


def recipe_spaces(dice: Dice) -> Iterator[str]:
    """Long runs of spaces, now and then a letter."""
    while True:
        yield " " * (200 + dice.below(2000)) + dice.pick(("x", "\n", "", "\t"))


def recipe_digits(dice: Dice) -> Iterator[str]:
    while True:
        yield chr(48 + dice.below(10))


def recipe_marks(dice: Dice) -> Iterator[str]:
    """Letters that carry up to twenty combining marks each, in no canonical order."""
    while True:
        yield dice.pick("aeoqUкあ")
        for _ in range(dice.below(20)):
            yield chr(0x300 + dice.below(0x6F))


def recipe_almost_added(dice: Dice) -> Iterator[str]:
    """Beginnings of special tokens that never end."""
    while True:
        yield dice.pick(("<|im_start", "<|im_start", "<s", "</", "[MAS", "<|", "<unused", "<"))


def recipes() -> Mapping[str, Recipe]:
    """Recipe name to its function."""
    found: Dict[str, Recipe] = {}
    for name, value in sorted(globals().items()):
        if name.startswith("recipe_"):
            found[name[len("recipe_") :].replace("_", "-")] = value
    return found


def cook(recipe: Mapping[str, object]) -> str:
    """The text of ``{"name", "seed", "bytes"}``: whole characters, as many as fit into `bytes` bytes."""
    room = int(str(recipe["bytes"]))
    parts = []
    for part in recipes()[str(recipe["name"])](Dice(int(str(recipe["seed"])))):
        data = part.encode("utf-8")
        parts.append(data[:room].decode("utf-8", "ignore"))
        room -= len(data)
        if room <= 0:
            break
    return "".join(parts)
