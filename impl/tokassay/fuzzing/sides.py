"""The engine under test beside its witness, question by question."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from tokassay import data
from tokassay.checks.engine import Engine, EngineError, RefusalError, Session, UnavailableError
from tokassay.checks.judging import ask, kind_of
from tokassay.core.errors import TokassayError
from tokassay.formats import parse
from tokassay.mutants import engine_at

from .streams import compared
from .target import Found, Setting

Ids = Callable[[str, bool], Sequence[int]]
WITH_TOKENS = ("tokens", "offsets")
MASKS = ("type_ids", "attention_mask", "special_tokens_mask", "word_ids")


@dataclass(frozen=True)
class Sides:
    """Two sessions on one file."""

    engine: Session
    witness: Session
    columns: Tuple[str, ...] = ()

    @classmethod
    def of(cls, engine: Session, witness: Session) -> Sides:
        able = engine.info.capabilities & witness.info.capabilities
        names = [name for name in WITH_TOKENS if name in able]
        return cls(engine, witness, ("ids", *names, *(MASKS if "masks" in able else ())))

    def both_can(self, capability: str) -> bool:
        return capability in self.engine.info.capabilities and capability in self.witness.info.capabilities

    def encoded(self, text: str, *, special: bool, whole: bool = True) -> Optional[Found]:
        """The first column of the encoding that differs; only the ids unless `whole`."""
        special = special and self.both_special
        if not whole:
            try:
                expected, got = self.witness_ids(text, special), self.engine_ids(text, special)
                same = expected == got or list(expected) == list(got)
                return None if same else Found("ids", "diverge", "", list(expected), list(got))
            except (KeyboardInterrupt, SystemExit, MemoryError, UnavailableError):
                raise
            except BaseException:  # noqa: BLE001, S110 - asked again, one after the other: who fails?
                pass
        names = self.columns if whole else ("ids",)
        return self.asked(
            lambda side: _columns(side.encode(text, **_special(side, special=special)), names),
            names,
            ("ids",),
        )

    @cached_property
    def both_special(self) -> bool:
        return self.both_can("add_special")

    @cached_property
    def witness_ids(self) -> Ids:
        return _ids_of(self.witness)

    @cached_property
    def engine_ids(self) -> Ids:
        return _ids_of(self.engine)

    def ids_of(self, text: str) -> Optional[List[int]]:
        """The witness's ids; None where it fails."""
        found, failed = _answer(self.witness, lambda side: list(side.encode(text).ids))
        return None if failed else found

    def paired(self, text: str, pair: str, *, special: bool) -> Optional[Found]:
        if not self.both_can("pair"):
            return None
        names = self.columns
        return self.asked(
            lambda side: _columns(side.encode(text, pair, **_special(side, special=special)), names),
            names,
            ("pair",),
        )

    def limited(self, texts: Sequence[str], *, special: bool) -> Optional[Found]:
        """With the truncation and padding of the file: a batch of texts, and the first two as a pair."""
        if not self.both_can("limits"):
            return None
        return self.asked(
            lambda side: [_limited(side, texts, self.columns, _special(side, special=special))],
            ("limited",),
            ("limited",),
        )

    def decoded(self, ids: Sequence[int], *, skip: bool) -> Optional[Found]:
        skip = skip and self.both_can("skip_special")
        return self.asked(
            lambda side: [side.decode(list(ids), **_skip(side, skip=skip))], ("text",), ("text",)
        )

    def streamed(self, ids: Sequence[int], *, skip: bool, late: bool = True) -> Optional[Found]:
        if not self.both_can("stream"):
            return None
        skip = skip and self.both_can("skip_special")
        full, failed = _answer(self.witness, lambda side: [side.decode(list(ids), **_skip(side, skip=skip))])
        return compared(self.engine, self.witness, ids, None if failed else full[0], skip=skip, late=late)

    def asked(
        self, question: Callable[[Session], List[Any]], names: Sequence[str], failing: Sequence[str]
    ) -> Optional[Found]:
        """The first of the columns `names` in which the answers differ; `failing` where only one fails."""
        expected, wanted = _answer(self.witness, question)
        got, reason = _answer(self.engine, question)
        if wanted == "unsupported" or reason == "unsupported":
            return None
        if wanted or reason:  # a failure of both counts as agreement
            if wanted and reason:
                return None
            kind = reason or "diverge"
            return Found(
                failing[0], kind, "only one of the two answers", wanted or "an answer", reason or got
            )
        if expected == got:
            return None
        for name, left, right in zip(names, expected, got):
            if left != right:
                return Found(name, "diverge", "", left, right)
        return None


def _answer(side: Session, question: Callable[[Session], List[Any]]) -> Tuple[List[Any], str]:
    """The answer, or the verdict kind of what happened instead."""
    try:
        return question(side), ""
    except (KeyboardInterrupt, SystemExit, MemoryError, UnavailableError):
        raise
    except EngineError as error:
        return [], kind_of(error)
    except BaseException as error:  # noqa: BLE001 - PanicException derives from BaseException
        return [], "crash" if type(error).__name__ == "PanicException" else "error"


