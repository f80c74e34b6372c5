"""Templates: rendering gives the text that plain Jinja gives, or refuses by name, and always the same."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Optional

import jinja2.ext
import jinja2.sandbox

from tokassay import chat
from tokassay.core.errors import TokassayError
from tokassay.fuzzing.coverage import main
from tokassay.fuzzing.grammar import conversations
from tokassay.fuzzing.target import Case, Found, Setting

LIMITS = chat.Limits(seconds=5.0)
NAMES: dict[str, Any] = {"bos_token": "<s>", "eos_token": "</s>"}


@dataclass(frozen=True)
class Template:
    """Plain Jinja set up as chat templates are rendered everywhere is the witness."""

    def draw(self, chance: Random) -> Case:
        return conversations.case(chance)

    def check(self, case: Case) -> Optional[Found]:
        got = _ours(case)
        if got != _ours(case):
            return Found("prompt", "diverge", "not the same twice", got, _ours(case))
        expected = _plain(case)
        if got is None or expected is None:
            same = got is None and expected is None
            return None if same else Found("prompt", "diverge", "only one of the two answers", expected, got)
        return None if got == expected else Found("prompt", "diverge", "", expected, got)


def _ours(case: Case) -> Optional[str]:
    try:
        begins: dict[str, Any] = {"add_generation_prompt": case["begins"], **NAMES}
        return chat.render(case["template"], case["messages"], case["tools"], **begins, limits=LIMITS)
    except TokassayError:
        return None


def _plain(case: Case) -> Optional[str]:
    messages = [{name: value for name, value in one.items() if value is not None} for one in case["messages"]]
    try:
        template = environment().from_string(case["template"])
        given = {"tools": case["tools"], "documents": None, "add_generation_prompt": case["begins"]}
        return template.render(messages=messages, **given, **NAMES)
    except Exception:  # noqa: BLE001 - templates fail in any way
        return None


@lru_cache(maxsize=1)
def environment() -> jinja2.sandbox.ImmutableSandboxedEnvironment:
    made = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    made.filters["tojson"] = _tojson
    made.globals["raise_exception"] = _raise
    return made


def _tojson(value: Any, indent: Optional[int] = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _raise(message: str) -> None:
    raise jinja2.TemplateError(message)


def open_target(_: Setting) -> Template:
    return Template()


if __name__ == "__main__":
    sys.exit(main(Path(__file__)))
