"""The reference beside the oracle on one text: every output, and what differs first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, List, Optional, Tuple

import tokenizers

from ..core.tokenizer import Tokenizer

FIELDS = ("ids", "tokens", "offsets", "type_ids", "attention_mask", "special_tokens_mask", "word_ids")


@dataclass(frozen=True)
class Difference:
    """One output on which the two disagree (`oracle` and `reference` hold both answers)."""

    text: str
    output: str
    oracle: object
    reference: object

    def __str__(self) -> str:
        return f"{self.output} of {self.text!a}: oracle {self.oracle!r}, reference {self.reference!r}"


@dataclass(frozen=True)
class Pair:
    """The same file loaded by both, with the truncation and padding that it stores."""

    oracle: Any
    reference: Tokenizer

    @classmethod
    def load(cls, path: Path) -> Pair:
        return cls(tokenizers.Tokenizer.from_file(str(path)), Tokenizer.from_file(str(path)))

    def difference(self, text: str, *, special: bool = True, decode: bool = True) -> Optional[Difference]:
        """The first output that differs on `text`, or None. A failure of both counts as agreement."""
        theirs = _attempt(lambda: self.oracle.encode(text, add_special_tokens=special))
        ours = _attempt(lambda: self.reference.encode(text, add_special_tokens=special))
        if theirs is None or ours is None:
            same = theirs is ours or (
                ours is None and _attempt(lambda: self.reference.encode(text).ids) is None
            )
            return (
                None if same else Difference(text, "encode", theirs and theirs.ids, ours and list(ours.ids))
            )
        for output, left, right in self._outputs(theirs, ours, decode):
            if left != right:
                return Difference(text, output, left, right)
        return None

    def _outputs(self, theirs: Any, ours: Any, decode: bool) -> Iterator[Tuple[str, object, object]]:
        for name in FIELDS:
            yield name, list(getattr(theirs, name)), list(getattr(ours, name))
        if decode:
            ids = list(theirs.ids)
            for skip in (True, False):
                left = _attempt(lambda: self.oracle.decode(ids, skip_special_tokens=skip))  # noqa: B023
                right = _attempt(lambda: self.reference.decode(ids, skip_special_tokens=skip))  # noqa: B023
                yield f"decode(skip_special_tokens={skip})", left, right


def _attempt(call: Any) -> Any:
    """The call's answer, or None where it fails; HF panics are BaseException subclasses."""
    try:
        return call()
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException:  # noqa: BLE001 - PanicException derives from BaseException
        return None


def differences(pair: Pair, texts: Iterator[Any], most: int = 5) -> List[Difference]:
    """The first `most` differences over generated texts, alternating special tokens on and off."""
    found: List[Difference] = []
    for index, item in enumerate(texts):
        difference = pair.difference(item.text, special=index % 2 == 0)
        if difference is not None:
            found.append(difference)
            if len(found) == most:
                break
    return found
