"""The sentence behind a clause: read from ``docs/spec`` when a failure is shown."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Dict, Mapping, Optional

from tokassay import data

_HEADING = re.compile(r"^#{2,4} `([a-z0-9.-]+)`")


@lru_cache(maxsize=1)
def sentences() -> Mapping[str, str]:
    """Anchor → the first paragraph line of its clause; empty where the pages are not at hand (a board)."""
    found: Dict[str, str] = {}
    for page in sorted((data.root() / "docs" / "spec").glob("*.md")):
        anchor = None
        for line in page.read_text("utf-8").split("\n"):
            heading = _HEADING.match(line)
            if heading:
                anchor = heading.group(1)
            elif anchor and line.strip():
                found[anchor] = line.strip()
                anchor = None
    return found


def sentence(anchor: str) -> Optional[str]:
    """What the clause demands, or None when no page has it."""
    return sentences().get(anchor)
