"""The report folder: ``results.jsonl``, written while the run goes on, and what is made of it at the end."""

from __future__ import annotations

import fcntl
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Callable, Iterator, List

from tokassay.verdicts.events import Event, ReportError, checked, to_json

from . import badge, junit, markdown, page, sarif
from .summary import Summary, summarized

LINES = "results.jsonl"
JUNIT = "junit.xml"
PAGE = "report.html"
SARIF = "results.sarif"
MARKDOWN = "summary.md"
BADGE, ENDPOINT = "badge.svg", "badge.json"
MADE = (JUNIT, PAGE, SARIF, MARKDOWN, BADGE, ENDPOINT)
NO_PAGE = f"{PAGE} is not written: it needs jinja2 (pip install 'tokassay[report]')"


def _warn(message: str) -> None:
    sys.stderr.write(f"tokassay: {message}\n")


@contextmanager
def recorder(folder: Path, warn: Callable[[str], None] = _warn) -> Iterator[Callable[[Event], None]]:
    """A function that records events in `folder`; everything else follows when the run has ended.

    A run that is cut off leaves JSON Lines without a footer, and nothing else. `warn` is told what could
    not be written. OSError: the folder cannot be written, or another run writes there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    summary, index, place = Summary(), junit.Index(), 0
    with _alone(folder / LINES) as file:
        for name in MADE:
            (folder / name).unlink(missing_ok=True)

        def record(event: Event) -> None:
            nonlocal place
            line = to_json(event) + "\n"
            file.write(line)
            index.add(event, place)
            summary.add(event)
            place += len(line)

        yield record
        file.flush()
        index.write(folder / LINES, folder / JUNIT)
        write_made(summary, folder, warn)


@contextmanager
def _alone(path: Path) -> Iterator[IO[str]]:
    """The file, empty. Nobody else may write it, or two runs would become one report that is neither."""
    with open(path, "a", encoding="ascii", newline="\n") as file:  # noqa: PTH123 - kept open
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BlockingIOError(error.errno, "another run writes its report there", str(path)) from error
        file.truncate(0)
        yield file


def write_made(summary: Summary, folder: Path, warn: Callable[[str], None] = _warn) -> None:
    """Everything that is made of a summary."""
    texts = {
        SARIF: sarif.text(summary),
        MARKDOWN: markdown.document(summary),
        BADGE: badge.svg(summary),
        ENDPOINT: badge.endpoint(summary),
    }
    try:
        texts[PAGE] = page.rendered(summary, folder)
    except ImportError:
        warn(NO_PAGE)
    for name, text in texts.items():
        write_text(folder / name, text)


def write_text(path: Path, text: str) -> None:
    """UTF-8; a lone surrogate, which UTF-8 cannot hold, as an escape."""
    path.write_bytes(text.encode("utf-8", "backslashreplace"))


def lines_of(path: Path) -> Path:
    """The file of events: `path` itself, or the one in the folder `path`."""
    return path / LINES if path.is_dir() else path


def stream(path: Path) -> Iterator[Event]:
    """The events of a report file, or of the folder that holds one, one by one.

    Raises ReportError: at the end, where it is truncated.
    """
    name = lines_of(path)
    try:
        with open(name, encoding="ascii", newline="\n") as file:  # noqa: PTH123 - kept open
            yield from checked((line.rstrip("\n") for line in file), str(name))
    except (OSError, UnicodeDecodeError) as error:
        raise ReportError(f"{name}: {error}") from error


def read_report(path: Path) -> List[Event]:
    """All events of a report. Raises ReportError."""
    return list(stream(path))


def read_summary(path: Path) -> Summary:
    """The summary of a whole report. Raises ReportError."""
    return summarized(stream(path))


__all__ = ["JUNIT", "LINES", "ReportError", "read_report", "read_summary", "recorder", "stream"]
