"""From a full answer of the oracle to what a row stores of it."""

from __future__ import annotations

import hashlib
from typing import Any, Mapping

from tokassay.checks.vector import REST_FIELDS, digest, digest_fields, inline_bytes

from .rows import Row

_FULL = ("ids", "tokens", "offsets", "decoded", "decoded_plain", "special_ids", "special", "overflowing")
_SHORT = ("ids", "decoded", "decoded_plain")


def given_text(row: Mapping[str, Any]) -> str:
    """The text of an encode row, invalid UTF-8 replaced."""
    return (
        bytes.fromhex(row["bytes_hex"]).decode("utf-8", "replace") if "bytes_hex" in row else str(row["text"])
    )


def inline_sha256(row: Mapping[str, Any]) -> str:
    """The sha256 that stands for a row's own tokenizer: of the file as it is loaded, or of its files' JSON."""
    if "files" in row:
        return digest(row["files"])
    return hashlib.sha256(inline_bytes(row["tokenizer"])).hexdigest()


def stored(row: Mapping[str, Any], answer: Mapping[str, Any], sha256: str, *, full: bool) -> Row:
    """The entry of ``expect``: in full, or ids and a digest over the rest."""
    if row["op"] != "encode" or "error" in answer:
        return {"sha256": sha256, **answer}
    kept = {name: answer[name] for name in (_FULL if full else _SHORT) if name in answer}
    if kept["decoded_plain"] == kept["decoded"]:
        del kept["decoded_plain"]
    if kept["decoded"] == given_text(row):
        del kept["decoded"]
    if not full:
        kept["rest"] = digest_fields(answer, REST_FIELDS)
    return {"sha256": sha256, **kept}
