"""tokenizer.txt: faults have places, what was written is read back, each kind has its algorithm."""

from __future__ import annotations

import base64
import math
import random
import struct
from pathlib import Path
from typing import List, Sequence, Tuple

import pytest

from tokassay import FormatError, Tokenizer, data, formats
from tokassay.core.description import Description
from tokassay.core.errors import EncodeError
from tokassay.core.models.byte_strings import ByteStrings
from tokassay.core.models.byte_trie import ByteTrie
from tokassay.core.models.pieces import Kind, Piece, PieceTable
from tokassay.core.models.rank_merge import RankMerge
from tokassay.core.models.score_merge import ScoreMerge
from tokassay.core.models.scored_pieces import ScoredPieces
from tokassay.core.models.unigram import Unigram
from tokassay.core.token import Token
from tokassay.formats import tokenizer_txt

OWN = data.root() / "golden" / "tokenizers"
LOADER = "tokenizer.txt-loader"


def packed(*tokens: bytes) -> str:
    return "".join(f"{base64.b64encode(token).decode()}\n" for token in tokens)


def strings(kind: int, *tokens: bytes, head: str = "0 0 0\n\n") -> bytes:
    return f"430 {kind}\n{head}{len(tokens)}\n{packed(*tokens)}".encode()


def read(file: bytes, name: str = "tokenizer.txt") -> Tokenizer:
    return Tokenizer.from_description(formats.parse(file, format=name))


@pytest.mark.parametrize(
    ("file", "field", "offset"),
    [
        (b"431 1\n", "header", 0),
        (b"430 1\n0 0\n", "header.counts", 6),
        (b"430 1\n1 0 0\n\n", "header.ids", 12),
        (b"430 1\n1 0 0\nx\n", "header.ids", 12),
        (b"430 1\n0 0 0\n\n9\nYQ==\n", "vocab_size", 13),
        (b"430 1\n0 0 0\n\n2\nYQ==\n", "vocab[1]", 20),
        (b"430 1\n0 0 0\n\n1\n!!!!\n", "vocab[0]", 15),
        (b"430 0\n0 0 0\n\n1\nYQ== 1\n", "vocab[0]", 15),
        (b"430 0\n0 0 0\n\n1\n/w== 1 1\n", "vocab[0].token", 15),
        (b"430 0\n0 0 0\n\n1\nYQ== nan 1\n", "vocab[0].score", 15),
        (b"430 0\n0 0 0\n\n1\nYQ== 1 9\n", "vocab[0].kind", 15),
        (b"430 3\n0 0 0\n\n2 1\na\nb\na b\n", "merges[0]", 21),
        (b"430 3\n0 0 0\n\n2\na\nb\n", "vocab_size", 13),
    ],
)
def test_a_fault_has_its_field_and_its_line(file: bytes, field: str, offset: int):
    with pytest.raises(FormatError) as caught:
        formats.parse(file, format="tokenizer.txt")
    assert (caught.value.field, caught.value.offset) == (field, offset)


@pytest.mark.parametrize(
    "file",
    [
        b"430 1\n0 0 0\n\n1\nYQ==\nYg==\n",
        b"430 3\n0 0 0\n\n3 2\na\nb\nab\n#version: 0.2\na b\n",
        b"430 0\n0 0 0\n\n2\nYQ== 1 1\n",
        b"430 1\n1 0 0\n7\n1\nYQ==\n",
    ],
)
def test_what_is_odd_is_a_warning_and_strictly_an_error(file: bytes):
    assert formats.parse(file).warnings
    with pytest.raises(FormatError):
        formats.parse(file, strict=True)


def test_the_file_is_found_by_its_first_line_and_the_loader_only_by_name():
    file = strings(1, b"a", b"b", b"c", b"d", b"ab", b"abcd")
    assert formats.probe(file) == "tokenizer.txt"
    assert read(file).encode("abcd").ids == [4, 2, 3]
    assert read(file, LOADER).encode("abcd").ids == [5]
    with pytest.raises(FormatError, match="way to read"):
        formats.serialize(formats.parse(file), LOADER)


