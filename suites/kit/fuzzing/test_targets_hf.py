"""Every target: its property holds for the reference, in the plain loop and under Hypothesis."""

from __future__ import annotations

import random
import tempfile
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tokassay import data
from tokassay.fuzzing.strategies import cases
from tokassay.fuzzing.target import Setting, programs
from tokassay.fuzzing.worker import case_seed, tried

OWN = tuple(
    str(data.root() / "golden" / "tokenizers" / name / "tokenizer.json")
    for name in ("gpt2", "t5", "bert-cased")
)
FORMATS = (
    "gguf",
    "mtok",
    "sentencepiece",
    "tekken",
    "tiktoken",
    "tokenizer-json",
    "tokenizer-txt",
    "vocab-bin",
)
OTHERS = ("decode", "encode", "invalid-utf8", "lookup", "random-tokenizer", "stream", "template", "wire")
SEED = 20261130
LARGE = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)
SCRATCH = tempfile.TemporaryDirectory(prefix="tokassay-")


def opened(name, folder):
    return programs()[name].open(Setting(tokenizers=OWN, scratch=str(folder)))


def test_every_target_is_known_by_its_file():
    assert sorted(programs()) == sorted((*FORMATS, *OTHERS))


@pytest.mark.parametrize("name", programs())
def test_plain_loop(name, tmp_path):
    target = opened(name, tmp_path)
    for index in range(60):
        case = target.draw(random.Random(case_seed(SEED, index)))
        assert tried(target.check, case) is None, case


@pytest.mark.parametrize("name", programs())
def test_fuzzer_bytes(name, tmp_path):
    """Golden seeds, and bytes that are nothing in particular."""
    program, target = programs()[name], opened(name, tmp_path)
    seeds = [*list(program.seeds())[::40], b"", b"\xff", random.Random(SEED).randbytes(500)]
    for content in seeds:
        assert tried(target.check, program.case_of(target, content)) is None, content


@cache
def opened_once(name):
    """For tests that HypoFuzz can run: fixtures are not for these."""
    return opened(name, SCRATCH.name)


@pytest.mark.parametrize("name", programs())
@settings(max_examples=10, deadline=None, suppress_health_check=LARGE)
@given(source=st.data())
def test_hypothesis(name, source):
    target = opened_once(name)
    case = source.draw(cases(target))
    assert target.check(case) is None


@pytest.mark.nightly
@pytest.mark.parametrize("name", programs())
def test_ten_thousand_cases(name, tmp_path):
    target = programs()[name].open(Setting(scratch=str(tmp_path)))
    for index in range(10_000):
        case = target.draw(random.Random(case_seed(SEED + 1, index)))
        assert tried(target.check, case) is None, case
