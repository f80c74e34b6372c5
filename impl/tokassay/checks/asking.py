"""What the checks ask an engine: the text of a vector, an encoding of it, and a sweep over a vocabulary."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Iterable, Mapping, Optional, Sequence

from .engine import Encoded, Session
from .judging import ask, tokenizer_of
from .recipes import cook
from .sweeps import block_digests, sweep_ids
from .vector import Vector
from .verdict import Comparable, Difference


def text_of(vector: Vector) -> str:
    """The text of a vector: as it stands, as bytes with invalid UTF-8 replaced, or as a recipe."""
    recipe = vector.given.get("recipe")
    return vector.text if recipe is None else _cooked(json.dumps(recipe, sort_keys=True))


@lru_cache(maxsize=4)
def _cooked(recipe: str) -> str:
    return cook(json.loads(recipe))


def format_of(vector: Vector) -> str:
    """The format of the file that a vector brings itself: ``tokenizer.json``, or its files by name."""
    files: Any = vector.given.get("files")
    return "+".join(sorted(files)) if files else "tokenizer.json"


def limited(vector: Vector) -> bool:
    """Whether truncation and padding are in force: where the vector says so, or brings its own tokenizer."""
    if vector.inline is None:
        return vector.op == "batch" or bool(vector.given.get("limits"))
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
    entry = engine.encode_limited if limited(vector) else engine.encode
    if "pair" in vector.given:
        return ask(entry, vector.text, str(vector.given["pair"]), **options)
    return ask(entry, vector.text, **options)


def sweep_difference(engine: Session, vector: Vector) -> Optional[Difference]:
    """The first block of a sweep whose answers differ."""
    answer = vector.answer(tokenizer_of(vector))
    blocks: Sequence[str] = answer["blocks"]  # type: ignore[assignment]
    size, count, sweep = (
        int(str(vector.given["block"])),
        int(str(answer["count"])),
        str(vector.given["sweep"]),
    )
    answers = (swept(engine, sweep, ids) for ids in sweep_items(engine.path, vector))
    got = list(block_digests(answers, size))
    if got == blocks:
        return None
    first = Difference("", blocks, got).first
    what = f"sha256 of block {first} (items {first * size} to {min(count, (first + 1) * size) - 1})"
    return Difference(what, blocks[first : first + 1], got[first : first + 1])


def swept(engine: Session, sweep: str, ids: Sequence[int]) -> Comparable:
    """One answer of a sweep: the text of ids, or the ids of that text."""
    able = engine.info.capabilities
    text = ask(engine.decode, ids, **({"skip_special_tokens": False} if "skip_special" in able else {}))
    if sweep == "decode":
        return text
    return list(
        ask(engine.encode, text, **({"add_special_tokens": False} if "add_special" in able else {})).ids
    )


def sweep_items(path: str, vector: Vector) -> Iterable[Sequence[int]]:
    """The ids of each item of a sweep. What the oracle counted tells the largest id."""
    sweep, count = str(vector.given["sweep"]), int(str(vector.answer(tokenizer_of(vector))["count"]))
    if sweep != "pairs":
        return ((i,) for i in range(count))
    return sweep_ids(sweep, json.loads(Path(path).read_bytes()), count + 1)
