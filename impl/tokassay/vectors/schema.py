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
    "integer": lambda item: isinstance(item, int) and not isinstance(item, bool),
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
    def check(validator: Any, items: Any, instance: Any, schema: Any) -> Iterator[Any]:
        test = plain_test(_resolved(root, items))
        if test is None or not isinstance(instance, list) or not all(map(test, instance)):
            yield from general(validator, items, instance, schema)

    return check


def _resolved(root: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    return root["$defs"][name] if name else schema


def plain_test(schema: Mapping[str, Any]) -> Optional[Test]:
    """A schema of a type and bounds alone as a predicate, None for any other."""
    if "type" not in schema or not _PLAIN.issuperset(schema):
        return None
    kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    if not all(kind in _TYPES for kind in kinds):
        return None
    tests = [_TYPES[kind] for kind in kinds]
    least, most = schema.get("minimum"), schema.get("maximum")

    def test(item: Any) -> bool:
        fits = (least is None or item >= least) and (most is None or item <= most)
        return fits and any(one(item) for one in tests)

    return test if least is None or kinds == ["integer"] else None
