"""What the checks ask an engine: the text of a vector, an encoding of it, and a sweep over a vocabulary."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Iterable, Iterator, List, Mapping, Optional, Sequence

from .engine import Encoded, Session
from .judging import ask, tokenizer_of
from .recipes import cook
from .sweeps import block_digests, sweep_ids
from .vector import INLINE, Vector
from .verdict import Difference


def text_of(vector: Vector) -> str:
    """The text of a vector: as it stands, as bytes with invalid UTF-8 replaced, or as a recipe."""
    recipe = vector.given.get("recipe")
    return vector.text if recipe is None else _cooked(json.dumps(recipe, sort_keys=True))


@lru_cache(maxsize=4)
def _cooked(recipe: str) -> str:
    return cook(json.loads(recipe))


def limited(vector: Vector) -> bool:
    """Whether truncation and padding are in force: a vector's own tokenizer is taken as it stands."""
    if vector.inline is None:
        return vector.op == "batch"
    try:
        stored = json.loads(vector.inline)
    except ValueError:
        return False
    return isinstance(stored, dict) and bool(stored.get("truncation") or stored.get("padding"))


def encoded(engine: Session, vector: Vector, *, special: bool) -> Encoded:
    """The engine's encoding of a vector's text (and pair), by the entry that fits the vector."""
    able = engine.info.capabilities
    options: Mapping[str, Any] = {"add_special_tokens": special} if "add_special" in able else {}
    if "bytes_hex" in vector.given and "encode_bytes" in able and "pair" not in vector.given:
        return ask(engine.encode_bytes, vector.data, **options)
    entry = engine.encode_limited if INLINE in vector.expect and limited(vector) else engine.encode
    if "pair" in vector.given:
        return ask(entry, vector.text, str(vector.given["pair"]), **options)
    return ask(entry, vector.text, **options)


def sweep_difference(engine: Session, vector: Vector) -> Optional[Difference]:
    """The first block of a sweep whose answers differ."""
    answer = vector.answer(tokenizer_of(vector))
    blocks: Sequence[str] = answer["blocks"]  # type: ignore[assignment]
    size, count = int(str(vector.given["block"])), int(str(answer["count"]))
    got = list(block_digests(_sweep_answers(engine, vector, count), size))
    if got == blocks:
        return None
    first = Difference("", blocks, got).first
    what = f"sha256 of block {first} (items {first * size} to {min(count, (first + 1) * size) - 1})"
    return Difference(what, blocks[first : first + 1], got[first : first + 1])


def _sweep_answers(engine: Session, vector: Vector, count: int) -> Iterator[object]:
    sweep = str(vector.given["sweep"])
    able = engine.info.capabilities
    special: Mapping[str, Any] = {"add_special_tokens": False} if "add_special" in able else {}
    skip: Mapping[str, Any] = {"skip_special_tokens": False} if "skip_special" in able else {}
    for ids in _sweep_items(engine.path, sweep, count):
        text = ask(engine.decode, ids, **skip)
        yield text if sweep == "decode" else list(ask(engine.encode, text, **special).ids)


def _sweep_items(path: str, sweep: str, count: int) -> Iterable[Sequence[int]]:
    """The items of a sweep; `count` is what the oracle counted, so the largest id is known."""
    if sweep != "pairs":
        return ((i,) for i in range(count))
    parsed = json.loads(Path(path).read_bytes())
    items: List[Sequence[int]] = list(sweep_ids(sweep, parsed, count + 1))
    return items
