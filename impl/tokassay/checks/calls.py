"""What a check is going to ask, told ahead: an engine behind a pipe answers many questions faster than one.

A session may have ``expect(calls)``; it is called with what comes next, in order, and sends it ahead. The
answers are the same without it, and a call that was announced need not be made.
"""

from __future__ import annotations

from typing import Iterable, NamedTuple, Optional, Protocol, Sequence, Union, runtime_checkable


class Call(NamedTuple):
    """One call of a `Session` method: encode, encode_limited, encode_bytes, decode or decode_bytes.

    `special` is the method's option: add_special_tokens when encoding, skip_special_tokens when decoding;
    True where the engine is asked without it.
    """

    method: str
    argument: Union[str, bytes, Sequence[int]]
    special: bool = True
    pair: Optional[str] = None


@runtime_checkable
class Foresighted(Protocol):
    """A session that can be told what comes next."""

    def expect(self, calls: Iterable[Call]) -> None: ...


def announce(session: object, calls: Iterable[Call]) -> None:
    """Tell a session what comes next, where it wants to know; `calls` is read as the answers are used up."""
    if isinstance(session, Foresighted):
        session.expect(calls)
