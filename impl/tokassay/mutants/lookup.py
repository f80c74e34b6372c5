"""Prompt lookup broken one clause at a time: proposers on the golden histories, loops on toy models."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from tokassay import data
from tokassay.checks.vector import Vector, read_vectors
from tokassay.lookup import NgramIndex, generate
from tokassay.vectors import scanning
from tokassay.vectors.scanning import History, after

from . import Change, Outcome
from ._proposers import Answering, Drafts, Proposer, Row

AREA = "lookup"
HELP = "drafting by prompt lookup, and the loop that verifies drafts"
TOKENIZER = "gpt2"


def faults() -> Iterator[Proposer]:
    """Those that an engine can have; loops are not an engine's."""
    for name, branch, answering in proposers():
        clause, _, models = branch.partition(": ")
        yield Proposer(name, clause, models, answering)


def outcomes(path: Path, most: int = 0) -> Iterator[Outcome]:  # noqa: ARG001 - ids in, ids out; all are tried
    """Every faulty proposer on all histories of its rules, every faulty loop on all toy runs."""
    vectors = read_vectors(data.root() / "golden" / "vectors" / "lookup")
    for name, branch, answering in proposers():
        yield Outcome(name, branch, tuple(_changes(vectors, answering)))
    for name, branch, loop in loops():
        yield Outcome(name, branch, tuple(_runs(loop)))


def _changes(vectors: Sequence[Vector], answering: Answering) -> Iterator[Change]:
    for number, vector in enumerate(vectors, 1):
        expected: Any = vector.expect[TOKENIZER]["drafts"]
        got = answering(vector.given)
        if got is not None and got != expected:
            yield Change(number, vector.id, json.dumps(expected), json.dumps(got))


# -- proposers ---------------------------------------------------------------------------------------


def proposers() -> Iterator[Tuple[str, str, Answering]]:
    """Name, clause and fault."""
    yield from _searches()
    yield from _options()
    yield from _histories()
    yield from _drafts()


def _searches() -> Iterator[Tuple[str, str, Answering]]:
    """The search for an occurrence, done otherwise."""
    order = "lookup.hf.order"
    yield "rightmost", f"{order}: the last occurrence wins", _searching(reverse=True)
    yield "shortest-first", f"{order}: n from 1 up", _searching(shortest=True)
    yield "no-shorter-ngram", f"{order}: only n = N", _searching(only_longest=True)
    yield "self-match", f"{order}: the final n-gram counts as an occurrence", _searching(self_match=True)
    yield "overlap-refused", f"{order}: no continuation inside the final n-gram", _searching(apart=True)
    yield "full-drafts-only", "lookup.hf.short: nothing instead of a short draft", _searching(full=True)
    yield "one-id-late", f"{order}: continuations start one id later", _searching(late=1)
    yield "last-id-left-out", "lookup.hf.short: the last id of the text is never drafted", _searching(cut=1)
    yield "tail-one-behind", f"{order}: the last id is not part of the n-gram", _searching(behind=1)


def _searching(**faults: Any) -> Answering:
    def answering(row: Row) -> Optional[Drafts]:
        if row["rule"] != "hf" or set(row["options"]) > {"max_ngram", "num_draft"}:
            return None
        return _scanned(row, lambda history, **options: _search(history, **options, **faults))

    return answering


def _scanned(row: Row, scan: Callable[..., List[int]]) -> Drafts:
    history, found = History(), []
    for call in row["calls"]:
        if "draft" in call:
            found.append(scan(history, **row["options"]))
        else:
            history = scanning.changed(history, call)
    return found


def _search(history: History, max_ngram: int, num_draft: int, **faults: Any) -> List[int]:
    """The rule ``hf`` with what a fault changes."""
    ids, behind = history.ids, faults.get("behind", 0)
    tail = ids[: len(ids) - behind]
    sizes: Sequence[int] = range(min(max_ngram, len(tail)), 0, -1)
    if faults.get("only_longest"):
        sizes = [n for n in sizes if n == max_ngram]
    for n in sorted(sizes) if faults.get("shortest") else sizes:
        for text in (ids, *history.references):
            found = _in_text(history, text, tail[-n:], num_draft, faults)
            if found is not None:
                return found
    return []


