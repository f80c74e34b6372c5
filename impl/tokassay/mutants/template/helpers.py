"""What templates have beside Jinja: tojson, raise_exception, strftime_now, namespace, break, continue."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Callable, Iterator

from tokassay.chat.environment import Namespace, to_json
from tokassay.mutants._fault import Fault
from tokassay.mutants._prompts import filters, functions, printed, settings

from .writing import rewritten

HELPERS = "chat.helpers"
VALUES = "chat.jinja.values"


def faults() -> Iterator[Fault]:
    yield from _json()
    yield from _functions()
    yield from _statements()
    yield from _values()


def _json() -> Iterator[Fault]:
    def tojson(name: str, models: str, change: Callable[..., str]) -> Fault:
        return Fault(name, models, HELPERS, prompting=filters(tojson=change))

    yield tojson(
        "tojson-sorts",
        "keys are sorted",
        lambda value, **given: to_json(value, **{**given, "sort_keys": True}),
    )
    yield tojson("tojson-never-sorts", "sort_keys is not read", _without("sort_keys"))
    yield tojson("tojson-on-one-line", "indent is not read", _without("indent"))
    yield tojson("tojson-separators", "separators are not read", _without("separators"))
    yield tojson("tojson-never-ascii", "ensure_ascii is not read", _without("ensure_ascii"))
    yield tojson("tojson-ascii", "other characters are escaped", json.dumps)
    yield tojson("tojson-html", "escapes for HTML, as Jinja's own", _html)
    compact = {"separators": (",", ":")}
    yield tojson(
        "tojson-compact",
        "no blanks behind : and ,",
        lambda value, **given: to_json(value, **{**compact, **given}),
    )
    yield tojson("tojson-text-as-it-is", "a text is not quoted", _bare)
    yield tojson(
        "tojson-short-floats", "1.0 becomes 1", lambda value, **given: to_json(_short(value), **given)
    )


def _without(name: str) -> Callable[..., str]:
    return lambda value, **given: to_json(value, **{key: given[key] for key in given if key != name})


def _html(value: Any, **given: Any) -> str:
    text = to_json(value, **given)
    for char in "<>&'":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _bare(value: Any, **given: Any) -> str:
    return value if isinstance(value, str) else to_json(value, **given)


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _short(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return list(map(_short, value))
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Fixed(Namespace):
    """Takes no other value."""

    def __setitem__(self, name: str, value: Any) -> None:
        """Nothing."""


def _functions() -> Iterator[Fault]:
    raising = functions(raise_exception=lambda _: "")
    yield Fault("raise-does-nothing", "raise_exception goes on", HELPERS, prompting=raising)
    saying = functions(raise_exception=str)
    yield Fault("raise-prints", "raise_exception prints its message", HELPERS, prompting=saying)
    iso = functions(strftime_now=lambda _: datetime.now().isoformat())  # noqa: DTZ005 - as the sound one
    yield Fault("clock-without-format", "strftime_now does not read its format", "chat.clock", prompting=iso)
    for name in ("strftime_now", "namespace", "dict"):
        gone = settings()
        del gone.environment.globals[name]
        yield Fault(f"no-{name.replace('_', '-')}", f"{name} is unknown", HELPERS, prompting=gone)
    yield Fault(
        "namespace-is-fixed",
        "what is set in a namespace is lost",
        "chat.jinja.statements",
        prompting=functions(namespace=Fixed),
    )


def _statements() -> Iterator[Fault]:
    for name, other in (("break", "continue"), ("continue", "break")):
        swapped = rewritten(rf"(\{{%-?\s*){name}(\s*-?%\}})", rf"\1{other}\2")
        yield Fault(f"{name}-is-{other}", f"{name} does what {other} does", HELPERS, prompting=swapped)
        gone = rewritten(rf"\{{%-?\s*{name}\s*-?%\}}", "")
        yield Fault(f"{name}-ignored", f"{name} does nothing", HELPERS, prompting=gone)
    empty = rewritten(r"(\{%-?\s*generation\s*-?%\}).*?(\{%-?\s*endgeneration)", r"\1\2")
    yield Fault("generation-empty", "what stands in generation is lost", "chat.generation", prompting=empty)
    unknown = rewritten(r"(\{%-?\s*)generation\b", r"\1generated")
    yield Fault("generation-unknown", "generation is an unknown tag", "chat.generation", prompting=unknown)


def _values() -> Iterator[Fault]:
    def shown(name: str, models: str, change: Callable[[Any], Any]) -> Fault:
        return Fault(name, models, VALUES, prompting=printed(change))

    yield shown(
        "true-in-small-letters",
        "True prints as true",
        lambda one: str(one).lower() if one in (True, False) and isinstance(one, bool) else one,
    )
    yield shown("none-is-nothing", "None prints as nothing", lambda one: "" if one is None else one)
    yield shown("none-in-small-letters", "None prints as none", lambda one: "none" if one is None else one)
    yield shown("floats-cut", "1.0 prints as 1", lambda one: _short(one) if isinstance(one, float) else one)
    yield shown(
        "lists-as-json", "lists print as JSON", lambda one: to_json(one) if isinstance(one, list) else one
    )
    yield shown(
        "objects-as-json",
        "mappings print as JSON",
        lambda one: to_json(one) if isinstance(one, dict) else one,
    )
    yield shown(
        "tuples-as-lists", "tuples print as lists", lambda one: list(one) if isinstance(one, tuple) else one
    )
