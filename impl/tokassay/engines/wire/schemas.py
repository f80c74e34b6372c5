"""The protocol in JSON Schema (golden/schema/wire), checked where ``validate`` is asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict

from tokassay import data
from tokassay.checks.engine import UnavailableError

from .messages import BadReplyError, Reply


def folder() -> Path:
    """One file for each operation, with ``request`` and ``reply`` under ``$defs``."""
    return data.root() / "golden" / "schema" / "wire"


class Validator:
    """The schemas, compiled. Needs the package jsonschema."""

    def __init__(self) -> None:
        """Raises UnavailableError where jsonschema is not installed."""
        try:
            from jsonschema import Draft202012Validator  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise UnavailableError(
                "the package jsonschema is not installed", "pip install jsonschema"
            ) from error
        self._compiled: Dict[str, Any] = {}
        for file in sorted(folder().glob("*.json")):
            schema = json.loads(file.read_text("utf-8"))
            for side in ("request", "reply"):
                one = {**schema, "$ref": f"#/$defs/{side}"}
                self._compiled[f"{file.stem} {side}"] = Draft202012Validator(one)

    def check_request(self, operation: str, line: bytes) -> None:
        """Raises BadReplyError where the kit itself breaks the protocol."""
        self._check(f"{operation} request", json.loads(line))

    def check_reply(self, operation: str, reply: Reply) -> None:
        """Raises BadReplyError with the place in the reply."""
        self._check(f"{operation} reply", reply)

    def _check(self, which: str, value: Any) -> None:
        fault = next(iter(self._compiled[which].iter_errors(value)), None)
        if fault is not None:
            raise BadReplyError(
                f"{fault.json_path}: {fault.message[:200]} (schema {which.partition(' ')[0]}.json)"
            )