def _in_text(
    history: History, text: List[int], tail: List[int], num_draft: int, faults: Mapping[str, Any]
) -> Optional[List[int]]:
    starts, own = list(after(text, tail)), text is history.ids
    if faults.get("self_match") and own:
        starts.insert(0, len(text))
    if faults.get("apart") and own:
        starts = [start for start in starts if start < len(text) - len(tail)]
    if faults.get("full"):
        starts = [start for start in starts if start + num_draft <= len(text)]
    if not starts:
        return None
    start = starts[-1 if faults.get("reverse") else 0] + faults.get("late", 0)
    return text[start : min(start + num_draft, len(text) - faults.get("cut", 0))]


def _options() -> Iterator[Tuple[str, str, Answering]]:
    """An option left out, or off by one."""
    yield "end-token-drafted", "lookup.hf.end-tokens: drafts go through it", _without("hf", "eos")
    yield "limit-ignored", "lookup.hf.length: drafts although one id is left", _without("hf", "max_length")
    yield "banned-drafted", "lookup.hf.banned: banned ids are drafted", _without("hf", "banned")
    yield "least-n-ignored", "lookup.vllm.order: n below min_ngram", _without("vllm", "min_ngram")
    yield "model-length-ignored", "lookup.vllm.length: beyond the model", _without("vllm", "max_model_len")
    yield "bonus-has-no-place", "lookup.tensorrt-llm.length: one id too many", _shifted("max_length", 1)
    yield "model-length-short", "lookup.vllm.length: one id too few", _shifted("max_model_len", -1)
    yield "one-too-many", "lookup.hf.short: k + 1 ids", _shifted("num_draft", 1)
    yield "one-too-few", "lookup.hf.short: k - 1 ids", _shifted("num_draft", -1)
    yield "longer-ngram", "lookup.hf.order: N + 1", _shifted("max_ngram", 1)
    yield "shorter-ngram", "lookup.hf.order: N - 1", _shifted("max_ngram", -1)
    yield "first-come-for-most", "lookup.mnn.freqxlen: the first follower", _set("mnn", selection="fcfs")
    yield "share-ignored", "lookup.mnn.strictness: any share will do", _set("mnn", strictness="low")
    yield "punctuation-ignored", "lookup.mnn.strictness: no stricter after it", _without("mnn", "punctuation")


def _asked(row: Row, **options: Any) -> Drafts:
    return scanning.drafts({**row, "options": options})


def _without(rule: str, name: str) -> Answering:
    def answering(row: Row) -> Optional[Drafts]:
        options: Dict[str, Any] = dict(row["options"])
        return (
            _asked(row, **{key: options[key] for key in options if key != name})
            if row["rule"] == rule
            else None
        )

    return answering


def _shifted(name: str, change: int) -> Answering:
    def answering(row: Row) -> Optional[Drafts]:
        options: Dict[str, Any] = dict(row["options"])
        if options.get(name) is None or options[name] + change < 1:
            return None
        return _asked(row, **{**options, name: options[name] + change})

    return answering


def _set(rule: str, **values: Any) -> Answering:
    return lambda row: _asked(row, **{**row["options"], **values}) if row["rule"] == rule else None


def _histories() -> Iterator[Tuple[str, str, Answering]]:
    """What is remembered of the calls, wrong."""
    keep, ids = "lookup.truncate", "lookup.ids"
    yield "not-rolled-back", f"{keep}: the index keeps what was cut", _calls(lambda c: "truncate" not in c)
    yield "not-reset", "lookup.reset: the last request is still there", _calls(lambda c: "reset" not in c)
    yield "no-references", "lookup.reference: not searched", _calls(lambda c: c.get("role") != "reference")
    yield "reference-is-prompt", "lookup.reference: read as a prompt", _each(_as_prompt)
    yield "21-bits", f"{ids}: cut to 21 bits", _each(lambda c: _mapped(c, lambda token: token & 0x1FFFFF))
    yield "signed", f"{ids}: no larger than 2**31 - 1", _each(lambda c: _mapped(c, _clamped))
    yield "id-0-is-nothing", f"{ids}: 0 is left out", _each(_without_zero)
    yield "output-in-table", "lookup.mnn.current: output is indexed", _of("mnn", _each(_as_prompt_if_output))


