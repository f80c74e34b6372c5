"""Python functions as tools: their JSON schemas, and what is refused."""

from __future__ import annotations

import enum
from typing import Any, Dict, List, Literal, Optional, Tuple, Union

import pytest

from tokassay import chat
from tokassay.chat.tools import of_hint, schema_of


def weather(city: str, unit: Literal["C", "F"] = "C", days: Optional[int] = None) -> Dict[str, Any]:
    """The weather of a city.

    It is up to date.

    Args:
        city: Where it is,
            and more of it.
        unit: Of the temperature. (choices: ["C", "F"])
        days: How many

    Returns:
        What comes.
    """
    return {"city": city, "unit": unit, "days": days}


class Bound:
    def method(self, n: int) -> int:
        """Counts.

        Args:
            n: To here.
        """
        return n


def test_a_documented_function_becomes_a_schema():
    assert schema_of(weather) == {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "The weather of a city.\n\nIt is up to date.",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "description": "Where it is, and more of it."},
                    "unit": {"type": "string", "enum": ["C", "F"], "description": "Of the temperature."},
                    "days": {"type": "integer", "nullable": True, "description": "How many"},
                },
                "required": ["city"],
            },
            "return": {"type": "object", "additionalProperties": {}, "description": "What comes."},
        },
    }


def test_a_method_leaves_its_own_object_out():
    assert list(schema_of(Bound().method)["function"]["parameters"]["properties"]) == ["n"]


def test_templates_see_schemas():
    assert chat.render("{{ tools[0].function.name }}", "Hi", tools=[weather]) == "weather"


class Colour(enum.Enum):
    RED = "red"
    TWO = 2


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (list, {"type": "array"}),
        (List[str], {"type": "array", "items": {"type": "string"}}),
        (Tuple[int, str], {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}),
        (tuple, {"type": "array"}),
        (Dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Any, {}),
        (Optional[str], {"type": "string", "nullable": True}),
        (Union[int, str], {"type": ["integer", "string"]}),
        (
            Union[List[int], str],
            {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "string"}]},
        ),
        (Colour, {"type": ["string", "integer"], "enum": ["red", 2]}),
        (Literal[1, 2], {"type": "integer", "enum": [1, 2]}),
    ],
)
def test_hints(hint, schema):
    assert of_hint(hint) == schema


def undocumented(n: int) -> int:
    return n


def half_documented(n: int) -> int:
    """Only this."""
    return n


def unhinted(n) -> int:
    """Doc.

    Args:
        n: A number.
    """
    return n


def of_a_class(n: Bound) -> Bound:
    """Doc.

    Args:
        n: A thing.
    """
    return n


def tuple_of_any(n: Tuple[int, ...]) -> None:
    """Doc.

    Args:
        n: Numbers.
    """
    assert n


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (undocumented, "undocumented has no docstring"),
        (half_documented, "does not describe its argument n"),
        (unhinted, "argument n of the tool unhinted has no type hint"),
        (of_a_class, "has no JSON schema"),
        (tuple_of_any, "use list"),
        (Bound, "must be a JSON schema, or a function"),
        (None, "must be a JSON schema, or a function"),
    ],
)
def test_what_is_not_told_is_asked_for(function, told):
    with pytest.raises(chat.ConversationError, match=told):
        chat.render("{{ tools }}", "Hi", tools=[function])


def test_a_return_hint_of_a_class_is_left_out():
    def returns_an_object(n: int) -> Bound:
        """Doc.

        Args:
            n: A number.
        """
        return n

    assert "return" not in schema_of(returns_an_object)["function"]
