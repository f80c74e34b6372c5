"""The report folder: ``report.jsonl`` (written while the run goes on) and ``junit.xml``."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Iterator, List

from tokassay.verdicts.events import Event, ReportError, read, to_json

from . import junit

LINES = "report.jsonl"
JUNIT = "junit.xml"


@contextmanager
def recorder(folder: Path) -> Iterator[Callable[[Event], None]]:
    """A function that records events in `folder`; JUnit follows when the run has ended.

    A run that is cut off leaves JSON Lines without a footer, and no JUnit.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / JUNIT).unlink(missing_ok=True)
    with open(folder / LINES, "w", encoding="ascii", newline="\n") as file:  # noqa: PTH123 - kept open
        yield lambda event: print(to_json(event), file=file)
    junit.write(read(folder / LINES), str(folder / JUNIT))


def read_report(path: Path) -> List[Event]:
    """The events of a report file, or of the folder that holds one. Raises ReportError."""
    return read(path / LINES if path.is_dir() else path)


__all__ = ["JUNIT", "LINES", "ReportError", "read_report", "recorder"]
