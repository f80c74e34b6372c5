"""The rule ``hf`` and its scan against transformers' own generator; whole generations (extra ``torch``)."""

from __future__ import annotations

import random

import pytest

from tokassay import data
from tokassay.checks.vector import read_vectors
from tokassay.lookup import NgramIndex, generate
from tokassay.vectors import scanning

pytestmark = pytest.mark.nightly
VOCABULARY = 16


def transformers_draft(  # noqa: PLR0917 - as the rule has its options
    ids, max_ngram, num_draft, eos=None, max_length=1 << 20, banned=None
):
    """What `PromptLookupCandidateGenerator` proposes; its own class, its own logits processors."""
    import torch
    from transformers import LogitsProcessorList, SuppressTokensLogitsProcessor
    from transformers.generation.candidate_generator import PromptLookupCandidateGenerator

    size = max([*ids, VOCABULARY]) + 1
    processors = LogitsProcessorList()
    if banned:
        processors.append(SuppressTokensLogitsProcessor(list(banned), device="cpu"))
    generator = PromptLookupCandidateGenerator(
        eos_token_id=torch.tensor(list(eos)) if eos else None,
        num_output_tokens=num_draft,
        max_matching_ngram_size=max_ngram,
        max_length=max_length,
        logits_processor=processors,
        vocab_size=size,
    )
    candidates, _ = generator.get_candidates(torch.tensor([ids]))
    return candidates[0, len(ids) :].tolist()


def test_the_committed_histories_of_the_rule_are_answered_alike():
    asked = 0
    for vector in read_vectors(data.root() / "golden" / "vectors" / "lookup" / "lookup-hf.jsonl"):
        calls = vector.given["calls"]
        ids = [token for call in calls if "extend" in call for token in call["extend"]]
        plain = all(
            set(call) <= {"extend", "draft"} or call.get("role") in ("prompt", "output") for call in calls
        )
        if (
            not plain
            or not ids
            or max(ids) > 1000
            or [call for call in calls if "draft" in call] != calls[-1:]
        ):
            continue
        expected = vector.expect["gpt2"]["drafts"]
        assert [transformers_draft(ids, **vector.given["options"])] == expected, vector.id
        asked += 1
    assert asked > 100


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
        expected = transformers_draft(ids, **options)
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
