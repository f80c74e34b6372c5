"""Rendering: names, conversations, continued messages, the clock, errors with their places."""

from __future__ import annotations

import dataclasses
import enum
from datetime import datetime, timezone

import pytest

from tokassay import chat

USER = [{"role": "user", "content": "Hi"}]
NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def test_a_conversation_becomes_a_prompt():
    prompt = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    assert chat.render(CHATML, USER, add_generation_prompt=True) == prompt


def test_one_text_is_one_message_of_the_user():
    assert chat.render("{{ messages }}", "Hi") == "[{'role': 'user', 'content': 'Hi'}]"


def test_names_that_are_not_given_are_undefined_or_none():
    template = "{{ tools is none }} {{ documents is none }} {{ add_generation_prompt }} {{ x is defined }}"
    assert chat.render(template, USER) == "True True False False"


def test_variables_reach_the_template():
    assert chat.render("{{ bos_token }}{{ a.b }}", USER, bos_token="<s>", a={"b": 1}) == "<s>1"


class Role(str, enum.Enum):
    USER = "user"


@dataclasses.dataclass
class Message:
    role: str
    content: str


class Pydantic:
    def model_dump(self):
        return {"role": "user", "content": "m"}


class Conversation:
    messages = USER


class Opaque:
    pass


@pytest.mark.parametrize(
    ("messages", "seen"),
    [
        ([Message("user", "d")], "user d"),
        ([Pydantic()], "user m"),
        (Conversation(), "user Hi"),
        ([{"role": Role.USER, "content": 2.5}], "user 2.5"),
        (({"role": "user", "content": Opaque()},), "user <Opaque>"),
        ([{"role": "user", "content": (1, [None])}], "user (1, [None])"),
        ([{"role": "user", "content": True, "x": None}], "user True"),
    ],
)
def test_messages_are_plain_values(messages, seen):
    assert chat.render("{{ messages[0].role }} {{ messages[0].content }}", messages) == seen


def test_fields_that_are_none_are_left_out():
    assert chat.messages_of([{"role": "assistant", "content": None}]) == [{"role": "assistant"}]


def test_what_was_given_is_not_changed():
    given = [{"role": "assistant", "content": [{"type": "text", "text": "a"}]}]
    chat.render("{{ messages[0].content[0].text }}", given, continue_final_message=True)
    assert given == [{"role": "assistant", "content": [{"type": "text", "text": "a"}]}]


@pytest.mark.parametrize("name", ["reasoning_content", "thinking", "reasoning"])
def test_reasoning_is_found_under_two_names(name):
    (message,) = chat.messages_of([{"role": "assistant", "content": "c", name: "r"}])
    assert (message["reasoning_content"], message["thinking"]) == ("r", "r")


@pytest.mark.parametrize(
    ("messages", "options", "told"),
    [
        ([], {}, "empty"),
        (3, {}, "not int"),
        (["Hi"], {}, "message 0 must be an object"),
        ([USER[0], 7], {}, "message 1 must be an object"),
        (USER, {"documents": ["d"]}, "document 0 must be an object"),
        (USER, {"tools": [3]}, "a tool must be"),
        (USER, {"continue_final_message": True, "add_generation_prompt": True}, "choose one"),
        (USER, {"continue_final_message": "nothing"}, "no 'nothing'"),
        ([{"role": "user", "content": [{"type": "image"}]}], {"continue_final_message": True}, "no text"),
        ([{"role": "user", "content": "a", "x": "b"}], {"continue_final_message": "x"}, "does not read 'x'"),
    ],
)
def test_conversations_that_are_none_are_named(messages, options, told):
    with pytest.raises(chat.ConversationError, match=told):
        chat.render("{{ messages }} {{ content }}", messages, **options)


