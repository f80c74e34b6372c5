"""A process that answers questions about vectors with the oracle, one JSON line in, one out.

The oracle may abort its process on a hostile tokenizer; in a process of its own that costs one
answer. Started as ``python -m tokassay.vectors.worker``; the first line out names the version.
"""

from __future__ import annotations

import json
import sys

from tokassay.vectors.answers import VERSION, answer


def main() -> None:
    """Serve until stdin ends."""
    print(json.dumps({"name": "tokenizers", "version": VERSION}), flush=True)  # noqa: T201
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(answer(asked["row"], asked["path"])), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
