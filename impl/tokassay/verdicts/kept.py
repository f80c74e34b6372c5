"""Failing verdicts until the findings are made of them: on disk, for nearly all of a run may fail."""

from __future__ import annotations

import pickle
import tempfile
from array import array
from typing import IO, Dict, Iterable, Iterator, List, Optional, Tuple

from tokassay.checks.verdict import Verdict

CellKey = Tuple[str, str]  # engine, tokenizer


class Kept:
    """Verdicts by engine and tokenizer, and there suite by suite; a place in memory for each, no more."""

    def __init__(self, verdicts: Iterable[Verdict] = ()) -> None:
        self._file: Optional[IO[bytes]] = None
        self._places: Dict[CellKey, Dict[str, array[int]]] = {}
        for verdict in verdicts:
            self.add(verdict)

    def add(self, verdict: Verdict) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it is deleted with this object
        suites = self._places.setdefault((verdict.engine, verdict.tokenizer), {})
        suites.setdefault(verdict.suite, array("q")).append(self._file.tell())
        pickle.dump(verdict, self._file, pickle.HIGHEST_PROTOCOL)

    def __bool__(self) -> bool:
        return bool(self._places)

    @property
    def cells(self) -> List[CellKey]:
        """What has failures, in the order in which they came."""
        return list(self._places)

    def of(self, cell: CellKey) -> Iterator[Verdict]:
        """The verdicts of one engine on one tokenizer. Nothing may be added meanwhile."""
        assert self._file is not None  # there is a cell, so there is a verdict
        for _, places in sorted(self._places[cell].items()):
            for place in places:
                self._file.seek(place)
                yield pickle.load(self._file)  # noqa: S301 - our own bytes
        self._file.seek(0, 2)
