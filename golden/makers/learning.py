"""Vocabularies by plain counting: the same on every machine, which the oracle's trainers are not."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from heapq import heapify, heappop, heappush
from typing import Iterable, Iterator, Sequence

from tokenizers import Tokenizer

LONGEST_PIECE = 10
Pair = tuple[str, str]


def count_words(tokenizer: Tokenizer, lines: Iterable[str]) -> Counter[str]:
    """How often the tokenizer's normalizer and pre-tokenizer make each word of the lines."""
    return Counter(word for line in lines for word in _cut(tokenizer, line))


def _cut(tokenizer: Tokenizer, line: str) -> Iterator[str]:
    text = tokenizer.normalizer.normalize_str(line) if tokenizer.normalizer else line
    if tokenizer.pre_tokenizer is None:
        yield text
    else:
        yield from (piece for piece, _ in tokenizer.pre_tokenizer.pre_tokenize_str(text))


def learn_merges(
    words: Counter[str], count: int, *, prefix: str = "", suffix: str = "", letters: int = 10**6
) -> tuple[list[str], list[Pair]]:
    """The alphabet and the `count` merges of byte-pair encoding; equal counts go in the order of the pair.

    `prefix` marks symbols that continue a word, `suffix` those that end one; only the `letters`
    most frequent characters are kept.
    """
    spelled, counts = _spell(words, prefix, suffix, letters)
    alphabet = sorted({symbol for word in spelled for symbol in word})
    places: dict[Pair, set[int]] = defaultdict(set)
    totals: Counter[Pair] = Counter()
    for index, word in enumerate(spelled):
        for pair in zip(word, word[1:]):
            places[pair].add(index)
            totals[pair] += counts[index]
    merges: list[Pair] = []
    queue = [(-total, pair) for pair, total in totals.items()]
    heapify(queue)
    while len(merges) < count and queue:
        total, best = heappop(queue)
        if -total != totals[best]:
            continue  # it has been counted again since
        if totals[best] < 2:
            break
        merges.append(best)
        touched: set[Pair] = set()
        for index in sorted(places.pop(best)):
            touched.update(_recount(spelled[index], -counts[index], totals))
            spelled[index] = merge(spelled[index], best, prefix)
            touched.update(_recount(spelled[index], counts[index], totals))
            for pair in zip(spelled[index], spelled[index][1:]):
                places[pair].add(index)
        for pair in touched - {best}:
            heappush(queue, (-totals[pair], pair))
    return alphabet, merges


def _spell(words: Counter[str], prefix: str, suffix: str, letters: int) -> tuple[list[list[str]], list[int]]:
    used = Counter(char for word, times in words.items() for char in word * times)
    kept = {char for char, _ in sorted(used.items(), key=lambda item: (-item[1], item[0]))[:letters]}
    spelled, counts = [], []
    for word, times in sorted(words.items()):
        symbols = [
            (prefix if i else "") + char + (suffix if i == len(word) - 1 else "")
            for i, char in enumerate(word)
            if char in kept
        ]
        spelled.append(symbols)
        counts.append(times)
    return spelled, counts


def _recount(word: Sequence[str], times: int, totals: Counter[Pair]) -> list[Pair]:
    """Add `times` to the count of each pair of the word; the pairs."""
    pairs = list(zip(word, word[1:]))
    for pair in pairs:
        totals[pair] += times
    return pairs


def merge(word: Sequence[str], pair: Pair, prefix: str = "") -> list[str]:
    """The word with every occurrence of the pair joined."""
    joined, out, i = joined_pair(pair, prefix), [], 0
    while i < len(word):
        found = tuple(word[i : i + 2]) == pair
        out.append(joined if found else word[i])
        i += 2 if found else 1
    return out


def joined_pair(pair: Pair, prefix: str = "") -> str:
    return pair[0] + pair[1].removeprefix(prefix)


def learn_pieces(words: Counter[str], size: int) -> list[tuple[str, float]]:
    """The `size` substrings worth most (count times length), and all characters; score log(count / total)."""
    counts: Counter[str] = Counter()
    for word, times in words.items():
        for start in range(len(word)):
            for end in range(start + 1, min(len(word), start + LONGEST_PIECE) + 1):
                counts[word[start:end]] += times
    letters = sorted(part for part in counts if len(part) == 1)
    longer = [part for part, times in counts.items() if len(part) > 1 and times > 2]
    longer.sort(key=lambda part: (-counts[part] * len(part), part))
    chosen = letters[:size] + longer[: max(0, size - len(letters))]
    chosen.sort(key=lambda part: (-counts[part], part))
    total = sum(counts[part] for part in chosen)
    return [(part, round(math.log(counts[part] / total), 9)) for part in chosen]
