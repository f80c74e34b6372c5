"""Unigram, WordPiece and WordLevel broken."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from tokassay.core.models.unigram import Unigram
from tokassay.core.models.wordlevel import WordLevel
from tokassay.core.models.wordpiece import WordPiece
from tokassay.mutants._fault import Fault, Patch
from tokassay.mutants._patches import flag, model, segmenting


def faults() -> Iterator[Fault]:
    yield from _unigram()
    yield from _word_piece()
    yield from _word_level()


def _unigram() -> Iterator[Fault]:
    ties, scores, unknown = "model.unigram.ties", "model.unigram.scores", "model.unigram.unknown"
    yield Fault(
        "ties-take-the-later",
        "of equal sums the shortest last token stays",
        ties,
        _searching(lambda new, old: new >= old),
    )
    yield Fault("greedy-longest", "the longest entry from the left", scores, segmenting(Unigram, _greedy))
    yield Fault("fewest-tokens", "scores are not read", scores, _scored(lambda _: -1.0))
    yield Fault(
        "scores-half",
        "scores in half precision",
        scores,
        _scored(lambda s: float(struct.unpack("<e", struct.pack("<e", s))[0])),
    )
    yield Fault("scores-rounded", "scores cut to two decimals", scores, _scored(lambda s: round(s, 2)))
    yield Fault(
        "scores-single",
        "scores in single precision",
        scores,
        _scored(lambda s: float(struct.unpack("<f", struct.pack("<f", s))[0])),
    )
    yield Fault("scores-turned", "costs are taken for scores", scores, _scored(lambda s: -s))
    yield Fault(
        "unknown-costs-nothing",
        "an unknown character costs as much as the worst entry",
        unknown,
        segmenting(Unigram, lambda m, p: _best(m, p, _better, penalty=0.0)),
    )
    yield Fault(
        "unknown-fused-not",
        "each unknown character is a token",
        "model.unigram.fuse",
        segmenting(Unigram, _unfused),
    )
    yield Fault(
        "unigram-bytes-ignored",
        "byte_fallback is not read",
        "model.unigram.bytes",
        flag(Unigram, byte_fallback=False),
    )
    yield Fault(
        "unigram-bytes-turned",
        "the bytes of an unknown character come in reverse",
        "model.unigram.bytes",
        segmenting(Unigram, _bytes_turned),
    )
    yield Fault(
        "unknown-is-0",
        "the unknown id is 0, whatever the file says",
        unknown,
        model(Unigram, lambda m: replace(m, unk_id=0) if m.unk_id else None),
    )


def _scored(change: Callable[[float], float]) -> Patch:
    return model(
        Unigram, lambda m: replace(m, pieces=tuple((token, change(score)) for token, score in m.pieces))
    )


Better = Callable[[float, float], bool]


def _better(new: float, old: float) -> bool:
    return new > old


def _searching(better: Better) -> Patch:
    return segmenting(Unigram, lambda m, piece: _best(m, piece, better, penalty=10.0))


def _best(found: Any, piece: str, better: Better, penalty: float) -> List[int]:
    """The best path by a fault's own comparison; unknown characters as the sound model names them."""
    scores: Dict[str, float] = found.scores
    worst = min(scores.values(), default=0.0) - penalty
    best: List[Optional[Tuple[float, int]]] = [(0.0, 0)] + [None] * len(piece)
    for start in range(len(piece)):
        so_far = best[start]
        assert so_far is not None
        for end in range(start + 1, len(piece) + 1):
            score = scores.get(piece[start:end], worst if end == start + 1 else None)
            old = best[end]
            if score is not None and (old is None or better(so_far[0] + score, old[0])):
                best[end] = (so_far[0] + score, start)
    cuts, end = [], len(piece)
    while end:
        start = best[end][1]  # type: ignore[index]
        cuts.append(piece[start:end])
        end = start
    return _named(found, cuts[::-1])


def _named(found: Any, surfaces: List[str]) -> List[int]:
    """Each surface through the sound model, unknown ones joined as it does."""
    ids: List[int] = []
    held = ""
    for surface in [*surfaces, ""]:
        known = surface in found.vocab
        if held and (known or not surface):
            ids += found.build().ids(held)
            held = ""
        if known:
            ids.append(found.vocab[surface])
        else:
            held += surface
    return ids


