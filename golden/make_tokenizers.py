"""Makes golden/tokenizers/: every public function without arguments in makers/ is one tokenizer.

    python golden/make_tokenizers.py [--out DIR] [NAME]...

Needs tokenizers 0.23.3. Running it again gives the same bytes. The large ones (makers/every_pair.py, over
a megabyte each) are made only when they are named, and not committed.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import os
import sys
from pathlib import Path
from typing import Any, Callable, Optional, Sequence

os.environ["RAYON_NUM_THREADS"] = "1"  # training in threads counts in another order every time
os.environ["TOKENIZERS_PARALLELISM"] = "false"
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "makers"))
MAKERS = ("byte_level", "sentence_pieces", "words", "constructed")
LARGE = ("every_pair",)
Recipe = Callable[[], Any]


def recipes(makers: Sequence[str] = MAKERS) -> dict[str, Recipe]:
    """Name → function that makes the tokenizer."""
    found: dict[str, Recipe] = {}
    for name in makers:
        for key, value in vars(importlib.import_module(name)).items():
            if _is_recipe(key, value, name):
                found[key.replace("_", "-")] = value
    return found


def _is_recipe(key: str, value: object, module: str) -> bool:
    own = inspect.isfunction(value) and value.__module__ == module and not key.startswith("_")
    return own and value.__annotations__ == {"return": "Tokenizer"}


def contents(name: str, recipe: Recipe) -> str:
    """The text of a tokenizer.json, on one line; `llama2-like` keeps its merges in the older form."""
    document = json.loads(recipe().to_str())
    if name == "llama2-like":
        document["model"]["merges"] = [" ".join(pair) for pair in document["model"]["merges"]]
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"


def readme(made: dict[str, Recipe]) -> str:
    lines = [f"- `{name}`: {inspect.getdoc(recipe).splitlines()[0]}" for name, recipe in sorted(made.items())]  # type: ignore[union-attr]
    head = (
        "# Own tokenizers\n\nSmall, made by `golden/make_tokenizers.py` from the text in `golden/corpus/`.\n"
    )
    return head + "\n" + "\n".join(lines) + "\n"


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--out", type=Path, default=HERE / "tokenizers")
    options = parser.parse_args(arguments)
    every = recipes((*MAKERS, *LARGE))
    for name in options.names or sorted(recipes()):
        folder = options.out / name
        folder.mkdir(parents=True, exist_ok=True)
        text = contents(name, every[name])
        (folder / "tokenizer.json").write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {len(text.encode())} bytes")
    (options.out / "README.md").write_text(readme(recipes()), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
