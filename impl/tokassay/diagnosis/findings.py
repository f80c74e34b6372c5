"""From failing verdicts to findings: one for each cause, with its smallest input (clause ``run.finding``)."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Set, Tuple

from tokassay.checks.engine import Engine, UnavailableError
from tokassay.checks.judging import tokenizer_of
from tokassay.checks.vector import INLINE, Vector
from tokassay.checks.verdict import Comparable, Verdict
from tokassay.core.errors import TokassayError
from tokassay.verdicts.driver import Plan, Target
from tokassay.verdicts.events import Finding
from tokassay.verdicts.kept import Kept
from tokassay.verdicts.stages import stage_name

from . import cards
from .bench import Bench, Clock, Failure, Say, smaller
from .characters import at_fault
from .explaining import Case, Cause, best, known_as, shape
from .question import COLUMNS, Question, behind, completed
from .seeing import NO_TEXT, Seen, fails, seen

MOST_FINDINGS = 40  # for one engine on one tokenizer; what is left is counted
MOST_PASSING = 100
MOST_EXAMINED = 2000  # of one suite and kind; the others are put where they belong by their answers
NOT_EXAMINED = Cause("", "not examined", "")
A_CELL, A_RUN = 12, 60  # as many times the seconds of a finding; what is left then is counted, not examined


@dataclass(frozen=True)
class Options:
    """How much is done. `seconds` for one finding; `cards` is the folder of the reproducers."""

    seconds: float = 5.0
    cards: Optional[Path] = None
    addresses: Dict[str, str] = field(default_factory=dict)  # of engines, by name
    say: Say = lambda _: None


@dataclass
class Group:
    """Verdicts with one cause, and the smallest question among them."""

    cause: Cause
    lines: Set[str] = field(default_factory=set)
    first: Optional[Verdict] = None
    count: int = 0
    vectors: Dict[str, None] = field(default_factory=dict)  # their ids, in order
    question: Optional[Question] = None
    path: str = ""

    @property
    def line(self) -> str:
        """The cause as one of them tells it."""
        others = len(self.lines) - 1
        return f"{self.cause.line} (and {others} like it)" if others > 0 else self.cause.line

    def add(self, verdict: Verdict, question: Optional[Question], path: str = "") -> None:
        self.first = self.first or verdict
        self.count += 1
        self.vectors[verdict.vector] = None
        if question is not None and (self.question is None or question.size < self.question.size):
            self.question, self.path = question, path


def conclude(plan: Plan, failed: Iterable[Verdict] | Kept, options: Options) -> Iterator[Finding]:
    """The findings behind the failing verdicts of a run, engine by engine, tokenizer by tokenizer."""
    engines = {engine.info.name: engine for engine in plan.engines}
    targets = {target.name: target for target in plan.targets}
    kept = failed if isinstance(failed, Kept) else Kept(failed)
    whole = Clock.of(options.seconds * A_RUN)
    for engine, tokenizer in kept.cells:
        if engine in engines and tokenizer in targets:
            with tempfile.TemporaryDirectory(prefix="tokassay-") as scratch:
                cell = Cell(engines[engine], targets[tokenizer], options, Path(scratch), whole)
                yield from cell.findings(partial(kept.of, (engine, tokenizer)))


class Cell:
    """One engine on one tokenizer (or on the tokenizers that vectors bring themselves)."""

    def __init__(self, engine: Engine, target: Target, options: Options, scratch: Path, whole: Clock) -> None:
        self.clock = Clock(min(whole.until, Clock.of(options.seconds * A_CELL).until))
        self.engine, self.target, self.options, self.scratch = engine, target, options, scratch
        self.groups: Dict[Tuple[str, str, str, str], Group] = {}  # kind, and what parts causes
        self.benches: Dict[str, Optional[Bench]] = {}
        self.places: Optional[Dict[str, int]] = None
        self.down = False

    def findings(self, verdicts: Callable[[], Iterator[Verdict]]) -> Iterator[Finding]:
        """One for each cause. Some verdicts of each suite and kind are examined, the others go with them."""
        self._examine_all([verdict for verdict, chosen in _sampled(verdicts()) if chosen])
        for verdict, chosen in _sampled(verdicts()):
            if not chosen:
                self._group(verdict.kind, self._recognized(verdict)).add(verdict, None)
        for number, ((kind, *_), group) in enumerate(list(self.groups.items())):
            self.options.say(f"finding {number + 1} of {len(self.groups)}: {group.line}")
            yield self._finding(kind, group, examined=self._may(number), number=number + 1)

    def _examine_all(self, verdicts: Sequence[Verdict]) -> None:
        wanted = {verdict.vector for verdict in verdicts}
        vectors = {vector.id: vector for vector in self.target.vectors if vector.id in wanted}
        askable: Dict[str, List[Tuple[Verdict, Question]]] = {}
        for verdict in verdicts:
            vector = vectors.get(verdict.vector)
            question = behind(verdict, vector) if vector is not None else None
            path = self._path(vector) if question is not None and vector is not None else ""
            if verdict.kind == "diverge" and question is not None and path and "load" not in verdict.reason:
                askable.setdefault(path, []).append((verdict, question))
            else:
                self._group(verdict.kind, _shape(verdict) or _told(verdict)).add(verdict, question, path)
        for path, cases in askable.items():
            self._sort(path, cases)

    def _recognized(self, verdict: Verdict) -> Cause:
        """The cause of a verdict that is not examined: what it says itself, or one that was met before."""
        told = _shape(verdict) or _told(verdict)
        if (
            verdict.kind != "diverge"
            or ("diverge", told.code, told.key or told.line, told.stage) in self.groups
        ):
            return told
        vector, got = self._vector(verdict.vector), _got(verdict)
        question = behind(verdict, vector) if vector is not None else None
        if question is None or vector is None or not self.clock.in_time():
            return NOT_EXAMINED
        met = [group.cause for (kind, *_), group in self.groups.items() if kind == "diverge"]
        return known_as(self.target.original or self._path(vector), question, got, met) or NOT_EXAMINED

    def _vector(self, name: str) -> Optional[Vector]:
        """A vector by its id; where it lies is noted, not what it says."""
        if self.places is None:
            self.places = {vector.id: place for place, vector in enumerate(self.target.vectors)}
        place = self.places.get(name)
        return None if place is None else self.target.vectors[place]

    def _may(self, number: int) -> bool:
        return number < MOST_FINDINGS and self.clock.in_time()

    def _group(self, kind: str, cause: Cause) -> Group:
        key = (kind, cause.code, cause.key or cause.line, cause.stage)
        group = self.groups.setdefault(key, Group(cause))
        group.lines.add(cause.line)
        return group

    def _path(self, vector: Vector) -> str:
        """The tokenizer's file; one that a vector brings is written."""
        if self.target.name != INLINE:
            return self.target.path or ""
        if vector.inline is None:
            return ""
        folder = self.scratch / vector.id.replace("/", "-")
        folder.mkdir(exist_ok=True)
        (folder / "tokenizer.json").write_bytes(vector.inline)
        return str(folder / "tokenizer.json")

    def _bench(self, path: str) -> Optional[Bench]:
        if path not in self.benches and not self.down:
            try:
                original = self.target.original if path == self.target.path else None
                self.benches[path] = Bench.of(self.engine, path, original) if path else None
            except UnavailableError:
                self.down = True
        return None if self.down else self.benches.get(path)

    # -- which cause ---------------------------------------------------------------------------------

    def _sort(self, path: str, found: Sequence[Tuple[Verdict, Question]]) -> None:
        """Every case into the group of its cause; what no alteration explains is shrunk and tried again."""
        bench, clock = self._bench(path), Clock.of(self.options.seconds * 4)
        if bench is not None:
            found = [(verdict, completed(question, bench.oracle)) for verdict, question in found]
        cases = [(question, _got(verdict)) for verdict, question in found]
        passing = self._passing(found) if self.target.name != INLINE else []
        causes = best(bench.path if bench else path, cases, passing, clock.in_time)
        left = []
        for number, (verdict, question) in enumerate(found):
            if number in causes:
                self._group("diverge", causes[number]).add(verdict, question, path)
            else:
                left.append((verdict, question))
        left = self._shaped(path, left)
        self._examine(path, bench, sorted(left, key=lambda case: case[1].size), passing)

    def _shaped(self, path: str, left: Sequence[Tuple[Verdict, Question]]) -> List[Tuple[Verdict, Question]]:
        """What is left after the cases whose answers alone show a cause that many others show, too."""
        shapes = [_shape(verdict) for verdict, _ in left]
        counts = Counter(cause for cause in shapes if cause is not None)
        many = {cause for cause, count in counts.items() if count > 2 and count * 4 >= len(left)}
        for cause, (verdict, question) in zip(shapes, left):
            if cause in many and cause is not None:
                self._group("diverge", cause).add(verdict, question, path)
        return [case for cause, case in zip(shapes, left) if cause not in many]

    def _passing(self, failing: Sequence[Tuple[Verdict, Question]]) -> List[Case]:
        """Questions that the engine answers rightly, of the kinds that it fails on."""
        bad = {verdict.vector for verdict, _ in failing}
        kinds = {question.what for _, question in failing}
        columns = [name for name in COLUMNS if name in kinds]
        cases: List[Case] = []
        for vector in self.target.vectors:
            answer: Any = vector.expect[tokenizer_of(vector)]
            general = vector.op == "encode" and "text" in vector.given and "pair" not in vector.given
            if not general or vector.id in bad or "error" in answer or vector.given.get("limits"):
                continue
            if "text" in kinds:
                decoded = answer.get("decoded", vector.text)
                cases.append((Question("text", ids=tuple(answer["ids"])), decoded))
            cases += [(Question(name, vector.text), answer[name]) for name in columns if name in answer]
        return cases[:: max(1, len(cases) // MOST_PASSING)]

    def _examine(
        self, path: str, bench: Optional[Bench], left: List[Tuple[Verdict, Question]], passing: Sequence[Case]
    ) -> None:
        """Shrink, explain, and take along what holds the same smallest input."""
        budget = MOST_FINDINGS if bench is not None else 0
        while left and budget and self.clock.in_time() and not self.down:
            budget -= 1
            verdict, question = left[0]
            least, cause = self._least(bench, verdict, question, passing)
            group = self._group("diverge", cause)
            group.add(verdict, least, path)
            rest = left[1:]
            left = [case for case in rest if not _holds(case[1], least)]
            for other, asked in rest:
                if _holds(asked, least):
                    group.add(other, asked, path)
        for verdict, question in left:
            self._group("diverge", Cause("", "not examined", stage_name(verdict.stage))).add(
                verdict, question, path
            )

    def _least(
        self, bench: Optional[Bench], verdict: Verdict, question: Question, passing: Sequence[Case]
    ) -> Tuple[Question, Cause]:
        """The smallest form of an unexplained case, and what then explains it."""
        unknown = _told(verdict)
        if bench is None:
            return question, unknown
        clock = Clock.of(self.options.seconds)
        try:
            failure = bench.failure(question)
            if failure is None or failure.difference is None:
                return question, Cause("", "it does not happen again when asked alone", unknown.stage)
            least = smaller(bench, question, failure, None, clock)
            now = bench.failure(least) or failure
            if now.difference is None:
                return least, unknown
            found = best(bench.path, [(least, now.difference.got)], passing, clock.in_time)
            stage = stage_name(bench.account(least)) or unknown.stage
            classes = NO_TEXT if least.data else ""
            if least.encodes and not least.data:
                classes = at_fault(least.text, lambda text: fails(bench, least.with_input(text)))
        except UnavailableError:
            self.down = True
            return question, unknown
        line = shape(now.difference.expected, now.difference.got) or _unknown(now, stage, classes)
        return least, found.get(0) or Cause("", line, stage)

    # -- the finding ---------------------------------------------------------------------------------

    def _finding(self, kind: str, group: Group, *, examined: bool, number: int) -> Finding:
        first, question = group.first, group.question
        assert first is not None  # there is no group without a verdict
        bench = self._bench(group.path) if question is not None and examined else None
        made = Seen(group.cause, question, None, stage_name(first.stage) or group.cause.stage)
        if bench is not None and question is not None:
            try:
                made = seen(bench, completed(question, bench.oracle), kind, group.cause, self.options.seconds)
            except UnavailableError:
                self.down = True
        card = ""
        if (
            self.options.cards is not None
            and bench is not None
            and made.failure is not None
            and not self.down
        ):
            card = self._card(bench, made, kind, number)
        difference = made.failure.difference if made.failure else first.difference
        return Finding(
            first.engine,
            first.tokenizer,
            first.suite,
            kind,
            group.count,
            tuple(group.vectors),
            group.line,
            group.cause.code,
            made.stage or group.cause.stage,
            made.characters,
            made.question.given if made.question else {},
            difference,
            made.account,
            card,
        )

    def _card(self, bench: Bench, made: Seen, kind: str, number: int) -> str:
        name = f"{self.engine.info.name}-{self.target.name}-{number}"
        folder = Path(str(self.options.cards)) / re.sub(r"[^A-Za-z0-9._-]+", "-", name)
        address = self.options.addresses.get(self.engine.info.name, self.engine.info.name)
        what = cards.Reproduced(self.engine, address, self.target.name, kind, made)
        try:
            return str(cards.write(folder, bench, what, self.options.seconds))
        except UnavailableError:
            self.down = True
            return ""
        except (TokassayError, OSError) as error:
            self.options.say(f"{folder}: no card: {error}")
            return ""


def _sampled(verdicts: Iterable[Verdict]) -> Iterator[Tuple[Verdict, bool]]:
    """Each verdict, and whether it is one of those that are examined."""
    seen: Counter[Tuple[str, str]] = Counter()
    for verdict in verdicts:
        seen[verdict.suite, verdict.kind] += 1
        yield verdict, seen[verdict.suite, verdict.kind] <= MOST_EXAMINED


def _got(verdict: Verdict) -> Comparable:
    return verdict.difference.got if verdict.difference is not None else ""


def _shape(verdict: Verdict) -> Optional[Cause]:
    """A cause that the two answers alone show."""
    difference = verdict.difference
    line = shape(difference.expected, difference.got) if difference is not None else ""
    return Cause("", line, "") if line and verdict.suite != "determinism" else None


def _plain(line: str) -> str:
    """A line without what differs from case to case: numbers, and what it quotes."""
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "'...'", line))


def _told(verdict: Verdict) -> Cause:
    """What the verdict itself says: its reason, or what differs."""
    if verdict.reason:
        line = verdict.reason.split("\n", 1)[0][:200]
        return Cause("", line, "", _plain(line))
    what = verdict.difference.what if verdict.difference else verdict.kind
    line = f"{what} ({verdict.suite})"
    return Cause("", line, stage_name(verdict.stage), _plain(line))


def _unknown(failure: Failure, stage: str, classes: str) -> str:
    what = failure.difference.what if failure.difference else "the answer"
    return (
        f"unknown: {what} differ{f' from the {stage} on' if stage else ''}{f': {classes}' if classes else ''}"
    )


def _holds(question: Question, least: Question) -> bool:
    """Whether the smallest input is part of another one."""
    if question.what != least.what or question.special != least.special or not least.size:
        return False
    if question.encodes:
        return least.text in question.text
    size = len(least.ids)
    return any(question.ids[at : at + size] == least.ids for at in range(len(question.ids) - size + 1))
