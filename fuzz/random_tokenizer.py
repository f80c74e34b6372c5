"""Random tokenizers: the engine and the oracle load the same ones, and agree on texts and ids of each."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Iterator, List, Optional, Sequence

from tokassay.fuzzing.coverage import main
from tokassay.fuzzing.grammar import tokenizers
from tokassay.fuzzing.sides import Loader, Sides, is_undecided
from tokassay.fuzzing.target import Case, Found, Setting

TEXTS = 4
WHOLE = (0, 3)  # with and without special tokens; the ids of the others cost a third


@dataclass(frozen=True)
class RandomTokenizer:
    """Four texts each, two of them with every column; ids are decoded and streamed."""

    loader: Loader

    def draw(self, chance: Random) -> Case:
        document = tokenizers.tokenizer(chance)
        texts = [tokenizers.text_for(chance, document) for _ in range(TEXTS)]
        return {"document": document, "texts": texts, "ids": tokenizers.ids_for(chance, document)}

    def check(self, case: Case) -> Optional[Found]:
        if is_undecided(case["document"]):
            return None
        sides, found = self.loader.document(case["document"])
        if sides is None:
            return found
        return next(filter(None, _answers(sides, case)), None)


def _answers(sides: Sides, case: Case) -> Iterator[Optional[Found]]:
    texts = case["texts"]
    for number, text in enumerate(texts):
        yield sides.encoded(text, special=number % 2 == 0, whole=number in WHOLE)
    if len(texts) > 1:
        yield sides.paired(texts[0], texts[1], special=True)
        if case["document"]["truncation"] or case["document"]["padding"]:
            yield sides.limited(few(texts[:3], case["document"]["post_processor"]), special=True)
    for ids in (case["ids"], *_own_ids(sides, texts)):
        for skip in (True, False):
            yield sides.decoded(ids, skip=skip)
        if is_exact(case["document"]["decoder"]):
            yield sides.streamed(ids, skip=False, late=False)  # some decoders have to see the next token


def few(texts: Sequence[str], processor: Any) -> List[str]:
    """Cut where a template names a sequence again and again.

    What truncation leaves over is combined each with each, every time: of 12 characters, 20,000 encodings.
    """
    often = json.dumps(processor).count('"Sequence": {') > 3
    return [text[:3] if often else text for text in texts]


def is_exact(decoder: Any) -> bool:
    """Whether a stream has to end with the decoded text: not where a clause ``stream.*`` says "differs"."""
    steps = list(_steps(decoder))
    texts = sum(step["type"] in ("Fuse", "ByteLevel") for step in steps)
    patterns = [step["pattern"] for step in steps if step["type"] == "Replace"]
    loose = any(step["type"] == "ByteFallback" for step in steps)
    return texts < 2 and not loose and all(pattern.get("String") for pattern in patterns)


def _steps(decoder: Any) -> Iterator[Any]:
    if decoder and decoder["type"] == "Sequence":
        for part in decoder["decoders"]:
            yield from _steps(part)
    elif decoder:
        yield decoder


def _own_ids(sides: Sides, texts: list[str]) -> Iterator[list[int]]:
    """What the last text is encoded to."""
    if texts:
        ids = sides.ids_of(texts[-1])
        if ids is not None:
            yield ids


def open_target(setting: Setting) -> RandomTokenizer:
    return RandomTokenizer(Loader.of(setting))


if __name__ == "__main__":
    sys.exit(main(Path(__file__)))
