"""What MNN's wheel makes of chat templates, one JSON object a line: rows of golden/findings/mnn.jsonl.

Usage: python -m tools.newest.rendering < ROWS

The wheel writes to stdout as it likes: the answers go where stdout was.
"""

from __future__ import annotations

import json
import os
import sys

from tokassay.engines._mnn import rendered


def main() -> int:
    answers = os.dup(1)
    os.dup2(2, 1)
    for line in sys.stdin:
        given = json.loads(line)
        jinja = {"chat_template": given["template"], "eos": "</s>", "context": given["context"]}
        os.write(answers, json.dumps(rendered(jinja, given["messages"])).encode() + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
