"""What each check compares, on a tiny engine and made-up expectations."""

from __future__ import annotations

import hashlib
from typing import Any, List, Optional, Sequence

import pytest

from tokassay.checks import decode, encode, format, offsets, stream, suites  # noqa: A004 - a suite's name
from tokassay.checks.asking import format_of, limited, text_of
from tokassay.checks.engine import CAPABILITIES, Answer, EngineInfo, FaultError
from tokassay.checks.judging import clauses_of, shown
from tokassay.checks.vector import INLINE, SPECIAL_FIELDS, Vector, digest, digest_fields, parse_row
from tokassay.checks.verdict import KINDS, Verdict


def vector(op: str, answer: Any, of: str = "letters", **given: object) -> Vector:
    row = {
        "id": "made/up",
        "op": op,
        "kind": "made",
        "level": "must",
        "clauses": [],
        "source": {"kind": "hand", "ref": ""},
        "oracle": {"name": "tokenizers", "version": "0.23.3"},
        "expect": {of: answer},
        "hash": "0",
    }
    return parse_row({**row, **given}, "row")


class Engine:
    """Ids are code points; 1 is put in front as special token, 1000 and up are bytes."""

    def __init__(self, *claims: str, **changes: Any) -> None:
        self.info = EngineInfo("letters", "1", frozenset(claims or set(CAPABILITIES)))
        self.path = "letters.json"
        self.changes = changes

    def encode(self, text: str, pair: Optional[str] = None, *, add_special_tokens: bool = True) -> Answer:
        ids = [1] * add_special_tokens + [ord(char) for char in text + (pair or "")]
        spans = [(0, 0)] * add_special_tokens + [(i, i + 1) for i in range(len(text + (pair or "")))]
        zeros = [0] * len(ids)
        return Answer(ids, self.changes.get("tokens", list(map(chr, ids))), spans, zeros, zeros, zeros, zeros)

    def encode_limited(
        self, text: str, pair: Optional[str] = None, *, add_special_tokens: bool = True
    ) -> Answer:
        return Answer(self.encode(text, pair, add_special_tokens=add_special_tokens).ids[:2])

    def encode_batch_limited(self, texts: Sequence[str]) -> List[Answer]:
        return [self.encode_limited(text) for text in texts]

    def encode_bytes(self, data: bytes, *, add_special_tokens: bool = True) -> Answer:
        return self.encode(data.decode("utf-8", "replace"), add_special_tokens=add_special_tokens)

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> str:
        return "".join(chr(index) for index in ids if not (skip_special_tokens and index == 1))

    def decode_bytes(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> bytes:
        return self.decode(ids, skip_special_tokens=skip_special_tokens).encode() + self.changes.get(
            "tail", b""
        )

    def stream(self, **_: bool) -> Any:
        return self.changes["stream"]

    def vocab_size(self, *, with_added_tokens: bool = True) -> int:
        return 2 if with_added_tokens else 1

    def id_to_token(self, index: int) -> Optional[str]:
        return chr(index)


class Steps:
    """A stream that answers what it was given."""

    def __init__(
        self, steps: Sequence[Optional[str]], flushed: Optional[str] = None, fails: bool = False
    ) -> None:
        self.steps, self.flushed, self.fails = iter(steps), flushed, fails

    def step(self, _: int) -> Optional[str]:
        for step in self.steps:
            return step
        if self.fails:
            raise FaultError("Invalid prefix encountered")
        return None

    def flush(self) -> Optional[str]:
        return self.flushed


def what(verdict: Verdict) -> str:
    return verdict.difference.what if verdict.difference else verdict.kind


def special(text: str) -> str:
    found = Engine().encode(text)
    return digest_fields({name: getattr(found, name) for name in SPECIAL_FIELDS}, SPECIAL_FIELDS)


FULL = {"ids": [97], "tokens": ["a"], "offsets": [[0, 1]], "special_ids": [1, 97], "special": special("a")}

# -- encode -----------------------------------------------------------------------------------------


def test_encode_compares_ids_then_tokens_then_what_is_added():
    assert what(encode.check(Engine(), vector("encode", FULL, text="a"))) == "pass"
    for field, value, found in [
        ("ids", [98], "ids"),
        ("tokens", ["b"], "tokens"),
        ("special_ids", [2, 97], "ids with special tokens"),
        ("special", "0", f"sha256 of {', '.join(SPECIAL_FIELDS)}"),
        ("overflowing", [[1]], "overflowing ids"),
    ]:
        assert what(encode.check(Engine(), vector("encode", {**FULL, field: value}, text="a"))) == found


def test_encode_compares_only_what_is_claimed():
    wrong = {**FULL, "tokens": ["b"], "special_ids": [2]}

    class Plain(Engine):
        def encode(self, text: str) -> Answer:
            return Answer([ord(char) for char in text])

    assert what(encode.check(Plain("encode", "decode"), vector("encode", wrong, text="a"))) == "pass"


def test_a_pair_needs_the_capability():
    made = vector("encode", {**FULL, "ids": [97, 98]}, text="a", pair="b")
    assert encode.check(Engine("encode"), made).reason == "does not claim pair (encode takes a second text)"
    assert what(encode.check(Engine("encode", "add_special", "pair"), made)) == "ids with special tokens"


def test_bytes_go_to_the_engine_as_bytes_where_it_takes_them():
    made = vector("encode", {"ids": [0xFFFD]}, bytes_hex="ff")
    assert what(encode.check(Engine(), made)) == "pass"
    assert shown(made) == '"ff"'


def test_a_tokenizer_of_its_own_is_taken_with_its_limits():
    stored = {"truncation": {"max_length": 2}, "padding": None}
    made = vector("encode", {"ids": [97, 98]}, INLINE, text="abc", tokenizer=stored)
    assert limited(made)
    assert what(encode.check(Engine(), made)) == "pass"
    assert encode.check(Engine("encode"), made).kind == "unsupported"
    assert not decode.applies(made)


@pytest.mark.parametrize("stored", [{"truncation": None}, "{ not json", "[]"])
def test_a_tokenizer_without_limits_is_taken_as_it_is(stored: object):
    assert not limited(vector("encode", {"ids": []}, INLINE, text="", tokenizer=stored))


def test_a_batch_is_compared_column_by_column():
    columns = {"ids": [[1, 97]], "attention_mask": [[]], "type_ids": [[]], "special_tokens_mask": [[]]}
    assert what(encode.check(Engine(), vector("batch", columns, texts=["ab"]))) == "pass"
    columns["type_ids"] = [[1]]
    assert what(encode.check(Engine(), vector("batch", columns, texts=["ab"]))) == "type_ids of the batch"


RECIPE = {"name": "one-letter", "seed": 1, "bytes": 100}


def test_long_texts_are_compared_by_digest():
    ids = [97] * 100
    spans = [(i, i + 1) for i in range(100)]
    text = hashlib.sha256(b"a" * 100).hexdigest()
    answer = {"count": 100, "ids": digest(ids), "offsets": digest(spans), "decoded": text}
    made = vector("long", answer, recipe=RECIPE)
    assert text_of(made) == "a" * 100
    assert [what(suite.check(Engine(), made)) for suite in (encode, offsets, decode)] == ["pass"] * 3
    off = vector("long", {"count": 99, "ids": "0", "offsets": "0", "decoded": "0"}, recipe=RECIPE)
    found = [what(suite.check(Engine(), off)) for suite in (encode, offsets, decode)]
    assert found == ["number of ids", "sha256 of the offsets", "sha256 of the text"]


def sweep(blocks: Sequence[str], name: str = "decode") -> Vector:
    return vector("sweep", {"count": 5, "blocks": blocks}, sweep=name, block=2)


def test_a_sweep_names_the_first_block_that_differs():
    right = [digest(["\x00", "\x01"]), digest(["\x02", "\x03"]), digest(["\x04"])]
    assert what(decode.check(Engine(), sweep(right))) == "pass"
    wrong = decode.check(Engine(), sweep([right[0], "0", right[2]]))
    assert what(wrong) == "sha256 of block 1 (items 2 to 3)"


def test_a_sweep_over_tokens_encodes_what_it_decodes():
    right = [digest([[0], [1]]), digest([[2], [3]]), digest([[4]])]
    assert what(encode.check(Engine(), sweep(right, "tokens"))) == "pass"
    assert not decode.applies(sweep(right, "tokens"))


# -- decode and offsets -----------------------------------------------------------------------------


def test_decode_takes_special_tokens_out_where_asked():
    for skip, text in ((True, "a"), (False, "\x01a")):
        made = vector("decode", {"text": text}, ids=[1, 97], skip_special_tokens=skip)
        assert what(decode.check(Engine(), made)) == "pass"
    made = vector("decode", {"text": "a"}, ids=[1, 97], skip_special_tokens=True)
    assert decode.check(Engine("encode", "decode"), made).kind == "unsupported"


@pytest.mark.parametrize(
    ("suite", "op", "expected"),
    [
        ("encode", "encode", ("norm.nfc",)),
        ("offsets", "encode", ("encoding.offsets", "norm.nfc")),
        ("decode", "encode", ("decode.ids", "norm.nfc")),
        ("determinism", "long", ("verdict.determinism", "norm.nfc")),
        ("decode", "decode", ("norm.nfc",)),
    ],
)
def test_a_failure_cites_what_its_suite_asks(suite: str, op: str, expected: tuple[str, ...]):
    assert clauses_of(vector(op, {}, clauses=["norm.nfc"]), suite) == expected


def test_a_text_that_the_oracle_cannot_decode_leaves_its_ids():
    class Strict(Engine):
        def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> str:  # noqa: ARG002
            raise FaultError("too short")

    panics = {"error": "PanicException"}
    made = vector("encode", {**FULL, "decoded": panics, "decoded_plain": panics}, text="a")
    assert what(decode.check(Strict(), made)) == "pass"
    assert what(decode.check(Engine(), made)) == "outcome for the text"
    assert what(encode.check(Engine(), made)) == "pass"


def test_decode_compares_both_ways_of_an_encode_vector():
    plain = {**FULL, "decoded": "a", "decoded_plain": "a"}
    assert what(decode.check(Engine(), vector("encode", plain, text="a"))) == "pass"
    assert what(decode.check(Engine(), vector("encode", {**plain, "decoded": "b"}, text="a"))) == "text"
    other = vector("encode", {**plain, "decoded_plain": "b"}, text="a")
    assert what(decode.check(Engine(), other)) == "text without special tokens"


def test_bytes_have_to_be_the_texts_bytes():
    made = vector("decode", {"text": "a"}, ids=[97], skip_special_tokens=False)
    assert what(decode.check(Engine(tail=b"!"), made)) == "bytes of the text"


def test_an_expected_error_of_decode():
    made = vector("decode", {"error": "Exception"}, ids=[97], skip_special_tokens=False)
    assert what(decode.check(Engine(), made)) == "outcome"


def test_offsets_of_a_real_tokenizer_are_a_digest():
    columns = {"tokens": ["a"], "offsets": [[0, 1]], "special_ids": [1, 97]}
    rest = digest_fields(columns, tuple(columns))
    assert what(offsets.check(Engine(), vector("encode", {"ids": [97], "rest": rest}, text="a"))) == "pass"
    found = what(offsets.check(Engine(tokens=["b"]), vector("encode", {"ids": [97], "rest": rest}, text="a")))
    assert found == "sha256 of tokens, offsets, special_ids"


# -- stream -----------------------------------------------------------------------------------------


def streamed(
    steps: Sequence[Optional[str]],
    flushed: Optional[str] = None,
    *,
    chunks: Sequence[Optional[str]],
    full: str,
    flush: bool = True,
    error: str = "",
    fails: bool = False,
) -> str:
    answer = {"chunks": chunks, "full": full, **({"error": error} if error else {})}
    claims = {"encode", "decode", "stream", "skip_special"} | ({"flush"} if flush else set())
    engine = Engine(*claims, stream=Steps(steps, flushed, fails))
    return what(stream.check(engine, vector("stream", answer, ids=[1, 2, 3], skip_special_tokens=False)))


def test_a_stream_ends_with_the_whole_text():
    assert streamed(["a", None, "b"], "\ufffd", chunks=["a", None, "b"], full="ab\ufffd") == "pass"
    found = streamed(["a", None, "b"], None, chunks=["a", None, "b"], full="ab\ufffd")
    assert found == "text of the whole stream"  # what the oracle's stream withholds, a flush has to give
    assert streamed(["a", None, "c"], None, chunks=["a", None, "b"], full="ab") == "text of the whole stream"


def test_a_stream_cannot_take_back_what_decode_replaces_later():
    full = "\ufffd\ufffd\ufffd"
    assert streamed(["A", None, None], "\ufffd\ufffd", chunks=["A", None, None], full=full) == "pass"
    found = streamed(["A", None, None], "\ufffdB", chunks=["A", None, None], full=full)
    assert found == "text of the whole stream"
    assert (
        streamed(["A", None, None], "bc", chunks=[None, None, None], full=full) == "text of the whole stream"
    )


def test_a_stream_holds_no_partial_character():
    found = streamed(["\ufffd", None, "é"], None, chunks=[None, None, "\ufffdé"], full="\ufffdé")
    assert found == "pass"  # the text itself has that character
    found = streamed(["é\ufffd", None, None], None, chunks=["é", None, "\ufffd"], full="é")
    assert found == "step 0 holds a partial character"


def test_a_stream_withholds_nothing_longer_than_the_oracle():
    assert streamed([None, None, "ab"], None, chunks=["a", "b", None], full="ab") == "text after step 0"
    assert streamed(["a", "b", None], None, chunks=[None, None, "ab"], full="ab") == "pass"


def test_without_a_flush_the_steps_are_the_oracles():
    assert streamed(["a", None, "b"], chunks=["a", None, "b"], full="ab\ufffd", flush=False) == "pass"
    found = streamed(["a", "b", None], chunks=["a", None, "b"], full="ab", flush=False)
    assert found == "steps of the stream"


def test_without_a_flush_the_oracles_failure_is_the_engines():
    how = {"chunks": ["a"], "full": "ab", "flush": False, "error": "Exception"}
    assert streamed(["a"], fails=True, **how) == "pass"
    assert streamed(["a", None, None], **how) == "steps of the stream"


def test_with_a_flush_the_oracles_failure_is_not():
    assert streamed(["a", None, "b"], chunks=["a"], full="ab", error="Exception") == "pass"


def test_where_the_oracle_fails_on_the_ids_there_is_no_stream():
    made = vector("stream", {"error": "PanicException"}, ids=[97], skip_special_tokens=False)
    assert not stream.applies(made)
    assert what(decode.check(Engine(), made)) == "outcome"


def test_the_ids_of_a_stream_are_also_decoded_at_once():
    made = vector("stream", {"chunks": ["a"], "full": "b"}, ids=[97], skip_special_tokens=False)
    assert what(decode.check(Engine(), made)) == "text"


# -- format -----------------------------------------------------------------------------------------

LOADS = {
    "loads": True,
    "vocab_size": 2,
    "vocab_size_no_added": 1,
    "ids": [97],
    "tokens": ["a"],
    "decoded": "a",
    "id_to_token": {"98": "b"},
}


def test_a_loaded_file_answers_the_probe():
    given = {"tokenizer": {}, "probe": "a", "probe_ids": [98]}
    assert what(format.check(Engine(), vector("load", LOADS, INLINE, **given))) == "pass"
    for field in LOADS.keys() - {"loads"}:
        wrong = vector("load", {**LOADS, field: None}, INLINE, **given)
        assert what(format.check(Engine(), wrong)) == field


def test_what_is_not_asserted_is_not_compared():
    assert what(format.check(Engine(), vector("load", {"loads": True}, INLINE, tokenizer={}))) == "pass"


def test_a_file_that_the_oracle_refuses_must_not_load():
    refused = vector("load", {"loads": False, "error": "Exception"}, INLINE, tokenizer={})
    assert what(format.check(Engine(), refused)) == "outcome"


def test_a_vector_may_bring_files_of_an_older_format():
    files = {"vocab.json": "{}", "merges.txt": ""}
    assert format_of(vector("load", {"loads": True}, INLINE, files=files)) == "merges.txt+vocab.json"


# -- the registry -----------------------------------------------------------------------------------


def test_suites_are_found_by_name():
    assert {"decode", "determinism", "encode", "format", "offsets", "stream"} <= set(suites())
    assert list(suites()) == sorted(suites())


def test_every_verdict_kind_is_explained():
    assert all(KINDS.values())
