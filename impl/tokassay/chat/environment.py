"""The Jinja2 environment that templates run in: transformers' settings and helpers, in a sandbox with limits.

The sandbox is jinja2's own (immutable): no private attributes, no methods that change what is given. What it
leaves open is closed by counting: each loop iteration and call is a step, and every operation that can make
something much larger than its operands is asked first (`Budget`).
"""

from __future__ import annotations

import contextlib
import functools
import json
from contextvars import ContextVar
from datetime import datetime
from typing import Any, Callable, Iterable, Iterator, List, Mapping, NoReturn, Optional, Tuple, cast

import jinja2
import jinja2.ext
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from . import guards
from .errors import RaisedError
from .limits import Budget

Clock = Callable[[], datetime]
Spans = List[Tuple[int, int]]

DICTIONARY_NAMES = frozenset(dir(dict))
HARMLESS = {
    kind: frozenset(name for name in dir(kind) if not name.startswith(("_", "format")))
    for kind in (str, jinja2.runtime.LoopContext)
}
"""Attributes that the sandbox allows whatever they hold."""
SIMPLE = frozenset((str, int, float))
BUDGET: ContextVar[Budget] = ContextVar("budget")
"""Of the rendering under way."""
SPANS: ContextVar[Optional[Tuple[List[str], Spans]]] = ContextVar("spans", default=None)
"""Blocks rendered so far, and where generated text stands in them; None where nobody asks."""
OPERATORS: Mapping[str, Callable[[Any, Any], int]] = {
    "*": guards.repeated,
    "**": guards.power,
    "+": lambda left, right: guards.length(left) + guards.length(right),
    "%": guards.percent,
}


class CountingGenerator(CodeGenerator):
    """Compiles lists and concatenations that are asked for their size, and loops that count their items."""

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802 - jinja2's name
        node.iter = nodes.MarkSafe(node.iter).set_lineno(node.lineno)
        super().visit_For(node, frame)

    def visit_MarkSafe(self, node: nodes.MarkSafe, frame: Frame) -> None:  # noqa: N802 - jinja2's name
        """No template can write this node; here it stands for what a loop goes over."""
        self.write("environment.counted(")
        self.visit(node.expr, frame)
        self.write(")")

    def visit_List(self, node: nodes.List, frame: Frame) -> None:  # noqa: N802 - jinja2's name
        self._built(super().visit_List, node, frame)

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802 - jinja2's name
        self._built(super().visit_Dict, node, frame)

    def visit_Tuple(self, node: nodes.Tuple, frame: Frame) -> None:  # noqa: N802 - jinja2's name
        if node.ctx == "load":
            self._built(super().visit_Tuple, node, frame)
        else:
            super().visit_Tuple(node, frame)

    def _built(self, visit: Callable[[Any, Frame], None], node: nodes.Node, frame: Frame) -> None:
        self.write("environment.built(")
        visit(node, frame)
        self.write(")")

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:  # noqa: N802 - jinja2's name
        """A slice is something new."""
        if isinstance(node.arg, nodes.Slice):
            self._built(super().visit_Getitem, node, frame)
        else:
            super().visit_Getitem(node, frame)

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 - jinja2's name
        self.write("environment.concatenated((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")


class Generation(jinja2.ext.Extension):
    """``{% generation %} ... {% endgeneration %}``: text that the assistant wrote (``chat.generation``)."""

    tags = {"generation"}  # noqa: RUF012 - jinja2's name

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_generated"), [], [], body).set_lineno(line)

    @staticmethod
    def _generated(caller: Callable[[], str]) -> str:
        text = caller()
        if (tracked := SPANS.get()) is not None:
            blocks, spans = tracked
            start = sum(map(len, blocks))
            spans.append((start, start + len(text)))
        return text


