"""The seed's prompt lookup, as it is defined: slide over the text, compare, take the first that fits.

Everything else in this package is a faster way to the same answer, or another engine's variation of it.
"""

from __future__ import annotations

from typing import Iterator, List, Sequence


def find_candidate_ids(
    ids: Sequence[int], max_ngram: int = 3, num_draft: int = 10, *, strict: bool = False
) -> List[int]:
    """The ids that followed an earlier occurrence of the last n ids; empty when there is none.

    The longest n with an acceptable occurrence wins, and within one n the leftmost (``lookup.seed.order``).
    An occurrence is acceptable when all `num_draft` ids exist after it (``lookup.seed.full``) and they
    start before the final n-gram does (``lookup.seed.apart``).

    Args:
        ids: the whole history, prompt and output.
        max_ngram: the longest n-gram to look for, at least 1.
        num_draft: the number of ids to propose, at least 1.
        strict: raise where the history is shorter than `max_ngram`, as the source document's function does.

    Raises:
        ValueError: `strict`, and the history is shorter than `max_ngram` (``lookup.seed.strict``).

    >>> find_candidate_ids([5, 6, 7, 8, 9, 5, 6], max_ngram=2, num_draft=3)
    [7, 8, 9]
    """
    if strict and len(ids) < max_ngram:
        raise ValueError(f"a history of {len(ids)} ids is shorter than the n-gram of {max_ngram}")
    for n in range(min(max_ngram, len(ids)), 0, -1):
        for start in continuations(ids, n):
            if start + num_draft <= len(ids) and start < len(ids) - n:
                return list(ids[start : start + num_draft])
    return []


def continuations(ids: Sequence[int], n: int) -> Iterator[int]:
    """Where the text goes on after each occurrence of its last n ids, left to right.

    The final n-gram itself is the last one: after it the text ends.
    """
    tail = list(ids[len(ids) - n :])
    for start in range(n, len(ids) + 1):
        if list(ids[start - n : start]) == tail:
            yield start