WRITABLE: List[Tuple[str, Description]] = [
    ("sentencepiece", formats.parse(b"430 0\n1 0 1\n0 1\n2\nPHM+ -1.5 3\nYQ== 1e-07 1\n")),
    ("tiktoken", formats.parse(strings(1, b"a", b"\xff\0\n", b" "))),
    ("bert", formats.parse(strings(2, b"[UNK]", b"##a", head="1 0 0\n0\n"))),
    ("huggingface", formats.parse(b"430 3\n0 0 0\n\n3 1\na\nb\nab\na b\n")),
]


@pytest.mark.parametrize(("name", "description"), WRITABLE, ids=[name for name, _ in WRITABLE])
def test_what_was_written_is_read_back(name: str, description: Description):
    written = formats.serialize(description, "tokenizer.txt")
    assert formats.parse(written) == description, name
    assert formats.project(description, "tokenizer.txt") == description
    assert formats.losses(description, "tokenizer.txt") == []


def test_an_own_word_piece_tokenizer_is_held_but_for_its_frame():
    description = formats.read(OWN / "bert-uncased" / "tokenizer.json")
    fields = {loss.field for loss in formats.losses(description, "tokenizer.txt")}
    assert fields == {"post_processor"}
    held = formats.project(description, "tokenizer.txt")
    assert formats.parse(formats.serialize(held, "tokenizer.txt")) == held
    text = "Hello, W\u00f6rld! unaffable"
    before, after = Tokenizer(description), Tokenizer(held)
    assert (
        after.encode(text, add_special_tokens=False).ids == before.encode(text, add_special_tokens=False).ids
    )


def test_every_loss_has_a_text_of_its_own():
    losses = formats.losses(formats.read(OWN / "qwen" / "tokenizer.json"), "tokenizer.txt")
    assert [loss.text for loss in losses] == ["e\u0301", "<think>", "</think>", "<tool_call>", "</tool_call>"]
    assert all(loss.before != loss.after for loss in losses)


def test_other_words_are_a_loss_with_a_text():
    losses = formats.losses(formats.read(OWN / "gpt2" / "tokenizer.json"), "tokenizer.txt")
    (split,) = [loss for loss in losses if loss.field == "pre_tokenizer"]
    assert split.text is not None
    assert split.before != split.after


@pytest.mark.parametrize("name", ["llama2-like", "word-level-lowercase"])
def test_a_model_without_a_kind_is_refused(name: str):
    description = formats.read(OWN / name / "tokenizer.json")
    assert [loss.field for loss in formats.losses(description, "tokenizer.txt")] == ["model"]
    with pytest.raises(FormatError, match="no kind of"):
        formats.serialize(description, "tokenizer.txt")


def test_unigram_becomes_pieces_with_kinds():
    description = formats.read(OWN / "unigram-byte-fallback" / "tokenizer.json")
    assert isinstance(description.model, Unigram)
    held = formats.project(description, "tokenizer.txt").model
    assert isinstance(held, ScoredPieces)
    kinds = {piece.kind for piece in held.table.pieces}
    assert {Kind.NORMAL, Kind.UNKNOWN, Kind.BYTE} <= kinds


def test_ranks_become_strings_and_their_words_are_the_loss():
    description = formats.parse(b"YQ== 0\nYg== 1\n/w== 2\nYWI= 3\n", format="tiktoken")
    held = formats.project(description, "tokenizer.txt")
    assert held.model == RankMerge(ByteStrings((b"a", b"b", b"\xff", b"ab")))
    assert Tokenizer(held).encode("ab").ids == [3]
    assert "pre_tokenizer" in {loss.field for loss in formats.losses(description, "tokenizer.txt")}


