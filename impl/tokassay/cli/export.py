"""The export step of a model folder: tokenizer.json becomes tokenizer.mtok, anything else tokenizer.txt.

The three lists of the header come from the added tokens, tokenizer_config.json and generation_config.json.
What the target cannot hold is named on stderr and written all the same, as an exporter does; `convert`
refuses it, and `verify` shows what it costs.
"""

from __future__ import annotations

import argparse
import hashlib
from dataclasses import fields
from pathlib import Path
from typing import Dict, Tuple

from tokassay import formats
from tokassay.core.description import Description, Device
from tokassay.formats.mtok import beside
from tokassay.verdicts.exit_code import CONFORMS

from . import UsageError
from ._common import print_json, warn
from .convert import told

NAME = "export"
HELP = "the export step of a model folder: tokenizer.mtok, or tokenizer.txt without a tokenizer.json"
SOURCES = ("tokenizer.model", "*.tiktoken", "vocab.txt", "vocab.json")
"""What tokenizer.txt is made from, in this order."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="MODEL_DIR", help="a folder with a model's tokenizer")
    parser.add_argument("out", type=Path, metavar="OUT_DIR", help="where the file is written")
    parser.add_argument("--json", action="store_true", help="what was written, as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Raises UsageError where the folder has no tokenizer."""
    source, target = _source(args.folder)
    description = beside(formats.read(source), args.folder)
    for loss in formats.losses(description, target):
        warn(told(loss))
    held = formats.project(description, target)
    args.out.mkdir(parents=True, exist_ok=True)
    path = args.out / ("tokenizer.mtok" if target == "mtok" else target)
    formats.write(held, path, target)
    _print(_written(source, path, held), as_json=args.json)
    return CONFORMS


def _source(folder: Path) -> Tuple[Path, str]:
    """The file to convert, and the format that the export step gives it."""
    if (folder / "tokenizer.json").is_file():
        return folder / "tokenizer.json", "mtok"
    for pattern in SOURCES:
        found = sorted(folder.glob(pattern))
        if found:
            return found[0], "tokenizer.txt"
    raise UsageError(f"{folder} holds no tokenizer", f"tokenizer.json, {', '.join(SOURCES)} are known")


def _written(source: Path, path: Path, held: Description) -> Dict[str, object]:
    device = held.device or Device()
    lists = {field.name: list(getattr(device, field.name)) for field in fields(device)[:3]}
    data = path.read_bytes()
    sha256 = hashlib.sha256(data).hexdigest()
    return {"source": str(source), "file": str(path), "bytes": len(data), "sha256": sha256, **lists}


def _print(values: Dict[str, object], *, as_json: bool) -> None:
    if as_json:
        print_json(values)
    else:
        print("\n".join(f"{name}: {value}" for name, value in values.items()))
