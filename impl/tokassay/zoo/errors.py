"""What can go wrong while a real tokenizer is fetched."""

from __future__ import annotations

from tokassay.core.errors import TokassayError


class ZooError(TokassayError):
    """A tokenizer could not be fetched, or is not the file that the lock names.

    Usual causes: no network, no npm on the machine, a package that was removed. The message names
    the entry and what to do; nothing wrong is ever left in the cache.
    """

    def __init__(self, name: str, reason: str) -> None:
        self.name, self.reason = name, reason
        super().__init__(f"{name}: {reason}")
