"""Writes golden/vectors/lookup/lookup-RULE.jsonl: the histories; `tokassay vectors make` answers them.

Usage: python golden/make_lookup.py
"""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any, Iterator, Mapping, Sequence

from tokassay.vectors.rows import arranged, read_file, write_file

FOLDER = Path(__file__).resolve().parent / "vectors" / "lookup"
TOKENIZER = "gpt2"  # ids go in and come out: any tokenizer will do
SEED = 20261130
Calls = Sequence[Mapping[str, Any]]
Topic = tuple[str, Mapping[str, Any], Calls]

# What each rule is about besides the common histories: option values to run, and the clauses of each family.
ORDER = {
    "seed": "lookup.seed.order",
    "hf": "lookup.hf.order",
    "vllm": "lookup.vllm.order",
    "tensorrt-llm": "lookup.tensorrt-llm.order",
    "llama.cpp-simple": "lookup.llama-cpp.rightmost",
    "mnn": "lookup.mnn.freqxlen",
}
SHORT = {
    "seed": "lookup.seed.full",
    "hf": "lookup.hf.short",
    "vllm": "lookup.vllm.length",
    "tensorrt-llm": "lookup.tensorrt-llm.order",
    "llama.cpp-simple": "lookup.llama-cpp.short",
    "mnn": "lookup.mnn.token-by-token",
}
OVERLAP = {
    "seed": "lookup.seed.apart",
    "hf": "lookup.hf.order",
    "vllm": "lookup.vllm.order",
    "tensorrt-llm": "lookup.tensorrt-llm.order",
    "llama.cpp-simple": "lookup.llama-cpp.rightmost",
    "mnn": "lookup.mnn.current",
}


def prompt(ids: Sequence[int]) -> Mapping[str, Any]:
    return {"extend": list(ids), "role": "prompt"}


def output(ids: Sequence[int]) -> Mapping[str, Any]:
    return {"extend": list(ids)}


def reference(ids: Sequence[int]) -> Mapping[str, Any]:
    return {"extend": list(ids), "role": "reference"}


DRAFT: Mapping[str, Any] = {"draft": True}
RESET: Mapping[str, Any] = {"reset": True}


def sizes(max_ngram: int, num_draft: int, **more: object) -> Mapping[str, Any]:
    return {"max_ngram": max_ngram, "num_draft": num_draft, **more}


def one(
    name: str, clauses: Mapping[str, str], rule: str, options: Mapping[str, Any], *calls: Any
) -> tuple[Any, ...]:
    return name, [clauses[rule]], options, [*calls, DRAFT]


def common(rule: str) -> Iterator[tuple[Any, ...]]:
    """What every rule is asked: matches, ends, overlaps, sizes, changes of the history, unusual ids."""
    yield from matches(rule)
    yield from repeats(rule)
    yield from lengths(rule)
    yield from changes(rule)
    yield from unusual_ids(rule)


def matches(rule: str) -> Iterator[tuple[Any, ...]]:
    two = [1, 2, 9, 5, 6, 1, 2, 8, 5, 6, 1, 2]
    for k in (1, 2, 3, 4):
        yield one(f"two-matches-k{k}", ORDER, rule, sizes(2, k), prompt(two))
    three = [1, 2, 9, 5, 1, 2, 8, 5, 1, 2, 8, 5, 1, 2]
    for n, k in itertools.product((1, 2, 3), (1, 2, 3)):
        yield one(f"three-matches-n{n}-k{k}", ORDER, rule, sizes(n, k), prompt(three))
    yield one("longest-wins", ORDER, rule, sizes(3, 2), prompt([1, 2, 9, 4, 1, 2, 8, 4, 6, 1, 2, 7, 4, 1, 2]))
    yield one(
        "long-match-is-too-late", ORDER, rule, sizes(4, 4), prompt([2, 3, 4, 5, 1, 2, 3, 4, 1, 2, 3, 4])
    )
    yield one(
        "long-match-is-too-late-k2", ORDER, rule, sizes(4, 2), prompt([2, 3, 4, 5, 1, 2, 3, 4, 1, 2, 3, 4])
    )
    yield one("nothing-repeats", ORDER, rule, sizes(3, 3), prompt(range(1, 20)))
    yield one("only-the-last-id-repeats", ORDER, rule, sizes(3, 2), prompt([7, 1, 2, 3, 4, 5, 6, 8, 9, 7]))
    yield one("match-at-index-0", ORDER, rule, sizes(2, 2), prompt([1, 2, 3, 4, 5, 6, 7, 8, 1, 2]))
    yield one("match-at-index-1", ORDER, rule, sizes(2, 2), prompt([0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2]))


