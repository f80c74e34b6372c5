"""Nodes to a pattern of Python's `re`, over an alphabet. Nothing depends on flags or locale."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Dict, Iterable, List

from ..unicode.ranges import ASCII, Ranges, class_body, complement, intersection, size
from ..unicode.tables import ranges
from .alphabet import Alphabet
from .graphemes import MARK
from .nodes import (
    LAZY,
    Alternatives,
    Anchor,
    Atomic,
    BackReference,
    Capture,
    Chars,
    Look,
    Node,
    Repeat,
    Sequence,
    children,
)

NEWLINE: Ranges = ((10, 10),)
_ANCHORS = {
    "^": r"(?:\A|(?<=\n)(?!\Z))",
    "$": r"(?=\n|\Z)",
    "A": r"\A",
    "z": r"\Z",
    "Z": r"(?=\n?\Z)",
    "K": "(?P<keep>)",
    "y": f"(?![{chr(MARK)}-{chr(2 * MARK - 1)}])",
    "Y": f"(?=[{chr(MARK)}-{chr(2 * MARK - 1)}])",
}
_ATOMIC_KNOWN = sys.version_info >= (3, 11)


def word(narrow: bool) -> Ranges:
    found = ranges("onig.word.bare")
    return intersection(found, ASCII) if narrow else found


def needed_sets(nodes: Iterable[Node]) -> List[Ranges]:
    """All sets that the emitted pattern will name, each once."""
    found: Dict[Ranges, None] = {}
    for node in nodes:
        if isinstance(node, Chars):
            found[node.ranges] = None
        elif isinstance(node, Anchor):
            found[word(node.narrow) if node.kind in "bB" else NEWLINE] = None
    return list(found)


@dataclass
class Emitter:
    """Writes one pattern; atomic groups are numbered in the order they open."""

    alphabet: Alphabet
    marked: bool = False
    atomics: int = 0
    named: bool = False

    def emit(self, node: Node) -> str:
        if isinstance(node, Chars):
            return self.characters(node.ranges)
        if isinstance(node, Sequence):
            return "".join(map(self.emit, node.items))
        if isinstance(node, Alternatives):
            return "(?:" + "|".join(self.emit(option) for option in node.options) + ")"
        if isinstance(node, Repeat):
            return self._repeat(node)
        if isinstance(node, Atomic):
            return self._atomic(node.body)
        if isinstance(node, Capture):
            self.named = True
            return f"(?P<g{node.number}>{self.emit(node.body)})"
        if isinstance(node, BackReference):
            return f"(?P=g{node.number})"
        if isinstance(node, Look):
            sign = ("<" if node.behind else "") + ("!" if node.negative else "=")
            return f"(?{sign}{self.emit(node.body)})"
        if isinstance(node, Anchor):
            return self._anchor(node)
        return self.emit(children(node)[0])

    def _anchor(self, node: Anchor) -> str:
        if node.kind not in "bB":
            return _ANCHORS[node.kind]
        inside = self.characters(word(node.narrow))
        if node.kind == "b":
            return f"(?:(?<={inside})(?!{inside})|(?<!{inside})(?={inside}))"
        return f"(?:(?<={inside})(?={inside})|(?<!{inside})(?!{inside}))"

    def _repeat(self, node: Repeat) -> str:
        if (node.low, node.high) == (1, 1):
            return f"(?:{self.emit(node.body)})"
        body = self.emit(node.body)
        if not isinstance(node.body, (Chars, Alternatives)):
            body = f"(?:{body})"
        lazy = "?" if node.mode == LAZY and node.low != node.high else ""
        return body + _count(node) + lazy

    def _atomic(self, body: Node) -> str:
        if _ATOMIC_KNOWN:
            return f"(?>{self.emit(body)})"
        self.named = True
        self.atomics += 1
        name = f"a{self.atomics}"
        return f"(?:(?=(?P<{name}>{self.emit(body)}))(?P={name}))"

    def characters(self, found: Ranges) -> str:
        members = self.alphabet.members[found]
        universe = ((0, self.alphabet.codes - 1),)
        missing = intersection(complement(members), universe)
        if self.marked:
            members = members + tuple((low + MARK, high + MARK) for low, high in members)
        if not missing:
            return "(?s:.)"
        if not members:
            return r"[^\x00-\U0010ffff]"  # one character, but never: look-behinds count it
        if missing == NEWLINE and not self.marked:
            return "."
        if size(members) == 1:
            return class_body(members) if members[0][0] > 0x7F else _plain(members[0][0])
        if len(missing) < len(members) and not self.marked:
            return f"[^{class_body(missing)}]"
        return f"[{class_body(members)}]"


def _plain(point: int) -> str:
    char = chr(point)
    return char if char.isalnum() and point < 0x80 else f"\\x{point:02x}"


def _count(node: Repeat) -> str:
    known = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((node.low, node.high))
    if known:
        return known
    if node.low == node.high:
        return f"{{{node.low}}}"
    return f"{{{node.low},{'' if node.high is None else node.high}}}"
