"""C engines for boards: what a compiler makes of a source, as a program and as a library."""

from __future__ import annotations

import subprocess
from pathlib import Path

PROTOCOL = Path(__file__).parents[3] / "docs" / "protocol"
ECHO = Path(__file__).parents[1] / "wire" / "echo.c"
CROSS = "aarch64-linux-gnu-gcc"
FAULTY = Path(__file__).parent / "faulty.c"
#: Texts of two vectors of spaces.jsonl, at which `FAULTY` ends and hangs.
FAULTS = {"spaces/two-inside": ("SEGFAULT", "a  b"), "spaces/only-two": ("HANG", "  ")}


def built(compiler: str, source: Path, folder: Path) -> tuple[str, str]:
    """Paths of program and library, both named after the source."""
    words = [compiler, "-std=gnu99", "-O1", "-I", str(PROTOCOL), str(source)]
    words += [f'-D{name}="{text}"' for name, text in FAULTS.values()]
    program, library = folder / source.stem, folder / f"{source.stem}.so"
    subprocess.run([*words, "-static", "-o", program], check=True)
    subprocess.run([*words, "-DLIBRARY", "-shared", "-fPIC", "-o", library], check=True)
    return str(program), str(library)
