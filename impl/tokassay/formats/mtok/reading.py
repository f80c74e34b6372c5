"""From bytes to a description (clause ``mtok.layout``)."""

from __future__ import annotations

from typing import Mapping, Optional, Sequence, Tuple

from ...core.description import AddedToken, Description, Device
from ...core.postprocessors.id_frame import IdFrame
from . import decoders, models, normalizers, pretokenizers, tail
from .cursor import Cursor
from .header import read_header

MOST_ADDED = 100_000


def parse(data: bytes) -> Description:
    """The description in the bytes of a .mtok; tables stay in the bytes, their content is not looked at.

    Raises:
        FormatError: with field and offset.
    """
    (special, stop, prefix), start = read_header(data)
    cursor = Cursor(data, start)
    normalizer = normalizers.read(cursor)
    pre_tokenizer = pretokenizers.read(cursor)
    model = models.read(cursor)
    decoder = decoders.read(cursor)
    added = _added_tokens(cursor)
    device, notes = tail.read(cursor, Device(special, stop, prefix))
    return Description(
        model,
        normalizer,
        pre_tokenizer,
        frame(device, added),
        decoder,
        added,
        device=device,
        warnings=tuple(notes),
    )


def _added_tokens(cursor: Cursor) -> Tuple[AddedToken, ...]:
    start, count = cursor.at, cursor.u32("added_tokens")
    if count > min(MOST_ADDED, cursor.left // 9):
        raise cursor.fault(f"{count} added tokens are too many", "added_tokens", start)
    return tuple(_added_token(cursor, f"added_tokens[{i}]") for i in range(count))


def _added_token(cursor: Cursor, field: str) -> AddedToken:
    index, special = cursor.u32(field), cursor.flag(field)
    lstrip, rstrip = cursor.flag(field), cursor.flag(field)
    content = cursor.string(field)
    return AddedToken(index, content, False, lstrip, rstrip, normalized=False, special=special)


def frame(device: Device, added: Sequence[AddedToken]) -> Optional[IdFrame]:
    """Ids around a text: the program's, or the header's prefix where there is no program."""
    program = device.program.ops if device.program is not None else ()
    ops = program or ((*device.prefix_ids, None) if device.prefix_ids else ())
    if ops in ((), (None,)):
        return None
    names: Mapping[int, str] = {token.id: token.content for token in added}
    return IdFrame(ops, tuple("" if op is None else names.get(op, "") for op in ops))
