"""Which alteration of the reference answers like the engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from tokassay import Tokenizer
from tokassay.checks.verdict import Comparable

from .alterations import Altered, catalogue
from .question import Question

MOST_CASES = 150  # of one cell that all alterations are tried on
LONG = 4000  # characters; longer texts are explained when they have been shrunk
DOUBTFUL = 20  # one contradiction in so many passing cases is still believed
KEPT = 2  # tokenizers whose altered references are kept


@dataclass(frozen=True)
class Cause:
    """Why an engine is likely to differ. `code` is the slug of the alteration, "" where there is none.

    `key` stands for a `line` that holds what differs from case to case.
    """

    code: str
    line: str
    stage: str
    key: str = ""


@dataclass(frozen=True)
class Suspect:
    """An altered reference, ready to be asked."""

    cause: Cause
    answer: Callable[[Question], Optional[Comparable]]


@lru_cache(maxsize=KEPT)
def suspects(path: str) -> Sequence[Suspect]:
    """Every alteration of a tokenizer file. Empty where the reference cannot read it."""
    try:
        description = Tokenizer.from_file(path).description
    except Exception:  # noqa: BLE001 - then there is no reference to alter
        return ()
    plain = replace(description, truncation=None, padding=None)
    return tuple(
        Suspect(Cause(one.code, altered.cause, one.stage), _answering(altered))
        for one in catalogue()
        for altered in one.alter(plain)
    )


def _answering(altered: Altered) -> Callable[[Question], Optional[Comparable]]:
    built: List[Optional[Tokenizer]] = []

    def answer(question: Question) -> Optional[Comparable]:
        try:
            if not built:
                built.append(Tokenizer.from_description(altered.description))
            return _asked(altered, built[0], question) if built[0] else None
        except Exception:  # noqa: BLE001 - an alteration that makes no sense here explains nothing
            built[:] = built or [None]
            return None

    return answer


def _asked(altered: Altered, tokenizer: Tokenizer, question: Question) -> Comparable:
    special = question.special if altered.special is None else altered.special
    if not question.encodes:
        return altered.shown(tokenizer.decode(altered.after(list(question.ids)), special))
    pair = None if question.pair is None else altered.before(question.pair)
    text = altered.before(question.text)
    encoded = tokenizer.encode(text, pair, special)
    if question.what == "ids":
        return altered.after(list(encoded.ids))
    if question.what == "tokens":
        return [str(tokenizer.id_to_token(index)) for index in altered.after(list(encoded.ids))]
    values: List[Any] = list(getattr(encoded, question.what))
    return [list(span) for span in altered.spans(text, values)] if question.what == "offsets" else values


def alike(a: Comparable, b: Comparable) -> bool:
    """Whether two answers are equal; pairs and lists of two count as the same."""
    if isinstance(a, (str, bytes)) or isinstance(b, (str, bytes)):
        return a == b
    return [_listed(item) for item in a] == [_listed(item) for item in b]


def _listed(item: object) -> object:
    return list(item) if isinstance(item, tuple) else item


Case = Tuple[Question, Comparable]  # what the engine was asked, and what it answered


def best(
    path: str, cases: Sequence[Case], passing: Sequence[Case], in_time: Callable[[], bool]
) -> Dict[int, Cause]:
    """Case number → its likely cause: the fewest alterations that explain the most, against no passing case.

    An alteration that answers otherwise where the engine passes is not what the engine does. Some
    cases say which alterations come into question; the others are asked about those only.
    """
    short = [n for n, (question, _) in enumerate(cases) if question.size <= LONG]
    tried = short[:: -(-len(short) // MOST_CASES) or 1]
    explained: Dict[int, List[int]] = {}
    known = suspects(path)
    for number, suspect in enumerate(known):
        if not in_time():
            break
        found = [n for n in tried if _explains(suspect, *cases[n])]
        if found:
            explained[number] = found
    against = {n: sum(not _explains(known[n], *case) for case in passing) for n in explained}
    order = sorted(explained, key=lambda n: (against[n] > 0, -len(explained[n]), against[n], n))
    likely = [n for n in order if against[n] * DOUBTFUL <= len(passing)]
    causes: Dict[int, Cause] = {}
    for number in likely:
        for case in explained[number]:
            causes.setdefault(case, known[number].cause)
    chosen = [suspect for suspect in known if suspect.cause in causes.values()]
    rest = [n for n in range(len(cases)) if n not in causes and n not in tried and cases[n][0].size <= LONG]
    for case in rest:
        found_in = (suspect.cause for suspect in chosen if in_time() and _explains(suspect, *cases[case]))
        cause = next(found_in, None)
        if cause is not None:
            causes[case] = cause
    return causes


def known_as(path: str, question: Question, got: Comparable, causes: Sequence[Cause]) -> Optional[Cause]:
    """Which of some causes an answer has, None for none of them."""
    if question.size > LONG:
        return None
    chosen = (suspect for suspect in suspects(path) if suspect.cause in causes)
    return next((suspect.cause for suspect in chosen if _explains(suspect, question, got)), None)


def _explains(suspect: Suspect, question: Question, got: Comparable) -> bool:
    answer = suspect.answer(question)
    return answer is not None and alike(answer, got)


def shape(expected: Comparable, got: Comparable) -> str:
    """What the two answers alone say; "" where it is nothing."""
    if isinstance(expected, (str, bytes)) or isinstance(got, (str, bytes)):
        return "the answer is empty" if expected and not got else ""
    a, b = list(expected), list(got)
    if a and not b:
        return "the answer is empty"
    steps = {y - x for x, y in zip(a, b) if type(x) is int and type(y) is int}
    if len(a) == len(b) and len(steps) == 1:
        return f"every id is {abs(next(iter(steps)))} too {'large' if next(iter(steps)) > 0 else 'small'}"
    if b == a + a:
        return "the answer stands there twice"
    if b == a[: len(b)]:
        return "the answer ends too early"
    return "ids are in reverse" if len(a) > 1 and b == a[::-1] else ""
