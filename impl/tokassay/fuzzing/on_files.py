"""Targets about tokenizer files: which file, and texts and ids made of what is in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, Dict, List, Optional, Tuple

from tokassay import Tokenizer
from tokassay.core.errors import TokassayError

from .material import Material
from .running import Voices
from .sides import Loader, Sides, openable
from .target import Case, Setting
from .texts import Kind, kinds

ODD = 0.4  # of all texts: they find most, and cost the most beside the oracle
MIXED = 0.1
LIMITED = 64


@dataclass
class Files:
    """The files that both sides can load, and their material, cut when first needed."""

    loader: Loader
    paths: List[str]
    makers: Tuple[Kind, ...] = ()
    materials: Dict[str, Material] = field(default_factory=dict)
    limited: Dict[str, int] = field(default_factory=dict)
    voices: Dict[str, Voices] = field(default_factory=dict)

    @classmethod
    def of(cls, setting: Setting) -> Files:
        loader = Loader.of(setting)
        paths = [path for path, _ in openable(loader, setting)]
        if not paths:
            raise ValueError("no tokenizer that both sides can load")
        files = cls(loader, paths, tuple(kinds().values()))
        for path in paths if setting.tokenizers else ():
            files.material(path)  # large ones take longer than a case may take
        return files

    def sides(self, case: Case) -> Optional[Sides]:
        return self.loader.file(case["tokenizer"])

    def text(self, chance: Random) -> Tuple[str, str]:
        """A file, and a text for it: an odd one by itself, or running text, perhaps with an odd one in it."""
        path = chance.choice(self.paths)
        return path, self.text_of(path, chance)

    def text_of(self, path: str, chance: Random) -> str:
        kind = chance.random()
        odd = self._odd(chance, path) if kind < ODD + MIXED else ""
        if kind < ODD:
            return odd
        text = self._running(path).text(chance)
        at = chance.randrange(len(text) + 1) if odd else 0
        return text[:at] + odd + text[at:]

    def ids(self, chance: Random) -> Tuple[str, List[int]]:
        """A file, and ids for it: of a text, then cut, repeated, reversed, replaced."""
        path = chance.choice(self.paths)
        size = self._size(path)
        ids = [chance.randrange(size + 2) for _ in range(chance.randint(0, 6))]
        if chance.random() < 0.6:
            text = self._odd(chance, path)
            ids = list(self._witness(path).encode(text).ids)[:60] + ids[:1]
        if ids and chance.random() < 0.3:
            ids[chance.randrange(len(ids))] = chance.choice((size, size + 1, 2**31, 2**32 - 1, 0))
        if chance.random() < 0.2:
            start = chance.randrange(len(ids) + 1)
            ids = ids[start:] + ids[:start]
        return path, ids

    def _odd(self, chance: Random, path: str) -> str:
        return chance.choice(self.makers)(chance, self.material(path))

    def _running(self, path: str) -> Voices:
        if path not in self.voices:
            self.voices[path] = Voices.of(self.material(path))
        return self.voices[path]

    def material(self, path: str) -> Material:
        if path not in self.materials:
            self.materials[path] = self._cut(path)
        return self.materials[path]

    def most_limited(self, path: str) -> int:
        """Characters of a text for a file with truncation or padding; 0 for a file without.

        What truncation cuts off a pair are encodings in number the square of its length: a text of 25 times
        the limit takes seconds.
        """
        self.material(path)
        return self.limited.get(path, 0)

    def _cut(self, path: str) -> Material:
        try:
            tokenizer = Tokenizer.from_file(path)
        except TokassayError:  # a file that only the two sides can read
            return Material(("a",), ("<none>",), (("a", "b"),), (r"\w+",))
        truncation = tokenizer.description.truncation
        if truncation or tokenizer.description.padding:
            self.limited[path] = max(LIMITED, 4 * truncation.max_length) if truncation else 1 << 16
        return Material.of(tokenizer)

    def _witness(self, path: str) -> Any:
        sides = self.loader.file(path)
        assert sides is not None
        return sides.witness

    def _size(self, path: str) -> int:
        try:
            return int(self._witness(path).vocab_size())
        except Exception:  # noqa: BLE001 - a witness without vocabulary
            return 50_000