def test_a_sentencepiece_model_becomes_pieces_of_its_kinds():
    def piece(text: bytes, score: float, kind: int) -> bytes:
        body = (
            b"\x0a" + bytes([len(text)]) + text + b"\x15" + struct.pack("<f", score) + b"\x18" + bytes([kind])
        )
        return b"\x0a" + bytes([len(body)]) + body

    mark = "\u2581".encode()
    file = piece(b"<unk>", 0, 2) + piece(b"<s>", 0, 3) + piece(mark, -2, 1) + piece(b"a", -1, 1)
    description = formats.parse(file, format="sentencepiece")
    held = formats.project(description, "tokenizer.txt")
    assert isinstance(held.model, ScoredPieces)
    assert [(one.text, one.score, one.kind) for one in held.model.table.pieces][1:3] == [
        ("<s>", 0, 3),
        ("\u2581", -2, 1),
    ]
    assert Tokenizer(held).encode("a").ids == Tokenizer(description).encode("a", add_special_tokens=False).ids
    assert formats.parse(formats.serialize(held, "tokenizer.txt")) == held


@pytest.mark.parametrize("token", ["", "a\nb", "a\rb"])
def test_a_token_that_no_line_holds_is_not_written(token: str):
    description = formats.parse(b"430 3\n0 0 0\n\n1 0\na\n")
    from dataclasses import replace

    other = replace(description, model=replace(description.model, vocab={token: 0}))  # type: ignore[type-var]
    with pytest.raises(FormatError, match="line of its own"):
        formats.serialize(other, "tokenizer.txt")


def table(seed: int) -> PieceTable:
    """Random pieces over two letters, with scores that often tie; single letters are always there."""
    rng = random.Random(seed)
    texts = {"".join(rng.choices("ab", k=rng.randrange(2, 5))) for _ in range(8)} | {"a", "b"}
    pieces = [Piece("<unk>", 0.0, Kind.UNKNOWN)]
    pieces += [Piece(text, float(-rng.randrange(1, 9)), Kind.NORMAL) for text in sorted(texts)]
    return PieceTable(tuple(pieces))


@pytest.mark.parametrize("seed", range(40))
def test_scored_pieces_are_a_unigram_where_all_pieces_are_normal(seed: int):
    pieces = table(seed)
    ours = ScoredPieces(pieces).build()
    unigram = Unigram([(piece.text, piece.score) for piece in pieces.pieces], unk_id=0).build()
    rng = random.Random(seed)
    for _ in range(20):
        text = "".join(rng.choices("aabbx", k=rng.randrange(1, 12)))
        assert spans(ours.tokenize(text)) == spans(unigram.tokenize(text)), text


def spans(tokens: Sequence[Token]) -> List[Tuple[int, int, int]]:
    """An unknown token is spelled in two ways."""
    return [(token.id, token.start, token.end) for token in tokens]


@pytest.mark.parametrize("seed", range(20))
def test_score_merging_is_the_rule_read_literally(seed: int):
    pieces = table(seed)
    scores = {piece.text: (piece.score, index) for index, piece in enumerate(pieces.pieces)}
    rng = random.Random(seed)
    for _ in range(20):
        text = "".join(rng.choices("ab", k=rng.randrange(1, 12)))
        assert ScoreMerge(pieces).build().ids(text) == [scores[part][1] for part in merged(text, scores)], (
            text
        )


def merged(text: str, scores: dict[str, tuple[float, int]]) -> List[str]:
    parts = list(text)
    while True:
        joins = [
            (scores[left + right][0], -at)
            for at, (left, right) in enumerate(pairs(parts))
            if left + right in scores
        ]
        if not joins:
            return parts
        at = -max(joins)[1]
        parts[at : at + 2] = [parts[at] + parts[at + 1]]


def pairs(parts: Sequence[str]) -> List[Tuple[str, str]]:
    return list(zip(parts, parts[1:]))


