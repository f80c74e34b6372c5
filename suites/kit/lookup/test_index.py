"""`NgramIndex`: every rule equals its definition, however the history came about."""

from __future__ import annotations

import random

import pytest

from tokassay.lookup import NgramIndex, Proposal, find_candidate_ids, rules
from tokassay.lookup.rules.mnn import SHARES


def matches(ids, n):
    """Where the text goes on after each earlier occurrence of its last n ids."""
    return [start for start in range(n, len(ids)) if ids[start - n : start] == ids[len(ids) - n :]]


def longest_leftmost(ids, max_ngram, num_draft, least=1):
    for n in range(min(max_ngram, len(ids)), least - 1, -1):
        for start in matches(ids, n):
            return ids[start : start + num_draft]
    return []


def transformers(ids, max_ngram, num_draft, eos, banned):
    for n in range(min(max_ngram, len(ids)), 0, -1):
        for start in matches(ids, n):
            draft = ids[start : start + num_draft]
            if draft[0] in banned:
                continue
            ends = [place for place, token in enumerate(draft) if token in banned or token in eos]
            return draft[: ends[0]] if ends else draft
    return []


def simple(ids, n, num_draft):
    before = ids[:-1]
    if len(before) <= n + num_draft + 1:
        return []
    for index in range(len(before) - n - 1, 0, -1):
        if ids[index : index + n] == ids[-n:]:
            draft = before[index + n : index + n + num_draft]
            return draft if len(draft) >= n else []
    return []


def first_come(ids, max_ngram, num_draft):
    """MNN's look-ahead that takes the longest n-gram and its first follower; the last id is not indexed."""
    history, draft = ids[:-1], []
    while ids and len(draft) < num_draft:
        text = ids + draft
        found = [
            history[start]
            for n in range(min(max_ngram, len(text)), 0, -1)
            for start in range(n, len(history))
            if history[start - n : start] == text[len(text) - n :]
        ]
        if not found:
            break
        draft.append(found[0])
    return draft + [0] * (num_draft - len(draft)) if draft else []


def grow(index, ids, rng):
    """Bring the index to `ids` by extending in pieces, going astray and cutting back."""
    while len(index) < len(ids):
        at = len(index)
        index.extend(ids[at : at + rng.randint(1, 6)])
        if rng.random() < 0.3:
            kept = len(index)
            index.extend([rng.randrange(4) for _ in range(rng.randint(0, 6))])
            index.truncate(kept)
        if rng.random() < 0.1:
            index.truncate(rng.randint(0, len(index)))


def histories(count, seed):
    rng = random.Random(seed)
    for _ in range(count):
        symbols = rng.choice((2, 3, 5))
        ids = [rng.randrange(symbols) for _ in range(rng.randint(0, 24))]
        yield rng, ids, rng.randint(1, 5), rng.randint(1, 10)


def test_seed_equals_its_definition():
    for rng, ids, max_ngram, num_draft in histories(1500, 1):
        index = NgramIndex("seed", max_ngram, num_draft)
        grow(index, ids, rng)
        assert index.draft() == find_candidate_ids(ids, max_ngram, num_draft), (ids, max_ngram, num_draft)


def test_hf_equals_a_scan_with_end_tokens_and_banned_ids():
    for rng, ids, max_ngram, num_draft in histories(1500, 2):
        eos, banned = rng.choice(((), (0,), (0, 1))), rng.choice(((), (1,), (1, 2)))
        index = NgramIndex("hf", max_ngram, num_draft, eos=eos, banned=banned or None)
        grow(index, ids, rng)
        assert index.draft() == transformers(ids, max_ngram, num_draft, eos, banned), (ids, eos, banned)


def test_vllm_and_tensorrt_llm_equal_a_scan_within_their_caps():
    for rng, ids, max_ngram, num_draft in histories(1500, 3):
        least, most = rng.randint(1, max_ngram), len(ids) + rng.randint(-1, 6)
        vllm = NgramIndex("vllm", max_ngram, num_draft, min_ngram=least, max_model_len=most)
        pool = NgramIndex("tensorrt-llm", max_ngram, num_draft, max_length=most)
        for index in (vllm, pool):
            grow(index, ids, rng)
        room = max(0, most - len(ids))
        assert vllm.draft() == longest_leftmost(ids, max_ngram, min(num_draft, room), least)
        assert pool.draft() == longest_leftmost(ids, max_ngram, max(0, min(num_draft, room - 1)))


