"""Whether a tokenizer file is read for what it is: odd files, refused files, and what they then answer."""

from __future__ import annotations

from functools import partial
from typing import Any, Dict, Mapping, Optional

from .engine import Session
from .judging import ask, judged, refused, tokenizer_of
from .vector import Vector
from .verdict import Difference, Verdict

SUITE = "format"


def applies(vector: Vector) -> bool:
    return vector.op == "load"


def check(engine: Session, vector: Vector) -> Verdict:
    """What a loaded file answers. The driver has loaded it; a load that fails is judged there."""
    answer = vector.answer(tokenizer_of(vector))
    if not answer["loads"]:
        return refused(engine, vector, SUITE, [], lambda _engine, _vector: "the file was loaded")
    return judged(engine, vector, SUITE, ["encode"], partial(_compare, answer=answer))


def _compare(engine: Session, vector: Vector, answer: Mapping[str, object]) -> Optional[Difference]:
    for name, got in _answers(engine, vector, answer).items():
        if name in answer and got != answer[name]:
            return Difference(name, answer[name], got)  # type: ignore[arg-type]
    return None


def _answers(engine: Session, vector: Vector, answer: Mapping[str, object]) -> Dict[str, Any]:
    able = engine.info.capabilities
    found: Dict[str, Any] = {}
    if "probe" in vector.given:
        options = {"add_special_tokens": False} if "add_special" in able else {}
        encoded = ask(engine.encode, str(vector.given["probe"]), **options)
        found["ids"] = list(encoded.ids)
        if "tokens" in able:
            found["tokens"] = list(ask(getattr, encoded, "tokens"))
        if "decoded" in answer:
            skip = {"skip_special_tokens": False} if "skip_special" in able else {}
            found["decoded"] = ask(engine.decode, encoded.ids, **skip)
    if "vocabulary" in able:
        found.update(_vocabulary(engine, vector))
    return found


def _vocabulary(engine: Session, vector: Vector) -> Dict[str, Any]:
    ids: Any = vector.given.get("probe_ids", ())
    return {
        "vocab_size": ask(engine.vocab_size, with_added_tokens=True),
        "vocab_size_no_added": ask(engine.vocab_size, with_added_tokens=False),
        "id_to_token": {str(index): ask(engine.id_to_token, index) for index in ids},
    }
