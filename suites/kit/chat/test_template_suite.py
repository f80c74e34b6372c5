"""The template suite: over the wire as in this process, its verdicts, real templates that are not here."""

from __future__ import annotations

import dataclasses

import pytest

from tokassay import data, engines
from tokassay.checks import template as suite
from tokassay.checks.engine import RefusalError
from tokassay.checks.judging import narrowed
from tokassay.checks.vector import read_vectors
from tokassay.cli import _templates

GOLDEN = data.root() / "golden"
TOKENIZER = str(GOLDEN / "tokenizers" / "gpt2" / "tokenizer.json")
VECTORS = {one.id: narrowed(one, "gpt2") for one in read_vectors(GOLDEN / "vectors" / "template")}
OWN = [one for one in VECTORS.values() if isinstance(one.given["template"], str)]
PLAIN = VECTORS["template-family/chatml-one-turn"]
RAISES = VECTORS["template-family/llama2-inst-two-users"]
REAL = VECTORS["template-real/qwen3-one-turn"]


@pytest.fixture(scope="module")
def here():
    return engines.open("reference").load(TOKENIZER)


@pytest.fixture(scope="module")
def there():
    engine = engines.open("child:reference")
    yield engine.load(TOKENIZER)
    engine.close()


def test_the_reference_agrees_with_every_vector(here):
    failed = [one.id for one in OWN if suite.check(here, one).kind != "pass"]
    assert not failed


def test_there_is_what_the_suite_promises():
    kinds = [one.kind for one in VECTORS.values()]
    families = {path.stem for path in (GOLDEN / "templates").glob("*.jinja")}
    assert len(families) >= 12
    assert kinds.count("template-probe") >= 125
    assert {one.given["template"]["zoo"] for one in VECTORS.values() if one.kind == "template-real"} == {
        "qwen3_config",
        "llama3_1_config",
        "gemma3_config",
        "deepseek_v3_config",
    }
    assert {one.source.kind for one in VECTORS.values() if one.kind == "template-document"} == {"document"}


def test_the_wire_carries_conversations_and_prompts(here, there):
    for vector in OWN[::25]:
        assert suite.check(there, vector).kind == suite.check(here, vector).kind == "pass"


class Faulty:
    """The reference with its prompts changed."""

    def __init__(self, session, change):
        self._session, self._change = session, change
        self.info = session.info

    def template(self, *asked):
        return self._change(self._session.template(*asked))


def refuse(_text):
    raise RefusalError("only its own")


@pytest.mark.parametrize(
    ("vector", "change", "kind", "told"),
    [
        (PLAIN, lambda text: text, "pass", ""),
        (PLAIN, lambda text: text.rstrip("\n"), "diverge", "text"),
        (PLAIN, refuse, "unsupported", "only its own"),
        (RAISES, lambda text: text, "pass", ""),
        (REAL, lambda text: text, "not-run", "not on this machine"),
    ],
)
def test_verdicts(here, vector, change, kind, told):
    found = suite.check(Faulty(here, change), vector)
    assert found.kind == kind
    assert told in (found.difference.what if found.difference else found.reason)


def test_a_text_where_the_template_refuses_is_a_divergence(here):
    session = Faulty(here, str)
    session.template = lambda *_: "a text"
    assert suite.check(session, RAISES).kind == "diverge"


def test_an_engine_that_does_not_claim_it_is_not_asked(here):
    session = Faulty(here, refuse)
    session.info = dataclasses.replace(here.info, capabilities=here.info.capabilities - {"template"})
    assert suite.check(session, PLAIN).reason.startswith("does not claim template")


def test_real_templates_are_filled_in_or_counted(monkeypatch):
    monkeypatch.setattr(_templates, "template_of", {"qwen3_config": "{{ messages }}"}.get)
    real = _templates.Templates()
    assert real.complete(PLAIN) is PLAIN
    assert real.complete(REAL).given["template"] == "{{ messages }}"
    assert real.complete(VECTORS["template-real/gemma3-one-turn"]) is None
    (note,) = real.notes()
    assert note.startswith("1 vectors need the chat template of gemma3_config, which is not fetched")


def test_without_jinja2_the_reference_has_no_templates(monkeypatch):
    from tokassay.engines import reference

    monkeypatch.setattr(reference, "find_spec", lambda _: None)
    engine = engines.open("reference")
    assert "template" not in engine.info.capabilities
    with pytest.raises(RefusalError, match="jinja2"):
        engine.load(TOKENIZER).template("", "", {})
