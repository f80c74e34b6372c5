"""Streams that give too early, too late, or something else."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field
from typing import Callable, Iterator, List, Optional

from tokassay import Tokenizer
from tokassay.checks.engine import Stream
from tokassay.core.decoders.byte_level import token_bytes
from tokassay.mutants._fault import Fault, Streaming


@dataclass
class Wrapped:
    """The sound stream with its steps and its end changed."""

    sound: Stream
    given: Callable[[Optional[str]], Optional[str]] = lambda text: text
    ended: Callable[[Optional[str]], Optional[str]] = lambda text: text
    kept: List[str] = field(default_factory=list)

    def step(self, index: int) -> Optional[str]:
        return self.given(self.sound.step(index))

    def flush(self) -> Optional[str]:
        return self.ended(self.sound.flush())


@dataclass
class Growing:
    """Decodes what it holds with each id, and gives what is new: what `decode` of more ids may take back.

    `ready` says whether a text is given yet; `window` is how many ids are held after something was given.
    """

    tokenizer: Tokenizer
    skip: bool
    ready: Callable[[str], bool]
    window: int = 1 << 30
    ids: List[int] = field(default_factory=list)
    told: int = 0

    def step(self, index: int) -> Optional[str]:
        self.ids.append(index)
        text = self.tokenizer.decode(self.ids, self.skip)
        if not self.ready(text):
            return None
        new = text[self.told :]
        if len(self.ids) >= self.window:
            self.ids, self.told = [], 0
        else:
            self.told = len(text)
        return new or None

    def flush(self) -> Optional[str]:
        return self.tokenizer.decode(self.ids, self.skip)[self.told :] or None


def wrapping(
    given: Callable[[Optional[str]], Optional[str]] = lambda text: text,
    ended: Callable[[Optional[str]], Optional[str]] = lambda text: text,
) -> Streaming:
    return lambda tokenizer, skip: Wrapped(tokenizer.decode_stream(skip), given, ended)


def growing(ready: Callable[[str], bool], window: int = 1 << 30) -> Streaming:
    return lambda tokenizer, skip: Growing(tokenizer, skip, ready, window)


def faults() -> Iterator[Fault]:
    yield from _steps()
    yield from _ends()
    yield from _states()


def _valid(text: Optional[str]) -> Optional[str]:
    return (text and text.replace("\ufffd", "")) or None


def _whole(text: str) -> bool:
    return not text.endswith("\ufffd")


def _steps() -> Iterator[Fault]:
    partial, joined = "stream.partial", "stream.joined"
    yield Fault(
        "partial-given", "half a character is given as U+FFFD", partial, stream=growing(lambda _: True)
    )
    yield Fault("per-token", "each id is decoded alone", joined, stream=growing(lambda _: True, window=1))
    yield Fault(
        "per-token-when-whole",
        "ids are decoded alone, unless a character is cut",
        joined,
        stream=growing(_whole, window=1),
    )
    yield Fault(
        "forgets-after-eight",
        "what was given eight ids ago is forgotten",
        joined,
        stream=growing(_whole, window=8),
    )
    yield Fault(
        "replacement-dropped",
        "bytes that are not UTF-8 vanish",
        partial,
        stream=wrapping(
            lambda t: (t and t.replace("\ufffd", "")) or None,
            lambda t: (t and t.replace("\ufffd", "")) or None,
        ),
    )
    yield Fault(
        "steps-stripped",
        "each piece loses its first blank",
        joined,
        stream=wrapping(lambda t: (t and t.lstrip(" ")) or None),
    )
    yield Fault(
        "steps-right-stripped",
        "each piece loses its last blank",
        joined,
        stream=wrapping(lambda t: (t and t.rstrip(" ")) or None),
    )
    yield Fault(
        "line-ends-swallowed",
        "a piece that is a line end is taken for nothing",
        "stream.step",
        stream=wrapping(lambda t: None if t == "\n" else t),
    )
    yield Fault("first-piece-lost", "the first piece is lost", "stream.step", stream=_without_first)
    yield Fault(
        "pieces-doubled", "each piece is given twice", "stream.step", stream=wrapping(lambda t: t and t * 2)
    )
    yield Fault(
        "ends-at-nul",
        "a piece ends at NUL",
        "stream.step",
        stream=wrapping(lambda t: (t and t.split("\0", 1)[0]) or None),
    )


def _without_first(tokenizer: Tokenizer, skip: bool) -> Stream:
    told: List[str] = []

    def given(text: Optional[str]) -> Optional[str]:
        first = text is not None and not told
        told.extend([text] if text else [])
        return None if first else text

    return Wrapped(tokenizer.decode_stream(skip), given)


def _ends() -> Iterator[Fault]:
    clause = "stream.flush"
    yield Fault(
        "never-flushed", "what is left at the end is lost", clause, stream=wrapping(ended=lambda _: None)
    )
    yield Fault(
        "flushed-twice", "what is left comes twice", clause, stream=wrapping(ended=lambda t: t and t * 2)
    )
    yield Fault(
        "flushes-a-space", "a blank at the end", clause, stream=wrapping(ended=lambda t: (t or "") + " ")
    )
    yield Fault("withholds-one", "each piece comes one step late", "stream.step", stream=_late)
    yield Fault("withholds-until-space", "pieces wait for the end of a word", "stream.step", stream=_words)
    yield Fault(
        "withholds-everything", "all of it comes at the end", "stream.step", stream=growing(lambda _: False)
    )


def _late(tokenizer: Tokenizer, skip: bool) -> Stream:
    kept: List[Optional[str]] = [None]

    def given(text: Optional[str]) -> Optional[str]:
        kept.append(text)
        return kept.pop(0)

    return Wrapped(tokenizer.decode_stream(skip), given, lambda text: (kept[0] or "") + (text or "") or None)


def _words(tokenizer: Tokenizer, skip: bool) -> Stream:
    kept = [""]

    def given(text: Optional[str]) -> Optional[str]:
        done, blank, rest = (kept[0] + (text or "")).rpartition(" ")
        kept[0] = rest
        return done + blank or None

    return Wrapped(tokenizer.decode_stream(skip), given, lambda text: kept[0] + (text or "") or None)


def _states() -> Iterator[Fault]:
    special = "stream.none"
    yield Fault(
        "special-given",
        "special tokens are given although they are to be skipped",
        special,
        stream=lambda t, _: t.decode_stream(False),
    )
    yield Fault(
        "special-never-given",
        "special tokens are never given",
        special,
        stream=lambda t, _: t.decode_stream(True),
    )
    yield Fault(
        "special-resets", "an id without text forgets the bytes before it", special, stream=_resetting
    )
    yield Fault(
        "skipped-id-ends-character", "a skipped id ends a cut character", "stream.byte-level", stream=_ending
    )
    yield Fault("latin-1", "bytes are given as Latin-1", "stream.byte-level", stream=_latin_1)
    yield Fault("state-shared", "two streams share their rest", "stream.memory", stream=_shared)
    yield Fault("unknown-id-fails", "an id that names nothing is an error", special, stream=_strict)


@dataclass
class Restarting:
    """The sound stream, begun anew behind each id that gives nothing and has no text of its own."""

    tokenizer: Tokenizer
    skip: bool
    flushed: bool
    sound: Stream

    def step(self, index: int) -> Optional[str]:
        if not self.tokenizer.decode([index], self.skip):
            rest = self.sound.flush() if self.flushed else None
            self.sound = self.tokenizer.decode_stream(self.skip)
            return rest
        return self.sound.step(index)

    def flush(self) -> Optional[str]:
        return self.sound.flush()


def _resetting(tokenizer: Tokenizer, skip: bool) -> Stream:
    return Restarting(tokenizer, skip, False, tokenizer.decode_stream(skip))


def _ending(tokenizer: Tokenizer, skip: bool) -> Stream:
    return Restarting(tokenizer, skip, True, tokenizer.decode_stream(skip))


def _latin_1(tokenizer: Tokenizer, skip: bool) -> Stream:
    if tokenizer.description.decoder is None or tokenizer.description.decoder.TYPE != "ByteLevel":
        return tokenizer.decode_stream(skip)
    decoder = codecs.getincrementaldecoder("latin-1")()

    @dataclass
    class Bytes:
        def step(self, index: int) -> Optional[str]:
            if skip and not tokenizer.decode([index], skip):
                return None
            return decoder.decode(token_bytes(tokenizer.id_to_token(index) or "")) or None

        def flush(self) -> Optional[str]:
            return None

    return Bytes()


def _shared(tokenizer: Tokenizer, skip: bool) -> Stream:
    """Every stream after the first of a tokenizer goes on where that one ended."""
    kept = tokenizer.__dict__.setdefault("_mutant_streams", {})
    return kept.setdefault(skip, tokenizer.decode_stream(skip))  # type: ignore[no-any-return]


def _strict(tokenizer: Tokenizer, skip: bool) -> Stream:
    @dataclass
    class Strict:
        sound: Stream

        def step(self, index: int) -> Optional[str]:
            if tokenizer.id_to_token(index) is None:
                raise ValueError(f"no token has the id {index}")
            return self.sound.step(index)

        def flush(self) -> Optional[str]:
            return self.sound.flush()

    return Strict(tokenizer.decode_stream(skip))
