"""The three options that every component called ByteLevel stores, whether it obeys them or not."""

from __future__ import annotations

from typing import Dict, Protocol, Tuple

from .fields import Fields


class ByteLevelOptions(Protocol):
    """What a pre-tokenizer, post-processor or decoder ByteLevel has."""

    @property
    def add_prefix_space(self) -> bool: ...

    @property
    def trim_offsets(self) -> bool: ...

    @property
    def use_regex(self) -> bool: ...


def read_options(fields: Fields) -> Tuple[bool, bool, bool]:
    """`add_prefix_space`, `trim_offsets`, `use_regex`; the last one came later and may be missing."""
    return (
        fields.boolean("add_prefix_space"),
        fields.boolean("trim_offsets"),
        fields.boolean("use_regex", default=True),
    )


def written(options: ByteLevelOptions) -> Dict[str, object]:
    """The component as tokenizer.json has it."""
    return {
        "type": "ByteLevel",
        "add_prefix_space": options.add_prefix_space,
        "trim_offsets": options.trim_offsets,
        "use_regex": options.use_regex,
    }
