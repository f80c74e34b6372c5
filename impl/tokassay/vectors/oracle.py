"""The oracle as a process that is restarted when it dies."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Mapping, Optional, cast

import tokassay
from tokassay.core.errors import TokassayError

_QUIET = {
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "RUST_BACKTRACE": "0",
    "PYTHONUTF8": "1",
}


class OracleError(TokassayError):
    """The oracle cannot be started: `tokenizers` is not installed for that Python (extra ``hf``)."""


class Oracle:
    """Answers with HF `tokenizers`, in a process of its own.

    Attributes:
        version: the version of `tokenizers` that answers.
        seconds: how long it may think about one answer; None for as long as it likes.
    """

    def __init__(self, python: str = sys.executable, seconds: Optional[float] = None) -> None:
        self._python, self.seconds = python, seconds
        self._process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        home = str(Path(tokassay.__file__).parent.parent)
        process = subprocess.Popen(
            [self._python, "-m", "tokassay.vectors.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="ascii",
            env={**os.environ, **_QUIET, "PYTHONPATH": home},
        )
        hello = _line(process)
        if hello is None:
            process.wait()
            raise OracleError(
                f"{self._python} cannot run the oracle; is the package tokenizers installed for it?"
            )
        self.version = str(hello["version"])
        return process

    def ask(self, row: Mapping[str, object], path: Optional[Path]) -> Mapping[str, object]:
        """The full answer to a row; ``crash`` or ``timeout`` as its error when the process had to go."""
        asked = json.dumps({"row": row, "path": str(path) if path else None}) + "\n"
        sent, answers = self._send(asked), self._process.stdout
        assert answers is not None  # for the type checker: the pipe was asked for
        late = sent and not select.select([answers], [], [], self.seconds)[0]
        found = _line(self._process) if sent and not late else None
        return found if found is not None else self._restart("timeout" if late else "crash")

    def _restart(self, error: str) -> Mapping[str, object]:
        self._process.kill()
        self.close()
        self._process = self._start()
        return {"error": error}

    def _send(self, line: str) -> bool:
        pipe = self._process.stdin
        assert pipe is not None  # for the type checker: the pipe was asked for
        try:
            pipe.write(line)
            pipe.flush()
        except BrokenPipeError:
            return False
        return True

    def close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with contextlib.suppress(BrokenPipeError):  # what was not sent to a dead process
                    pipe.close()
        self._process.wait()

    def __enter__(self) -> Oracle:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


def _line(process: subprocess.Popen[str]) -> Optional[Mapping[str, object]]:
    pipe = process.stdout
    assert pipe is not None  # for the type checker: the pipe was asked for
    line = pipe.readline()
    return cast("Mapping[str, object]", json.loads(line)) if line.endswith("\n") else None
