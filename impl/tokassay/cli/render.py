"""`tokassay render`: a conversation through a chat template, or what in it an engine will not know."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

from tokassay import Tokenizer, data
from tokassay.verdicts.exit_code import CONFORMS, DIVERGES

from . import UsageError
from ._common import find_tokenizer

NAME = "render"
HELP = "chat templates: the prompt of a conversation, its ids; --lint: constructs that engines do not know"


def configure(parser: argparse.ArgumentParser) -> None:
    source = "a model's folder, tokenizer_config.json, .jinja, .mtok, llm_config.json or .gguf"
    parser.add_argument("--template-from", required=True, type=Path, metavar="FILE", help=source)
    parser.add_argument("--name", metavar="N", help="which of several templates")
    parser.add_argument("--messages", type=Path, metavar="FILE", help="JSON: a list of messages, or one text")
    parser.add_argument("--tools", type=Path, metavar="FILE", help="JSON: a list of schemas")
    parser.add_argument("--documents", type=Path, metavar="FILE", help="JSON: a list of objects")
    parser.add_argument(
        "--add-generation-prompt", action="store_true", help="end with the beginning of the assistant's turn"
    )
    parser.add_argument("--continue-final-message", action="store_true", help="leave the final message open")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=JSON", help="another name for the template"
    )
    parser.add_argument("--ids", action="store_true", help="JSON with text, ids and the assistant's mask")
    parser.add_argument("--tokenizer", metavar="F", help="for --ids")
    parser.add_argument("--lint", action="store_true", help="list constructs outside the documented subset")
    parser.add_argument(
        "--engine", metavar="NAME", help="with --lint: what this engine was seen to get wrong"
    )


def run(args: argparse.Namespace) -> int:
    from tokassay import chat  # noqa: PLC0415 - an extra

    templates = chat.read(args.template_from)
    tools = _json(args.tools)
    source = templates.choose(args.name, with_tools=bool(tools))
    if args.lint:
        return _lint(source, templates.path, args.engine)
    if args.messages is None:
        raise UsageError("there is nothing to render", "--messages FILE, or --lint")
    options = {
        **templates.tokens,
        **dict(map(_setting, args.set)),
        "tools": tools,
        "documents": _json(args.documents),
        "add_generation_prompt": args.add_generation_prompt,
        "continue_final_message": args.continue_final_message,
        "path": templates.path,
    }
    _print(source, _json(args.messages), options, _tokenizer(args) if args.ids else None)
    return CONFORMS


def _print(source: str, messages: Any, options: Dict[str, Any], tokenizer: Optional[Tokenizer]) -> None:
    from tokassay import chat  # noqa: PLC0415 - an extra

    if tokenizer is None:
        print(chat.render(source, messages, **options), end="")
        return
    found = chat.encode(tokenizer, source, messages, **options)
    print(json.dumps({"text": found.text, "ids": found.ids, "assistant": found.assistant}))


def _tokenizer(args: argparse.Namespace) -> Tokenizer:
    if args.tokenizer is None:
        raise UsageError("--ids needs --tokenizer F")
    return Tokenizer.from_file(find_tokenizer(args.tokenizer))


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise UsageError(f"--set {text}: NAME=JSON is expected", "--set enable_thinking=false")
    if name in ("messages", "tools", "documents", "clock", "limits", "path"):
        raise UsageError(f"--set {text}: {name} cannot be set here")
    return name, _parsed(value, f"--set {name}")


def _json(path: Optional[Path]) -> Any:
    if path is None:
        return None
    try:
        return _parsed(path.read_bytes().decode("utf-8"), str(path))
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 at byte {error.start}") from error


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where} is not JSON: {error}") from error


def _lint(source: str, path: str, engine: Optional[str]) -> int:
    """A line for each construct that is not known; exit code 1 where there is one."""
    from tokassay.chat.linting import uses  # noqa: PLC0415 - an extra

    wrong = _measured(engine) if engine else {}
    lines = [
        f"{path}:{use.line}: {use.names[0]}: {reason}"
        for use in uses(source, path)
        for reason in _told(use.names, wrong, engine)
    ]
    for line in dict.fromkeys(lines):
        print(line)
    return DIVERGES if lines else CONFORMS


def _told(
    names: Sequence[str], wrong: Mapping[str, Mapping[str, Any]], engine: Optional[str]
) -> Iterator[str]:
    if engine is None:
        if names[0] not in _probes()["subset"]:
            yield "outside the documented subset"
        return
    for name in names:
        if name in wrong:
            yield f"{engine} {_seen(wrong[name])}"
            return


def _seen(found: Mapping[str, Any]) -> str:
    got = f" {json.dumps(found['got'], ensure_ascii=False)}" if "got" in found else " nothing of use"
    answered = {"diverge": f"prints{got}", "error": "ends in an error", "timeout": "does not end"}
    return f"{answered.get(found['verdict'], found['verdict'])} for {found['probe']}"


def _probes() -> Mapping[str, Mapping[str, str]]:
    found: Mapping[str, Mapping[str, str]] = json.loads((_folder() / "probes.json").read_bytes())
    return found


def _measured(engine: str) -> Dict[str, Mapping[str, Any]]:
    """Construct → what the engine makes of its probe, where that is wrong."""
    known: List[str] = sorted(path.stem for path in (_folder() / "measured").glob("*.json"))
    if engine not in known:
        raise UsageError(f"nothing was measured of the engine {engine!r}", f"known: {', '.join(known)}")
    measured = json.loads((_folder() / "measured" / f"{engine}.json").read_bytes())["constructs"]
    probes = {name: text for area in _probes().values() for name, text in area.items()}
    return {
        name: {**found, "probe": probes[name]}
        for name, found in measured.items()
        if name in probes and found["verdict"] not in ("pass", "unsupported")
    }


def _folder() -> Path:
    return data.root() / "golden" / "templates"
