"""Encode: the engine and the oracle agree on every column of texts made for the tokenizer."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Dict, Iterator, List, Optional, Sequence

from tokassay import data
from tokassay.fuzzing.batches import At, by_tokenizer, compared_ids
from tokassay.fuzzing.coverage import main
from tokassay.fuzzing.on_files import Files
from tokassay.fuzzing.target import Case, Found, Setting
from tokassay.fuzzing.worker import tried

SHORT = 64
WHOLE = 64  # one text in so many


@dataclass(frozen=True)
class Encode:
    """`whole` on few texts, and short ones: most of what goes wrong shows in the ids, which cost little.

    Texts for a file with truncation or padding are encoded with these, too, unless they are very long for it.
    """

    files: Files

    def draw(self, chance: Random) -> Case:
        path, text = self.files.text(chance)
        made: Case = {
            "tokenizer": path,
            "text": text,
            "special": chance.random() < 0.5,
            "whole": chance.randrange(WHOLE) == 0 and len(text) <= SHORT,
        }
        most = self.files.most_limited(path)
        if most and len(text) <= most:
            made |= {"whole": True, "more": [self.files.text_of(path, chance)[:most]]}
        return made

    def case_of(self, content: bytes) -> Case:
        """A byte for the tokenizer and its options, then the text itself: golden texts are seeds."""
        path = self.files.paths[(content[:1] or b"\0")[0] % len(self.files.paths)]
        text = content[1:].decode("utf-8", "replace")
        return {"tokenizer": path, "text": text, "special": len(content) % 2 == 0, "whole": True}

    def check(self, case: Case) -> Optional[Found]:
        sides = self.files.sides(case)
        if sides is None:
            return None
        found = sides.encoded(case["text"], special=case["special"], whole=case.get("whole", True))
        if found is None and "more" in case:
            return sides.limited([case["text"], *case["more"]], special=case["special"])
        return found

    def check_all(self, cases: Sequence[Case], at: At) -> List[Optional[Found]]:
        """See `tokassay.fuzzing.batches`."""
        found: Dict[int, Optional[Found]] = {}
        for path, questions in by_tokenizer(cases).items():
            sides = self.files.loader.file(path)
            found.update(compared_ids(sides, questions, at) if sides else ())
        for number, case in enumerate(cases):
            if number not in found:
                at(number)
                found[number] = tried(self.check, case)
        return [found[number] for number in range(len(cases))]


def open_target(setting: Setting) -> Encode:
    return Encode(Files.of(setting))


def seeds() -> Iterator[bytes]:
    """The texts of the golden vectors, a few tokenizers in turn."""
    for number, text in enumerate(golden_texts()):
        yield bytes([number % 256]) + text.encode("utf-8")


def golden_texts() -> Sequence[str]:
    from tokassay.checks.vector import read_vectors  # noqa: PLC0415 - only campaigns need it

    vectors = read_vectors(data.root() / "golden" / "vectors" / "encode")
    return [
        str(vector.given["text"]) for vector in vectors if "text" in vector.given and len(vector.text) < 200
    ]


if __name__ == "__main__":
    sys.exit(main(Path(__file__)))
