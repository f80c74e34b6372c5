"""From what the user selected to a plan: engines, tokenizers with their vectors, suites."""

from __future__ import annotations

import fnmatch
import hashlib
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from tokassay import __version__, data, engines, zoo
from tokassay.checks import Suite, suites
from tokassay.checks.engine import Engine, UnavailableError
from tokassay.checks.naming import distinct
from tokassay.checks.stored import Catalogue, StoredVectors, catalogue
from tokassay.checks.vector import INLINE, LEVELS, Vector, is_about, read_retractions
from tokassay.core.errors import FormatError
from tokassay.diagnosis.stage import diagnoser
from tokassay.engines.twins import opener
from tokassay.engines.wire import Limits
from tokassay.verdicts.driver import Plan, Target
from tokassay.verdicts.known import KnownList

from . import SuiteError, UsageError
from ._common import find_tokenizer, own_tokenizers
from ._divergences import known_list
from ._templates import Templates

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
    original: Optional[str] = None  # of the one tokenizer: what the oracle loads, the engines do not
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
        diagnose=diagnoser({str(one.path): one.original for one in targets if one.original}),
        twin=opener(addresses(selection, opened, down), selection.limits),
        known=known_list(selection.divergences) if selection.divergences else KnownList(),
    )


def addresses(selection: Selection, opened: Sequence[Engine], down: Mapping[str, str]) -> Dict[str, str]:
    """Engine name → the address that opens it again; the default engines are called as they are addressed."""
    names = [engine.info.name for engine in opened]
    asked = [address for address in dict.fromkeys(selection.engines) if address not in down]
    if len(asked) == len(names):
        return dict(zip(names, asked))
    return {name: name for name in names if name in engines.adapters()}


def open_engines(selection: Selection) -> Tuple[List[Engine], Dict[str, str]]:
    """The engines that start, and those that do not with the reason.

    A default engine that is not installed is left out with a note; one that was asked for is down.
    """
    found: Dict[str, Engine] = {}
    down: Dict[str, str] = {}
    for address in dict.fromkeys(selection.engines or DEFAULT_ENGINES):
        try:
            found[address] = engines.open(address, selection.limits, isolate=not selection.in_process)
        except engines.AddressError as error:  # noqa: PERF203 - each engine by itself
            raise UsageError(error.reason) from error
        except UnavailableError as error:
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
    stored = stored_vectors(selection)
    own = {path.parent.name: path for path in own_tokenizers()}
    if selection.original is not None:
        return [_exported(selection.tokenizers, selection.original, stored)]
    names = expand(selection.tokenizers, own)
    targets = [_target(name, own, stored) for name in names]
    if not selection.tokenizers:
        targets.append(Target(INLINE, None, stored.of(INLINE)))
        _note_zoo(selection)
    return targets


def select_vectors(selection: Selection) -> List[Vector]:
    """The vectors of `stored_vectors`, all of them held."""
    return list(stored_vectors(selection).every)


def stored_vectors(selection: Selection) -> Catalogue:
    """The committed vectors without the retracted ones, cut down to levels and globs.

    Raises UsageError for an unknown level, SuiteError for a damaged file.
    """
    _refuse_unknown_levels(selection.levels)
    golden = data.root() / "golden"
    try:
        retracted = read_retractions(golden / "retracted.jsonl")
        wanted = partial(_is_wanted, selection, retracted)
        applies = {suite.name: suite.applies for suite in chosen_suites(selection.suites)}
        templates = Templates()
        found = catalogue(selection.folder or golden / "vectors", applies, wanted, templates.complete)
    except FormatError as error:
        raise SuiteError(str(error)) from error
    selection.notes.extend(templates.notes())
    if retracted:
        selection.notes.append(f"{len(retracted)} retracted vectors are not run: {', '.join(retracted)}")
    return found


