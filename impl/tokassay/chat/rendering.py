"""`render`: template and conversation to the prompt, byte for byte as transformers' `apply_chat_template`."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import jinja2
from jinja2 import nodes

from .conversation import REASONING, documents_of, messages_of, plain, tools_of
from .environment import BUDGET, SPANS, ChatEnvironment, Clock, Spans
from .errors import ConversationError, LimitError, TemplateError
from .limits import Budget, Limits
from .places import column_of

DEFAULT_LIMITS = Limits()
INFINITE = re.compile(r"\d[eE]\+?\d{3}")
"""A number that may be written as infinity, which only constant folding brings through the compiler."""
MARK = "CONTINUE_FINAL_MESSAGE_TAG "
"""Stands behind the final message while it is looked for in the prompt; templates may trim its blank."""


@dataclass(frozen=True)
class Rendered:
    """A prompt, and where in it (characters) the assistant's own text stands."""

    text: str
    spans: Tuple[Tuple[int, int], ...]


def render(
    template: str,
    messages: Any,
    tools: Optional[Sequence[Any]] = None,
    add_generation_prompt: bool = False,
    *,
    documents: Optional[Sequence[Any]] = None,
    continue_final_message: Union[bool, str] = False,
    clock: Clock = datetime.now,
    limits: Limits = DEFAULT_LIMITS,
    path: str = "",
    **variables: Any,
) -> str:
    """The prompt of a conversation.

    Args:
        template: Jinja2 source.
        messages: objects with ``role`` and ``content``, or one text of the user.
        tools: JSON schemas, or documented Python functions.
        add_generation_prompt: end with the beginning of the assistant's turn.
        documents: objects with ``title`` and ``text``.
        continue_final_message: leave the final message open; a string names the field that goes on.
        clock: what ``strftime_now`` reads.
        limits: upper bounds of time and size.
        path: the template's file or name, for errors.
        variables: whatever else the template knows (``bos_token``, ``enable_thinking``, ...).

    Raises:
        TemplateError: a syntax error (with line and column), or an error while the template ran.
        RaisedError: the template refuses the conversation.
        LimitError: a limit was exceeded.
        ConversationError: messages, tools or documents that are none.
    """
    given = {
        "tools": tools,
        "documents": documents,
        "add_generation_prompt": add_generation_prompt,
        **variables,
    }
    return rendered(
        template,
        messages,
        given,
        continue_final_message=continue_final_message,
        clock=clock,
        limits=limits,
        path=path,
    ).text


def rendered(
    template: str,
    messages: Any,
    given: Mapping[str, Any],
    *,
    continue_final_message: Union[bool, str] = False,
    clock: Clock = datetime.now,
    limits: Limits = DEFAULT_LIMITS,
    path: str = "",
    environment: Optional[ChatEnvironment] = None,
) -> Rendered:
    """`render` with everything but the messages in `given`, and the assistant's spans beside the text.

    `environment`: another one than the kit's, with its own clock (a mutant's).
    """
    if continue_final_message and given.get("add_generation_prompt"):
        raise ConversationError("a final message cannot go on and a new turn begin: choose one of the two")
    chat = messages_of(messages)
    final = _mark_final(chat, continue_final_message, template) if continue_final_message else None
    values = {name: plain(value) for name, value in given.items() if name not in ("tools", "documents")}
    values["tools"], values["documents"] = tools_of(given.get("tools")), documents_of(given.get("documents"))
    if len(template) > limits.source:
        raise LimitError(f"a template of more than {limits.source:,} characters", path=path)
    compiled = _compiled(template, clock, path, environment)
    found = _run(compiled, {"messages": chat, **values}, limits, path)
    return found if final is None else Rendered(_cut_at_mark(found.text, final), ())


def _run(compiled: jinja2.Template, values: Mapping[str, Any], limits: Limits, path: str) -> Rendered:
    blocks: List[str] = []
    spans: Spans = []
    budget = Budget(limits)
    entered, tracked = BUDGET.set(budget), SPANS.set((blocks, spans))
    size = 0
    try:
        for block in compiled.generate(values):
            size += len(block)
            if size > limits.characters:
                budget.allow(size)
            blocks.append(block)
    except TemplateError as error:
        raise type(error)(error.reason, path=path, line=_line(error)) from error
    except RecursionError as error:
        raise LimitError("calls that are nested too deeply", path=path) from error
    except MemoryError as error:
        raise LimitError("out of memory", path=path) from error
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise TemplateError(reason, path=path, line=_line(error)) from error
    finally:
        BUDGET.reset(entered)
        SPANS.reset(tracked)
    return Rendered("".join(blocks), tuple(spans))


@lru_cache(maxsize=64)
def _compiled(
    template: str, clock: Clock, path: str, environment: Optional[ChatEnvironment] = None
) -> jinja2.Template:
    environment = environment or _environment(clock)
    if INFINITE.search(template):
        environment = environment.overlay(optimized=True)
    with _readable(environment, template, path):
        return environment.from_string(template)


def parsed(template: str, path: str = "") -> Tuple[ChatEnvironment, nodes.Template]:
    """The environment and the template's tree. Raises TemplateError."""
    environment = _environment(datetime.now)
    with _readable(environment, template, path):
        return environment, environment.parse(template)


@contextmanager
def _readable(environment: ChatEnvironment, template: str, path: str) -> Iterator[None]:
    """What is wrong with a template while it is read, as a TemplateError with its place."""
    try:
        yield
    except jinja2.TemplateSyntaxError as error:
        column = column_of(environment, template, error)
        raise TemplateError(str(error.message), path=path, line=error.lineno, column=column) from error
    except (RecursionError, MemoryError) as error:
        raise LimitError("expressions that are nested too deeply", path=path) from error
    except Exception as error:  # numbers that are too long
        raise TemplateError(f"cannot be compiled: {error}", path=path) from error


@lru_cache(maxsize=8)
def _environment(clock: Clock) -> ChatEnvironment:
    return ChatEnvironment(clock)


def _line(error: BaseException) -> Optional[int]:
    """The template's line: jinja2 rewrites tracebacks so that the frames of the template carry it."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<template>":
            found = trace.tb_lineno
        trace = trace.tb_next
    return found


def _mark_final(chat: List[Any], wanted: Union[bool, str], template: str) -> str:
    """Put the mark behind the final message's text; gives the text as it was (``chat.continue``)."""
    name = wanted if isinstance(wanted, str) else "content"
    final = chat[-1].get(name)
    if final is None:
        raise ConversationError(f"the final message has no {name!r} that could go on")
    names = [one for one in REASONING if chat[-1].get(one) == final] if name in REASONING else [name]
    if not any(one in template for one in names):
        raise ConversationError(f"the template does not read {name!r}: it cannot go on")
    if isinstance(final, (list, tuple)):
        return _mark_last_text(final)
    for one in names:
        chat[-1][one] += MARK
    return str(final)


def _mark_last_text(blocks: Sequence[Any]) -> str:
    for block in reversed(blocks):
        if "text" in block:
            text = str(block["text"])
            block["text"] = text + MARK
            return text
    raise ConversationError("the final message holds no text that could go on")


def _cut_at_mark(prompt: str, final: str) -> str:
    if final.strip() not in prompt or MARK.strip() not in prompt:
        raise ConversationError("the template does not show the final message as it is: it cannot go on")
    place = prompt.rindex(MARK.strip())
    whole = prompt[place : place + len(MARK)] == MARK
    return prompt[:place] if whole else prompt[:place].rstrip()