def test_models_name_their_tokens():
    for model in (ScoredPieces(table(1)), ScoreMerge(table(1))):
        assert model.id_to_token(0) == "<unk>"
        assert model.token_to_id("a") == model.vocab["a"]
        assert model.id_to_token(model.vocab_size) is None
    for strings_model in (RankMerge(ByteStrings((b"a", b"\xff"))), ByteTrie(ByteStrings((b"a", b"\xff")))):
        assert strings_model.id_to_token(1) == "\udcff"
        assert strings_model.token_to_id("\udcff") == 1
        assert (strings_model.vocab_size, strings_model.id_to_token(2)) == (2, None)
    gap = formats.parse(strings(2, b"a", b"##b"), format=LOADER).model
    assert (gap.token_to_id("##b"), gap.id_to_token(1), gap.id_to_token(5), gap.vocab_size) == (
        1,
        "##b",
        None,
        2,
    )


def test_a_character_without_piece_bytes_or_unknown_is_an_error():
    pieces = PieceTable((Piece("a", 0.0, Kind.NORMAL),))
    for model in (ScoredPieces(pieces), ScoreMerge(pieces)):
        with pytest.raises(EncodeError):
            model.build().ids("ax")


def test_offsets_follow_through_every_kind():
    tiktoken = strings(1, *[bytes([value]) for value in range(256)], "\u4f60".encode(), b"ab")
    for name in ("tokenizer.txt", LOADER):
        assert read(tiktoken, name).encode("ab\u4f60\u00e9").offsets[-2:] == [(3, 4), (3, 4)]
    assert read(strings(2, b"[UNK]", b"a", b"##b"), LOADER).encode("AB a").offsets == [(0, 1), (1, 2), (3, 4)]


def test_streams_give_whole_characters_and_marks():
    file = b"430 0\n0 0 0\n\n3\nPDB4QzM+ 0 6\nPDB4QTk+ 0 6\n" + b"4paBYQ== 0 1\n"
    stream = read(file, LOADER).decode_stream()
    assert [stream.step(index) for index in (0, 1, 2, 0)] == [None, "\u00e9", " a", None]
    assert stream.flush() == "\ufffd"
    assert read(file, LOADER).decode_bytes([0, 2]) == b"\xc3 a"


def test_device_parts_have_no_json_form():
    for name in ("tokenizer.txt", LOADER):
        for file in (strings(1, b"a"), strings(2, b"a"), b"430 0\n0 0 0\n\n1\nYQ== 1 1\n"):
            description = formats.parse(file, format=name)
            for part in (
                description.model,
                description.normalizer,
                description.pre_tokenizer,
                description.decoder,
            ):
                if hasattr(part, "CLAUSE"):
                    with pytest.raises(FormatError, match="device formats only"):
                        part.to_fields()  # type: ignore[union-attr]


def test_loading_from_a_path(tmp_path: Path):
    path = tmp_path / "any-name"
    path.write_bytes(strings(1, b"a"))
    assert Tokenizer.from_file(path).encode("a").ids == [0]
    assert math.isfinite(tokenizer_txt.contents.read(b"430 0\n0 0 0\n\n1\nYQ== 1 1\n").body.pieces[0].score)  # type: ignore[union-attr]


def test_a_long_text_without_words_is_joined_in_time():
    strings = (*(bytes([byte]) for byte in range(256)), b"th", b"the", b" a")
    segmenter = RankMerge(ByteStrings(strings)).build()
    assert segmenter.ids("the a " * 20_000) == segmenter.ids("the a ") * 20_000


def test_a_long_text_without_words_is_joined_by_scores_in_time():
    pieces = (
        Piece(text, -float(len(text)), Kind.NORMAL) for text in ("a", "t", "h", "e", " ", "th", "the", " a")
    )
    segmenter = ScoreMerge(PieceTable(tuple(pieces))).build()
    assert segmenter.ids("the a " * 20_000) == segmenter.ids("the a ") * 20_000
