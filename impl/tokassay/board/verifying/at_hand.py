"""The bundle and the archives of a run, by sha256: files that were given, else made here again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tokassay import __version__, data
from tokassay.board import bundling
from tokassay.core.errors import TokassayError
from tokassay.device.asked import tokenizer_files
from tokassay.device.folder import sha256_of
from tokassay.device.main import ARCHIVE, TEMPLATES

from .evidence import Json

BUNDLE = "bundle"


@dataclass(frozen=True)
class AtHand:
    """`archives`: name → content, the bundle first. `absent`: name → why it is not here."""

    archives: Mapping[str, bytes]
    absent: Mapping[str, str]

    @property
    def reason(self) -> str:
        """Why a tokenizer is not here."""
        told = "; ".join(f"{name}: {why}" for name, why in self.absent.items())
        return told or "neither the bundle nor an archive holds it"


def at_hand(request: Json, tokenizers: Sequence[str], given: Iterable[Path] = ()) -> AtHand:
    """What a run was sent. `given`: files that may be it. Raises OSError where one cannot be read."""
    if request["tokassay"] != __version__:
        return AtHand({}, {BUNDLE: f"the run was of tokassay {request['tokassay']}, this is {__version__}"})
    known = {sha256_of(path): path for path in given}
    wanted = {BUNDLE: request["bundle"]}
    wanted.update({name: request["files"][name] for name in (ARCHIVE, TEMPLATES) if name in request["files"]})
    archives: dict[str, bytes] = {}
    absent: dict[str, str] = {}
    for name, digest in wanted.items():
        if digest in known:
            archives[name] = known[digest].read_bytes()
            continue
        made, why = _made(name, tuple(sorted(tokenizers)) if name == ARCHIVE else ())
        if made and bundling.sha256(made) == digest:
            archives[name] = made
        else:
            absent[name] = why or f"that with the sha256 {digest} was not given, and here another one is made"
    return AtHand(archives, absent)


@lru_cache(maxsize=4)
def _made(name: str, tokenizers: tuple[str, ...]) -> tuple[bytes, str]:
    """The file as this checkout makes it, or why it does not."""
    own = tokenizer_files(data.root())
    makers: Mapping[str, Callable[[], bytes]] = {
        BUNDLE: bundling.bundle,
        ARCHIVE: lambda: bundling.archive(one for one in tokenizers if one not in own),
        TEMPLATES: bundling.templates,
    }
    try:
        return makers[name](), ""
    except (TokassayError, ValueError, ImportError, OSError) as error:
        return b"", f"it was not given, and cannot be made here: {error}"
