"""Precompiled: SentencePiece's rewrite rules, as HF applies them. Clauses ``norm.precompiled.*``."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from typing import ClassVar, Dict, List, Optional, Tuple

from ..aligned import AlignedText
from ..charsmap import Charsmap
from ..clusters import clusters, has_clusters, runs
from ..errors import FormatError
from ..fields import Fields

_LONGEST_CLUSTER = 5


@dataclass(frozen=True)
class Precompiled:
    """HF ``normalizers.Precompiled``. `charsmap`: the blob of the `.model` file."""

    TYPE: ClassVar[str] = "Precompiled"
    anchored: ClassVar[bool] = True
    charsmap: bytes
    rules: Charsmap = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", Charsmap.parse(self.charsmap))

    @classmethod
    def from_fields(cls, fields: Fields) -> Precompiled:
        try:
            blob = base64.b64decode(fields.string("precompiled_charsmap"), validate=True)
            return cls(blob)
        except (binascii.Error, ValueError) as error:
            reason = error.reason if isinstance(error, FormatError) else f"is not base64: {error}"
            raise fields.error("precompiled_charsmap", reason) from error

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "precompiled_charsmap": base64.b64encode(self.charsmap).decode()}

    def normalize(self, text: str) -> str:
        if not has_clusters(text):
            return text.translate(self.rules)
        parts: List[str] = []
        for start, end, single in runs(text):
            part = text[start:end]
            rule = None if single else self._of_cluster(part)
            parts.append(part.translate(self.rules) if rule is None else rule)
        return "".join(parts)

    def _of_cluster(self, cluster: str) -> Optional[str]:
        """The rule for a cluster as a whole: short ones are looked up, and any prefix decides for all."""
        return self.rules.lookup(cluster) if len(cluster.encode()) <= _LONGEST_CLUSTER else None

    def align(self, text: AlignedText) -> AlignedText:
        changes: List[Tuple[str, int]] = []
        modified = False
        for cluster in clusters(text.text):
            rule = self._of_cluster(cluster)
            parts = [(cluster, rule)] if rule is not None else [(c, self.rules.lookup(c)) for c in cluster]
            for old, new in parts:
                if new is None:
                    changes.append((old, 0))
                    continue
                modified = True
                _rewrite(changes, len(old), new)
        return text.transform(changes) if modified else text


def _rewrite(changes: List[Tuple[str, int]], old: int, new: str) -> None:
    """Add `new`, written for `old` characters; with nothing before it, a removal leaves no trace."""
    changes += [(char, 0) for char in new]
    grown = len(new) - old
    if grown > 0:
        changes[-grown:] = [(char, 1) for char in new[-grown:]]
    elif grown < 0 and changes:
        changes[-1] = (changes[-1][0], changes[-1][1] + grown)
