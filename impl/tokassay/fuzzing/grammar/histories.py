"""Random look-up histories: few different ids, so that n-grams come back; growth, cuts, options."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any, Dict, Iterator, List, Sequence, Tuple

from tokassay.lookup import rules

Call = Dict[str, Any]
Run = Tuple[str, List[int]]
WITH_REFERENCES = ("hf", "tensorrt-llm", "vllm")
"""Where it does not matter when a reference text came; among equals the rule ``mnn`` takes what came last."""
ALPHABETS = ([0, 1], [0, 1, 2], list(range(5)), [7, 2**21, 2**31, 2**32 - 1])


def history(chance: Random) -> Dict[str, Any]:
    """A rule, its options, and calls as `tokassay.lookup.replay` takes them."""
    rule = chance.choice(sorted(rules()))
    options = {"max_ngram": chance.randint(1, 4), "num_draft": chance.choice((1, 2, 3, 5, 10))}
    alphabet = chance.choice(ALPHABETS)
    calls = list(_calls(chance, alphabet, references=rule in WITH_REFERENCES))
    return {"rule": rule, "options": {**options, **_options(chance, rule, alphabet)}, "calls": calls}


def _options(chance: Random, rule: str, alphabet: Sequence[int]) -> Dict[str, Any]:
    """What only one rule knows, each at times."""
    some = [chance.choice(alphabet)]
    known: Dict[str, Dict[str, Any]] = {
        "hf": {"eos": some, "max_length": chance.randint(2, 40), "banned": some},
        "vllm": {"min_ngram": 1, "max_model_len": chance.randint(2, 40)},
        "tensorrt-llm": {"max_length": chance.randint(2, 40)},
        "mnn": {
            "selection": chance.choice(("freqxlen", "fcfs")),
            "strictness": chance.choice(("low", "medium", "high")),
            "punctuation": some,
        },
    }
    return {name: value for name, value in known.get(rule, {}).items() if chance.random() < 0.4}


def _calls(chance: Random, alphabet: Sequence[int], *, references: bool) -> Iterator[Call]:
    length = 0
    for number in range(chance.randint(1, 14)):
        kind = chance.randrange(11 if references else 10)
        if kind < 4:
            yield {"draft": True}
        elif kind == 4 and length:
            length = chance.randrange(length + 1)
            yield {"truncate": length}
        elif kind == 5 and number > 6:
            length = 0
            yield {"reset": True}
        elif kind == 10:
            yield {"extend": _ids(chance, alphabet), "role": "reference"}
        else:
            ids = _ids(chance, alphabet)
            length += len(ids)
            yield {"extend": ids, "role": "prompt" if number == 0 else "output"}
    yield {"draft": True}


def _ids(chance: Random, alphabet: Sequence[int]) -> List[int]:
    return [chance.choice(alphabet) for _ in range(chance.choice((1, 1, 2, 5, 30)))]


def drafted(calls: Sequence[Call]) -> Iterator[List[Run]]:
    """What is known at each draft: reference texts, then the history in runs of one role."""
    references: List[Run] = []
    history: List[Tuple[str, int]] = []
    for call in calls:
        if "draft" in call:
            yield [*references, *_runs(history)]
        elif "truncate" in call:
            del history[call["truncate"] :]
        elif "reset" in call:
            references, history = [], []
        elif call["role"] == "reference":
            references.append(("reference", call["extend"]))
        else:
            history += [(call["role"], index) for index in call["extend"]]


def _runs(history: Sequence[Tuple[str, int]]) -> Iterator[Run]:
    for role, run in itertools.groupby(history, key=lambda one: one[0]):
        yield role, [index for _, index in run]
