"""A module of this package as the program of a child."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import tokassay

from .child import Command


def python_command(shown: str, module: str, *arguments: str) -> Command:
    """``python -m MODULE ARGUMENTS`` with the interpreter and the tokassay of this process."""
    package = str(Path(tokassay.__file__).resolve().parent.parent)
    path = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    return Command((sys.executable, "-m", module, *arguments), shown, {"PYTHONPATH": path})
