"""Is a converted file faithful? The same texts and ids through several readings, side by side.

A column is one reading: the file by its own rules (the document), the original by the oracle, and the
file by a released engine. The original is what the others are held against.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, Iterable, List, Mapping, Sequence, Tuple

from tokassay.checks.engine import EngineError, Session, UnavailableError
from tokassay.checks.judging import ask, kind_of

from .shrink import shrink

Input = Tuple[str, Tuple[int, ...]]
"""A text, or ids; the other one is empty."""
OPS = ("encode", "encode-special", "decode", "decode-skip")
MOST_SHRINKS = 400


@dataclass(frozen=True)
class Finding:
    """The smallest input found at which a column differs from the original, and what each column says."""

    op: str
    column: str
    input: Input
    answers: Mapping[str, object]


@dataclass
class Tally:
    """How often each operation was tried and each column differed, with the shortest input of each kind."""

    tried: Dict[str, int] = field(default_factory=dict)
    differs: Dict[Tuple[str, str], int] = field(default_factory=dict)
    shortest: Dict[Tuple[str, str], Input] = field(default_factory=dict)

    def note(self, op: str, column: str, given: Input) -> None:
        key = (op, column)
        self.differs[key] = self.differs.get(key, 0) + 1
        known = self.shortest.get(key)
        if known is None or _size(given) < _size(known):
            self.shortest[key] = given


@dataclass(frozen=True)
class Comparison:
    """`original` is what the `others` (name → session) should answer like."""

    original: Session
    others: Mapping[str, Session]

    def run(self, texts: Iterable[str], id_lists: Iterable[Sequence[int]]) -> Tally:
        """Every text with and without special tokens, every list of ids with and without them."""
        tally = Tally()
        for text in texts:
            for op in OPS[:2]:
                self._try(op, (text, ()), tally)
        for ids in id_lists:
            for op in OPS[2:]:
                self._try(op, ("", tuple(ids)), tally)
        return tally

    def _try(self, op: str, given: Input, tally: Tally) -> None:
        tally.tried[op] = tally.tried.get(op, 0) + 1
        wanted = answer(self.original, op, given)
        for name, session in self.others.items():
            if can(session, op) and answer(session, op, given) != wanted:
                tally.note(op, name, given)

    def findings(self, tally: Tally) -> List[Finding]:
        """One for each operation and column that differs, its input made small."""
        found = []
        for (op, name), given in tally.shortest.items():
            small = self._small(op, self.others[name], given)
            columns = {"original": self.original, **self.others}
            answers = {each: answer(one, op, small) for each, one in columns.items() if can(one, op)}
            found.append(Finding(op, name, small, answers))
        return found

    def _small(self, op: str, session: Session, given: Input) -> Input:
        def differs(smaller: Input) -> bool:
            return answer(session, op, smaller) != answer(self.original, op, smaller)

        text, ids = given
        if not ids:
            return shrink(text, lambda shorter: differs((shorter, ())), MOST_SHRINKS), ()
        at = 0
        while at < len(ids) and len(ids) > 1:
            fewer = ids[:at] + ids[at + 1 :]
            ids, at = (fewer, at) if differs(("", fewer)) else (ids, at + 1)
        return "", ids


def _size(given: Input) -> int:
    return len(given[0]) + len(given[1])


def can(session: Session, op: str) -> bool:
    """Whether an engine claims what an operation needs."""
    needs = {"encode": "add_special", "decode-skip": "skip_special"}
    return needs.get(op, "encode") in session.info.capabilities


def answer(session: Session, op: str, given: Input) -> object:
    """Ids or text; for a failure its kind."""
    text, ids = given
    able = session.info.capabilities
    try:
        if op in OPS[:2]:
            options = {"add_special_tokens": op == "encode-special"} if "add_special" in able else {}
            encoded = ask(session.encode, text, **options)
            return tuple(ask(getattr, encoded, "ids"))
        skips = {"skip_special_tokens": op == "decode-skip"} if "skip_special" in able else {}
        return ask(session.decode, list(ids), **skips)
    except UnavailableError:
        raise
    except EngineError as error:
        return kind_of(error)
