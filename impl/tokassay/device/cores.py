"""Which processors a run is pinned to: one of each kind, found by part number."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from . import samples
from .identity import PARTS, Cpu


@dataclass(frozen=True)
class Core:
    """One kind of processor. `cpu` is None where there is nothing to pin to."""

    part: str
    cpu: Optional[int]


def cores(cpus: Sequence[Cpu], allowed: Sequence[int]) -> Tuple[Core, ...]:
    """One processor of each part number, the parts of `PARTS` (big, little) first; at least one core.

    The last one of each kind is taken: the first one handles most interrupts.
    """
    found: Dict[str, int] = {}
    for cpu in cpus:
        if cpu.part and cpu.number in allowed:
            found[cpu.part] = cpu.number
    order = [part for part in PARTS if part in found] + [part for part in found if part not in PARTS]
    known = tuple(Core(part, found[part]) for part in order)
    return known or (Core(_only_part(cpus), None),)


def _only_part(cpus: Sequence[Cpu]) -> str:
    parts: List[str] = sorted({cpu.part for cpu in cpus})
    return parts[0] if len(parts) == 1 else ""


def pinned(core: Core) -> Tuple[Core, Tuple[int, ...]]:
    """The core that the process now runs on, without `cpu` where the kernel refuses; what it says."""
    if core.cpu is None:
        return core, samples.allowed()
    try:
        return core, samples.pin((core.cpu,))
    except OSError as error:
        print(f"cannot run on processor {core.cpu} only: {error}", file=sys.stderr)  # noqa: T201
        return Core(core.part, None), samples.allowed()


def differing(ids: Sequence[Mapping[str, Any]]) -> List[Tuple[str, str]]:
    """Where the ids of a core (as in ``facts.json``) are not those of the first one: place and reason."""
    first = ids[0]["ids"] if ids else {}
    found = []
    for number, core in enumerate(ids):
        for engine, tokenizer in sorted({*_pairs(first), *_pairs(core["ids"])}):
            there = core["ids"].get(engine, {}).get(tokenizer)
            if there != first.get(engine, {}).get(tokenizer):
                reason = "is not the same on every core" if there else "is missing on this core"
                found.append((f"ids[{number}].ids.{engine}.{tokenizer}", reason))
    return found


def _pairs(ids: Mapping[str, Mapping[str, str]]) -> List[Tuple[str, str]]:
    return [(engine, tokenizer) for engine, tokenizers in ids.items() for tokenizer in tokenizers]


def shown(core: Core) -> Mapping[str, object]:
    """A core as JSON."""
    return {"part": core.part, "cpu": core.cpu}
