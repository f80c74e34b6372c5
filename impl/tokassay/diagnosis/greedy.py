"""What "always the longest entry" costs against the tokenizer that a vocab.bin was compiled from.

Line by line: whether the ids are the same, and if not, of which kind the difference is. The kinds are tried
in this order, so a line is counted once:

* ``line feeds``: without the line feed at its end the line has the same ids;
* ``spaces lost``: the text comes back with fewer spaces;
* ``bytes unmatched``: the text comes back otherwise, because bytes without an entry became id 0;
* ``normalized``: the tokenizer changes the text before it encodes, greedy matching does not;
* ``fewer tokens``, ``as many tokens``, ``more tokens``: the same text, cut otherwise.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Dict, Iterable, List

from tokassay import Tokenizer

KINDS = (
    "line feeds",
    "spaces lost",
    "bytes unmatched",
    "normalized",
    "fewer tokens",
    "as many tokens",
    "more tokens",
)
LONGEST_EXAMPLE = 80


@dataclass
class Cost:
    """Counts over all lines; `examples` holds the shortest line of each kind."""

    lines: int = 0
    equal: int = 0
    tokens: int = 0
    greedy_tokens: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    examples: Dict[str, str] = field(default_factory=dict)

    def add(self, kind: str, line: str) -> None:
        self.kinds[kind] += 1
        if len(line) < len(self.examples.get(kind, line + " ")):
            self.examples[kind] = line


def cost(whole: Tokenizer, greedy: Tokenizer, lines: Iterable[str]) -> Cost:
    """Both tokenizers on every line, special tokens left out."""
    found = Cost()
    for line in lines:
        wanted, got = _ids(whole, line), _ids(greedy, line)
        found.lines += 1
        found.equal += wanted == got
        found.tokens += len(wanted)
        found.greedy_tokens += len(got)
        if wanted != got:
            found.add(_kind(whole, greedy, line, wanted, got), line)
    return found


def _kind(whole: Tokenizer, greedy: Tokenizer, line: str, wanted: List[int], got: List[int]) -> str:
    bare = line.rstrip("\n")
    if bare != line and _ids(whole, bare) == _ids(greedy, bare):
        return "line feeds"
    back = greedy.decode(got, skip_special_tokens=False)
    if back != line and back.replace(" ", "") == line.replace(" ", ""):
        return "spaces lost"
    if back != line:
        return "bytes unmatched"
    if whole.decode(wanted, skip_special_tokens=False) != line:
        return "normalized"
    return KINDS[4 + (len(got) >= len(wanted)) + (len(got) > len(wanted))]


def _ids(tokenizer: Tokenizer, text: str) -> List[int]:
    return tokenizer.encode(text, add_special_tokens=False).ids
