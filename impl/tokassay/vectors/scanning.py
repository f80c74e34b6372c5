"""Answers to look-up vectors by scanning the whole history: slow, plain, and apart from the rules they judge.

A rule's scan is the function ``scan_NAME`` with dots and dashes of the rule's name as underscores.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, Optional, Sequence

Ids = list[int]
VERSION = "1"


@dataclass
class History:
    """What has been told so far."""

    ids: Ids = field(default_factory=list)
    prompt: int = 0
    references: list[Ids] = field(default_factory=list)


def drafts(row: Mapping[str, Any]) -> list[Ids]:
    """The draft of each ``draft`` call of a look-up row."""
    scan = globals()["scan_" + row["rule"].replace("-", "_").replace(".", "_")]
    history, found = History(), []
    for call in row["calls"]:
        if "draft" in call:
            found.append(scan(history, **row["options"]))
        else:
            history = changed(history, call)
    return found


def changed(history: History, call: Mapping[str, Any]) -> History:
    """The history after one call that changes it."""
    ids, prompt, references = history.ids, history.prompt, history.references
    if "reset" in call:
        return History()
    if "truncate" in call:
        return History(ids[: call["truncate"]], min(prompt, call["truncate"]), references)
    new, role = list(call["extend"]), call.get("role", "output")
    if role == "reference":
        return History(ids, prompt, [*references, new])
    grows = role == "prompt" and prompt == len(ids)
    return History(ids + new, len(ids + new) if grows else prompt, references)


def after(text: Sequence[int], tail: Sequence[int]) -> Iterator[int]:
    """Where a text goes on after each occurrence of `tail` that something follows."""
    n = len(tail)
    return (start for start in range(n, len(text)) if list(text[start - n : start]) == list(tail))


def found_in(history: History, max_ngram: int, least: int = 1) -> Iterator[tuple[int, Ids, int, bool]]:
    """n, text, where it goes on, whether it is the history: longest, history, leftmost first."""
    for n in range(min(max_ngram, len(history.ids)), least - 1, -1):
        for number, text in enumerate([history.ids, *history.references]):
            for start in after(text, history.ids[-n:]):
                yield n, text, start, number == 0


def scan_seed(history: History, max_ngram: int, num_draft: int) -> Ids:
    for n, text, start, own in found_in(history, max_ngram):
        if start + num_draft <= len(text) and (not own or start < len(text) - n):
            return text[start : start + num_draft]
    return []


def scan_hf(  # noqa: PLR0917 - the rule's options
    history: History,
    max_ngram: int,
    num_draft: int,
    eos: Sequence[int] = (),
    max_length: Optional[int] = None,
    banned: Sequence[int] = (),
) -> Ids:
    if len(history.ids) + 1 == max_length:
        return []
    for _, text, start, own in found_in(history, max_ngram):
        end = max_length if own and max_length is not None else len(text)
        if text[start] not in banned and start < end:
            stops = [stop for stop in range(start, len(text)) if text[stop] in {*eos, *banned}]
            return text[start : min([start + num_draft, end, *stops])]
    return []


def scan_vllm(
    history: History, max_ngram: int, num_draft: int, min_ngram: int = 1, max_model_len: int = 1 << 60
) -> Ids:
    room = min(num_draft, max_model_len - len(history.ids))
    for _, text, start, _ in found_in(history, max_ngram, min_ngram):
        return text[start : start + max(0, room)]
    return []


def scan_tensorrt_llm(history: History, max_ngram: int, num_draft: int, max_length: int = 1 << 60) -> Ids:
    return scan_vllm(history, max_ngram, num_draft, max_model_len=max_length - 1)


def scan_llama_cpp_simple(history: History, max_ngram: int, num_draft: int) -> Ids:
    before = history.ids[:-1]
    if len(before) <= max_ngram + num_draft + 1:
        return []
    starts = [start for start in after(before, history.ids[-max_ngram:]) if start > max_ngram]
    draft = before[starts[-1] : starts[-1] + num_draft] if starts else []
    return draft if len(draft) >= max_ngram else []


def scan_mnn(  # noqa: PLR0917 - the rule's options
    history: History,
    max_ngram: int,
    num_draft: int,
    selection: str = "freqxlen",
    strictness: str = "low",
    punctuation: Sequence[int] = (),
) -> Ids:
    texts = [*history.references, history.ids[: min(history.prompt, len(history.ids) - 1)]]
    draft: Ids = []
    while history.ids and len(draft) < num_draft:
        tail = history.ids + draft
        strict = ("high" if tail[-1] in punctuation else strictness) if not draft else "low"
        token = _followed(texts, tail[-max_ngram:], selection, strict)
        if token is None:
            break
        draft.append(token)
    return draft + [0] * (num_draft - len(draft)) if draft else []


_SHARES = {"low": [0] * 5, "medium": [60, 50, 50, 40, 40], "high": [90, 80, 70, 60, 50]}


def _followed(texts: Sequence[Ids], tail: Ids, selection: str, strict: str) -> Optional[int]:
    best, chosen = 0, None
    for n in range(len(tail), 0, -1):
        followers = [text[start] for text in texts for start in after(text, tail[-n:])]
        if followers and selection == "fcfs":
            return followers[0]
        # The one that came last for the first time stands first in the engine's table.
        for token in reversed(list(dict.fromkeys(followers))):
            count = Counter(followers)[token]
            if count == max(Counter(followers).values()):
                if count * n > best:
                    enough = 100 * count >= _SHARES[strict][min(n, 5) - 1] * len(followers)
                    best, chosen = count * n, token if enough else None
                break
    return chosen
