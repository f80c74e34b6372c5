"""From a description to a tokenizer.txt (clauses ``tokenizer-txt.write.*``)."""

from __future__ import annotations

import base64
from typing import Dict, Iterator, List, Sequence, Tuple, Union

from ...core.added_tokens import AddedVocabulary
from ...core.byte_text import stored
from ...core.decoders.byte_level import token_bytes
from ...core.description import AddedToken, Description, Device
from ...core.errors import FormatError
from ...core.models.bpe import BPE
from ...core.models.pieces import Kind, Piece
from ...core.models.rank_merge import RankMerge
from ...core.models.scored_bpe import ScoredBPE
from ...core.models.scored_pieces import ScoredPieces
from ...core.models.scored_unigram import ScoredUnigram
from ...core.models.unigram import Unigram
from ...core.models.wordpiece import WordPiece
from ..losing import LONG, Missing, stored_lengths
from ..mtok.framing import programmed
from ..vocab_bin.compiling import spells_bytes
from .contents import MAGIC, Body, Contents, Merged, Pieces, Strings, Type, Words
from .documented import describe
from .likeness import alike, disguised

PROBES = ("Hello world", "it's 12345", "\u00e9\u00c9", "a  b", "e\u0301", "HELLO", "\u4f60\u597d, a\tb\n")


def project(description: Description) -> Description:
    """The nearest description that the format has; reading the written file gives an equal one."""
    return describe(contents_of(description))


def missing(description: Description) -> Iterator[Missing]:
    """What the file's kind does otherwise, by component; what has no kind of file is missing as a whole."""
    try:
        held = project(description)
    except FormatError as error:
        yield Missing(error.field or "model", error.reason)
        return
    for name, reason in _differences(description, held):
        yield Missing(name, reason, (*PROBES, *_suggested(name, held)))
    for place, token in enumerate(description.added_tokens):
        if _is_changed(token):
            yield Missing(f"added_tokens[{place}]", f"{token.content!r} is not kept as it is", _around(token))


def _suggested(name: str, held: Description) -> Tuple[str, ...]:
    """Long texts; for a model those that a normalizer may make into pieces that no text can be."""
    if name != "model":
        return LONG
    pieces = held.model.table.pieces if isinstance(held.model, ScoredPieces) else ()
    hidden = [piece.text for piece in pieces if piece.kind not in (Kind.NORMAL, Kind.USER_DEFINED)]
    return tuple(text for piece in hidden[:20] for text in disguised(piece))


def _differences(description: Description, held: Description) -> Iterator[Tuple[str, str]]:
    for name in ("normalizer", "pre_tokenizer", "model", "decoder"):
        if not alike(description, held, name):
            kind = getattr(getattr(description, name), "TYPE", "its absence")
            yield name, f"{kind} is not kept as it is"
    if programmed(description.post_processor) != programmed(held.post_processor):
        yield "post_processor", "ids behind a text are not kept"
    for loss in stored_lengths(description):
        yield loss.field, loss.reason


def _is_changed(token: AddedToken) -> bool:
    return not token.special or token.lstrip or token.rstrip or token.single_word or token.normalized


def _around(token: AddedToken) -> Tuple[str, ...]:
    text = token.content
    return (text, f"a {text} b", f"a{text}b", text.upper())


def serialize(description: Description) -> bytes:
    """The bytes. FormatError for what is not held; `project` gives what can be written."""
    contents = contents_of(description)
    for name, reason in _differences(description, describe(contents)):
        raise FormatError(f"tokenizer.txt cannot hold it: {reason}", field=name)
    changed = next(filter(_is_changed, description.added_tokens), None)
    if changed is not None:
        reason = f"tokenizer.txt cannot hold it: {changed.content!r} is not kept as it is"
        raise FormatError(reason, field="added_tokens")
    return written(contents)


def contents_of(description: Description) -> Contents:
    """The lines that come nearest. FormatError where no kind of file does."""
    model = description.model
    device = description.device or _lists(description)
    lists = Device(device.special_ids, device.stop_ids, device.prefix_ids)
    if isinstance(model, ScoredPieces):
        return Contents(lists, Pieces(model.table.pieces))
    if isinstance(model, Unigram):
        return Contents(lists, Pieces(_scored(model, description)))
    if isinstance(model, RankMerge):
        return Contents(lists, Strings(model.table.strings))
    if isinstance(model, (ScoredBPE, ScoredUnigram)):
        return Contents(lists, _scored_tokens(model))
    tokens = _dense(description)
    if isinstance(model, WordPiece):
        return Contents(lists, Words(tuple(tokens)))
    if isinstance(model, BPE) and spells_bytes(description):
        merges = tuple(model.merges)
        return Contents(lists, Merged(tuple(tokens), merges))
    raise FormatError(f"no kind of tokenizer.txt holds {model.TYPE}", field="model")