def repeats(rule: str) -> Iterator[tuple[Any, ...]]:
    for count, k in itertools.product((2, 3, 4, 6, 9, 16), (1, 3, 10)):
        yield one(f"run-of-{count}-k{k}", OVERLAP, rule, sizes(3, k), prompt([7] * count))
    for period, times in itertools.product((2, 3, 5), (2, 3, 5)):
        ids = list(range(1, period + 1)) * times
        for k in (1, period, 10):
            yield one(f"period-{period}-times-{times}-k{k}", OVERLAP, rule, sizes(3, k), prompt(ids))
    yield one("adjacent-repeat", OVERLAP, rule, sizes(3, 2), prompt([1, 2, 3, 1, 2, 3]))
    yield one("adjacent-repeat-k3", OVERLAP, rule, sizes(3, 3), prompt([1, 2, 3, 1, 2, 3]))


def lengths(rule: str) -> Iterator[tuple[Any, ...]]:
    hit = [*range(1, 14), 1, 2, 3]
    for k in (1, 9, 10, 11, 12, 13, 14, 20):
        yield one(f"continuation-of-13-k{k}", SHORT, rule, sizes(3, k), prompt(hit))
    for n in (1, 2, 3, 4, 8):
        yield one(f"history-of-3-n{n}", SHORT, rule, sizes(n, 1), prompt([5, 6, 5]))
        yield one(
            f"history-of-12-n{n}", SHORT, rule, sizes(n, 2), prompt([5, 6, 7, 8, 9, 3, 4, 5, 6, 7, 8, 9])
        )
    for count in (0, 1, 2):
        yield one(f"history-of-{count}", SHORT, rule, sizes(3, 3), prompt([4] * count))
    yield one("tail-of-four", SHORT, rule, sizes(3, 10), prompt([1, 2, 3, 4, 1, 2, 3]))
    yield one("tail-of-four-k3", SHORT, rule, sizes(3, 3), prompt([1, 2, 3, 4, 1, 2, 3]))


def changes(rule: str) -> Iterator[tuple[Any, ...]]:
    """Growing, cutting back, beginning anew: what engines get wrong between drafts."""
    text = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3]
    truncate, reset = {rule: "lookup.truncate"}, {rule: "lookup.reset"}
    grown = [call for token in text[6:] for call in (DRAFT, output([token]))]
    yield one("one-by-one", ORDER, rule, sizes(3, 2), prompt(text[:6]), *grown)
    for kept in (0, 1, 4, 10, 11, 12):
        back = ({"truncate": kept}, DRAFT, output(text[kept:]))
        yield one(f"cut-back-to-{kept}", truncate, rule, sizes(3, 2), prompt(text), DRAFT, *back)
    rejected = (output([4, 5, 6]), DRAFT, {"truncate": 12}, DRAFT, output([4]), DRAFT, output([9]))
    yield one("draft-rejected", truncate, rule, sizes(3, 2), prompt(text), *rejected)
    other = (output([20, 21, 22, 1, 2]), {"truncate": 12}, output([20, 21]))
    yield one("wrong-way-is-forgotten", truncate, rule, sizes(2, 2), prompt(text), *other)
    yield one(
        "first-occurrence-is-cut",
        truncate,
        rule,
        sizes(1, 2),
        prompt([5, 6, 7, 8]),
        {"truncate": 1},
        output([8, 9, 3, 4, 2, 8]),
    )
    second = (RESET, prompt([1, 2]), DRAFT, output([30, 31, 32, 33, 34, 35, 1, 2]))
    yield one("second-request", reset, rule, sizes(2, 2), prompt(text), DRAFT, *second)
    yield one("reset-when-empty", reset, rule, sizes(2, 2), RESET, prompt([1, 2, 3, 4, 5, 6, 7, 1, 2]))
    yield one(
        "prompt-in-parts", ORDER, rule, sizes(3, 2), prompt(text[:5]), prompt(text[5:9]), prompt(text[9:])
    )
    yield one(
        "output-repeats-output",
        ORDER,
        rule,
        sizes(2, 2),
        prompt([40, 41]),
        output([1, 2, 3, 4, 5, 6, 7, 8, 1, 2]),
    )


def unusual_ids(rule: str) -> Iterator[tuple[Any, ...]]:
    ids = {rule: "lookup.ids"}
    for name, token in (("0", 0), ("2-21", 1 << 21), ("2-31", (1 << 31) - 1), ("2-32", (1 << 32) - 1)):
        yield one(
            f"id-{name}-is-the-tail", ids, rule, sizes(1, 2), prompt([4, token, 3, 4, 5, 6, 7, 8, token])
        )
        yield one(
            f"id-{name}-is-drafted", ids, rule, sizes(2, 2), prompt([9, 1, 2, token, token, 6, 7, 8, 1, 2])
        )
    halves = (1 << 21, (1 << 21) + 1)
    yield one(
        "ids-beyond-21-bits-do-not-mix",
        ids,
        rule,
        sizes(2, 1),
        prompt([1, 0, 5, halves[0], 0, 6, 8, 9, *halves, 7, 3, 2, halves[0], 0]),
    )