def _ids_of(side: Session) -> Ids:
    """`Session.encode` with the options that the session has."""
    encode = side.encode
    if "add_special" in side.info.capabilities:
        return lambda text, special: encode(text, add_special_tokens=special).ids
    return lambda text, _: encode(text).ids


def _columns(encoded: Any, names: Sequence[str]) -> List[Any]:
    return [list(getattr(encoded, name)) for name in names]


def _limited(side: Session, texts: Sequence[str], names: Sequence[str], options: Any) -> List[Any]:
    """Every column of every encoding, and the ids of what was cut off."""
    pair = side.encode_limited(texts[0], texts[-1], **options)
    found = [pair, *side.encode_batch_limited(texts, **options)]
    rest = [[list(over.ids) for over in one.overflowing] for one in found]
    return [[_columns(one, names) for one in found], rest]


def _special(side: Session, *, special: bool) -> Dict[str, Any]:
    return {"add_special_tokens": special} if "add_special" in side.info.capabilities else {}


def _skip(side: Session, *, skip: bool) -> Dict[str, Any]:
    return {"skip_special_tokens": skip} if "skip_special" in side.info.capabilities else {}


@dataclass
class Loader:
    """Opens both sides of a tokenizer: a file, or a document in memory.

    Files are opened once. Documents are many: each is written to the scratch folder and forgotten.
    """

    engine: Engine
    witness: Engine
    scratch: Path
    opened: Dict[str, Optional[Sides]] = field(default_factory=dict)

    @classmethod
    def of(cls, setting: Setting) -> Loader:
        return cls(engine_at(setting.engine), engine_at(setting.witness), Path(setting.scratch or "."))

    def file(self, path: str) -> Optional[Sides]:
        """None where one of the two cannot load the file."""
        if path not in self.opened:
            session, witness = self._load(path)
            both = isinstance(session, EngineError) or isinstance(witness, EngineError)
            self.opened[path] = None if both else Sides.of(session, witness)
        return self.opened[path]

    def document(self, document: Any) -> Tuple[Optional[Sides], Optional[Found]]:
        """Both sides of a tokenizer.json, or how they differ in refusing it; (None, None) where both do."""
        return self.content(json.dumps(document).encode("ascii"), "json")

    def content(self, content: bytes, ending: str) -> Tuple[Optional[Sides], Optional[Found]]:
        """As `document`, of a file of any format."""
        path = self.scratch / f"{hashlib.sha256(content).hexdigest()[:16]}.{ending}"
        path.write_bytes(content)
        try:
            session, witness = self._load(str(path))
        finally:
            path.unlink(missing_ok=True)
        if isinstance(session, RefusalError) or isinstance(witness, RefusalError):
            return None, None
        refused = isinstance(session, EngineError), isinstance(witness, EngineError)
        if refused == (False, False):
            return Sides.of(session, witness), None
        found = Found(
            "load", "diverge", _cut(session if refused[0] else witness), not refused[1], not refused[0]
        )
        return None, None if refused == (True, True) else found

    def _load(self, path: str) -> Tuple[Any, Any]:
        return tuple(_loaded(engine, path) for engine in (self.engine, self.witness))


def _loaded(engine: Engine, path: str) -> Any:
    """A session, or the error."""
    try:
        return ask(engine.load, path)
    except UnavailableError:
        raise
    except EngineError as error:
        return error


def _cut(error: Any) -> str:
    """A reason without its numbers, which differ from case to case."""
    words = str(error.reason).rpartition("json: ")[2].split()
    return " ".join(word for word in words[-6:] if not any(char.isdigit() for char in word))


_BARE = {"model": {"type": "WordLevel", "vocab": {}, "unk_token": ""}}


def is_undecided(document: Any) -> bool:
    """Whether the oracle has no one answer: an added token that is normalized to nothing, for which it may
    search for ever (``added.empty-pattern``), or two that become one form (``added.same-form``).
    """
    searched = {token["content"] for token in document["added_tokens"] if token["normalized"]}
    if not document["normalizer"] or not searched:
        return False
    try:
        small = json.dumps({**_BARE, "normalizer": document["normalizer"]}).encode("ascii")
        normalizer = parse(small, format="tokenizer.json").normalizer
        if normalizer is None:
            return False
        forms = {content: normalizer.normalize(content) for content in searched}
    except TokassayError:
        return False
    return "" in forms.values() or len(set(forms.values())) < len(forms)


def default_tokenizers(setting: Setting) -> List[str]:
    """The setting's files, else every embedded tokenizer."""
    own = sorted((data.root() / "golden" / "tokenizers").glob("*/tokenizer.json"))
    return list(setting.tokenizers) or [str(path) for path in own]


def openable(loader: Loader, setting: Setting) -> Iterator[Tuple[str, Sides]]:
    """The files that both sides can load."""
    for path in default_tokenizers(setting):
        sides = loader.file(path)
        if sides is not None:
            yield path, sides


def first(*questions: Callable[[], Optional[Found]]) -> Optional[Found]:
    """The first answer that is a finding."""
    return next(filter(None, (question() for question in questions)), None)


__all__ = ["Loader", "Sides", "default_tokenizers", "first", "is_undecided", "openable"]
