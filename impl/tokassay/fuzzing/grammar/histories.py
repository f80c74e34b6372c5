"""Random look-up histories: few different ids, so that n-grams come back; growth, cuts, references."""

from __future__ import annotations

from random import Random
from typing import Any, Dict, Iterator, List, Sequence, Tuple

from tokassay.lookup import rules

Call = Dict[str, Any]


def history(chance: Random) -> Dict[str, Any]:
    """A rule, its options, and calls as `tokassay.lookup.replay` takes them."""
    rule = chance.choice(sorted(rules()))
    options = {"max_ngram": chance.randint(1, 4), "num_draft": chance.choice((1, 2, 3, 5, 10))}
    return {"rule": rule, "options": options, "calls": list(_calls(chance))}


def _calls(chance: Random) -> Iterator[Call]:
    length = 0
    alphabet = chance.choice(([0, 1], [0, 1, 2], list(range(5)), [7, 2**32 - 1]))
    for number in range(chance.randint(1, 14)):
        kind = chance.randrange(10)
        if kind < 4:
            yield {"draft": True}
        elif kind == 4 and length:
            length = chance.randrange(length + 1)
            yield {"truncate": length}
        elif kind == 5 and number > 6:
            length = 0
            yield {"reset": True}
        else:
            ids = [chance.choice(alphabet) for _ in range(chance.choice((1, 1, 2, 5, 30)))]
            length += len(ids)
            yield {"extend": ids, "role": "prompt" if number == 0 else "output"}
    yield {"draft": True}


def drafted(calls: Sequence[Call]) -> Iterator[List[Tuple[int, str]]]:
    """The history at each draft: every id with its role."""
    history: List[Tuple[int, str]] = []
    for call in calls:
        if "draft" in call:
            yield list(history)
        elif "truncate" in call:
            del history[call["truncate"] :]
        elif "reset" in call:
            history = []
        else:
            history += [(index, call["role"]) for index in call["extend"]]
