"""Was everything tried that was asked for? Only the bundle knows which vectors there were."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path

from tokassay import __version__
from tokassay.checks.stored import of_suite
from tokassay.checks.vector import INLINE
from tokassay.checks.verdict import Verdict
from tokassay.core.errors import FormatError
from tokassay.device import asked
from tokassay.device import folder as names
from tokassay.device.request import Request
from tokassay.verdicts.driver import Plan
from tokassay.verdicts.events import Broken, NotRun

from .evidence import Evidence, Json
from .reading import Problem

GOLDEN = "golden/"
Case = tuple[str, str]  # tokenizer and suite


def left_out(evidence: Evidence, bundle: bytes) -> Iterator[Problem]:
    """Where an engine has other than one verdict for each vector that was selected from the bundle.

    Silent where the run was of another version, which may select otherwise, or where a case broke.
    """
    broke = any(isinstance(event, Broken) for event in evidence.events)
    if broke or evidence.request["tokassay"] != __version__:
        return
    try:
        wanted = _selected(evidence, bundle)
    except (FormatError, asked.RequestError) as error:
        yield Problem(names.REQUEST, "", f"nothing in the bundle answers it: {error}")
        return
    for engine in (str(one["name"]) for one in evidence.header.engines):
        tried = _tried(evidence, engine)
        for (tokenizer, suite), count in sorted(wanted.items()):
            if tried[tokenizer, suite] != count:
                where = f"{engine} / {tokenizer} / {suite}"
                reason = f"{where}: {tried[tokenizer, suite]} verdicts, {count} vectors were asked for"
                yield Problem(names.RESULTS, "", reason)


def _selected(evidence: Evidence, bundle: bytes) -> Counter[Case]:
    """How many vectors each suite had for each of the bundle's tokenizers."""
    with planned(evidence.request, [bundle]) as plan:
        targets, suites = (plan.targets, plan.suites) if plan is not None else ((), ())
        return Counter(
            {
                (target.name, suite.name): len(of_suite(target.vectors, suite.name, suite.applies))
                for target in targets
                for suite in suites
            }
        )


@contextmanager
def planned(request: Json, archives: Sequence[bytes]) -> Iterator[Plan | None]:
    """The plan again, from the content of a bundle and its archives; None where the tokenizers are elsewhere.

    Raises FormatError or RequestError.
    """
    asked_for = Request.of(request)
    with tempfile.TemporaryDirectory(prefix="tokassay-") as scratch:
        folders = [_golden(data, Path(scratch) / str(number)) for number, data in enumerate(archives)]
        inside = {INLINE, *chain.from_iterable(map(asked.tokenizer_files, folders))}
        chosen = tuple(name for name in asked_for.tokenizers if name in inside)
        if asked_for.tokenizers and not chosen:
            yield None
        else:
            yield asked.plan(replace(asked_for, tokenizers=chosen, timed=()), folders, [], {})


def _golden(data: bytes, folder: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith(GOLDEN)])
    return folder


def _tried(evidence: Evidence, engine: str) -> Counter[Case]:
    found: Counter[Case] = Counter()
    for event in evidence.events:
        if isinstance(event, (Verdict, NotRun)) and event.engine == engine:
            found[event.tokenizer, event.suite] += event.count if isinstance(event, NotRun) else 1
    return found
