"""The merge loop of BPE, twice: the definition, and a queue (clause ``model.bpe.merge-order``)."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Dict, Iterable, List, Optional, Protocol, Sequence, Tuple, Union

from .bpe_symbols import Symbol

Step = Tuple[int, int, int]  # rank, position, new id
NO_RANK = 1 << 30


class Row(Protocol):
    """Right id → rank: a dict, or something that looks the rank up elsewhere."""

    def get(self, right: int, default: int, /) -> int: ...


class Ranks(Protocol):
    """Left id → its row."""

    def __getitem__(self, left: int, /) -> Row: ...


NO_ROW: Dict[int, int] = {}


def rank_table(left: Iterable[int], right: Iterable[int], ids: Sequence[int]) -> Ranks:
    """The ranks of the pairs in a row for each of `ids`; of equal pairs the last one counts.

    Many small tables instead of one of all pairs: no key is put together for a look-up, and the few
    rows that a text needs stay near.
    """
    top = max(ids, default=0)
    dense = top < 4 * len(ids)  # most vocabularies have no holes, but an id may be anything
    rows: Union[List[Dict[int, int]], Dict[int, Dict[int, int]]]
    rows = [NO_ROW] * (top + 1) if dense else dict.fromkeys(ids, NO_ROW)
    for rank, (before, behind) in enumerate(zip(left, right)):
        row = rows[before]
        if row is NO_ROW:
            rows[before] = {behind: rank}
        else:
            row[behind] = rank
    return tuple(rows) if isinstance(rows, list) else rows


@dataclass(frozen=True)
class Merges:
    """Pairs of ids → rank, and the id that each rank makes.

    `width` is above every id and odd: keys ``left * width + right`` are unique and spread over a
    dict's slots. `simple`: ids are distinct and every merge makes exactly the string of its two
    parts, neither empty.
    """

    ranks: Ranks
    made: Sequence[int]
    width: int
    simple: bool

    def step(self, left: int, right: int, position: int) -> Optional[Step]:
        rank = self.ranks[left].get(right, NO_RANK)
        return None if rank == NO_RANK else (rank, position, self.made[rank])


def merge_plain(symbols: Sequence[Symbol], merges: Merges) -> List[Symbol]:
    """BPE as defined: merge the adjacent pair with the least (rank, position) until there is none.

    Cost grows with the square of the length; the definition of the order for `simple` merges.
    """
    parts = list(symbols)
    while True:
        steps = [merges.step(left[0], right[0], i) for i, (left, right) in enumerate(zip(parts, parts[1:]))]
        live = [step for step in steps if step is not None]
        if not live:
            return parts
        _, i, new = min(live)
        parts[i : i + 2] = [(new, parts[i][1] + parts[i + 1][1])]


def merge_queue(
    symbols: Sequence[Symbol], merges: Merges, applied: Optional[List[Step]] = None
) -> List[Symbol]:
    """The same with a queue of candidate steps: n log n. `applied` is told (left id, right id, rank).

    A step whose pair has changed since is stale. HF drops it unless the pair now there makes the
    same id, then it fires at the *old* rank. That happens only where two strings share an id or a
    merge does not make the string of its parts (`simple` is False): symbols only grow, so
    otherwise a pair that makes the same string spans the same text and is the same pair.
    """
    ids = [index for index, _ in symbols]
    sizes = [size for _, size in symbols]
    after = array("i", [*range(1, len(ids)), -1])  # a piece may be a whole text
    before = array("i", range(-1, len(ids) - 1))
    found = (merges.step(left, right, i) for i, (left, right) in enumerate(zip(ids, ids[1:])))
    queue = [step for step in found if step is not None]
    heapify(queue)
    while queue:
        rank, at, new = heappop(queue)
        gone = after[at]
        if sizes[at] == 0 or gone < 0:
            continue
        now = merges.step(ids[at], ids[gone], at)
        if now is None or now[2] != new:
            continue
        if applied is not None:
            applied.append((ids[at], ids[gone], rank))
        ids[at] = new
        sizes[at] += sizes[gone]
        sizes[gone] = 0
        after[at] = after[gone]
        if after[gone] >= 0:
            before[after[gone]] = at
        for left, right in ((before[at], at), (at, after[at])):
            step = merges.step(ids[left], ids[right], left) if left >= 0 and right >= 0 else None
            if step is not None:
                heappush(queue, step)
    return [(index, size) for index, size in zip(ids, sizes) if size]
