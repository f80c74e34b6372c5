"""Ids to text: given ids, the ids of every encode vector, and every id of a vocabulary alone."""

from __future__ import annotations

import hashlib
from typing import Any, FrozenSet, Iterator, Mapping, Optional, Sequence

from .asking import limited, sweep_difference, text_of
from .calls import Call
from .engine import Session
from .judging import ask, expected_error, fails, judged, refused, tokenizer_of
from .vector import Vector
from .verdict import Difference, Verdict

SUITE = "decode"


def applies(vector: Vector) -> bool:
    if vector.op in ("decode", "stream"):
        return True
    if expected_error(vector):
        return False
    return {
        "encode": not limited(vector),
        "long": True,
        "sweep": vector.given.get("sweep") == "decode",
    }.get(vector.op, False)


def check(engine: Session, vector: Vector) -> Verdict:
    """The text; the bytes, too, where the engine claims `decode_bytes` and nothing had to be replaced."""
    needs = ["decode"] + ["skip_special"] * bool(vector.given.get("skip_special_tokens"))
    needs += ["encode"] * (vector.op == "long")
    if expected_error(vector):
        how = options(engine, skip=bool(vector.given["skip_special_tokens"]))
        return refused(
            engine, vector, SUITE, needs, lambda _engine, _vector: ask(engine.decode, vector.ids, **how)
        )
    compare = {
        "encode": _round,
        "decode": _given,
        "stream": _given,
        "long": _long,
        "sweep": sweep_difference,
    }[vector.op]
    return judged(engine, vector, SUITE, needs, compare)


def calls(able: FrozenSet[str], vector: Vector) -> Iterator[Call]:
    """The decodings of an encode vector's ids, and of given ids."""
    if vector.op not in ("encode", "decode") or expected_error(vector) or "decode" not in able:
        return
    answer: Any = vector.answer(tokenizer_of(vector))
    skip = bool(vector.given.get("skip_special_tokens"))
    if vector.op == "encode":
        yield from _text_calls(able, answer["ids"], answer["decoded"], skip=False)
        if "special_ids" in answer and "skip_special" in able:
            yield from _text_calls(able, answer["special_ids"], answer["decoded_plain"], skip=True)
    elif not skip or "skip_special" in able:
        yield from _text_calls(able, vector.ids, str(answer.get("text")), skip=skip)


def _text_calls(able: FrozenSet[str], ids: Sequence[int], text: object, *, skip: bool) -> Iterator[Call]:
    """What `_text` asks. What the oracle fails on is not announced."""
    if not isinstance(text, str):
        return
    flag = skip or "skip_special" not in able
    yield Call("decode", ids, flag)
    if "decode_bytes" in able and "\ufffd" not in text:
        yield Call("decode_bytes", ids, flag)


def options(engine: Session, *, skip: bool) -> Mapping[str, Any]:
    """An engine that cannot leave special tokens out is asked without the option."""
    return {"skip_special_tokens": skip} if "skip_special" in engine.info.capabilities else {}


def _given(engine: Session, vector: Vector) -> Optional[Difference]:
    expected = str(vector.answer(tokenizer_of(vector))["full" if vector.op == "stream" else "text"])
    return _text(engine, vector.ids, expected, skip=bool(vector.given["skip_special_tokens"]))


def _round(engine: Session, vector: Vector) -> Optional[Difference]:
    """The expected ids back to text, special tokens kept; then as a user would decode them."""
    answer = vector.answer(tokenizer_of(vector))
    ids: Sequence[int] = answer["ids"]  # type: ignore[assignment]
    found = _text(engine, ids, answer["decoded"], skip=False)
    if found is None and "special_ids" in answer and "skip_special" in engine.info.capabilities:
        special: Sequence[int] = answer["special_ids"]  # type: ignore[assignment]
        found = _text(engine, special, answer["decoded_plain"], skip=True)
    return found


def _text(engine: Session, ids: Sequence[int], expected: object, *, skip: bool) -> Optional[Difference]:
    how = options(engine, skip=skip)
    what = "text without special tokens" if skip else "text"
    if not isinstance(expected, str):
        wanted = str(expected["error"])  # type: ignore[index]
        failed = fails(wanted, lambda: ask(engine.decode, ids, **how))
        return None if failed else Difference(f"outcome for the {what}", f"an error ({wanted})", "an answer")
    got = ask(engine.decode, ids, **how)
    if got != expected:
        return Difference(what, expected, got)
    if "decode_bytes" in engine.info.capabilities and "\ufffd" not in expected:
        data = ask(engine.decode_bytes, ids, **how)
        if data != expected.encode("utf-8"):
            return Difference(f"bytes of the {what}", expected.encode("utf-8"), data)
    return None


def _long(engine: Session, vector: Vector) -> Optional[Difference]:
    special: Mapping[str, Any] = (
        {"add_special_tokens": False} if "add_special" in engine.info.capabilities else {}
    )
    ids = ask(engine.encode, text_of(vector), **special).ids
    text = ask(engine.decode, ids, **options(engine, skip=False))
    got, expected = (
        hashlib.sha256(text.encode("utf-8")).hexdigest(),
        str(vector.answer(tokenizer_of(vector))["decoded"]),
    )
    return None if got == expected else Difference("sha256 of the text", expected, got)