def own(rule: str) -> Iterator[tuple[Any, ...]]:
    """What only one rule knows."""
    yield from {"hf": hf, "vllm": vllm, "tensorrt-llm": tensorrt, "mnn": mnn}.get(rule, nothing)()
    if rule != "llama.cpp-simple":
        yield from references(rule)


def nothing() -> Iterator[tuple[Any, ...]]:
    yield from ()


def hf() -> Iterator[tuple[Any, ...]]:
    for place in range(6):
        ids = [9, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2]
        ids[3 + place] = 0
        end = {"hf": "lookup.hf.end-tokens"}
        yield one(f"end-token-at-{place}", end, "hf", sizes(2, 5, eos=[0]), prompt(ids))
    yield one("end-token-first-ends-it", end, "hf", sizes(2, 2, eos=[0]), prompt([2, 7, 8, 1, 2, 0, 3, 1, 2]))
    yield one("two-end-tokens", end, "hf", sizes(2, 4, eos=[3, 0]), prompt([1, 2, 7, 3, 0, 5, 1, 2]))
    length = {"hf": "lookup.hf.length"}
    for most in (11, 12, 13, 14, 20):
        ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2]
        yield one(f"max-length-{most}", length, "hf", sizes(2, 6, max_length=most), prompt(ids))
    for most in (2, 3, 5):
        yield one(f"longer-than-{most}", length, "hf", sizes(2, 6, max_length=most), prompt([7, 1, 7, 2, 7]))
    banned = {"hf": "lookup.hf.banned"}
    for token in (9, 5, 8, 6, 1):
        ids = [1, 2, 9, 5, 1, 2, 8, 5, 6, 1, 2]
        yield one(f"banned-{token}", banned, "hf", sizes(2, 3, banned=[token]), prompt(ids))
    yield one(
        "all-first-ids-banned",
        banned,
        "hf",
        sizes(2, 3, banned=[9, 8]),
        prompt([1, 2, 9, 5, 1, 2, 8, 5, 6, 1, 2]),
    )
    yield one(
        "banned-falls-to-shorter", banned, "hf", sizes(2, 2, banned=[9]), prompt([2, 7, 5, 1, 2, 9, 4, 1, 2])
    )
    yield one(
        "banned-first-in-a-reference",
        {"hf": "lookup.reference"},
        "hf",
        sizes(2, 3, banned=[9]),
        reference([1, 2, 9, 5, 1, 2, 8, 5]),
        prompt([1, 2]),
    )


def vllm() -> Iterator[tuple[Any, ...]]:
    order, length = {"vllm": "lookup.vllm.order"}, {"vllm": "lookup.vllm.length"}
    ids = [7, 2, 3, 4, 5, 1, 2, 6, 8, 1, 2]
    for least, most in ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (1, 4)):
        yield one(f"from-{least}-to-{most}", order, "vllm", sizes(most, 3, min_ngram=least), prompt(ids))
    for most in (9, 10, 11, 12, 13, 20):
        yield one(f"model-length-{most}", length, "vllm", sizes(2, 6, max_model_len=most), prompt(ids))
    yield one(
        "end-token-is-drafted",
        {"vllm": "lookup.vllm.end-tokens"},
        "vllm",
        sizes(2, 4),
        prompt([1, 2, 3, 0, 4, 5, 1, 2]),
    )


def tensorrt() -> Iterator[tuple[Any, ...]]:
    length = {"tensorrt-llm": "lookup.tensorrt-llm.length"}
    for most in (10, 11, 12, 13, 14, 20):
        yield one(
            f"max-length-{most}",
            length,
            "tensorrt-llm",
            sizes(2, 6, max_length=most),
            prompt([7, 2, 3, 4, 5, 1, 2, 6, 8, 1, 2]),
        )


def mnn() -> Iterator[tuple[Any, ...]]:
    text = [1, 2, 9, 5, 1, 2, 8, 5, 1, 2, 8, 5, 1, 2]
    for selection, strictness in itertools.product(("freqxlen", "fcfs"), ("low", "medium", "high")):
        how = {"mnn": "lookup.mnn.strictness" if selection == "freqxlen" else "lookup.mnn.fcfs"}
        for n in (1, 2, 3):
            options = sizes(n, 3, selection=selection, strictness=strictness)
            yield one(f"{selection}-{strictness}-n{n}", how, "mnn", options, prompt(text))
    after = {"mnn": "lookup.mnn.strictness"}
    for token in (1, 2, 8):
        yield one(f"punctuation-{token}", after, "mnn", sizes(2, 3, punctuation=[token]), prompt(text))
    padding = {"mnn": "lookup.mnn.padding"}
    for k in (1, 2, 4, 8):
        yield one(f"padded-k{k}", padding, "mnn", sizes(4, k), prompt([5, 6, 5]))
    current = {"mnn": "lookup.mnn.current"}
    yield one(
        "current-token-comes-after-the-prompt", current, "mnn", sizes(2, 2), prompt([1, 2, 3, 1]), output([2])
    )
    yield one("output-is-not-indexed", current, "mnn", sizes(2, 2), prompt([1, 2, 3]), output([4, 5, 6, 4]))
    yield one("tie", {"mnn": "lookup.mnn.freqxlen"}, "mnn", sizes(2, 3), prompt([1, 2, 9, 1, 2, 8, 1, 2]))


