"""Reproducer cards: a folder with a small tokenizer, a small input, both answers, one command to see it."""

from __future__ import annotations

import hashlib
import json
import shlex
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Dict, List, Mapping

from tokassay.checks.engine import Engine, Session
from tokassay.checks.judging import ask
from tokassay.checks.vector import DIGITS, INLINE, SPECIAL_FIELDS, digest_fields, row_hash
from tokassay.verdicts.showing import aligned, escaped

from .bench import Bench, Failure
from .question import Question
from .reducing import NOTHING, Reduced, reduced
from .seeing import Seen

SUITES = {"offsets": "offsets", "text": "decode", "stream": "stream"}
MOST_INLINE = 2**20  # bytes of a tokenizer that a vector may hold


@dataclass(frozen=True)
class Smallest:
    """What a card shows: the files lie where `bench` has them. `note` says why the tokenizer is whole."""

    question: Question
    failure: Failure
    bench: Bench
    note: str = ""


@dataclass(frozen=True)
class Reproduced:
    """What a card is about. `address` opens the engine again."""

    engine: Engine
    address: str
    tokenizer: str
    kind: str
    seen: Seen


def write(folder: Path, bench: Bench, what: Reproduced, seconds: float) -> Path:
    """The folder, written. Raises UnavailableError, OSError."""
    with tempfile.TemporaryDirectory(prefix="tokassay-") as scratch:
        return _written(folder, what, _smallest(bench, what, seconds, Path(scratch)))


def _written(folder: Path, what: Reproduced, shown: Smallest) -> Path:
    question, sessions = shown.question, shown.bench
    content = Path(sessions.path).read_bytes()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_bytes(content)
    if sessions.exported:
        (folder / _export(sessions)).write_bytes(Path(sessions.engine.path).read_bytes())
    if question.encodes:
        (folder / "text.txt").write_bytes(question.data or question.text.encode("utf-8"))
    else:
        (folder / "ids.json").write_text(json.dumps(list(question.ids)) + "\n", "ascii")
    told = {**_told(shown, what), **({"whole": shown.note} if shown.note else {})}
    (folder / "card.json").write_text(json.dumps(told, indent=1) + "\n", "ascii")
    (folder / "vector.jsonl").write_text(json.dumps(_vector(question, sessions, content)) + "\n", "ascii")
    (folder / "README.md").write_text(
        "\n".join(_page(shown, what, told, _files(sessions, folder))), "utf-8", newline="\n"
    )
    return folder


def _export(bench: Bench) -> str:
    """The name of the file that the engine loads, beside the original."""
    name = Path(bench.engine.path).name
    return f"export-{name}" if name == "tokenizer.json" else name


def _files(bench: Bench, folder: Path) -> str:
    """The options that name the files of a card. A vector with a tokenizer of its own needs no other."""
    if not bench.exported:
        return f"--vectors {shlex.quote(str(folder / 'vector.jsonl'))}"
    names = {
        "--tokenizer": _export(bench),
        "--original": "tokenizer.json",
        "--vectors": "vector.jsonl",
    }
    return " ".join(f"{option} {shlex.quote(str(folder / name))}" for option, name in names.items())


def _smallest(bench: Bench, what: Reproduced, seconds: float, scratch: Path) -> Smallest:
    """On the small tokenizer where one was found, else on the file itself."""
    found = what.seen
    assert found.question is not None  # a card is written of a question that fails
    assert found.failure is not None
    small = reduced(what.engine, bench, found, seconds, scratch)
    failure = small.bench.failure(small.question) if isinstance(small, Reduced) else None
    if not isinstance(small, Reduced) or failure is None:
        note = small if isinstance(small, str) else NOTHING
        return Smallest(found.question, found.failure, bench, note)
    return Smallest(small.question, failure, small.bench)


