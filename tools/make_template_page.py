"""Writes docs/chat-templates.md: what template engines know of Jinja2, construct by construct.

Usage: python tools/make_template_page.py [--measure ENGINE]... [--check]

The page is made of golden/templates/measured/ENGINE.json; `--measure` asks an engine anew.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping

from tokassay import engines
from tokassay.checks.judging import narrowed
from tokassay.checks.template import check
from tokassay.checks.vector import read_vectors
from tokassay.cli._templates import Templates

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "chat-templates.md"
GOLDEN = ROOT / "golden"
MEASURED = GOLDEN / "templates" / "measured"
TOKENIZER = "gpt2"
SUITE = (
    ("template-real", "real templates"),
    ("template-family", "our templates in the style of published families"),
    ("template-document", "examples of the source document"),
    ("template-bug", "reported bugs"),
    ("template-found", "found at random"),
    ("template-probe", "probes"),
)
SHOWN = 40
MARKS = {"pass": "yes", "unsupported": "-", "diverge": "**other text**", "error": "error"}
HEAD = """# Chat templates in released engines

Made by `tools/make_template_page.py` from `golden/templates/measured`. Right is what transformers 5.24 with
jinja2 answers; `yes` is the same text (or an error where it has one), `-` cannot be asked. The probes are in
`golden/templates/probes.json`; `tokassay run --engine NAME --suite template --tokenizer gpt2` asks them
again, and `tokassay render --template-from FILE --lint --engine NAME` lists where a template uses what NAME
gets wrong.

## All vectors
"""


def measure(name: str) -> Dict[str, Any]:
    """Verdicts of one engine on every vector: counts by kind, and each construct by itself."""
    engine = engines.open(name)
    session = engine.load(str(GOLDEN / "tokenizers" / TOKENIZER / "tokenizer.json"))
    real, counts, constructs = Templates(), Counter(), {}
    for vector in read_vectors(GOLDEN / "vectors" / "template"):
        whole = real.complete(vector)
        if whole is None:
            raise SystemExit("\n".join(real.notes()))
        found = check(session, narrowed(whole, TOKENIZER))
        counts[f"{vector.kind} {found.kind}"] += 1
        if "construct" in vector.given:
            got = {"got": found.difference.got} if found.difference else {}
            constructs[vector.given["construct"]] = {"verdict": found.kind, **got}
    return {
        "engine": name,
        "version": engine.info.version,
        "counts": dict(sorted(counts.items())),
        "constructs": constructs,
    }


def page(measured: List[Mapping[str, Any]]) -> str:
    """The page as Markdown."""
    titles = [f"{one['engine']} {one['version']}" for one in measured]
    lines = [HEAD, *_table(["", *titles]), *_totals(measured), ""]
    areas = json.loads((GOLDEN / "templates" / "probes.json").read_bytes())
    for area, constructs in areas.items():
        lines += [f"## {area.capitalize()}", "", *_table(["construct", "probe", *titles])]
        lines += [_line(construct, template, measured) for construct, template in constructs.items()]
        lines.append("")
    return "\n".join(lines)


def _table(heads: List[str]) -> List[str]:
    return ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]


def _totals(measured: List[Mapping[str, Any]]) -> Iterator[str]:
    for kind, title in SUITE:
        cells = []
        for one in measured:
            counts = {
                key.split(" ")[1]: count for key, count in one["counts"].items() if key.startswith(kind)
            }
            asked = sum(count for verdict, count in counts.items() if verdict != "unsupported")
            cells.append(f"{counts.get('pass', 0)} of {asked}")
        yield f"| {title} | " + " | ".join(cells) + " |"


def _line(construct: str, template: str, measured: List[Mapping[str, Any]]) -> str:
    cells = [_mark(one["constructs"].get(construct, {"verdict": "unsupported"})) for one in measured]
    return "| " + " | ".join([_code(construct), _code(template), *cells]) + " |"


def _mark(found: Mapping[str, Any]) -> str:
    mark = MARKS.get(found["verdict"], found["verdict"])
    return f"{_code(json.dumps(found['got'], ensure_ascii=False))}" if "got" in found else mark


def _code(text: str) -> str:
    text = text.replace("\r", "\\r").replace("\n", "\\n").replace("|", "\\|")
    cut = text if len(text) <= SHOWN * 2 else text[: SHOWN * 2] + "..."
    return f"`` {cut} ``" if "`" in cut else f"`{cut}`"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measure", action="append", default=[], metavar="ENGINE")
    parser.add_argument("--check", action="store_true", help="exit code 1 where the page is not up to date")
    args = parser.parse_args()
    for name in args.measure:
        MEASURED.mkdir(parents=True, exist_ok=True)
        (MEASURED / f"{name}.json").write_text(json.dumps(measure(name), indent=1) + "\n", "ascii")
    text = page([json.loads(path.read_bytes()) for path in sorted(MEASURED.glob("*.json"))])
    if args.check:
        return int(not PAGE.is_file() or PAGE.read_text("utf-8") != text)
    PAGE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
