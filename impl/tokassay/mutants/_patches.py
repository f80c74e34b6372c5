"""What many faults share: ways to patch one part of a description."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Callable, ClassVar, Dict, Iterable, List, Optional, Tuple, Union

from tokassay.core.aligned import AlignedText
from tokassay.core.decoders.sequence import Sequence as Decoders
from tokassay.core.decoders.stages import Each, Grain, Stage
from tokassay.core.description import AddedToken, Description
from tokassay.core.token import Token
from tokassay.diagnosis.alterations import Altered
from tokassay.diagnosis.alterations._parts import (
    Changing,
    normalizers,
    splitters,
    with_normalizers,
    with_patterns,
    with_splitters,
)

from ._fault import Patch

Kinds = Union[type, Tuple[type, ...]]
Cut = Callable[[str], Iterable[str]]


def described(change: Callable[[Description], Optional[Description]]) -> Patch:
    """Another description; where it is the same one, the fault does not concern the tokenizer."""

    def patch(description: Description) -> Optional[Altered]:
        changed = change(description)
        return None if changed is None or changed == description else Altered("", changed)

    return patch


def text(before: Callable[[str], str]) -> Patch:
    """The text is changed before anything else."""
    return lambda description: Altered("", description, before=before)


def ids(after: Callable[[Description, List[int]], List[int]]) -> Patch:
    """What comes out is changed."""
    return lambda description: Altered("", description, after=lambda found: after(description, found))


def shown(change: Callable[[str], str]) -> Patch:
    """A decoded text is changed."""
    return lambda description: Altered("", description, shown=change)


def patterns(rewrite: Callable[[str], str]) -> Patch:
    """Every pattern of the pre-tokenizer is another one."""
    return described(lambda description: with_patterns(description, rewrite))


def _each(steps: Tuple[Any, ...], kinds: Kinds, change: Callable[[Any], Any]) -> Tuple[Any, ...]:
    """The steps with those of a kind changed; None drops one."""
    changed = [change(step) if isinstance(step, kinds) else step for step in steps]
    return tuple(step for step in changed if step is not None)


def normalizer(kinds: Kinds, change: Callable[[Any], Any]) -> Patch:
    """Each normalizer of a kind is another one, or none."""

    def patch(description: Description) -> Optional[Description]:
        steps = normalizers(description)
        changed = _each(steps, kinds, change)
        return None if changed == steps else with_normalizers(description, changed)

    return described(patch)


def rewriting(kinds: Kinds, change: Callable[[Any, str], str]) -> Patch:
    """What a normalizer of a kind makes of a text is something else."""
    return normalizer(kinds, lambda step: Changing(lambda given: change(step, given)))


def pre_tokenizer(kinds: Kinds, change: Callable[[Any], Any]) -> Patch:
    """Each pre-tokenizer of a kind is another one, or none."""

    def patch(description: Description) -> Optional[Description]:
        steps = splitters(description)
        changed = _each(steps, kinds, change)
        return None if changed == steps else with_splitters(description, changed)

    return described(patch)


@dataclass(frozen=True)
class Cutting:
    """A pre-tokenizer that is a function from a text to pieces of it, in order."""

    TYPE: ClassVar[str] = "Cutting"
    UNALIGNED: ClassVar[bool] = True
    pieces: Cut

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        return [part for part in self.pieces(piece) if part]

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        """Pieces that do not stand in the text are put on top of its beginning."""
        spans, at = [], 0
        for part in self.split(piece.text):
            start = piece.text.find(part, at)
            if start < 0:
                return [
                    replace(piece, text=one, spans=[piece.origin] * len(one))
                    for one in self.split(piece.text)
                ]
            at = start + len(part)
            spans.append((start, at))
        return piece.cut(spans)


def cutting(kinds: Kinds, change: Callable[[Any, str], Iterable[str]]) -> Patch:
    """What a pre-tokenizer of a kind makes of a piece is something else."""
    return pre_tokenizer(kinds, lambda step: Cutting(lambda piece: change(step, piece)))


def added(change: Callable[[AddedToken], Optional[AddedToken]]) -> Patch:
    """Each added token is another one, or none."""

    def patch(description: Description) -> Optional[Description]:
        tokens = tuple(found for token in description.added_tokens for found in [change(token)] if found)
        return None if tokens == description.added_tokens else replace(description, added_tokens=tokens)

    return described(patch)


def model(kinds: Kinds, change: Callable[[Any], Any]) -> Patch:
    """A model of a kind is another one; None where the fault does not concern it."""

    def patch(description: Description) -> Optional[Description]:
        found: Any = change(description.model) if isinstance(description.model, kinds) else None
        return None if found is None or found == description.model else replace(description, model=found)

    return described(patch)


def flag(kinds: Kinds, **values: Any) -> Patch:
    """Fields of the model have other values."""

    def change(found: Any) -> Any:
        return replace(found, **values) if any(getattr(found, n) != v for n, v in values.items()) else None

    return model(kinds, change)


@dataclass(frozen=True)
class Segmenting:
    """A model whose pieces are cut into tokens in another way: `ids` is told the sound model and a piece."""

    UNALIGNED: ClassVar[bool] = True
    inner: Any
    find: Callable[[Any, str], List[int]]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def build(self) -> Segmenting:
        return self

    def ids(self, piece: str) -> List[int]:
        return self.find(self.inner, piece)

    def tokenize(self, piece: str) -> List[Token]:
        """Ranges are of no interest here: what differs are the ids."""
        name = self.inner.id_to_token
        return [Token(index, name(index) or "", 0, len(piece)) for index in self.ids(piece)]


def segmenting(kinds: Kinds, find: Callable[[Any, str], List[int]]) -> Patch:
    """The model cuts pieces otherwise."""
    return model(kinds, lambda found: Segmenting(found, find))


@dataclass(frozen=True)
class Decoding:
    """A decoder that is a function on the tokens."""

    TYPE: ClassVar[str] = "Decoding"
    fuses: ClassVar[bool] = False
    grain: ClassVar[Grain] = Grain.TOKEN
    decode: Callable[[List[str]], List[str]]

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def decode_chain(self, tokens: List[str]) -> List[str]:
        return self.decode(tokens)

    def stream(self, *, grain: Grain) -> Stage:  # noqa: ARG002 - the protocol's
        return self.flow()

    def flow(self) -> Stage:
        return Each(lambda token, _: "".join(self.decode([token])))


def decoder(kinds: Kinds, change: Callable[[Any], Any]) -> Patch:
    """Each decoder of a kind is another one, or none."""

    def patch(description: Description) -> Optional[Description]:
        found = description.decoder
        if isinstance(found, Decoders):
            steps = _each(found.decoders, kinds, change)
            return None if steps == found.decoders else replace(description, decoder=Decoders(steps))
        if found is None or not isinstance(found, kinds):
            return None
        changed = change(found)
        return replace(description, decoder=Decoders(()) if changed is None else changed)

    return described(patch)


def decoding(kinds: Kinds, change: Callable[[Any, List[str]], List[str]]) -> Patch:
    """What a decoder of a kind makes of tokens is something else."""
    return decoder(kinds, lambda step: Decoding(lambda tokens: change(step, tokens)))