def _greedy(found: Any, piece: str) -> List[int]:
    surfaces, start = [], 0
    while start < len(piece):
        end = next(
            (end for end in range(len(piece), start, -1) if piece[start:end] in found.vocab), start + 1
        )
        surfaces.append(piece[start:end])
        start = end
    return _named(found, surfaces)


def _unfused(found: Any, piece: str) -> List[int]:
    ids: List[int] = []
    for token in found.build().tokenize(piece):
        ids += [token.id] * (len(token.value) if token.id == found.unk_id else 1)
    return ids


def _bytes_turned(found: Any, piece: str) -> List[int]:
    ids: List[int] = []
    run: List[int] = []
    for index in [*found.build().ids(piece), -1]:
        name = found.id_to_token(index) or ""
        if found.byte_fallback and name.startswith("<0x"):
            run.append(index)
            continue
        ids += run[::-1]
        run = []
        ids += [index] if index >= 0 else []
    return ids


def _word_piece() -> Iterator[Fault]:
    clause = "model.wordpiece"
    yield Fault(
        "word-length-in-bytes",
        "max_input_chars_per_word counts bytes",
        clause,
        segmenting(WordPiece, _by_bytes),
    )
    yield Fault(
        "word-length-ignored",
        "long words are cut all the same",
        clause,
        flag(WordPiece, max_input_chars_per_word=10**9),
    )
    yield Fault(
        "word-length-one-less",
        "a word of the greatest length is unknown",
        clause,
        model(WordPiece, lambda m: replace(m, max_input_chars_per_word=m.max_input_chars_per_word - 1)),
    )
    yield Fault(
        "gap-keeps-the-rest", "what is found before a gap stays", clause, segmenting(WordPiece, _with_gap)
    )
    yield Fault(
        "continuations-bare",
        "continuations are looked up without their prefix",
        clause,
        flag(WordPiece, continuing_subword_prefix=""),
    )
    yield Fault(
        "shortest-entry", "the shortest entry from the left", clause, segmenting(WordPiece, _shortest)
    )
    yield Fault(
        "unknown-per-character",
        "an unknown word is as many tokens as characters",
        clause,
        segmenting(WordPiece, _unknown_each),
    )


def _by_bytes(found: Any, piece: str) -> List[int]:
    fits = len(piece.encode("utf-8")) <= found.max_input_chars_per_word
    return found.build().ids(piece) if fits else [_unknown(found)]


def _unknown(found: Any) -> int:
    return found.vocab[found.unk_token]  # type: ignore[no-any-return]


def _with_gap(found: Any, piece: str) -> List[int]:
    return _cut(found, piece, longest=True, gap=True)


def _shortest(found: Any, piece: str) -> List[int]:
    return _cut(found, piece, longest=False, gap=False)


def _cut(found: Any, piece: str, *, longest: bool, gap: bool) -> List[int]:
    ids: List[int] = []
    start = 0
    while start < len(piece):
        prefix = found.continuing_subword_prefix if start else ""
        ends = range(len(piece), start, -1) if longest else range(start + 1, len(piece) + 1)
        end = next((end for end in ends if prefix + piece[start:end] in found.vocab), 0)
        if not end:
            return [*ids, _unknown(found)] if gap else [_unknown(found)]
        ids.append(found.vocab[prefix + piece[start:end]])
        start = end
    return ids


def _unknown_each(found: Any, piece: str) -> List[int]:
    ids: List[int] = found.build().ids(piece)
    return ids * len(piece) if ids == [_unknown(found)] and piece not in found.vocab else ids


def _word_level() -> Iterator[Fault]:
    clause = "model.wordlevel"
    yield Fault(
        "words-in-any-case",
        "words are looked up in small letters",
        clause,
        segmenting(WordLevel, lambda m, p: m.build().ids(p if p in m.vocab else p.lower())),
    )
    yield Fault(
        "unknown-words-dropped",
        "words outside the vocabulary vanish",
        clause,
        segmenting(WordLevel, lambda m, p: [m.vocab[p]] if p in m.vocab else []),
    )
    yield Fault(
        "unknown-word-is-0",
        "the unknown word has id 0",
        clause,
        segmenting(WordLevel, lambda m, p: [m.vocab.get(p, 0)]),
    )