class ChatEnvironment(ImmutableSandboxedEnvironment):
    """See the module. `clock` is what ``strftime_now`` reads."""

    code_generator_class = CountingGenerator
    intercepted_binops = frozenset(OPERATORS)

    def __init__(self, clock: Clock = datetime.now) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=[Generation, jinja2.ext.loopcontrols],
            optimized=False,  # a prompt has few constant expressions, and looking for them takes long
        )
        self.filters["tojson"] = to_json
        for name, apply in self.filters.items():
            self.filters[name] = _guarded(apply, guards.FILTERS.get(name))
        self.filters["join"] = _of_list(self.filters["join"])
        self.globals.update(
            raise_exception=raise_exception,
            strftime_now=lambda form: clock().strftime(form),
            dict=Dictionary(),
            namespace=Namespace,
        )

    @staticmethod
    def counted(items: Any) -> Any:
        """What a loop goes over, each item as one step."""
        return BUDGET.get().counted(items)

    def _generate(self, source: nodes.Template, *arguments: Any, **options: Any) -> str:
        """Python source; what macros and blocks put together is asked for its size, too."""
        code = super()._generate(source, *arguments, **options)
        return code.replace("\n", "; concat = environment.concatenated\n", 1)  # behind the imports

    def _compile(self, source: str, filename: str) -> Any:
        """Python's own complaints (nested loops, a lone break) as jinja2's, at the template's line."""
        try:
            return super()._compile(source, filename)
        except SyntaxError as error:
            raise jinja2.TemplateSyntaxError(str(error.msg), _template_line(source, error.lineno)) from error

    def call(self, context: Any, function: Any, /, *arguments: Any, **options: Any) -> Any:
        """jinja2's own check, after the step is counted and a large result is refused."""
        budget = BUDGET.get()
        budget.step()
        if isinstance(getattr(function, "__self__", None), str):
            if function.__name__ == "join":
                arguments = tuple(map(_listed, arguments))
            budget.allow(guards.of_method(function.__self__, function.__name__, arguments, options))
        elif function is jinja2.utils.generate_lorem_ipsum:
            budget.allow(guards.paragraphs(*arguments, **options))
        return budget.keep(super().call(context, function, *arguments, **options))

    def wrap_str_format(self, value: Any) -> Any:
        """The text's own ``format``: its widths are asked for before it runs."""
        wrapped = super().wrap_str_format(value)
        if wrapped is None:
            return None

        def checked(*arguments: Any, **options: Any) -> Any:
            BUDGET.get().allow(guards.formatted(value.__self__, [*arguments, *options.values()]))
            return wrapped(*arguments, **options)

        return checked

    def getattr(self, obj: Any, attribute: str) -> Any:
        """As jinja2 does it; what can only come to one end is not tried in vain first."""
        kind = type(obj)
        if kind is dict and attribute not in DICTIONARY_NAMES:
            return obj[attribute] if attribute in obj else self.undefined(obj=obj, name=attribute)
        if attribute in HARMLESS.get(kind, ()):
            return getattr(obj, attribute)
        if kind is Namespace and not attribute.startswith("_"):
            with contextlib.suppress(AttributeError):
                return getattr(obj, attribute)
            return self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)

    def call_binop(self, _context: Any, operator: str, left: Any, right: Any) -> Any:
        """The operators that can make something much larger than what they are given."""
        budget = BUDGET.get()
        if operator == "+" and type(left) in SIMPLE and type(right) is type(left):
            found = left + right
            return budget.keep(found) if type(left) is str else found
        budget.allow(OPERATORS[operator](left, right))
        return budget.keep(self.binop_table[operator](left, right))

    @staticmethod
    def built(value: Any) -> Any:
        """A list, tuple or dictionary that stands in the template."""
        return BUDGET.get().keep(value)

    def concatenated(self, parts: Iterable[Any]) -> str:
        """The ``~`` operator, and what a macro or a block put together."""
        texts = [str(part) for part in parts]
        budget = BUDGET.get()
        budget.allow(sum(map(len, texts)))
        return cast("str", budget.keep("".join(texts)))


def _template_line(source: str, line: Optional[int]) -> int:
    """Where a line of the generated source comes from: its last line holds pairs of both."""
    pairs = source[source.rindex("debug_info = '") + 14 :].split("'", maxsplit=1)[0].split("&")
    found = [pair.split("=") for pair in pairs if pair]
    before = [int(own) for own, made in found if int(made) <= (line or 0)]
    return before[-1] if before else 1


def _guarded(apply: Callable[..., Any], size: Optional[Callable[..., int]]) -> Callable[..., Any]:
    """A filter whose result is counted, and that is asked for its size first; jinja2's marks on it stay."""
    marked = getattr(apply, "jinja_pass_arg", None) is not None

    @functools.wraps(apply)
    def guarded(*arguments: Any, **options: Any) -> Any:
        budget = BUDGET.get()
        if size is not None:
            with contextlib.suppress(TypeError):  # arguments that it will refuse itself
                budget.allow(size(*arguments[marked:], **options))
        return budget.keep(apply(*arguments, **options))

    return guarded


def _of_list(join: Callable[..., Any]) -> Callable[..., Any]:
    """The filter ``join``: what it gets is a list, so that it can be asked for its size."""

    @functools.wraps(join)
    def joined(marked: Any, items: Any, *arguments: Any, **options: Any) -> Any:
        return join(marked, _listed(items), *arguments, **options)

    return joined


def _listed(items: Any) -> Any:
    """A generator as a list, everything else as it is."""
    return list(items) if isinstance(items, Iterator) else items


def to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: Any = None,
    separators: Any = None,
    sort_keys: bool = False,
) -> str:
    """``tojson`` as transformers defines it: no HTML escapes, non-ASCII as it is, keys in their order."""
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def raise_exception(message: object) -> NoReturn:
    """What a template calls to refuse a conversation."""
    raise RaisedError(str(message))


class Dictionary:
    """The template's ``dict``: makes dictionaries, and has nothing else to get hold of."""

    def __call__(self, *arguments: Any, **items: Any) -> Any:
        return ChatEnvironment.built(dict(*arguments, **items))

    def fromkeys(self, *arguments: Any) -> Any:
        return ChatEnvironment.built(dict.fromkeys(*arguments))


class Namespace(jinja2.utils.Namespace):
    """``namespace(...)`` without names that begin with an underscore."""

    def __init__(*arguments: Any, **items: Any) -> None:  # an item may be called self
        self, *pairs = arguments
        values = dict(*pairs, **items)
        for name in values:
            _check_name(name)
        jinja2.utils.Namespace.__init__(self, values)

    def __setitem__(self, name: str, value: Any) -> None:
        _check_name(name)
        super().__setitem__(name, value)


def _check_name(name: object) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise jinja2.exceptions.SecurityError(f"a namespace takes no name with an underscore first: {name!r}")
