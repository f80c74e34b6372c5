"""Writes docs/findings.md from golden/findings/*.jsonl: what released engines answered, and what is right.

Usage: python tools/make_findings.py [--check]
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import groupby
from pathlib import Path
from typing import Any, Dict, Iterator, List, Sequence

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "findings.md"
ORACLE = "tokenizers 0.23.3"
FAILURES = ("error", "crash", "timeout", "unsupported")  # instead of an answer
SHOWN = 48  # characters of an answer
Row = Dict[str, Any]
HEAD = """# Findings in released engines

Made by `tools/make_findings.py` from `golden/findings/*.jsonl`, which holds every input with both answers;
the nightly tests give them to the engines again. One line stands for all inputs of one kind; it shows the
smallest. `kind` names the stage and what the inputs of a group have in common. Right is what {oracle}
answers (without special tokens when encoding, with them when decoding), unless another program is named.
A broken file of a few bytes stands beside the `reference`, which refuses it.

{index}
"""


def rows(folder: Path) -> List[Row]:
    """Every row, engine by engine."""
    files = sorted(folder.glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("ascii").splitlines()]


def page(found: Sequence[Row]) -> str:
    """The page as Markdown."""
    engines = [(title, list(group)) for title, group in groupby(sorted(found, key=_title), _title)]
    index = ["| engine | kinds | inputs |", "|---|---|---|"]
    index += [
        f"| {title} | {len({row['kind'] for row in group})} | {len(group)} |" for title, group in engines
    ]
    sections = [line for title, group in engines for line in _section(title, group)]
    return HEAD.format(oracle=ORACLE, index="\n".join(index)) + "\n".join(sections) + "\n"


def _title(row: Row) -> str:
    return f"{row['engine']} {row['version']}"


def _section(title: str, group: Sequence[Row]) -> Iterator[str]:
    yield f"\n## {title}\n"
    yield "| kind | inputs | tokenizer | smallest input | right | engine |"
    yield "|---|---|---|---|---|---|"
    for kind in sorted({row["kind"] for row in group}):
        same = [row for row in group if row["kind"] == kind]
        yield "| " + " | ".join([kind, str(len(same)), *_smallest(same)]) + " |"


def _smallest(same: Sequence[Row]) -> List[str]:
    row = min(same, key=lambda row: (len(_text(_input(row))), _text(_input(row))))
    oracle = f" ({row['oracle']})" if "oracle" in row else ""
    values = (_code(_input(row)), _code(row["expected"]) + oracle, _code(row["got"]))
    return [_tokenizer(row), *values]


def _input(row: Row) -> object:
    """The text (and the second one) or the ids; what a template or a file is about, without these."""
    if row["op"] == "template":
        return row["template"]["template"]
    if "pair" in row:
        return [row["text"], row["pair"]]
    return row.get("text", row.get("ids", f"({row['op']})"))


def _tokenizer(row: Row) -> str:
    named = row["tokenizer"]
    if isinstance(named, dict) and "hex" in named:
        return f"`{named['file']}` of {len(named['hex']) // 2} bytes"
    if isinstance(named, dict):
        return f"{named['model']['type']} of {len(named['model']['vocab'])} tokens"
    return str(named or "none")


def _text(value: object) -> str:
    return json.dumps(value) if isinstance(value, (str, list)) else str(value)


def _code(value: object) -> str:
    """As code in a table cell: ASCII, bars escaped, a long one cut."""
    if value in FAILURES:
        return str(value)
    text = _text(value)
    text = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
    return f"`{text}`".replace("|", "\\|") if "`" not in text else f"`` {text} ``".replace("|", "\\|")


def main() -> int:
    """1 when --check finds another page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="change nothing, say whether the page is current"
    )
    made = page(rows(ROOT / "golden" / "findings"))
    if parser.parse_args().check:
        return int(PAGE.read_text("utf-8") != made)
    PAGE.write_text(made, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
