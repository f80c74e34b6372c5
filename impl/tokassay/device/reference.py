"""The reference implementation behind the engine Protocol: it is asked on boards, too."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable, List, Mapping, Optional, Sequence

from tokassay import Tokenizer, __version__
from tokassay.checks.engine import (
    CAPABILITIES,
    Encoded,
    EngineInfo,
    FaultError,
    RefusalError,
    Stages,
    Stream,
)
from tokassay.core.errors import PatternError, TokassayError, UnsupportedError
from tokassay.core.trace import Trace
from tokassay.formats import codecs
from tokassay.lookup.replay import replay

NAME = "reference"
Render = Callable[[str, object, Mapping[str, object]], str]
"""Template, messages and options to the prompt."""


def reference(render: Optional[Render] = None) -> ReferenceEngine:
    """The reference in this process; `render` does chat templates, which need a library."""
    claimed = frozenset(CAPABILITIES) - (set() if render else {"template"})
    known = (*sorted(codecs()), "merges.txt+vocab.json")  # a folder with both
    info = EngineInfo(NAME, __version__, claimed, known, "replace", {"threads": "safe"})
    return ReferenceEngine(info, render)


@dataclass(frozen=True)
class ReferenceEngine:
    """`Tokenizer` behind the Protocol."""

    info: EngineInfo
    render: Optional[Render] = None

    def load(self, path: str) -> ReferenceSession:
        """Any format that the reference reads; stored truncation and padding are off unless a vector asks.

        A file that bears a format's very name is read as that, any other by its content.
        """
        name = Path(path).name
        try:
            stored = Tokenizer.from_file(path, format=name if name in codecs() else None)
        except UnsupportedError as error:
            raise RefusalError(error.reason) from error
        except TokassayError as error:
            if _is_refusal(error):
                raise RefusalError(str(error)) from error
            raise FaultError(f"{type(error).__name__}: {error}") from error
        description = stored.description
        if description.truncation is None and description.padding is None:
            return ReferenceSession(self.info, path, stored, stored, self.render)
        plain = Tokenizer.from_description(replace(description, truncation=None, padding=None))
        return ReferenceSession(self.info, path, plain, stored, self.render)


@dataclass(frozen=True)
class ReferenceSession:
    """One loaded tokenizer. `stored` applies the truncation and padding of the file, `plain` does not."""

    info: EngineInfo
    path: str
    plain: Tokenizer
    stored: Tokenizer
    render: Optional[Render] = None

    def encode(self, text: str, pair: Optional[str] = None, *, add_special_tokens: bool = True) -> Encoded:
        return self.plain.encode(text, pair, add_special_tokens=add_special_tokens)

    def encode_limited(
        self, text: str, pair: Optional[str] = None, *, add_special_tokens: bool = True
    ) -> Encoded:
        return self.stored.encode(text, pair, add_special_tokens=add_special_tokens)

    def encode_batch_limited(
        self, texts: Sequence[str], *, add_special_tokens: bool = True
    ) -> Sequence[Encoded]:
        return self.stored.encode_batch(list(texts), add_special_tokens=add_special_tokens)

    def encode_bytes(self, data: bytes, *, add_special_tokens: bool = True) -> Encoded:
        return self.plain.encode_bytes(data, invalid="replace", add_special_tokens=add_special_tokens)

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> str:
        return self.plain.decode(list(ids), skip_special_tokens=skip_special_tokens)

    def decode_bytes(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> bytes:
        return self.plain.decode_bytes(list(ids), skip_special_tokens=skip_special_tokens)

    def stream(self, *, skip_special_tokens: bool = True) -> Stream:
        return self.plain.decode_stream(skip_special_tokens=skip_special_tokens)

    def stages(self, text: str) -> Stages:
        trace = self.plain.trace(text)
        pieces = [piece.text for part in trace.parts if part.id is None for piece in part.pieces]
        return Stages(_segments(trace), trace.normalized, pieces, trace.tokens, trace.ids)

    def vocab_size(self, *, with_added_tokens: bool = True) -> int:
        return self.plain.vocab_size if with_added_tokens else self.plain.description.model.vocab_size

    def id_to_token(self, index: int) -> Optional[str]:
        return self.plain.id_to_token(index)

    def lookup(
        self, rule: str, options: Mapping[str, object], calls: Sequence[Mapping[str, object]]
    ) -> Sequence[Sequence[int]]:
        return replay(rule, options, calls)

    def template(self, template: str, messages: object, options: Mapping[str, object]) -> str:
        if self.render is None:
            raise RefusalError("chat templates need the package jinja2")
        return self.render(template, messages, options)


def _is_refusal(error: Optional[BaseException]) -> bool:
    """Whether a pattern that the oracle accepts is behind it, which has no exact translation."""
    while error is not None:
        if isinstance(error, PatternError) and error.refused:
            return True
        error = error.__cause__
    return False


def _segments(trace: Trace) -> List[str]:
    """The text cut at its added tokens; a normalizer may have taken characters off a segment's ends."""
    cuts = [cut for part in trace.parts if part.id is not None for cut in part.span]
    edges = [0, *cuts, len(trace.text)]
    return [trace.text[start:end] for start, end in zip(edges, edges[1:]) if start < end]
