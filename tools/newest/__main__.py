"""golden/newest.jsonl and docs/newest.md: the known findings, tried with the newest version of each engine.

Usage: python -m tools.newest [ENGINE...] [--folder DIR]  (installs from PyPI and npm, needs the network)
       python -m tools.newest --check                     (is the page that of the data? asks nobody)

Exit code 1 where something is another than before.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List

ROOT = Path(__file__).resolve().parents[2]
DATA, PAGE = ROOT / "golden" / "newest.jsonl", ROOT / "docs" / "newest.md"
sys.path.insert(0, str(ROOT / "impl"))

from .asked import names  # noqa: E402
from .page import page  # noqa: E402
from .trying import line  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="newest", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help="all by default")
    parser.add_argument("--folder", type=Path, help="keep what is installed here, and use it again")
    parser.add_argument("--data", type=Path, default=DATA, help="golden/newest.jsonl by default")
    parser.add_argument("--page", type=Path, default=PAGE, help="docs/newest.md by default")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    before, shown = _read(args.data), args.page.read_text("utf-8") if args.page.exists() else ""
    if not args.check:
        for name in args.engines or names():
            _write(args.data, {**_read(args.data), name: _line(name, args.folder)})
        args.page.write_text(page(list(_read(args.data).values())), "utf-8")
    after = _read(args.data)
    return int(before != after or shown != page(list(after.values())))


def _line(name: str, folder: Any) -> Dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="tokassay-newest-") as scratch:
        found = line(name, (folder or Path(scratch)).resolve() / name)
    print(json.dumps({key: value for key, value in found.items() if not isinstance(value, list)}), flush=True)
    return found


def _read(path: Path) -> Dict[str, Dict[str, Any]]:
    lines: List[str] = path.read_text("ascii").splitlines() if path.exists() else []
    return {found["engine"]: found for found in map(json.loads, lines)}


def _write(path: Path, lines: Dict[str, Dict[str, Any]]) -> None:
    kept = [json.dumps(lines[name]) + "\n" for name in sorted(lines) if name in names()]
    path.write_text("".join(kept), "ascii")


if __name__ == "__main__":
    sys.exit(main())
