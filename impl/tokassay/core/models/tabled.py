"""What models share whose vocabulary is a table of its own: the questions about single tokens go to it."""

from __future__ import annotations

from typing import ClassVar, Mapping, Optional, Protocol

from ..device_only import DeviceOnly


class Table(Protocol):
    """Token strings by id."""

    @property
    def vocab(self) -> Mapping[str, int]:
        """Token → id."""
        ...

    @property
    def size(self) -> int:
        """How many ids there are, holes included."""
        ...

    def find(self, token: str) -> Optional[int]: ...

    def token_at(self, index: int) -> Optional[str]:
        """None beyond the table, and for a hole."""
        ...


class Tabled(DeviceOnly, Protocol):
    """The vocabulary half of such a model."""

    PART: ClassVar[str] = "model"
    table: Table

    @property
    def vocab(self) -> Mapping[str, int]:
        """Token → id."""
        return self.table.vocab

    @property
    def vocab_size(self) -> int:
        return self.table.size

    def token_to_id(self, token: str) -> Optional[int]:
        return self.table.find(token)

    def id_to_token(self, index: int) -> Optional[str]:
        return self.table.token_at(index)
