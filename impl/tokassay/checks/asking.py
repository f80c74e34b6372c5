"""What the checks ask an engine: the text of a vector, an encoding of it, and a sweep over a vocabulary."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, FrozenSet, Iterable, Iterator, List, Mapping, Optional, Sequence

from .calls import Call, announce
from .engine import Encoded, Session
from .judging import ask, tokenizer_of
from .recipes import cook
from .sweeps import block_digests, sweep_ids
from .vector import Vector
from .verdict import Comparable, Difference

LOT = 4096  # items of a sweep that are announced at a time


def text_of(vector: Vector) -> str:
    """The text of a vector: as it stands, as bytes with invalid UTF-8 replaced, or as a recipe."""
    recipe = vector.given.get("recipe")
    return vector.text if recipe is None else _cooked(json.dumps(recipe, sort_keys=True))


@lru_cache(maxsize=4)
def _cooked(recipe: str) -> str:
    return cook(json.loads(recipe))


def format_of(vector: Vector) -> str:
    """The format of the file that a vector brings itself: its name, or its files by name."""
    files: Any = vector.given.get("files")
    return "+".join(sorted(files)) if files else vector.file_name


def is_bare(vector: Vector) -> bool:
    """Whether all that is given is a text, as nearly always."""
    return len(vector.given) == 1 and "text" in vector.given


def limited(vector: Vector) -> bool:
    """Whether truncation and padding are in force: where the vector says so, or brings its own tokenizer."""
    inline = vector.inline
    if inline is None:
        return vector.op == "batch" or bool(vector.given.get("limits"))
    try:
        stored = json.loads(inline)
    except ValueError:
        return False
    return isinstance(stored, dict) and bool(stored.get("truncation") or stored.get("padding"))


def encoded(engine: Session, vector: Vector, *, special: bool) -> Encoded:
    """The engine's encoding of a vector's text (and pair), by the entry that fits the vector."""
    able = engine.info.capabilities
    options: Mapping[str, Any] = {"add_special_tokens": special} if "add_special" in able else {}
    if is_bare(vector):
        return ask(engine.encode, vector.given["text"], **options)
    if "bytes_hex" in vector.given and "encode_bytes" in able and "pair" not in vector.given:
        return ask(engine.encode_bytes, vector.data, **options)
    entry = engine.encode_limited if limited(vector) else engine.encode
    if "pair" in vector.given:
        return ask(entry, text_of(vector), str(vector.given["pair"]), **options)
    return ask(entry, text_of(vector), **options)


def encode_call(able: FrozenSet[str], vector: Vector, *, special: bool) -> Call:
    """The call that `encoded` makes."""
    flag = special or "add_special" not in able
    if is_bare(vector):
        return Call("encode", vector.text, flag)
    if "bytes_hex" in vector.given and "encode_bytes" in able and "pair" not in vector.given:
        return Call("encode_bytes", vector.data, flag)
    pair = str(vector.given["pair"]) if "pair" in vector.given else None
    return Call("encode_limited" if limited(vector) else "encode", text_of(vector), flag, pair)


def sweep_difference(engine: Session, vector: Vector) -> Optional[Difference]:
    """The first block of a sweep whose answers differ."""
    answer = vector.answer(tokenizer_of(vector))
    blocks: Sequence[str] = answer["blocks"]  # type: ignore[assignment]
    size, count, sweep = (
        int(str(vector.given["block"])),
        int(str(answer["count"])),
        str(vector.given["sweep"]),
    )
    got = list(block_digests(_sweep_answers(engine, sweep, sweep_items(engine.path, vector)), size))
    if got == blocks:
        return None
    first = Difference("", blocks, got).first
    what = f"sha256 of block {first} (items {first * size} to {min(count, (first + 1) * size) - 1})"
    return Difference(what, blocks[first : first + 1], got[first : first + 1])


def swept(engine: Session, sweep: str, ids: Sequence[int]) -> Comparable:
    """One answer of a sweep: the text of ids, or the ids of that text."""
    text = _sweep_text(engine, ids)
    return text if sweep == "decode" else _sweep_ids(engine, _exact(text))


def _exact(text: str) -> str:
    """A decoded text as one that can be encoded: bytes that are not UTF-8 (lone surrogates) replaced."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:  # other surrogates than those that stand for bytes
        return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _sweep_answers(engine: Session, sweep: str, items: Iterable[Sequence[int]]) -> Iterator[Comparable]:
    """`swept` for every item, announced in lots: texts first, for their ids depend on them."""
    able, rest = engine.info.capabilities, iter(items)
    for lot in iter(lambda: list(islice(rest, LOT)), []):
        announce(engine, (Call("decode", ids, "skip_special" not in able) for ids in lot))
        texts = [_sweep_text(engine, ids) for ids in lot]
        if sweep == "decode":
            yield from texts
        else:
            texts = [_exact(text) for text in texts]
            announce(engine, (Call("encode", text, "add_special" not in able) for text in texts))
            yield from (_sweep_ids(engine, text) for text in texts)


def _sweep_text(engine: Session, ids: Sequence[int]) -> str:
    able = engine.info.capabilities
    return ask(engine.decode, ids, **({"skip_special_tokens": False} if "skip_special" in able else {}))


def _sweep_ids(engine: Session, text: str) -> List[int]:
    able = engine.info.capabilities
    return list(
        ask(engine.encode, text, **({"add_special_tokens": False} if "add_special" in able else {})).ids
    )


def sweep_items(path: str, vector: Vector) -> Iterable[Sequence[int]]:
    """The ids of each item of a sweep. What the oracle counted tells the largest id."""
    sweep, count = str(vector.given["sweep"]), int(str(vector.answer(tokenizer_of(vector))["count"]))
    if sweep != "pairs":
        return ((i,) for i in range(count))
    return sweep_ids(sweep, json.loads(Path(path).read_bytes()), count + 1)
