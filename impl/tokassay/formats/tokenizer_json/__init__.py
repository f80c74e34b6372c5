"""tokenizer.json, the file of HF ``tokenizers`` 0.23.3 (clauses ``json.*``).

What the oracle loads is read as the oracle reads it, its surprises included; what it refuses, or
panics on, is a `FormatError`. `serialize` writes the same bytes as the oracle's pretty ``save``.
"""

from __future__ import annotations

from ...core.description import Description
from .places import offset_of as locate
from .projecting import missing, project
from .reading import parse
from .writing import serialize

__all__ = ["NAME", "Description", "locate", "missing", "parse", "probe", "project", "serialize"]

NAME = "tokenizer.json"


def probe(data: bytes) -> bool:
    """An object, a byte order mark or space before it aside; a number of four bytes may look like a brace."""
    head = data[:4096]
    return head[3 * head.startswith(b"\xef\xbb\xbf") :].lstrip(b" \t\r\n")[:1] == b"{" and head[3:4] != b"\0"
