"""A small run with everything in it that a report has to survive."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Iterable, List, Sequence

import pytest

from tokassay.checks.verdict import Difference, Verdict
from tokassay.report.writing import recorder
from tokassay.verdicts.events import Broken, Event, Finding, Footer, Header, ListNote, Measured, NotRun

#: What must never be taken for markup, and what a page, a file or a terminal may choke on.
HOSTILE = (
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\"'`{{ 7 * 7 }}{% raw %}&lt;|",
    "\u202eright to left\u2066",
    "\x00\x1b[31m\x7f",
    "\ud800 alone",
    "long " * 5000,
)
HEAD = Header(
    "1",
    "2026-01-01T00:00:00Z",
    "Linux",
    "3.11",
    (
        {"name": "hf", "version": "2", "capabilities": ["encode"], "build": {"sha256": "ab"}},
        {"name": "own", "version": "1"},
    ),
    ({"name": "gpt2", "sha256": "cd", "vectors": 9}, {"name": "bert", "sha256": "ef"}),
    ("encode", "decode"),
)


def diverge(vector: str, **more: object) -> Verdict:
    values = {
        "difference": Difference("ids", [1, 2, 3, 4], [1, 9, 3, 4]),
        "clauses": ("decode.strip",),
        **more,
    }
    return Verdict("diverge", "encode", "own", "gpt2", vector, **values)  # type: ignore[arg-type]


def hostile_verdict(number: int, text: str) -> Verdict:
    account = f"pre-tokenizer\n  expected {text}\n  got {text}"
    return diverge(f"v{number}/{text[:300]}", reason=text, text=text, stage=account, cause=text)


FINDING = Finding(
    "own",
    "gpt2",
    "encode",
    "diverge",
    3,
    ("digits/one", "digits/two"),
    "digits are cut in threes from the left",
    "digits-left",
    "pre-tokenizer",
    "Nd",
    {"text": "1\u0661\u200b"},
    Difference("ids", [5, 6], [7]),
    "expected 1\ngot 2",
    "cards/digits-left",
)
MEASURED = Measured(
    "hf",
    "gpt2",
    {"decode.strip": (4, 3, 1), "no.such.clause": (1, 1, 0)},
    {"encode": {"100": 50, "120": 50, "200": 1}},
)
BODY: Sequence[Event] = [
    *(Verdict("pass", "encode", "hf", "gpt2", f"digits/{i}") for i in range(9)),
    diverge("digits/one", text='"1\\u0661\\u200b"', stage="model\n  expected a\n  got b"),
    Verdict(
        "diverge", "decode", "own", "bert", "text/two", "", Difference("text", "a\u0301bc", "a\u0301b\u202e")
    ),
    Verdict("diverge", "decode", "own", "bert", "bytes/two", "", Difference("bytes", b"\xff\x00", b"\x00")),
    *(Verdict("error", "encode", "own", "bert", f"load/{i}", "cannot load") for i in range(5)),
    Verdict("known", "encode", "own", "gpt2", "listed/one", "see the list"),
    Verdict("unsupported", "decode", "hf", "gpt2", "digits/1", "does not claim it"),
    NotRun("hf", "bert", "encode", 7, "not fetched"),
    FINDING,
    replace(FINDING, tokenizer="bert", count=2, card=""),
    ListNote("divergences.toml", "expired", failed=True),
    MEASURED,
]


def whole(body: Iterable[Event], head: Header = HEAD, exit_code: int = 1) -> List[Event]:
    """Header, body and the footer that belongs to them."""
    events = list(body)
    counts: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Verdict):
            counts[event.kind] += 1
        elif isinstance(event, NotRun):
            counts["not-run"] += event.count
    return [head, *events, Footer(dict(counts), 1.5, exit_code)]


EVENTS = whole(BODY)
HOSTILE_EVENTS = whole(
    [
        *(hostile_verdict(number, text) for number, text in enumerate(HOSTILE)),
        *(
            Finding(
                "own",
                text[:99],
                "encode",
                "crash",
                1,
                (text[:99],),
                text,
                card=text[:99],
                given={"text": text},
            )
            for text in HOSTILE
        ),
        *(Broken(text[:99], text) for text in HOSTILE),
        *(Verdict("unsupported", "encode", text[:99], text[:99], "v", text) for text in HOSTILE),
        *(Measured(text[:99], "gpt2", {text[:99]: (1, 1, 1)}, {text[:99]: {"9": 1}}) for text in HOSTILE),
    ],
    exit_code=4,
)
EMPTY_EVENTS = whole([], Header("1", "2026-01-01T00:00:00Z", "Linux", "3.11", (), (), ()), exit_code=4)


def recorded(folder: Path, events: Iterable[Event] = EVENTS) -> Path:
    with recorder(folder) as record:
        for event in events:
            record(event)
    return folder


@pytest.fixture(scope="session")
def sample() -> SimpleNamespace:
    """The runs above, and what makes others."""
    return SimpleNamespace(
        events=EVENTS,
        body=BODY,
        hostile=HOSTILE_EVENTS,
        empty=EMPTY_EVENTS,
        head=HEAD,
        finding=FINDING,
        measured=MEASURED,
        diverge=diverge,
        whole=whole,
        recorded=recorded,
    )
