"""Freezes answers of prompt lookup in the source document's own terms, tensors, in golden/lookup/torch.json.

Sliding windows over the whole history, one comparison for all of them, the first one that fits. Needs torch.

Usage: python golden/torch_answers.py
"""

from __future__ import annotations

import hashlib
import json
import random
from itertools import islice
from pathlib import Path
from typing import Callable, Iterator

PATH = Path(__file__).resolve().parent / "lookup" / "torch.json"
SEED, HISTORIES, BLOCK = 20261130, 6000, 100


def histories(seed: int) -> Iterator[tuple[list[int], int, int]]:
    """Endless small histories with the sizes to ask for; few symbols, so that n-grams come again."""
    rng = random.Random(seed)
    while True:
        symbols = rng.choice((2, 3, 5, 9))
        max_ngram, num_draft = rng.randint(1, 5), rng.randint(1, 10)
        yield [rng.randrange(symbols) for _ in range(rng.randint(max_ngram, 40))], max_ngram, num_draft


def digests(answer: Callable[[list[int], int, int], list[int]]) -> Iterator[str]:
    """One sha256 for each hundred answers."""
    asked = histories(SEED)
    for _ in range(HISTORIES // BLOCK):
        answers = [answer(*history) for history in islice(asked, BLOCK)]
        yield hashlib.sha256(json.dumps(answers, separators=(",", ":")).encode("ascii")).hexdigest()


def tensor_answer(ids: list[int], max_ngram: int, num_draft: int) -> list[int]:
    """All windows of a size at once; one counts if enough follows it, before the last window starts."""
    import torch  # noqa: PLC0415 - the tests read this file without it

    history = torch.tensor(ids)
    length = len(history)
    for n in range(max_ngram, 0, -1):
        equal = history.unfold(0, n, 1).eq(history[length - n :]).all(dim=1)
        starts = torch.nonzero(equal).flatten() + n
        fitting = starts[(starts + num_draft <= length) & (starts < length - n)]
        if len(fitting):
            first = int(fitting[0])
            return list(history[first : first + num_draft].tolist())
    return []


def main() -> None:
    import torch  # noqa: PLC0415 - see above

    frozen = {"torch": torch.__version__, "seed": SEED, "histories": HISTORIES, "block": BLOCK}
    PATH.parent.mkdir(exist_ok=True)
    content = json.dumps({**frozen, "blocks": list(digests(tensor_answer))}, indent=1)
    PATH.write_text(content + "\n", encoding="ascii")
    print(f"{HISTORIES} answers frozen in {PATH.name}")


if __name__ == "__main__":
    main()
