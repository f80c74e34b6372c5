"""What the oracle refuses is refused, what it loads is loaded, and gives the same ids."""

from __future__ import annotations

import random
import re
import zlib
from typing import Any, Callable, Iterator, Optional

import pytest
import tokenizers

from tokassay import FormatError, Tokenizer, formats
from tokassay.fuzzing.documents import damage, documents, mutants, render

TEXTS = ("a b ab x", "b a-b, A1 A\u00e9 _x [UNK]a", "")
SAMPLE = 9  # every ninth mutant in the default run, all of them at night


def answers(act: Callable[[], Any]) -> Any:
    """What `act` answers; "error" where it raises (a panic of the oracle is a BaseException)."""
    try:
        return act()
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001
        return "error"


def oracle(data: bytes) -> Optional[tokenizers.Tokenizer]:
    found = answers(lambda: tokenizers.Tokenizer.from_buffer(data))
    return None if found == "error" else found


def reference(data: bytes) -> Optional[Tokenizer]:
    """Only a FormatError is a refusal; any other exception fails the test."""
    try:
        return Tokenizer.from_description(formats.parse(data, "mutant"))
    except FormatError as error:
        return None if error.reason else pytest.fail("a refusal without a reason")


def is_divergence_by_intent(text: str) -> bool:
    """Clause json.limits (a key without a value)."""
    return "Expecting ':'" in refusal(text.encode())


def refusal(data: bytes) -> str:
    try:
        formats.parse(data)
    except FormatError as error:
        return error.reason
    return ""


def differences(data: bytes) -> Iterator[str]:
    theirs, ours = oracle(data), reference(data)
    text = data.decode("utf-8", "replace")
    if (theirs is None) != (ours is None):
        if not is_divergence_by_intent(text):
            yield f"{text}\n  the oracle {'refuses' if theirs is None else 'loads'}; {refusal(data)}"
    elif theirs is not None and ours is not None and not is_random_or_huge(text):
        for sample in TEXTS:
            expected = answers(lambda: theirs.encode(sample).ids)  # noqa: B023 - called at once
            got = answers(lambda: ours.encode(sample).ids)  # noqa: B023
            if expected != got:
                yield f"{text}\n  {sample!r}: expected {expected}, got {got}"


def is_random_or_huge(text: str) -> bool:
    """Dropout above 0 has no one answer; padding to a billion is not worth the memory."""
    dropout = re.search(r'"dropout": ?([^,}]*)', text)
    return bool(dropout and dropout[1] not in ("0", "0.0", "null")) or bool(re.search(r"\d{5}", text))


CASES = list(documents())
NAMES = [f"{place}-{index}" for index, (place, _) in enumerate(CASES)]


@pytest.mark.parametrize(("place", "document"), CASES, ids=NAMES)
def test_a_sample_of_changed_values(place: str, document: Any) -> None:
    chosen = [text for text in set(mutants(document, place)) if zlib.crc32(text.encode()) % SAMPLE == 0]
    assert chosen
    assert not [line for text in chosen for line in differences(text.encode())]


@pytest.mark.nightly
@pytest.mark.parametrize(("place", "document"), CASES, ids=NAMES)
def test_every_changed_value(place: str, document: Any) -> None:
    assert not [line for text in set(mutants(document, place)) for line in differences(text.encode())]


def test_damaged_text() -> None:
    rng = random.Random(20261130)
    bases = [render(document).encode() for _, document in CASES]
    damaged = [damage(rng.choice(bases), rng) for _ in range(4000)]
    assert not [line for data in damaged for line in differences(data)]


def test_nesting_is_refused_at_the_same_depth() -> None:
    for depth in (100, 124, 125, 126, 127, 500, 100_000):
        inner = "[" * depth + "]" * depth
        text = '{"model":{"type":"WordLevel","vocab":{"a":0},"unk_token":"a","x":' + inner + "}}"
        assert (oracle(text.encode()) is None) == (reference(text.encode()) is None) == (depth > 125)
