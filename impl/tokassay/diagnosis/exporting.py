"""An engine that loads an export gets a smaller one: written by this package in the format of that file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Mapping, Optional

from tokassay import formats
from tokassay.checks.engine import EngineError
from tokassay.core.errors import FormatError
from tokassay.engines import _gguf
from tokassay.formats.codec import beside

from . import documents
from .documents import Document

JSON, GGUF = "tokenizer.json", "gguf"
UNKNOWN = ""
TOKENS = ("vocab", "merges")  # what is dropped on both sides alike


@dataclass(frozen=True)
class Export:
    """A kind of file. `stages` and `flags` are what the exporter made of those of a tokenizer.json."""

    name: str
    format: str
    stages: Mapping[str, Any] = field(default_factory=dict)
    flags: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def like(cls, exported: Path, original: Path) -> Export:
        """The kind of a file that was made of another."""
        data = exported.read_bytes()
        try:
            kind = formats.probe(data)
        except FormatError:
            return cls(exported.name, UNKNOWN)
        theirs, ours = (documents.read(each) for each in (data, original.read_bytes()))
        if kind != JSON or theirs is None or ours is None:
            return cls(exported.name, kind)
        stages = {name: theirs.get(name) for name in documents.STAGES if theirs.get(name) != ours.get(name)}
        flags = {name: value for name, value in theirs["model"].items() if name not in TOKENS}
        return cls(exported.name, kind, stages, flags)

    @property
    def unwritten(self) -> str:
        """Why there is none."""
        if self.format == UNKNOWN:
            return "nothing here knows its format"
        return f"{self.format} is a format that is only read here, or cannot hold it"

    def write(self, original: Path) -> Optional[Path]:
        """The export of a tokenizer.json, below the folder of that; None where the format cannot hold it."""
        path = original.parent / "export" / self.name
        path.parent.mkdir(exist_ok=True)
        try:
            self._fill(original, path)
        except (FormatError, EngineError, ImportError):
            return None
        return path

    def _fill(self, original: Path, path: Path) -> None:
        if self.format == JSON:
            document = documents.read(original.read_bytes())
            path.write_bytes(documents.serialized(self._as_exported(document or {"model": {}})))
        elif self.format == GGUF:
            _gguf.fill(_gguf.describe(formats.read(original, format=JSON)), path)
        else:
            described = beside(formats.read(original, format=JSON), original.parent, self.format)
            formats.write(formats.project(described, self.format), path, self.format)

    def _as_exported(self, document: Document) -> Document:
        model = {**document["model"], **self.flags}
        return documents.renumbered({**document, **self.stages, "model": model})
