"""What the adapters of Python packages share: opening one, and a session around its tokenizer.

Such an adapter holds a class: one loaded tokenizer. ``CLASS(path)`` loads a file; what it cannot hold is
a `RefusalError`, and so is every exception that the package raises while it loads. Its methods and their
parameters are the capabilities (as for a class behind the wire protocol, `tokassay.device.serve`), and
``COLUMNS`` names those of an encoding. Exceptions of the package need no handling there.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, List, Mapping, Optional, Sequence, Tuple, cast

from tokassay.checks.engine import (
    AddressError,
    Answer,
    CrashError,
    Encoded,
    EngineError,
    EngineInfo,
    RefusalError,
    Session,
    Stages,
    Stream,
    UnavailableError,
)
from tokassay.device.serve import shown_capabilities

from ._answering import answered

# One thread: verdicts must not depend on the machine.
QUIET: Mapping[str, str] = {
    "TOKENIZERS_PARALLELISM": "false",
    "RAYON_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "HF_HUB_OFFLINE": "1",
}


def open_package(
    name: str,
    argument: str,
    distributions: Sequence[str],
    kind: type,
    load: Optional[Callable[[str], Any]] = None,
    *,
    formats: Tuple[str, ...] = ("tokenizer.json",),
    takes_argument: bool = False,
) -> PackageEngine:
    """The engine of installed distributions; the version is the first one's. Raises UnavailableError.

    `kind` is the adapter's class; `load` makes one of it where the path alone is not enough.
    """
    if argument and not takes_argument:
        raise AddressError(f"{name} takes no argument, got {argument!r}")
    for key, value in QUIET.items():
        os.environ.setdefault(key, value)
    versions = {distribution: _version(name, distribution) for distribution in distributions}
    claimed = frozenset(shown_capabilities(kind)) | frozenset(getattr(kind, "COLUMNS", ()))
    first, *others = versions
    build = {other: versions[other] for other in others}
    return PackageEngine(EngineInfo(name, versions[first], claimed, formats, build=build), load or kind)


def _version(name: str, distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError as error:
        hint = f"pip install {distribution}; docs/engines.md has the versions that were tried"
        raise UnavailableError(f"{name}: the package {distribution} is not installed", hint) from error


def module(name: str) -> Any:
    """A package, imported when a tokenizer is loaded: nobody pays for an engine that is not used."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise UnavailableError(f"{name} is installed and cannot be imported: {error}") from error


@dataclass(frozen=True)
class PackageEngine:
    """A Python package in this process."""

    info: EngineInfo
    opens: Callable[[str], Any]

    def load(self, path: str) -> Session:
        """Open a file. Whatever the package raises is its refusal; a panic is a crash."""
        try:
            loaded = answered(lambda: self.opens(path), may_panic=True)
        except (RefusalError, CrashError, UnavailableError):
            raise
        except EngineError as error:
            raise RefusalError(error.reason) from error
        return cast("Session", PackageSession(self.info, path, loaded))


@dataclass(frozen=True)
class PackageSession:
    """One tokenizer of a package. What it does not have as a method is not among the capabilities."""

    info: EngineInfo
    path: str
    loaded: Any

    def encode(self, text: str, pair: Optional[str] = None, **options: bool) -> Encoded:
        pairs = () if pair is None else (pair,)
        return _encoded(answered(lambda: self.loaded.encode(text, *pairs, **options)))

    def encode_bytes(self, data: bytes, **options: bool) -> Encoded:
        return _encoded(answered(lambda: self.loaded.encode_bytes(data, **options)))

    def decode(self, ids: Sequence[int], **options: bool) -> str:
        return answered(lambda: self.loaded.decode(list(ids), **options))  # type: ignore[no-any-return]

    def decode_bytes(self, ids: Sequence[int], **options: bool) -> bytes:
        return answered(lambda: self.loaded.decode_bytes(list(ids), **options))  # type: ignore[no-any-return]

    def stream(self, **options: bool) -> Stream:
        return answered(lambda: self.loaded.stream(**options))  # type: ignore[no-any-return]

    def stages(self, text: str) -> Stages:
        return answered(lambda: self.loaded.stages(text))  # type: ignore[no-any-return]

    def vocab_size(self, *, with_added_tokens: bool = True) -> int:
        return answered(lambda: self.loaded.vocab_size(with_added_tokens=with_added_tokens))  # type: ignore[no-any-return]

    def id_to_token(self, index: int) -> Optional[str]:
        return answered(lambda: self.loaded.id_to_token(index))  # type: ignore[no-any-return]

    def lookup(
        self, rule: str, options: Mapping[str, object], calls: Sequence[Mapping[str, object]]
    ) -> Sequence[Sequence[int]]:
        return answered(lambda: self.loaded.lookup(rule, options, calls))

    def template(self, template: str, messages: object, options: Mapping[str, object]) -> str:
        return answered(lambda: self.loaded.template(template, messages, options))  # type: ignore[no-any-return]


def _encoded(answer: Any) -> Encoded:
    if hasattr(answer, "ids"):
        return cast("Encoded", answer)
    return Answer(integers(answer))


def integers(values: Any) -> List[int]:
    """Plain integers out of a list or an array."""
    return list(values) if isinstance(values, list) else [int(value) for value in values]


def lossy(value: Any) -> str:
    """Text, with invalid UTF-8 replaced where the package answers bytes."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def read_json(path: str) -> Any:
    """A tokenizer.json as it stands. Raises RefusalError where the file is something else."""
    data = Path(path).read_bytes()
    if data.lstrip()[:1] != b"{":
        raise RefusalError("reads tokenizer.json only")
    return json.loads(data)


def is_json(path: str) -> bool:
    """Whether a file is JSON; the other formats that packages read are not."""
    with open(path, "rb") as file:  # noqa: PTH123
        return file.read(64).lstrip()[:1] == b"{"
