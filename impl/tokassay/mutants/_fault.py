"""A fault: one small patch of the reference, behind the engine Protocol.

A patch is an `Altered` (as the diagnosis knows it): another description, or the same one with its input
or output changed. What cannot be said so is a stream of its own, or a file that is read otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Optional, Protocol, Sequence

from tokassay import Tokenizer, engines, formats
from tokassay.checks.engine import Answer, Encoded, EngineInfo, FaultError, Session, Stages, Stream
from tokassay.core.description import Description
from tokassay.core.errors import TokassayError
from tokassay.diagnosis.alterations import Altered
from tokassay.diagnosis.alterations._parts import Changing, normalizers, splitters
from tokassay.engines.reference import ReferenceSession

Patch = Callable[[Description], Optional[Altered]]
"""The altered reference for a tokenizer; None where the fault does not concern it."""
Streaming = Callable[[Tokenizer, bool], Stream]
"""A stream of a tokenizer that skips special tokens or does not."""
Reading = Callable[[bytes], bytes]
"""The file that a sound reader would have to be given to read what the faulty one reads."""
Prompting = Callable[[str, Any, Mapping[str, Any]], str]
"""What a faulty renderer makes of a template, messages and options."""


def unchanged(description: Description) -> Optional[Altered]:
    return Altered("", description)


@dataclass(frozen=True)
class Fault:
    """One mutant.

    Attributes:
        name: a slug.
        models: the class of public bugs that it stands for.
        clause: what it breaks, an anchor of docs/spec.
        patch: the reference with the fault.
        stream: a faulty stream, where the fault is in one.
        reading: a faulty reader, where the fault is in one.
        prompting: a faulty renderer of chat templates, where the fault is in one.
        equivalent: why no vector can notice, where that is so.
    """

    name: str
    models: str
    clause: str
    patch: Patch = unchanged
    stream: Optional[Streaming] = None
    reading: Optional[Reading] = None
    prompting: Optional[Prompting] = None
    equivalent: str = ""

    def open_engine(self) -> FaultyEngine:
        """The mutant as an engine like any other."""
        info = engines.open("reference").info
        return FaultyEngine(self, replace(info, name=self.name, capabilities=info.capabilities - {"lookup"}))

    def changed(self, description: Description) -> Optional[Altered]:
        """The patch; None, too, where it makes something that no tokenizer can be."""
        try:
            return self.patch(description)
        except TokassayError:
            return None


class Faults(Protocol):
    """What a module of an area holds."""

    def faults(self) -> Iterator[Fault]: ...


@dataclass(frozen=True)
class FaultyEngine:
    """The reference with a fault, behind the Protocol."""

    fault: Fault
    info: EngineInfo

    def load(self, path: str) -> Session:
        """Raises FaultError for a file that cannot be read, or not with this fault."""
        data, name = Path(path).read_bytes(), Path(path).name
        data = self.fault.reading(data) if self.fault.reading else data
        try:
            known = name if name in formats.codecs() else None
            return self.of(formats.parse(data, path, format=known), path)
        except TokassayError as error:
            raise FaultError(f"{type(error).__name__}: {error}") from error

    def of(self, description: Description, path: str = "") -> FaultySession:
        """With a description that is read already. Raises TokassayError."""
        altered = self.fault.changed(description) or Altered("", description)
        stored = Tokenizer.from_description(altered.description)
        plain = stored
        if stored.description.truncation is not None or stored.description.padding is not None:
            plain = Tokenizer.from_description(replace(altered.description, truncation=None, padding=None))
        info = self.info if is_aligned(altered.description) else _ids_only(self.info)
        return FaultySession(info, path, ReferenceSession(info, path, plain, stored), altered, self.fault)


def is_aligned(description: Description) -> bool:
    """Whether tokens and offsets mean anything: parts made of a bare function know ids only."""
    parts = (*normalizers(description), *splitters(description), description.model)
    return not any(isinstance(part, Changing) or getattr(part, "UNALIGNED", False) for part in parts)


def _ids_only(info: EngineInfo) -> EngineInfo:
    return replace(info, capabilities=info.capabilities - {"tokens", "offsets", "masks", "stages"})


@dataclass(frozen=True)
class FaultySession:
    """A session of the altered reference, its input and output changed as the fault says."""

    info: EngineInfo
    path: str
    reference: ReferenceSession
    altered: Altered
    fault: Fault

    def encode(self, text: str, pair: Optional[str] = None, *, add_special_tokens: bool = True) -> Encoded:
        special, before = self._special(asked=add_special_tokens), self.altered.before
        second = None if pair is None else before(pair)
        return self._after(text, self.reference.encode(before(text), second, add_special_tokens=special))

    def encode_limited(
        self, text: str, pair: Optional[str] = None, *, add_special_tokens: bool = True
    ) -> Encoded:
        special, before = self._special(asked=add_special_tokens), self.altered.before
        second = None if pair is None else before(pair)
        found = self.reference.encode_limited(before(text), second, add_special_tokens=special)
        return self._after(text, found)

    def encode_batch_limited(
        self, texts: Sequence[str], *, add_special_tokens: bool = True
    ) -> Sequence[Encoded]:
        given = list(map(self.altered.before, texts))
        found = self.reference.encode_batch_limited(
            given, add_special_tokens=self._special(asked=add_special_tokens)
        )
        return [self._after(text, one) for text, one in zip(texts, found)]

    def encode_bytes(self, data: bytes, *, add_special_tokens: bool = True) -> Encoded:
        return self.encode(data.decode("utf-8", "replace"), add_special_tokens=add_special_tokens)

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> str:
        skip = self._special(asked=skip_special_tokens)
        return self.altered.shown(self.reference.decode(ids, skip_special_tokens=skip))

    def decode_bytes(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> bytes:
        return self.reference.decode_bytes(ids, skip_special_tokens=skip_special_tokens)

    def stream(self, *, skip_special_tokens: bool = True) -> Stream:
        if self.fault.stream is not None:
            return self.fault.stream(self.reference.plain, skip_special_tokens)
        return self.reference.stream(skip_special_tokens=skip_special_tokens)

    def stages(self, text: str) -> Stages:
        return self.reference.stages(self.altered.before(text))

    def vocab_size(self, *, with_added_tokens: bool = True) -> int:
        return self.reference.vocab_size(with_added_tokens=with_added_tokens)

    def id_to_token(self, index: int) -> Optional[str]:
        return self.reference.id_to_token(index)

    def lookup(
        self, rule: str, options: Mapping[str, object], calls: Sequence[Mapping[str, object]]
    ) -> Sequence[Sequence[int]]:
        return self.reference.lookup(rule, options, calls)

    def template(self, template: str, messages: object, options: Mapping[str, object]) -> str:
        if self.fault.prompting is not None:
            return self.fault.prompting(template, messages, options)
        return self.reference.template(template, messages, options)

    def _special(self, *, asked: bool) -> bool:
        return asked if self.altered.special is None else self.altered.special

    def _after(self, text: str, found: Encoded) -> Encoded:
        """The columns stay where the ids do; they are not asked for where nothing can change them."""
        ids = self.altered.after(list(found.ids))
        if ids == list(found.ids) and self.altered.spans is Altered.spans:
            return found
        spans = self.altered.spans(text, list(found.offsets))
        if ids == list(found.ids) and spans == list(found.offsets):
            return found
        return Answer(
            ids,
            found.tokens,
            spans,
            found.type_ids,
            found.attention_mask,
            found.special_tokens_mask,
            found.word_ids,
            found.overflowing,
        )
