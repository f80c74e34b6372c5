"""Failing verdicts wait on disk, cell by cell and suite by suite."""

from __future__ import annotations

from tokassay.checks.verdict import Difference, Verdict
from tokassay.verdicts.kept import Kept


def verdict(engine: str, suite: str, vector: str) -> Verdict:
    return Verdict("diverge", suite, engine, "t", vector, difference=Difference("ids", [1], b"\x00"))


A, B, C, D = (verdict(*words.split()) for words in ("x offsets 1", "y encode 2", "x encode 3", "x encode 4"))


def test_verdicts_come_back_as_they_were_by_cell_and_suite():
    kept = Kept([A, B, C, D])
    assert kept.cells == [("x", "t"), ("y", "t")]
    assert list(kept.of(("x", "t"))) == list(kept.of(("x", "t"))) == [C, D, A]
    assert list(kept.of(("y", "t"))) == [B]


def test_more_may_be_added_after_reading():
    kept = Kept([A])
    assert list(kept.of(("x", "t"))) == [A]
    kept.add(D)
    assert list(kept.of(("x", "t"))) == [D, A]


def test_without_verdicts_there_is_nothing():
    assert not Kept()
    assert Kept().cells == []
