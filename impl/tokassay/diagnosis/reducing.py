"""Make the tokenizer small, too: drop tokens, merges, added tokens and stages while the divergence stays."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional, Sequence, Set, Tuple, Union

from tokassay.checks.engine import Engine, EngineError
from tokassay.checks.judging import ask
from tokassay.core.byte_alphabet import spell

from . import documents
from .bench import Bench, Clock, Failure, same, smaller
from .documents import Document
from .explaining import Cause
from .exporting import JSON, Export
from .question import Question
from .seeing import Seen
from .shrink import shrink

NOTHING = "no smaller one was found in the time given that shows the same"
LONGEST = 64  # characters of a token that is looked for among the parts of a piece


@dataclass
class Lab:
    """Where smaller tokenizers are tried, each from a file of its own: engines may remember paths.

    `names` are the tokens of a question that is a list of ids: a smaller tokenizer numbers them anew.
    `export` is what the engine loads instead of the tokenizer.json.
    """

    engine: Engine
    question: Question
    failure: Failure
    cause: Cause
    clock: Clock
    folder: Path
    names: Sequence[str] = ()
    export: Optional[Export] = None
    numbers: Iterator[int] = field(default_factory=count)

    def bench(self, document: Document) -> Optional[Bench]:
        """None where the engine cannot load it, or the format of the export cannot hold it."""
        placed = self.placed(document)
        return None if placed is None else Bench.of(self.engine, *map(str, placed))

    def placed(self, document: Document) -> Optional[Tuple[Path, Path]]:
        """What the engine loads, and the tokenizer.json; None where the format cannot hold it."""
        original = self.folder / str(next(self.numbers)) / JSON
        original.parent.mkdir()
        original.write_bytes(documents.serialized(document))
        path = original if self.export is None else self.export.write(original)
        return None if path is None else (path, original)

    def asked(self, document: Document) -> Optional[Question]:
        """The question in the ids of a document; None where one of its tokens is gone."""
        if self.question.encodes:
            return self.question
        ids = {token: number for number, token in documents.names(document).items()}
        found = [ids.get(name) for name in self.names]
        return None if None in found else self.question.with_input(found)

    def fails(self, document: Document) -> bool:
        """Whether the question still fails in the same way. Raises UnavailableError."""
        question = self.asked(document)
        bench = self.bench(document) if question is not None else None
        return bench is not None and question is not None and self.again(bench, question)

    def again(self, bench: Bench, question: Question) -> bool:
        """The same failure. Ids of a smaller tokenizer are others, decoded texts have to stay."""
        if not same(bench, question, self.failure, self.cause):
            return False
        now = bench.failure(question)
        return question.encodes or (now is not None and now.difference == self.failure.difference)

    def keep(self, document: Document, smaller_one: Document) -> Document:
        return smaller_one if self.clock.in_time() and self.fails(smaller_one) else document


@dataclass(frozen=True)
class Reduced:
    """The small tokenizer with its question; `bench` has it loaded."""

    document: Document
    question: Question
    bench: Bench


def reduced(engine: Engine, bench: Bench, seen: Seen, seconds: float, scratch: Path) -> Union[Reduced, str]:
    """The smallest tokenizer found in the time given, or why there is none.

    It lies below `scratch`, and so does its export. Raises UnavailableError.
    """
    question, failure = seen.question, seen.failure
    if is_recorded(engine):
        return "the answers were recorded, nobody can ask this engine with a smaller one"
    document = documents.read(Path(bench.path).read_bytes())
    if question is None or failure is None or document is None:
        return NOTHING
    known = documents.names(document)
    if any(index not in known for index in question.ids):
        return NOTHING
    names = [known[index] for index in question.ids]
    said = [_of_export(bench)] if bench.exported else []
    for number, export in enumerate(_ways(engine, bench)):
        folder = scratch / str(number)
        folder.mkdir()
        lab = Lab(engine, question, failure, seen.cause, Clock.of(seconds), folder, names, export)
        found = _reduced(lab, document, bench, Clock.of(seconds * 5 / 4))
        if isinstance(found, Reduced):
            return found
        said.append(found)
    return "".join(said[:2])


def _of_export(bench: Bench) -> str:
    return f"the engine loads an export of it ({Path(bench.engine.path).name}), and "


def _ways(engine: Engine, bench: Bench) -> Iterator[Optional[Export]]:
    """What the engine may load of a smaller tokenizer: an export as it has now; None is the file itself."""
    if bench.exported:
        yield Export.like(Path(bench.engine.path), Path(bench.path))
    if not bench.exported or JSON in engine.info.formats:
        yield None


def _reduced(lab: Lab, document: Document, bench: Bench, clock: Clock) -> Union[Reduced, str]:
    guess = next(
        (one for one in _guesses(lab, document, bench) if lab.clock.in_time() and lab.fails(one)), None
    )
    if guess is None and bench.exported:
        other = _not_so(lab, document)
        if other:
            return other
    small = _fewer(lab, guess or document)
    last, asked = lab.bench(small), lab.asked(small)
    if small == document or last is None or asked is None or not lab.again(last, asked):
        return NOTHING
    return Reduced(small, smaller(last, asked, lab.failure, lab.cause, clock), last)


def _not_so(lab: Lab, document: Document) -> str:
    """Why even the whole tokenizer does not fail where it is loaded in another way; "" where it does."""
    if lab.export is not None and lab.placed(document) is None:
        return lab.export.unwritten
    return "" if lab.fails(document) else "one that is written anew does not fail in this way"


def is_recorded(engine: Engine) -> bool:
    """Whether only its answers are here: they would be the same for every tokenizer."""
    return bool(getattr(engine, "recorded", False))


def _fewer(lab: Lab, document: Document) -> Document:
    document = lab.keep(document, documents.with_added(document, []))
    for steps in (_without_stages, _without_added, _without_tokens, _without_merges, _without_stages):
        document = steps(lab, document)
    return document


def _guesses(lab: Lab, document: Document, bench: Bench) -> Iterator[Document]:
    wanted = _vocabularies(document, lab.question, bench) if lab.question.encodes else [set(lab.names)]
    return (documents.with_tokens(document, names) for names in wanted)


def _vocabularies(document: Document, question: Question, bench: Bench) -> Iterator[Set[str]]:
    """Guesses at the tokens that matter, the boldest first."""
    known = set(documents.tokens(document))
    texts = _spellings(question, bench)
    parts = {
        text[i:j]
        for text in texts
        for i in range(len(text))
        for j in range(i + 1, min(len(text), i + LONGEST) + 1)
    }
    prefix = document["model"].get("continuing_subword_prefix") or ""
    suffix = document["model"].get("end_of_word_suffix") or ""
    forms = parts | {prefix + part for part in parts if prefix} | {part + suffix for part in parts if suffix}
    special = {token["content"] for token in documents.added(document)}
    unknown = {str(document["model"].get("unk_token"))}
    yield known & (forms | unknown)
    yield known & (forms | unknown | special)
    spelled = {token for token in known if token.startswith("<0x") or len(token) == 1}
    yield known & (forms | unknown | special | spelled)


def _spellings(question: Question, bench: Bench) -> List[str]:
    """The text as every stage spells it, for the oracle and the engine, and in bytes."""
    found = [question.text, question.text.lower(), " " + question.text, "\u2581" + question.text]
    found += ["\u2581" + question.text.replace(" ", "\u2581")]
    for session in (bench.oracle, bench.engine):
        if "stages" in session.info.capabilities:
            try:
                stages = ask(session.stages, question.text)
            except EngineError:
                continue
            for told in (stages.normalized, stages.pieces, stages.tokens):
                found += [*(told or ()), "".join(told or ())]
    return found + [spell(text) for text in found]


def _without_stages(lab: Lab, document: Document) -> Document:
    """Until no stage and no step of one can go."""
    again = True
    while again and lab.clock.in_time():
        again = False
        for _, candidate in documents.simpler(document):
            if lab.clock.in_time() and lab.fails(candidate):
                document, again = candidate, True
                break
    return document


def _shrunk(lab: Lab, items: Sequence[Any], made: Callable[[List[Any]], Document]) -> List[Any]:
    return list(shrink(list(items), lambda kept: lab.fails(made(list(kept))), in_time=lab.clock.in_time))


def _without_added(lab: Lab, document: Document) -> Document:
    numbered = list(enumerate(documents.added(document)))
    kept = _shrunk(
        lab, [n for n, _ in numbered], lambda ns: documents.with_added(document, [numbered[n][1] for n in ns])
    )
    return documents.with_added(document, [numbered[n][1] for n in kept])


def _without_tokens(lab: Lab, document: Document) -> Document:
    kept = _shrunk(lab, documents.tokens(document), lambda names: documents.with_tokens(document, set(names)))
    return documents.with_tokens(document, set(kept))


def _without_merges(lab: Lab, document: Document) -> Document:
    merges = document["model"].get("merges")
    if not merges:
        return document
    kept = _shrunk(
        lab, range(len(merges)), lambda ns: documents.with_merges(document, [merges[n] for n in ns])
    )
    return documents.with_merges(document, [merges[n] for n in kept])
