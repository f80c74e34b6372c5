"""What an engine under test is: a small Protocol, its capabilities, and the ways it can fail.

An `Engine` is a piece of software in one version; `Engine.load` opens a tokenizer file and gives
a `Session`, which is what the checks talk to. A session always encodes and decodes; everything
else is optional and has to be declared as a capability. A declared capability that is then
refused counts as an error of the engine, an undeclared one is never called.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import FrozenSet, Mapping, Optional, Protocol, Sequence, Tuple

# Closed vocabulary: a capability is a method of `Session` (or an attribute of `Encoded`)
# that the engine offers.
CAPABILITIES: Mapping[str, str] = {
    "encode": "text to ids",
    "decode": "ids to text",
    "add_special": "encode can add the post-processor's special tokens",
    "skip_special": "decode can leave special tokens out",
    "pair": "encode takes a second text",
    "tokens": "encode also answers the token strings",
    "offsets": "encode also answers character ranges of the original text",
    "masks": "encode also answers type ids, the attention and special-tokens masks, and word ids",
    "encode_bytes": "encode takes bytes, which need not be UTF-8",
    "decode_bytes": "ids to the exact bytes",
    "stream": "ids one by one to text",
    "flush": "at the end of a stream, what was withheld",
    "stages": "what each stage of the pipeline did to a text",
    "limits": "truncation and padding as stored in the file",
    "vocabulary": "the size of the vocabulary, and ids to token strings",
    "template": "chat templates",
    "lookup": "prompt-lookup drafts",
}


@dataclass(frozen=True)
class EngineInfo:
    """Who answers. `invalid_utf8` names the engine's policy: "replace", "reject" or None (not declared)."""

    name: str
    version: str
    capabilities: FrozenSet[str]
    formats: Tuple[str, ...] = ("tokenizer.json",)
    invalid_utf8: Optional[str] = None
    build: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Stages:
    """What each stage made of a text; None where the engine cannot tell.

    Fields stand in pipeline order, so the first one that differs names the stage at fault.
    """

    segments: Optional[Sequence[str]] = None  # the text cut at added tokens
    normalized: Optional[Sequence[str]] = None  # one text per segment that is not an added token
    pieces: Optional[Sequence[str]] = None  # after the pre-tokenizer, added tokens left out
    tokens: Optional[Sequence[str]] = None  # after the model
    ids: Optional[Sequence[int]] = None  # after the post-processor


STAGE_NAMES: Mapping[str, str] = {
    "segments": "added tokens",
    "normalized": "normalizer",
    "pieces": "pre-tokenizer",
    "tokens": "model",
    "ids": "post-processor",
}


class Encoded(Protocol):
    """Answer of `Session.encode`. What is not declared as a capability is never read."""

    @property
    def ids(self) -> Sequence[int]: ...

    @property
    def tokens(self) -> Sequence[str]: ...

    @property
    def offsets(self) -> Sequence[Tuple[int, int]]: ...

    @property
    def type_ids(self) -> Sequence[int]: ...

    @property
    def attention_mask(self) -> Sequence[int]: ...

    @property
    def special_tokens_mask(self) -> Sequence[int]: ...

    @property
    def word_ids(self) -> Sequence[Optional[int]]: ...

    @property
    def overflowing(self) -> Sequence[Encoded]: ...


@dataclass(frozen=True)
class Answer:
    """An `Encoded` for engines that answer with plain lists; what they do not claim stays empty."""

    ids: Sequence[int]
    tokens: Sequence[str] = ()
    offsets: Sequence[Tuple[int, int]] = ()
    type_ids: Sequence[int] = ()
    attention_mask: Sequence[int] = ()
    special_tokens_mask: Sequence[int] = ()
    word_ids: Sequence[Optional[int]] = ()
    overflowing: Sequence[Encoded] = ()


class Stream(Protocol):
    """A decoder fed one id at a time."""

    def step(self, index: int) -> Optional[str]:
        """The text that became certain with this id, or None."""
        ...

    def flush(self) -> Optional[str]:
        """What was withheld, at the end."""
        ...


class Session(Protocol):
    """An engine with one tokenizer loaded. Methods beyond `encode` and `decode` need a capability."""

    @property
    def info(self) -> EngineInfo: ...

    @property
    def path(self) -> str:
        """The tokenizer file that was loaded."""
        ...

    def encode(self, text: str, pair: Optional[str] = None, *, add_special_tokens: bool = True) -> Encoded:
        """Without the truncation and padding that the file stores."""
        ...

    def encode_limited(
        self, text: str, pair: Optional[str] = None, *, add_special_tokens: bool = True
    ) -> Encoded:
        """With the truncation and padding that the file stores (capability ``limits``)."""
        ...

    def encode_batch_limited(
        self, texts: Sequence[str], *, add_special_tokens: bool = True
    ) -> Sequence[Encoded]:
        """A batch, padded as the file says (capability ``limits``)."""
        ...

    def encode_bytes(self, data: bytes, *, add_special_tokens: bool = True) -> Encoded: ...

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> str: ...

    def decode_bytes(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> bytes: ...

    def stream(self, *, skip_special_tokens: bool = True) -> Stream: ...

    def stages(self, text: str) -> Stages: ...

    def vocab_size(self, *, with_added_tokens: bool = True) -> int: ...

    def id_to_token(self, index: int) -> Optional[str]: ...

    def lookup(
        self, rule: str, options: Mapping[str, object], calls: Sequence[Mapping[str, object]]
    ) -> Sequence[Sequence[int]]:
        """The drafts of one history (`tokassay.lookup.replay`); RefusalError for a rule not its own."""
        ...

    def template(self, template: str, messages: object, options: Mapping[str, object]) -> str:
        """The prompt of a conversation; RefusalError for what the engine has no way to be given.

        `options` are further names that the template knows, and ``continue_final_message``.
        """
        ...


class Engine(Protocol):
    """One engine in one version."""

    @property
    def info(self) -> EngineInfo: ...

    def load(self, path: str) -> Session:
        """Open a tokenizer file. Raises RefusalError, FaultError, CrashError or UnavailableError."""
        ...


class EngineError(Exception):
    """Root of what an engine can do other than answer; `reason` says what happened."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class RefusalError(EngineError):
    """The engine says that it does not do this (a format, a component, a policy): verdict ``unsupported``."""


class FaultError(EngineError):
    """The engine answered with an error: verdict ``error``."""


class CrashError(EngineError):
    """The engine panicked, aborted or died: verdict ``crash``."""


class TimeLimitError(EngineError):
    """The engine did not answer in time: verdict ``timeout``."""


class AbsentError(EngineError):
    """Nobody asked the engine: there is no recorded answer. Verdict ``not-run``."""


class UnavailableError(EngineError):
    """The engine cannot be started, or used up its restarts: the run ends with exit code 3.

    `hint` says what to do about it.
    """

    def __init__(self, reason: str, hint: str = "") -> None:
        self.hint = hint
        super().__init__(f"{reason} ({hint})" if hint else reason)


class AddressError(UnavailableError):
    """The address is wrong, not an engine down: usage, exit code 2 (clause ``exit.codes``)."""
