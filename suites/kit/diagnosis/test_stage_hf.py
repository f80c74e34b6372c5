"""What lies behind a divergence: the stage, and the values behind a digest. The oracle is the witness."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any, Sequence

from tokassay import data, engines
from tokassay.checks import decode, encode, offsets
from tokassay.checks.engine import Session, Stages
from tokassay.checks.judging import narrowed
from tokassay.checks.vector import Vector, read_vectors
from tokassay.checks.verdict import Verdict
from tokassay.diagnosis.stage import diagnoser
from tokassay.verdicts.stages import stage_name

GOLDEN = data.root() / "golden"
GPT2 = str(GOLDEN / "tokenizers" / "gpt2" / "tokenizer.json")
RIGHT = engines.open("reference").load(GPT2)


def golden(file: str, name: str) -> Vector:
    (found,) = [v for v in read_vectors(GOLDEN / "vectors" / file) if v.id == name]
    return narrowed(found, "gpt2")


SEVEN = golden("encode/digits.jsonl", "digits/seven")


@dataclass(frozen=True)
class Changed:
    """The reference with some answers replaced."""

    changes: Any

    def __getattr__(self, name: str) -> Any:
        return self.changes[name] if name in self.changes else getattr(RIGHT, name)


def broken(**changes: Any) -> Session:
    return Changed(changes)  # type: ignore[return-value]


def diagnosed(session: Session, vector: Vector, verdict: Verdict) -> Verdict:
    assert verdict.kind == "diverge"
    return diagnoser()(session, vector, verdict)


def wrong_ids(text: str, *_: object, **options: Any) -> Any:
    return RIGHT.encode(text[1:], **options)


def test_the_stage_is_the_first_one_that_the_engine_tells_differently():
    def stages(text: str) -> Stages:
        right = RIGHT.stages(text)
        return replace(right, pieces=[*right.pieces, "x"], tokens=[])

    session = broken(encode=wrong_ids, stages=stages)
    found = diagnosed(session, SEVEN, encode.check(session, SEVEN))
    assert stage_name(found.stage) == "pre-tokenizer"


def test_an_engine_that_tells_no_stages_gets_none():
    session = broken(encode=wrong_ids, info=replace(RIGHT.info, capabilities=frozenset({"encode", "decode"})))
    assert diagnosed(session, SEVEN, encode.check(session, SEVEN)).stage == ""


def test_what_the_answers_alone_show_is_the_cause():
    session = broken(encode=lambda *_, **__: RIGHT.encode(""))
    assert diagnosed(session, SEVEN, encode.check(session, SEVEN)).cause == "the answer is empty"


def test_a_wrong_text_is_the_decoders():
    session = broken(decode=lambda *_, **__: "?")
    assert diagnosed(session, SEVEN, decode.check(session, SEVEN)).stage == "decoder"


def test_behind_a_digest_stands_the_column_that_differs():
    @dataclass(frozen=True)
    class Encoded:
        right: Any

        def __getattr__(self, name: str) -> Any:
            return [5] * len(self.right.ids) if name == "type_ids" else getattr(self.right, name)

    session = broken(encode=lambda *given, **options: Encoded(RIGHT.encode(*given, **options)))
    verdict = encode.check(session, SEVEN)
    assert verdict.difference is not None
    assert verdict.difference.what.startswith("sha256 of")
    found = diagnosed(session, SEVEN, verdict).difference
    assert found is not None
    assert (found.what, found.got[0]) == ("type_ids", 5)


def test_behind_a_sweep_stands_the_item_that_differs():
    whole = golden("sweep/vocabulary.jsonl", "vocabulary/every-id-alone")

    def wrong(ids: Sequence[int], **options: bool) -> str:
        return "?" if list(ids) == [300] else RIGHT.decode(ids, **options)

    session = broken(decode=wrong)
    found = diagnosed(session, whole, decode.check(session, whole)).difference
    assert found is not None
    assert (found.what, found.got) == ("item 300 (ids [300])", "?")


def test_offsets_of_a_real_tokenizer_are_told_from_its_digest():
    answer = {"sha256": "0", "ids": [1], "rest": hashlib.sha256(b"").hexdigest()}
    vector = replace(SEVEN, expect={"gpt2": answer})
    verdict = offsets.check(RIGHT, vector)
    found = diagnosed(RIGHT, vector, verdict)
    assert found.difference == verdict.difference  # the witness agrees with the engine: the digest stays
