"""Ways to break the rendering of chat templates: what is given, the source, the environment, the prompt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Mapping, Tuple

from tokassay import chat
from tokassay.chat.environment import ChatEnvironment

Options = Dict[str, Any]
Asked = Tuple[Any, Options]
"""Messages and options."""


def _as_asked(messages: Any, options: Options) -> Asked:
    return messages, options


@dataclass(frozen=True)
class Prompts:
    """The sound renderer with something changed on the way."""

    environment: ChatEnvironment = field(default_factory=ChatEnvironment)
    source: Callable[[str], str] = str
    asked: Callable[[Any, Options], Asked] = _as_asked
    shown: Callable[[str, Options], str] = lambda text, _: text

    def __call__(self, template: str, messages: Any, options: Mapping[str, Any]) -> str:
        messages, given = self.asked(messages, dict(options))
        final = given.pop("continue_final_message", False)
        found = chat.rendered(
            self.source(template),
            messages,
            given,
            continue_final_message=final,
            environment=self.environment,
        )
        return self.shown(found.text, given)


def environment(change: Callable[[ChatEnvironment], object]) -> Prompts:
    """Settings, filters, tests, functions or access to values are others."""
    made = ChatEnvironment()
    change(made)
    return Prompts(made)


def settings(**values: Any) -> Prompts:
    """Attributes of the environment have other values."""

    def change(made: ChatEnvironment) -> None:
        for name, value in values.items():
            setattr(made, name, value)

    return environment(change)


def filters(**changed: Callable[..., Any]) -> Prompts:
    """Filters are other functions."""
    return environment(lambda made: made.filters.update(changed))


def tests(**changed: Callable[..., Any]) -> Prompts:
    """Tests are other functions."""
    return environment(lambda made: made.tests.update(changed))


def functions(**changed: Any) -> Prompts:
    """Functions that every template knows are others."""
    return environment(lambda made: made.globals.update(changed))


def printed(change: Callable[[Any], Any]) -> Prompts:
    """What stands in double braces is shown otherwise."""
    return settings(finalize=change)


def method(name: str, apply: Callable[..., Any], of: type = str) -> Prompts:
    """A method of texts (or of another type) is another function; it is told the value first."""

    def change(made: ChatEnvironment) -> None:
        sound = made.getattr

        def found(value: Any, attribute: str) -> Any:
            if attribute == name and isinstance(value, of):
                return lambda *given, **options: apply(value, *given, **options)
            return sound(value, attribute)

        made.getattr = found  # type: ignore[assignment, method-assign]

    return environment(change)
