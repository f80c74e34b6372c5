"""Jinja's own constructs: access, operators, loops, filters, tests, methods."""

from __future__ import annotations

import string
from typing import Any, Callable, Iterator

from tokassay.chat.environment import ChatEnvironment
from tokassay.mutants._fault import Fault
from tokassay.mutants._prompts import environment, filters, method, settings, tests

from .writing import rewritten


def faults() -> Iterator[Fault]:
    yield from _access()
    yield from _operators()
    yield from _loops()
    yield from _filters()
    yield from _tests()
    yield from _methods()


def _access() -> Iterator[Fault]:
    clause = "chat.jinja.access"
    first = rewritten(r"\[-1\]", "[0]")
    yield Fault("last-is-first", "negative indices count from the start", clause, prompting=first)
    whole = rewritten(r"\[\d*:\d*\]", "")
    yield Fault("slices-ignored", "a slice is the whole", clause, prompting=whole)
    forward = rewritten(r"\[::-1\]", "")
    yield Fault("steps-ignored", "a slice's step is not read", clause, prompting=forward)
    open_names = settings(is_safe_attribute=lambda *_: True)
    yield Fault("sandbox-open", "Python's insides can be reached", "chat.sandbox", prompting=open_names)


def _operators() -> Iterator[Fault]:
    clause = "chat.jinja.operators"

    def operator(name: str, models: str, sign: str, change: Callable[[Any, Any], Any]) -> Fault:
        changed = environment(lambda made: _intercepted(made, sign, change))
        return Fault(name, models, clause, prompting=changed)

    yield operator("plus-joins", "+ of a text and a number joins", "+", _joined)
    yield operator("remainder-of-c", "% has the sign of the first number", "%", _remainder)
    yield operator("times-once", "a text times a number is the text", "*", _times)
    lax = rewritten(r"(\S+) not in (\S+)", r"\1 in \2")
    yield Fault("not-in-is-in", "not in is taken for in", clause, prompting=lax)
    loose = rewritten(r"//", "/")
    yield Fault("whole-division-lost", "// is taken for /", clause, prompting=loose)
    tilde = rewritten(r" ~ ", " + ")
    yield Fault("tilde-is-plus", "~ is taken for +", clause, prompting=tilde)


def _intercepted(made: ChatEnvironment, sign: str, change: Callable[[Any, Any], Any]) -> None:
    sound = made.call_binop

    def called(context: Any, operator: str, left: Any, right: Any) -> Any:
        return change(left, right) if operator == sign else sound(context, operator, left, right)

    made.call_binop = called  # type: ignore[assignment, method-assign]


def _joined(left: Any, right: Any) -> Any:
    mixed = isinstance(left, str) != isinstance(right, str)
    return f"{left}{right}" if mixed else left + right


def _remainder(left: Any, right: Any) -> Any:
    if isinstance(left, str):
        return left % right
    return -(-left % right) if left < 0 else left % right


def _times(left: Any, right: Any) -> Any:
    return left if isinstance(left, str) else left * right


def _loops() -> Iterator[Fault]:
    def loop(name: str, models: str, attribute: str, other: str) -> Fault:
        return Fault(name, models, "chat.jinja.loop", prompting=rewritten(rf"\bloop\.{attribute}\b", other))

    yield loop("index-from-zero", "loop.index begins with 0", "index", "loop.index0")
    yield loop("index0-from-one", "loop.index0 begins with 1", "index0", "loop.index")
    yield loop("never-first", "loop.first is false", "first", "false")
    yield loop("always-first", "loop.first is true", "first", "true")
    yield loop("never-last", "loop.last is false", "last", "false")
    yield loop("no-previous-item", "loop.previtem is none", "previtem", "none")
    yield loop("no-next-item", "loop.nextitem is none", "nextitem", "none")
    yield loop("length-is-index", "loop.length counts what is done", "length", "loop.index")
    yield loop("revindex-is-index", "loop.revindex counts upwards", "revindex", "loop.index")
    whole = rewritten(r"(\{%-?\s*for [^%]*? in \S+) if [^%]*?(-?%\})", r"\1 \2")
    statements = "chat.jinja.statements"
    yield Fault("loop-without-condition", "the if of a for is not read", statements, prompting=whole)
    recursive = rewritten(r" recursive\b", "")
    yield Fault("not-recursive", "a recursive loop is unknown", statements, prompting=recursive)


