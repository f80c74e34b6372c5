"""What timed calls are given: each one something of its own, so that no answer can be a remembered one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Sequence

from tokassay.checks import determinism
from tokassay.checks.asking import limited, text_of
from tokassay.checks.stored import of_suite
from tokassay.checks.vector import Vector

SHORT, LONG = 40, 4000  # characters of the two texts
MATERIAL = 1 << 19  # characters that texts are cut from, at most
STRIDE = 2503  # from one text's beginning to the next one's: a prime, so that the places differ for long
SHIFT = 1000  # of the ids of a history, so that none falls below zero in the warm-up


@dataclass(frozen=True)
class Texts:
    """Texts of one length out of one material; each begins with its own number, so no two are equal."""

    material: str
    length: int

    def __call__(self, number: int) -> str:
        start = number * STRIDE % len(self.material)
        body = self.material[start : start + self.length]
        while len(body) < self.length:
            body += self.material[: self.length - len(body)]
        return f"{number} {body}"[: self.length]


@dataclass(frozen=True)
class Timed:
    """Operation → the vector nearest to its length, whose ids tie the times to the results; and its texts."""

    vectors: Mapping[str, Vector]
    texts: Mapping[str, Texts]


def timed(vectors: Sequence[Vector]) -> Timed:
    """From what the determinism suite asks; nothing where that is nothing."""
    plain = [one for one in of_suite(vectors, determinism.SUITE, determinism.applies) if is_plain(one)]
    if not plain:
        return Timed({}, {})
    lengths = [(len(text_of(one)), one.id, one) for one in plain]

    def nearest(wanted: int) -> Vector:
        return min(lengths, key=lambda item: (abs(item[0] - wanted), item[1]))[2]

    material = _material(plain)
    found = {"encode-short": nearest(SHORT), "encode-long": nearest(LONG)}
    return Timed(found, {"encode-short": Texts(material, SHORT), "encode-long": Texts(material, LONG)})


def is_plain(vector: Vector) -> bool:
    """A text and nothing else."""
    return "text" in vector.given and "pair" not in vector.given and not limited(vector)


def _material(plain: Sequence[Vector]) -> str:
    """The texts one after the other, the longest ones cut."""
    parts: List[str] = []
    size = 0
    for vector in plain:
        if size < MATERIAL:
            parts.append(vector.text[:LONG])
            size += len(parts[-1]) + 1
    return "\n".join(parts) or "\n"


def history(calls: Sequence[Mapping[str, Any]], number: int) -> List[Dict[str, Any]]:
    """The calls of a look-up with all ids moved by a number of its own: the same matches, other ids."""
    moved = SHIFT + number
    return [
        {**call, "extend": [index + moved for index in call["extend"]]} if "extend" in call else dict(call)
        for call in calls
    ]
