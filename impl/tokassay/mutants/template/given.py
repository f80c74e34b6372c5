"""What a template is given: messages, tools, special tokens, the beginning of a turn."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Iterator, List, Mapping

from tokassay.mutants._fault import Fault
from tokassay.mutants._prompts import Asked, Options, Prompts

Message = Dict[str, Any]
NAMES = ("tools", "documents", "add_generation_prompt", "bos_token", "eos_token", "continue_final_message")


def faults() -> Iterator[Fault]:
    yield from _turns()
    yield from _tokens()
    yield from _tools()
    yield from _names()
    yield from _contents()
    yield from _orders()


def options(change: Callable[[Options], Options]) -> Prompts:
    return Prompts(asked=lambda messages, given: (messages, change(given)))


def without(*names: str) -> Prompts:
    return options(lambda given: {name: value for name, value in given.items() if name not in names})


def messages(change: Callable[[List[Message]], List[Message]]) -> Prompts:
    """Of a conversation that is a list of objects; anything else stays as it is."""

    def asked(found: Any, given: Options) -> Asked:
        able = isinstance(found, list) and found and all(isinstance(one, dict) for one in found)
        return (change(found) if able else found), given

    return Prompts(asked=asked)


def each(change: Callable[[Message], Message]) -> Prompts:
    return messages(lambda found: [change(dict(one)) for one in found])


def contents(change: Callable[[Any], Any]) -> Prompts:
    return each(lambda one: {**one, "content": change(one["content"])} if "content" in one else one)


def _turns() -> Iterator[Fault]:
    begun = "add_generation_prompt"
    yield Fault("turn-never-begun", "generation prompt", "chat.names", prompting=without(begun))
    always = options(lambda given: {**given, begun: not given.get("continue_final_message")})
    yield Fault("turn-always-begun", "generation prompt", "chat.names", prompting=always)
    closed = without("continue_final_message")
    yield Fault(
        "final-message-closed", "continue_final_message is not read", "chat.continue", prompting=closed
    )


def _tokens() -> Iterator[Fault]:
    names = "chat.names"
    for token in ("bos", "eos"):
        yield Fault(
            f"{token}-missing", f"{token}_token is undefined", names, prompting=without(f"{token}_token")
        )
    swapped = options(_swapped)
    yield Fault("bos-is-eos", "special tokens exchanged", names, prompting=swapped)
    doubled = Prompts(shown=lambda text, given: str(given.get("bos_token") or "") + text)
    yield Fault("bos-doubled", "BOS is put before a prompt that has one", "chat.render", prompting=doubled)
    ended = Prompts(shown=lambda text, given: text + str(given.get("eos_token") or ""))
    yield Fault("eos-appended", "EOS is put behind every prompt", "chat.render", prompting=ended)
    cut = Prompts(shown=_without_eos)
    yield Fault("eos-dropped", "an EOS at the end is dropped", "chat.render", prompting=cut)


def _swapped(given: Options) -> Options:
    return {**given, "bos_token": given.get("eos_token"), "eos_token": given.get("bos_token")}


def _without_eos(text: str, given: Mapping[str, Any]) -> str:
    token = str(given.get("eos_token") or "")
    return text[: len(text) - len(token)] if token and text.endswith(token) else text


def _tools() -> Iterator[Fault]:
    def tools(name: str, models: str, change: Callable[[List[Any]], Any]) -> Fault:
        prompting = options(
            lambda given: {**given, "tools": change(given["tools"])} if given.get("tools") else given
        )
        return Fault(name, models, "chat.tools", prompting=prompting)

    yield Fault("tools-ignored", "tools do not reach the template", "chat.tools", prompting=without("tools"))
    yield tools(
        "tools-unwrapped", "the function without what is around it", lambda some: [_bare(one) for one in some]
    )
    yield tools("first-tool-only", "tools after the first are lost", lambda some: some[:1])
    yield tools("tools-reversed", "order of tools", lambda some: some[::-1])
    yield tools("tool-keys-sorted", "keys of schemas in another order", _sorted)
    filled = options(lambda given: {**given, "tools": given.get("tools") or []})
    yield Fault("no-tools-are-a-list", "no tools are an empty list, not none", "chat.names", prompting=filled)


def _bare(tool: Any) -> Any:
    return tool.get("function", tool) if isinstance(tool, dict) else tool


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return list(map(_sorted, value)) if isinstance(value, list) else value


def _names() -> Iterator[Fault]:
    own = options(lambda given: {name: value for name, value in given.items() if name in NAMES})
    yield Fault(
        "variables-ignored", "names of one's own do not reach the template", "chat.names", prompting=own
    )
    yield Fault("documents-ignored", "documents are lost", "chat.documents", prompting=without("documents"))
    ordered = options(_sorted)
    yield Fault("values-sorted", "keys of values in another order", "chat.conversation", prompting=ordered)


def _contents() -> Iterator[Fault]:
    clause = "chat.conversation"
    stripped = contents(lambda text: text.strip() if isinstance(text, str) else text)
    yield Fault("content-stripped", "blanks around a message are dropped", clause, prompting=stripped)
    joined = contents(lambda parts: _joined(parts) if isinstance(parts, list) else parts)
    yield Fault("parts-joined", "a list of parts becomes one text", clause, prompting=joined)
    empty = each(lambda one: {name: "" if value is None else value for name, value in one.items()})
    yield Fault("none-is-empty", "a field that is none is an empty text", clause, prompting=empty)
    shown = contents(lambda value: value if isinstance(value, (str, list, type(None))) else str(value))
    yield Fault("content-is-text", "a content that is no text becomes one", clause, prompting=shown)
    escaped = contents(lambda text: text.replace("<", "&lt;") if isinstance(text, str) else text)
    yield Fault("content-escaped", "HTML escapes in messages", "chat.render", prompting=escaped)
    plain = each(lambda one: {name: one[name] for name in ("role", "content") if name in one})
    yield Fault("role-and-content-only", "other fields of messages are lost", clause, prompting=plain)
    yield Fault("arguments-as-text", "arguments of a call become JSON text", clause, prompting=each(_texts))
    yield Fault("calls-dropped", "tool_calls are lost", clause, prompting=each(_without_calls))
    unthought = each(
        lambda one: {name: one[name] for name in one if name not in ("reasoning_content", "thinking")}
    )
    yield Fault("reasoning-dropped", "reasoning is lost", "chat.reasoning", prompting=unthought)


def _joined(parts: List[Any]) -> str:
    return "".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))


def _texts(message: Message) -> Message:
    calls = message.get("tool_calls")
    return {**message, "tool_calls": list(map(_call, calls))} if calls else message


def _call(call: Any) -> Any:
    if "function" in call:
        return {**call, "function": _call(call["function"])}
    return {**call, "arguments": json.dumps(call["arguments"])} if "arguments" in call else call


def _without_calls(message: Message) -> Message:
    return {name: value for name, value in message.items() if name != "tool_calls"}


def _orders() -> Iterator[Fault]:
    def some(name: str, models: str, change: Callable[[List[Message]], List[Message]]) -> Fault:
        return Fault(
            name, models, "chat.conversation", prompting=messages(lambda found: change(found) or found)
        )

    yield some("system-dropped", "the system message is lost", _without_system)
    yield some("system-in-user", "the system message becomes part of the first user's", _merged)
    yield some("last-turn-only", "what was said before is lost", lambda found: found[-1:])
    yield some("same-roles-merged", "two messages of one role become one", _together)
    yield Fault(
        "tool-is-user", "the role tool is taken for user", "chat.conversation", prompting=each(_as_user)
    )


def _without_system(found: List[Message]) -> List[Message]:
    return [one for one in found if one.get("role") != "system"]


def _merged(found: List[Message]) -> List[Message]:
    head, *rest = found
    if head.get("role") != "system" or not rest or not isinstance(rest[0].get("content"), str):
        return found
    return [{**rest[0], "content": f"{head.get('content')}\n\n{rest[0]['content']}"}, *rest[1:]]


def _together(found: List[Message]) -> List[Message]:
    made: List[Message] = []
    for one in found:
        last = made[-1] if made else {}
        texts = [last.get("content"), one.get("content")]
        if last.get("role") == one.get("role") and all(isinstance(text, str) for text in texts):
            made[-1] = {**last, "content": "\n".join(map(str, texts))}
        else:
            made.append(one)
    return made


def _as_user(message: Message) -> Message:
    return {**message, "role": "user"} if message.get("role") == "tool" else message
