"""A target under atheris: coverage-guided, with a corpus on disk that starts from the golden data.

`python fuzz/TARGET.py [CORPUS...] [-runs=N] [-max_total_time=S] ...` takes libFuzzer's options. This package
is instrumented; engines are native code and are not.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, List, Optional, Sequence, Tuple

from tokassay import data
from tokassay.checks.engine import Session
from tokassay.mutants import engine_at

from .target import Program, Setting, programs

INSTRUMENTED = (
    "tokassay.formats",
    "tokassay.core",
    "tokassay.lookup",
    "tokassay.chat",
    "tokassay.engines.wire",
)


LONG = 1024
FEW = ("gpt2", "bert-uncased", "t5", "word-level-lowercase")


class PropertyError(AssertionError):
    """The property does not hold: libFuzzer stores the bytes that showed it."""


def main(path: Path, arguments: Optional[Sequence[str]] = None) -> int:
    """Fuzz the target of a file; libFuzzer ends the process itself (exit code 77 for a finding)."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        import atheris  # noqa: PLC0415 - an extra, and there is none for some machines
    except ImportError:
        sys.stderr.write("atheris is not installed: pip install tokassay[fuzz] (x86-64 only)\n")
        return 3
    for name in [name for name in sys.modules if name.partition(".")[0] == "tokassay"]:
        del sys.modules[name]  # only what is imported from here on is instrumented
    with atheris.instrument_imports(include=list(INSTRUMENTED), enable_loader_override=False):
        fresh = importlib.import_module(__name__)
        program = fresh.program_of(path)
        fresh.fuzzed(program, path, given)
    return 0


def program_of(path: Path) -> Program:
    """The target of a file."""
    return programs()[path.stem.replace("_", "-")]


def fuzzed(program: Program, path: Path, words: List[str]) -> None:
    """Open the target, give the corpus its seeds, and go on until libFuzzer stops."""
    import atheris  # noqa: PLC0415

    folders = [word for word in words if not word.startswith("-")]
    if folders and "-seeds=0" not in words:
        plant(program, Path(folders[0]))
    with tempfile.TemporaryDirectory(prefix="tokassay-fuzz-") as scratch:
        run = once(program, scratch)
        seeds = list(program.seeds())
        for seed in seeds[:3]:
            run(seed)  # what is imported at first use is instrumented, too
        atheris.Setup([launcher(scratch, path), *options(words, seeds)], run)
        atheris.Fuzz()


def launcher(folder: str, path: Path) -> str:
    """A program that is the target: libFuzzer starts itself again by its name, to merge."""
    if getattr(sys, "frozen", False):
        return sys.argv[0]
    made = Path(folder) / f"{path.stem}.sh"
    words = " ".join(map(shlex.quote, (sys.executable, str(path), "-seeds=0")))  # planted by then
    made.write_text(f'#!/bin/sh\nexec {words} "$@"\n', "utf-8")
    made.chmod(0o700)
    return str(made)


def options(words: Sequence[str], seeds: Sequence[bytes]) -> List[str]:
    """libFuzzer's, with a largest input: in twice the time, large files show what small ones do.

    Four times what nine seeds in ten stay below, `LONG` at least. Merging cuts nothing off.
    """
    given = [word for word in words if word != "-seeds=0"]
    if any(word.startswith(("-max_len=", "-merge=")) for word in given) or not seeds:
        return given
    sizes = sorted(map(len, seeds))
    return [*given, f"-max_len={max(LONG, 4 * sizes[len(sizes) * 9 // 10])}"]


def once(program: Program, scratch: str) -> Callable[[bytes], None]:
    """One execution: bytes to a case, the case to its property. Raises PropertyError."""
    names = os.environ.get("TOKASSAY_FUZZ_TOKENIZERS", "")
    setting = Setting(
        os.environ.get("TOKASSAY_FUZZ_ENGINE", "reference"),
        os.environ.get("TOKASSAY_FUZZ_WITNESS", "hf"),
        tuple(filter(None, names.split(os.pathsep))) or few(),
        scratch,
    )
    target: Any = program.open(setting)

    def run(content: bytes) -> None:
        case = program.case_of(target, content)
        found = target.check(case)
        if found is not None:
            raise PropertyError(f"{found.signature}: {str(case)[:2000]!a}")

    return run


def few() -> Tuple[str, ...]:
    """One embedded tokenizer of each model: more would take longer to load than to fuzz."""
    folder = data.root() / "golden" / "tokenizers"
    return tuple(str(folder / name / "tokenizer.json") for name in FEW)


def one_session(setting: Setting) -> Session:
    """The engine on one file, whichever: for what is not about a tokenizer."""
    return engine_at(setting.engine).load((setting.tokenizers or few())[0])


def plant(program: Program, folder: Path) -> List[Path]:
    """The seeds as files of a corpus, named by their contents; what is there already stays."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for seed in program.seeds():
        path = folder / hashlib.sha256(seed).hexdigest()[:20]
        if not path.exists():
            path.write_bytes(seed)
            made.append(path)
    return made
