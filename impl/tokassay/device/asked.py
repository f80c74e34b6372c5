"""From a request to a plan: the bundle's tokenizers and vectors, cut down to what was asked for."""

from __future__ import annotations

import fnmatch
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Dict, List, Mapping, Sequence, Set, Tuple

from tokassay import __version__
from tokassay.checks import Suite, suites
from tokassay.checks.engine import Engine
from tokassay.checks.packed import packed
from tokassay.checks.stored import Catalogue, StoredVectors, catalogue
from tokassay.checks.vector import INLINE, LEVELS, Vector, is_about, read_retractions
from tokassay.core.errors import FormatError
from tokassay.verdicts.driver import Plan, Target

from .folder import read_json, sha256_of
from .request import Request

CHAT_TEMPLATES = "golden/chat-templates.json"  # of a data folder: name in the zoo → text


class RequestError(ValueError):
    """What was asked for is not in the bundle."""


def plan(request: Request, data: Sequence[Path], engines: Sequence[Engine], down: Mapping[str, str]) -> Plan:
    """The plan of a run on the data of some folders. Raises RequestError or FormatError."""
    chosen, templates = _suites(request.suites), _chat_templates(data)
    found: List[Target] = []
    broken: Dict[str, str] = {}
    for folder in data:
        if not (folder / "golden" / "vectors").is_dir():
            continue  # an archive of chat templates alone
        for target in _targets(request, folder, chosen, templates):
            if _stale(target):
                broken[target.name] = "the vectors are about another file"
            else:
                found.append(target)
    _refuse_unknown(request, found, {name for folder in data for name in tokenizer_files(folder)})
    return Plan(__version__, engines, found, chosen, request.levels or LEVELS, down, broken)


def tokenizer_files(folder: Path) -> Dict[str, Path]:
    """Name → file, of one data folder."""
    return {path.parent.name: path for path in sorted(folder.glob("golden/tokenizers/*/tokenizer.json"))}


def _suites(names: Sequence[str]) -> List[Suite]:
    known = suites()
    for name in names:
        if name not in known:
            raise RequestError(f"no suite {name!r}; known: {', '.join(known)}")
    return [suite for name, suite in known.items() if not names or name in names]


def _chat_templates(data: Sequence[Path]) -> Dict[str, str]:
    found: Dict[str, str] = {}
    for folder in data:
        if (folder / CHAT_TEMPLATES).is_file():
            found.update(read_json(folder / CHAT_TEMPLATES))
    return found


def _completed(templates: Mapping[str, str], vector: Vector) -> Vector:
    """With the text of a real template where that is here; without it no engine is asked."""
    named: Any = vector.given.get("template") if vector.op == "template" else None
    if not isinstance(named, dict) or named["zoo"] not in templates:
        return vector
    return replace(vector, given={**vector.given, "template": templates[named["zoo"]]})


def _targets(
    request: Request, folder: Path, chosen: Sequence[Suite], templates: Mapping[str, str]
) -> List[Target]:
    stored = _stored(request, folder, chosen, templates)
    files = tokenizer_files(folder)
    names = [name for name in (*files, INLINE) if not request.tokenizers or name in request.tokenizers]
    targets = [_target(name, files, stored) for name in names]
    return [target for target in targets if target.vectors]


def _stored(
    request: Request, folder: Path, chosen: Sequence[Suite], templates: Mapping[str, str]
) -> Catalogue:
    golden = folder / "golden"
    retracted = read_retractions(golden / "retracted.jsonl")

    def wanted(vector: Vector) -> bool:
        return (
            vector.id not in retracted
            and (not request.levels or vector.level in request.levels)
            and (not request.vectors or any(fnmatch.fnmatchcase(vector.id, one) for one in request.vectors))
        )

    tests = {suite.name: suite.applies for suite in chosen}
    return catalogue(golden / "vectors", tests, wanted, partial(_completed, templates), packed)


def _target(name: str, files: Mapping[str, Path], stored: Catalogue) -> Target:
    if name == INLINE:
        return Target(INLINE, None, stored.of(INLINE))
    return Target(name, str(files[name]), stored.of(name), sha256_of(files[name]))


def _stale(target: Target) -> bool:
    about: Tuple[str, ...] = ()
    if target.sha256 and isinstance(target.vectors, StoredVectors):
        about = tuple(target.vectors.digests)
    return any(not is_about({"sha256": digest}, target.sha256) for digest in about)


def _refuse_unknown(request: Request, found: Sequence[Target], files: Set[str]) -> None:
    names = {target.name for target in found}
    for name in sorted({*request.timed} - files):
        raise RequestError(f"no tokenizer {name!r} to be timed; known: {', '.join(sorted(files))}")
    for name in request.tokenizers:
        if name not in names:
            raise RequestError(f"no vector of this selection holds an answer for tokenizer {name!r}")
    if not found:
        raise RequestError("no vector was selected: nothing would run")


__all__ = ["FormatError", "RequestError", "plan", "tokenizer_files"]
