"""The reference implementation, as an engine under test."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Mapping

from tokassay.checks.engine import AddressError
from tokassay.device.reference import NAME, ReferenceEngine, ReferenceSession, reference

__all__ = ["HELP", "IN_PROCESS", "NAME", "ReferenceEngine", "ReferenceSession", "open_engine"]
HELP = "the reference implementation of this package"
IN_PROCESS = True


def open_engine(argument: str) -> ReferenceEngine:
    """The reference in this process; `argument` is not used. Chat templates where jinja2 is installed."""
    if argument:
        raise AddressError(f"reference takes no argument, got {argument!r}")
    able = all(find_spec(name) is not None for name in ("jinja2", "tokassay.chat"))  # a bundle has neither
    return reference(_render if able else None)


def _render(template: str, messages: object, options: Mapping[str, Any]) -> str:
    from tokassay import chat  # noqa: PLC0415 - an extra, and nobody else has to wait for it

    return chat.render(template, messages, **options)
