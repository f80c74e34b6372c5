"""Faults of the reference: each is an engine, a golden vector notices each, and the reference is none."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import List, Tuple

import pytest

from tokassay import data
from tokassay.cli import main
from tokassay.cli.mutants import shown
from tokassay.mutants import Change, Outcome, areas, catalogue, stream
from tokassay.mutants._fault import Fault
from tokassay.mutants._killing import Bench, outcome, vectors
from tokassay.mutants._popular import noticed
from tokassay.report import mutants_page

ROOT = data.root()
MUTANTS = list(catalogue())
BY_AREA = {"encode": 200, "decode": 40, "stream": 20, "formats": 35, "template": 120}
GPT2 = str(ROOT / "golden" / "tokenizers" / "gpt2" / "tokenizer.json")
DOCUMENT = (ROOT / "docs" / "mutants.md").read_text("utf-8")
ROW = re.compile(r"^\| `([a-z0-9-]+)` \| (.*) \| (\S+) on (\S+) \((\w+)\) \|$", re.MULTILINE)


def documented(area: str) -> List[Tuple[str, str, str, str, str]]:
    """Mutant, what it breaks, and the vector, tokenizer and suite that kill it first."""
    sections = re.split(r"^## ", DOCUMENT, flags=re.MULTILINE)
    return ROW.findall(next(one for one in sections if one.startswith(f"{area}\n")))


def kills(area: str, name: str, vector: str, tokenizer: str, suite: str) -> bool:
    """Whether that vector notices that mutant, asked twice: what is left of one stream shows in the next."""
    module = __import__(f"tokassay.mutants.{area}", fromlist=["OPS"])
    fault = next(one for one in module.faults() if one.name == name)
    given = next(one for one in vectors(module.OPS) if one.id == vector)
    bench = Bench.of(fault, [suite], module.OPS)
    return any(one.failed for _ in range(2) for one in bench.judged(given, tokenizer))


@pytest.mark.parametrize("area", BY_AREA)
def test_the_document_names_every_mutant(area: str):
    known = [(one.name, f"{one.clause}: ") for one in MUTANTS if one.area == area]
    rows = documented(area)
    assert [row[0] for row in rows] == [name for name, _ in known]
    assert all(row[1].startswith(clause) for row, (_, clause) in zip(rows, known))


@pytest.mark.parametrize("area", ["decode", "stream"])
def test_what_the_document_says_kills(area: str):
    assert all(kills(area, name, *place) for name, _, *place in documented(area)[::4])


@pytest.mark.nightly
@pytest.mark.parametrize("area", BY_AREA)
def test_all_that_the_document_says_kills(area: str):
    assert [name for name, _, *place in documented(area) if not kills(area, name, *place)] == []


def test_usual_strings_notice_a_part_only():
    found = {one.name: noticed(one) for one in stream.faults()}
    assert found["per-token"]
    assert not found["never-flushed"]
    assert f"| {sum(found.values())} | {len(found)} | {len(found)} |" in DOCUMENT


def test_names_are_unique_within_an_area():
    names = [(mutant.area, mutant.name) for mutant in MUTANTS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("area", BY_AREA)
def test_there_are_many_of_each_area(area: str):
    assert len([mutant for mutant in MUTANTS if mutant.area == area]) >= BY_AREA[area]


def test_each_breaks_a_clause_that_there_is():
    text = "\n".join(page.read_text("utf-8") for page in (ROOT / "docs" / "spec").glob("*.md"))
    anchors = set(re.findall(r"^### `([^`]+)`", text, re.MULTILINE))
    assert {mutant.clause for mutant in MUTANTS} - anchors == set()


def test_each_is_an_engine_that_opens_a_file():
    engines = [mutant.open_engine() for mutant in MUTANTS if mutant.area == "encode"]
    sessions = [engine.load(GPT2) for engine in engines[:20]]
    assert all(session.info.name == engine.info.name for session, engine in zip(sessions, engines))


def test_a_fault_changes_what_an_engine_answers():
    mutant = next(one for one in MUTANTS if one.name == "prefix-space-always")
    session = mutant.open_engine().load(GPT2)
    assert list(session.encode("a").ids) == list(session.reference.encode(" a").ids)  # type: ignore[attr-defined]


@pytest.mark.parametrize("area", ["decode", "stream"])
def test_the_golden_vectors_notice_each_one(area: str):
    assert [one.mutant for one in areas()[area].outcomes(Path(), 1) if not one.caught] == []


@pytest.mark.nightly
@pytest.mark.parametrize("area", ["encode", "formats", "template"])
def test_the_golden_vectors_notice_each_one_of_the_large_areas(area: str):
    assert [one.mutant for one in areas()[area].outcomes(Path(), 1) if not one.caught] == []


@pytest.mark.parametrize(("suite", "op"), [("stream", "stream"), ("decode", "decode")])
def test_the_reference_itself_is_no_mutant(suite: str, op: str):
    assert not outcome(Fault("sound", "nothing", "none"), [suite], [op]).caught


@pytest.mark.nightly
@pytest.mark.parametrize("area", BY_AREA)
def test_the_reference_is_no_mutant_in_any_area(area: str):
    module = __import__(f"tokassay.mutants.{area}", fromlist=["SUITES"])
    assert not outcome(Fault("sound", "nothing", "none"), module.SUITES, module.OPS, 1).caught


def test_a_renderer_with_nothing_changed_is_no_mutant():
    from tokassay.mutants._prompts import Prompts

    assert not outcome(Fault("sound", "", "", prompting=Prompts()), ["template"], ["template"], 1).caught


def test_an_equivalent_mutant_is_no_hole():
    alike = Outcome("idle", "nothing", (), "the same by definition")
    assert mutants_page.missed([alike]) == []
    assert "EQUIVALENT" in next(shown(alike))
    assert "equivalent: the same" in mutants_page.smallest(alike)


def test_the_rate_leaves_out_what_is_equivalent():
    killed = Outcome("m", "b", (Change(1, "p", (1,), (2,)),))
    assert "1 of 2 mutants killed (50.0%), 1 equivalent" in mutants_page.rate(
        "x", [killed, Outcome("n", "b", ()), Outcome("o", "b", (), "alike")]
    )


def test_the_page_needs_nothing_from_outside(tmp_path: Path):
    page = tmp_path / "mutants.html"
    assert main(["mutants", "stream", "--first", "--html", str(page)]) == 0
    html = page.read_text("utf-8")
    assert "partial-given" in html
    assert not re.search(r'(?:src|href)="(?!data:|#)', html)


def test_the_tables_of_the_documents_are_printed(capsys: pytest.CaptureFixture[str]):
    assert main(["mutants", "stream", "--first", "--markdown"]) == 0
    assert "| `partial-given` |" in capsys.readouterr().out


def test_json_names_the_first_probe(capsys: pytest.CaptureFixture[str]):
    assert main(["mutants", "stream", "--first", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(len(row["changes"]) == 1 for row in rows)
