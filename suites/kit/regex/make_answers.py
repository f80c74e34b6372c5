"""Write the oracle's pieces for random patterns and for texts on the edges of published ones.

Run on the host with the oracle installed; rewrites `answers.jsonl` beside it, one row per pattern:
``[pattern, [[text, [piece, ...]], ...]]``, or ``[pattern, null]`` where the oracle rejects it.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Optional

from tokenizers import Regex, pre_tokenizers

from tokassay.core.regex import compile_pattern
from tokassay.fuzzing.patterns import edge_text, pattern, text

HERE = Path(__file__).parent
SEED = 20261130


def row(source: str, texts: list[str]) -> list[Optional[object]]:
    try:
        split = pre_tokenizers.Split(Regex(source), "isolated")
    except Exception:  # noqa: BLE001 - the binding has no narrower class
        return [source, None]
    return [source, [[one, [piece for piece, _ in split.pre_tokenize_str(one)]] for one in texts]]


def main() -> None:
    rng = random.Random(SEED)
    rows = []
    for _ in range(900):
        source = pattern(rng)
        rows.append(row(source, [text(rng) for _ in range(5)]))
    for source in json.loads((HERE / "published.json").read_text("utf-8")).values():
        edges = compile_pattern(source).edges()
        rows.append(row(source, [edge_text(rng, edges) for _ in range(40)]))
    lines = [json.dumps(one, ensure_ascii=True) for one in rows]
    (HERE / "answers.jsonl").write_text("\n".join(lines) + "\n", "ascii")


if __name__ == "__main__":
    main()
