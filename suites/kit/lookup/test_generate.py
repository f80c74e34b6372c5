"""Speculative decoding is lossless and saves exactly the passes that it should, whatever the rule drafts."""

from __future__ import annotations

import collections
import hashlib
import json
import random

import pytest

from tokassay import Tokenizer, data
from tokassay.lookup import NgramIndex, Step, generate, generate_batch, rules, simulate


def toy_model(seed, context, symbols, calls=None):
    """The next token is a hash of the last few: deterministic, and it loops."""

    def next_token(ids):
        words = (seed, *ids[-context:])
        return hashlib.blake2b(repr(words).encode(), digest_size=4).digest()[0] % symbols

    def model(ids, start):
        if calls is not None:
            calls.append(len(ids) - start)
        return [next_token(ids[: place + 1]) for place in range(start, len(ids))]

    return model


def greedy(model, prompt, budget, eos=(), stop=None):
    output = []
    while len(output) < budget:
        ids = [*prompt, *output]
        output += model(ids, len(ids) - 1)
        if output[-1] in eos or (stop is not None and stop(output)):
            break
    return output


def runs(count, seed):
    rng = random.Random(seed)
    for number in range(count):
        symbols = rng.choice((2, 3, 5, 20))
        prompt = [rng.randrange(symbols) for _ in range(rng.randint(1, 25))]
        yield number, rng.randint(1, 4), symbols, prompt, rng.randint(0, 40), rng.choice(((), (0,)))


@pytest.mark.parametrize("rule", sorted(rules()))
def test_the_output_is_greedy_and_every_pass_is_accounted_for(rule):
    for seed, context, symbols, prompt, budget, eos in runs(850, 7):  # 5,100 over the six rules
        calls = []
        model = toy_model(seed, context, symbols, calls)
        index = NgramIndex(rule, 3, 4)
        result = generate(model, prompt, budget, index, eos=eos)
        passes = len(calls)
        assert list(result.ids) == greedy(toy_model(seed, context, symbols), prompt, budget, eos)
        assert result.forward_passes == passes
        assert sum(step.tokens for step in result.steps) == len(result.ids)
        # Each pass adds what it accepted and one token of its own, but for one that ends within its draft;
        # padding may come true as well.
        extra = [step.tokens - step.accepted - 1 for step in result.steps[:-1]]
        assert all(more == 0 or (rule == "mnn" and more > 0) for more in extra)
        assert index.ids == [*prompt, *result.ids]


def ngram_model(ids):
    """What followed the last two ids most often in a text, else the last one, else the commonest id."""
    counts = collections.defaultdict(collections.Counter)
    for place, token in enumerate(ids):
        for n in (0, 1, 2):
            counts[tuple(ids[max(0, place - n) : place])][token] += 1

    def next_token(history):
        tails = (tuple(history[len(history) - n :]) for n in (2, 1))
        found = next((counts[tail] for tail in tails if tail in counts), counts[()])
        return min(found, key=lambda token: (-found[token], token))

    return lambda history, start: [next_token(history[: place + 1]) for place in range(start, len(history))]


@pytest.mark.parametrize("rule", sorted(rules()))
def test_a_model_of_a_text_writes_what_it_writes_greedily(rule):
    text = (data.root() / "docs" / "spec" / "prompt-lookup.md").read_text(encoding="utf-8")
    tokenizer = Tokenizer.from_file(data.root() / "golden" / "tokenizers" / "gpt2" / "tokenizer.json")
    ids = list(tokenizer.encode(text, add_special_tokens=False).ids)
    model, accepted = ngram_model(ids), 0
    for start in range(0, len(ids) - 40, 97):
        prompt = ids[start : start + 40]
        result = generate(model, prompt, 40, NgramIndex(rule, 3, 4))
        assert list(result.ids) == greedy(model, prompt, 40)
        accepted += result.accepted
    assert accepted > 0


def test_an_agreed_draft_of_four_gives_five_tokens_in_one_pass():
    # A dropped bonus token would leave the output as it is, and need one more pass.
    result = simulate([1, 2, 3, 4, 5, 6, 7, 1, 2], [3, 4, 5, 6, 7, 1, 2, 3], NgramIndex("seed", 2, 4))
    assert result.steps == (Step(4, 4, 5, n=2), Step(2, 2, 3, n=2))


def test_the_passes_of_a_text_that_repeats_with_a_period_of_three():
    result = simulate([1, 2, 3], [1, 2, 3] * 4, NgramIndex("hf", 3, 10))
    assert [(step.drafted, step.accepted) for step in result.steps] == [(0, 0), (3, 3), (3, 3), (2, 2)]
    assert result.acceptance.tokens_per_forward == 3.0


def test_an_end_token_inside_a_draft_ends_the_output_there():
    result = simulate([9, 5, 6, 0, 7, 9], [5, 6, 0, 7, 9], NgramIndex("seed", 1, 3))
    assert result.ids == (5, 6, 0, 7, 9)
    ended = generate(_teacher(6, [5, 6, 0, 7, 9]), [9, 5, 6, 0, 7, 9], 5, NgramIndex("seed", 1, 3), eos=0)
    assert ended.ids == (5, 6, 0)
    assert ended.forward_passes == 1


def _teacher(first, continuation):
    return lambda ids, start: [continuation[place - first] for place in range(start + 1, len(ids) + 1)]


def test_stop_is_asked_after_every_token():
    asked = []

    def stop(output):
        asked.append(len(output))
        return output[-1] == 6

    result = generate(
        _teacher(6, [5, 6, 0, 7, 9]), [9, 5, 6, 0, 7, 9], 5, NgramIndex("seed", 1, 3), stop=stop
    )
    assert result.ids == (5, 6)
    assert sorted(set(asked)) == [1, 2]


