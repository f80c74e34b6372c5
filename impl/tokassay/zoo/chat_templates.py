"""Chat templates of the zoo: part of its tokenizer_config.json files."""

from __future__ import annotations

import json
from typing import Optional

from .fetching import locate


def template_of(name: str) -> Optional[str]:
    """The chat template of a tokenizer_config.json of the zoo (pinned by its content), if it is here."""
    path = locate([name]).present.get(name)
    return None if path is None else str(json.loads(path.read_bytes())["chat_template"])
