"""Oniguruma's syntax (ONIG_SYNTAX_ONIGURUMA) to nodes. Clauses ``regex.syntax.*``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Dict, List, Optional, Tuple

from ..unicode.ranges import EVERYTHING, complement
from ..unicode.tables import contains
from .classes import read_class
from .escapes import read_escape
from .nodes import (
    GREEDY,
    Alternatives,
    Anchor,
    Atomic,
    BackReference,
    Call,
    Capture,
    Chars,
    Enclosed,
    Literal,
    Look,
    Node,
    Repeat,
    Sequence,
    alternatives,
    children,
    sequence,
)
from .options import Options, bracketed, literal, meant, switched
from .quantifiers import read_quantifier, repeated
from .references import inlined
from .source import Source

_NOT_NEWLINE = complement(((10, 10),))
_LOOKS = {"?=": (False, False), "?!": (False, True), "?<=": (True, False), "?<!": (True, True)}
_ANCHORS = "AzZbBGKyY"
_BLANKS = " \t\n\r\f\v"
_NEWLINES = ((0x0A, 0x0D), (0x85, 0x85), (0x2028, 0x2029))
_DEPTH = 200
_NUMBER = re.compile(r"([-+]?)([0-9]+)")
_LEVEL = re.compile(r".+[+-][0-9]+", re.DOTALL)
# Any character and those that do not begin a cluster behind it.
_CLUSTER = Atomic(
    Sequence((Chars(EVERYTHING), Repeat(Sequence((Anchor("Y"), Chars(EVERYTHING))), 0, None, GREEDY)))
)


@dataclass
class Parser:
    """Reads one pattern; groups are counted as they open.

    `only_named`: plain groups do not capture. `plain_groups`: they are what ``(?:..)`` is (``(?C)``).
    """

    source: Source
    only_named: bool
    plain_groups: bool = False
    names: Dict[str, List[int]] = field(default_factory=dict)
    captures: int = 0
    depth: int = 0
    groups: Dict[int, Capture] = field(default_factory=dict)
    calls: bool = False

    def choices(self, options: Options) -> Node:
        """Alternatives up to ``)`` or the end of the pattern."""
        self.depth += 1
        if self.depth > _DEPTH:
            raise self.source.refused("groups are nested too deeply", self.source.at)
        branches = [self.branch(options)]
        while self.source.skip("|"):
            branches.append(self.branch(options))
        self.depth -= 1
        return alternatives(tuple(branches))

    def branch(self, options: Options) -> Node:
        items: List[Node] = []
        while True:
            self.skip_ignored(options)
            if self.source.done() or self.source.peek() in "|)":
                return sequence(_runs_joined(items))
            start = self.source.at
            changed = self.isolated_options(options)
            if changed is not None:
                items.append(Enclosed(self.choices(changed)))
                continue
            items.append(self.quantified(self.atom(options), options, start))

    def skip_ignored(self, options: Options) -> None:
        """Comments, and under ``(?x)`` blanks and ``#`` to the end of the line."""
        source = self.source
        while not source.done():
            if source.skip("(?#"):
                self._skip_comment()
            elif options.blanks and source.peek() in _BLANKS:
                source.take()
            elif options.blanks and source.peek() == "#":
                end = source.text.find("\n", source.at)
                source.at = len(source.text) if end < 0 else end + 1
            else:
                return

    def _skip_comment(self) -> None:
        while True:
            char = self.source.take()
            if char == "\\":
                self.source.take()
            elif char == ")":
                return

    def quantified(self, atom: Node, options: Options, start: int) -> Node:
        """`atom` with the quantifiers behind it."""
        while True:
            self.skip_ignored(options)
            at = self.source.at
            found = read_quantifier(self.source)
            if found is None:
                return atom
            if isinstance(atom, Literal) and len(atom.text) > 1 and self.source.text[start] == "\\":
                raise self.source.refused("a repeated list of code points", start)
            atom = repeated(self.source, atom, found, at)

    def atom(self, options: Options) -> Node:
        source, start = self.source, self.source.at
        if source.peek() in "*+?" or (source.peek() == "{" and read_quantifier(source) is not None):
            raise source.invalid("there is nothing to repeat", start)
        char = source.take()
        if char == "\\":
            return self.escape(options, start)
        if char == "[":
            return bracketed(*read_class(source, options.narrow), options)
        if char == "(":
            return self.group(options, start)
        if char == ".":
            return Chars(EVERYTHING if options.dot_all else _NOT_NEWLINE, dot=True)
        if char in "^$":
            return Anchor(char)
        return literal(char, options)

    def escape(self, options: Options, start: int) -> Node:
        source = self.source
        if source.done():
            raise source.invalid("the pattern ends with a backslash", start)
        letter = source.peek()
        if letter in _ANCHORS:
            return Anchor(source.take(), letter in "bB" and bool(set("WP") & set(options.narrow)))
        if letter in "NO":
            source.take()
            return Chars(_NOT_NEWLINE, dot=True) if letter == "N" else Chars(EVERYTHING, dot=True)
        if letter == "R":
            source.take()
            # Enclosed keeps it apart from the same thing written out, which differs in a look-behind.
            return Atomic(Enclosed(Alternatives((Literal("\r\n"), Chars(_NEWLINES)))))
        if letter == "X":
            source.take()
            return _CLUSTER
        reference = self.reference(start, fold=options.fold)
        if reference is not None and options.fold and options.plain:
            raise source.refused("a back-reference under (?iI)", start)
        if reference is not None:
            return reference
        return meant(read_escape(source, in_class=False, narrow=options.narrow), options)

    def reference(self, start: int, *, fold: bool) -> Optional[Node]:
        r"""A back-reference ``\1``, ``\k<name>`` or a call ``\g<name>``; None for another escape."""
        source = self.source
        letter = source.peek()
        if letter in ("k", "g") and source.text[source.at + 1 : source.at + 2] in ("<", "'"):
            source.take()
            end = ">" if source.take() == "<" else "'"
            return self._call(end, start) if letter == "g" else self._named_reference(end, start, fold=fold)
        if letter not in "123456789":
            return None
        mark = source.at
        number = int(source.digits("0123456789", 9))
        if number <= 9 or number <= self.captures:
            return BackReference(self._numbered(number, start), start, fold)
        source.at = mark
        if letter in "89":
            raise source.refused(rf"\{number} without such a group", start)
        return None

    def _numbered(self, number: int, start: int) -> int:
        if self.only_named:
            raise self.source.invalid("groups are referred to by name in this pattern", start)
        if number < 1:
            raise self.source.invalid("there is no such group", start)
        return number

    def _number(self, name: str) -> Optional[int]:
        """The number that a name is, counted from here with a sign; None for a real name."""
        match = _NUMBER.fullmatch(name)
        if match is None:
            return None
        sign, digits = match.groups()
        return self.captures + int(digits) if sign == "+" else _counted(self.captures, sign, int(digits))

    def _call(self, end: str, start: int) -> Node:
        name = self.source.until(end)
        number = self._number(name)
        if number == 0 and name == "0":
            raise self.source.refused("a call of the whole pattern", start)
        self.calls = True
        return Call(name if number is None else self._numbered(number, start), start)

    def _named_reference(self, end: str, start: int, *, fold: bool) -> Node:
        name = self.source.until(end)
        number = None if name.startswith("+") else self._number(name)
        if number is not None:
            return BackReference(self._numbered(number, start), start, fold)
        if _LEVEL.fullmatch(name):
            raise self.source.refused("a back-reference with a level", start)
        numbers = self.names.get(name)
        if numbers is None:
            raise self.source.invalid(f"there is no group {name!r} before this", start)
        # Of several groups of one name the last that fits is taken, and not given back.
        found = tuple(BackReference(number, start, fold) for number in reversed(numbers))
        return found[0] if len(found) == 1 else Atomic(Alternatives(found))

    def isolated_options(self, options: Options) -> Optional[Options]:
        """``(?i)`` alone: the options for the rest of the enclosing group, or None."""
        mark = self.source.at
        if not self.source.skip("(?"):
            return None
        changed = self._flags(options, mark)
        if changed is not None and self.source.skip(")"):
            return changed
        self.source.at = mark
        return None

    def _flags(self, options: Options, start: int) -> Optional[Options]:
        """Flags up to ``)`` or ``:``, or None where this is another kind of group."""
        source = self.source
        if source.peek() not in tuple("imxWDSPILCyas-u)"):
            return None
        on = True
        while source.peek() not in (")", ":"):
            flag = source.take()
            if flag == "-":
                on = False
            elif flag in "imx":
                options = switched(options, flag, on=on)
            elif flag in "WDSP":
                narrow = options.narrow.replace(flag, "") + flag * on
                options = replace(options, narrow=narrow)
            elif flag in "ICL":
                options = self._whole_option(flag, options, start)
            elif flag == "y":
                raise source.refused("the option y", start)
            else:
                raise source.invalid(f"there is no option {flag!r}", start)
        return options

    def _whole_option(self, flag: str, options: Options, start: int) -> Options:
        """An option for the whole pattern, at its very start alone."""
        if start:
            raise self.source.invalid(f"the option {flag} behind the start", start)
        if flag == "L":
            raise self.source.refused("the option L", start)
        if flag == "C":
            self.only_named = self.plain_groups = True
        return replace(options, plain=True) if flag == "I" else options

    def group(self, options: Options, start: int) -> Node:
        source = self.source
        if source.peek(2) == "*F" or source.peek() == "*":
            raise source.refused("callouts", start)
        if source.peek() != "?" and self.plain_groups:
            return self.closed(options, start)
        if source.peek() != "?":
            number = 0 if self.only_named else self._opened()
            body = self.closed(options, start)
            return self._captured(body, number) if number else Enclosed(body)
        for mark, (behind, negative) in _LOOKS.items():
            if source.skip(mark):
                return Look(self.closed(options, start), behind, negative, start)
        source.take()
        if source.skip(":"):
            return self.closed(options, start)
        if source.skip(">"):
            return Atomic(self.closed(options, start))
        if source.peek() in ("<", "'"):
            return self._named_group(options, start)
        return self._other_group(options, start)

    def _other_group(self, options: Options, start: int) -> Node:
        source = self.source
        if source.peek() in ("~", "(", "{"):
            raise source.refused("absent operators, conditions and callouts", start)
        changed = self._flags(options, start)
        if changed is None:
            raise source.invalid("there is no such group", start)
        source.take()
        return Enclosed(self.closed(changed, start))

    def _named_group(self, options: Options, start: int) -> Node:
        name = self.source.until(">" if self.source.take() == "<" else "'")
        if not name or ")" in name or name[0] in "0123456789" or not contains("onig.word.bare")(name[0]):
            raise self.source.invalid(f"{name!r} is no name for a group", start)
        number = self._opened()
        self.names.setdefault(name, []).append(number)
        return self._captured(self.closed(options, start), number)

    def _captured(self, body: Node, number: int) -> Capture:
        self.groups[number] = Capture(body, number)
        return self.groups[number]

    def _opened(self) -> int:
        self.captures += 1
        return self.captures

    def closed(self, options: Options, start: int) -> Node:
        body = self.choices(options)
        if not self.source.skip(")"):
            raise self.source.invalid("there is no ')' for this group", start)
        return body


