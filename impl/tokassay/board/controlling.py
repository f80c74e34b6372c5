"""One board from the first handshake to the fetched evidence. Every step can be done again.

On the board everything lies in one folder below the login's home: ``files/`` by sha256, ``runs/`` by name.
Here it lies in the board's folder: with ``request.json`` a run was asked for, with ``outcome.json`` fetched.
"""

from __future__ import annotations

import calendar
import json
import os
import platform
import secrets
import shlex
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from tokassay import __version__
from tokassay.device import folder as names
from tokassay.device.folder import read_json, sha256_of, write_json
from tokassay.device.request import Request

from .links import HostKeyError, Link, LinkError
from .settings import Board

Tell = Callable[[str], None]
T = TypeVar("T")
POLL_SECONDS = 2.0
CLOCK_AHEAD, CLOCK_BEHIND = 300.0, 7 * 86400.0  # a finished run may have waited for its controller
ATTEMPTS = 3  # of a run that the board cuts off, and of a transfer
OLDEST = (3, 9)
GONE = "cut off"
ASKED = (
    "engines",
    "tokenizers",
    "suites",
    "levels",
    "vectors",
    "timed",
    "cold_starts",
    "emulated",
    "timing",
    "seconds",
)
# A process that nobody has buried yet is gone, too.
_LIVES = f"grep -q '^State:[[:space:]]*[^ZX[:space:]]' /proc/$(cat {names.PID})/status 2>/dev/null"


class BoardError(Exception):
    """The board cannot do what was asked; nothing was lost, and `hint` says what to do."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(f"{reason}\n  {hint}" if hint else reason)


@dataclass(frozen=True)
class Session:
    """A board that is being controlled.

    `patience`: seconds for which a lost connection is tried again.
    """

    board: Board
    link: Link
    folder: Path
    tell: Tell
    patience: float = 600.0
    poll: float = POLL_SECONDS
    stopped: threading.Event = field(default_factory=threading.Event)  # set by whoever wants to stop here
    inputs: Mapping[str, Path] = field(default_factory=dict)  # sha256 → file here

    def go_on(self) -> None:
        """Raises BoardError where somebody wants to stop here."""
        if self.stopped.is_set():
            raise BoardError(f"{self.board.name}: stopped here; the same command goes on")

    def script(self, text: str, stdin: bytes = b"") -> str:
        """A script in the board's folder; its output. Raises BoardError where it fails, LinkError."""
        done = self.link.run(f"cd {shlex.quote(self.board.home)} && {text}", stdin)
        if done.code:
            raise BoardError(f"{self.board.name}: {done.err or done.out or f'exit code {done.code}'}")
        return done.out

    def program(self, bundle: str, words: str) -> str:
        return self.script(f"{self.board.python} -I files/{bundle} {words}")


def request_of(board: Board, bundle: Path, files: Mapping[str, Path]) -> tuple[Request, dict[str, Path]]:
    """What is asked of a board, and the files that it needs by sha256."""
    sums = {name: sha256_of(path) for name, path in files.items()}
    bundle_sum = sha256_of(bundle)
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    request = Request(
        run=f"{stamp}-{secrets.token_hex(3)}",
        nonce=secrets.token_hex(16),
        created=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        bundle=bundle_sum,
        tokassay=__version__,
        engines=board.engines,
        tokenizers=board.tokenizers,
        suites=board.suites,
        levels=board.levels,
        vectors=board.vectors,
        timed=board.measured,
        cold_starts=board.cold_starts,
        files=sums,
        emulated=board.emulated,
        timing=board.timing,
        seconds=board.timeout,
    )
    return request, {bundle_sum: bundle, **{sums[name]: path for name, path in files.items()}}


def shake_hands(session: Session) -> str:
    """The board's machine and Python, as one line. Raises BoardError where they do not do, LinkError."""
    home = shlex.quote(session.board.home)
    done = session.link.run(
        f"mkdir -p {home}/files {home}/runs {home}/unpacked && touch {home}/lock && uname -m"
    )
    if done.code:
        hint = "it needs a place to write; name another one with --home"
        raise BoardError(f"{session.board.name}: {done.err}", hint)
    python = session.board.python
    asked = session.link.run(f"{python} -c 'import sys; print(\".\".join(map(str, sys.version_info[:3])))'")
    version = asked.out.strip()
    if asked.code or not version:
        hint = "install python3, or name another interpreter with --python"
        raise BoardError(f"{session.board.name}: {python} cannot be run: {asked.err}", hint)
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        wanted = ".".join(map(str, OLDEST))
        raise BoardError(f"{session.board.name}: Python {version} is too old", f"{wanted} or newer is needed")
    return f"{done.out.strip()}, Python {version}"