def test_llama_cpp_simple_equals_a_scan_from_the_right():
    for rng, ids, max_ngram, num_draft in histories(3000, 4):
        index = NgramIndex("llama.cpp-simple", max_ngram, num_draft)
        grow(index, ids, rng)
        assert index.draft() == simple(ids, max_ngram, num_draft), (ids, max_ngram, num_draft)


def test_mnn_first_come_equals_a_scan_of_the_prompt():
    for rng, ids, max_ngram, num_draft in histories(1500, 5):
        index = NgramIndex("mnn", max_ngram, num_draft, selection="fcfs")
        index.extend(ids, role="prompt")
        kept = rng.randint(0, len(ids))
        index.draft()
        index.truncate(kept)
        index.extend(ids[kept:], role="prompt")
        assert index.draft() == first_come(ids, max_ngram, num_draft), (ids, max_ngram, num_draft)


@pytest.mark.parametrize(
    ("options", "ids", "expected"),
    [
        ({}, [1, 2, 9, 1, 2, 8, 1, 2], [8, 1, 2]),  # a tie: what came last
        ({}, [1, 2, 9, 5, 1, 2, 8, 5, 1, 2, 8, 5, 1, 2], [8, 5, 1]),
        ({"strictness": "high"}, [1, 2, 9, 5, 1, 2, 8, 5, 1, 2, 8, 5, 1, 2], []),
        ({"strictness": "medium"}, [1, 2, 9, 5, 1, 2, 8, 5, 1, 2, 8, 5, 1, 2], [8, 5, 1]),
        ({"punctuation": [2]}, [1, 2, 9, 5, 1, 2, 8, 5, 1, 2, 8, 5, 1, 2], []),
    ],
)
def test_mnn_takes_the_most_frequent_times_length_with_its_share(options, ids, expected):
    index = NgramIndex("mnn", 2, 3, **options)
    index.extend(ids, role="prompt")
    assert index.draft() == expected


def test_mnn_fills_a_draft_with_token_0_and_that_is_told_apart():
    index = NgramIndex("mnn", 4, 4)
    index.extend([5, 6, 5], role="prompt")
    assert index.draft() == [6, 0, 0, 0]
    assert index.propose() == Proposal((6,), 1, (0, 0, 0))


def test_mnn_does_not_index_its_output():
    index = NgramIndex("mnn", 2, 2)
    index.extend([1, 2, 3], role="prompt")
    index.extend([4, 5, 4], role="output")
    assert index.draft() == []


def test_hf_drafts_nothing_when_one_id_is_left():
    index = NgramIndex("hf", 2, 6, max_length=6)
    index.extend([1, 2, 3, 1, 2])
    assert index.draft() == []


@pytest.mark.parametrize("rule", ["seed", "hf", "vllm", "tensorrt-llm"])
def test_reference_texts_are_searched_after_the_history_and_never_across_their_ends(rule):
    index = NgramIndex(rule, 3, 2)
    index.extend([1, 2, 50, 51], role="reference")
    index.extend([1, 2, 60, 61], role="reference")
    index.extend([9, 1, 2], role="prompt")
    assert index.draft() == [50, 51]
    index.extend([70, 71, 1, 2])
    assert index.draft() == [70, 71]
    index.reset(keep_references=True)
    index.extend([51, 1])
    assert index.draft() == [2, 50]
    index.reset()
    index.extend([9, 1, 2])
    assert index.draft() == []


def test_a_reference_is_matched_at_its_longest_in_the_text_that_has_it():
    index = NgramIndex("hf", 3, 2)
    index.extend([8, 7, 40, 41], role="reference")
    index.extend([5, 8, 7, 50, 51], role="reference")
    index.extend([5, 8, 7], role="prompt")
    assert index.draft() == [50, 51]


def test_ids_reach_beyond_2_to_the_31():
    for token in (0, 1 << 21, (1 << 31) - 1, (1 << 32) - 2):
        index = NgramIndex("seed", 2, 2)
        index.extend([token, 3, 4, token])
        assert index.draft() == [3, 4]


