"""Hold the sizes that keep the code readable: functions short, modules below 400 lines.

Usage: sizes.py   (run from the checkout; exit 1 with the offenders)
"""

from __future__ import annotations

import ast
import statistics
import sys
from pathlib import Path
from typing import Iterator

MEDIAN, MOST_SHORT, LONGEST, MODULE = 10, 35, 60, 400


def functions(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield (node.end_lineno or 0) - node.lineno + 1, f"{path}:{node.lineno} {node.name}"


def main() -> int:
    paths = sorted(Path("impl").rglob("*.py"))
    sizes = sorted(size for path in paths for size in functions(path))
    lengths = [length for length, _ in sizes]
    median, p90 = statistics.median(lengths), lengths[int(len(lengths) * 0.9)]
    print(f"{len(lengths)} functions: median {median:g} lines, 90 % within {p90}, longest {lengths[-1]}")
    faults = [f"{name}: {length} lines, at most {LONGEST}" for length, name in sizes if length > LONGEST]
    modules = {path: path.read_text("utf-8").count("\n") for path in paths}
    faults += [
        f"{path}: {lines} lines, at most {MODULE}" for path, lines in modules.items() if lines > MODULE
    ]
    if median > MEDIAN or p90 > MOST_SHORT:
        faults.append(f"functions grew: median at most {MEDIAN}, 90 % within {MOST_SHORT}")
    print("\n".join(faults) or "sizes hold")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
