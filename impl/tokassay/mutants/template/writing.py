"""What a template means before anything is computed: line ends, delimiters; and the prompt as a whole."""

from __future__ import annotations

import re
from typing import Iterator

import jinja2

from tokassay.mutants._fault import Fault
from tokassay.mutants._prompts import Prompts, settings

BLANKS = "chat.whitespace"


def rewritten(pattern: str, text: str) -> Prompts:
    """The template is read as if something else stood in it."""
    found = re.compile(pattern, re.DOTALL)
    return Prompts(source=lambda source: found.sub(text, source))


def faults() -> Iterator[Fault]:
    yield from _settings()
    yield from _delimiters()
    yield from _prompt()
    yield from _undefined()


def _settings() -> Iterator[Fault]:
    off = settings(trim_blocks=False)
    yield Fault(
        "trim-blocks-off", "trim_blocks: the line end behind a statement stays", BLANKS, prompting=off
    )
    off = settings(lstrip_blocks=False)
    yield Fault("lstrip-blocks-off", "lstrip_blocks: blanks before a statement stay", BLANKS, prompting=off)
    kept = settings(keep_trailing_newline=True)
    yield Fault("final-line-end-kept", "the template's last line end stays", BLANKS, prompting=kept)
    other = settings(newline_sequence="\r\n")
    yield Fault("line-ends-crlf", "line ends of another system", BLANKS, prompting=other)
    yield Fault(
        "autoescape", "HTML escapes in all that is shown", "chat.render", prompting=settings(autoescape=True)
    )


def _delimiters() -> Iterator[Fault]:
    before = rewritten(r"\{([%{#])-", r"{\1")
    yield Fault("minus-before-ignored", "{%- strips nothing", BLANKS, prompting=before)
    behind = rewritten(r"-([%}#])\}", r"\1}")
    yield Fault("minus-behind-ignored", "-%} strips nothing", BLANKS, prompting=behind)
    blanks = rewritten(r"-%\}[ \t]*\n(\s*)", r"%}\n\1")
    yield Fault("minus-strips-one-line", "-%} strips to the line's end only", BLANKS, prompting=blanks)
    plus = rewritten(r"\{%\+", "{%")
    yield Fault("plus-ignored", "{%+ keeps nothing", BLANKS, prompting=plus)
    lines = rewritten(r"#\}\n", "#}\n\n")
    yield Fault("line-end-behind-comment", "a comment's line end stays", BLANKS, prompting=lines)
    raw = rewritten(r"\{%-?\s*(end)?raw\s*-?%\}", "")
    yield Fault("raw-is-read", "what stands in raw is computed", "chat.jinja.statements", prompting=raw)
    escapes = rewritten(r"\\n", r"\\\\n")
    yield Fault("escapes-kept", "\\n in a literal is two characters", BLANKS, prompting=escapes)


def _prompt() -> Iterator[Fault]:
    clause = "chat.render"
    stripped = Prompts(shown=lambda text, _: text.strip())
    yield Fault("prompt-stripped", "blanks around the prompt are dropped", clause, prompting=stripped)
    right = Prompts(shown=lambda text, _: text.rstrip("\n"))
    yield Fault(
        "prompt-ends-without-line", "line ends behind the prompt are dropped", clause, prompting=right
    )
    first = Prompts(shown=lambda text, _: text.lstrip("\n"))
    yield Fault(
        "prompt-begins-without-line", "line ends before the prompt are dropped", clause, prompting=first
    )
    ascii_only = Prompts(shown=lambda text, _: text.encode("ascii", "backslashreplace").decode("ascii"))
    yield Fault("prompt-in-ascii", "other characters become escapes", clause, prompting=ascii_only)


class Shown(jinja2.Undefined):
    """Prints its name."""

    def __str__(self) -> str:
        return "undefined"


def _undefined() -> Iterator[Fault]:
    clause = "chat.jinja.access"
    for name, models, kind in (
        ("undefined-is-shown", "an undefined name prints as a word", Shown),
        ("undefined-fails", "an undefined name is an error", jinja2.StrictUndefined),
        ("undefined-is-deep", "a field of what is undefined is undefined", jinja2.ChainableUndefined),
    ):
        yield Fault(name, models, clause, prompting=settings(undefined=kind))
