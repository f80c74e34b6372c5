"""Sweeps over a whole vocabulary: what is asked, in which order, and how blocks of answers are digested.

A sweep is too long to store, so its answers are kept as one sha256 for each block. Texts are the
decoded ids themselves, so an engine's sweep needs the tokenizer.json and somebody's decode:

- ``decode``: every id from 0 to the largest alone; the answer is its text, special tokens kept.
- ``tokens``: the text of every id; the answer is the ids it encodes to, no special tokens added.
- ``pairs``: the text of both halves of every merge in rank order, or of ids i and i+1 for a model
  without merges; the answer is the ids.
"""

from __future__ import annotations

from itertools import islice
from typing import Dict, Iterable, Iterator, List, Mapping, Tuple

from .vector import digest

SWEEPS = ("decode", "tokens", "pairs")


def sweep_ids(sweep: str, tokenizer: Mapping[str, object], id_count: int) -> Iterator[Tuple[int, ...]]:
    """The ids whose decoded text is each item of a sweep.

    Args:
        sweep: one of `SWEEPS`.
        tokenizer: the parsed tokenizer.json.
        id_count: one more than the largest id in force, added tokens included.
    """
    if sweep != "pairs":
        return ((i,) for i in range(id_count))
    model: Mapping[str, object] = tokenizer["model"]  # type: ignore[assignment]
    if "merges" not in model:
        return ((i, i + 1) for i in range(id_count - 1))
    return _merge_ids(model)


def _merge_ids(model: Mapping[str, object]) -> Iterator[Tuple[int, ...]]:
    vocab: Dict[str, int] = model["vocab"]  # type: ignore[assignment]
    prefix = str(model.get("continuing_subword_prefix") or "")
    for merge in model["merges"]:  # type: ignore[attr-defined]
        left, right = merge.split(" ") if isinstance(merge, str) else merge
        # A prefixed right half may be listed in the merges with its prefix only.
        yield vocab[left], vocab[right] if right in vocab else vocab[prefix + right]


def block_digests(answers: Iterable[object], size: int) -> Iterator[str]:
    """The digest of every block of `size` answers (the last one may be shorter)."""
    rest = iter(answers)
    while True:
        block: List[object] = list(islice(rest, size))
        if not block:
            return
        yield digest(block)
