"""Write the grapheme classes that HF's Precompiled normalizer segments by: Unicode 17.0, from its answers.

A cluster shows itself: a rule for its first character swallows the rest of it as long as the whole has
fewer than six bytes. So every class is read off short texts around each scalar value. Needs what
tools/make_unicode.py needs; running it again changes nothing.

    python tools/make_graphemes.py            # rewrites impl/tokassay/core/unicode/data_graphemes17.py
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Dict, Set

from make_unicode import SCALARS, TARGET, Sets, as_ranges
from tokenizers import normalizers

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "impl"))
from tokassay.fuzzing.charsmaps import charsmap

MARK, JOINER, SIGN, VOWEL, KA, VIRAMA = "\u0301", "\u200d", "\u00a9", "\u1161", "\u0915", "\u094d"
NON_JOINER = 0x200C
RULES = {"a": "X", MARK: "M", SIGN: "C", VOWEL: "V", KA: "K"}
# What the texts below cannot say of the characters that they are made of.
GIVEN = {
    "Extend": {MARK, VIRAMA},
    "ExtendedPictographic": {SIGN},
    "Consonant": {KA},
    "Linker": {VIRAMA},
}


def classes() -> Dict[str, Set[str]]:
    """The characters of each class; Hangul and regional indicators are ranges that no version moves."""
    ask = normalizers.Precompiled(charsmap(RULES)).normalize_str
    chars = [chr(point) for point in SCALARS if chr(point) not in RULES]
    joined = {c for c in chars if ask("a" + c) == "X"} | GIVEN["Extend"]
    prepend = {c for c in chars if ask(c + "a" + MARK + MARK).endswith("XMM")}
    control = {c for c in chars if not ask(c + MARK + MARK).endswith("MM")}
    pictographic = {c for c in chars if ask(c + JOINER + SIGN + MARK).endswith("CM")} | GIVEN[
        "ExtendedPictographic"
    ]
    keeping = {c for c in chars if ask(SIGN + c + JOINER + SIGN + MARK).endswith("CM")}
    consonant = {c for c in chars if ask(c + VIRAMA + KA + MARK).endswith("KM")} | GIVEN["Consonant"]
    linker = {c for c in chars if ask(KA + c + KA + MARK).endswith("KM")} - prepend | GIVEN["Linker"]
    extend = (keeping & joined) - {JOINER} | GIVEN["Extend"]
    _check_conjuncts(ask, extend, linker)
    return {
        "Prepend": prepend,
        "Control": control - {"\r", "\n"},
        "Extend": extend,
        "SpacingMark": joined - extend - {JOINER},
        "ExtendedPictographic": pictographic,
        "Consonant": consonant,
        "Linker": linker,
    }


def _check_conjuncts(ask: object, extend: Set[str], linker: Set[str]) -> None:
    """All of Extend but the non-joiner may stand inside a conjunct: then no table of its own is needed."""
    for char in extend - linker - {MARK}:
        inside = ask(KA + char + VIRAMA + KA + MARK).endswith("KM")  # type: ignore[operator]
        if inside != (ord(char) != NON_JOINER):
            raise SystemExit(f"{ord(char):04x} behaves differently in a conjunct")


def main() -> None:
    sets = Sets()
    for name, chars in classes().items():
        sets.add(name, as_ranges(sorted(map(ord, chars))))
    title = "Grapheme cluster classes of Unicode 17.0, as HF's Precompiled normalizer has them."
    text = sets.module(title).replace("make_unicode", "make_graphemes")
    (TARGET / "data_graphemes17.py").write_text(text)


if __name__ == "__main__":
    main()
