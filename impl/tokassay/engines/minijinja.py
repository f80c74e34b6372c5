"""minijinja: Jinja2 in Rust, through its Python package. It does chat templates and nothing else."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, List, Mapping, NoReturn, Sequence

from tokassay.checks.engine import RefusalError

from ._packages import PackageEngine, module, open_package

NAME = "minijinja"
HELP = "minijinja, with the settings and helpers that chat templates expect (package minijinja)"
DISTRIBUTIONS = ("minijinja",)
NATIVE = True
IN_PROCESS = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded)


class Loaded:
    """Templates alone: whatever file is loaded is not looked at."""

    def __init__(self, path: str) -> None:
        self.path = path

    def encode(self, _text: str) -> List[int]:
        raise RefusalError("does chat templates only")

    def decode(self, _ids: Sequence[int]) -> str:
        raise RefusalError("does chat templates only")

    def template(self, template: str, messages: Any, options: Mapping[str, Any]) -> str:
        """Raises RefusalError where a final message is to go on."""
        names = dict(options)
        if names.pop("continue_final_message", False):
            raise RefusalError("continue_final_message")
        given = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
        context = {"tools": None, "documents": None, "add_generation_prompt": False, **names}
        return str(self._environment().render_str(template, messages=given, **context))

    @staticmethod
    def _environment() -> Any:
        environment = module("minijinja").Environment(
            trim_blocks=True, lstrip_blocks=True, auto_escape_callback=lambda _name: False
        )
        environment.add_filter("tojson", _to_json)
        environment.add_function("raise_exception", _raise)
        environment.add_function("strftime_now", lambda form: datetime.now().strftime(form))  # noqa: DTZ005 - as transformers
        return environment


def _to_json(value: Any, ensure_ascii: bool = False, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, **options)


def _raise(message: object) -> NoReturn:
    raise ValueError(str(message))
