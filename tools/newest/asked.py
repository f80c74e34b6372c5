"""What is asked of a newer engine: the findings in the pinned one, and what that one answered rightly."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Dict, List, Mapping, Sequence, Tuple

import tomllib

from tokassay import data, engines

from .answering import answer
from .files import Files

Row = Mapping[str, Any]
SOURCE = "(source)"  # in a version: a finding in a checkout, which no registry has


@dataclass(frozen=True)
class Group:
    """Rows of one engine on one file. `equal`: rows that the pinned version answers rightly."""

    engine: str
    config: str
    tokenizer: Any
    rows: Sequence[Row]
    equal: bool = False

    def request(self, files: Files, version: str = "") -> Dict[str, Any]:
        """As `answering` wants it."""
        argument = str(files.tokenizer(self.config)) if self.config else version
        address = f"{self.engine}:{argument}" if argument else self.engine
        path = files.loaded(self.engine, self.tokenizer)
        return {"engine": address, "path": str(path), "rows": list(self.rows)}


@lru_cache(maxsize=1)
def findings() -> Sequence[Row]:
    """Every row of golden/findings."""
    files = sorted((data.root() / "golden" / "findings").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("ascii").splitlines()]


@lru_cache(maxsize=1)
def equal_pairs() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Engine → operation → tokenizers on which it equals the oracle, but for the rows of its findings."""
    stored: Dict[str, Dict[str, List[str]]] = json.loads(
        (data.root() / "golden" / "findings" / "equal.json").read_text("ascii")
    )
    return stored


def names() -> List[str]:
    """Every engine of the findings and the pairs, but for those that do templates only."""
    found = {str(row["engine"]) for row in findings() if row["op"] != "template"}
    return sorted(found | set(equal_pairs()))


def found_in(engine: str) -> List[Group]:
    """Its findings, but for templates and those in its sources."""
    groups: Dict[Tuple[str, str], List[Row]] = {}
    for row in findings():
        if row["engine"] == engine and row["op"] != "template" and SOURCE not in row["version"]:
            groups.setdefault((json.dumps(row["tokenizer"]), row.get("config", "")), []).append(row)
    return [
        Group(engine, config, json.loads(tokenizer), rows) for (tokenizer, config), rows in groups.items()
    ]


def equal_to_the_oracle(engine: str, files: Files) -> List[Group]:
    """Its pairs, each row with the oracle's answer."""
    pairs = [(op, name) for op, found in equal_pairs().get(engine, {}).items() for name in found]
    return [Group(engine, "", name, _right(engine, op, name, files), equal=True) for op, name in pairs]


def _right(engine: str, op: str, tokenizer: str, files: Files) -> List[Row]:
    """On every text that some engine gets wrong with that tokenizer, but its own findings."""
    oracle = _oracle(str(files.tokenizer(tokenizer)))
    asked: List[Dict[str, Any]] = [
        {"tokenizer": tokenizer, "op": "encode", "text": text} for text in texts(engine, tokenizer)
    ]
    if op == "decode":
        asked = [{"tokenizer": tokenizer, "op": op, "ids": answer(oracle, row)} for row in asked]
    return [{**row, "expected": answer(oracle, row)} for row in asked]


def texts(engine: str, tokenizer: str) -> List[str]:
    """What some engine answers wrongly with a tokenizer, without what this one is known to."""
    rows = [row for row in findings() if (row["op"], row["tokenizer"]) == ("encode", tokenizer)]
    known = [row["text"] for row in rows if row["engine"] == engine]
    return [row["text"] for row in rows if row["text"] not in known]


@lru_cache(maxsize=4)
def _oracle(path: str) -> Any:
    return engines.open("hf").load(path)


def packages(engine: str) -> Tuple[str, Sequence[str]]:
    """Registry and packages of an engine, the one that gives the version first."""
    adapter = engines.adapter_at(engine)
    if hasattr(adapter, "PACKAGES"):
        return "npm", [package.name for package in adapter.PACKAGES]
    return "PyPI", adapter.DISTRIBUTIONS


def pinned(engine: str) -> str:
    """The version that the findings are about."""
    registry, (first, *_) = packages(engine)
    if registry == "npm":
        return str(engines.adapter_at(engine).PACKAGES[0].version)
    extras = tomllib.loads((data.root() / "pyproject.toml").read_text("utf-8"))["project"]
    pins = extras["optional-dependencies"]["engines"] + extras["optional-dependencies"]["engines-core"]
    return str(dict(pin.split("==") for pin in pins if "==" in pin)[first])
