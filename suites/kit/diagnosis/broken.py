"""Engines with one known fault: the reference, altered as the catalogue says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, FrozenSet, Iterator, List, Sequence

from tokassay import Tokenizer
from tokassay.checks.engine import Answer, EngineInfo
from tokassay.diagnosis.alterations import Altered, catalogue

CLAIMS = frozenset({"encode", "decode", "add_special", "skip_special"})


def altered(path: str) -> Iterator[Altered]:
    description = Tokenizer.from_file(path).description
    for alteration in catalogue():
        yield from alteration.alter(replace(description, truncation=None, padding=None))


@dataclass(frozen=True)
class BrokenEngine:
    """The reference with the fault that `cause` names; right on tokenizers which that does not concern."""

    cause: str
    claims: FrozenSet[str] = CLAIMS

    @property
    def info(self) -> EngineInfo:
        return EngineInfo("broken", "1", self.claims)

    def load(self, path: str) -> BrokenSession:
        plain = Altered("", Tokenizer.from_file(path).description)
        found = next((one for one in altered(path) if one.cause == self.cause), plain)
        return BrokenSession(self.info, path, found, Tokenizer.from_description(found.description))


@dataclass(frozen=True)
class BrokenSession:
    info: EngineInfo
    path: str
    fault: Altered
    tokenizer: Tokenizer

    def _special(self, asked: bool) -> bool:
        return asked if self.fault.special is None else self.fault.special

    def encode(self, text: str, *, add_special_tokens: bool = True) -> Answer:
        encoded = self.tokenizer.encode(self.fault.before(text), None, self._special(add_special_tokens))
        spans: Any = (
            self.fault.spans(text, list(encoded.offsets)) if "offsets" in self.info.capabilities else ()
        )
        return Answer(self.fault.after(list(encoded.ids)), offsets=spans)

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> str:
        changed: List[int] = self.fault.after(list(ids))
        return self.fault.shown(self.tokenizer.decode(changed, self._special(skip_special_tokens)))
