"""Engines that do chat templates: minijinja here, the others where they are installed (nightly)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tokassay import chat, data, engines
from tokassay.checks.engine import FaultError, RefusalError
from tokassay.checks.judging import narrowed
from tokassay.checks.template import check
from tokassay.checks.vector import read_vectors

GOLDEN = data.root() / "golden"
TOKENIZER = str(GOLDEN / "tokenizers" / "gpt2" / "tokenizer.json")
USER = [{"role": "user", "content": "h\u00e9"}]
GREETING = "{% for m in messages %}{{ m.role }}: {{ m.content|tojson }}{% endfor %}{{ x }}"


@pytest.fixture(scope="module")
def minijinja():
    return engines.open("minijinja", isolate=False).load(TOKENIZER)


def test_minijinja_renders(minijinja):
    assert minijinja.template(GREETING, USER, {"x": 1}) == 'user: "h\u00e9"1'
    assert minijinja.template(GREETING, "a", {}) == 'user: "a"'
    assert minijinja.template("{{ strftime_now('%%') }}{{ tools is none }}", USER, {}) == "%True"


def test_minijinja_raises(minijinja):
    with pytest.raises(FaultError, match="no"):
        minijinja.template("{{ raise_exception('no') }}", USER, {})
    with pytest.raises(RefusalError, match="continue"):
        minijinja.template(GREETING, USER, {"continue_final_message": True})
    with pytest.raises(RefusalError, match="templates only"):
        minijinja.encode("a")
    with pytest.raises(RefusalError, match="templates only"):
        minijinja.decode([1])


def measured(name):
    return json.loads((GOLDEN / "templates" / "measured" / f"{name}.json").read_bytes())


def verdicts(session):
    vectors = read_vectors(GOLDEN / "vectors" / "template" / "template-probe.jsonl")
    return {one.given["construct"]: check(session, narrowed(one, "gpt2")).kind for one in vectors}


def expected(name):
    return {construct: found["verdict"] for construct, found in measured(name)["constructs"].items()}


def test_what_was_measured_of_minijinja_comes_again(minijinja):
    assert measured("minijinja")["version"] == minijinja.info.version
    assert verdicts(minijinja) == expected("minijinja")


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["mnn", "jinjajs"])
def test_what_was_measured_comes_again(name):
    engine = engines.open(name)
    assert measured(name)["version"] == engine.info.version
    assert verdicts(engine.load(TOKENIZER)) == expected(name)


FOUND = [json.loads(line) for line in (GOLDEN / "findings" / "jinjajs.jsonl").read_text("ascii").splitlines()]


def test_a_loop_over_an_undefined_name_runs_no_time():
    """Which jinjajs ends with an error."""
    answers = [chat.render(row["template"]["template"], row["template"]["messages"]) for row in FOUND]
    assert answers == [row["expected"] for row in FOUND]


@pytest.mark.nightly
def test_findings_in_jinjajs_come_again():
    engine = engines.open("jinjajs")
    session = engine.load(TOKENIZER)
    for row in FOUND:
        assert (row["version"], row["got"]) == (engine.info.version, "error")
        with pytest.raises(FaultError):
            session.template(row["template"]["template"], row["template"]["messages"], {})


@pytest.mark.nightly
def test_mnn_refuses_what_it_cannot_be_given():
    session = engines.open("mnn").load(TOKENIZER)
    with pytest.raises(RefusalError, match="continue_final_message"):
        session.template(GREETING, USER, {"continue_final_message": True})
    with pytest.raises(RefusalError, match="beginning of the assistant"):
        session.template("{{ add_generation_prompt }}", USER, {})
    assert (
        session.template("{{ bos_token }}{{ eos_token }}", USER, {"bos_token": "<", "eos_token": ">"}) == "<>"
    )
    assert session.template("{{ messages[0].content }}", "Hi", {}) == "Hi"


def test_the_page_is_made_of_the_data():
    tool = Path(__file__).resolve().parents[3] / "tools" / "make_template_page.py"
    made = subprocess.run([sys.executable, tool, "--check"], check=False)
    assert made.returncode == 0, "run: python tools/make_template_page.py"
