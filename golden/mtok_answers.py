"""Rows of vectors about .mtok files; each is compared with the reference before it is written."""

from __future__ import annotations

import hashlib
import sys
from typing import Any, Dict, List

from tokassay import FormatError, Tokenizer, formats
from tokassay.checks.encode import SPECIAL_FIELDS
from tokassay.checks.vector import digest_fields

PAGE = "MNN tokenizer page"
Row = Dict[str, Any]


def given(content: bytes) -> Row:
    return {"name": "mtok", "hex": content.hex()}


def row(kind: str, op: str, topic: str, clauses: str, source: str, **fields: Any) -> Row:
    named = [f"mtok.{name}" for name in clauses.split()]
    origin = {"kind": "document", "ref": f"{PAGE}, {source}"} if source else {"kind": "hand", "ref": ""}
    frame = {"id": f"{kind}/{topic}", "op": op, "kind": kind, "level": "must", "clauses": named}
    return {**frame, "source": origin, "oracle": {"name": "clause", "version": "1"}, **fields}


def answered(content: bytes, answer: Row) -> Row:
    return {"inline": {"sha256": hashlib.sha256(content).hexdigest()[:16], **answer}}


def loads(  # noqa: PLR0917
    topic: str,
    clauses: str,
    content: bytes,
    probe: str,
    ids: List[int],
    back: str,
    source: str = "",
    **more: Any,
) -> Row:
    """A file that loads: `probe` gives `ids`, and these give `back`."""
    tokenizer = Tokenizer(formats.parse(content, format="mtok"))
    found = tokenizer.encode(probe, add_special_tokens=False)
    if found.ids != ids or tokenizer.decode(ids, skip_special_tokens=False) != back:
        decoded = tokenizer.decode(ids, skip_special_tokens=False)
        sys.exit(f"{topic}: {found.ids} instead of {ids}, {decoded!a} instead of {back!a}")
    sizes = {
        "vocab_size": tokenizer.vocab_size,
        "vocab_size_no_added": tokenizer.description.model.vocab_size,
    }
    answer = {"loads": True, **sizes, "ids": ids, "decoded": back}
    extra = {name: value for name, value in more.items() if name != "names"}
    if "names" in more:
        answer["id_to_token"] = {str(index): name for index, name in more["names"].items()}
        extra["probe_ids"] = list(more["names"])
    fields = {"file": given(content), "probe": probe, **extra}
    return row("mtok", "load", topic, clauses, source, **fields, expect=answered(content, answer))


def refused(topic: str, clauses: str, content: bytes, source: str = "", **more: Any) -> Row:
    try:
        formats.parse(content, format="mtok")
    except FormatError:
        answer = {"loads": False, "error": "FormatError"}
        fields = {"file": given(content), **more}
        return row("mtok", "load", topic, clauses, source, **fields, expect=answered(content, answer))
    sys.exit(f"{topic}: loads")


def encodes(  # noqa: PLR0917
    topic: str, clauses: str, content: bytes, probe: str, ids: List[int], special: List[int], source: str = ""
) -> Row:
    """With special tokens, too."""
    tokenizer = Tokenizer(formats.parse(content, format="mtok"))
    found, whole = tokenizer.encode(probe, add_special_tokens=False), tokenizer.encode(probe)
    if (found.ids, whole.ids) != (ids, special):
        sys.exit(f"{topic}: {found.ids}, {whole.ids} instead of {ids}, {special}")
    answer: Row = {"ids": ids, "tokens": found.tokens, "offsets": [list(span) for span in found.offsets]}
    columns = {name: [_plain(value) for value in getattr(whole, name)] for name in SPECIAL_FIELDS}
    decoded = {
        "decoded": tokenizer.decode(ids, skip_special_tokens=False),
        "decoded_plain": tokenizer.decode(special, skip_special_tokens=True),
    }
    if decoded["decoded"] == probe:
        del decoded["decoded"]
    if decoded["decoded_plain"] == decoded.get("decoded", probe):
        del decoded["decoded_plain"]
    answer.update(decoded)
    answer.update({} if special == ids else {"special_ids": special})
    answer["special"] = digest_fields(columns, SPECIAL_FIELDS)
    fields = {"file": given(content), "text": probe}
    return row("mtok-encode", "encode", topic, clauses, source, **fields, expect=answered(content, answer))


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def decodes(  # noqa: PLR0917
    topic: str, clauses: str, content: bytes, ids: List[int], back: str, skip: bool, source: str = ""
) -> Row:
    found = Tokenizer(formats.parse(content, format="mtok")).decode(ids, skip_special_tokens=skip)
    if found != back:
        sys.exit(f"{topic}: {found!a} instead of {back!a}")
    fields = {"file": given(content), "ids": ids, "skip_special_tokens": skip}
    return row(
        "mtok-decode", "decode", topic, clauses, source, **fields, expect=answered(content, {"text": back})
    )
