"""The question behind a verdict: it can be asked again, of others, and made smaller."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from tokassay.checks.asking import limited, text_of
from tokassay.checks.engine import Session
from tokassay.checks.judging import ask, expected_error, tokenizer_of
from tokassay.checks.vector import SPECIAL_FIELDS, Vector
from tokassay.checks.verdict import Comparable, Verdict

COLUMNS = ("ids", *SPECIAL_FIELDS)
_ITEM = re.compile(r"item \d+ \(ids \[([\d, ]*)\]\)")
_WITH_SPECIAL = " with special tokens"


@dataclass(frozen=True)
class Question:
    """`what` is the answer: a column of the encoding of `text` (and `pair`), ``text`` or ``stream`` of `ids`.

    `special`: special tokens are added when encoding, or left out when decoding. `limits`: truncation and
    padding of the file are in force. `data`: bytes that are not UTF-8; `text` is what they are read as.
    """

    what: str
    text: str = ""
    pair: Optional[str] = None
    ids: Tuple[int, ...] = ()
    special: bool = False
    limits: bool = False
    data: bytes = b""

    @property
    def encodes(self) -> bool:
        return self.what in COLUMNS

    @property
    def size(self) -> int:
        return len(self.input) + len(self.pair or "")

    @property
    def given(self) -> Mapping[str, object]:
        """As fields of a vector."""
        if not self.encodes:
            return {"ids": list(self.ids), "skip_special_tokens": self.special}
        if self.data:
            return {"bytes_hex": self.data.hex()}
        return {"text": self.text} if self.pair is None else {"text": self.text, "pair": self.pair}

    @property
    def named(self) -> str:
        """What a difference calls it."""
        return self.what + _WITH_SPECIAL * (self.special and self.encodes)

    @property
    def input(self) -> Sequence[Any]:
        """What can be made smaller."""
        return (self.data or self.text) if self.encodes else self.ids

    def with_input(self, value: Sequence[Any]) -> Question:
        if self.data:
            return replace(self, data=bytes(value), text=bytes(value).decode("utf-8", "replace"))
        return replace(self, text=str(value)) if self.encodes else replace(self, ids=tuple(value))

    def ask(self, session: Session) -> Comparable:
        """The answer. Raises an EngineError."""
        able = session.info.capabilities
        if self.encodes:
            return self._column(session)
        skip: Dict[str, Any] = {"skip_special_tokens": self.special} if "skip_special" in able else {}
        if self.what == "text":
            return ask(session.decode, list(self.ids), **skip)
        stream = ask(session.stream, **skip)
        steps = [ask(stream.step, index) for index in self.ids]
        flushed = ask(stream.flush) if "flush" in able else None
        return "".join(step or "" for step in (*steps, flushed))

    def _column(self, session: Session) -> List[Any]:
        able = session.info.capabilities
        special: Dict[str, Any] = {"add_special_tokens": self.special} if "add_special" in able else {}
        if self.data and "encode_bytes" in able:
            return list(ask(getattr, ask(session.encode_bytes, self.data, **special), self.what))
        entry = session.encode_limited if self.limits and "limits" in able else session.encode
        pair = () if self.pair is None else (self.pair,)
        return list(ask(getattr, ask(entry, self.text, *pair, **special), self.what))


def behind(verdict: Verdict, vector: Vector) -> Optional[Question]:
    """The question that the verdict is about; None where it cannot be asked alone."""
    if expected_error(vector) or verdict.suite == "determinism":
        return None
    what = verdict.difference.what if verdict.difference else ""
    if vector.op == "sweep":
        return _of_sweep(what, vector)
    if verdict.suite in ("decode", "stream"):
        return _of_ids(verdict.suite, what, vector)
    if vector.op in ("encode", "long"):
        pair = str(vector.given["pair"]) if "pair" in vector.given else None
        found = _column_of(what) if what else ("offsets" if verdict.suite == "offsets" else "ids", False)
        data = vector.data if "bytes_hex" in vector.given else b""
        return found and Question(found[0], text_of(vector), pair, (), found[1], limited(vector), data)
    if vector.op == "load" and "probe" in vector.given and what in ("", "ids", "tokens"):
        return Question(what or "ids", str(vector.given["probe"]))
    return None


def _column_of(what: str) -> Optional[Tuple[str, bool]]:
    special = what.endswith(_WITH_SPECIAL)
    name = {"number of ids": "ids", "sha256 of the ids": "ids", "sha256 of the offsets": "offsets"}.get(
        what, what[: -len(_WITH_SPECIAL)] if special else what
    )
    return (name, special) if name in COLUMNS else None


def _of_ids(suite: str, what: str, vector: Vector) -> Optional[Question]:
    if suite == "stream":
        return Question("stream", ids=vector.ids, special=bool(vector.given["skip_special_tokens"]))
    if vector.op in ("decode", "stream"):
        return Question("text", ids=vector.ids, special=bool(vector.given["skip_special_tokens"]))
    if vector.op != "encode":
        return None
    answer: Any = vector.answer(tokenizer_of(vector))
    skips = "without special tokens" in what
    return Question("text", ids=tuple(answer["special_ids" if skips else "ids"]), special=skips)


def _of_sweep(what: str, vector: Vector) -> Optional[Question]:
    """The item that differs. Where texts are swept, the text is filled in by who has a witness."""
    item = _ITEM.fullmatch(what)
    if item is None:
        return None
    ids = tuple(map(int, item[1].split(",")))
    return Question("text" if vector.given["sweep"] == "decode" else "ids", ids=ids)


def completed(question: Question, witness: Session) -> Question:
    """A text that was swept, spelled by the witness."""
    if not question.encodes or not question.ids:
        return question
    spelled = Question("text", ids=question.ids).ask(witness)
    return replace(question, text=str(spelled), ids=())
