"""BPE broken: its merges, their order, unknown characters, and whole words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable, Iterator, List, Sequence, Tuple

from tokassay.core.models.bpe import BPE
from tokassay.mutants._fault import Fault, Patch
from tokassay.mutants._patches import flag, model, segmenting

Pair = Tuple[str, str]


def faults() -> Iterator[Fault]:
    yield from _lists()
    yield from _order()
    yield from _flags()
    yield from _unknown()


def _lists() -> Iterator[Fault]:
    clause = "model.bpe.merges"
    yield Fault(
        "last-merge-dropped", "the list of merges ends one line early", clause, _merges(lambda m: m[:-1])
    )
    yield Fault(
        "first-merge-dropped", "the first merge is taken for a header", clause, _merges(lambda m: m[1:])
    )
    yield Fault(
        "every-100th-merge-dropped",
        "merges get lost on the way",
        clause,
        _merges(lambda m: [pair for n, pair in enumerate(m, 1) if n % 100]),
    )
    yield Fault(
        "merges-swapped",
        "neighbouring merges have each other's rank",
        "model.bpe.merge-order",
        _merges(_swapped),
    )
    yield Fault(
        "merges-turned", "the last merge comes first", "model.bpe.merge-order", _merges(lambda m: m[::-1])
    )
    yield Fault("merges-by-text", "merges are sorted", "model.bpe.merge-order", _merges(sorted))
    yield Fault(
        "merges-by-length",
        "short tokens are made first",
        "model.bpe.merge-order",
        _merges(lambda m: sorted(m, key=lambda p: len(p[0] + p[1]))),
    )
    yield Fault(
        "merges-in-ascii-only",
        "merges of other characters are dropped",
        clause,
        _merges(lambda m: [p for p in m if (p[0] + p[1]).isascii()]),
    )


def _merges(change: Callable[[List[Pair]], Sequence[Pair]]) -> Patch:
    return model(BPE, lambda found: replace(found, merges=tuple(change(list(found.merges)))))


def _swapped(merges: List[Pair]) -> List[Pair]:
    return [merges[n ^ 1] if n ^ 1 < len(merges) else pair for n, pair in enumerate(merges)]


def _symbols(found: Any, piece: str) -> List[str]:
    """Characters that are tokens; the faults of order leave the others to the sound model."""
    return list(piece) if all(char in found.vocab for char in piece) else []


def _order() -> Iterator[Fault]:
    clause = "model.bpe.merge-order"
    yield Fault(
        "ties-rightmost", "of equal pairs the last one is merged first", clause, segmenting(BPE, _rightmost)
    )
    yield Fault(
        "leftmost-pair-first",
        "the first pair that merges, whatever its rank",
        clause,
        segmenting(BPE, _leftmost),
    )
    yield Fault(
        "longest-match", "the longest token from the left, no merges", clause, segmenting(BPE, _longest)
    )
    yield Fault(
        "rank-is-id", "merges in the order of the ids that they make", clause, segmenting(BPE, _by_id)
    )
    yield Fault("one-merge-per-pair", "each merge is applied once in a piece", clause, segmenting(BPE, _once))


def _merged(found: Any, piece: str, choose: Callable[[List[Tuple[int, int]]], Tuple[int, int]]) -> List[int]:
    """Merges chosen by a fault among (rank, place); pieces that need more than merges stay sound."""
    parts = _symbols(found, piece)
    if not parts or (found.ignore_merges and piece in found.vocab):
        return found.build().ids(piece)  # type: ignore[no-any-return]
    ranks = _ranks(found)
    while True:
        live = [(ranks[pair], n) for n, pair in enumerate(zip(parts, parts[1:])) if pair in ranks]
        if not live:
            return [found.vocab[part] for part in parts]
        _, place = choose(live)
        parts[place : place + 2] = [parts[place] + parts[place + 1]]


def _ranks(found: Any) -> Any:
    kept = found.__dict__.get("_mutant_ranks")
    if kept is None:
        kept = {pair: rank for rank, pair in enumerate(found.merges)}
        found.__dict__["_mutant_ranks"] = kept
    return kept


def _rightmost(found: Any, piece: str) -> List[int]:
    return _merged(found, piece, lambda live: min(live, key=lambda step: (step[0], -step[1])))


def _leftmost(found: Any, piece: str) -> List[int]:
    return _merged(found, piece, lambda live: live[0])


def _by_id(found: Any, piece: str) -> List[int]:
    return _merged(found, piece, lambda live: min(live, key=lambda step: (found.made[step[0]], step[1])))


def _once(found: Any, piece: str) -> List[int]:
    done: List[int] = []

    def choose(live: List[Tuple[int, int]]) -> Tuple[int, int]:
        fresh = [step for step in live if step[0] not in done] or live
        step = min(fresh)
        done.append(step[0])
        return step

    return _merged(found, piece, choose)


def _longest(found: Any, piece: str) -> List[int]:
    ids, start = [], 0
    if not _symbols(found, piece):
        return found.build().ids(piece)  # type: ignore[no-any-return]
    while start < len(piece):
        end = next(end for end in range(len(piece), start, -1) if piece[start:end] in found.vocab)
        ids.append(found.vocab[piece[start:end]])
        start = end
    return ids


def _flags() -> Iterator[Fault]:
    symbols = "model.bpe.symbols.prefix"
    yield Fault(
        "ignore-merges-ignored",
        "whole words are merged, not looked up",
        "model.bpe.ignore-merges",
        flag(BPE, ignore_merges=False),
    )
    yield Fault(
        "ignore-merges-always",
        "whole words are looked up first",
        "model.bpe.ignore-merges",
        flag(BPE, ignore_merges=True),
    )
    yield Fault(
        "byte-fallback-ignored",
        "unknown characters are not spelled in bytes",
        "model.bpe.symbols.bytes",
        flag(BPE, byte_fallback=False),
    )
    yield Fault(
        "fuse-unk-ignored",
        "each unknown character is a token",
        "model.bpe.symbols.unknown",
        flag(BPE, fuse_unk=False),
    )
    yield Fault(
        "fuse-unk-always",
        "neighbouring unknown characters are one token",
        "model.bpe.symbols.unknown",
        model(BPE, lambda m: replace(m, fuse_unk=True) if m.unk_token else None),
    )
    yield Fault(
        "unknown-dropped", "unknown characters vanish", "model.bpe.symbols.unknown", flag(BPE, unk_token=None)
    )
    yield Fault(
        "word-suffix-ignored", "end_of_word_suffix is not read", symbols, flag(BPE, end_of_word_suffix=None)
    )
    yield Fault(
        "continuing-prefix-ignored",
        "continuing_subword_prefix is not read",
        symbols,
        model(BPE, _without_prefix),
    )


def _without_prefix(found: Any) -> Any:
    """The merges make other tokens then, so they go with the prefix."""
    return (
        replace(found, continuing_subword_prefix=None, merges=()) if found.continuing_subword_prefix else None
    )


def _unknown() -> Iterator[Fault]:
    clause = "model.bpe.symbols.bytes"
    yield Fault("bytes-turned", "the bytes of a character come in reverse", clause, segmenting(BPE, _turned))
    yield Fault(
        "first-byte-only", "an unknown character becomes one byte", clause, segmenting(BPE, _first_byte)
    )
    yield Fault(
        "last-byte-lost",
        "the last byte of an unknown character is lost",
        clause,
        segmenting(BPE, _no_last_byte),
    )
    yield Fault(
        "long-words-cut",
        "a piece ends after 255 characters",
        "encoding.long",
        segmenting(BPE, lambda m, piece: m.build().ids(piece[:255])),
    )


def _byte_runs(found: Any, piece: str, change: Callable[[List[int]], List[int]]) -> List[int]:
    """The ids with each unknown character's bytes changed."""
    ids: List[int] = found.build().ids(piece)
    if not found.byte_fallback:
        return ids
    out: List[int] = []
    rest = iter(ids)
    for index in rest:
        name = found.id_to_token(index) or ""
        size = _length(name)
        run = [index, *(next(rest) for _ in range(size - 1))] if size else [index]
        out += change(run) if size > 1 else run
    return out


def _length(name: str) -> int:
    """Bytes of the character that ``<0xHH>`` begins; 0 for any other token."""
    if len(name) != 6 or not name.startswith("<0x"):
        return 0
    first = int(name[3:5], 16)
    return 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4


def _turned(found: Any, piece: str) -> List[int]:
    return _byte_runs(found, piece, lambda run: run[::-1])


def _first_byte(found: Any, piece: str) -> List[int]:
    return _byte_runs(found, piece, lambda run: run[:1])


def _no_last_byte(found: Any, piece: str) -> List[int]:
    return _byte_runs(found, piece, lambda run: run[:-1])
