"""A part of the split pattern is left out, or another pattern stands in its place."""

from __future__ import annotations

import re
from typing import Callable, Dict, Iterator

from tokassay.core.description import Description

from . import Altered
from ._parts import GPT2, with_patterns

STAGE = "pre-tokenizer"
WAYS: Dict[str, Callable[[str], str]] = {
    "contractions are found in small letters only": lambda source: source.replace("(?i:", "(?:").replace(
        "(?i)", ""
    ),
    "contractions are found in capitals as well": lambda source: source.replace(
        "'(?:[sdmt]|ll|ve|re)", "(?i:'(?:[sdmt]|ll|ve|re))"
    ),
    "contractions are not split off": lambda source: re.sub(
        r"^\(\?i:'[^)]*\)\|?|^(?:'\w+\|)+|^'\(\?:[^)]*\)\|", "", source
    ),
    "the lookahead after blanks is left out": lambda source: source.replace(r"\s+(?!\S)|", ""),
    "line ends are not kept with the blanks before them": lambda source: re.sub(
        r"\\s\*\[\\r\\n\]\+?\|", "", source
    ),
    "numbers are not cut into groups of three": lambda source: source.replace(r"\p{N}{1,3}", r"\p{N}+"),
    "numbers are cut into single digits": lambda source: source.replace(r"\p{N}{1,3}", r"\p{N}").replace(
        r"\p{N}+", r"\p{N}"
    ),
    "numbers are cut into groups of three": lambda source: re.sub(
        r"\\p\{N\}(?!\{|\]|\})\+?", r"\\p{N}{1,3}", source
    ),
    "the pattern of GPT-2 stands for the file's own": lambda _: GPT2,
}


def alter(description: Description) -> Iterator[Altered]:
    for cause, way in WAYS.items():
        changed = with_patterns(description, way)
        if changed is not None:
            yield Altered(cause, changed)
