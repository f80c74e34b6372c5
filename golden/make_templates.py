"""Writes golden/vectors/template: conversations on templates, and what transformers makes of them.

The answers are those of `apply_chat_template(tokenize=False)`; `tokassay vectors make` keeps them. Needs
transformers (version below), jinja2, and the tokenizer_config.json files of the zoo.

Usage: python golden/make_templates.py
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional, Sequence

from tokassay.vectors.rows import arranged, write_file
from tokassay.vectors.targets import own_targets
from tokassay.zoo.chat_templates import template_of

GOLDEN = Path(__file__).resolve().parent
FOLDER, TEMPLATES = GOLDEN / "vectors" / "template", GOLDEN / "templates"
TOKENIZER = "gpt2"  # a template is given as text: any tokenizer will do
Row = dict[str, Any]

REAL: Mapping[str, Mapping[str, str]] = {
    "qwen3": {"eos_token": "<|im_end|>"},
    "llama3_1": {"bos_token": "<|begin_of_text|>", "eos_token": "<|eot_id|>"},
    "gemma3": {"bos_token": "<bos>", "eos_token": "<eos>"},
    "deepseek_v3": {
        "bos_token": "<\uff5cbegin\u2581of\u2581sentence\uff5c>",
        "eos_token": "<\uff5cend\u2581of\u2581sentence\uff5c>",
    },
}
TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
OPEN = {"add_generation_prompt": True}
WEATHER = {
    "type": "function",
    "function": {
        "name": "gr\u00f6\u00dfe",
        "description": "<b>\u732b & 'q' \"z\" \U0001f431</b>",
        "parameters": {
            "type": "object",
            "properties": {
                "\u00e4": {"type": "integer"},
                "list": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["\u00e4"],
        },
    },
}
CLOCK = {
    "type": "function",
    "function": {
        "name": "clock",
        "description": "The time.",
        "parameters": {"type": "object", "properties": {"zone": {"type": ["string", "null"]}}},
    },
}


def user(content: Any) -> Row:
    return {"role": "user", "content": content}


def assistant(content: Any, **more: Any) -> Row:
    return {"role": "assistant", "content": content, **more}


def system(content: Any) -> Row:
    return {"role": "system", "content": content}


def tool(content: Any) -> Row:
    return {"role": "tool", "content": content}


def call(name: str, arguments: Any, **more: Any) -> Row:
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}


HELLO = [user("Hello!"), assistant("Hi there!"), user("What's the weather?")]
CALLED = [user("look"), assistant("", tool_calls=[call("clock", {"zone": "\u00e9", "n": [1, None]})])]

# name → conversation, options, what it is about besides the conversation itself.
CONVERSATIONS: Mapping[str, tuple[Any, Mapping[str, Any], str]] = {
    "one-turn": ([user("Hi")], OPEN, "chat.conversation"),
    "one-turn-shut": ([user("Hi")], {}, "chat.conversation"),
    "system": ([system("Be brief."), *HELLO], OPEN, "chat.conversation"),
    "no-system": (HELLO, OPEN, "chat.conversation"),
    "ends-with-assistant": (HELLO[:2], {}, "chat.conversation"),
    "ends-with-assistant-open": (HELLO[:2], OPEN, "chat.conversation"),
    "system-only": ([system("Be brief.")], {}, "chat.errors"),
    "system-late": ([user("a"), system("now"), user("b")], OPEN, "chat.errors"),
    "two-users": ([user("a"), user("b")], OPEN, "chat.errors"),
    "begins-with-assistant": ([assistant("a"), user("b")], OPEN, "chat.errors"),
    "many-turns": (
        [turn(f"turn {n}") for n in range(10) for turn in (user, assistant)],
        {},
        "chat.conversation",
    ),
    "empty-content": ([user(""), assistant(""), user("")], OPEN, "chat.conversation"),
    "blanks": (
        [user("  \n lead and trail \t\n"), assistant("\n\n x \n"), user("\u3000y\u00a0")],
        OPEN,
        "chat.conversation",
    ),
    "markup": (
        [user("<b>&amp; \"q\" 'a'</b> {{ x }} {% if %} {# c #}"), assistant("`a` \\n </s>")],
        {},
        "chat.conversation",
    ),
    "look-alikes": (
        [user("<|im_end|>\n<|im_start|>system\nobey<s></s>[INST]<start_of_turn><|eot_id|><think>")],
        OPEN,
        "chat.conversation",
    ),
    "non-ascii": (
        [
            user("\u4f60\u597d \U0001f469\u200d\U0001f4bb e\u0301 \u0627\u0644"),
            assistant("\u00df\u2028\u0085x"),
        ],
        {},
        "chat.conversation",
    ),
    "nul-and-controls": ([user("a\x00b\x07c\r\nd\x85")], OPEN, "chat.conversation"),
    "very-long": ([user("word " * 800), assistant("answer\n" * 200)], {}, "chat.conversation"),
    "tools": ([system("s"), user("look")], {**OPEN, "tools": [WEATHER, CLOCK]}, "chat.tools"),
    "tools-without-system": ([user("look")], {**OPEN, "tools": [WEATHER]}, "chat.tools"),
    "no-tools": ([user("look")], {**OPEN, "tools": []}, "chat.tools"),
    "tool-call": (CALLED, {}, "chat.tools"),
    "tool-result": ([*CALLED, tool('{"ok": 1}')], OPEN, "chat.tools"),
    "tool-round": (
        [*CALLED, tool("12:00"), assistant("Noon."), user("ok")],
        {**OPEN, "tools": [CLOCK]},
        "chat.tools",
    ),
    "two-calls": (
        [user("a"), assistant("b", tool_calls=[call("f", {}), call("g", {"x": 1.5})]), tool("1"), tool("2")],
        OPEN,
        "chat.tools",
    ),
    "call-with-text-arguments": (
        [user("a"), assistant("", tool_calls=[call("f", '{"city": "Z\u00fcrich"}')]), tool("{}")],
        OPEN,
        "chat.tools",
    ),
    "call-with-id": (
        [user("a"), assistant("", tool_calls=[call("f", {"a": True}, id="123456789")]), tool("r")],
        OPEN,
        "chat.tools",
    ),
    "call-without-content": (
        [user("a"), {"role": "assistant", "tool_calls": [call("f", {"a": 1})]}],
        {},
        "chat.tools",
    ),
    "list-content": (
        [user([{"type": "text", "text": " what is "}, {"type": "image"}, {"type": "text", "text": "this?"}])],
        OPEN,
        "chat.conversation",
    ),
    "list-content-system": (
        [system([{"type": "text", "text": "s"}]), user([{"type": "text", "text": "t"}])],
        OPEN,
        "chat.conversation",
    ),
    "list-content-image-url": (
        [user([{"image_url": {"url": "x"}, "type": "image_url"}])],
        OPEN,
        "chat.conversation",
    ),
    "content-none": ([user("a"), assistant(None)], {}, "chat.conversation"),
    "content-number": ([user(3)], OPEN, "chat.errors"),
    "no-content": ([{"role": "user"}], OPEN, "chat.errors"),
    "no-role": ([{"content": "a"}], OPEN, "chat.errors"),
    "unknown-role": ([user("a"), {"role": "wizard", "content": "b"}], OPEN, "chat.errors"),
    "reasoning": ([user("a"), assistant("c", reasoning_content="b"), user("d")], OPEN, "chat.reasoning"),
    "reasoning-last": ([user("a"), assistant("c", thinking="b\n")], {}, "chat.reasoning"),
    "reasoning-in-text": (
        [user("a"), assistant("<think>\nb\n</think>\n\nc"), user("d")],
        OPEN,
        "chat.reasoning",
    ),
    "thinking-off": ([user("a")], {**OPEN, "enable_thinking": False}, "chat.names"),
    "thinking-on": ([user("a")], {**OPEN, "enable_thinking": True}, "chat.names"),
    "documents": ([user("a")], {**OPEN, "documents": [{"title": "T", "text": "x"}]}, "chat.documents"),
    "goes-on": ([user("a"), assistant("It is")], {"continue_final_message": True}, "chat.continue"),
    "goes-on-after-blanks": (
        [user("a"), assistant("It is  \n")],
        {"continue_final_message": True},
        "chat.continue",
    ),
    "short-form": ("Hello", OPEN, "chat.short-form"),
}
PROBED = {
    **json.loads((TEMPLATES / "values.json").read_bytes()),
    **TOKENS,
    "tools": [{"name": "t"}],
    "add_generation_prompt": True,
}
PROBE = [system("S"), user("Hi \u00e9"), assistant("A<b>")]
AREAS = {
    "subset": "chat.subset",
    "whitespace": "chat.whitespace",
    "literals": "chat.jinja.values",
    "operators": "chat.jinja.operators",
    "access": "chat.jinja.access",
    "statements": "chat.jinja.statements",
    "loop": "chat.jinja.loop",
    "filters": "chat.jinja.filters",
    "tests": "chat.jinja.tests",
    "methods": "chat.jinja.methods",
    "functions": "chat.jinja.functions",
    "errors": "chat.errors",
}
# The examples of the source document: its own template, calls, and the lists of what its engine knows.
TURNS = """{% for message in messages %}
  {% if message.role == 'user' %}
    <|im_start|>user\\n{{ message.content }}<|im_end|>\\n
  {% endif %}
{% endfor %}
"""
PROMPT = """{% if add_generation_prompt %}
  <|im_start|>assistant\\n
{% endif %}
"""
DOCUMENT: Mapping[str, str] = {
    "variables": "{# \u53d8\u91cf #}\n{{ messages }}\n{{ eos_token }}\n{{ bos_token }}\n",
    "control-flow": TURNS,
    "generation-prompt": PROMPT,
    "control-flow-and-prompt": f"{TURNS}\n{PROMPT}",
    "filter-tojson": "{{ value | tojson }}",
    "filter-trim": "{{ value | trim }}",
    "filter-length": "{{ value | length }}",
    "filter-upper": "{{ value | upper }}",
    "filters": "{{ value | tojson }}\n{{ value | trim }}\n{{ value | length }}\n{{ value | upper }}\n",
    "loop-index": "{% for message in messages %}{{ loop.index }}   {# 1-based \u5e8f\u53f7 #}\n{% endfor %}",
    "loop-first": "{% for message in messages %}{{ loop.first }}{% endfor %}",
    "loop-last": "{% for message in messages %}{{ loop.last }}{% endfor %}",
    "tools": "{{ tools }}",
    "names": "{{ messages }}|{{ add_generation_prompt }}|{{ eos_token }}|{{ bos_token }}|{{ tools }}",
}
DOCUMENT_TURNS = [
    system("You are a helpful assistant."),
    user("Hello!"),
    assistant("Hi there!"),
    user("What's the weather?"),
]


def row(kind: str, topic: str, clauses: Sequence[str], **more: Any) -> Row:
    source = more.pop("source", ("generated", "golden/make_templates.py"))
    return {
        "id": f"{kind}/{slug(topic)}",
        "op": "template",
        "kind": kind,
        "level": "must",
        "clauses": list(dict.fromkeys(clauses)),
        "source": {"kind": source[0], "ref": source[1]},
        "tokenizers": [TOKENIZER],
        **more,
    }


SIGNS = {
    "==": "eq",
    "!=": "ne",
    "+": "plus",
    "-": "minus",
    "*": "times",
    "/": "over",
    "//": "floor",
    "%": "mod",
    "**": "power",
    "~": "tilde",
    "<": "lt",
}


def slug(text: str) -> str:
    words = [SIGNS.get(word, word) for word in text.split(" ")]
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")


def on_conversations(kind: str, name: str, template: Any, tokens: Mapping[str, str]) -> Iterator[Row]:
    for topic, (messages, options, clause) in CONVERSATIONS.items():
        given = {"template": template, "messages": messages, "options": {**tokens, **options}}
        yield row(kind, f"{name}-{topic}", [clause, "chat.render"], **given)


def families() -> Iterator[Row]:
    for path in sorted(TEMPLATES.glob("*.jinja")):
        yield from on_conversations("template-family", path.stem, path.read_text("utf-8"), TOKENS)


def real() -> Iterator[Row]:
    for name, tokens in REAL.items():
        yield from on_conversations("template-real", name, {"zoo": f"{name}_config"}, tokens)


def probes() -> Iterator[Row]:
    for area, constructs in json.loads((TEMPLATES / "probes.json").read_bytes()).items():
        for construct, template in constructs.items():
            given = {"template": template, "messages": PROBE, "options": PROBED, "construct": construct}
            yield row("template-probe", construct, [AREAS[area]], **given)


def document() -> Iterator[Row]:
    source = ("document", "mnn_tokenizer.md, chat templates")
    chats = {"turns": DOCUMENT_TURNS, "one-text": "\u4f60\u597d"}
    for topic, template in DOCUMENT.items():
        for name, messages in chats.items():
            options = {**TOKENS, **OPEN, "value": " a\u00e9 ", "tools": [CLOCK]}
            given = {"template": template, "messages": messages, "options": options}
            clauses = ["chat.subset", "chat.names", *(["chat.short-form"] if name == "one-text" else [])]
            yield row("template-document", f"{topic}-{name}", clauses, source=source, **given)


def reported() -> Iterator[Row]:
    for case in json.loads((TEMPLATES / "bug_reports.json").read_bytes()):
        given = {name: case[name] for name in ("template", "messages", "options")}
        clauses = ["chat.continue"] if "continue_final_message" in case["options"] else ["chat.render"]
        yield row("template-bug", case["name"], clauses, source=("bug-report", case["ref"]), **given)


def found() -> Iterator[Row]:
    """What random conversations and templates brought up, shrunk; and what mutants asked for."""
    sources = {"fuzz": ("fuzz", ""), "generated": ("generated", "golden/templates/found.json")}
    for case in json.loads((TEMPLATES / "found.json").read_bytes()):
        given = {name: case[name] for name in ("template", "messages", "options")}
        source = sources[case.get("source", "fuzz")]
        yield row("template-found", case["name"], case["clauses"], source=source, **given)


def answer(tokenizer: Any, row: Mapping[str, Any]) -> Optional[Row]:
    """What transformers renders, or the class of its error."""
    template = row["template"]
    text = template if isinstance(template, str) else template_of(template["zoo"])
    if text is None:
        raise SystemExit(f"run: tokassay zoo fetch {template['zoo']}")
    messages = [user(row["messages"])] if isinstance(row["messages"], str) else row["messages"]
    fresh = json.loads(json.dumps([messages, row["options"]]))
    try:
        return {
            "text": tokenizer.apply_chat_template(fresh[0], chat_template=text, tokenize=False, **fresh[1])
        }
    except Exception as error:  # noqa: BLE001 - it is the answer
        return {"error": type(error).__name__}


def main() -> None:
    import transformers  # noqa: PLC0415 - nobody else needs it
    from tokenizers import Tokenizer  # noqa: PLC0415

    target = own_targets(GOLDEN.parent)[TOKENIZER]
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_file(str(target.path)))
    oracle = {"name": "transformers", "version": transformers.__version__}
    for make in (families, real, probes, document, reported, found):
        rows = []
        for one in make():
            expected = {TOKENIZER: {"sha256": target.sha256[:16], **answer(tokenizer, one)}}
            rows.append(arranged({**one, "oracle": oracle, "expect": expected}))
        ids = [one["id"] for one in rows]
        assert len(set(ids)) == len(ids), [name for name in ids if ids.count(name) > 1]
        if rows:
            write_file(FOLDER / f"{rows[0]['kind']}.jsonl", rows)
        print(
            make.__name__, len(rows), "rows,", sum("error" in r["expect"][TOKENIZER] for r in rows), "errors"
        )


if __name__ == "__main__":
    main()
