"""Text to ids: the ids alone, with special tokens, with a pair, in batches, and over a whole vocabulary."""

from __future__ import annotations

from typing import Dict, FrozenSet, Iterator, Optional, Sequence

from .asking import encode_call, encoded, is_bare, limited, sweep_difference, text_of
from .calls import Call
from .engine import Encoded, Session
from .judging import ask, expected_error, judged, refused, tokenizer_of
from .vector import SPECIAL_FIELDS, Vector, digest, digest_fields
from .verdict import Difference, Verdict

SUITE = "encode"
BASIC = ("encode",)
MORE = ("tokens", "special_ids")  # what an answer may hold besides the ids
BATCH_FIELDS = ("ids", "attention_mask", "type_ids", "special_tokens_mask")


def applies(vector: Vector) -> bool:
    if vector.op == "sweep":
        return vector.given["sweep"] != "decode" and not expected_error(vector)
    return vector.op in ("encode", "batch", "long")


def calls(able: FrozenSet[str], vector: Vector) -> Iterator[Call]:
    """Both encodings of a text. What the oracle fails on, and all that is rare, is not announced."""
    if vector.op != "encode" or expected_error(vector) or not able.issuperset(_needs(vector)):
        return
    yield encode_call(able, vector, special=False)
    if not vector.expect[tokenizer_of(vector)].keys().isdisjoint(MORE) and "add_special" in able:
        yield encode_call(able, vector, special=True)


def _needs(vector: Vector) -> Sequence[str]:
    if vector.op == "encode" and is_bare(vector):
        return BASIC
    needs = ["encode"] + ["pair"] * ("pair" in vector.given) + ["limits"] * limited(vector)
    return needs + ["decode"] * (vector.op == "sweep")


def check(engine: Session, vector: Vector) -> Verdict:
    """The ids; the token strings and what the post-processor adds where the engine claims them.

    Clauses: those of the vector.
    """
    needs = _needs(vector)
    if expected_error(vector):
        return refused(engine, vector, SUITE, needs, _attempt)
    return judged(engine, vector, SUITE, needs, COMPARED[vector.op])


def _attempt(engine: Session, vector: Vector) -> object:
    able = engine.info.capabilities
    if vector.op == "batch":
        return ask(engine.encode_batch_limited, vector.given["texts"])
    found = encoded(engine, vector, special=False)  # the oracle may have failed in any part of its answer
    encoded(engine, vector, special=True)
    return ask(engine.decode, found.ids, **({"skip_special_tokens": False} if "skip_special" in able else {}))


def _plain(engine: Session, vector: Vector) -> Optional[Difference]:
    stored, able = vector.expect[tokenizer_of(vector)], engine.info.capabilities
    found = encoded(engine, vector, special=False)
    if list(found.ids) != stored["ids"]:
        return Difference("ids", stored["ids"], list(found.ids))  # type: ignore[arg-type]
    if stored.keys().isdisjoint(MORE):
        return None
    answer = vector.answer(tokenizer_of(vector))
    if "tokens" in answer and "tokens" in able:
        tokens = list(ask(getattr, found, "tokens"))
        if tokens != answer["tokens"]:
            return Difference("tokens", answer["tokens"], tokens)  # type: ignore[arg-type]
    if "special_ids" in answer and "add_special" in able:
        return _special(encoded(engine, vector, special=True), answer, able)
    return None


def _special(found: Encoded, answer: Dict[str, object], able: FrozenSet[str]) -> Optional[Difference]:
    if list(found.ids) != answer["special_ids"]:
        return Difference("ids with special tokens", answer["special_ids"], list(found.ids))  # type: ignore[arg-type]
    if {"tokens", "offsets", "masks"} <= able:
        columns = {name: list(ask(getattr, found, name)) for name in SPECIAL_FIELDS}
        if digest_fields(columns, SPECIAL_FIELDS) != answer["special"]:
            shown = ", ".join(SPECIAL_FIELDS)
            return Difference(
                f"sha256 of {shown}", str(answer["special"]), digest_fields(columns, SPECIAL_FIELDS)
            )
    over = [list(part.ids) for part in ask(getattr, found, "overflowing")] if "overflowing" in answer else []
    if over != answer.get("overflowing", []):
        return Difference("overflowing ids", answer["overflowing"], over)  # type: ignore[arg-type]
    return None


def _batch(engine: Session, vector: Vector) -> Optional[Difference]:
    answer = vector.answer(tokenizer_of(vector))
    texts: Sequence[str] = vector.given["texts"]  # type: ignore[assignment]
    found = ask(engine.encode_batch_limited, texts)
    names = BATCH_FIELDS if "masks" in engine.info.capabilities else BATCH_FIELDS[:1]
    for name in names:
        got = [list(ask(getattr, one, name)) for one in found]
        if got != answer[name]:
            return Difference(f"{name} of the batch", answer[name], got)  # type: ignore[arg-type]
    return None


def _long(engine: Session, vector: Vector) -> Optional[Difference]:
    answer = vector.answer(tokenizer_of(vector))
    options = {"add_special_tokens": False} if "add_special" in engine.info.capabilities else {}
    ids = list(ask(engine.encode, text_of(vector), **options).ids)
    if len(ids) != answer["count"]:
        return Difference("number of ids", (answer["count"],), (len(ids),))
    got = digest(ids)
    return None if got == answer["ids"] else Difference("sha256 of the ids", str(answer["ids"]), got)


COMPARED = {"encode": _plain, "batch": _batch, "long": _long, "sweep": sweep_difference}
