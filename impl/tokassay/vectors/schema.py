"""Rows against golden/schema/vector.schema.json.

Answers are long lists of small integers and strings, which a general validator walks item by
item. Lists whose items are plain (a type, perhaps with bounds) are checked by one comparison for
each item instead; everything else is `jsonschema`'s.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Optional

from tokassay.core.errors import TokassayError

Test = Callable[[object], bool]

_TYPES: Mapping[str, Test] = {
    "string": lambda item: isinstance(item, str),
    "null": lambda item: item is None,
}
_PLAIN = frozenset(("type", "minimum", "maximum", "description"))


def reader(path: Path) -> Callable[[object], Iterator[str]]:
    """A function from a row to what the schema in `path` finds wrong with it.

    Raises TokassayError where the package jsonschema is not installed.
    """
    try:
        from jsonschema import Draft202012Validator  # noqa: PLC0415 - an extra
        from jsonschema.validators import extend  # noqa: PLC0415
    except ImportError as error:
        raise TokassayError("schemas need the package jsonschema: pip install 'tokassay[dev]'") from error
    schema = json.loads(path.read_text(encoding="utf-8"))
    items = _items(schema, Draft202012Validator.VALIDATORS["items"])
    validator = extend(Draft202012Validator, {"items": items})(schema)

    def errors(row: object) -> Iterator[str]:
        for error in validator.iter_errors(row):
            place = "/".join(map(str, error.absolute_path))
            yield f"{place}: {_short(error.message)}" if place else _short(error.message)

    return errors


def _short(message: str) -> str:
    return message if len(message) <= 200 else f"{message[:90]} ... {message[-90:]}"


def _items(root: Mapping[str, Any], general: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    tests: dict[int, Optional[Test]] = {}  # by identity: the schema's objects live as long as its reader

    def check(validator: Any, items: Any, instance: Any, schema: Any) -> Iterator[Any]:
        if id(items) not in tests:
            tests[id(items)] = plain_test(items, root)
        test = tests[id(items)]
        if test is None or not isinstance(instance, list) or not all(map(test, instance)):
            yield from general(validator, items, instance, schema)

    return check


def plain_test(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Optional[Test]:
    """A schema of types and bounds alone, or of lists of such, as a predicate; None for any other."""
    if "$ref" in schema:
        return plain_test(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if schema.get("type") == "array":
        return _list_test(schema, root)
    if "type" not in schema or not _PLAIN.issuperset(schema):
        return None
    kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    if "integer" in kinds:
        return _integer_test(schema) if kinds == ["integer"] else None
    tests = [_TYPES[kind] for kind in kinds if kind in _TYPES]
    return (lambda item: any(test(item) for test in tests)) if len(tests) == len(kinds) else None


def _integer_test(schema: Mapping[str, Any]) -> Test:
    least, most = schema.get("minimum", float("-inf")), schema.get("maximum", float("inf"))
    return lambda item: type(item) is int and least <= item <= most


def _list_test(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Optional[Test]:
    inner = plain_test(schema.get("items", {}), root)
    if inner is None or not {"type", "items", "minItems", "maxItems"}.issuperset(schema):
        return None
    each, least, most = inner, schema.get("minItems", 0), schema.get("maxItems", float("inf"))
    return lambda item: isinstance(item, list) and least <= len(item) <= most and all(map(each, item))
