"""An engine in Python behind the wire protocol: ``serve(name, version, load)``. Standard library only.

The file stands alone: it imports nothing of tokassay, so it can be copied beside an engine on any device
with Python 3.9 or newer. The protocol is told on one page, docs/protocol/README.md.

    class Toy:                                   # one loaded tokenizer
        def __init__(self, path): ...
        def encode(self, text): return list(text.encode())
        def decode(self, ids): return bytes(ids).decode("utf-8", "replace")

    serve("toy", "1.0", Toy)

Usage: python -m tokassay.device.serve MODULE:LOAD [NAME [VERSION]]
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import json
import os
import sys
import time
import traceback
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Mapping, NoReturn, Optional, Sequence, Tuple

PROTOCOL = 1
HANDLES = 4  # tokenizers held at a time
READ_BYTES = 1 << 18
FLUSH_SECONDS = 0.05  # an answer waits no longer than this for the next ones
# What a method (or a parameter of one) says about the capabilities of a class.
METHODS = {"encode_limited": "limits", "vocab_size": "vocabulary"}
METHODS.update(
    {
        name: name
        for name in (
            "encode",
            "decode",
            "encode_bytes",
            "decode_bytes",
            "stream",
            "stages",
            "lookup",
            "template",
        )
    }
)
PARAMETERS = {
    ("encode", "pair"): "pair",
    ("encode", "add_special_tokens"): "add_special",
    ("decode", "skip_special_tokens"): "skip_special",
}
# Attributes of an encoding, by the capability that covers them.
COLUMNS = {
    "tokens": ("tokens",),
    "offsets": ("offsets",),
    "masks": ("type_ids", "attention_mask", "special_tokens_mask", "word_ids"),
}
TIMED = (
    "encode",
    "encode_batch",
    "decode",
    "decode_bytes",
)  # operations whose replies tell how long they took
STAGES = ("segments", "normalized", "pieces", "tokens", "ids")
Reply = Dict[str, Any]


@dataclass
class Served:
    """What one process holds: the engine's `load`, and what was loaded and opened under which number."""

    load: Callable[[str], Any]
    greeting: Reply
    failures: Mapping[type, str]
    tokenizers: Dict[int, Any] = field(default_factory=dict)
    streams: Dict[int, Any] = field(default_factory=dict)

    def claims(self, capability: str) -> bool:
        return capability in self.greeting["capabilities"]


def serve(
    name: str,
    version: str,
    load: Callable[[str], Any],
    *,
    capabilities: Optional[Sequence[str]] = None,
    formats: Sequence[str] = ("tokenizer.json",),
    invalid_utf8: Optional[str] = None,
    build: Optional[Mapping[str, str]] = None,
    handles: int = HANDLES,
    failures: Optional[Mapping[type, str]] = None,
) -> None:
    """Answer requests on stdin until it ends.

    Args:
        name: of the engine.
        version: of the engine.
        load: path of a tokenizer file to a loaded tokenizer, an object with ``encode(text)`` (ids, or an
            object with ``ids``), ``decode(ids)`` and whatever else is claimed. NotImplementedError means:
            not supported.
        capabilities: what is claimed; by default what the methods of `load` show, when it is a class.
        formats: what `load` reads.
        invalid_utf8: what ``encode_bytes`` does with invalid UTF-8: "replace" or "reject".
        build: more facts about the engine, for the report; ``sha256`` is the script's unless it is given.
        handles: how many tokenizers may be loaded at a time.
        failures: exception class to the kind of reply it becomes, "unsupported" or "crash".
    """
    claimed = shown_capabilities(load) if capabilities is None else capabilities
    greeting: Reply = {
        "protocol": PROTOCOL,
        "engine": {"name": name, "version": version, "build": {"sha256": script_sha256(), **(build or {})}},
        "capabilities": sorted(claimed),
        "formats": list(formats),
        "invalid_utf8": invalid_utf8,
        "handles": handles,
    }
    _run(Served(load, greeting, {NotImplementedError: "unsupported", **(failures or {})}))


