"""What the reference answers on the controller's machine, and where a board's answers are others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Mapping, Tuple

from .reference import NAME

Json = Mapping[str, Any]
Place = Tuple[str, ...]  # keys down to a sum
NOT_THOSE = "are not those of the host"


@dataclass(frozen=True)
class Host:
    """``host.json``: derived on the host from the vectors that the board tried.

    Attributes:
        run: as in the request.
        tokassay, python, platform: of the host.
        ids: engine → tokenizer → sum of the reference's ids here, for the vectors whose ids that engine told.
        answers: engine → tokenizer → suite → sum of the reference's answers here, for what that engine tried.
        compiled: tokenizer → format → as in ``facts.json``, made here.
        unlike: ``engine / tokenizer / suite`` → of how many vectors the answers are others, and the first.
        missing: tokenizer, or ``tokenizer / suite`` → why nothing stands here for it.
    """

    run: str
    tokassay: str
    python: str
    platform: str
    ids: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    answers: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    compiled: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    unlike: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)


def case(engine: str, tokenizer: str, suite: str) -> str:
    return f"{engine} / {tokenizer} / {suite}"


def reason_missing(host: Json, tokenizer: str, suite: str = "") -> str:
    """Why the host has no answer; "" where it has to have one."""
    missing = host["missing"]
    return str(missing.get(tokenizer) or missing.get(f"{tokenizer} / {suite}", ""))


def leaves(sums: Json, depth: int, place: Place = ()) -> Dict[Place, Any]:
    """The values of nested mappings, by the keys down to them."""
    if len(place) == depth:
        return {place: sums}
    found: Dict[Place, Any] = {}
    for key, inner in sums.items():
        found.update(leaves(inner, depth, (*place, key)))
    return found


def unlike_host(ids: Json, answers: Json, compiled: Json, host: Json) -> List[Tuple[str, str]]:
    """Where the board's reference and device files are not those of the host: place and reason.

    `ids`, `answers`, `compiled`: of the board. What the host could not derive is passed over.
    """
    return [*_answers(ids, answers, host), *_compiled(compiled, host)]


def _answers(ids: Json, answers: Json, host: Json) -> Iterator[Tuple[str, str]]:
    for name, depth, told in (("ids", 2, ids), ("answers", 3, answers)):
        here = leaves(host[name], depth)
        for place, value in sorted(leaves(told, depth).items()):
            if place[0] == NAME and here.get(place, value) != value:
                why = host["unlike"].get(case(*place), "") if depth == 3 else ""
                yield ".".join((name, *place)), f"{NOT_THOSE}{f': {why}' if why else ''}"


def _compiled(compiled: Json, host: Json) -> Iterator[Tuple[str, str]]:
    here = leaves(host["compiled"], 2)
    for place, made in sorted(leaves(compiled, 2).items()):
        if here.get(place, made) != made:
            yield ".".join(("compiled", *place)), "is not what the host makes"
