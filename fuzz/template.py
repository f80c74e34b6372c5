"""Templates: rendering gives the text that plain Jinja gives, or refuses by name, and always the same."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Optional

import jinja2.ext
import jinja2.sandbox

from tokassay import chat
from tokassay.chat.environment import Generation
from tokassay.checks.engine import EngineError, RefusalError, Session
from tokassay.core.errors import TokassayError
from tokassay.fuzzing.coverage import main, one_session
from tokassay.fuzzing.grammar import conversations
from tokassay.fuzzing.target import Case, Found, Setting

LIMITS = chat.Limits(seconds=5.0)
NAMES: dict[str, Any] = {"bos_token": "<s>", "eos_token": "</s>"}


@dataclass(frozen=True)
class Template:
    """Plain Jinja set up as everywhere is the witness of the engine, or of the kit where there is none."""

    engine: Optional[Session] = None

    def draw(self, chance: Random) -> Case:
        return conversations.case(chance)

    def check(self, case: Case) -> Optional[Found]:
        try:
            got, again = self._rendered(case), self._rendered(case)
        except RefusalError:
            return None
        if got != again:
            return Found("prompt", "diverge", "not the same twice", got, again)
        expected = _plain(case)
        if got is None or expected is None:
            same = got is None and expected is None
            return None if same else Found("prompt", "diverge", "only one of the two answers", expected, got)
        return None if got == expected else Found("prompt", "diverge", "", expected, got)

    def _rendered(self, case: Case) -> Optional[str]:
        """None for an error. Raises RefusalError where the engine says that it cannot."""
        try:
            if self.engine is not None:
                return self.engine.template(case["template"], case["messages"], _options(case))
            return chat.render(case["template"], case["messages"], limits=LIMITS, **_options(case))
        except RefusalError:
            raise
        except (EngineError, TokassayError):
            return None


def _options(case: Case) -> dict[str, Any]:
    given = {"tools": case["tools"], "add_generation_prompt": case["begins"]}
    return {**case.get("values", {}), **given, **NAMES}


def _plain(case: Case) -> Optional[str]:
    messages = [{name: value for name, value in one.items() if value is not None} for one in case["messages"]]
    try:
        template = environment().from_string(case["template"])
        return template.render(messages=messages, **{"documents": None, **_options(case)})
    except Exception:  # noqa: BLE001 - templates fail in any way
        return None


@lru_cache(maxsize=1)
def environment() -> jinja2.sandbox.ImmutableSandboxedEnvironment:
    made = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols]
    )
    made.filters["tojson"] = _tojson
    made.globals["raise_exception"] = _raise
    made.globals["strftime_now"] = lambda form: datetime.now().strftime(form)  # noqa: DTZ005 - local time
    return made


def _tojson(value: Any, ensure_ascii: bool = False, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, **options)


def _raise(message: str) -> None:
    raise jinja2.TemplateError(message)


def open_target(setting: Setting) -> Template:
    if setting.engine == "reference":
        return Template()
    return Template(one_session(setting))


if __name__ == "__main__":
    sys.exit(main(Path(__file__)))
