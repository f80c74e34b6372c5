"""``host.json``: of this run, about all that the board answered, and what the host derives again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tokassay.device import folder as names
from tokassay.device.hosted import Place, case, leaves, reason_missing

from .against import Trust, sums
from .at_hand import at_hand
from .evidence import Evidence, Json
from .hosting import Ran, derived
from .reading import Problem

DEPTHS: Mapping[str, int] = {"ids": 2, "answers": 3, "compiled": 2}
TOKENIZER: Mapping[str, int] = {"ids": 1, "answers": 1, "compiled": 0}  # which key down to a sum names it


def whole(evidence: Evidence) -> Iterator[Problem]:
    """It is of this run; each of the board's sums has one beside it or a reason why not, and no other has."""
    host = evidence.host
    if host["run"] != evidence.request["run"]:
        yield Problem(names.HOST, "run", f"is {host['run']!r}; the request is of {evidence.request['run']!r}")
    if host["tokassay"] != evidence.controller["tokassay"]:
        yield Problem(names.HOST, "tokassay", f"is {host['tokassay']}, not {evidence.controller['tokassay']}")
    board = sums(evidence)
    for name, told in board.items():
        here, there = leaves(host[name], DEPTHS[name]), leaves(told, DEPTHS[name])
        for place in sorted(here.keys() - there.keys()):
            yield Problem(names.HOST, ".".join((name, *place)), "stands beside nothing of the board")
        for place in sorted(there.keys() - here.keys()):
            if not reason_missing(host, place[TOKENIZER[name]], _suite(name, place)):
                yield Problem(names.HOST, ".".join((name, *place)), "is missing, and nothing says why")
    yield from _unlike(host, board["answers"])


def _suite(name: str, place: tuple[str, ...]) -> str:
    return place[2] if name == "answers" else "determinism" if name == "ids" else ""


def _unlike(host: Json, answers: Json) -> Iterator[Problem]:
    """What is told as unlike is unlike, and all of that is told."""
    here, there = leaves(host["answers"], 3), leaves(answers, 3)
    found = {case(*place) for place, value in here.items() if there.get(place, value) != value}
    for where in sorted(found ^ host["unlike"].keys()):
        yield Problem(names.HOST, f"unlike.{where}", "does not go with the sums")


@dataclass(frozen=True)
class Again:
    """The host's answers, derived once more.

    Attributes:
        host: as the folder has it, completed by what was derived here.
        count: sums that were derived here.
        missing: tokenizer, or tokenizer and suite → why it was not.
        problems: where the folder says something else.
    """

    host: Json
    count: int
    missing: Mapping[str, str]
    problems: Sequence[Problem]

    @property
    def told(self) -> str:
        """In one line."""
        reasons = Counter(self.missing.values())
        rest = "; ".join(
            f"not those of {count} tokenizers or suites: {why}" for why, count in reasons.items()
        )
        done = f"{self.count} sums of answers and device files were derived again here"
        return f"{done}; {rest}" if rest else done


def again(evidence: Evidence, trust: Trust) -> Again:
    """Derive what can be derived from what is at hand. Raises OSError where a given file cannot be read."""
    given = [path for path in (trust.bundle, *trust.archives) if path is not None]
    ran = Ran.of(evidence)
    fresh = asdict(derived(ran, at_hand(evidence.request, ran.tokenizers, given)))
    found = {name: leaves(fresh[name], depth) for name, depth in DEPTHS.items()}
    host = {
        **evidence.host,
        **{name: _merged(evidence.host[name], fresh[name]) for name in (*DEPTHS, "unlike")},
    }
    problems = [one for name, made in found.items() for one in _otherwise(evidence.host, name, made)]
    return Again(host, sum(map(len, found.values())), fresh["missing"], problems)


def _otherwise(host: Json, name: str, found: Mapping[Place, Any]) -> Iterator[Problem]:
    told = leaves(host[name], DEPTHS[name])
    for place, value in found.items():
        if told.get(place, value) != value:
            where, short = ".".join((name, *place)), "is not what is derived from the same vectors here"
            yield Problem(names.HOST, where, short)


def _merged(one: Json, other: Json) -> Json:
    found = dict(one)
    for key, value in other.items():
        found[key] = _merged(one.get(key, {}), value) if isinstance(value, dict) else value
    return found