def shown_capabilities(load: Callable[[str], Any]) -> List[str]:
    """What a class offers, read off its methods and their parameters; a function shows the least."""
    if not inspect.isclass(load):
        return ["encode", "decode"]
    found = [capability for name, capability in METHODS.items() if hasattr(load, name)]
    for (method, parameter), capability in PARAMETERS.items():
        if parameter in inspect.signature(getattr(load, method, len)).parameters:
            found.append(capability)
    return found


def script_sha256() -> str:
    """Of the file that was started, "" where there is none."""
    try:
        with open(sys.argv[0], "rb") as file:  # noqa: PTH123
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return ""


# -- lines in, lines out -----------------------------------------------------------------------------


def _run(served: Served) -> None:
    """Whatever the engine prints goes to stderr: the answers have stdout for themselves."""
    out = os.dup(1)
    os.dup2(2, 1)
    answers: List[bytes] = []
    flushed = time.monotonic()
    for line in _lines(0):
        if line:
            answers.append(json.dumps(_reply(served, line), separators=(",", ":")).encode("ascii") + b"\n")
        if not line or time.monotonic() - flushed > FLUSH_SECONDS:
            _write(out, b"".join(answers))
            answers.clear()
            flushed = time.monotonic()


def _lines(source: int) -> Iterator[bytes]:
    """The lines of a file descriptor, cut at line feeds only; an empty one whenever no more is at hand."""
    rest: List[bytes] = []
    while True:
        chunk = os.read(source, READ_BYTES)
        if not chunk:
            return
        first, *more = chunk.split(b"\n")
        rest.append(first)
        if more:
            yield b"".join(rest)
            yield from (line for line in more[:-1] if line)
            rest = [more[-1]]
        yield b""


def _write(out: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(out, view) :]


def _reply(served: Served, line: bytes) -> Reply:
    try:
        request = json.loads(line)
        number = request["id"]
    except (ValueError, TypeError, KeyError) as error:
        return {"id": None, "error": f"not a request: {error}: {line[:80]!r}"}
    try:
        return {"id": number, **_answer(served, request)}
    except MemoryError:
        _give_up(f"out of memory in {request.get('op')}")
    except Exception as error:  # noqa: BLE001 - an engine may raise anything; the host decides what it means
        kind = next((kind for cls, kind in served.failures.items() if isinstance(error, cls)), "error")
        if kind == "error":
            traceback.print_exc()
        return {"id": number, kind: f"{type(error).__name__}: {error}"}


def _answer(served: Served, request: Reply) -> Reply:
    operation = OPERATIONS.get(request.get("op", ""))
    if operation is None:
        return {"unsupported": f"unknown operation {request.get('op')!r}"}
    started = time.perf_counter_ns()
    answer = operation(served, request)
    return {**answer, "ns": time.perf_counter_ns() - started} if request["op"] in TIMED else answer


def _give_up(reason: str) -> NoReturn:
    """After this nothing that the process says can be trusted; the host starts another one."""
    os.write(2, reason.encode() + b"\n")
    os.abort()


# -- operations --------------------------------------------------------------------------------------


def _hello(served: Served, request: Reply) -> Reply:
    if request["protocol"] != PROTOCOL:
        return {"unsupported": f"protocol {request['protocol']}; this engine speaks {PROTOCOL}"}
    return served.greeting


def _load(served: Served, request: Reply) -> Reply:
    served.tokenizers.pop(request["handle"], None)  # before, so that the two never need memory together
    served.tokenizers[request["handle"]] = served.load(request["path"])
    return {"loaded": True}


def _special(served: Served, request: Reply) -> Dict[str, bool]:
    return {"add_special_tokens": request["add_special"]} if served.claims("add_special") else {}


def _skip(served: Served, request: Reply) -> Dict[str, bool]:
    return {"skip_special_tokens": request["skip_special"]} if served.claims("skip_special") else {}


def _encode(served: Served, request: Reply) -> Reply:
    tokenizer = served.tokenizers[request["handle"]]
    options, want, limits = _special(served, request), request.get("want", ()), request.get("limits", False)
    if "bytes_hex" in request:
        return _encoding(tokenizer.encode_bytes(bytes.fromhex(request["bytes_hex"]), **options), want)
    entry = tokenizer.encode_limited if limits else tokenizer.encode
    pair: Tuple[str, ...] = (request["pair"],) if "pair" in request else ()
    return _encoding(entry(request["text"], *pair, **options), want, limits=limits)


