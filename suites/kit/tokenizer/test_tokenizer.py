"""The tokenizer as a whole, on small descriptions: encoding, decoding, errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tokassay import FormatError, TextError, Tokenizer, UnsupportedError, formats
from tokassay.core.errors import DecodeError, EncodeError

WORDS = {"[UNK]": 0, "a": 1, "b": 2, "c": 3, "[CLS]": 4, "[SEP]": 5, "\u00e9": 6, ".": 7}
BERT = {"type": "BertProcessing", "sep": ["[SEP]", 5], "cls": ["[CLS]", 4]}
STRIP = {"type": "Strip", "content": " ", "start": 0, "stop": 2}


def added(content: str, index: int, **flags: bool):
    known = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {"id": index, "content": content, **known, **flags}


def make(**parts: Any):
    """A word-level tokenizer that splits at spaces, with some parts exchanged."""
    value = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": WORDS, "unk_token": "[UNK]"},
        **parts,
    }
    return Tokenizer.from_description(formats.parse(json.dumps(value).encode()))


def test_encoding_has_all_columns():
    encoding = make(post_processor=BERT).encode("a \u00e9 x", "b")
    assert encoding.ids == [4, 1, 6, 0, 5, 2, 5]
    assert encoding.tokens == ["[CLS]", "a", "\u00e9", "[UNK]", "[SEP]", "b", "[SEP]"]
    assert encoding.offsets == [(0, 0), (0, 1), (2, 3), (4, 5), (0, 0), (0, 1), (0, 0)]
    assert encoding.word_ids == [None, 0, 1, 2, None, 0, None]
    assert encoding.type_ids == [0, 0, 0, 0, 0, 1, 1]
    assert encoding.special_tokens_mask == [1, 0, 0, 0, 1, 0, 1]
    assert encoding.attention_mask == [1] * 7
    assert encoding.overflowing == []
    assert len(encoding) == 7
    assert "7 ids" in repr(encoding)


def test_special_tokens_are_added_on_request_only():
    tokenizer = make(post_processor=BERT)
    assert tokenizer.encode("a", add_special_tokens=False).ids == [1]
    assert tokenizer.encode("").ids == [4, 5]


def test_encodings_are_equal_when_all_columns_are():
    tokenizer = make()
    assert tokenizer.encode("a b") == tokenizer.encode("a b")
    assert tokenizer.encode("a b") != tokenizer.encode("a  b")


def test_word_ids_count_pieces_and_added_tokens():
    tokenizer = make(added_tokens=[added("<x>", 8)])
    encoding = tokenizer.encode("a b<x>c")
    assert (encoding.ids, encoding.word_ids) == ([1, 2, 8, 3], [0, 1, 2, 3])
    assert encoding.special_tokens_mask == [0, 0, 0, 0]


def test_an_added_token_is_spelled_as_it_stands_in_the_text():
    tokenizer = make(added_tokens=[added("<x>", 8, lstrip=True, rstrip=True)])
    encoding = tokenizer.encode("a <x>  b")
    assert (encoding.tokens, encoding.offsets) == (["a", " <x>  ", "b"], [(0, 1), (1, 7), (7, 8)])


@pytest.mark.parametrize("processor", [None, BERT])
@pytest.mark.parametrize("texts", [["a b", "", "c"], ["a b " * 100, "a"], ["a \u4f60", "b"]])
def test_a_batch_of_texts_is_what_their_calls_are(texts: list, processor: object):
    tokenizer = make(post_processor=processor)
    for special in (True, False):
        batch = tokenizer.encode_batch(texts, special)
        assert batch == [tokenizer.encode(text, add_special_tokens=special) for text in texts]
        assert [one.ids for one in batch] == [one.columns().ids for one in batch]


def test_a_text_of_a_batch_that_is_no_text_is_refused():
    with pytest.raises(TextError, match="lone surrogate"):
        make().encode_batch(["a", "\ud800"])


TRUNCATION = {"max_length": 3, "stride": 0, "strategy": "LongestFirst", "direction": "Right"}
PADDING = {
    "strategy": "BatchLongest",
    "direction": "Right",
    "pad_to_multiple_of": 2,
    "pad_id": 0,
    "pad_type_id": 0,
    "pad_token": "[PAD]",
}


def test_truncation_leaves_room_for_special_tokens_and_overflows():
    encoding = make(post_processor=BERT, truncation=TRUNCATION).encode("a b c")
    assert encoding.ids == [4, 1, 5]
    assert [one.ids for one in encoding.overflowing] == [[4, 2, 5], [4, 3, 5]]
    assert [one.offsets[1] for one in encoding.overflowing] == [(2, 3), (4, 5)]


def test_ids_agree_with_the_columns_behind_them():
    for parts in (
        {},
        {"truncation": TRUNCATION},
        {"padding": PADDING},
        {"truncation": TRUNCATION, "padding": PADDING},
    ):
        tokenizer = make(post_processor=BERT, **parts)
        for text in ("", "a", "a b", "a b c", "a b c a b"):
            for pair in (None, "", "c b"):
                encoding = tokenizer.encode(text, pair)
                assert encoding.ids == encoding.columns().ids


def test_a_batch_is_padded_to_its_longest():
    batch = make(padding=PADDING).encode_batch(["a", "a b c", ("a", "b")])
    assert [one.ids for one in batch] == [[1, 0, 0, 0], [1, 2, 3, 0], [1, 2, 0, 0]]
    assert [one.attention_mask for one in batch] == [[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 0, 0]]
    assert make().encode_batch([]) == []


def test_a_lone_surrogate_is_an_error_with_its_position():
    tokenizer = make()
    for texts in (("ab\ud800",), ("a", "ab\ud800")):
        with pytest.raises(TextError) as caught:
            tokenizer.encode(*texts)
        assert caught.value.position == 2
        assert "U+D800" in caught.value.reason


def test_invalid_bytes_are_replaced_or_rejected():
    tokenizer = make(
        model={"type": "WordLevel", "vocab": {"[UNK]": 0, "\ufffd\ufffda": 1}, "unk_token": "[UNK]"}
    )
    assert tokenizer.encode_bytes(b"\xe4\xbd\xffa").ids == [1]
    with pytest.raises(TextError) as caught:
        tokenizer.encode_bytes(b"a\xe4\xbd", invalid="reject")
    assert caught.value.position == 1
    with pytest.raises(ValueError, match="invalid"):
        tokenizer.encode_bytes(b"a", invalid="ignore")


def test_a_byte_order_mark_is_a_character():
    assert make().encode_bytes(b"\xef\xbb\xbf").ids == [0]


def test_decoding_leaves_out_unknown_and_special_ids():
    tokenizer = make(added_tokens=[added("<x>", 8)])
    assert tokenizer.decode([1, 8, 99, 2**32 - 1, 2]) == "a b"
    assert tokenizer.decode([1, 8, 2], skip_special_tokens=False) == "a <x> b"
    assert tokenizer.decode_batch([[1], [2, 2]]) == ["a", "b b"]
    assert tokenizer.decode_bytes([6, 1]) == b"\xc3\xa9 a"


def test_a_token_of_the_model_with_a_special_name_is_special():
    tokenizer = make(added_tokens=[added("a", 1)])
    assert tokenizer.decode([1, 2]) == "b"


def test_added_tokens_are_decoded_in_their_normalized_form():
    tokenizer = make(normalizer={"type": "Lowercase"}, added_tokens=[added("<X>", 8, normalized=True)])
    assert tokenizer.decode([8]) == "<x>"
    assert tokenizer.id_to_token(8) == "<x>"


def test_what_the_oracle_cannot_decode_is_an_error():
    model = {"type": "WordLevel", "vocab": {"[UNK]": 0, " ": 1, "a ": 2}, "unk_token": "[UNK]"}
    tokenizer = make(decoder=STRIP, model=model)
    assert tokenizer.decode([2]) == "a"
    with pytest.raises(DecodeError):
        tokenizer.decode([1])


def test_tokens_and_ids_are_looked_up_in_both_vocabularies():
    tokenizer = make(added_tokens=[added("<x>", 8), added("a", 1)])
    assert (tokenizer.token_to_id("<x>"), tokenizer.token_to_id("b"), tokenizer.token_to_id("z")) == (
        8,
        2,
        None,
    )
    assert (tokenizer.id_to_token(8), tokenizer.id_to_token(2), tokenizer.id_to_token(99)) == (
        "<x>",
        "b",
        None,
    )
    assert tokenizer.vocab_size == len(WORDS) + 1


def test_streams_follow_the_tokenizer():
    stream = make(added_tokens=[added("<x>", 8)]).decode_stream()
    assert [stream.step(index) for index in (8, 1, 99, 2)] == [None, "a", None, " b"]
    assert stream.flush() is None


def test_dropout_is_refused_by_name():
    model = {"type": "BPE", "dropout": 0.5, "vocab": {"a": 0}, "merges": []}
    with pytest.raises(UnsupportedError):
        make(model=model).encode("a")


def test_an_unfillable_template_is_an_encode_error():
    template = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "x", "type_id": 0}}],
        "pair": [],
        "special_tokens": {},
    }
    tokenizer = make(post_processor=template)
    with pytest.raises(EncodeError):
        tokenizer.encode("a")
    assert tokenizer.encode("a", add_special_tokens=False).ids == []


def test_files_are_read_by_content_and_strictly(tmp_path: Path):
    path = tmp_path / "any.name"
    tokenizer = make(added_tokens=[added("<x>", 12)])
    formats.write(tokenizer.description, path)
    assert Tokenizer.from_file(path).encode("a<x>").ids == [1, 8]
    assert [warning.field for warning in Tokenizer.from_file(path).description.warnings]
    with pytest.raises(FormatError) as caught:
        Tokenizer.from_file(path, strict=True)
    assert caught.value.path == str(path)


def test_a_trace_shows_every_stage():
    tokenizer = make(
        normalizer={"type": "Lowercase"},
        added_tokens=[added("<x>", 8)],
        post_processor=BERT,
    )
    trace = tokenizer.trace("A b<x>C")
    assert trace.segments == ["A b", "<x>", "C"]
    assert trace.normalized == ["a b", "c"]
    assert trace.pieces == ["a", "b", "<x>", "c"]
    assert trace.tokens == ["a", "b", "<x>", "c"]
    assert trace.ids == (4, 1, 2, 8, 3, 5)
    assert str(trace).splitlines() == [
        "text        'A b<x>C'",
        "segment     0..3 'A b'",
        "  normalized 'a b'",
        "  piece 0..1 'a'",
        "    tokens 'a' = 1",
        "  piece 2..3 'b'",
        "    tokens 'b' = 2",
        "added token 3..6 '<x>'",
        "  piece 3..6 '<x>'",
        "    tokens '<x>' = 8",
        "segment     6..7 'C'",
        "  normalized 'c'",
        "  piece 6..7 'c'",
        "    tokens 'c' = 3",
        "ids         [4, 1, 2, 8, 3, 5]",
    ]


def test_a_trace_shows_the_merges_of_bpe():
    vocab = {"a": 0, "b": 1, "ab": 2, "abab": 3, "c": 4}
    model = {"type": "BPE", "vocab": vocab, "merges": [["a", "b"], ["ab", "ab"]]}
    (part,) = make(model=model, pre_tokenizer=None).trace("ababc").parts
    (piece,) = part.pieces
    assert [(merge.left, merge.right, merge.rank) for merge in piece.merges] == [
        ("a", "b", 0),
        ("a", "b", 0),
        ("ab", "ab", 1),
    ]
    assert piece.tokens == ("abab", "c")


def test_strict_reading_refuses_what_only_the_pipeline_notices(tmp_path: Path):
    path = tmp_path / "tokenizer.json"
    same = [added("<X>", 8, normalized=True), added("<x>", 9, normalized=True)]
    formats.write(make(normalizer={"type": "Lowercase"}, added_tokens=same).description, path)
    with pytest.raises(FormatError) as caught:
        Tokenizer.from_file(path, strict=True)
    assert "normalize to one text" in caught.value.reason
    assert caught.value.path == str(path)


def test_each_oddity_is_one_warning():
    fields = [warning.field for warning in make(added_tokens=[added("<x>", 12)]).description.warnings]
    assert len(fields) == 1