@pytest.mark.parametrize(
    ("template", "content", "options", "prompt"),
    [
        (CHATML, "It is", {}, "<|im_start|>assistant\nIt is"),
        ("{{ messages[0].content|trim }}!", "It is  \n", {}, "It is"),
        ("{{ messages[0].content }}!", "It is  \n", {}, "It is  \n"),
        ("{{ messages[0].content[0].text }}!", [{"type": "text", "text": "a"}], {}, "a"),
    ],
)
def test_a_final_message_goes_on(template, content, options, prompt):
    messages = [{"role": "assistant", "content": content}]
    assert chat.render(template, messages, continue_final_message=True, **options) == prompt


def test_reasoning_goes_on():
    messages = [{"role": "assistant", "content": "c", "thinking": "r"}]
    template = "{{ messages[0].reasoning_content }}|{{ messages[0].content }}"
    assert chat.render(template, messages, continue_final_message="reasoning_content") == "r"


def test_a_final_message_that_is_not_shown_cannot_go_on():
    with pytest.raises(chat.ConversationError, match="does not show"):
        chat.render("{{ messages[0].content|upper }}", USER, continue_final_message=True)


def test_the_clock_is_the_callers():
    assert chat.render("{{ strftime_now('%Y-%m') }}", USER, clock=lambda: NOON) == "2026-11"


@pytest.mark.parametrize(
    ("template", "line", "column", "told"),
    [
        ("a\n{{ foo bar }}", 2, 8, "got 'bar'"),
        ("{% if %}", 1, 7, "Expected an expression"),
        ("a\nb {% nosuch %}", 2, 6, "unknown tag 'nosuch'"),
        ("{{ 'abc }}", 1, 1, "unexpected char"),
        ("\n{# open", 2, 1, "Missing end of comment"),
        ("{% for a in b %}\n{{ a }}", 2, 1, "Unexpected end of template"),
        ("x\n{{ a|nosuch }}", 2, 1, "No filter named 'nosuch'"),
        ("x\n{% break %}", 2, 1, "'break' outside loop"),
        ("\n{% for a in b %}" * 30 + "{% endfor %}" * 30, 22, 1, "nested"),
    ],
)
def test_syntax_errors_have_file_line_and_column(template, line, column, told):
    with pytest.raises(chat.TemplateError, match=told) as caught:
        chat.render(template, USER, path="t.jinja")
    error = caught.value
    assert (error.path, error.line, error.column) == ("t.jinja", line, column)
    assert str(error).startswith(f"t.jinja:{line}:{column}: ")


@pytest.mark.parametrize(
    ("template", "line", "told"),
    [
        ("\n{{ 1 / 0 }}", 2, "ZeroDivisionError"),
        ("{{ nothing.more }}", 1, "'nothing' is undefined"),
        ("a\n\n{{ 'a' + 1 }}", 3, "TypeError"),
        ("{{ messages[0].content() }}", 1, "not callable"),
        ("{% include 'x' %}", 1, "no loader"),
        ("{{ [1, {}]|sort }}", 1, "TypeError"),
    ],
)
def test_errors_while_it_runs_have_the_line(template, line, told):
    with pytest.raises(chat.TemplateError, match=told) as caught:
        chat.render(template, USER)
    assert caught.value.line == line


def test_a_templates_own_complaint():
    with pytest.raises(chat.RaisedError, match="t:2: roles must alternate"):
        chat.render("\n{{ raise_exception('roles must alternate') }}", USER, path="t")


def test_a_number_that_is_too_long_is_an_error_of_the_template():
    with pytest.raises(chat.TemplateError, match="cannot be compiled"):
        chat.render("{{ " + "9" * 5000 + " }}", USER)


def test_the_same_template_is_compiled_once():
    from tokassay.chat.rendering import _compiled

    chat.render("{{ 'once' }}", USER)
    before = _compiled.cache_info().misses
    chat.render("{{ 'once' }}", USER)
    assert _compiled.cache_info().misses == before


def test_numbers_that_are_infinite():
    assert chat.render("{{ 1e999 }} {% if 1e999 > 3 %}y{% endif %}", USER) == "inf y"