def references(rule: str) -> Iterator[tuple[Any, ...]]:
    clause = {rule: "lookup.reference"}
    first, other = reference([1, 2, 50, 51, 52]), reference([3, 1, 2, 60, 61, 62])
    yield one("reference-alone", clause, rule, sizes(2, 2), first, prompt([9, 1, 2]))
    yield one("reference-longer-match", clause, rule, sizes(3, 2), first, other, prompt([3, 1, 2]))
    yield one("references-in-order", clause, rule, sizes(2, 2), other, first, prompt([9, 1, 2]))
    yield one(
        "history-before-reference", clause, rule, sizes(2, 2), first, prompt([1, 2, 70, 71, 72, 73, 1, 2])
    )
    yield one("reference-ends", clause, rule, sizes(2, 3), first, other, prompt([9, 51, 52]))
    yield one("reference-does-not-run-on", clause, rule, sizes(2, 2), first, other, prompt([9, 52, 3]))
    yield one(
        "reference-survives-a-cut", clause, rule, sizes(2, 2), first, prompt([1, 2, 8]), {"truncate": 2}
    )
    yield one("reset-drops-references", clause, rule, sizes(2, 2), first, RESET, prompt([9, 1, 2]))


def username(rule: str) -> Iterator[tuple[Any, ...]]:
    """The source document's example: a class whose field is renamed, word by word."""
    words: dict[str, int] = {}

    def ids(text: str) -> list[int]:
        return [words.setdefault(word, len(words)) for word in text.split()]

    fields = " ".join(f'{name} : string = "" ;' for name in ("first", "last", "username"))
    old = "class User { " + fields + " } export default User ;"
    new = old.replace("username", "email")
    source, written = ids(old), ids(new)
    calls = [prompt(source)] + [call for token in written for call in (output([token]), DRAFT)]
    yield "user-class", [ORDER[rule], "lookup.table"], sizes(3, 5), calls


def random_histories(rule: str) -> Iterator[tuple[Any, ...]]:
    rng = random.Random(f"{SEED}-{rule}")
    for number in range(40):
        symbols = rng.choice((2, 3, 5))
        calls: list[Any] = [prompt([rng.randrange(symbols) for _ in range(rng.randint(1, 14))])]
        length = len(calls[0]["extend"])
        for _ in range(rng.randint(1, 6)):
            calls.append(DRAFT)
            if rng.random() < 0.3:
                length = rng.randint(0, length)
                calls.append({"truncate": length})
            calls.append(output([rng.randrange(symbols) for _ in range(rng.randint(1, 4))]))
            length += len(calls[-1]["extend"])
        yield one(f"random-{number:02}", ORDER, rule, sizes(rng.randint(1, 4), rng.randint(1, 6)), *calls)


def rows(rule: str) -> Iterator[Mapping[str, Any]]:
    kind = "lookup-" + rule.replace(".", "-")
    for maker in (common, own, username, random_histories):
        for name, clauses, options, calls in maker(rule):
            told = ("document", "") if maker is username else ("generated", "golden/make_lookup.py")
            yield {
                "id": f"{kind}/{name}",
                "op": "lookup",
                "kind": kind,
                "level": "must",
                "clauses": clauses,
                "source": dict(zip(("kind", "ref"), told)),
                "rule": rule,
                "options": options,
                "calls": calls,
                "tokenizers": [TOKENIZER],
                "oracle": {"name": "scan", "version": "0"},
                "expect": {},
            }


def main() -> None:
    for rule in ORDER:
        path = FOLDER / f"lookup-{rule.replace('.', '-')}.jsonl"
        had = {row["id"]: row for row in read_file(path)} if path.is_file() else {}
        made = [arranged({**row, **_answered(had.get(row["id"]), row)}) for row in rows(rule)]
        write_file(path, made)
        print(f"{path.name}: {len(made)} vectors")


def _answered(had: Any, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is already answered stays, where nothing that is asked has changed."""
    asked = ("rule", "options", "calls")
    if had is None or any(had[name] != row[name] for name in asked):
        return {}
    return {"oracle": had["oracle"], "expect": had["expect"]}


if __name__ == "__main__":
    main()