def _encode_batch(served: Served, request: Reply) -> Reply:
    tokenizer = served.tokenizers[request["handle"]]
    found = tokenizer.encode_batch_limited(request["texts"], **_special(served, request))
    return {"batch": [_encoding(one, request.get("want", ()), limits=True) for one in found]}


def _encoding(encoded: Any, want: Sequence[str], *, limits: bool = False) -> Reply:
    """Reads no more than was asked for: an engine may compute columns when they are first read."""
    reply: Reply = {"ids": list(getattr(encoded, "ids", encoded))}
    for capability in want:
        reply.update({column: list(getattr(encoded, column)) for column in COLUMNS[capability]})
    parts = getattr(encoded, "overflowing", None) if limits else None
    if parts:
        reply["overflowing"] = [_encoding(part, want) for part in parts]
    return reply


def _decode(served: Served, request: Reply) -> Reply:
    return {"text": served.tokenizers[request["handle"]].decode(request["ids"], **_skip(served, request))}


def _decode_bytes(served: Served, request: Reply) -> Reply:
    data = served.tokenizers[request["handle"]].decode_bytes(request["ids"], **_skip(served, request))
    return {"bytes_hex": data.hex()}


def _stream(served: Served, request: Reply) -> Reply:
    stream = served.tokenizers[request["handle"]].stream(**_skip(served, request))
    served.streams[request["stream"]] = stream
    return {"opened": True}


def _step(served: Served, request: Reply) -> Reply:
    return {"text": served.streams[request["stream"]].step(request["token"])}


def _flush(served: Served, request: Reply) -> Reply:
    return {"text": served.streams.pop(request["stream"]).flush()}


def _stages(served: Served, request: Reply) -> Reply:
    found = served.tokenizers[request["handle"]].stages(request["text"])
    stages = found if isinstance(found, Mapping) else {name: getattr(found, name) for name in STAGES}
    return {name: list(value) for name, value in stages.items() if value is not None}


def _vocab_size(served: Served, request: Reply) -> Reply:
    tokenizer = served.tokenizers[request["handle"]]
    return {"size": tokenizer.vocab_size(with_added_tokens=request["with_added_tokens"])}


def _id_to_token(served: Served, request: Reply) -> Reply:
    return {"text": served.tokenizers[request["handle"]].id_to_token(request["token"])}


def _lookup(served: Served, request: Reply) -> Reply:
    tokenizer = served.tokenizers[request["handle"]]
    drafts = tokenizer.lookup(request["rule"], request["options"], request["calls"])
    return {"drafts": [list(draft) for draft in drafts]}


def _template(served: Served, request: Reply) -> Reply:
    tokenizer = served.tokenizers[request["handle"]]
    return {"text": tokenizer.template(request["template"], request["messages"], request["options"])}


def _bye(served: Served, request: Reply) -> Reply:  # noqa: ARG001 - one shape for all operations
    return {"bye": True}


OPERATIONS: Mapping[str, Callable[[Served, Reply], Reply]] = {
    "hello": _hello,
    "load": _load,
    "encode": _encode,
    "encode_batch": _encode_batch,
    "decode": _decode,
    "decode_bytes": _decode_bytes,
    "stream": _stream,
    "step": _step,
    "flush": _flush,
    "stages": _stages,
    "vocab_size": _vocab_size,
    "id_to_token": _id_to_token,
    "lookup": _lookup,
    "template": _template,
    "bye": _bye,
}


def main(address: str, name: str = "", version: str = "") -> None:
    """Serve what ``MODULE:LOAD`` names; the version is the module's ``__version__`` unless it is given."""
    module_name, _, attribute = address.partition(":")
    module = importlib.import_module(module_name)
    load: Any = module
    for part in attribute.split("."):
        load = getattr(load, part)
    sys.argv[0] = getattr(module, "__file__", None) or sys.argv[0]  # it is the engine, and its hash counts
    serve(
        name or address,
        version or str(getattr(module, "__version__", "unknown")),
        load,
        capabilities=getattr(module, "CAPABILITIES", None),
        invalid_utf8=getattr(module, "INVALID_UTF8", None),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