def _counted(captures: int, sign: str, number: int) -> int:
    return captures + 1 - number if sign else number


def _runs_joined(items: List[Node]) -> Tuple[Node, ...]:
    """Adjacent literals become one run: under ``(?i)`` several characters may match one."""
    found: List[Node] = []
    for item in items:
        last = found[-1] if found else None
        if isinstance(item, Literal) and isinstance(last, Literal) and item.fold == last.fold:
            found[-1] = Literal(last.text + item.text, item.fold)
        else:
            found.append(item)
    return tuple(found)


def has_named_group(pattern: str) -> bool:
    """Whether any group is named: then plain groups do not capture."""
    source = Source(pattern)
    while not source.done():
        char = source.take()
        if char == "\\" and not source.done():
            source.take()
        elif char == "[":
            try:
                read_class(source)
            except ValueError:
                return False
        elif char == "(" and (
            source.peek(2) == "?'" or (source.peek(2) == "?<" and source.peek(3)[2:] not in "=!")
        ):
            return True
    return False


def parse(pattern: str) -> Node:
    """The nodes of a pattern; PatternError as `compile_pattern` says."""
    parser = Parser(Source(pattern), has_named_group(pattern))
    node = parser.choices(Options())
    if not parser.source.done():
        raise parser.source.invalid("there is no '(' for this", parser.source.at)
    for reference in _references(node):
        if reference.number > parser.captures:
            raise parser.source.invalid("there is no such group", reference.at)
    return inlined(node, pattern, parser.groups, parser.names) if parser.calls else node


def _references(node: Node) -> List[BackReference]:
    if isinstance(node, BackReference):
        return [node]
    return [found for part in children(node) for found in _references(part)]
