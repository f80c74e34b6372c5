"""One load in a fresh process: run as a script by `test_load.py`, prints its times and the ids as JSON.

Modules are imported before the clock starts, here as for the oracle; what is built on first use counts.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any, Callable

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"


def oracle() -> Callable[[str], Any]:
    import tokenizers

    return tokenizers.Tokenizer.from_file


def ours() -> Callable[[str], Any]:
    from tokassay import Tokenizer
    from tokassay.core.registry import discover
    from tokassay.formats import codecs

    codecs()
    for family in ("normalizers", "pretokenizers", "models", "postprocessors", "decoders"):
        discover(f"tokassay.core.{family}")
    return Tokenizer.from_file


def main(side: str, path: str, text: str) -> None:
    load = oracle() if side == "oracle" else ours()
    wall, processor = time.perf_counter(), time.process_time()
    tokenizer = load(path)
    ids = tokenizer.encode(text).ids
    taken = [time.process_time() - processor, time.perf_counter() - wall]
    print(json.dumps([*taken, ids]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
