"""What a hostile engine writes on the wire: right replies, nearly right ones, and lines that are none."""

from __future__ import annotations

import json
from collections import deque
from random import Random
from typing import Any, Dict, List, Sequence

from tokassay.checks.engine import CAPABILITIES, Answer, Stages
from tokassay.engines.wire import messages
from tokassay.engines.wire.child import Command, LostError
from tokassay.engines.wire.connection import Loaded

from ..documents import damage

COMMAND = Command(("hostile",), "hostile")
LOADED = Loaded("tokenizer.json")
REQUESTS: Sequence[messages.Request] = (
    messages.Encode("ab", want=("tokens", "offsets", "masks")),
    messages.EncodeBatch(("a", "b"), want=("tokens",)),
    messages.Decode((1, 2)),
    messages.DecodeBytes((1, 2)),
    messages.OpenStream(1),
    messages.Step(1, 5),
    messages.Flush(1),
    messages.ShowStages("ab"),
    messages.VocabSize(),
    messages.IdToToken(3),
    messages.Lookup.of("seed", {}, [{"draft": True}]),
    messages.Template.of("x", [], {}),
)
_ENCODING: Dict[str, Any] = {
    "ids": [1, 2],
    "tokens": ["a", "b"],
    "offsets": [[0, 1], [1, 2]],
    "type_ids": [0, 0],
    "attention_mask": [1, 1],
    "special_tokens_mask": [0, 0],
    "word_ids": [0, None],
}
GOOD: Sequence[Dict[str, Any]] = (
    _ENCODING,
    {"batch": [_ENCODING, _ENCODING]},
    {"text": "ab"},
    {"bytes_hex": "ff00"},
    {"opened": True},
    {"text": None},
    {"text": ""},
    {"segments": ["ab"], "normalized": ["ab"], "pieces": ["a", "b"], "tokens": ["a", "b"], "ids": [1, 2]},
    {"size": 7},
    {"text": "a"},
    {"drafts": [[1, 2]]},
    {"text": "x"},
)
_HELLO: Dict[str, Any] = {
    "id": 0,
    "protocol": messages.PROTOCOL,
    "engine": {"name": "hostile", "version": "1"},
    "capabilities": sorted(CAPABILITIES),
}
GREETING = json.dumps(_HELLO).encode("ascii")
VALUES: Sequence[Any] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1.5,
        2**40,
        "",
        "a",
        "zz",
        "\ud800",
        [],
        {},
        [None],
        [[]],
        ["a", 1],
        [1, "a"],
    ),
    *([[0, 1, 2]], [[1]], [1.0], {"ids": [1]}, [[1, None]], [True], 1e400, "ff0"),
)


class Lines:
    """Stands where a child process stands: what it would write is known before it is asked."""

    def __init__(self, connection: Any) -> None:
        self._left = deque(connection.hostile[connection.place :])
        self._connection = connection

    def send(self, line: bytes) -> None:
        """Whatever was asked, the answer does not depend on it."""

    def push(self) -> None:
        """There is nobody who reads."""

    def end(self) -> None:
        """There is no process."""

    def lines(self, _: float) -> List[bytes]:
        """The next line; a restarted child goes on where the last one stopped."""
        if not self._left:
            raise LostError("crash", "killed by SIGKILL")
        self._connection.place += 1
        return [self._left.popleft()]


def session(chance: Random) -> List[bytes]:
    """A greeting, and what follows it."""
    lines = [GREETING if chance.random() < 0.9 else _line(chance, _HELLO)]
    lines.append(_line(chance, {"id": 2, "loaded": True}, 0.1))
    return lines + [_line(chance, {"id": 1, **chance.choice(GOOD)}) for _ in range(chance.randint(0, 3))]


def _line(chance: Random, reply: Dict[str, Any], often: float = 0.8) -> bytes:
    """A reply with something changed in it, or its line damaged."""
    made = dict(reply)
    if chance.random() < often:
        name = chance.choice([*made, "id", "error", "unsupported", "crash", "ns", "overflowing"])
        made[name] = chance.choice(VALUES)
    if chance.random() < 0.1:
        made.pop(chance.choice(list(made)))
    line = json.dumps(made).encode("ascii")
    return damage(line, chance).replace(b"\n", b" ") if chance.random() < often / 4 else line


_PROMISED = {
    "encode": Answer,
    "encode_batch": tuple,
    "decode": str,
    "decode_bytes": bytes,
    "stream": bool,
    "step": (str, type(None)),
    "flush": (str, type(None)),
    "stages": Stages,
    "vocab_size": int,
    "id_to_token": (str, type(None)),
    "lookup": list,
    "template": str,
}


def is_promised(request: messages.Request, answer: Any) -> bool:
    """Whether an answer is of the type that the operation promises, columns included."""
    if not isinstance(answer, _PROMISED[request.op]):  # type: ignore[arg-type]
        return False
    if isinstance(answer, Answer):
        return all(type(index) is int for index in answer.ids) and all(
            type(token) is str for token in answer.tokens
        )
    return True