def test_a_draft_leaves_room_for_the_models_own_token():
    widths = []
    model = toy_model(1, 1, 1, widths)
    result = generate(model, [0, 0, 0], 2, NgramIndex("hf", 1, 10))
    assert result.ids == (0, 0)
    assert widths == [2]


def test_padding_is_fed_and_verified_but_counts_as_no_draft():
    widths = []
    model = toy_model(1, 1, 1, widths)
    result = generate(model, [0, 5, 0], 8, NgramIndex("mnn", 1, 4))
    assert result.ids == (0,) * 8
    assert widths[0] == 5
    assert result.steps[0].drafted == 1


def test_each_pass_is_told():
    told = []
    result = generate(toy_model(1, 2, 2), [0, 1, 0], 12, NgramIndex("hf"), on_step=told.append)
    assert tuple(told) == result.steps


@pytest.mark.parametrize("budget", [0, 1, 2])
def test_small_budgets_are_kept(budget):
    assert len(generate(toy_model(1, 1, 2), [0, 1], budget, NgramIndex("hf", 1, 10)).ids) == budget


def test_wrong_use_is_told():
    with pytest.raises(ValueError, match="the prompt holds no id"):
        generate(toy_model(1, 1, 2), [], 3, NgramIndex())
    with pytest.raises(ValueError, match="max_new_tokens must be at least 0"):
        generate(toy_model(1, 1, 2), [1], -1, NgramIndex())
    with pytest.raises(ValueError, match="the model answered with 0 ids for 1 positions"):
        generate(lambda *_: [], [1], 3, NgramIndex())


def test_the_names_of_what_was_saved():
    saved = simulate([1, 2, 3], [1, 2, 3] * 4, NgramIndex("hf", 3, 10)).acceptance
    assert (saved.forward_passes, saved.tokens, saved.drafted, saved.accepted) == (4, 12, 8, 8)
    assert (saved.acceptance_rate, saved.accepted_length, saved.accepted_length_with_bonus) == (
        1.0,
        8 / 3,
        11 / 3,
    )
    assert saved.by_position == (1.0,) * 3
    assert {n: part.drafted for n, part in saved.by_ngram.items()} == {1: 3, 3: 5}
    nothing = simulate([1], [2], NgramIndex()).acceptance
    assert (nothing.acceptance_rate, nothing.accepted_length_with_bonus, nothing.by_position) == (
        0.0,
        0.0,
        (),
    )


@pytest.mark.parametrize("rule", ["seed", "hf", "mnn"])
def test_a_batch_gives_each_sequence_what_it_gets_alone(rule):
    widths = []

    def batch(asked):
        widths.append(len(asked))
        return [toy_model(3, 2, 3)(ids, start) for ids, start in asked]

    prompts = [prompt for _, _, _, prompt, _, _ in runs(8, 11)]
    prompts = [[token % 3 for token in prompt] for prompt in prompts]
    together = generate_batch(batch, prompts, 30, [NgramIndex(rule) for _ in prompts], eos=0)
    alone = [generate(toy_model(3, 2, 3), prompt, 30, NgramIndex(rule), eos=0) for prompt in prompts]
    assert together == alone
    assert widths == sorted(widths, reverse=True)
    assert len(widths) == max(result.forward_passes for result in alone)


def test_a_batch_needs_an_index_for_each_prompt():
    index = NgramIndex()
    with pytest.raises(ValueError, match="2 prompts need as many indexes, each of its own"):
        generate_batch(list, [[1], [2]], 3, [index, index])
    with pytest.raises(ValueError, match="the model answered 0 of 1 sequences"):
        generate_batch(lambda _: [], [[1]], 3, [index])


@pytest.mark.parametrize("rule", ["seed", "hf", "vllm", "mnn"])
def test_sampling_with_one_random_stream_per_position_is_exact(rule):
    """Accepting a draft while it equals the sample is sampling, for a drafter that does not look at it."""

    def sampler(seed):
        def model(ids, start):
            return [sample(seed, ids[: place + 1]) for place in range(start, len(ids))]

        return model

    def sample(seed, ids):
        skewed = [sum(ids[-2:]) % 3] * 3 + [0, 1, 2]  # three of six chances for what the context suggests
        return random.Random(f"{seed}-{len(ids)}").choice(skewed)

    for seed in range(200):
        prompt = [seed % 3, 1, 2, 1]
        result = generate(sampler(seed), prompt, 25, NgramIndex(rule, 2, 4))
        assert list(result.ids) == greedy(sampler(seed), prompt, 25)


def test_the_documents_renamed_field_costs_each_rule_what_is_written_down():
    case = json.loads((data.root() / "golden" / "lookup" / "user-class.json").read_bytes())
    tokenizer = Tokenizer.from_file(
        data.root() / "golden" / "tokenizers" / case["tokenizer"] / "tokenizer.json"
    )
    prompt, output = (
        list(tokenizer.encode(case[name], add_special_tokens=False).ids) for name in ("prompt", "output")
    )
    assert sorted(case["expected"]) == sorted(rules())
    for rule, expected in case["expected"].items():
        result = simulate(prompt, output, NgramIndex(rule, case["max_ngram"], case["num_draft"]))
        found = {name: getattr(result, name) for name in ("forward_passes", "drafted", "accepted")}
        assert {"tokens": len(result.ids), **found} == expected, rule
        assert list(result.ids) == output
