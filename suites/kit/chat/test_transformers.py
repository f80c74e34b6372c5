"""Ours and transformers' answers on random conversations, random templates, masks and tools.

Needs transformers 5.24 (extra `engines`).
"""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Literal, Optional, Tuple, Union

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tokassay import Tokenizer, chat, data, zoo
from tokassay.chat.tools import schema_of

pytestmark = pytest.mark.nightly

GOLDEN = data.root() / "golden"
TOKENIZER = GOLDEN / "tokenizers" / "gpt2" / "tokenizer.json"
FAMILIES = {path.stem: path.read_text("utf-8") for path in (GOLDEN / "templates").glob("*.jinja")}
TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
MANY = settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def theirs() -> Any:
    import tokenizers
    import transformers

    inner = tokenizers.Tokenizer.from_file(str(TOKENIZER))
    return transformers.PreTrainedTokenizerFast(tokenizer_object=inner)


PIECES = (
    "",
    "a",
    " lead",
    "trail \n",
    "<|im_end|>",
    "{{ x }}",
    "</think>",
    "\u65e5\U0001f469\u200d\U0001f4bb",
    "<b>&\"'",
    "\x00",
    "\n\n",
    "\\n",
)
texts = st.lists(st.sampled_from(PIECES), max_size=4).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from([0.5, 1e20]) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=5,
)
calls = st.fixed_dictionaries(
    {"name": st.just("f"), "arguments": st.dictionaries(st.sampled_from("abc"), values) | st.just('{"a": 1}')}
).map(lambda function: {"type": "function", "function": function})
contents = texts | texts.map(lambda text: [{"type": "text", "text": text}, {"type": "image"}]) | st.none()


@st.composite
def conversations(draw: Any) -> List[Dict[str, Any]]:
    """Mostly well formed: system, then turns; some out of order, some with fields of their own."""
    roles = ["system"] if draw(st.booleans()) else []
    roles += [("user", "assistant")[n % 2] for n in range(draw(st.integers(1, 5)))]
    if draw(st.integers(0, 4)) == 0:
        roles.append(draw(st.sampled_from(["user", "assistant", "tool", "wizard"])))
    found = []
    for role in roles:
        message = {"role": role, "content": draw(texts if draw(st.integers(0, 5)) else contents)}
        if role == "assistant" and draw(st.integers(0, 3)) == 0:
            message["tool_calls"] = draw(st.lists(calls, max_size=2))
        if role == "assistant" and draw(st.integers(0, 3)) == 0:
            message[draw(st.sampled_from(["reasoning_content", "thinking", "reasoning"]))] = draw(texts)
        found.append(message)
    return found


TOOL = {"type": "function", "function": {"name": "f", "description": "d", "parameters": {"properties": {}}}}
options = st.one_of(
    st.just({}),
    st.just({"add_generation_prompt": True}),
    st.just({"continue_final_message": True}),
    st.just({"add_generation_prompt": True, "tools": [TOOL]}),
    st.booleans().map(lambda on: {"enable_thinking": on}),
    st.dictionaries(st.sampled_from("xyz"), values, max_size=2),
)


def expected(theirs: Any, template: str, messages: Any, names: Dict[str, Any]) -> Optional[str]:
    """What transformers renders, None where it raises; it gets a copy of its own."""
    copy, given_names = json.loads(json.dumps([messages, names]))
    try:
        return theirs.apply_chat_template(copy, chat_template=template, tokenize=False, **given_names)  # type: ignore[no-any-return]
    except Exception:  # noqa: BLE001 - whatever it raises, ours has to raise, too
        return None


def ours(template: str, messages: Any, names: Dict[str, Any]) -> Optional[str]:
    try:
        return chat.render(template, messages, **names)
    except (chat.TemplateError, chat.ConversationError):
        return None


