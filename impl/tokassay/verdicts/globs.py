"""Globs on vector ids that match exactly the vectors that they should."""

from __future__ import annotations

from typing import Dict, Iterable, Iterator, List, Sequence


def covering(failing: Iterable[str], others: Iterable[str]) -> List[str]:
    """Globs that match all of `failing` and none of `others`: whole words of ids are left open, at most."""
    wanted, rest = sorted(set(failing)), sorted(set(others) - set(failing))
    return list(_cover(wanted, rest, ""))


def _cover(wanted: Sequence[str], rest: Sequence[str], prefix: str) -> Iterator[str]:
    if len(wanted) > 1 and not rest:
        yield f"{prefix}*"
        return
    groups: Dict[str, List[str]] = {}
    for name in wanted:
        groups.setdefault(_longer(name, prefix), []).append(name)
    for longer, names in groups.items():
        if longer in names:  # nothing left to leave open
            yield longer
        open_ones = [name for name in names if name != longer]
        if open_ones:
            yield from _cover(open_ones, [name for name in rest if name.startswith(longer)], longer)


def _longer(name: str, prefix: str) -> str:
    """`prefix` and the next word of `name`, with the sign that ends it."""
    ends = [at + 1 for sign in "/-" for at in [name.find(sign, len(prefix))] if at >= 0]
    return name[: min(ends, default=len(name))]
