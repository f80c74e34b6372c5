"""Where the programs and data on top of the package lie: in the checkout, or inside the wheel."""

from __future__ import annotations

from pathlib import Path


def root() -> Path:
    """The ``_data`` folder of the installed wheel, else the checkout (or its copy on a board)."""
    here = Path(__file__).resolve().parent
    packed = here / "_data"
    return packed if packed.is_dir() else here.parent.parent
