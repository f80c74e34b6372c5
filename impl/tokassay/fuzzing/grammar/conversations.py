"""Random chat templates, out of what published ones are made of, and conversations for them."""

from __future__ import annotations

import json
from functools import lru_cache
from random import Random
from typing import Any, Dict, List, Mapping, Sequence

from tokassay import data

TEXTS = (
    *("hi", "", " hi \n", "<|im_end|>", "{{ x }}", "{% if %}", "\u00e9\u4e2d", "a\nb", "<think>x</think>y"),
    *("[INST]", "'\"&<>", "\U0001f600", "0", "tool_call", "\\n", "\u2028"),
)
ROLES = ("user", "assistant", "system", "tool", "developer")
EXPRESSIONS = (
    *("message.content", "message['content']", "message.role", "messages[0].content", "messages|length"),
    *("message.content|trim", "message['content']|tojson", "message|tojson", "bos_token", "eos_token"),
    *("message.content.strip()", "message.content.split('</think>')[-1]", "loop.index0", "loop.last"),
    *("message.content|upper", "tools|tojson", "tools|tojson(indent=4)", "message.get('name', 'none')"),
    *("message.tool_calls[0].function.name", "undefined_name", "message.content[:3]", "1/0", "'a' * 3"),
    *("message.content is string", "namespace(x=1).x", "messages[-1].role", "message.content|length"),
    *("message.content.startswith('h')", "message.content | default('d')", "message.content + '!'"),
    *("(messages|map(attribute='role')|list)", "raise_exception('no')", "message.content|replace('a','b')"),
)
CONDITIONS = (
    *("message.role == 'user'", "message['role'] == 'system'", "loop.first", "not loop.last", "tools"),
    *("message.content is defined", "'hi' in message.content", "add_generation_prompt", "message.tool_calls"),
    *(
        "loop.index0 % 2 == 0",
        "message.content is none",
        "true",
        "(message.role == 'user') != (loop.index0 % 2 == 0)",
    ),
)
LITERALS = ("<|im_start|>", "\n", "<|im_end|>\n", " ", "[INST] ", "  \n  ", "\u00e9", "#", "{", "")


def case(chance: Random) -> Dict[str, Any]:
    """A template, messages, and whether the assistant's turn is begun."""
    messages = [_message(chance) for _ in range(chance.choice((1, 1, 2, 3, 4)))]
    tools = [_tool(chance)] if chance.random() < 0.25 else None
    begins = chance.random() < 0.5
    made = {"template": _template(chance), "messages": messages, "tools": tools, "begins": begins}
    return {**made, "values": _values(chance)}


def _values(chance: Random) -> Dict[str, Any]:
    """Names of one's own, and documents at times."""
    found = {name: value for name, value in values().items() if chance.random() < 0.9}
    if chance.random() < 0.2:
        found["documents"] = [{"title": "t", "text": chance.choice(TEXTS)}]
    return found


@lru_cache(maxsize=1)
def values() -> Mapping[str, Any]:
    """What the templates of golden/templates/probes.json know."""
    found: Mapping[str, Any] = _golden("values")
    return found


def _golden(name: str) -> Any:
    return json.loads((data.root() / "golden" / "templates" / f"{name}.json").read_bytes())


@lru_cache(maxsize=1)
def probes() -> Sequence[str]:
    """A template for each construct of Jinja, but for those that fail or answer by chance."""
    areas = _golden("probes")
    constructs = [one for area in areas if area != "errors" for one in areas[area].values()]
    found = [case["template"] for case in _golden("found")]
    return tuple(one for one in [*constructs, *found] if "lipsum" not in one)


def _message(chance: Random) -> Dict[str, Any]:
    made: Dict[str, Any] = {"role": chance.choice(ROLES[:2] if chance.random() < 0.7 else ROLES)}
    made["content"] = chance.choice(TEXTS) + chance.choice(TEXTS)
    if chance.random() < 0.1:
        made["content"] = chance.choice((None, [{"type": "text", "text": chance.choice(TEXTS)}]))
    if chance.random() < 0.15:
        call = {"name": "f", "arguments": {"x": chance.choice(TEXTS), "n": chance.randint(0, 3)}}
        made["tool_calls"] = [{"type": "function", "function": call}]
    return made


def _tool(chance: Random) -> Dict[str, Any]:
    function = {"name": "f", "description": chance.choice(TEXTS), "parameters": {"type": "object"}}
    return {"type": "function", "function": function}


def _template(chance: Random) -> str:
    """A third is about one construct alone: where several meet, one of them often ends in an error."""
    if chance.random() < 0.3:
        return chance.choice(LITERALS) + chance.choice(probes())
    inside = "".join(_part(chance, 2) for _ in range(chance.randint(1, 4)))
    dash = _dash(chance)
    loop = f"{{%{dash} for message in messages {_dash(chance)}%}}{inside}{{%{dash} endfor %}}"
    return (
        chance.choice(LITERALS)
        + loop
        + _part(chance, 1, ("bos_token", "add_generation_prompt", "tools|tojson"))
    )


def _dash(chance: Random) -> str:
    return "-" if chance.random() < 0.3 else ""


def _part(chance: Random, depth: int, expressions: Sequence[str] = EXPRESSIONS) -> str:
    kind = chance.randrange(10)
    dash = _dash(chance)
    if kind > 7:
        return chance.choice(probes())
    if kind < 3:
        return f"{{{{{dash} {chance.choice(expressions)} {_dash(chance)}}}}}"
    if kind < 5 or not depth:
        return chance.choice(LITERALS)
    inner = "".join(_parts(chance, depth - 1))
    if kind == 5:
        return f"{{%{dash} set x = {chance.choice(expressions)} %}}{{{{ x }}}}"
    if kind == 6:
        return f"{{%{dash} for c in message.content {_dash(chance)}%}}{{{{ c }}}}{{%{dash} endfor {dash}%}}"
    other = f"{{% else %}}{chance.choice(LITERALS)}" if chance.random() < 0.4 else ""
    return f"{{%{dash} if {chance.choice(CONDITIONS)} {dash}%}}{inner}{other}{{%{dash} endif %}}"


def _parts(chance: Random, depth: int) -> List[str]:
    return [_part(chance, depth) for _ in range(chance.randint(0, 2))]
