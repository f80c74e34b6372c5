"""Is a device file faithful to the tokenizer.json that it was made from?

The suite's texts and generated ones go through the file (by the rules of its format), through the original
(by the oracle, or the reference where the oracle is not installed) and, with --engine, through an engine
that loads the file. Says faithful or not, with the smallest input at which each column differs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
from pathlib import Path
from typing import Dict, Iterator, List, Mapping, Tuple

from tokassay import Tokenizer, data, engines, formats
from tokassay.checks.engine import Session
from tokassay.checks.vector import read_vectors
from tokassay.core.errors import TokassayError
from tokassay.diagnosis.faithful import Comparison, Finding, Tally
from tokassay.formats.oddities import examine
from tokassay.fuzzing.material import Material
from tokassay.fuzzing.texts import generate
from tokassay.verdicts.exit_code import CONFORMS, DIVERGES

from ._common import HELP_TOKENIZER, find_tokenizer, load, print_json, warn

NAME = "verify"
HELP = "whether a device file is faithful to the tokenizer.json that it was made from"
DOCUMENT = "document"
ID_LISTS = 300


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=HELP_TOKENIZER)
    parser.add_argument("--against", required=True, metavar="TOKENIZER.JSON", help=HELP_TOKENIZER)
    parser.add_argument(
        "--engine", action="append", default=[], metavar="E", help="an engine that loads FILE, too"
    )
    parser.add_argument(
        "--texts", type=int, default=1500, metavar="N", help="generated texts (default: 1500)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="for the generated texts")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    """Exit code 1 where a column differs. FormatError where the content of FILE is not what it should be."""
    path, against = find_tokenizer(args.file), find_tokenizer(args.against)
    for oddity in examine(formats.read(path), whole=True).warnings:
        warn(f"{path}: {oddity.field}: {oddity.reason}")
    comparison = Comparison(_original(against), _columns(path, args.engine))
    tokenizer = Tokenizer.from_file(against)
    texts = list(_texts(tokenizer, args.seed, args.texts))
    tally = comparison.run(texts, _id_lists(tokenizer, texts, args.seed))
    findings = comparison.findings(tally)
    _show(comparison, tally, findings, as_json=args.json)
    return DIVERGES if findings else CONFORMS


def _original(path: Path) -> Session:
    try:
        return load(engines.open("hf"), str(path))
    except engines.UnavailableError as error:
        warn(f"{error}; the reference stands in for the oracle")
        return load(engines.open("reference"), str(path))


def _columns(path: Path, names: List[str]) -> Dict[str, Session]:
    columns = {DOCUMENT: load(engines.open("reference"), str(path))}
    columns.update({name: load(engines.open(name), str(path)) for name in names})
    return columns


def _texts(tokenizer: Tokenizer, seed: int, count: int) -> Iterator[str]:
    """The suite's texts, then generated ones: tokens and look-alikes of this tokenizer among them."""
    for vector in read_vectors(data.root() / "golden" / "vectors" / "encode"):
        if "text" in vector.given and not {"tokenizer", "file", "pair"} & set(vector.given):
            yield str(vector.given["text"])
    yield from (text.text for text in generate(Material.of(tokenizer), seed, count))


def _id_lists(tokenizer: Tokenizer, texts: List[str], seed: int) -> Iterator[Tuple[int, ...]]:
    """Ids of texts, added tokens alone, and ids at random."""
    choose = random.Random(seed)  # noqa: S311 - reproducible, not secret
    for text in choose.sample(texts, min(ID_LISTS, len(texts))):
        with contextlib.suppress(TokassayError):
            yield tuple(tokenizer.encode(text).ids[:200])
    yield from ((token.id,) for token in tokenizer.description.added_tokens[:ID_LISTS])
    known = sorted(tokenizer.description.model.vocab.values())
    for _ in range(ID_LISTS if known else 0):
        yield tuple(choose.choices(known, k=choose.randint(1, 6)))


def _show(comparison: Comparison, tally: Tally, findings: List[Finding], *, as_json: bool) -> None:
    counts = {name: _counts(tally, name) for name in comparison.others}
    faithful = not any(counts[DOCUMENT].values())
    if as_json:
        shown = [{**vars(finding), "answers": dict(finding.answers)} for finding in findings]
        print_json({"faithful": faithful, "tried": tally.tried, "differs": counts, "findings": shown})
        return
    print("faithful" if faithful else "not faithful")
    print(f"{'':16}" + "".join(f"{op:>16}" for op in tally.tried))
    print(f"{'tried':16}" + "".join(f"{count:16}" for count in tally.tried.values()))
    for name in comparison.others:
        print(f"{name:16}" + "".join(f"{counts[name].get(op, 0):16}" for op in tally.tried))
    for finding in findings:
        print(f"\n{finding.column} differs in {finding.op}: {_given(finding)}")
        for name, answer in finding.answers.items():
            print(f"  {name:10} {json.dumps(list(answer) if isinstance(answer, tuple) else answer)}")


def _counts(tally: Tally, name: str) -> Mapping[str, int]:
    return {op: count for (op, column), count in tally.differs.items() if column == name}


def _given(finding: Finding) -> str:
    text, ids = finding.input
    return json.dumps(list(ids)) if ids else json.dumps(text)
