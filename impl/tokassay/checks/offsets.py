"""Where each token comes from: ranges in characters of the original text."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from .asking import encoded, limited, text_of
from .engine import Session
from .judging import ask, judged, tokenizer_of
from .vector import REST_FIELDS, Vector, digest, digest_fields
from .verdict import Difference, Verdict

SUITE = "offsets"


def applies(vector: Vector) -> bool:
    answer = vector.expect[tokenizer_of(vector)]
    return vector.op in ("encode", "long") and not answer.keys().isdisjoint({"offsets", "rest"})


def check(engine: Session, vector: Vector) -> Verdict:
    """Offsets as stored; for a zoo tokenizer the digest over tokens, offsets and ids with special tokens."""
    needs = ["offsets"] + ["pair"] * ("pair" in vector.given) + ["limits"] * limited(vector)
    if "rest" in vector.expect[tokenizer_of(vector)]:
        needs += ["tokens", "add_special"]
        return judged(engine, vector, SUITE, needs, _rest)
    return judged(engine, vector, SUITE, needs, _long if vector.op == "long" else _stored)


def _stored(engine: Session, vector: Vector) -> Optional[Difference]:
    expected: Any = vector.answer(tokenizer_of(vector))["offsets"]
    got = [list(span) for span in ask(getattr, encoded(engine, vector, special=False), "offsets")]
    return None if got == expected else Difference("offsets", expected, got)


def _rest(engine: Session, vector: Vector) -> Optional[Difference]:
    plain, special = (encoded(engine, vector, special=flag) for flag in (False, True))
    columns: Mapping[str, object] = {
        "tokens": list(ask(getattr, plain, "tokens")),
        "offsets": list(ask(getattr, plain, "offsets")),
        "special_ids": list(special.ids),
    }
    expected, got = str(vector.answer(tokenizer_of(vector))["rest"]), digest_fields(columns, REST_FIELDS)
    return None if got == expected else Difference(f"sha256 of {', '.join(REST_FIELDS)}", expected, got)


def _long(engine: Session, vector: Vector) -> Optional[Difference]:
    options: Mapping[str, Any] = (
        {"add_special_tokens": False} if "add_special" in engine.info.capabilities else {}
    )
    offsets = ask(getattr, ask(engine.encode, text_of(vector), **options), "offsets")
    expected, got = str(vector.answer(tokenizer_of(vector))["offsets"]), digest(list(offsets))
    return None if got == expected else Difference("sha256 of the offsets", expected, got)
