"""A large tokenizer.json that is odd or wrong, in bounded memory (``json.limits``)."""

from __future__ import annotations

import codecs
import heapq
from array import array
from itertools import compress
from typing import Any, Callable, Dict, Iterable, List, Mapping, Sequence, Tuple, Union, cast

from ...core.added_columns import AddedTokens, added_tokens
from ...core.description import AddedToken
from ...core.description import Warning as Oddity
from ...core.errors import FormatError
from ...core.models.bpe_merges import Gathered, words_of
from ...core.models.entries import Entries, Entry, entries
from ...core.models.vocabulary import LARGEST_ID
from ...core.packed import MANY, ROOM, Index, Strings, TextIndex, Texts
from . import parts
from .components import added_token
from .models import scored_piece
from .repeats import MOST_REPEATS, repeated, several_more
from .shapes import At
from .text import Document, Reader, Repeated
from .walking import Path, Span, Walker, check_utf8

MOST_ADDED = 300_000


def load_carefully(data: bytes) -> Document:
    """What `load` gives, with tables for long parts; FormatError with the offset of the first fault."""
    reader = checked(data)
    value = Walker(reader).document(_is_apart)
    notes: List[Oddity] = []
    if isinstance(value, dict):
        _fill(value, {"added_tokens": _added})
        for name, model in value.pairs if isinstance(value, Repeated) else list(value.items()):
            if name == "model" and isinstance(model, dict):
                _fill_model(model, notes)
    return Document(value, bool(reader.repeats), tuple(notes))


def _is_apart(path: Path) -> bool:
    """The added tokens, and what the model has: nothing else in it is both known and long."""
    return path == ("added_tokens",) or (len(path) == 2 and path[0] == "model")


def _fill_model(model: Dict[str, Any], notes: List[Oddity]) -> None:
    _fill(model, {name: _unread for name in model if name not in ("vocab", "merges")})
    _fill(model, {"vocab": lambda span: vocabulary(span, notes)})
    _fill(model, {"merges": lambda span: _merges(span, model.get("vocab"))})


def _unread(span: Span) -> object:
    """Stands for what no model looks at, and would be refused as a list or object of any size."""
    return [] if span.kind == "[" else {}


def checked(data: bytes) -> Reader:
    """A reader of UTF-8 without a mark or half of a surrogate pair."""
    check_utf8(data, parts.SIZE)
    if data.startswith(codecs.BOM_UTF8):
        raise FormatError("invalid JSON: starts with a byte order mark", offset=0)
    reader = Reader(data)
    reader.refuse_lone_surrogates()
    return reader


def _fill(value: Dict[str, Any], makers: Mapping[str, Callable[[Span], object]]) -> None:
    """Put what is made of it in the place of a span."""

    def made(name: str, item: object) -> object:
        if not isinstance(item, Span) or name not in makers:
            return item
        return makers[name](item) if item.end - item.start > parts.LARGE else item.whole()

    for name in makers:
        if name in value:
            value[name] = made(name, value[name])
    if isinstance(value, Repeated):
        value.pairs = [(name, made(name, item)) for name, item in value.pairs]


def vocabulary(span: Span, notes: List[Oddity]) -> Union[Mapping[str, object], Sequence[Tuple[str, float]]]:
    """Ids by token, or tokens with scores; the one entry that is wrong, for the model to refuse."""
    return _ids(span, notes) if span.kind == "{" else _scored(span)


def _ids(span: Span, notes: List[Oddity]) -> Mapping[str, object]:
    index, ids, again = Index(Strings(), last=True), array("I"), array("I")
    for token, value in span:
        if type(value) is not int or not 0 <= value <= LARGEST_ID:
            return {str(token): value}
        before = index.add(str(token).encode("utf-8"))
        ids.append(value)
        if before is not None:
            again.append(before)
    notes += _notes(index, again)
    if len(ids) <= MANY and len(index.strings.data) <= ROOM:
        return dict(zip(Texts(index.strings), ids))
    return TextIndex(index, Texts(index.strings), ids)


def _notes(index: Index, again: Sequence[int]) -> Iterable[Oddity]:
    """Tokens that come more than once; `again`: places whose token comes later, too."""
    flags = bytearray(len(index.strings))
    for place in again:
        flags[index[index.strings[place]]] = 1  # the last place of the token
    names = (index.strings[place].decode("utf-8") for place in compress(range(len(flags)), flags))
    yield from (repeated(f"model.vocab.{name}") for name in heapq.nsmallest(MOST_REPEATS, names))
    yield from several_more("model.vocab", sum(flags) - MOST_REPEATS)


def _scored(span: Span) -> Sequence[Tuple[str, float]]:
    found = Entries()
    for place, item in span:
        token, score = cast("Entry", scored_piece(item, At(f"model.vocab[{place}]", [])))
        found.extend((token,), (score,))
    return entries(found) if len(found.texts.strings.data) <= ROOM else found


def _merges(span: Span, vocab: object) -> object:
    """The one item that is wrong in kind, for the model to refuse; FormatError for what is no token."""
    if not isinstance(vocab, Mapping) or span.kind == "{":
        return _unread(span)
    found = Gathered(vocab)
    for place, item in span:
        if isinstance(item, str) and item.startswith("#version"):
            continue
        pair = words_of([item]) if isinstance(item, str) else item
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            return [item]
        field = f"model.merges[{place}]"
        wrong = next((part for part in pair if type(part) is not str), None)
        if wrong is not None:
            raise FormatError(f"expected a string, got {wrong!r}"[:80], field=field)
        found.add_named(pair[0], pair[1], field)
    return found.merges()


def _added(span: Span) -> object:
    if span.kind == "{":
        return {}
    found = AddedTokens()
    for place, item in span:
        if place == MOST_ADDED:
            raise FormatError(f"more than {MOST_ADDED} added tokens", field=f"added_tokens[{place}]")
        fields = cast("Dict[str, Any]", added_token(item, At(f"added_tokens[{place}]", [])))
        found.append(AddedToken(**fields))
    return added_tokens(found)
