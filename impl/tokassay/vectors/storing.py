"""From a full answer of the oracle to what a row stores of it."""

from __future__ import annotations

import hashlib
from typing import Any, Mapping

from tokassay.checks.vector import DIGITS, REST_FIELDS, digest, digest_fields, file_bytes, inline_bytes

from .rows import Row

_FULL = ("ids", "tokens", "offsets", "decoded", "decoded_plain", "special_ids", "special", "overflowing")
_SHORT = ("ids", "decoded", "decoded_plain")


def given_text(row: Mapping[str, Any]) -> str:
    """The text of an encode row, invalid UTF-8 replaced."""
    data = bytes.fromhex(row["bytes_hex"]) if "bytes_hex" in row else str(row["text"]).encode("utf-8")
    return data.decode("utf-8", "replace")


def inline_sha256(row: Mapping[str, Any]) -> str:
    """The sha256 that stands for a row's own tokenizer: of its file, or of the JSON of its files."""
    if "files" in row:
        return digest(row["files"])
    if "file" in row:
        return hashlib.sha256(file_bytes(row["file"])).hexdigest()
    return hashlib.sha256(inline_bytes(row["tokenizer"])).hexdigest()


def stored(row: Mapping[str, Any], answer: Mapping[str, Any], sha256: str, *, full: bool) -> Row:
    """The entry of ``expect``: in full, or ids and a digest over the rest.

    What is equal is left out: ``special_ids`` to the ids, ``decoded`` to the text, ``decoded_plain`` to it.
    """
    made_with = {"sha256": sha256[:DIGITS]}
    if row["op"] != "encode" or "error" in answer:
        return {**made_with, **answer}
    kept = {name: answer[name] for name in (_FULL if full else _SHORT) if name in answer}
    if not full:
        kept["rest"] = digest_fields(answer, REST_FIELDS)
    for name, same in (("decoded_plain", answer["decoded"]), ("decoded", given_text(row))):
        if kept[name] == same:
            del kept[name]
    if kept.get("special_ids") == kept["ids"]:
        del kept["special_ids"]
    return {**made_with, **kept}
