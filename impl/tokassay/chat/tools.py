"""A Python function as a tool: its JSON schema from type hints and its docstring (``chat.tools``)."""

from __future__ import annotations

import inspect
import json
import re
import types
from enum import Enum
from typing import (
    Any,
    Callable,
    Dict,
    List,
    Literal,
    Mapping,
    Tuple,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from .errors import ConversationError

Schema = Dict[str, Any]
SCALARS = {int: "integer", float: "number", str: "string", bool: "boolean", type(None): "null"}
UNIONS = (Union, getattr(types, "UnionType", Union))  # the second one is of Python 3.10
BARE = {list: "array", tuple: "array", dict: "object"}
_SECTION = re.compile(r"^[ \t]*(Args|Returns|Raises):[ \t]*$", re.MULTILINE)
_ARGUMENT = re.compile(r"([ \t]*)(\w+)(?:[ \t]*\([^()\n]*\))?:[ \t]*(.*)")
_CHOICES = re.compile(r"\(choices:\s*(.*?)\)\s*$", re.IGNORECASE)


def schema_of(function: Any) -> Schema:
    """The schema of a documented function or method. Raises ConversationError where something is not told."""
    if not (inspect.isfunction(function) or inspect.ismethod(function)):
        raise ConversationError("a tool must be a JSON schema, or a function with type hints and a docstring")
    name, text = function.__name__, inspect.getdoc(function)
    if not text:
        raise ConversationError(f"the tool {name} has no docstring to describe it with")
    description, arguments, returned = read_docstring(text.strip())
    parameters, result = _parameters(function)
    for argument, schema in parameters["properties"].items():
        if argument not in arguments:
            raise ConversationError(
                f"the docstring of the tool {name} does not describe its argument {argument}"
            )
        _describe(schema, arguments[argument])
    told: Schema = {"name": name, "description": description, "parameters": parameters}
    if result is not None:
        told["return"] = {**result, **({"description": returned} if returned is not None else {})}
    return {"type": "function", "function": told}


def _describe(schema: Schema, description: str) -> None:
    choices = _CHOICES.search(description)
    if choices:
        values = json.loads(choices.group(1))
        schema["enum"] = [value.strip() if isinstance(value, str) else value for value in values]
        description = description[: choices.start()].strip()
    schema["description"] = description


def read_docstring(text: str) -> Tuple[str, Dict[str, str], Any]:
    """Description, arguments and return value (None: not told) of a docstring in Google's style."""
    marks = list(_SECTION.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    parts = {mark.group(1): text[mark.end() : end] for mark, end in zip(reversed(marks), reversed(ends))}
    first = text[: marks[0].start()] if marks else text
    returned = parts["Returns"].strip() if "Returns" in parts else None
    return first.strip(), _arguments(parts.get("Args", "")), returned


def _arguments(block: str) -> Dict[str, str]:
    """Name to description; a line that is indented deeper than the names goes on with the last one."""
    found: Dict[str, List[str]] = {}
    indent = None
    last = ""
    for line in filter(str.strip, block.split("\n")):
        entry = _ARGUMENT.match(line)
        if entry and (indent is None or len(entry.group(1)) <= indent):
            indent, last = len(entry.group(1)), entry.group(2)
            found[last] = [entry.group(3)]
        elif last:
            found[last].append(line.strip())
    return {name: " ".join(part for part in lines if part).strip() for name, lines in found.items()}


def _parameters(function: Callable[..., Any]) -> Tuple[Schema, Any]:
    """The schema of the arguments, and that of the return value (None: no hint, or none that can be told)."""
    signature, hints = inspect.signature(function), get_type_hints(function)
    own = next(iter(signature.parameters.values()), None)
    skipped = (
        own.name if own is not None and own.name in ("self", "cls") and own.annotation is own.empty else ""
    )
    required = []
    for name, parameter in signature.parameters.items():
        if name == skipped:
            continue
        if parameter.annotation is parameter.empty:
            raise ConversationError(f"the argument {name} of the tool {function.__name__} has no type hint")
        required += [name] if parameter.default is parameter.empty else []
    properties = {name: of_hint(hint) for name, hint in hints.items() if name not in ("return", skipped)}
    schema: Schema = {
        "type": "object",
        "properties": properties,
        **({"required": required} if required else {}),
    }
    return schema, _returned(hints)


def _returned(hints: Mapping[str, Any]) -> Any:
    try:
        return of_hint(hints["return"]) if "return" in hints else None
    except ConversationError:  # a model never writes a return value: it is left out, not told wrong
        return None


def of_hint(hint: Any) -> Schema:
    """The schema of one type hint. Raises ConversationError for a class of one's own."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in UNIONS:
        return _union(arguments)
    if origin is Literal:
        return _enumeration(list(arguments), hint)
    if origin is list:
        return {"type": "array", **({"items": of_hint(arguments[0])} if arguments else {})}
    if origin is tuple:
        return _tuple(arguments, hint)
    if origin is dict:
        values = {"additionalProperties": of_hint(arguments[1])} if len(arguments) == 2 else {}
        return {"type": "object", **values}
    return _bare(hint)


def _bare(hint: Any) -> Schema:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _enumeration([member.value for member in hint], hint)
    if hint is Any:
        return {}
    name = SCALARS.get(hint) or BARE.get(hint)
    if name is None:
        raise ConversationError(
            f"the type hint {hint!r} has no JSON schema; use basic types, Enum, Literal, list, tuple, dict "
            "or unions of them, or give the tool's schema instead of the function"
        )
    return {"type": name}


def _enumeration(values: List[Any], hint: Any) -> Schema:
    if not values or any(type(value) not in SCALARS for value in values):
        raise ConversationError(f"the values of {hint!r} cannot all be written as JSON scalars")
    names = list(dict.fromkeys(SCALARS[type(value)] for value in values))
    return {"type": names[0] if len(names) == 1 else names, "enum": values}


def _tuple(arguments: Tuple[Any, ...], hint: Any) -> Schema:
    if not arguments:
        return {"type": "array"}
    if len(arguments) == 1 or ... in arguments:
        raise ConversationError(f"the type hint {hint!r} has no JSON schema: use list[...] instead")
    return {"type": "array", "prefixItems": [of_hint(one) for one in arguments]}


def _union(arguments: Tuple[Any, ...]) -> Schema:
    parts = [of_hint(one) for one in arguments if one is not type(None)]
    if len(parts) == 1:
        found = dict(parts[0])
    elif all(part.keys() == {"type"} and isinstance(part["type"], str) for part in parts):
        names = sorted({part["type"] for part in parts})
        found = {"type": names[0] if len(names) == 1 else names}
    else:
        found = {"anyOf": parts}
    if type(None) in arguments:
        found["nullable"] = True
    return found
