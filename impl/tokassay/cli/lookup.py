"""`tokassay lookup FILE --tokenizer F`: what prompt lookup would save on a text that is known."""

from __future__ import annotations

import argparse
import itertools
import json
from dataclasses import asdict
from pathlib import Path
from typing import List, Sequence, Tuple

from tokassay import Tokenizer
from tokassay.lookup import Acceptance, NgramIndex, rules, simulate
from tokassay.report.lookup_page import Setting, rendered

from . import UsageError

NAME = "lookup"
HELP = "prompt lookup: drafts accepted on a text, for several n-grams, draft lengths and rules"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the text, or with --prediction the output")
    parser.add_argument("--tokenizer", required=True, type=Path, metavar="FILE", help="tokenizer file")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--prompt-chars", type=int, metavar="N", help="where the prompt ends; default: half the text"
    )
    how.add_argument(
        "--prediction", type=Path, metavar="FILE", help="a predicted output that drafts are taken from"
    )
    parser.add_argument(
        "--rule", action="append", choices=sorted(rules()), help="repeatable; default: seed, hf"
    )
    parser.add_argument(
        "--max-ngram", action="append", type=int, metavar="N", help="repeatable; default: 2, 3"
    )
    parser.add_argument(
        "--num-draft", action="append", type=int, metavar="K", help="repeatable; default: 5, 10"
    )
    parser.add_argument("--json", action="store_true", help="JSON Lines instead of a table")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also a page with the settings as a plot")


def run(args: argparse.Namespace) -> int:
    prompt, continuation, reference = _texts(args)
    chosen = itertools.product(
        args.rule or ("seed", "hf"), args.max_ngram or (2, 3), args.num_draft or (5, 10)
    )
    # All of them are valid before the first line is printed.
    indexes = {setting: _index(setting, reference) for setting in itertools.starmap(Setting, chosen)}
    results = {}
    for line in [] if args.json else [HEADING]:
        print(line)
    for setting, index in indexes.items():
        results[setting] = simulate(prompt, continuation, index).acceptance
        print((_json_line if args.json else _table_line)(setting, results[setting]), flush=True)
    if args.html is not None:
        args.html.write_text(rendered(args.file.name, results), encoding="utf-8")
    return 0


def _texts(args: argparse.Namespace) -> Tuple[List[int], List[int], List[int]]:
    """Prompt, continuation and reference as ids, without special tokens.

    With a prediction the prompt is the first token alone: what is measured is the rest of the text.
    """
    tokenizer = Tokenizer.from_file(args.tokenizer)
    text = _read(args.file)
    encoded = tokenizer.encode(text, add_special_tokens=False)
    chars = len(text) // 2 if args.prompt_chars is None else args.prompt_chars
    reference: List[int] = []
    cut = 1
    if args.prediction is not None:
        reference = list(tokenizer.encode(_read(args.prediction), add_special_tokens=False).ids)
    else:
        cut = sum(1 for start, _ in encoded.offsets if start < chars)
    if not 0 < cut < len(encoded.ids):
        raise UsageError(
            f"a text of {len(text)} characters leaves no continuation after {chars}", "see --prompt-chars"
        )
    return list(encoded.ids[:cut]), list(encoded.ids[cut:]), reference


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path} is not UTF-8: byte {error.start} is 0x{error.object[error.start]:02x}"
        ) from error


def _index(setting: Setting, reference: Sequence[int]) -> NgramIndex:
    try:
        index = NgramIndex(setting.rule, setting.max_ngram, setting.num_draft)
        if reference:
            index.extend(reference, role="reference")
    except ValueError as error:
        raise UsageError(str(error)) from error
    return index


HEADING = (
    f"{'rule':<18}{'N':>3}{'K':>4}{'tokens':>9}{'passes':>9}{'per pass':>10}"
    f"{'drafted':>9}{'accepted':>10}{'rate':>8}  rate by n"
)


def _table_line(setting: Setting, saved: Acceptance) -> str:
    by_n = "  ".join(f"{n}: {part.acceptance_rate:.1%}" for n, part in saved.by_ngram.items())
    return (
        f"{setting.rule:<18}{setting.max_ngram:>3}{setting.num_draft:>4}{saved.tokens:>9}"
        f"{saved.forward_passes:>9}{saved.tokens_per_forward:>10.2f}{saved.drafted:>9}"
        f"{saved.accepted:>10}{saved.acceptance_rate:>8.1%}  {by_n}"
    )


SUMS = ("tokens", "forward_passes", "tokens_per_forward", "drafted", "accepted", "acceptance_rate")
MEANS = ("accepted_length", "accepted_length_with_bonus", "steps_with_draft", "by_position")


def _json_line(setting: Setting, saved: Acceptance) -> str:
    values = {name: getattr(saved, name) for name in SUMS + MEANS}
    by_ngram = {n: {name: getattr(part, name) for name in SUMS} for n, part in saved.by_ngram.items()}
    return json.dumps({**asdict(setting), **values, "by_ngram": by_ngram})
