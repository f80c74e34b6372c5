"""From a description to bytes, for descriptions that the format has (`projecting` makes them)."""

from __future__ import annotations

from ...core.description import AddedToken, Description
from ...core.errors import FormatError
from . import decoders, models, normalizers, pretokenizers, tail
from .cursor import string, u32
from .header import written_header


def written(description: Description) -> bytes:
    """FormatError for what the format cannot hold."""
    device = description.device
    if device is None:
        raise FormatError("has no header lists: project it first", field="device")
    return b"".join(
        (
            written_header((device.special_ids, device.stop_ids, device.prefix_ids)),
            normalizers.written(description.normalizer),
            pretokenizers.written(description.pre_tokenizer),
            models.written(description.model),
            decoders.written(description.decoder),
            u32(len(description.added_tokens)),
            *map(_added_token, description.added_tokens),
            tail.written(device),
        )
    )


def _added_token(token: AddedToken) -> bytes:
    flags = bytes([token.special, token.lstrip, token.rstrip])
    return u32(token.id) + flags + string(token.content, f"added_tokens[{token.id}]")
