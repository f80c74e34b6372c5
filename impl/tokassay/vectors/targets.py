"""The tokenizers that vectors are computed for: our own small ones, and those of the zoo."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping, Optional


@dataclass(frozen=True)
class Target:
    """A tokenizer with golden answers.

    Attributes:
        name: as ``expect`` spells it.
        sha256: of its tokenizer.json.
        own: True for those below golden/tokenizers, whose answers are stored in full.
        path: the file, None where it is not on this machine.
    """

    name: str
    sha256: str
    own: bool
    path: Optional[Path]


def own_targets(root: Path) -> dict[str, Target]:
    """Every golden/tokenizers/NAME/tokenizer.json of the data folder `root`."""
    found = {}
    for path in sorted((root / "golden" / "tokenizers").glob("*/tokenizer.json")):
        name = path.parent.name
        found[name] = Target(name, hashlib.sha256(path.read_bytes()).hexdigest(), own=True, path=path)
    return found


def zoo_targets(pins: Mapping[str, str], present: Mapping[str, Path]) -> dict[str, Target]:
    """Targets from name → sha256 and name → path of those that are here."""
    return {name: Target(name, sha256, own=False, path=present.get(name)) for name, sha256 in pins.items()}
