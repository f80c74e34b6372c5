"""Every released engine on our own tokenizers and the real ones: it answers, or says what it cannot hold."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Callable

import pytest

from tokassay import data, engines
from tokassay.checks.engine import EngineError, RefusalError

OWN = sorted((data.root() / "golden" / "tokenizers").glob("*/tokenizer.json"))
REAL = ("qwen3", "llama3_1", "llama2", "gptoss", "mon")
TEXTS = ("Hello world", "  two\tblanks 123", "na\u00efve \u4f60\u597d")
# Files of its own that an engine loads of OWN, and of REAL; the least that the pinned versions do.
EXPECTED = {
    "hf": (30, 5),
    "tiktoken": (8, 3),
    "gigatoken": (8, 4),
    "tokie": (20, 4),
    "kitoken": (15, 4),
    "fastokens": (8, 4),
    "snaptokens": (8, 3),
    "tuetoken": (8, 4),
    "splintr": (15, 5),
    "quicktok": (5, 2),
    "morpheme": (30, 5),
    "nanotoken": (3, 0),
    "pytorch": (5, 4),
    "ortx": (5, 4),
    "openvino": (10, 3),
    "autotokenizer": (20, 5),
    "budtiktok": (20, 5),
    "bpe-openai": (0, 1),
    "hfjs": (20, 5),
    "lenml": (20, 5),
}


def tried(engine: Any, path: Path) -> str:
    """``answered``; else the class of what it did instead."""
    try:
        session = engine.load(str(path))
    except EngineError as error:
        return type(error).__name__
    try:
        for text in TEXTS:
            ids = session.encode(text).ids
            assert all(type(index) is int for index in ids)
            assert isinstance(session.decode(ids), str)
    except EngineError as error:
        return type(error).__name__
    return "answered"


@pytest.mark.nightly
@pytest.mark.parametrize("name", EXPECTED)
def test_it_runs(name: str, file_of: Callable[[str], Path]):
    engine = engines.open(name, isolate=True)
    own = Counter(tried(engine, path) for path in OWN)
    real = Counter(tried(engine, file_of(one)) for one in REAL)
    engine.close()
    least_own, least_real = EXPECTED[name]
    assert own["answered"] >= least_own
    assert real["answered"] >= least_real
    refused = {RefusalError.__name__, "answered"}
    assert own.total() - sum(own[kind] for kind in refused) <= len(OWN) // 2


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["sentencepiece", "kitoken", "gigatoken", "pytorch"])
def test_it_reads_a_sentencepiece_model(name: str, file_of: Callable[[str], Path]):
    engine = engines.open(name, isolate=True)
    session = engine.load(str(file_of("mistral_v1_sp")))
    assert list(session.encode("Hello world").ids) == [22557, 1526]
    engine.close()


@pytest.mark.nightly
def test_at_least_fifteen_packages_run():
    assert len([name for name in EXPECTED if engines.open(name).info.version]) >= 15
