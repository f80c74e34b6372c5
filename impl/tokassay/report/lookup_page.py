"""Acceptance of drafts on one text as an HTML page: what each setting would save, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Mapping, Sequence, Tuple

from tokassay import __version__
from tokassay.lookup import Acceptance

from .page import TEMPLATES, template

WIDTH = 320  # of a bar, in its own units


@dataclass(frozen=True)
class Setting:
    """What was measured: the rule, the longest n-gram and the number of ids to draft."""

    rule: str
    max_ngram: int
    num_draft: int

    @property
    def name(self) -> str:
        return f"{self.rule}, N = {self.max_ngram}, K = {self.num_draft}"


@dataclass(frozen=True)
class Row:
    """One setting. `bar`: the width of its tokens per pass; `by_n`: n, rate, drafted ids and a width."""

    setting: Setting
    saved: Acceptance
    bar: float
    best: bool
    by_n: Tuple[Tuple[int, float, int, float], ...]


def rows(results: Mapping[Setting, Acceptance]) -> Sequence[Row]:
    """The settings in the order given; bars on one scale, the best one marked."""
    most = max((saved.tokens_per_forward for saved in results.values()), default=1.0) or 1.0
    return [
        Row(
            setting,
            saved,
            round(saved.tokens_per_forward / most * WIDTH, 1),
            saved.tokens_per_forward == most,
            tuple(_by_n(saved)),
        )
        for setting, saved in results.items()
    ]


def _by_n(saved: Acceptance) -> Sequence[Tuple[int, float, int, float]]:
    parts = saved.by_ngram.items()
    return [
        (n, part.acceptance_rate, part.drafted, round(part.acceptance_rate * WIDTH / 2, 1))
        for n, part in parts
    ]


def rendered(title: str, results: Mapping[Setting, Acceptance]) -> str:
    """The page. Raises ImportError without jinja2 (extra ``report``)."""
    page = template("lookup.html.j2").render(
        version=__version__,
        title=title,
        style=(TEMPLATES / "report.css").read_text(encoding="utf-8"),
        rows=rows(results),
        width=WIDTH,
        tokens=next((saved.tokens for saved in results.values()), 0),
    )
    return str(page)