@pytest.mark.parametrize("name", FAMILIES)
def test_random_conversations(theirs: Any, name: str) -> None:
    @settings(MANY, max_examples=150)
    @given(messages=conversations(), names=options)
    def agrees(messages: Any, names: Dict[str, Any]) -> None:
        whole = {**TOKENS, **names}
        assert ours(FAMILIES[name], messages, whole) == expected(theirs, FAMILIES[name], messages, whole)

    agrees()


@pytest.mark.parametrize("name", ["qwen3", "llama3_1", "gemma3", "deepseek_v3"])
def test_random_conversations_on_real_templates(theirs: Any, name: str) -> None:
    (outcome,) = zoo.fetch([zoo.entries()[f"{name}_config"]])
    assert outcome.path is not None, outcome.error
    template = chat.read(outcome.path).choose()

    @MANY
    @given(messages=conversations(), names=options)
    def agrees(messages: Any, names: Dict[str, Any]) -> None:
        whole = {**TOKENS, **names}
        assert ours(template, messages, whole) == expected(theirs, template, messages, whole)

    agrees()


LEAVES = (
    "n", "f", "s", "l", "d", "z", "messages", "nothing", "'a'", "''", "1", "-2", "1.5", "true",
    "none", "[]", "[1, 'b']", "{'k': 1}", "(1, 2)", "messages[0]", "messages[-1].content", "d.a",
    "range(3)", "loop.index",
)  # fmt: skip
FILTERS = (
    "trim", "upper", "length", "tojson", "string", "list", "first", "last", "join(',')",
    "default('D')", "int", "sort", "reverse", "replace('a', 'bb')", "map('string')", "items", "e",
    "title", "indent(2)", "unique", "sum", "abs", "round", "batch(2)", "wordwrap(3)", "center(7)",
    "truncate(4)", "dictsort", "max", "capitalize", "float", "tojson(indent=1)", "format(1)",
    "select('string')", "rejectattr('role')", "groupby('role')", "pprint", "urlencode", "striptags",
    "wordcount", "xmlattr",
)  # fmt: skip
TESTS = (
    "defined", "none", "string", "mapping", "number", "odd", "iterable", "sequence", "true",
    "boolean", "in [1]", "eq 1",
)  # fmt: skip
METHODS = (
    "split()", "strip()", "upper()", "items()", "get('a')", "split('a')[-1]", "startswith('a')",
    "join(l)", "count('a')", "format(1)", "title()", "keys()", "index('q')", "center(5)", "zfill(4)",
)  # fmt: skip
OPERATORS = (
    "+", "-", "*", "/", "//", "%", "**", "~", "==", "!=", "<", ">=", "in", "not in", "and", "or",
)  # fmt: skip
expressions = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(FILTERS)).map(lambda two: f"({two[0]})|{two[1]}"),
        st.tuples(inner, st.sampled_from(TESTS)).map(lambda two: f"(({two[0]}) is {two[1]})"),
        st.tuples(inner, st.sampled_from(METHODS)).map(lambda two: f"({two[0]}).{two[1]}"),
        st.tuples(inner, st.sampled_from(OPERATORS), inner).map(
            lambda three: f"({three[0]} {three[1]} {three[2]})"
        ),
        st.tuples(inner, inner).map(lambda two: f"({two[0]})[{two[1]}]"),
        inner.map(lambda one: f"({one})[1:]"),
        inner.map(lambda one: f"({one})[::-1]"),
        st.tuples(inner, inner, inner).map(lambda three: f"({three[0]} if {three[1]} else {three[2]})"),
        st.tuples(inner, inner).map(lambda two: f"[{two[0]}, {two[1]}]"),
    ),
    max_leaves=5,
)
DASHES = ("", "-", "+")


