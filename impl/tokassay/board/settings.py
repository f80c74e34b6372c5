"""What to run on which boards: the command line's options, or an inventory (TOML) of many boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import tomllib

from tokassay.device.request import CASE_SECONDS, Timing

from .links import Here, Link, Ssh

LOCAL = "local"
#: One tokenizer of each model type: enough to tell how fast an engine is, where all of them would take hours.
EACH_MODEL = ("gpt2", "t5", "bert-uncased", "word-level-lowercase")


class SettingsError(ValueError):
    """An inventory that cannot be used."""


@dataclass(frozen=True)
class Board:
    """One board and what is asked of it.

    Attributes:
        name: of its folder among the evidence.
        host: as ssh takes it; `LOCAL` for this machine.
        ssh_config: another file than the user's.
        python: the interpreter on the board.
        home: folder on the board, below the home folder.
        engines, tokenizers, suites, levels, vectors: as `Request` has them.
        files: programs, libraries and models to be copied beside the engines.
        zoo: real tokenizers, sent in a second archive.
        wheels: a tar file of wheels for the board's Python.
        emulated: why its processor is no real one, "" where it is.
        groups: names by which it is selected.
        timed: tokenizers whose latency is measured, and their cold starts; without any those that are named,
            or else one of each model type and the real ones.
        samples, seconds, warmup: of each series; samples 0: none are taken.
        most_seconds: after this a series ends with the samples that it has; a large tokenizer that takes
            long to load needs more than a minute for as many as latency is claimed from.
        cold: samples of each cold start; 0: none are taken.
        timeout: seconds for one case of an engine in a process of its own.
        templates: send what chat templates need, so that the suite of templates runs, too.
        board_key: path of a private key on the board that signs, instead of one here.
    """

    name: str
    host: str
    ssh_config: str = ""
    python: str = "python3"
    home: str = "tokassay-board"
    engines: tuple[str, ...] = ("reference",)
    tokenizers: tuple[str, ...] = ()
    suites: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    vectors: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    zoo: tuple[str, ...] = ()
    wheels: str = ""
    emulated: str = ""
    groups: tuple[str, ...] = ()
    timed: tuple[str, ...] = ()
    samples: int = Timing.samples
    seconds: float = Timing.seconds
    most_seconds: float = Timing.most_seconds
    warmup: int = Timing.warmup
    cold: int = Timing.cold
    timeout: float = CASE_SECONDS
    templates: bool = False
    board_key: str = ""

    def link(self) -> Link:
        return Here() if self.host == LOCAL else Ssh(self.host, self.ssh_config)

    @property
    def measured(self) -> tuple[str, ...]:
        """The tokenizers whose latency is measured."""
        return self.timed or self.tokenizers or (*EACH_MODEL, *self.zoo)

    @property
    def cold_starts(self) -> tuple[str, ...]:
        """Those whose cold starts are measured; of a run of everything the first one and the real ones."""
        return () if self.timed or self.tokenizers else (EACH_MODEL[0], *self.zoo)

    @property
    def timing(self) -> Timing | None:
        """How latency is measured, None where it is not."""
        if not self.samples:
            return None
        return Timing(self.samples, self.seconds, self.most_seconds, self.warmup, self.cold)


def inventory(path: Path) -> list[Board]:
    """The boards of a file: tables ``[board.NAME]``, what is common to all in ``[defaults]``.

    Paths of files are meant from the inventory's folder. Raises SettingsError, OSError.
    """
    try:
        read = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: {error}") from error
    unknown = set(read) - {"defaults", "board"}
    if unknown or not read.get("board"):
        raise SettingsError(f"{path}: tables [board.NAME] and [defaults] are known, found {sorted(read)}")
    return [_board(path, name, {**read.get("defaults", {}), **own}) for name, own in read["board"].items()]


def selected(boards: list[Board], names: list[str]) -> list[Board]:
    """The boards by name or group, all without names. Raises SettingsError."""
    known = {name for board in boards for name in (board.name, *board.groups)}
    for name in names:
        if name not in known:
            raise SettingsError(f"no board or group {name!r}; known: {', '.join(sorted(known))}")
    return [board for board in boards if not names or {board.name, *board.groups} & set(names)]


def _board(path: Path, name: str, values: Mapping[str, Any]) -> Board:
    kinds = {field.name: str(field.type) for field in fields(Board)}
    given: dict[str, Any] = {"name": name}
    for key, value in values.items():
        if key not in kinds or key == "name":
            raise SettingsError(f"{path}: board.{name}.{key} is not known; known: {', '.join(kinds)}")
        given[key] = _typed(f"{path}: board.{name}.{key}", kinds[key], value)
    if "host" not in given:
        raise SettingsError(f"{path}: board.{name}.host is missing")
    found = Board(**given)
    base = path.resolve().parent
    wheels = str(base / found.wheels) if found.wheels else ""
    return replace(found, files=tuple(str(base / one) for one in found.files), wheels=wheels)


def _typed(where: str, kind: str, value: object) -> object:
    known = {"str": (str,), "int": (int,), "float": (int, float), "bool": (bool,)}
    wanted: tuple[type, ...] = known.get(kind, (list,))
    if not isinstance(value, wanted) or isinstance(value, bool) != (kind == "bool"):
        raise SettingsError(
            f"{where}: expected {'a list of strings' if list in wanted else kind}, got {value!r}"
        )
    if isinstance(value, list):
        if not all(isinstance(one, str) for one in value):
            raise SettingsError(f"{where}: expected a list of strings")
        return tuple(value)
    return value
