"""Where the programs and data on top of the package lie: in the checkout, or inside the wheel."""

from __future__ import annotations

from pathlib import Path


def root() -> Path:
    """The checkout when the package runs from one, else the ``_data`` folder of the installed wheel."""
    here = Path(__file__).resolve().parent
    checkout = here.parent.parent
    return (
        checkout
        if (checkout / "pyproject.toml").is_file() and (checkout / "golden").is_dir()
        else here / "_data"
    )