def _filters() -> Iterator[Fault]:
    def one(name: str, models: str, **changed: Callable[..., Any]) -> Fault:
        return Fault(name, models, "chat.jinja.filters", prompting=filters(**changed))

    yield one("trim-blanks-only", "trim keeps line ends", trim=lambda text, chars=" ": str(text).strip(chars))
    yield one(
        "trim-always-blanks", "trim does not read its characters", trim=lambda text, _=None: str(text).strip()
    )
    yield one("length-in-bytes", "length of a text in bytes", length=_bytes, count=_bytes)
    yield one("upper-ascii", "upper knows ASCII only", upper=lambda text: str(text).translate(UPPER))
    yield one("lower-ascii", "lower knows ASCII only", lower=lambda text: str(text).translate(LOWER))
    yield one(
        "capitalize-first-only",
        "capitalize keeps the rest",
        capitalize=lambda text: text[:1].upper() + text[1:],
    )
    yield one("default-of-undefined-only", "default does not read its flag", default=_default, d=_default)
    yield one("join-by-commas", "join without a separator takes a comma", join=_join)
    yield one(
        "replace-once",
        "replace changes the first place only",
        replace=lambda text, old, new: text.replace(old, new, 1),
    )
    yield one("items-sorted", "items come in another order", items=lambda found: iter(sorted(found.items())))
    yield one("first-is-last", "first gives the last", first=lambda found: list(found)[-1])
    yield one("reverse-ignored", "reverse does nothing", reverse=list)
    yield one("unique-ignored", "unique keeps what is repeated", unique=list)
    yield one("round-to-whole", "round does not read its digits", round=lambda value, *_: float(round(value)))
    yield one("int-without-default", "int does not read its default", int=lambda value, *_: _int(value))
    yield one("indent-first", "indent moves the first line, too", indent=_indent)
    yield one("selectattr-all", "selectattr selects all", selectattr=lambda found, *_: iter(found))
    yield one("rejectattr-none", "rejectattr rejects nothing", rejectattr=lambda found, *_: iter(found))
    yield one(
        "string-in-small-letters",
        "string of a value is lower case",
        string=lambda value: str(value).lower() + " ",
    )


UPPER = str.maketrans(string.ascii_lowercase, string.ascii_uppercase)
LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def _bytes(value: Any) -> int:
    return len(value.encode("utf-8") if isinstance(value, str) else value)


def _default(value: Any, other: Any = "", _boolean: bool = False) -> Any:
    return other if str(type(value).__name__).endswith("Undefined") else value


def _join(found: Any, separator: str = ",", attribute: Any = None) -> str:
    return separator.join(str(one[attribute] if attribute else one) for one in found)


def _int(value: Any) -> int:
    try:
        return int(value)
    except ValueError:
        return 0


def _indent(text: str, width: int = 4, **_: Any) -> str:
    return "\n".join(" " * width + line for line in text.split("\n"))


def _tests() -> Iterator[Fault]:
    def one(name: str, models: str, **changed: Callable[..., bool]) -> Fault:
        return Fault(name, models, "chat.jinja.tests", prompting=tests(**changed))

    yield one(
        "none-is-undefined",
        "what is none is not defined",
        defined=lambda value: _default(value, None) is not None,
    )
    yield one(
        "text-is-no-sequence",
        "a text is no sequence",
        sequence=lambda value: isinstance(value, (list, tuple, dict)),
    )
    yield one(
        "text-is-mapping",
        "everything with items is a mapping",
        mapping=lambda value: not isinstance(value, str),
    )
    yield one("number-is-text", "everything is a text", string=lambda value: value is not None)
    yield one("one-is-true", "1 is true", true=bool)
    yield one("float-is-integer", "1.0 is an integer", integer=lambda value: isinstance(value, (int, float)))
    yield one("integer-is-boolean", "numbers are booleans", boolean=lambda value: isinstance(value, int))
    yield one("number-is-iterable", "everything can be gone over", iterable=lambda _: True)
    yield one("undefined-never", "nothing is undefined", undefined=lambda _: False)
    yield one(
        "odd-is-even",
        "odd and even exchanged",
        odd=lambda value: value % 2 == 0,
        even=lambda value: value % 2 == 1,
    )


def _methods() -> Iterator[Fault]:
    def one(name: str, models: str, of: str, apply: Callable[..., Any]) -> Fault:
        return Fault(name, models, "chat.jinja.methods", prompting=method(of, apply))

    yield one(
        "strip-takes-blanks-only", "strip keeps line ends", "strip", lambda text, chars=" ": text.strip(chars)
    )
    yield one(
        "strip-always-blanks", "strip does not read its characters", "strip", lambda text, *_: text.strip()
    )
    yield one(
        "lstrip-always-blanks",
        "lstrip does not read its characters",
        "lstrip",
        lambda text, *_: text.lstrip(),
    )
    yield one("rstrip-is-strip", "rstrip strips both ends", "rstrip", lambda text, *given: text.strip(*given))
    yield one(
        "split-without-limit",
        "split does not read its limit",
        "split",
        lambda text, by=None, *_: text.split(by),
    )
    yield one(
        "split-at-each-blank",
        "split without argument keeps empty parts",
        "split",
        lambda text, by=" ", *given: text.split(by, *given),
    )
    yield one("split-in-two", "split cuts once", "split", lambda text, by=None, *_: text.split(by, 1))
    yield one("starts-with-anywhere", "startswith looks everywhere", "startswith", _anywhere)
    yield one(
        "replace-method-once",
        "replace changes the first place only",
        "replace",
        lambda text, old, new, *_: text.replace(old, new, 1),
    )
    yield one(
        "replace-method-always",
        "replace does not read its count",
        "replace",
        lambda text, old, new, *_: text.replace(old, new),
    )
    yield one("title-first-only", "title changes the first word only", "title", str.capitalize)
    gone = method("get", lambda found, name, *_: found.get(name), of=dict)
    yield Fault("get-without-default", "get does not read its default", "chat.jinja.methods", prompting=gone)


def _anywhere(text: str, part: Any) -> bool:
    return any(one in text for one in (part if isinstance(part, tuple) else (part,)))
