"""Where a template stands: beside a tokenizer, in a device file, in a configuration (``chat.source.*``)."""

from __future__ import annotations

import json
import mmap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, cast

from tokassay import formats
from tokassay.core.errors import FormatError
from tokassay.formats import gguf

SPECIAL = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
DEFAULT, TOOL_USE = "default", "tool_use"
EXTRA = "additional_chat_templates"
GGUF = "tokenizer.chat_template"


@dataclass(frozen=True)
class Templates:
    """Named templates, and the special tokens that they may name.

    Attributes:
        named: name to source; a lone template is called ``default``.
        tokens: ``bos_token``, ``eos_token``, ... to their text.
        path: the file that the default one stands in.
    """

    named: Mapping[str, str]
    tokens: Mapping[str, str] = field(default_factory=dict)
    path: str = ""

    def choose(self, name: Optional[str] = None, *, with_tools: bool = False) -> str:
        """The source of a name; without one ``tool_use`` where there are tools, else ``default``.

        Raises FormatError for a name that is not there.
        """
        wanted = name or (TOOL_USE if with_tools and TOOL_USE in self.named else DEFAULT)
        if wanted not in self.named:
            known = ", ".join(sorted(self.named)) or "none"
            raise FormatError(f"no chat template called {wanted!r}; there: {known}", path=self.path)
        return self.named[wanted]


def read(path: Path) -> Templates:
    """The templates of a file or of a model's folder.

    A folder (or its tokenizer.json): chat_template.jinja, else tokenizer_config.json; files of
    additional_chat_templates/ by their names. Else ``.jinja``, ``.mtok``, llm_config.json, ``.gguf``.

    Raises FormatError where there is none, or the file is not what its name says.
    """
    if path.is_dir():
        return _of_folder(path)
    if path.name == "tokenizer.json":
        return _of_folder(path.parent)
    if path.suffix in (".jinja", ".j2"):
        return Templates({DEFAULT: _text(path)}, {}, str(path))
    if path.suffix == ".json":
        return _of_json(path)
    if path.suffix == ".gguf":
        return _of_gguf(path)
    return _of_device_file(path)


def _of_folder(folder: Path) -> Templates:
    config = folder / "tokenizer_config.json"
    found = _of_config(_json(config), config) if config.is_file() else Templates({}, {}, str(folder))
    alone = folder / "chat_template.jinja"
    named: Dict[str, str] = dict(found.named)
    if alone.is_file():
        named[DEFAULT] = _text(alone)
    for extra in sorted((folder / EXTRA).glob("*.jinja")):
        named[extra.stem] = _text(extra)
    if not named and (folder / "llm_config.json").is_file():
        return _of_json(folder / "llm_config.json")
    if not named:
        raise FormatError(
            "no chat template: neither chat_template.jinja nor tokenizer_config.json has one",
            path=str(folder),
        )
    return Templates(named, found.tokens, str(alone if alone.is_file() else config))


def _of_json(path: Path) -> Templates:
    """A tokenizer_config.json, or the configuration of MNN's engine (``chat.source.llm-config``)."""
    content = _json(path)
    jinja = content.get("jinja")
    if not isinstance(jinja, dict):
        return _of_config(content, path)
    template = jinja.get("chat_template")
    if not isinstance(template, str):
        raise FormatError("holds no text", field="jinja.chat_template", path=str(path))
    tokens = {f"{name}_token": str(jinja[name]) for name in ("bos", "eos") if name in jinja}
    return Templates({DEFAULT: template}, tokens, str(path))


def _of_config(content: Mapping[str, Any], path: Path) -> Templates:
    """``chat_template``: one text, or a list of names and texts."""
    given = content.get("chat_template")
    if isinstance(given, list):
        named = dict(_pair(entry, number, path) for number, entry in enumerate(given))
    elif given is None or isinstance(given, str):
        named = {} if given is None else {DEFAULT: given}
    else:
        raise FormatError(
            "is neither a text nor a list of named templates", field="chat_template", path=str(path)
        )
    tokens = {name: _token(content[name]) for name in SPECIAL if content.get(name) is not None}
    return Templates(named, tokens, str(path))


def _pair(entry: Any, number: int, path: Path) -> tuple[str, str]:
    names: List[Any] = [entry.get("name"), entry.get("template")] if isinstance(entry, dict) else []
    if len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise FormatError(
            "needs the texts name and template", field=f"chat_template[{number}]", path=str(path)
        )
    return names[0], names[1]


def _token(value: Any) -> str:
    """A special token as transformers writes it: a text, or an object with its content."""
    return str(value.get("content", "")) if isinstance(value, dict) else str(value)


def _of_gguf(path: Path) -> Templates:
    """The metadata alone: a model's tensors are not read (``chat.source.device-file``)."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            found = gguf.metadata(cast("bytes", data), _about_chats)  # a map is read like bytes
    except (OSError, ValueError) as error:  # an empty file cannot be mapped
        raise FormatError(f"cannot be read: {error}", path=str(path)) from error
    except FormatError as error:
        raise error.at(str(path)) from error
    named = {
        key[len(GGUF) :].lstrip(".") or DEFAULT: text
        for key, text in found.items()
        if key.startswith(GGUF) and isinstance(text, str)
    }
    if not named:
        raise FormatError("holds no chat template", field=GGUF, path=str(path))
    pieces = found.get(f"{gguf.PREFIX}tokens", [])
    ids = {name: found.get(f"{gguf.PREFIX}{name}_id") for name in SPECIAL}
    tokens = {
        name: pieces[index] for name, index in ids.items() if isinstance(index, int) and index < len(pieces)
    }
    return Templates(named, tokens, str(path))


def _about_chats(key: str) -> bool:
    return key == GGUF or key.startswith((f"{GGUF}.", f"{gguf.PREFIX}tokens")) or key.endswith("_token_id")


def _of_device_file(path: Path) -> Templates:
    device = formats.read(path).device
    template = device.chat_template if device is not None else None
    if device is None or not template:
        raise FormatError("holds no chat template", path=str(path))
    tokens = {"eos_token": device.eos_token, "bos_token": device.bos_token}
    return Templates({DEFAULT: template}, {name: text for name, text in tokens.items() if text}, str(path))


def _json(path: Path) -> Mapping[str, Any]:
    text = _text(path)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"is not JSON: {error}", offset=getattr(error, "pos", 0), path=str(path)) from error
    if not isinstance(content, dict):
        raise FormatError("is not a JSON object", offset=0, path=str(path))
    return content


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path=str(path)) from error
    except UnicodeDecodeError as error:
        raise FormatError("is not UTF-8", offset=error.start, path=str(path)) from error
