"""Where in its line a syntax error stands: jinja2 tells the line alone."""

from __future__ import annotations

from typing import Optional

import jinja2
from jinja2.parser import Parser

OPENINGS = ("{%", "{{", "{#")


def column_of(
    environment: jinja2.Environment, source: str, error: jinja2.TemplateSyntaxError
) -> Optional[int]:
    """1-based column of the token that the parser stopped at, else of the tag that it stands in.

    The parser is run again on the source to learn the token; only its text is known, so the column is that of
    its first occurrence after the tag's opening.
    """
    lines = source.split("\n")
    if not 1 <= error.lineno <= len(lines):
        return None
    line = lines[error.lineno - 1]
    opening = max((line.rfind(mark) for mark in OPENINGS), default=-1)
    token = _stopped_at(environment, source)
    start = next((place for mark in OPENINGS if (place := line.find(mark)) >= 0), 0)
    found = line.find(token, start) if token else -1
    if found < 0:
        found = max(opening, 0)
    return found + 1


def _stopped_at(environment: jinja2.Environment, source: str) -> str:
    try:
        parser = Parser(environment, source)
        try:
            parser.parse()
        except jinja2.TemplateSyntaxError:
            return str(parser.stream.current.value or "")
    except jinja2.TemplateSyntaxError:  # the lexer's own complaint comes before there is a token
        return ""
    return ""
