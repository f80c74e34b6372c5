"""Several boards at once: each by itself, from wherever it stands, to signed evidence."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tokassay.core.errors import TokassayError
from tokassay.device import main as device
from tokassay.verdicts.exit_code import ENGINE_DOWN

from .bundling import archive, bundle, templates
from .concluding import Result, Signing, concluded
from .controlling import (
    BoardError,
    Session,
    controlled,
    refuse_another,
    request_of,
    store_request,
    stored_request,
)
from .links import LinkError
from .settings import Board
from .signing import SignatureError
from .verifying import EvidenceError

ERRORS = (BoardError, LinkError, SignatureError, EvidenceError, TokassayError, OSError, ValueError)


@dataclass(frozen=True)
class Conductor:
    """`out`: the boards' folders lie there. `key`: signs the statements. `bundle`: made before."""

    out: Path
    key: Path | None = None
    bundle: Path | None = None
    patience: float = 600.0
    tell: Callable[[str, str], None] = lambda _board, _line: None
    making: threading.Lock = field(default_factory=threading.Lock)
    stopped: threading.Event = field(default_factory=threading.Event)

    def conduct(self, boards: Sequence[Board]) -> list[Result]:
        """Every board's result, in their order. A board that fails keeps no other one from its run."""
        with ThreadPoolExecutor(max(1, len(boards))) as pool:
            try:
                return list(pool.map(self._one, boards))
            except KeyboardInterrupt:  # the pool waits for its threads: they are told
                self.stopped.set()
                raise

    def _one(self, board: Board) -> Result:
        folder = self.out / board.name
        link = board.link()
        try:
            session, request = self._session(board, folder, link)
            outcome: Mapping[str, Any] = controlled(session, request)
            code, reason = int(outcome["exit_code"]), str(outcome["reason"])
            if reason:  # it ended early: there is nothing that could be stated
                return Result(board.name, folder, code, reason)
            self.tell(board.name, "comparing with this host")
            signing = Signing(self.key, link, board.board_key)
            return concluded(board.name, folder, session.inputs.values(), signing, session.go_on)
        except ERRORS as error:
            return Result(board.name, folder, ENGINE_DOWN, str(error))
        finally:
            link.close()

    def _session(self, board: Board, folder: Path, link: Any) -> tuple[Session, Any]:
        """A session with the files that the run needs; a run that was begun before goes on."""
        bundle_file = self._bundle()
        files = dict(self.files(board))
        request, inputs = request_of(board, bundle_file, files)
        earlier = stored_request(folder)
        if earlier is None:
            store_request(folder, request)
        else:
            refuse_another(board.name, folder, earlier, request)
        told = lambda line: self.tell(board.name, line)  # noqa: E731
        session = Session(board, link, folder, told, self.patience, stopped=self.stopped, inputs=inputs)
        return session, earlier or request

    def _bundle(self) -> Path:
        return self.bundle if self.bundle is not None else self._made("tokassay-board.pyz", bundle)

    def files(self, board: Board) -> Iterator[tuple[str, Path]]:
        """Name → file here, of what the run needs beside the bundle."""
        for name in board.files:
            yield Path(name).name, Path(name)
        if board.wheels:
            yield device.WHEELS, Path(board.wheels)
        if board.templates:
            yield device.TEMPLATES, self._made("templates.zip", templates)
        if board.zoo:
            yield device.ARCHIVE, self._made(f"{'-'.join(board.zoo)}.zip", lambda: archive(board.zoo))

    def _made(self, name: str, make: Callable[[], bytes]) -> Path:
        """A file among the boards' folders, made once for all of them."""
        path = self.out / name
        with self.making:
            if not path.is_file():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(make())
        return path


class Lines:
    """What boards tell, on stderr: on a terminal in one line that is rewritten, else each new line once."""

    def __init__(self) -> None:
        self.last: dict[str, str] = {}
        self.lock = threading.Lock()

    def tell(self, board: str, line: str) -> None:
        with self.lock:
            changed, self.last[board] = self.last.get(board) != line, line
            if sys.stderr.isatty():
                shown = "; ".join(f"{name}: {told}" for name, told in sorted(self.last.items()))
                sys.stderr.write(f"\r\x1b[K{shown[:150]}")
            elif changed and not line.startswith("running"):
                sys.stderr.write(f"{board}: {line}\n")
            sys.stderr.flush()

    def end(self) -> None:
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
