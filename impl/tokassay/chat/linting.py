"""Which constructs of Jinja2 a template uses, by line: what an engine's subset will break (``chat.subset``).

A construct is called as its probe in golden/templates/probes.json.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Iterator, List, Mapping, Tuple, Type

import jinja2
from jinja2 import nodes

from .rendering import parsed

Names = Tuple[str, ...]


@dataclass(frozen=True)
class Use:
    """A construct at a place.

    Attributes:
        line: 1-based.
        names: what it is called, the plain name first, then what is particular about it here.
    """

    line: int
    names: Names


def uses(template: str, path: str = "") -> List[Use]:
    """Every use of a construct, by line. Raises TemplateError where the template cannot be read."""
    environment, tree = parsed(template, path)
    indexes = {id(node.arg) for node in tree.find_all(nodes.Getitem)}  # a minus there is no operator
    found = [
        Use(node.lineno, names)
        for node in tree.find_all(nodes.Node)
        if id(node) not in indexes
        for names in _named(node)
    ]
    found += _tokens(environment, template)
    return sorted(dict.fromkeys(found), key=lambda use: (use.line, use.names))


def _tokens(environment: jinja2.Environment, template: str) -> Iterator[Use]:
    """What the tree does not show any more."""
    for line, kind, text in environment.lex(template):
        if kind == "string" and "\\u" in text:
            yield Use(line, ("escaped unicode",))
        elif kind == "raw_begin":
            yield Use(line, ("raw",))


def _named(node: nodes.Node) -> Iterator[Names]:
    for kind, name in NAMED.items():
        if isinstance(node, kind):
            yield from name(node)


def _for(node: Any) -> Iterator[Names]:
    yield ("statement for",)
    for there, name in (
        (node.else_, "for else"),
        (node.test, "for if"),
        (node.recursive, "for recursive"),
        (isinstance(node.target, nodes.Tuple), "for unpacking"),
    ):
        if there:
            yield (name,)


def _if(node: Any) -> Iterator[Names]:
    yield ("statement if",)
    if node.elif_:
        yield ("statement elif",)
    if node.else_:
        yield ("statement else",)


def _assign(node: Any) -> Iterator[Names]:
    if isinstance(node.target, nodes.NSRef):
        yield ("namespace",)
    else:
        yield ("set unpacking",) if isinstance(node.target, nodes.Tuple) else ("statement set",)


def _filter(node: Any) -> Iterator[Names]:
    name = f"filter {node.name}"
    more = [f"{name} {pair.key}" for pair in node.kwargs]
    if node.name == "trim" and node.args:
        more.append(f"{name} characters")
    if node.name in ("default", "d"):
        more += [f"{name} boolean"] if len(node.args) > 1 else [f"{name} none"]
    if node.name == "map":
        more = [f"{name} attribute" if node.kwargs else f"{name} filter"]
    yield (name, *more)


def _test(node: Any) -> Iterator[Names]:
    yield (f"test {node.name}",)


def _not(node: Any) -> Iterator[Names]:
    inner = node.node
    yield (f"test not {inner.name}",) if isinstance(inner, nodes.Test) else ("operator not",)


MORE_ARGUMENTS = {
    ("split", 0): "blank",
    ("split", 2): "limit",
    ("strip", 1): "characters",
    ("get", 2): "default",
    ("replace", 3): "count",
}


def _call(node: Any) -> Iterator[Names]:
    called = node.node
    if isinstance(called, nodes.Getattr) and not _is_loop(called.node):
        name = f"method {called.attr}"
        more = MORE_ARGUMENTS.get((called.attr, len(node.args)))
        yield (name, f"{name} {more}") if more else (name,)
    elif isinstance(called, nodes.Name):
        name = f"function {called.name}"
        more = "step" if called.name == "range" and len(node.args) > 2 else ""
        yield ("namespace",) if called.name == "namespace" else (name, f"{name} {more}") if more else (name,)


def _is_loop(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Name) and node.name == "loop"


def _attribute(node: Any) -> Iterator[Names]:
    if _is_loop(node.node):
        yield (f"loop.{node.attr}",)


def _item(node: Any) -> Iterator[Names]:
    index = node.arg
    if isinstance(index, nodes.Slice):
        yield ("slice", "slice text", "slice step") if index.step else ("slice", "slice text")
    elif isinstance(index, nodes.Neg):
        yield ("negative index",)


def _macro(node: Any) -> Iterator[Names]:
    yield ("macro", "macro default") if node.defaults else ("macro",)


def _call_block(node: Any) -> Iterator[Names]:
    generated = isinstance(node.call.node, nodes.ExtensionAttribute)
    yield ("generation",) if generated else ("call",)


def _set_block(node: Any) -> Iterator[Names]:
    yield ("set block", "set block filter") if node.filter is not None else ("set block",)


def _inline_if(node: Any) -> Iterator[Names]:
    yield ("inline if",) if node.expr2 is not None else ("inline if without else",)


COMPARED = {"eq": "==", "ne": "!=", "lt": "<", "lteq": "<", "gt": "<", "gteq": "<"}


def _compare(node: Any) -> Iterator[Names]:
    for operand in node.ops:
        if operand.op == "in":
            yield ("operator in", "operator in text", "operator in list", "operator in dict")
        else:
            yield ("operator not in",) if operand.op == "notin" else (f"operator {COMPARED[operand.op]}",)
    if len(node.ops) > 1:
        yield ("comparison chain",)


def _operator(node: Any) -> Iterator[Names]:
    text = f"operator {node.operator} text"
    as_text = isinstance(node.left, nodes.Const) and isinstance(node.left.value, str)
    yield (f"operator {node.operator}", text) if as_text else (f"operator {node.operator}",)


def _constant(node: Any) -> Iterator[Names]:
    name = {bool: "true", float: "float", type(None): "none"}.get(type(node.value))
    if name:
        yield (f"literal {name}",)


def _always(name: str) -> Callable[[Any], Iterator[Names]]:
    return lambda _: iter(((name,),))


NAMED: Mapping[Type[nodes.Node], Callable[[Any], Iterator[Names]]] = {
    nodes.For: _for,
    nodes.If: _if,
    nodes.Assign: _assign,
    nodes.AssignBlock: _set_block,
    nodes.Filter: _filter,
    nodes.Test: _test,
    nodes.Not: _not,
    nodes.Call: _call,
    nodes.Getattr: _attribute,
    nodes.Getitem: _item,
    nodes.Macro: _macro,
    nodes.CallBlock: _call_block,
    nodes.CondExpr: _inline_if,
    nodes.Compare: _compare,
    nodes.BinExpr: _operator,
    nodes.Neg: _always("operator unary minus"),
    nodes.Concat: _always("operator ~"),
    nodes.FilterBlock: _always("filter block"),
    nodes.With: _always("with"),
    nodes.Break: _always("break"),
    nodes.Continue: _always("continue"),
    nodes.Block: _always("block"),
    nodes.Include: _always("include"),
    nodes.List: _always("literal list"),
    nodes.Tuple: lambda node: iter((("literal tuple",),) if node.ctx == "load" else ()),
    nodes.Dict: _always("literal dict"),
    nodes.Const: _constant,
}
"""Kind of a node to what it is called; And and Or are operators with a sign of their own."""
