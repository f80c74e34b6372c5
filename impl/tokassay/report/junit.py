"""A run as JUnit XML, for the CI systems that read nothing else.

One test suite per engine, tokenizer and suite; one test case per vector, named by its id. What an
engine does not claim, and what could not be tried, is ``skipped`` with its reason; a crash, an error
and a timeout are ``error``, every other failure is ``failure``.
"""

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, Optional, Tuple
from xml.etree import ElementTree as ET
from xml.sax.saxutils import quoteattr

from tokassay.checks.verdict import Verdict
from tokassay.verdicts.events import Broken, EngineDown, Event, NotRun, from_json
from tokassay.verdicts.showing import explained

_SKIPPED = ("unsupported", "not-run", "known")
_ERRORS = ("error", "crash", "timeout")


Key = Tuple[str, str, str]  # engine, tokenizer, suite
_PASS = b'{"event": "verdict", "kind": "pass",'
_TAGS = {"failures": "failure", "errors": "error", "skipped": "skipped"}


@dataclass
class Index:
    """Where the cases of each test suite stand in a file of events, and how they ended.

    A test suite begins with its counts, and its cases may be scattered over a run: with their places known,
    they are written without a second copy of the run in memory.
    """

    places: Dict[Key, array[int]] = field(default_factory=dict)
    counts: Dict[Key, Dict[str, int]] = field(default_factory=dict)

    def add(self, event: Event, place: int) -> None:
        """`place`: of the event's line, in bytes."""
        key, tag = _outcome(event)
        if key is not None:
            if key not in self.places:
                self.places[key], self.counts[key] = array("q"), {}
            self.places[key].append(place)
            counts = self.counts[key]
            counts[tag] = counts.get(tag, 0) + 1

    def write(self, lines: Path, out: Path) -> None:
        """The document, from the file of events that the places are of."""
        with open(lines, "rb") as source, open(out, "w", encoding="utf-8", newline="\n") as file:  # noqa: PTH123
            file.write("<?xml version='1.0' encoding='utf-8'?>\n<testsuites name=\"tokassay\">\n")
            for key, places in self.places.items():
                file.write(f"  {self._opening(key)}\n")
                passed = f"    <testcase classname={quoteattr(_classname(*key))} name="
                for place in places:
                    source.seek(place)
                    file.write(_written(source.readline(), passed))
                file.write("  </testsuite>\n")
            file.write("</testsuites>\n")

    def _opening(self, key: Key) -> str:
        counts = self.counts[key]
        values = {"name": " / ".join(part for part in key if part), "tests": str(sum(counts.values()))}
        values.update({name: str(counts.get(tag, 0)) for name, tag in _TAGS.items()})
        return (
            f"<testsuite {' '.join(f'{name}={quoteattr(_clean(value))}' for name, value in values.items())}>"
        )


def indexed(lines: Path) -> Index:
    """The index of a file of events."""
    index, place = Index(), 0
    with open(lines, "rb") as source:  # noqa: PTH123
        for line in source:
            if line.strip():
                index.add(from_json(line.decode("ascii")), place)
            place += len(line)
    return index


def _written(line: bytes, passed: str) -> str:
    """One case; nearly all are passes, whose element is `passed` and the vector's id."""
    if line.startswith(_PASS):
        return f"{passed}{quoteattr(_clean(json.loads(line)['vector']))} />\n"
    case = _case(from_json(line.decode("ascii")))
    assert case is not None  # only places of cases are kept
    return f"    {ET.tostring(case, encoding='unicode')}\n"


def _outcome(event: Event) -> Tuple[Optional[Key], str]:
    """The test suite that an event is a case of, and the element that tells how it ended."""
    if isinstance(event, Verdict):
        ended = "error" if event.kind in _ERRORS else "failure"
        tag = "skipped" if event.kind in _SKIPPED else ended if event.failed else ""
        return (event.engine, event.tokenizer, event.suite), tag
    if isinstance(event, NotRun):
        return (event.engine, event.tokenizer, event.suite), "skipped"
    if isinstance(event, (EngineDown, Broken)):
        return (event.engine if isinstance(event, EngineDown) else event.where, "", ""), "error"
    return None, ""


def _case(event: Event) -> Optional[ET.Element]:
    if isinstance(event, Verdict):
        return _verdict(event)
    if isinstance(event, NotRun):
        case = _named(event.engine, event.tokenizer, event.suite, f"{event.count} vectors")
        ET.SubElement(case, "skipped", message=_clean(f"not-run: {event.reason}"))
        return case
    if isinstance(event, (EngineDown, Broken)):
        name = event.engine if isinstance(event, EngineDown) else event.where
        case = _named(name, "", "", "start" if isinstance(event, EngineDown) else "suite")
        ET.SubElement(case, "error", message=_clean(event.reason))
        return case
    return None


def _named(engine: str, tokenizer: str, suite: str, name: str) -> ET.Element:
    return ET.Element("testcase", classname=_classname(engine, tokenizer, suite), name=_clean(name))


def _classname(*parts: str) -> str:
    return _clean(".".join(part.replace(".", "_") for part in parts if part))


def _verdict(verdict: Verdict) -> ET.Element:
    case = _named(verdict.engine, verdict.tokenizer, verdict.suite, verdict.vector)
    if verdict.kind in _SKIPPED:
        ET.SubElement(case, "skipped", message=_clean(f"{verdict.kind}: {verdict.reason}"))
    elif verdict.failed:
        tag = "error" if verdict.kind in _ERRORS else "failure"
        child = ET.SubElement(
            case, tag, message=_clean(f"{verdict.kind}: {verdict.reason or 'answers differ'}")
        )
        child.text = _clean("\n".join(explained(verdict)))
    return case


def _clean(text: str) -> str:
    r"""XML cannot hold most control characters, not even escaped: they are written as ``\uXXXX``."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char
        if char in "\t\n\r"
        or (0x20 <= ord(char) < 0xD800)
        or 0xE000 <= ord(char) <= 0xFFFD
        or ord(char) > 0xFFFF
        else f"\\u{ord(char):04x}"
        for char in text
    )