def statements(inner: Any) -> Any:
    """A piece of a template around others."""
    dash = st.sampled_from(DASHES)
    return st.one_of(
        st.tuples(inner, inner).map("".join),
        st.builds(
            "{{% if {} {}%}}{}{{%{} else %}}{}{{% endif %}}".format,
            expressions,
            st.just("-"),
            inner,
            dash,
            inner,
        ),
        st.builds(
            "{{%{} for x in {} %}}{}{{{{ loop.last }}}}{{% endfor %}}".format, dash, expressions, inner
        ),
        st.builds("{{% set n = {} %}}{}".format, expressions, inner),
        st.builds("{{% set v %}}{}{{% endset %}}[{{{{ v }}}}]".format, inner),
        st.builds(
            "{{% macro m(a, b=1) %}}{}{{{{ a }}}}{{% endmacro %}}{{{{ m({}) }}}}".format, inner, expressions
        ),
        st.builds("{{% filter upper %}}{}{{% endfilter %}}".format, inner),
        st.builds("{{% generation %}}{}{{% endgeneration %}}".format, inner),
        st.builds("{{% with n = {} %}}{}{{% endwith %}}".format, expressions, inner),
    )


pieces = st.one_of(
    st.sampled_from(["a", " ", "\n", "  \n ", "{# c #}", "{#- c #}\n", "\r\n"]),
    st.builds("{{{{{} {} {}}}}}".format, st.sampled_from(["", "-"]), expressions, st.sampled_from(["", "-"])),
)
templates = st.recursive(pieces, statements, max_leaves=6)
NAMES = {"n": 3, "f": 1.0, "s": " ab ", "l": ["q", "r"], "d": {"b": 1, "a": [1, None]}, "z": None}
CHAT = [{"role": "system", "content": "S"}, {"role": "user", "content": "Hi \u00e9"}]


def stable(text: Optional[str]) -> Optional[str]:
    """Generators print their addresses."""
    return None if text is None else re.sub("0x[0-9a-f]+", "0x", text)


@pytest.mark.parametrize("seed", range(4))
def test_random_templates(theirs: Any, seed: int) -> None:
    @settings(MANY, max_examples=1500)
    @given(template=templates.map(lambda text: " " * seed + text))
    def agrees(template: str) -> None:
        assert stable(ours(template, CHAT, NAMES)) == stable(expected(theirs, template, CHAT, NAMES))

    agrees()


def test_masks(theirs: Any) -> None:
    tokenizer = Tokenizer.from_file(TOKENIZER)

    @MANY
    @given(messages=conversations())
    def agrees(messages: Any) -> None:
        template = (
            "{% for m in messages %}{{ m.role }} {% if m.role == 'assistant' %}"
            "{% generation %}{{ m.content }}{% endgeneration %}"
            "{% else %}{{ m.content }}{% endif %}\n{% endfor %}"
        )
        found = chat.encode(tokenizer, template, messages)
        told = theirs.apply_chat_template(
            json.loads(json.dumps(messages)),
            chat_template=template,
            return_dict=True,
            return_assistant_tokens_mask=True,
        )
        assert (list(found.ids), list(found.assistant)) == (told["input_ids"], told["assistant_masks"])

    agrees()


def plain(city: str, days: int = 3) -> str:
    """Tells the weather.

    Args:
        city: Where,
            in words.
        days: How many (choices: [1, 3])

    Returns:
        What comes.
    """
    return f"{city}{days}"


def shaped(  # noqa: PLR0917 - one argument for each shape
    a: List[int],
    b: Dict[str, float],
    c: Tuple[int, str],
    d: Union[int, str],
    e: Optional[bool] = None,
    f: Literal["x", "y"] = "x",
) -> Dict[str, Any]:
    """Takes all shapes.

    More is not said here.

    Args:
        a: one
        b: two: with a colon
        c: three
        d: four
        e: five
        f: six
    """
    return {"a": [a, b, c, d, e, f]}


def nested(a: Optional[List[Dict[str, Union[int, None]]]], b: Any, c: list, d: dict, e: tuple) -> None:
    """Nested.

    Args:
        a: one
        b: two

        c: three
        d (dict): four
        e: five
    """
    assert [a, b, c, d, e]


@pytest.mark.parametrize("function", [plain, shaped, nested])
def test_schemas_of_functions(function: Any) -> None:
    from transformers.utils import get_json_schema

    assert schema_of(function) == get_json_schema(function)