def _calls(wanted: Callable[[Mapping[str, Any]], bool]) -> Answering:
    return lambda row: scanning.drafts({**row, "calls": [call for call in row["calls"] if wanted(call)]})


def _each(change: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Answering:
    return lambda row: scanning.drafts({**row, "calls": [change(call) for call in row["calls"]]})


def _of(rule: str, answering: Answering) -> Answering:
    return lambda row: answering(row) if row["rule"] == rule else None


def _as_prompt(call: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**call, "role": "prompt"} if call.get("role") == "reference" else call


def _as_prompt_if_output(call: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**call, "role": "prompt"} if "extend" in call and "role" not in call else call


def _mapped(call: Mapping[str, Any], change: Callable[[int], int]) -> Mapping[str, Any]:
    return {**call, "extend": [change(token) for token in call["extend"]]} if "extend" in call else call


def _clamped(token: int) -> int:
    return min(token, (1 << 31) - 1)


def _without_zero(call: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**call, "extend": [token for token in call["extend"] if token]} if "extend" in call else call


def _drafts() -> Iterator[Tuple[str, str, Answering]]:
    """The draft itself, wrong."""
    yield "no-padding", "lookup.mnn.padding: short drafts stay short", _of("mnn", _unpadded)
    yield "seed-drafts-short", "lookup.seed.full: as many ids as there are", _like("seed", scanning.scan_hf)
    yield "seed-not-apart", "lookup.seed.apart: adjacent repeats count", _like("seed", _seed_not_apart)
    yield "index-0-counts", "lookup.llama-cpp.rightmost: index 0", _like("llama.cpp-simple", _simple_index_0)
    yield "leftmost", "lookup.llama-cpp.rightmost: the first one", _like("llama.cpp-simple", _simple_leftmost)
    yield "drafts-from-short", "lookup.llama-cpp.short: any length", _like("llama.cpp-simple", _simple_short)
    yield (
        "sampled-is-drafted",
        "lookup.llama-cpp.one-n: up to the end",
        _like("llama.cpp-simple", _simple_to_end),
    )


def _unpadded(row: Row) -> Drafts:
    return [_stripped(draft) for draft in scanning.drafts(row)]


def _stripped(draft: List[int]) -> List[int]:
    while draft and not draft[-1]:
        draft = draft[:-1]
    return draft


def _like(rule: str, scan: Callable[..., List[int]]) -> Answering:
    return lambda row: _scanned(row, scan) if row["rule"] == rule else None


def _seed_not_apart(history: History, max_ngram: int, num_draft: int) -> List[int]:
    for _, text, start, _ in scanning.found_in(history, max_ngram):
        if start + num_draft <= len(text):
            return text[start : start + num_draft]
    return []


def _simple(
    history: History, n: int, k: int, *, least: int = 0, first: bool = False, most: int = 0
) -> List[int]:
    before = history.ids[:-1]
    starts = [start for start in after(before, history.ids[-n:]) if start > least]
    start = starts[0 if first else -1] if starts else len(before)
    draft = (history.ids if most else before)[start : start + k]
    return draft if len(draft) >= n else []


def _long_enough(history: History, n: int, k: int) -> bool:
    return len(history.ids) - 1 > n + k + 1


def _simple_index_0(history: History, max_ngram: int, num_draft: int) -> List[int]:
    return _simple(history, max_ngram, num_draft) if _long_enough(history, max_ngram, num_draft) else []


def _simple_leftmost(history: History, max_ngram: int, num_draft: int) -> List[int]:
    enough = _long_enough(history, max_ngram, num_draft)
    return _simple(history, max_ngram, num_draft, least=max_ngram, first=True) if enough else []


def _simple_short(history: History, max_ngram: int, num_draft: int) -> List[int]:
    return _simple(history, max_ngram, num_draft, least=max_ngram)


def _simple_to_end(history: History, max_ngram: int, num_draft: int) -> List[int]:
    enough = _long_enough(history, max_ngram, num_draft)
    return _simple(history, max_ngram, num_draft, least=max_ngram, most=1) if enough else []


# -- loops -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Loop:
    """Greedy decoding with drafts, as small as it can be, and what a fault changes in it."""

    bonus: bool = True  # the model's own token after an agreed draft
    verified_from: int = 0  # drafted ids before this one are accepted unseen
    extra: int = 0  # ids accepted beyond the agreeing ones
    ends_inside: bool = True  # an end token within a draft ends the output
    budget: int = 0  # ids beyond the most that were asked for
    late_row: int = 0  # the bonus token is read this many rows too early
    told_draft: bool = False  # the index is told the whole draft
    told_nothing: bool = False  # the index is not told of the output

    def run(self, seed: int, prompt: List[int], most: int, eos: int) -> Tuple[Tuple[int, ...], int]:
        """The output and the number of forward passes."""
        index = NgramIndex("hf", 3, 4)
        index.extend(prompt, role="prompt")
        output: List[int] = []
        passes = 0
        while len(output) < most and output[-1:] != [eos]:
            draft = index.draft()[: max(0, most - len(output) - 1 + self.budget)]
            passes += 1
            new = self._accepted(draft, toy(seed, [*prompt, *output, *draft], len(draft)))
            new = self._ended(new, eos)[: most + self.budget - len(output)]
            output += new
            index.extend([] if self.told_nothing else draft if self.told_draft and draft else new)
        return tuple(output), passes

    def _accepted(self, draft: List[int], answers: List[int]) -> List[int]:
        agreed = self.verified_from if draft else 0
        while agreed < len(draft) and draft[agreed] == answers[agreed]:
            agreed += 1
        agreed = min(agreed + self.extra, len(draft))
        own = answers[max(0, agreed - self.late_row)]
        return [*draft[:agreed], *([own] if self.bonus or not agreed else [])]

    def _ended(self, new: List[int], eos: int) -> List[int]:
        return new[: new.index(eos) + 1] if self.ends_inside and eos in new else new


def toy(seed: int, ids: Sequence[int], rows: int) -> List[int]:
    """The greedy token after each of the last `rows` + 1 positions: a hash of the three ids before."""
    places = range(len(ids) - rows, len(ids) + 1)
    return [hashlib.sha256(repr((seed, *ids[max(0, at - 3) : at])).encode()).digest()[0] % 3 for at in places]


def loops() -> Iterator[Tuple[str, str, Loop]]:
    """Name, clause and fault."""
    sound = Loop()
    yield "bonus-dropped", "lookup.generate.bonus: shows in the passes only", replace(sound, bonus=False)
    yield "first-unverified", "lookup.generate.verify: the first id unseen", replace(sound, verified_from=1)
    yield "one-accepted-unseen", "lookup.generate.verify: one too many", replace(sound, extra=1)
    yield "end-token-run-over", "lookup.generate.end: not within a draft", replace(sound, ends_inside=False)
    yield "budget-overrun", "lookup.generate.end: two ids too many", replace(sound, budget=2)
    yield "bonus-from-wrong-row", "lookup.generate.verify: one row early", replace(sound, late_row=1)
    yield "rejected-in-index", "lookup.truncate: the index has the draft", replace(sound, told_draft=True)
    yield "output-not-indexed", "lookup.generate.bonus: fewer drafts", replace(sound, told_nothing=True)


RUNS = [
    (seed, [seed % 3, 1, 0, 2, 1][: 1 + seed % 5], 1 + seed % 24, 2 if seed % 4 == 0 else -1)
    for seed in range(60)
]
"""Seed, prompt, budget and end token (-1: none) of each toy run."""


def _runs(loop: Loop) -> Iterator[Change]:
    for number, (seed, prompt, most, eos) in enumerate(RUNS, 1):
        expected, got = _sound(seed, prompt, most, eos), loop.run(seed, prompt, most, eos)
        if expected != got:
            probe = f"run {number}: prompt {prompt}, {most} ids"
            yield Change(number, probe, _shown(*expected), _shown(*got))


def _sound(seed: int, prompt: List[int], most: int, eos: int) -> Tuple[Tuple[int, ...], int]:
    def model(ids: Sequence[int], start: int) -> Sequence[int]:
        return toy(seed, ids, len(ids) - 1 - start)

    result = generate(model, prompt, most, NgramIndex("hf", 3, 4), eos=eos if eos >= 0 else ())
    return result.ids, result.forward_passes


def _shown(output: Tuple[int, ...], passes: int) -> str:
    return f"{list(output)} in {passes} passes"
