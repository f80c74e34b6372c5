"""The end of a run whose evidence is here: this host's answers beside the board's, then the statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokassay.device import folder as names
from tokassay.verdicts.exit_code import CONFORMS, DIVERGES

from .links import Link
from .signing import state_and_sign
from .verifying import at_hand, differences, understood, write_host
from .verifying.hosting import Ran


@dataclass(frozen=True)
class Signing:
    """Who signs: `key` here, or `board_key` over the link. Neither: the statement stays unsigned."""

    key: Path | None = None
    link: Link | None = None
    board_key: str = ""


@dataclass(frozen=True)
class Result:
    """How a board's run ended.

    Attributes:
        reason: "" where the evidence is here.
        told: what failed, and ids, answers or device files that are not the same everywhere, with which
            the exit code is 1 at least.
        missing: what of this host's answers could not be derived, and why.
    """

    board: str
    folder: Path
    exit_code: int
    reason: str = ""
    told: Sequence[str] = ()
    missing: Sequence[str] = ()


def concluded(
    board: str, folder: Path, files: Iterable[Path], signing: Signing, each: Callable[[], object] = int
) -> Result:
    """`files`: what the board was sent, as far as it is known here. `each`: called before each answer here.

    Raises EvidenceError, SignatureError, OSError, or ValueError where the results are not whole.
    """
    ran = Ran.read(folder)
    write_host(folder, ran, at_hand(ran.request, ran.tokenizers, files), each)
    state_and_sign(folder, signing.key, signing.link, signing.board_key)
    found = {name: (folder / name).read_bytes() for name in (*names.SUBJECTS, names.STATEMENT)}
    evidence = understood(found)
    unlike = [f"differs: {one}" for one in differences(evidence, evidence.host)]
    failed = [f"failed: {name}" for name in evidence.statement["predicate"]["failedTests"]]
    missing = [f"not compared: {name}: {why}" for name, why in evidence.host["missing"].items()]
    code = int(evidence.outcome["exit_code"])
    return Result(
        board, folder, DIVERGES if code == CONFORMS and unlike else code, "", (*failed, *unlike), missing
    )
