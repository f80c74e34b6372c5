"""Findings: an engine with a known fault gets one finding that names it, with a small input and a card."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, List, Optional, Sequence

import pytest

from tokassay import data, engines
from tokassay.checks import suites
from tokassay.checks.engine import Answer, CrashError, EngineInfo, Stages, TimeLimitError, UnavailableError
from tokassay.checks.judging import narrowed
from tokassay.checks.vector import Vector, read_vectors
from tokassay.cli import diff, main
from tokassay.diagnosis.findings import Options, conclude
from tokassay.diagnosis.stage import diagnoser
from tokassay.verdicts.driver import Plan, Target, run
from tokassay.verdicts.events import Event, Finding, Verdict

GOLDEN = data.root() / "golden"
KINDS = (
    "control nul digits nfc-composition newlines contractions added-context ascii-words marks spaces han-rare"
    " invalid-utf8"
)

_spec = importlib.util.spec_from_file_location("broken", Path(__file__).with_name("broken.py"))
assert _spec is not None
assert _spec.loader is not None
broken = importlib.util.module_from_spec(_spec)
sys.modules["broken"] = broken
_spec.loader.exec_module(broken)


def file_of(tokenizer: str) -> str:
    return str(GOLDEN / "tokenizers" / tokenizer / "tokenizer.json")


@lru_cache(maxsize=8)
def vectors(tokenizer: str) -> Sequence[Vector]:
    files = [GOLDEN / "vectors" / "encode" / f"{kind}.jsonl" for kind in KINDS.split()]
    found = [v for file in files if file.exists() for v in read_vectors(file) if tokenizer in v.expect]
    return [narrowed(vector, tokenizer) for vector in found]


def ran(engine: Any, tokenizer: str, *names: str, options: Optional[Options] = None) -> List[Event]:
    """A run with its findings."""
    chosen = [suite for name, suite in suites().items() if name in (names or ("encode", "decode", "offsets"))]
    target = Target(tokenizer, file_of(tokenizer), vectors(tokenizer))
    plan = Plan("1", [engine], [target], chosen, diagnose=diagnoser())
    return list(run(replace(plan, conclude=lambda failed: conclude(plan, failed, options or Options(2.0)))))


def findings(events: Sequence[Event]) -> List[Finding]:
    return [event for event in events if isinstance(event, Finding)]


def failures(events: Sequence[Event]) -> int:
    return sum(isinstance(event, Verdict) and event.failed for event in events)


FAULTS = [
    ("qwen", "the normalizer is not applied (NFC)", "normalizer", 1),
    ("qwen", "NFC works on one code point at a time: sequences stay as they are", "normalizer", 2),
    ("qwen", "control and format characters become spaces", "normalizer", 1),
    ("qwen", "the text ends at the first NUL", "input", 1),
    ("qwen", r"\p{L} holds ASCII letters only", "pre-tokenizer", 3),
    ("llama3", "numbers are cut into single digits", "pre-tokenizer", 2),
    ("qwen", "the lookahead after blanks is left out", "pre-tokenizer", 3),
    ("llama3", "the first special token is missing", "post-processor", 1),
    ("llama2-like", "the bytes of byte_fallback come in reverse", "model", 1),
    ("roberta", "ByteLevel takes add_prefix_space for its opposite", "pre-tokenizer", 1),
    ("bert-uncased", "lowercase of BertNormalizer is taken for its opposite", "normalizer", 1),
    ("bert-uncased", "spaces before punctuation are cleaned up", "decoder", 3),
]


@pytest.mark.parametrize(("tokenizer", "cause", "stage", "size"), FAULTS)
def test_a_known_fault_is_one_finding_that_names_it(tokenizer: str, cause: str, stage: str, size: int):
    events = ran(broken.BrokenEngine(cause), tokenizer)
    (found,) = findings(events)
    assert (found.cause, found.stage) == (cause, stage)
    assert found.count == failures(events) > 0
    smallest = found.given.get("text", found.given.get("ids"))
    assert len(smallest) <= size
    assert found.difference is not None
    assert found.difference.expected != found.difference.got


def test_offsets_in_bytes_are_known_as_such():
    engine = broken.BrokenEngine("offsets count bytes of UTF-8, not characters", broken.CLAIMS | {"offsets"})
    (found,) = findings(ran(engine, "gpt2"))
    assert (found.cause, found.stage) == (engine.cause, "offsets")


class Odd:
    """The reference with `change` applied to the ids of texts."""

    def __init__(self, change: Any, claims: Sequence[str] = ("encode", "decode")) -> None:
        self.info = EngineInfo("odd", "1", frozenset(claims))
        self.change, self.asked = change, 0

    def load(self, path: str) -> Odd:
        self.path, self.right = path, engines.open("reference").load(path)
        return self

    def encode(self, text: str) -> Answer:
        self.asked += 1
        ids = list(self.right.encode(text, add_special_tokens=False).ids)
        return Answer(self.change(text, ids))

    def decode(self, ids: Sequence[int]) -> str:
        return self.right.decode(ids, skip_special_tokens=False)

    def stages(self, text: str) -> Stages:
        told = self.right.stages(text)
        return replace(told, tokens=["?", *told.tokens]) if self.change(text, [0]) != [0] else told


def swapped(text: str, ids: List[int]) -> List[int]:
    return [9, *ids] if "4" in text and "5" in text else ids


def test_a_fault_that_nothing_explains_is_shrunk_and_its_characters_named():
    (found,) = findings(ran(Odd(swapped), "gpt2", "encode"))
    assert sorted(found.given["text"]) == ["4", "5"]
    assert found.characters == "ASCII decimal digit (U+0034), ASCII decimal digit (U+0035)"
    assert found.cause.startswith("unknown: ids differ")
    assert found.code == ""


def test_the_engines_own_stages_win():
    (found,) = findings(ran(Odd(swapped, ("encode", "decode", "stages")), "gpt2", "encode"))
    assert found.stage == "model"
    assert "expected" in found.account


def test_two_faults_are_two_findings():
    def change(text: str, ids: List[int]) -> List[int]:
        return [7, *ids] if "7" in text else [8, 8, *ids] if "\n" in text else ids

    found = findings(ran(Odd(change), "gpt2", "encode"))
    assert sorted(finding.given["text"] for finding in found) == ["\n", "7"]


def test_every_id_too_large_is_seen_at_once():
    (found,) = findings(ran(Odd(lambda _, ids: [i + 1 for i in ids]), "gpt2", "encode"))
    assert found.cause == "every id is 1 too large"


class Bytes(Odd):
    """Takes bytes, and passes invalid ones on as they are."""

    def __init__(self) -> None:
        super().__init__(lambda _, ids: ids, ("encode", "decode", "encode_bytes"))

    def encode_bytes(self, data: bytes) -> Answer:
        try:
            return self.encode(data.decode("utf-8"))
        except UnicodeDecodeError:
            return Answer([5])


def test_bytes_that_are_no_text_are_shrunk_as_bytes():
    (found,) = findings(ran(Bytes(), "gpt2", "encode"))
    assert len(bytes.fromhex(found.given["bytes_hex"])) == 1
    assert found.characters == "bytes that are not UTF-8"
    assert found.count > 5


def crashing(error: Exception) -> Any:
    def change(text: str, ids: List[int]) -> List[int]:
        if "7" in text:
            raise error
        return ids

    return change


@pytest.mark.parametrize(
    ("error", "kind"), [(CrashError("signal 11"), "crash"), (ValueError("no 7"), "error")]
)
def test_what_crashes_is_shrunk_with_few_questions(error: Exception, kind: str):
    engine = Odd(crashing(error))
    before = ran(engine, "gpt2", "encode", options=Options(0.0))
    asked, engine.asked = engine.asked, 0
    (found,) = findings(ran(engine, "gpt2", "encode"))
    assert (found.kind, found.given) == (kind, {"text": "7"})
    assert found.count == failures(before)
    assert engine.asked < asked + 120


def test_a_hang_costs_no_more_questions_than_a_crash():
    engine = Odd(crashing(TimeLimitError("no answer within 5 s")))
    (found,) = findings(ran(engine, "gpt2", "encode"))
    assert (found.kind, found.given) == ("timeout", {"text": "7"})


def test_time_that_is_used_up_leaves_failures_counted_and_not_examined(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tokassay.diagnosis.findings.A_RUN", 0)
    asked = []
    for options in (Options(0.0), None):
        engine = Odd(crashing(CrashError("signal 11")))
        events = ran(engine, "gpt2", "encode", options=options)
        assert sum(found.count for found in findings(events)) == failures(events) > 0
        asked.append(engine.asked)
    assert asked[0] == asked[1]


def test_an_engine_that_goes_down_while_it_is_diagnosed_keeps_its_findings():
    engine = Odd(None)

    def change(text: str, ids: List[int]) -> List[int]:
        if "7" in text and engine.asked > len(vectors("gpt2")):
            raise UnavailableError("restarts are used up")
        return [7, *ids] if "7" in text else ids

    engine.change = change
    events = ran(engine, "gpt2", "encode")
    assert sum(finding.count for finding in findings(events)) == failures(events)


def test_without_time_everything_is_still_counted():
    events = ran(Odd(swapped), "gpt2", "encode", options=Options(0.0))
    assert sum(finding.count for finding in findings(events)) == failures(events)


# -- cards ------------------------------------------------------------------------------------------


def tokens_of(card: Path) -> int:
    return len(json.loads((card / "tokenizer.json").read_text("utf-8"))["model"]["vocab"])


@pytest.mark.parametrize(
    ("tokenizer", "cause", "most"),
    [
        ("qwen", "the normalizer is not applied (NFC)", 8),
        ("llama3", "numbers are cut into single digits", 4),
        ("t5", "control and format characters become spaces", 8),
        ("bert-uncased", "lowercase of BertNormalizer is taken for its opposite", 4),
    ],
)
def test_a_card_holds_a_few_tokens_and_a_few_characters(
    tokenizer: str, cause: str, most: int, tmp_path: Path
):
    events = ran(broken.BrokenEngine(cause), tokenizer, "encode", options=Options(10.0, tmp_path))
    (found,) = findings(events)
    card = Path(found.card)
    assert tokens_of(card) <= most
    assert len((card / "text.txt").read_bytes()) <= 8
    told = json.loads((card / "card.json").read_text("ascii"))
    assert told["cause"] == cause
    assert told["expected"] != told["got"]
    assert cause in (card / "README.md").read_text("utf-8")


def test_a_card_is_a_vector_that_the_oracle_passes_and_the_engine_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    digits = str(GOLDEN / "vectors" / "encode" / "digits.jsonl")
    chosen = ["--tokenizer", "gpt2", "--vectors", digits, "--suite", "encode", "--cards", str(tmp_path)]
    assert main(["run", "--engine", "fake:wrong", *chosen]) == 1
    assert (
        "finding: fake:wrong / gpt2 / encode: 13 diverge: every id is 1 too large" in capsys.readouterr().out
    )
    (card,) = tmp_path.iterdir()
    again = ["--vectors", str(card / "vector.jsonl"), "--diagnose", "0"]
    assert main(["run", "--engine", "fake:wrong", "--suite", "encode", *again]) == 1
    assert main(["run", "--engine", "hf", "--engine", "reference", *again]) == 0
    assert "--engine fake:wrong" in (card / "README.md").read_text("utf-8")


def test_a_card_of_ids_replays_too(tmp_path: Path):
    cause = "spaces before punctuation are cleaned up"
    (found,) = findings(ran(broken.BrokenEngine(cause), "gpt2", "decode", options=Options(2.0, tmp_path)))
    row = json.loads((Path(found.card) / "vector.jsonl").read_text("ascii"))
    content = json.loads((Path(found.card) / "tokenizer.json").read_text("ascii"))
    assert (row["op"], len(row["ids"])) == ("decode", len(found.given["ids"]))
    assert len(content["model"]["vocab"]) == len(row["ids"])
    again = ["--vectors", str(Path(found.card) / "vector.jsonl"), "--engine", "reference"]
    assert main(["run", *again, "--suite", "decode"]) == 0


def test_findings_are_written_to_the_report_and_to_the_drafted_list(tmp_path: Path):
    digits = str(GOLDEN / "vectors" / "encode" / "digits.jsonl")
    chosen = [
        "run",
        "--engine",
        "fake:wrong",
        "--tokenizer",
        "gpt2",
        "--vectors",
        digits,
        "--suite",
        "encode",
    ]
    listed = tmp_path / "known.toml"
    assert main([*chosen, "--write-divergences", str(listed)]) == 1
    assert "# 13 vectors: every id is 1 too large" in listed.read_text("utf-8")
    assert main([*chosen, "--divergences", str(listed)]) == 0


# -- diff -------------------------------------------------------------------------------------------


def test_diff_names_the_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    opened = diff.engines.open
    cause = "NFC works on one code point at a time: sequences stay as they are"

    def with_broken(address: str, *given: Any, **options: Any) -> Any:
        return broken.BrokenEngine(cause) if address == "broken" else opened(address, *given, **options)

    monkeypatch.setattr(diff.engines, "open", with_broken)
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("cafe\u0301\n\u212b\na\u0308 b\n", "utf-8")
    given = [
        "--engine",
        "reference",
        "--engine",
        "broken",
        "--tokenizer",
        "qwen",
        "--corpus",
        str(corpus),
        "--json",
    ]
    assert main(["diff", *given]) == 1
    found, counts = map(json.loads, capsys.readouterr().out.splitlines())
    assert (found["cause"], found["stage"], found["count"]) == (cause, "normalizer", 2)
    assert len(found["text"]) == 2
    assert "combining mark" in found["characters"]
    assert counts["findings"] == 1


@pytest.mark.parametrize(
    ("cause", "examined"),
    [("the normalizer is not applied (NFC)", 14), ("the text ends at the first NUL", 5)],
)
def test_what_is_not_examined_falls_to_the_causes_of_what_is(
    cause: str, examined: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tokassay.diagnosis.findings.MOST_EXAMINED", examined)
    events = ran(broken.BrokenEngine(cause), "qwen")
    (found,) = findings(events)
    assert (found.cause, found.count) == (cause, failures(events))
    assert found.count > examined
    assert len(found.vectors) <= found.count


def test_an_answer_like_no_other_is_not_examined_beyond_the_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tokassay.diagnosis.findings.MOST_EXAMINED", 1)
    odd = Odd(lambda text, ids: [len(text), *ids, 7])
    assert "not examined" in {one.cause for one in findings(ran(odd, "gpt2", "encode"))}


class Raising(Odd):
    """It fails with another number each time."""

    def encode(self, text: str) -> Answer:
        self.asked += 1
        raise KeyError(self.asked * 100 + len(text))


def test_reasons_that_differ_in_numbers_are_one_finding_that_reads_as_the_first():
    events = ran(Raising(None), "gpt2", "encode")
    (found,) = findings(events)
    assert re.fullmatch(r"KeyError: \d+ \(and \d+ like it\)", found.cause)
    assert found.count == failures(events) > 100
