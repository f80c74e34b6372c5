"""From what the user selected to a plan: engines, tokenizers with their vectors, suites."""

from __future__ import annotations

import fnmatch
import hashlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from tokassay import __version__, data, engines, zoo
from tokassay.checks import Suite, suites
from tokassay.checks.engine import Engine, UnavailableError
from tokassay.checks.judging import narrowed
from tokassay.checks.vector import INLINE, LEVELS, Vector, is_about, read_retractions, read_vectors
from tokassay.core.errors import FormatError
from tokassay.diagnosis.stage import diagnoser
from tokassay.engines.naming import distinct
from tokassay.engines.wire import Limits
from tokassay.verdicts.driver import Plan, Target
from tokassay.verdicts.known import KnownList

from . import SuiteError, UsageError
from ._common import own_tokenizers
from ._divergences import known_list

DEFAULT_ENGINES = ("reference", "hf")
ZOO = "zoo"  # --tokenizer zoo: every real one


@dataclass(frozen=True)
class Selection:
    """What to run; an empty tuple means the default: everything that is embedded.

    `vectors` are globs on vector ids. `notes` collects what a reader has to be told (stderr).
    """

    engines: Tuple[str, ...] = ()
    tokenizers: Tuple[str, ...] = ()
    suites: Tuple[str, ...] = ()
    levels: Tuple[str, ...] = ()
    vectors: Tuple[str, ...] = ()
    folder: Optional[Path] = None  # of vectors, instead of golden/vectors
    limits: Optional[Limits] = None  # of engines in a child process
    divergences: Optional[Path] = None  # what the engine's owner has listed
    in_process: bool = False  # native engines in this process, where they can
    notes: List[str] = field(default_factory=list, compare=False)


def plan(selection: Selection) -> Plan:
    """The plan. Raises UsageError for unknown names, SuiteError when there is nothing to run."""
    opened, down = open_engines(selection)
    chosen = chosen_suites(selection.suites)
    found = find_targets(selection)
    targets = [target for target in found if target.vectors]
    empty = [target.name for target in found if not target.vectors and target.name != INLINE]
    if empty:
        selection.notes.append(f"no vector of this selection holds an answer for: {', '.join(empty)}")
    if not targets:
        raise SuiteError("no vector was selected: nothing would run")
    broken = {target.name: reason for target in targets if (reason := stale(target))}
    return Plan(
        version=__version__,
        engines=opened,
        targets=[target for target in targets if target.name not in broken],
        suites=chosen,
        levels=selection.levels or LEVELS,
        down=down,
        broken=broken,
        diagnose=diagnoser(),
        known=known_list(selection.divergences) if selection.divergences else KnownList(),
    )


def open_engines(selection: Selection) -> Tuple[List[Engine], Dict[str, str]]:
    """The engines that start, and those that do not with the reason.

    A default engine that is not installed is left out with a note; one that was asked for is down.
    """
    found: Dict[str, Engine] = {}
    down: Dict[str, str] = {}
    for address in dict.fromkeys(selection.engines or DEFAULT_ENGINES):
        try:
            found[address] = engines.open(address, selection.limits, isolate=not selection.in_process)
        except UnavailableError as error:  # noqa: PERF203 - each engine by itself
            if selection.engines:
                down[address] = error.reason
            else:
                selection.notes.append(f"engine {address} is not run: {error.reason}")
    return distinct(found), down


def chosen_suites(names: Sequence[str]) -> List[Suite]:
    """The suites by name, all without names. Raises UsageError."""
    known = suites()
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UsageError(f"no suite {unknown[0]!r}", f"known: {', '.join(known)}")
    return [suite for name, suite in known.items() if not names or name in names]


def find_targets(selection: Selection) -> List[Target]:
    """The tokenizers to run on, each with the vectors that hold an answer for it."""
    vectors = select_vectors(selection)
    by_name = answers_by_tokenizer(vectors)
    own = {path.parent.name: path for path in own_tokenizers()}
    names = expand(selection.tokenizers, own)
    targets = [_target(name, own, by_name, vectors) for name in names]
    if not selection.tokenizers:
        targets.append(Target(INLINE, None, _narrowed(INLINE, by_name)))
        _note_zoo(selection)
    return targets


