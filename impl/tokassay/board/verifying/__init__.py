"""Evidence is re-derived: every number, hash, signature, nonce and host key, offline. docs/evidence.md.

    verified(folder, Trust(signers=...))  → what holds, or EvidenceError with file, field and reason

A folder is read once and whole (`reading`), of the form that its writers give it (`evidence`, `shapes`),
sealed (`sealing`), of one run (`binding`, `latency`), and stated as its raw lines say (`deriving`). What only
the verifier knows comes in a `Trust` (`against`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from tokassay.verdicts.exit_code import CONFORMS, DIVERGES

from . import against, beside, binding, deriving, latency, sealing
from .against import Trust
from .at_hand import at_hand
from .beside import Again, again
from .evidence import Evidence, read, understood
from .hosting import write_host
from .reading import EvidenceError, Problem

CHECKS: Sequence[Callable[[Evidence], Iterator[Problem]]] = (
    sealing.hashes,
    binding.run,
    binding.boot,
    binding.inputs,
    binding.identity,
    binding.results,
    binding.memory,
    binding.facts,
    binding.phases,
    binding.clocks,
    binding.controller,
    latency.series,
    latency.order,
    latency.cores,
    latency.complete,
    beside.whole,
    deriving.stated,
)
COMPARED: Sequence[Callable[[Evidence, Trust], Iterator[Problem]]] = (
    against.nonce,
    against.host_key,
    against.bundle,
)


@dataclass(frozen=True)
class Verified:
    """A folder that holds.

    Attributes:
        evidence: its content.
        signer: principal, or the key's fingerprint where nobody was named as allowed.
        summary: as the statement has it, derived again.
        findings: what the run shows against the board: other ids on another core, other answers or device
            files than the host's.
        again: the host's answers, derived once more.
        unclaimable: why no latency can be claimed from it; empty where it can.
    """

    evidence: Evidence
    signer: str
    summary: Mapping[str, Any]
    findings: Sequence[Problem]
    again: Again
    unclaimable: Sequence[Problem]

    @property
    def exit_code(self) -> int:
        """The run's own; 1 where it is 0 and there are findings."""
        code = int(self.summary["exit_code"])
        return DIVERGES if code == CONFORMS and self.findings else code


def verified(folder: Path, trust: Trust) -> Verified:
    """Everything that holds of a folder.

    Raises EvidenceError with every reason to refuse it, OSError where a file of `trust` cannot be read.
    """
    evidence = read(folder)
    problems = list(chain.from_iterable(check(evidence) for check in CHECKS))
    problems += chain.from_iterable(compare(evidence, trust) for compare in COMPARED)
    cannot = list(latency.unclaimable(evidence))
    problems += cannot if trust.latency else []
    signer = ""
    try:
        signer = sealing.signer(evidence, trust.signers)
    except EvidenceError as error:
        problems += error.problems
    if problems:
        raise EvidenceError(dict.fromkeys(problems))
    derived = again(evidence, trust)
    if derived.problems:
        raise EvidenceError(derived.problems)
    found = list(differences(evidence, derived.host))
    return Verified(evidence, signer, deriving.summary(evidence), found, derived, cannot)


def differences(evidence: Evidence, host: Mapping[str, Any]) -> Iterator[Problem]:
    """What a run shows against its board: ids, answers and device files that are not the same everywhere."""
    yield from against.differing_cores(evidence)
    yield from against.differing_host(evidence, host)


def as_json(found: Verified) -> Mapping[str, Any]:
    """Everything that was derived, for programs."""
    return {
        "verified": True,
        "run": found.evidence.request["run"],
        "nonce": found.evidence.request["nonce"],
        "signer": found.signer,
        "host_key": found.evidence.controller["host_key"],
        "exit_code": found.exit_code,
        "summary": found.summary,
        "findings": [vars(problem) for problem in found.findings],
        "derived_again": {"sums": found.again.count, "missing": found.again.missing},
        "unclaimable": [vars(problem) for problem in found.unclaimable],
    }


def shown(found: Verified) -> Mapping[str, str]:
    """A good folder in a few lines."""
    evidence, summary = found.evidence, found.summary
    labels = {name: "; ".join(summary[name]) or "no" for name in ("emulated", "throttled")}
    return {
        "run": evidence.request["run"],
        "board": f"{evidence.identity['model'] or 'unknown'} ({evidence.controller['board']})",
        "signed by": found.signer,
        "host key": evidence.controller["host_key"] or "none: the runner was on the board itself",
        "nonce": evidence.request["nonce"],
        "result": f"{summary['result']}, exit code {found.exit_code}",
        "verdicts": ", ".join(f"{count} {kind}" for kind, count in sorted(summary["counts"].items())),
        **labels,
        "host": found.again.told,
        "samples": str(sum(len(one["ns"]) for one in evidence.series)),
        "latency": f"cannot be claimed: {found.unclaimable[0]}" if found.unclaimable else "can be claimed",
    }


__all__ = [
    "Evidence",
    "EvidenceError",
    "Problem",
    "Trust",
    "Verified",
    "as_json",
    "at_hand",
    "differences",
    "shown",
    "understood",
    "verified",
    "write_host",
]
