"""Metaspace: the replacement character becomes a space again (``decode.metaspace``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..fields import Fields
from .stages import Each, Grain, Stage

_SCHEMES = ("first", "never", "always")


@dataclass(frozen=True)
class Metaspace:
    """HF ``decoders.Metaspace``; `split` is carried along and has no effect here."""

    TYPE: ClassVar[str] = "Metaspace"
    replacement: str
    prepend_scheme: str = "always"
    split: bool = True
    fuses: ClassVar[bool] = False

    @classmethod
    def from_fields(cls, fields: Fields) -> Metaspace:
        replacement = fields.character("replacement")
        scheme = fields.choice("prepend_scheme", _SCHEMES, "always")
        if fields.optional_boolean("add_prefix_space") is False and scheme != "never":
            raise fields.error("add_prefix_space", f"false contradicts prepend_scheme {scheme!r}")
        fields.optional_string("str_rep")
        split = fields.optional_boolean("split")
        return cls(replacement, scheme, True if split is None else split)

    def to_fields(self) -> Dict[str, object]:
        return {
            "type": self.TYPE,
            "replacement": self.replacement,
            "prepend_scheme": self.prepend_scheme,
            "split": self.split,
        }

    @property
    def grain(self) -> Grain:
        return Grain.CHARACTER if self.prepend_scheme == "never" else Grain.FIRST_TOKEN

    def decode_chain(self, tokens: List[str]) -> List[str]:
        return [self._decoded(token, i == 0) for i, token in enumerate(tokens)]

    def _decoded(self, token: str, first: bool) -> str:
        return token.replace(self.replacement, "" if first and self.prepend_scheme != "never" else " ")

    def stream(self, *, grain: Grain) -> Stage:  # noqa: ARG002
        return Each(self._decoded)

    def flow(self) -> Stage:
        return Each(lambda text, _: self._decoded(text, True))
