"""ByteFallback: runs of tokens like ``<0xE4>`` become the text of their bytes (``decode.byte-fallback``)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar, Dict, List, Optional

from ..fields import Fields
from .stages import Grain, Stage

_HEX = frozenset("0123456789abcdefABCDEF")
_REPLACEMENT = "\ufffd"

# A run this long that must stay whole for the next decoder is cut here, to bound what is kept
# (clause ``stream.byte-fallback.whole``).
_LONGEST_RUN = 1 << 16


@dataclass(frozen=True)
class ByteFallback:
    """HF ``decoders.ByteFallback``."""

    TYPE: ClassVar[str] = "ByteFallback"
    fuses: ClassVar[bool] = False
    grain: ClassVar[Grain] = Grain.TOKEN

    @classmethod
    def from_fields(cls, fields: Fields) -> ByteFallback:  # noqa: ARG003
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def decode_chain(self, tokens: List[str]) -> List[str]:
        texts: List[str] = []
        for run, values in _runs(tokens):
            texts += values if run is None else _decoded_run(run)
        return texts

    def raw_chain(self, tokens: List[str]) -> List[str]:
        """The same with invalid bytes kept, as ``surrogateescape`` writes them."""
        texts: List[str] = []
        for run, values in _runs(tokens):
            texts += values if run is None else [run.decode("utf-8", "surrogateescape")]
        return texts

    def stream(self, *, grain: Grain) -> Stage:
        if grain is Grain.CHARACTER:
            return _Characters()
        return _FirstWhole() if grain is Grain.FIRST_TOKEN else _WholeRuns()

    def flow(self) -> Stage:
        return _Flow()


def byte_of(token: str) -> Optional[int]:
    """The byte that ``<0xHH>`` stands for; None for any other token.

    ``<0x+H>`` counts as a byte as well: the oracle's number parser takes the sign.
    """
    if len(token) != 6 or not token.startswith("<0x") or token[5] != ">":
        return None
    digits = token[4] if token[3] == "+" else token[3:5]
    return int(digits, 16) if _HEX.issuperset(digits) else None


def _runs(tokens: List[str]) -> List[tuple[Optional[bytes], List[str]]]:
    """Maximal runs of byte tokens as bytes, and what is between them as it is."""
    pairs = groupby(((byte_of(token), token) for token in tokens), lambda pair: pair[0] is not None)
    runs: List[tuple[Optional[bytes], List[str]]] = []
    for is_run, group in pairs:
        members = list(group)
        run = bytes(byte for byte, _ in members if byte is not None) if is_run else None
        runs.append((run, [token for _, token in members]))
    return runs


def _decoded_run(run: bytes) -> List[str]:
    """The text of a run as one token; one replacement character per byte when any of it is invalid."""
    try:
        return [run.decode("utf-8")]
    except UnicodeDecodeError:
        return [_REPLACEMENT] * len(run)


class _WholeRuns:
    """Gives a run when it has ended, because the next decoder looks at tokens as wholes."""

    def __init__(self) -> None:
        self._run = bytearray()

    def push(self, text: str) -> List[str]:
        byte = byte_of(text)
        if byte is None:
            return [*self.finish(), text]
        self._run.append(byte)
        return self.finish() if len(self._run) >= _LONGEST_RUN else []

    def finish(self) -> List[str]:
        run, self._run = bytes(self._run), bytearray()
        return _decoded_run(run) if run else []


class _Characters:
    """Gives each character of a run when it is complete; at most three bytes are kept."""

    def __init__(self) -> None:
        self._pending = b""
        self._broken = False

    def push(self, text: str) -> List[str]:
        byte = byte_of(text)
        if byte is None:
            return [*self.finish(), text]
        if self._broken:
            return [_REPLACEMENT]
        self._pending += bytes([byte])
        try:
            given = self._pending.decode("utf-8")
        except UnicodeDecodeError as error:
            if error.reason == "unexpected end of data":
                return []
            self._broken = True
            given = _REPLACEMENT * len(self._pending)
        self._pending = b""
        return [given]

    def finish(self) -> List[str]:
        given = [_REPLACEMENT] * len(self._pending)
        self._pending, self._broken = b"", False
        return given


class _FirstWhole:
    """Gives the first token as `_WholeRuns` does, all others as `_Characters` does."""

    def __init__(self) -> None:
        self._first, self._rest = _WholeRuns(), _Characters()
        self._started = False

    def push(self, text: str) -> List[str]:
        if self._started:
            return self._rest.push(text)
        given = self._first.push(text)
        self._started = bool(given)
        return given

    def finish(self) -> List[str]:
        return self._rest.finish() if self._started else self._first.finish()


class _Flow:
    """One growing token: it stands for a byte only if it ends up as ``<0xHH>`` and nothing more."""

    def __init__(self) -> None:
        self._start: Optional[str] = None  # None while the token does not exist
        self._long = False

    def push(self, text: str) -> List[str]:
        if self._long:
            return [text]
        self._start = (self._start or "") + text
        self._long = len(self._start) > 6
        return [self._start] if self._long else []

    def finish(self) -> List[str]:
        if self._long or self._start is None:
            return []
        return ByteFallback().decode_chain([self._start])