def send(session: Session) -> int:
    """The files that the board has not, or has damaged; how many were sent. Raises BoardError, LinkError."""
    wanted = set(session.inputs)
    missing = wanted - _present(session, wanted)
    _refuse_without_room(session, missing)
    for _ in range(ATTEMPTS):
        if not missing:
            break
        for number in sorted(missing):
            session.tell(f"copying {session.inputs[number].name}")
            session.link.put(session.inputs[number], f"{session.board.home}/files/{number}.partial")
        session.script(
            "".join(f"mv files/{one}.partial files/{one}; chmod 755 files/{one}; " for one in sorted(missing))
        )
        sent, missing = len(missing), missing - _present(session, missing)
        if not missing:
            return sent
    if missing:
        name = session.inputs[min(missing)].name
        raise BoardError(f"{session.board.name}: {name} arrives damaged", "is its disk full, or failing?")
    return 0


def _refuse_without_room(session: Session, missing: set[str]) -> None:
    """A transfer into a full disk would look like a lost connection."""
    needed = sum(session.inputs[number].stat().st_size for number in missing)
    free = session.script("df -Pk files | tail -n 1").split()[3:4]
    if free and free[0].isdigit() and int(free[0]) << 10 < needed:
        told = f"{needed >> 10} KiB are to be copied, {free[0]} KiB are free"
        hint = "make room, or name another place with --home; the same command goes on"
        raise BoardError(f"{session.board.name}: No space left on device: {told}", hint)


def _present(session: Session, wanted: set[str]) -> set[str]:
    """Those whose content on the board has the sha256 that its name says."""
    told = session.link.run(
        f"cd {shlex.quote(session.board.home)}/files && sha256sum {' '.join(sorted(wanted))} 2>/dev/null"
    ).out
    lines = (line.split() for line in told.splitlines())
    return {words[0] for words in lines if len(words) == 2 and words[0] == words[1]}


def begin(session: Session, request: Request) -> None:
    """Start the run, unless the board has begun it before. Raises BoardError, LinkError."""
    path = f"runs/{request.run}"
    text = json.dumps(request.to_json(), indent=1, sort_keys=True) + "\n"
    write = f"mkdir -p {path} && cat > {path}/.part && mv {path}/.part {path}/{names.REQUEST}"
    session.script(write, text.encode("ascii"))
    session.program(request.bundle, f"start {path}")


def state(session: Session, run: str) -> tuple[str, str]:
    """``finished``, ``running``, ``new`` or ``cut off``, and the progress as JSON. Raises LinkError."""
    script = (
        f"cd {shlex.quote(session.board.home)}/runs/{run} 2>/dev/null || {{ echo new; exit 0; }}; "
        f"if [ -f {names.OUTCOME} ]; then echo finished; elif [ ! -f {names.PID} ]; then echo new; "
        f"elif {_LIVES} && grep -q '^{run} ' ../../lock; then echo running; "
        # it may have ended since the first look
        f"elif [ -f {names.OUTCOME} ]; then echo finished; else echo {GONE}; fi; "
        f"cat {names.PROGRESS} 2>/dev/null || true"
    )
    found, _, progress = session.link.run(script).out.strip().partition("\n")
    return found, progress.strip()


def follow(session: Session, request: Request) -> None:
    """Until the run is finished: it is begun, waited for, and begun anew where the board cut it off.

    Raises BoardError, LinkError.
    """
    for begun in range(ATTEMPTS + 1):
        while (found := _patiently(session, lambda: state(session, request.run)))[0] == "running":
            session.tell(_shown(found[1]))
            _wait(session)
        if found[0] == "finished":
            return
        if begun < ATTEMPTS:
            session.tell("cut off; starting again" if begun else "starting")
            _patiently(session, lambda: begin(session, request))
    raise BoardError(f"{session.board.name}: the run was cut off {ATTEMPTS} times")


def _patiently(session: Session, step: Callable[[], T]) -> T:
    """A step, tried again while the connection is lost and `patience` lasts. Raises LinkError after that."""
    begun = time.monotonic()
    while True:
        try:
            return step()
        except HostKeyError:  # noqa: PERF203 - it is tried again
            raise
        except LinkError as error:
            if time.monotonic() - begun > session.patience:
                raise
            session.tell(f"{error}; trying again")
            _wait(session)


