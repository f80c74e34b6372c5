"""Wire: what an engine replies is an answer of the promised shape or an error, never anything else."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Iterator, Optional, Sequence

from tokassay.checks.engine import EngineError
from tokassay.engines.wire import messages
from tokassay.engines.wire.child import LostError
from tokassay.engines.wire.connection import Connection
from tokassay.engines.wire.limits import Limits
from tokassay.fuzzing.coverage import main
from tokassay.fuzzing.grammar import replies
from tokassay.fuzzing.target import Case, Found, Setting


class Hostile(Connection):
    """A connection whose child has been replaced by the lines that it would have written."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.hostile = lines
        self.place = 0
        super().__init__(replies.COMMAND, Limits(restarts=2))

    def _start(self) -> Any:
        self.generation += 1
        self._child = replies.Lines(self)  # type: ignore[assignment]
        found = self._only(self._child, 1.0, messages.Hello(), 0)  # type: ignore[arg-type]
        if isinstance(found, EngineError):
            raise found
        return found


@dataclass(frozen=True)
class Wire:
    """A greeting that is right, then anything."""

    def draw(self, chance: Random) -> Case:
        return {
            "lines": [line.hex() for line in replies.session(chance)],
            "asked": chance.randrange(len(replies.REQUESTS)),
        }

    def case_of(self, content: bytes) -> Case:
        first, *rest = content.split(b"\n")
        lines = [replies.GREETING, *(line for line in rest if line)]
        return {"lines": [line.hex() for line in lines], "asked": len(first) % len(replies.REQUESTS)}

    def check(self, case: Case) -> Optional[Found]:
        lines = [bytes.fromhex(line) for line in case["lines"]]
        request = replies.REQUESTS[case["asked"]]
        try:
            connection = Hostile(lines)
            answer = connection.ask(replies.LOADED, request)
        except (EngineError, LostError):
            return None
        return (
            None
            if replies.is_promised(request, answer)
            else Found("answer", "diverge", request.op, None, answer)
        )


def open_target(_: Setting) -> Wire:
    return Wire()


def seeds() -> Iterator[bytes]:
    for number, reply in enumerate(replies.GOOD):
        load = {"id": 2, "loaded": True}
        lines = [b"x" * number, *(json.dumps(line).encode("ascii") for line in (load, {"id": 1, **reply}))]
        yield b"\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(Path(__file__)))
