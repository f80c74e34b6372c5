"""The rule ``hf`` and its scan against transformers' own generator; whole generations (extra ``torch``)."""

from __future__ import annotations

import random

import pytest

from tokassay import data, engines
from tokassay.checks import lookup
from tokassay.checks.judging import narrowed
from tokassay.checks.vector import read_vectors
from tokassay.engines.transformers_lookup import _draft
from tokassay.lookup import NgramIndex, generate
from tokassay.vectors import scanning

pytestmark = pytest.mark.nightly
GOLDEN = data.root() / "golden"
VECTORS = GOLDEN / "vectors" / "lookup"
TOKENIZER = str(GOLDEN / "tokenizers" / "gpt2" / "tokenizer.json")
VOCABULARY = 16


def test_the_committed_histories_of_the_rule_are_answered_alike():
    session = engines.open("transformers-lookup").load(TOKENIZER)
    vectors = [narrowed(vector, "gpt2") for vector in read_vectors(VECTORS / "lookup-hf.jsonl")]
    kinds = [lookup.check(session, vector).kind for vector in vectors]
    assert set(kinds) == {"pass", "unsupported"}  # reference texts are unknown to it
    assert kinds.count("pass") > 150


def test_random_histories_are_answered_alike():
    rng = random.Random(20261130)
    for _ in range(3000):
        symbols = rng.choice((2, 3, 5))
        ids = [rng.randrange(symbols) for _ in range(rng.randint(1, 24))]
        options = {"max_ngram": rng.randint(1, 5), "num_draft": rng.randint(1, 10)}
        if rng.random() < 0.3:
            options["eos"] = [rng.randrange(symbols)]
        if rng.random() < 0.3:
            options["banned"] = [rng.randrange(symbols)]
        if rng.random() < 0.3:
            options["max_length"] = len(ids) + rng.randint(1, 5)
        index = NgramIndex("hf", **options)
        index.extend(ids)
        calls = [{"extend": ids}, {"draft": True}]
        expected = _draft(ids, **options)
        assert index.draft() == expected, (ids, options)
        assert scanning.drafts({"rule": "hf", "options": options, "calls": calls}) == [expected], (
            ids,
            options,
        )


@pytest.mark.parametrize("rule", ["seed", "hf", "vllm", "tensorrt-llm", "llama.cpp-simple", "mnn"])
def test_a_tiny_llama_in_float64_writes_what_it_writes_greedily(rule):
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(7)
    config = LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=128,
    )
    llama = LlamaForCausalLM(config).to(torch.float64).eval()

    def model(ids, start):
        with torch.no_grad():
            logits = llama(torch.tensor([list(ids)])).logits[0, start:]
        return logits.argmax(dim=-1).tolist()

    rng, accepted = random.Random(5), 0
    for _ in range(25):
        prompt = [rng.randrange(VOCABULARY) for _ in range(rng.randint(2, 12))] * rng.randint(1, 3)
        greedy = list(prompt)
        for _ in range(24):
            greedy += model(greedy, len(greedy) - 1)
        result = generate(model, prompt, 24, NgramIndex(rule, 2, 4))
        assert [*prompt, *result.ids] == greedy
        accepted += result.accepted
    assert accepted > 0 or rule == "llama.cpp-simple"
