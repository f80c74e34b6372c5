"""Checks that several rules make of their options, with errors that say what to give instead."""

from __future__ import annotations

from typing import FrozenSet, Iterable, Optional, Sequence, Union

MOST_NGRAM = 64
"""Each n costs a table: beyond this, a longer match changes nothing that was ever measured."""


def check_counts(max_ngram: int, num_draft: int) -> None:
    """Raises ValueError unless both are usable (``lookup.options``)."""
    check_range("max_ngram", max_ngram, 1, MOST_NGRAM)
    check_range("num_draft", num_draft, 1, None)


def check_range(name: str, value: int, least: int, most: Optional[int]) -> None:
    """Raises TypeError for what is no whole number, ValueError outside ``least ... most``."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    if value < least or (most is not None and value > most):
        upper = "" if most is None else f" and at most {most}"
        raise ValueError(f"{name} must be at least {least}{upper}, not {value}")


def id_set(eos: Union[int, Iterable[int], None]) -> FrozenSet[int]:
    """One id, several, or none, as a set."""
    if eos is None:
        return frozenset()
    return frozenset((eos,)) if isinstance(eos, int) else frozenset(eos)


def no_padding(draft: Sequence[int]) -> Sequence[int]:  # noqa: ARG001 - the signature of a rule's method
    """For the engines that feed a short draft as it is."""
    return ()