def _told(shown: Smallest, what: Reproduced) -> Dict[str, Any]:
    failure, oracle = shown.failure, shown.bench.oracle.info
    difference = failure.difference
    return {
        "engine": {"name": what.engine.info.name, "version": what.engine.info.version},
        "oracle": {"name": oracle.name, "version": oracle.version},
        "tokenizer": what.tokenizer,
        "kind": what.kind,
        "cause": what.seen.cause.line,
        "stage": what.seen.stage,
        "characters": what.seen.characters,
        "given": dict(shown.question.given),
        "differs": difference.what if difference else failure.reason,
        "expected": _plain(difference.expected) if difference else None,
        "got": _plain(difference.got) if difference else None,
    }


def _plain(answer: Any) -> Any:
    return {"hex": answer.hex()} if isinstance(answer, bytes) else answer


def _vector(question: Question, bench: Bench, content: bytes) -> Mapping[str, Any]:
    """The card as a vector with a tokenizer of its own, so that `tokassay run --vectors` takes it.

    For an export the tokenizer is no part of it: the engine has to load another file than the oracle.
    """
    oracle, name = bench.oracle, "tokenizer" if bench.exported else INLINE
    row: Dict[str, Any] = {
        "id": "card/smallest",
        "op": "encode" if question.encodes else {"text": "decode", "stream": "stream"}[question.what],
        "kind": "card",
        "level": "must",
        "clauses": [],
        "source": {"kind": "generated", "ref": "reproducer card"},
        "oracle": {"name": oracle.info.name, "version": oracle.info.version},
        **question.given,
        **({} if bench.exported else {"tokenizer": content.decode("utf-8")}),
        "expect": {
            name: {"sha256": hashlib.sha256(content).hexdigest()[:DIGITS], **_expected(question, oracle)}
        },
    }
    return {**row, "hash": row_hash(row)}


def _expected(question: Question, oracle: Session) -> Mapping[str, Any]:
    if question.what == "text":
        return {"text": question.ask(oracle)}
    if question.what == "stream":
        stream = ask(oracle.stream, skip_special_tokens=question.special)
        steps = [ask(stream.step, index) for index in question.ids]
        return {"chunks": steps, "full": replace(question, what="text").ask(oracle)}
    plain, special = (
        {name: replace(question, what=name, special=flag).ask(oracle) for name in ("ids", *SPECIAL_FIELDS)}
        for flag in (False, True)
    )
    decoded = {
        name: Question("text", ids=tuple(ids), special=flag).ask(oracle)  # type: ignore[arg-type]
        for name, ids, flag in (("decoded", plain["ids"], False), ("decoded_plain", special["ids"], True))
    }
    columns: Mapping[str, object] = special
    return {
        **{name: plain[name] for name in ("ids", "tokens", "offsets")},
        "special_ids": special["ids"],
        "special": digest_fields(columns, SPECIAL_FIELDS),
        **decoded,
    }


def _page(shown: Smallest, what: Reproduced, told: Mapping[str, Any], files: str) -> List[str]:
    question, failure = shown.question, shown.failure
    difference = failure.difference
    given = escaped(question.text) if question.encodes else str(list(question.ids))
    given = f"bytes {question.data.hex(' ')}" if question.data else given
    answers = aligned(difference) if difference else [failure.reason]
    suite = SUITES.get(question.what, "encode")
    engine = shlex.quote(what.address)
    name, oracle = f"{what.engine.info.name} {what.engine.info.version}", told["oracle"]
    where = f"first stage that differs: {told['stage'] or 'not known'}"
    return [
        f"# {what.engine.info.name}: {told['cause']}",
        "",
        f"{what.kind}, {told['differs']}; {where}; characters: {told['characters'] or 'not known'}.",
        f"Met with {name} on `{what.tokenizer}`; the expected answer is that of",
        f"{oracle['name']} {oracle['version']}.",
        *([f"The tokenizer is whole: {told['whole']}."] if "whole" in told else []),
        "",
        "```",
        f"input    {given}",
        *answers,
        "```",
        "",
        "To see it again (exit code 1 while it fails):",
        "",
        f"    tokassay run --engine {engine} {files} --suite {suite}",
        "",
    ]
