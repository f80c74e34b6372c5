"""What a model folder knows beside tokenizer.json, for the header and the tail (clause ``mtok.project``)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Dict, Iterator, Optional, Sequence, Tuple

from ...core.description import Description, Device
from ...core.errors import FormatError
from .framing import programmed, special_ids

CONFIG, GENERATION = "tokenizer_config.json", "generation_config.json"
STOPS = ("<|eot_id|>", "<end_of_turn>", "<|im_end|>", "<turn|>")
"""Tokens that end a turn, whatever the configuration says is the end of the text."""
UNWRITTEN = {"GemmaTokenizer": ("<mask>",)}
"""Special tokens that a tokenizer class has by itself, and that its configuration leaves out."""


def device_of(description: Description, folder: Path) -> Device:
    """The three lists and the tail by default: from the added tokens and the configuration in `folder`."""
    config = read_object(folder / CONFIG)
    ops = programmed(description.post_processor)
    prefix = tuple(op for op in ops[: ops.index(None)] if op is not None) if None in ops else ()
    return Device(
        _special(description, config),
        _stop(description, config, read_object(folder / GENERATION)),
        prefix,
        _template(config),
        _content(config.get("eos_token")),
        int(config.get("clean_up_tokenization_spaces") is True),
        _content(config.get("bos_token")),
    )


def with_device(
    description: Description,
    folder: Path,
    special: Optional[Sequence[int]] = None,
    stop: Optional[Sequence[int]] = None,
    prefix: Optional[Sequence[int]] = None,
) -> Description:
    """The description with its device part; lists that are given take the place of the defaults."""
    device = description.device or device_of(description, folder)
    lists = {"special_ids": special, "stop_ids": stop, "prefix_ids": prefix}
    given = {name: tuple(ids) for name, ids in lists.items() if ids is not None}
    return replace(description, device=replace(device, **given))  # type: ignore[arg-type]


def read_object(path: Path) -> Dict[str, object]:
    """A JSON object; empty where there is no file. FormatError where it is something else."""
    if not path.is_file():
        return {}
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise FormatError(f"cannot be read: {error}", path=str(path)) from error
    if not isinstance(value, dict):
        raise FormatError("expected an object", path=str(path))
    return value


def _template(config: Dict[str, object]) -> str:
    """A text; of several named templates the one called default."""
    value = config.get("chat_template")
    if isinstance(value, list):
        named = {one.get("name"): one.get("template") for one in value if isinstance(one, dict)}
        value = named.get("default")
    return value if isinstance(value, str) else ""


def _content(token: object) -> str:
    value = token.get("content") if isinstance(token, dict) else token
    return value if isinstance(value, str) else ""


def _special(description: Description, config: Dict[str, object]) -> Tuple[int, ...]:
    """The configuration's special tokens, then the special added tokens that are not among them.

    The exporter runs over a set of the former; the order of small integers in a set is the same in every
    CPython that it can run on, so its lists come out in its order.
    """
    named = [_id(description, name) for name in _special_names(config) if name]
    first = list({index for index in named if index is not None})
    return tuple(dict.fromkeys((*first, *special_ids(description.added_tokens))))


def _special_names(config: Dict[str, object]) -> Iterator[str]:
    for kind in ("bos", "eos", "unk", "sep", "pad", "cls", "mask"):
        yield _content(config.get(f"{kind}_token"))
    yield from UNWRITTEN.get(str(config.get("tokenizer_class")), ())
    more, extra = config.get("additional_special_tokens"), config.get("extra_special_tokens")
    yield from map(_content, more if isinstance(more, list) else ())
    yield from map(_content, extra.values() if isinstance(extra, dict) else ())


def _stop(
    description: Description, config: Dict[str, object], generation: Dict[str, object]
) -> Tuple[int, ...]:
    """The end of the text, what ends a turn, and the ids of the generation configuration; every id once."""
    found = [_id(description, name) for name in (_content(config.get("eos_token")), *STOPS) if name]
    given = generation.get("eos_token_id")
    found += [index for index in (given if isinstance(given, list) else [given]) if type(index) is int]
    return tuple(dict.fromkeys(index for index in found if index is not None))


def _id(description: Description, content: str) -> Optional[int]:
    known = {token.content: token.id for token in description.added_tokens}
    return known[content] if content in known else description.model.token_to_id(content)
