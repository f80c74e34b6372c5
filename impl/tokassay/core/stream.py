"""Decoding token by token (clauses ``stream.*``)."""

from __future__ import annotations

from typing import Callable, Optional

from .arguments import id_of
from .decoders.stages import Each, Grain, Stage
from .description import Decoder

TokenOf = Callable[[int], Optional[str]]


def stage_of(decoder: Optional[Decoder]) -> Stage:
    """The whole decoder as one stage; without a decoder, tokens are joined by a space."""
    if decoder is None:
        return Each(lambda token, first: token if first else " " + token)
    return decoder.stream(grain=Grain.CHARACTER)


class DecodeStream:
    """Text while ids arrive. It holds state: one stream for one sequence of ids.

    The pieces, joined, are what `decode` makes of all the ids, as far as the clauses ``stream.*``
    do not say otherwise. No piece ends within a character, and nothing is kept that later ids
    cannot change.
    """

    def __init__(self, decoder: Optional[Decoder], token_of: TokenOf) -> None:
        """`token_of`: the token of an id, None for ids that decoding leaves out."""
        self._stage, self._token_of = stage_of(decoder), token_of

    def step(self, id: int) -> Optional[str]:  # noqa: A002 - the contract's word
        """The text that `id` completes, None when there is none.

        Raises:
            DecodeError: the oracle, too, fails on these ids.
            TypeError, ValueError: the id is no integer in 0..2**32-1.
        """
        token = self._token_of(id_of(id))
        if token is None:
            return None
        return "".join(self._stage.push(token)) or None

    def flush(self) -> Optional[str]:
        """The rest, None when there is none. The stream cannot be used afterwards."""
        return "".join(self._stage.finish()) or None