def select_vectors(selection: Selection) -> List[Vector]:
    """The committed vectors without the retracted ones, cut down to levels and globs.

    Raises UsageError for an unknown level, SuiteError for a damaged file.
    """
    _refuse_unknown_levels(selection.levels)
    golden = data.root() / "golden"
    try:
        found = read_vectors(selection.folder or golden / "vectors")
        retracted = read_retractions(golden / "retracted.jsonl")
    except FormatError as error:
        raise SuiteError(str(error)) from error
    if retracted:
        selection.notes.append(f"{len(retracted)} retracted vectors are not run: {', '.join(retracted)}")
    return [
        vector
        for vector in found
        if vector.id not in retracted
        and (not selection.levels or vector.level in selection.levels)
        and (not selection.vectors or any(fnmatch.fnmatchcase(vector.id, glob) for glob in selection.vectors))
    ]


def _refuse_unknown_levels(levels: Iterable[str]) -> None:
    unknown = [level for level in levels if level not in LEVELS]
    if unknown:
        raise UsageError(f"no level {unknown[0]!r}", f"known: {', '.join(LEVELS)}")


def answers_by_tokenizer(vectors: Iterable[Vector]) -> Mapping[str, Sequence[Vector]]:
    """Tokenizer name → the vectors that hold an answer for it."""
    found: Dict[str, List[Vector]] = defaultdict(list)
    for vector in vectors:
        for name in vector.expect:
            found[name].append(vector)
    return found


def expand(names: Sequence[str], own: Mapping[str, Path]) -> List[str]:
    """The names given; none: all own ones; ``zoo``: all real ones."""
    if not names:
        return list(own)
    real = [name for name, entry in zoo.entries().items() if entry.kind == "tokenizer.json"]
    return list(dict.fromkeys(one for name in names for one in (real if name == ZOO else [name])))


def _target(
    name: str, own: Mapping[str, Path], by_name: Mapping[str, Sequence[Vector]], vectors: Sequence[Vector]
) -> Target:
    if name in own and not Path(name).is_file():
        return _found(name, own[name], by_name)
    if name in zoo.entries() and not Path(name).is_file():
        located = zoo.locate([name])
        if name not in located.present:
            return Target(name, None, _narrowed(name, by_name), reason=located.absent[name])
        return _found(name, located.present[name], by_name)
    return _foreign(name, by_name, vectors)


def _found(name: str, path: Path, by_name: Mapping[str, Sequence[Vector]]) -> Target:
    return Target(name, str(path), _narrowed(name, by_name), hashlib.sha256(path.read_bytes()).hexdigest())


def _narrowed(name: str, by_name: Mapping[str, Sequence[Vector]]) -> Sequence[Vector]:
    return [narrowed(vector, name) for vector in by_name.get(name, ())]


def stale(target: Target) -> str:
    """Why the answers of a target cannot be used, "" when they are for its very file."""
    if not target.sha256 or target.name == INLINE:
        return ""
    old = [vector.id for vector in target.vectors if not is_about(vector.expect[target.name], target.sha256)]
    if not old:
        return ""
    return f"{len(old)} answers are for another file (first: {old[0]}); run: tokassay vectors make"


def _foreign(name: str, by_name: Mapping[str, Sequence[Vector]], vectors: Sequence[Vector]) -> Target:
    """A file of the user: with golden answers where it is a known one, else the oracle answers now."""
    path = Path(name) / "tokenizer.json" if Path(name).is_dir() else Path(name)
    if not path.is_file():
        own = ", ".join(path.parent.name for path in own_tokenizers())
        hint = f"a path, `{ZOO}`, a name of `tokassay zoo list`, or one of: {own}"
        raise UsageError(f"no tokenizer {name!r}", hint)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    for known, answered in by_name.items():
        if known != INLINE and is_about(answered[0].expect[known], sha256):
            return Target(known, str(path), _narrowed(known, by_name), sha256)
    from ._live import answered_now  # noqa: PLC0415 - needs the oracle

    shown = path.parent.name if path.name == "tokenizer.json" else path.stem
    return Target(shown, str(path), answered_now(vectors, shown, path, sha256), sha256)


def _note_zoo(selection: Selection) -> None:
    located = zoo.locate()
    if located.present or located.absent:
        selection.notes.append(
            f"{len(located.present) + len(located.absent)} real tokenizers are not part of the default "
            f"({len(located.present)} fetched); to run them: tokassay zoo fetch, then --tokenizer {ZOO}"
        )
