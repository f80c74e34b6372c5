"""Stateful: any order of calls leaves the index as a scan of what is left would have it."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tokassay.lookup import NgramIndex, rules
from tokassay.vectors import scanning

IDS = st.lists(st.integers(0, 3), max_size=6)
WITHOUT_REFERENCES = ("llama.cpp-simple",)


class Histories(RuleBasedStateMachine):
    """One index beside the list of everything that it was told."""

    @initialize(
        name=st.sampled_from(sorted(rules())), max_ngram=st.integers(1, 4), num_draft=st.integers(1, 5)
    )
    def begin(self, name, max_ngram, num_draft):
        self.options = {"max_ngram": max_ngram, "num_draft": num_draft}
        self.name, self.calls = name, []
        self.index = NgramIndex(name, **self.options)

    @rule(ids=IDS, role=st.sampled_from(("prompt", "output")))
    def extend(self, ids, role):
        self.index.extend(ids, role=role)
        self.calls.append({"extend": ids, "role": role})

    @precondition(lambda self: self.name not in WITHOUT_REFERENCES)
    @rule(ids=IDS)
    def add_reference(self, ids):
        self.index.extend(ids, role="reference")
        self.calls.append({"extend": ids, "role": "reference"})

    @rule(data=st.data())
    def truncate(self, data):
        length = data.draw(st.integers(0, len(self.index)))
        self.index.truncate(length)
        self.calls.append({"truncate": length})

    @rule()
    def reset(self):
        self.index.reset()
        self.calls.append({"reset": True})

    @invariant()
    def drafts_as_the_scan(self):
        row = {"rule": self.name, "options": self.options, "calls": [*self.calls, {"draft": True}]}
        assert [self.index.draft()] == scanning.drafts(row)


TestHistories = Histories.TestCase
TestHistories.settings = settings(max_examples=150, stateful_step_count=20, deadline=None, derandomize=True)