@pytest.mark.parametrize("rule", sorted(rules()))
def test_the_next_request_does_not_see_the_last_one(rule):
    index = NgramIndex(rule, 2, 2)
    index.extend([1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2], role="prompt")
    assert index.draft()
    index.reset()
    index.extend([1, 2], role="prompt")
    assert index.draft() == []
    assert index.ids == [1, 2]


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: NgramIndex("sead"), ValueError, "unknown rule 'sead'; known: hf, llama.cpp-simple, mnn"),
        (lambda: NgramIndex("seed", 0), ValueError, "max_ngram must be at least 1 and at most 64, not 0"),
        (lambda: NgramIndex("seed", 1, 0), ValueError, "num_draft must be at least 1, not 0"),
        (lambda: NgramIndex("seed", "3"), TypeError, "max_ngram must be a whole number, not '3'"),
        (
            lambda: NgramIndex("seed", eos=1),
            TypeError,
            "the rule seed has no option 'eos'; it has: max_ngram",
        ),
        (lambda: NgramIndex("vllm", min_ngram=4), ValueError, "min_ngram must be at least 1 and at most 3"),
        (lambda: NgramIndex("mnn", 9), ValueError, "at most 8, not 9"),
        (lambda: NgramIndex("mnn", strictness="hard"), ValueError, "strictness must be one of low, medium"),
        (lambda: NgramIndex("seed").extend([-1]), ValueError, "ids are whole numbers from 0 to 4294967295"),
        (lambda: NgramIndex("seed").extend(["a"]), ValueError, "ids are whole numbers"),
        (lambda: NgramIndex("seed").extend([1], role="system"), ValueError, "role must be one of prompt"),
        (lambda: NgramIndex("seed").truncate(1), ValueError, "length must be from 0 to 0, not 1"),
        (lambda: NgramIndex("seed", strict=True).draft(), ValueError, "a history of 0 ids is shorter"),
        (
            lambda: NgramIndex("llama.cpp-simple").extend([1], role="reference"),
            ValueError,
            "knows no reference texts",
        ),
    ],
)
def test_wrong_use_is_told(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_nothing_is_appended_when_one_id_is_wrong():
    index = NgramIndex("seed")
    with pytest.raises(ValueError, match="ids are whole numbers"):
        index.extend([1, 2, -3])
    assert index.ids == []


def test_no_room_is_no_draft():
    index = NgramIndex("vllm", 2, 3, max_model_len=5)
    index.extend([1, 2, 1, 2, 1])
    assert index.propose() == Proposal((), 0)


def test_a_long_prompt_may_come_in_parts():
    whole, parts = NgramIndex("mnn", 2, 3), NgramIndex("mnn", 2, 3)
    ids = [*range(300), 7, 8, 9, *range(300, 600), 7]
    whole.extend(ids, role="prompt")
    for at in range(0, len(ids), 280):
        parts.extend(ids[at : at + 280], role="prompt")
    assert parts.propose() == whole.propose()
    assert parts.draft()[:2] == [8, 9]


def test_the_shares_of_mnn_are_the_engines():
    assert SHARES == {"low": (0,), "medium": (60, 50, 50, 40), "high": (90, 80, 70, 60, 50)}


def test_one_id_behind_a_match_in_a_reference_is_a_draft():
    index = NgramIndex("vllm", 2, 3)
    index.extend([5, 6, 7], role="reference")
    index.extend([5, 6])
    assert index.draft() == [7]


def test_beside_a_reference_later_matches_of_the_history_count():
    index = NgramIndex("hf", 2, 3, banned=[9])
    index.extend([1], role="reference")
    index.extend([5, 9, 5, 8, 5])
    assert index.draft()[:1] == [8]


def test_within_a_reference_later_matches_count_as_well():
    index = NgramIndex("hf", 2, 3, banned=[9])
    index.extend([5, 9, 5, 8, 5], role="reference")
    index.extend([5])
    assert index.draft() == [8, 5]


def test_the_token_that_becomes_the_current_one_leaves_the_table_of_mnn():
    index = NgramIndex("mnn", 2, 2)
    index.extend([1, 1, 5], role="prompt")
    index.draft()
    index.truncate(2)
    assert index.draft() == []
