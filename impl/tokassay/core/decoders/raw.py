"""Decoding to bytes: text in which a lone surrogate U+DC80..U+DCFF stands for an invalid byte.

That is Python's ``surrogateescape``. Only decoders that make bytes differ from `decode_chain`;
all others work on such texts as on any other (``decode.bytes.*``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Protocol, runtime_checkable

if TYPE_CHECKING:
    from ..description import Decoder


@runtime_checkable
class MakesBytes(Protocol):
    """A decoder that turns tokens into bytes."""

    def raw_chain(self, tokens: List[str]) -> List[str]:
        """`decode_chain` with invalid bytes kept."""
        ...


def raw_chain(decoder: Decoder, tokens: List[str]) -> List[str]:
    """The texts that `decoder` makes of `tokens`, invalid bytes kept."""
    return decoder.raw_chain(tokens) if isinstance(decoder, MakesBytes) else decoder.decode_chain(tokens)