def _scored_tokens(model: Union[ScoredBPE, ScoredUnigram]) -> Body:
    """Ranks of bytes are tiktoken's; other scored tokens are SentencePiece's, kinds included."""
    table = model.table
    if isinstance(model, ScoredBPE) and model.whole:
        return Strings(tuple(map(token_bytes, table.tokens)))
    return Pieces(tuple(map(Piece, table.tokens, table.scores, map(Kind, table.kinds))))


def _lists(description: Description) -> Device:
    """Special tokens in the order of the file; what stands before a text is the prefix."""
    special = tuple(token.id for token in description.added_tokens if token.special)
    ops = programmed(description.post_processor)
    prefix = ops[: ops.index(None)] if None in ops else ()
    return Device(special, (), tuple(index for index in prefix if index is not None))


def _dense(description: Description) -> List[str]:
    """Id → token, added ones included; FormatError where ids have no token: a line is an id."""
    model = description.model
    added = AddedVocabulary.build(
        description.added_tokens, model, description.normalizer, as_stored=description.device is not None
    )
    tokens: Dict[int, str] = {index: token for token, index in model.vocab.items()}
    tokens.update((index, token.content) for index, token in added.tokens.items())
    count = max(tokens, default=-1) + 1
    if len(tokens) != count:
        first = next(index for index in range(count) if index not in tokens)
        raise FormatError(f"id {first} has no token, and a line is an id", field="model.vocab")
    return [tokens[index] for index in range(count)]


def _scored(model: Unigram, description: Description) -> Tuple[Piece, ...]:
    """Kinds from what the tokenizer does with a piece."""
    special = {token.content for token in description.added_tokens if token.special}
    other = {token.content for token in description.added_tokens} - special

    def kind(index: int, text: str) -> Kind:
        if index == model.unk_id:
            return Kind.UNKNOWN
        if text in special:
            return Kind.CONTROL
        if text in other:
            return Kind.USER_DEFINED
        is_byte = len(text) == 6 and text.startswith("<0x") and text.endswith(">")
        return Kind.BYTE if model.byte_fallback and is_byte else Kind.NORMAL

    return tuple(Piece(text, score, kind(i, text)) for i, (text, score) in enumerate(model.pieces))


def written(contents: Contents) -> bytes:
    """The lines, each ended by a line feed. FormatError for a token that a line cannot hold."""
    lists = (contents.lists.special_ids, contents.lists.stop_ids, contents.lists.prefix_ids)
    head = [
        f"{MAGIC} {int(_KIND[type(contents.body)])}",
        " ".join(str(len(ids)) for ids in lists),
        " ".join(str(index) for ids in lists for index in ids),
    ]
    return "".join(f"{line}\n" for line in (*head, *_lines(contents.body))).encode("utf-8")


_KIND = {Pieces: Type.SENTENCEPIECE, Strings: Type.TIKTOKEN, Words: Type.BERT, Merged: Type.HUGGINGFACE}


def _lines(body: Body) -> Iterator[str]:
    if isinstance(body, Merged):
        yield f"{len(body.tokens)} {len(body.merges)}"
        for place, token in enumerate(body.tokens):
            yield _plain(token, f"vocab[{place}]", "\n\r")
        for place, (left, right) in enumerate(body.merges):
            parts = (_plain(part, f"merges[{place}]", "\n\r ") for part in (left, right))
            yield " ".join(parts)
    elif isinstance(body, Pieces):
        yield str(len(body.pieces))
        yield from (f"{_packed(p.text.encode('utf-8'))} {p.score!r} {int(p.kind)}" for p in body.pieces)
    else:
        strings: Sequence[bytes] = (
            body.strings if isinstance(body, Strings) else [stored(word) for word in body.words]
        )
        yield str(len(strings))
        yield from map(_packed, strings)


def _plain(token: str, field: str, refused: str) -> str:
    if any(char in token for char in refused) or not token:
        raise FormatError(f"{token!r} cannot stand in a line of its own", field=field)
    return token


def _packed(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
