"""Read reports again: show them, turn them into other forms, merge several, compare two.

RESULTS is a folder that `tokassay run --report` wrote, or its results.jsonl. A truncated or damaged one
is refused with exit code 4.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, Mapping, Optional

from tokassay.report import badge, comparing, junit, markdown, page, sarif
from tokassay.report.merging import merged
from tokassay.report.summary import Summary
from tokassay.report.writing import lines_of, read_summary, recorder, stream, write_text
from tokassay.verdicts.events import Event, Footer
from tokassay.verdicts.exit_code import CONFORMS, SUITE_BROKEN

from . import UsageError
from .run import shown

NAME = "report"
HELP = "read reports: show, html, markdown, sarif, junit, badge, merge, compare"

#: Form → what it makes of a summary, and a line of help.
FORMS: Mapping[str, tuple[Callable[[Summary, Optional[Path]], str], str]] = {
    "html": (page.rendered, "one page that needs no other file"),
    "markdown": (lambda summary, _: markdown.document(summary), "a page for the summary of a CI job"),
    "sarif": (lambda summary, _: sarif.text(summary), "SARIF 2.1.0, for code scanning"),
    "badge": (lambda summary, _: badge.svg(summary), "a badge as SVG"),
    "endpoint": (lambda summary, _: badge.endpoint(summary), "a badge as JSON for shields.io"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    show = actions.add_parser("show", help="failures and matrix of a report, with the exit code of its run")
    show.add_argument("path", type=Path, metavar="RESULTS")
    show.add_argument(
        "--failures", type=int, default=20, metavar="N", help="show at most N failures (default: 20)"
    )
    for name, (_, what) in [*FORMS.items(), ("junit", (None, "JUnit XML"))]:
        form = actions.add_parser(name, help=what)
        form.add_argument("path", type=Path, metavar="RESULTS")
        form.add_argument("-o", "--output", type=Path, metavar="FILE", help="a file instead of stdout")
    merge = actions.add_parser("merge", help="several reports as one; contradictions are errors")
    merge.add_argument("paths", type=Path, nargs="+", metavar="RESULTS")
    merge.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a new report folder")
    _configure_compare(actions)


def _configure_compare(actions: Any) -> None:
    compare = actions.add_parser(
        "compare", help="what changed; exit code 1 where something fails that did not"
    )
    compare.add_argument("old", type=Path, metavar="OLD")
    compare.add_argument("new", type=Path, metavar="NEW")
    compare.add_argument(
        "--limit", type=int, default=20, metavar="N", help="show at most N of each kind (default: 20)"
    )
    form = compare.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="everything, as one JSON object")
    form.add_argument("--markdown", action="store_true", help="a page for the summary of a CI job")


def run(args: argparse.Namespace) -> int:
    """`show` and `merge` answer the exit code of the run, `compare` 0 or 1, the others 0."""
    own: Dict[str, Callable[[argparse.Namespace], int]] = {
        "show": _show,
        "merge": _merge,
        "compare": _compare,
        "junit": _junit,
    }
    return own.get(args.action, _form)(args)


def _show(args: argparse.Namespace) -> int:
    code = SUITE_BROKEN

    def events() -> Iterator[Event]:
        nonlocal code
        for event in stream(args.path):
            code = event.exit_code if isinstance(event, Footer) else code
            yield event

    print("\n".join(shown(events(), limit=args.failures)))
    return code


def _form(args: argparse.Namespace) -> int:
    make, _ = FORMS[args.action]
    try:
        _put(make(read_summary(args.path), args.output.parent if args.output else None), args.output)
    except ImportError as error:
        raise UsageError(f"{args.action} needs {error.name}", "pip install 'tokassay[report]'") from error
    return CONFORMS


def _put(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text.encode("utf-8", "backslashreplace").decode("utf-8"))
    else:
        write_text(output, text)


def _junit(args: argparse.Namespace) -> int:
    lines = lines_of(args.path)
    for _ in stream(lines):  # whole, or refused
        pass
    junit.indexed(lines).write(lines, args.output or Path("/dev/stdout"))
    return CONFORMS


def _merge(args: argparse.Namespace) -> int:
    code = SUITE_BROKEN
    if lines_of(args.output).resolve() in {lines_of(path).resolve() for path in args.paths}:
        raise UsageError(f"{args.output} is one of the reports to merge", "name another folder")
    for _ in merged(args.paths):  # a contradiction is found before anything is written
        pass
    with recorder(args.output) as record:
        for event in merged(args.paths):
            record(event)
            if isinstance(event, Footer):
                code = event.exit_code
    print(f"{args.output}: {len(args.paths)} reports merged; exit code {code}", file=sys.stderr)
    return code


def _compare(args: argparse.Namespace) -> int:
    found = comparing.compared(args.old, args.new)
    if args.json:
        print(comparing.as_json(found))
    elif args.markdown:
        print(comparing.as_markdown(found, args.limit), end="")
    else:
        print("\n".join(comparing.text(found, args.limit)))
    return found.exit_code