def _wait(session: Session) -> None:
    if session.stopped.wait(session.poll):
        raise BoardError(f"{session.board.name}: stopped here; the run goes on, the same command fetches it")


def _shown(progress: str) -> str:
    try:
        told = json.loads(progress)
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(told["counts"].items()))
    except (ValueError, KeyError):
        return "running"
    return f"running: {counts or 'samples'}"


def fetch(session: Session, run: str) -> Mapping[str, Any]:
    """The evidence, checked against the sha256 in its outcome; the outcome comes into place last.

    Raises BoardError where it stays damaged, LinkError.
    """
    source, target = f"{session.board.home}/runs/{run}", session.folder / ".fetched"
    target.mkdir(parents=True, exist_ok=True)
    for _ in range(ATTEMPTS):
        session.link.get([f"{source}/{names.OUTCOME}"], target)
        outcome = _read_outcome(target)
        wanted = [name for name, one in outcome.get("files", {}).items() if not _holds(target / name, one)]
        if wanted:
            session.link.get([f"{source}/{name}" for name in wanted], target)
        if outcome and all(_holds(target / name, one) for name, one in outcome["files"].items()):
            for name in (*outcome["files"], names.OUTCOME):
                (target / name).replace(session.folder / name)
            target.rmdir()
            return outcome
    raise BoardError(
        f"{session.board.name}: the evidence arrives damaged", "it is still on the board; try again"
    )


def _read_outcome(target: Path) -> dict[str, Any]:
    try:
        return read_json(target / names.OUTCOME)
    except ValueError:
        return {}


def _holds(path: Path, expected: str) -> bool:
    return Path(path.name).name == path.name and path.is_file() and sha256_of(path) == expected


def clock_note(finished: str, now: float) -> str:
    """What is to be said of a board's clock when its evidence arrives."""
    off = calendar.timegm(time.strptime(finished, "%Y-%m-%dT%H:%M:%SZ")) - now
    if -CLOCK_BEHIND <= off <= CLOCK_AHEAD:
        return "fetched"
    return (
        f"fetched; its clock shows {finished}, which cannot be: the times in the evidence are the board's own"
    )


def note_controller(session: Session, run: str) -> None:
    """How the board was reached, beside its evidence. Raises LinkError, OSError."""
    told = {
        **session.link.facts(),
        "board": session.board.name,
        "run": run,
        "fetched": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "controller": platform.platform(),
        "tokassay": __version__,
    }
    write_json(session.folder / names.CONTROLLER, told)


def controlled(session: Session, request: Request) -> Mapping[str, Any]:
    """A board's whole run, from wherever it stands; the outcome. Raises BoardError, LinkError."""
    if not (session.folder / names.OUTCOME).is_file():
        session.tell(shake_hands(session))
        if _patiently(session, lambda: state(session, request.run))[0] == "new":
            _patiently(session, lambda: send(session))
        follow(session, request)
        session.tell("fetching")
        _patiently(session, lambda: fetch(session, request.run))
    else:
        session.tell(f"its evidence is here; for another run name another --out than {session.folder.parent}")
    outcome = read_json(session.folder / names.OUTCOME)
    session.tell(clock_note(str(outcome["finished"]), time.time()))
    if (session.folder / names.CONTROLLER).is_file():
        return outcome
    note_controller(session, request.run)
    session.script(f"rm -rf runs/{shlex.quote(request.run)}")  # it is here now; files stay for the next run
    return outcome


def stored_request(folder: Path) -> Request | None:
    """The request of a run that was begun before, None where there is none."""
    path = folder / names.REQUEST
    return Request.of(read_json(path)) if path.is_file() else None


def refuse_another(board: str, folder: Path, earlier: Request, wanted: Request) -> None:
    """A run that was begun before goes on only as it was asked for. Raises BoardError."""
    other = [name for name in ASKED if getattr(earlier, name) != getattr(wanted, name)]
    other += ["files"] if earlier.files.keys() != wanted.files.keys() else []
    if other:
        told = f"{folder} holds a run that was asked for with other {', '.join(other)}"
        raise BoardError(f"{board}: {told}", "name another --out, or the same options to go on with it")


def store_request(folder: Path, request: Request) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / names.REQUEST, request.to_json())
    os.sync()
