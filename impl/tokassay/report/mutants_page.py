"""What kills what, as tables: Markdown for the documents, and an HTML page."""

from __future__ import annotations

from typing import Iterable, Iterator, List, Mapping, Sequence

from tokassay import __version__
from tokassay.mutants import Outcome

from .page import TEMPLATES, template


def missed(outcomes: Sequence[Outcome]) -> List[Outcome]:
    """Those that nothing notices, although something could."""
    return [one for one in outcomes if not one.caught and not one.equivalent]


def rate(name: str, outcomes: Sequence[Outcome]) -> str:
    """One line: how many of an area are killed."""
    alike = sum(bool(one.equivalent) for one in outcomes)
    able, killed = len(outcomes) - alike, sum(one.caught for one in outcomes)
    beside = f", {alike} equivalent" if alike else ""
    return f"{name}: {killed} of {able} mutants killed ({killed / max(able, 1):.1%}){beside}"


def smallest(outcome: Outcome) -> str:
    """The probe that notices first; probes come small ones first."""
    if outcome.equivalent:
        return f"equivalent: {outcome.equivalent}"
    return outcome.changes[0].probe if outcome.changes else "NOT CAUGHT"


def markdown(name: str, outcomes: Sequence[Outcome], *, counted: bool = True) -> Iterator[str]:
    """The table of one area. `counted`: all probes were tried, so the number of kills means something."""
    yield from (f"## {name}", "", rate(name, outcomes), "")
    yield "| mutant | what it breaks | smallest |" + " kills |" * counted
    yield "|---|---|---|" + "---|" * counted
    for one in outcomes:
        cells = (f"`{one.mutant}`", _cell(one.branch), _cell(smallest(one)))
        yield f"| {' | '.join(cells)} |" + f" {len(one.changes)} |" * counted
    yield ""


def _cell(text: str) -> str:
    return ascii(text)[1:-1].replace("\\\\", "\\").replace("\\'", "'").replace("|", "\\|")


def rendered(found: Mapping[str, Iterable[Outcome]]) -> str:
    """The page. Raises ImportError without jinja2 (extra ``report``)."""
    listed = {name: list(outcomes) for name, outcomes in found.items()}
    page = template("mutants.html.j2").render(
        version=__version__,
        style=(TEMPLATES / "report.css").read_text(encoding="utf-8"),
        areas=[(name, rate(name, outcomes), outcomes) for name, outcomes in listed.items()],
        smallest=smallest,
    )
    return str(page)