def _is_wanted(selection: Selection, retracted: Mapping[str, str], vector: Vector) -> bool:
    return (
        vector.id not in retracted
        and (not selection.levels or vector.level in selection.levels)
        and (not selection.vectors or any(fnmatch.fnmatchcase(vector.id, glob) for glob in selection.vectors))
    )


def _refuse_unknown_levels(levels: Iterable[str]) -> None:
    unknown = [level for level in levels if level not in LEVELS]
    if unknown:
        raise UsageError(f"no level {unknown[0]!r}", f"known: {', '.join(LEVELS)}")


def expand(names: Sequence[str], own: Mapping[str, Path]) -> List[str]:
    """The names given; none: all own ones; ``zoo``: all real ones."""
    if not names:
        return list(own)
    real = [name for name, entry in zoo.entries().items() if entry.kind == "tokenizer.json"]
    return list(dict.fromkeys(one for name in names for one in (real if name == ZOO else [name])))


def _target(name: str, own: Mapping[str, Path], stored: Catalogue) -> Target:
    if name in own and not Path(name).is_file():
        return _found(name, own[name], stored)
    if name in zoo.entries() and not Path(name).is_file():
        located = zoo.locate([name])
        if name not in located.present:
            return Target(name, None, stored.of(name), reason=located.absent[name])
        return _found(name, located.present[name], stored)
    return _foreign(name, stored)


def _exported(names: Sequence[str], original: str, stored: Catalogue) -> Target:
    """The file that engines load, with the answers that the oracle gives on the one it was made from."""
    if len(names) != 1:
        raise UsageError("--original needs one --tokenizer: the file that the engines load")
    path, right = find_tokenizer(names[0]), find_tokenizer(original)
    target = _foreign(str(right), stored)
    # The sweep over pairs takes its questions from the merges of the file that is loaded.
    vectors = [vector for vector in target.vectors if vector.given.get("sweep") != "pairs"]
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return replace(target, path=str(path), vectors=vectors, original=str(right), sha256=sha256)


def _found(name: str, path: Path, stored: Catalogue) -> Target:
    return Target(name, str(path), stored.of(name), hashlib.sha256(path.read_bytes()).hexdigest())


def stale(target: Target) -> str:
    """Why the answers of a target cannot be used, "" when they are for its very file."""
    if not target.sha256 or target.name == INLINE or target.original:
        return ""
    about = target.vectors.digests.items() if isinstance(target.vectors, StoredVectors) else ()
    old = [noted for digest, noted in about if not is_about({"sha256": digest}, target.sha256)]
    if not old:
        return ""
    count = sum(count for count, _ in old)
    return f"{count} answers are for another file (first: {old[0][1]}); run: tokassay vectors make"


def _foreign(name: str, stored: Catalogue) -> Target:
    """A file of the user: with golden answers where it is a known one, else the oracle answers now."""
    path = Path(name) / "tokenizer.json" if Path(name).is_dir() else Path(name)
    if not path.is_file():
        own = ", ".join(path.parent.name for path in own_tokenizers())
        hint = f"a path, `{ZOO}`, a name of `tokassay zoo list`, or one of: {own}"
        raise UsageError(f"no tokenizer {name!r}", hint)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    for known, answered in stored.tokenizers.items():
        first = next(iter(answered.digests))
        if known != INLINE and is_about({"sha256": first}, sha256):
            return Target(known, str(path), answered, sha256)
    from ._live import answered_now  # noqa: PLC0415 - needs the oracle

    shown = path.resolve().parent.name if path.name == "tokenizer.json" else path.stem
    return Target(shown, str(path), answered_now(stored.every, shown, path, sha256), sha256)


def _note_zoo(selection: Selection) -> None:
    located = zoo.locate()
    if located.present or located.absent:
        fetch = "tokassay zoo fetch, then " if located.absent else ""
        selection.notes.append(
            f"{len(located.present) + len(located.absent)} real tokenizers are not part of the default "
            f"({len(located.present)} fetched); to run them: {fetch}--tokenizer {ZOO}"
        )
