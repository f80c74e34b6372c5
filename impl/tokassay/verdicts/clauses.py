"""The sentence behind a clause: read from ``docs/spec`` when a failure is shown."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Dict, Mapping, Optional

from tokassay import data

_HEADING = re.compile(r"^#{2,4} `([a-z0-9.-]+)`")


@lru_cache(maxsize=1)
def sentences() -> Mapping[str, str]:
    """Anchor → the first sentence of its clause; empty where the pages are not at hand (a board)."""
    found: Dict[str, str] = {}
    for page in sorted((data.root() / "docs" / "spec").glob("*.md")):
        anchor = ""
        for paragraph in page.read_text("utf-8").replace("\n#", "\n\n#").split("\n\n"):
            heading, _, below = paragraph.strip().partition("\n")
            named = _HEADING.match(heading)
            anchor, text = (named.group(1), below) if named else (anchor, paragraph)
            if anchor and text.strip():
                found.setdefault(anchor, first_sentence(" ".join(text.split())))
                anchor = ""
    return found


def first_sentence(text: str) -> str:
    """Up to the first full stop that a blank follows."""
    end = text.find(". ")
    return text if end < 0 else text[: end + 1]


def sentence(anchor: str) -> Optional[str]:
    """What the clause demands, or None when no page has it."""
    return sentences().get(anchor)
