"""The look-up suite: over the wire as in this process, and what its verdicts say."""

from __future__ import annotations

import dataclasses

import pytest

from tokassay import data, engines
from tokassay.checks import lookup as suite
from tokassay.checks.engine import RefusalError
from tokassay.checks.judging import narrowed
from tokassay.checks.vector import read_vectors
from tokassay.vectors import scanning

GOLDEN = data.root() / "golden"
TOKENIZER = str(GOLDEN / "tokenizers" / "gpt2" / "tokenizer.json")
VECTORS = [narrowed(vector, "gpt2") for vector in read_vectors(GOLDEN / "vectors" / "lookup")]


@pytest.fixture(scope="module")
def here():
    return engines.open("reference").load(TOKENIZER)


@pytest.fixture(scope="module")
def there():
    engine = engines.open("child:reference")
    yield engine.load(TOKENIZER)
    engine.close()


def test_every_rule_has_at_least_150_histories():
    kinds = [vector.kind for vector in VECTORS]
    counts = {kind: kinds.count(kind) for kind in kinds}
    assert len(counts) == 6
    assert min(counts.values()) >= 150


def test_the_wire_carries_calls_and_drafts(here, there):
    for vector in VECTORS[::20]:
        asked = (vector.given["rule"], vector.given["options"], vector.given["calls"])
        assert there.lookup(*asked) == here.lookup(*asked)


class Faulty:
    """The reference with its drafts changed."""

    def __init__(self, session, change):
        self._session, self._change = session, change
        self.info = session.info

    def lookup(self, *asked):
        return self._change(self._session.lookup(*asked))


def refuse(_drafts):
    raise RefusalError("only its own rule")


@pytest.mark.parametrize(
    ("change", "kind", "told"),
    [
        (lambda drafts: drafts, "pass", ""),
        (lambda drafts: [draft[:-1] for draft in drafts], "diverge", "ids of draft 1"),
        (lambda drafts: drafts[:-1], "diverge", "number of drafts"),
        (refuse, "unsupported", "only its own rule"),
    ],
)
def test_verdicts(here, change, kind, told):
    vector = next(vector for vector in VECTORS if vector.id == "lookup-hf/tail-of-four")
    found = suite.check(Faulty(here, change), vector)
    assert found.kind == kind
    assert told in (found.difference.what if found.difference else found.reason)


def test_an_engine_that_does_not_claim_it_is_not_asked(here):
    info = dataclasses.replace(here.info, capabilities=here.info.capabilities - {"lookup"})
    session = Faulty(here, refuse)
    session.info = info
    assert suite.check(session, VECTORS[0]).reason.startswith("does not claim lookup")


def test_the_scan_gives_what_other_systems_were_seen_to_give():
    # vLLM's published unit tests, and observed drafts of transformers 5.24 and of MNN's look-ahead.
    prompt = lambda ids: [{"extend": ids, "role": "prompt"}, {"draft": True}]  # noqa: E731
    seen = [
        ("vllm", {"max_ngram": 2, "num_draft": 2, "min_ngram": 2}, [1, 2, 3, 4, 1, 2, 3], [4, 1]),
        ("vllm", {"max_ngram": 4, "num_draft": 2, "min_ngram": 3}, [1, 2, 3, 4, 1, 2, 3], [4, 1]),
        ("hf", {"max_ngram": 2, "num_draft": 2, "eos": [0]}, [2, 7, 8, 1, 2, 0, 3, 1, 2], []),
        ("mnn", {"max_ngram": 4, "num_draft": 4}, [5, 6, 5], [6, 0, 0, 0]),
        ("mnn", {"max_ngram": 2, "num_draft": 3}, [1, 2, 9, 1, 2, 8, 1, 2], [8, 1, 2]),
    ]
    for rule, options, ids, draft in seen:
        assert scanning.drafts({"rule": rule, "options": options, "calls": prompt(ids)}) == [draft]
