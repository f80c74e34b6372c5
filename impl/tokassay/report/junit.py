"""A run as JUnit XML, for the CI systems that read nothing else.

One test suite per engine, tokenizer and suite; one test case per vector, named by its id. What an
engine does not claim, and what could not be tried, is ``skipped`` with its reason; a crash, an error
and a timeout are ``error``, every other failure is ``failure``.
"""

from __future__ import annotations

from typing import Dict, Iterable, List, Optional, Tuple
from xml.etree import ElementTree as ET

from tokassay.checks.verdict import Verdict
from tokassay.verdicts.events import Broken, EngineDown, Event, NotRun
from tokassay.verdicts.showing import explained

_SKIPPED = ("unsupported", "not-run", "known")
_ERRORS = ("error", "crash", "timeout")


def document(events: Iterable[Event]) -> ET.ElementTree:
    """The events of a run as a JUnit document."""
    root = ET.Element("testsuites", name="tokassay")
    groups: Dict[Tuple[str, str, str], List[ET.Element]] = {}
    for event in events:
        key, case = _case(event)
        if case is not None:
            groups.setdefault(key, []).append(case)
    for key, cases in groups.items():
        root.append(_suite(" / ".join(part for part in key if part), cases))
    return ET.ElementTree(root)


def write(events: Iterable[Event], path: str) -> None:
    """Write `document(events)`."""
    tree = document(events)
    ET.indent(tree)
    tree.write(path, encoding="utf-8", xml_declaration=True)


def _suite(name: str, cases: List[ET.Element]) -> ET.Element:
    def having(tag: str) -> str:
        return str(sum(case.find(tag) is not None for case in cases))

    suite = ET.Element("testsuite", name=name, tests=str(len(cases)), failures=having("failure"))
    suite.set("errors", having("error"))
    suite.set("skipped", having("skipped"))
    suite.extend(cases)
    return suite


def _case(event: Event) -> Tuple[Tuple[str, str, str], Optional[ET.Element]]:
    if isinstance(event, Verdict):
        return (event.engine, event.tokenizer, event.suite), _verdict(event)
    if isinstance(event, NotRun):
        case = _named(event.engine, event.tokenizer, event.suite, f"{event.count} vectors")
        ET.SubElement(case, "skipped", message=_clean(f"not-run: {event.reason}"))
        return (event.engine, event.tokenizer, event.suite), case
    if isinstance(event, (EngineDown, Broken)):
        name = event.engine if isinstance(event, EngineDown) else event.where
        case = _named(name, "", "", "start" if isinstance(event, EngineDown) else "suite")
        ET.SubElement(case, "error", message=_clean(event.reason))
        return (name, "", ""), case
    return ("", "", ""), None


def _named(engine: str, tokenizer: str, suite: str, name: str) -> ET.Element:
    classname = ".".join(part.replace(".", "_") for part in (engine, tokenizer, suite) if part)
    return ET.Element("testcase", classname=_clean(classname), name=_clean(name))


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
    return "".join(
        char
        if char in "\t\n\r"
        or (0x20 <= ord(char) < 0xD800)
        or 0xE000 <= ord(char) <= 0xFFFD
        or ord(char) > 0xFFFF
        else f"\\u{ord(char):04x}"
        for char in text
    )
