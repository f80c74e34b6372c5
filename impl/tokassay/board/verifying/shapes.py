"""Is a JSON value of the form that its writer's dataclass says? No field more, none less, no other type."""

from __future__ import annotations

import collections.abc
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from typing import Any, Optional

from tokassay.device.conditions import Snapshot
from tokassay.device.folder import Outcome
from tokassay.device.hosted import Host
from tokassay.device.identity import Identity
from tokassay.device.request import Request
from tokassay.device.samples import Series

MOST = 2**63 - 1
Found = Iterator[tuple[str, str]]  # field and reason


@dataclass(frozen=True)
class CoreIds:
    """Of ``facts.json``: what the determinism suite answered on one core."""

    part: str
    cpu: Optional[int]
    ids: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class Facts:
    """``facts.json``."""

    ids: tuple[CoreIds, ...]
    compiled: Mapping[str, Mapping[str, Mapping[str, Any]]]


@dataclass(frozen=True)
class Controller:
    """``controller.json``."""

    host: str
    host_key_type: str
    host_key: str
    board: str
    run: str
    fetched: str
    controller: str
    tokassay: str


def differences(value: object, wanted: Any, where: str = "") -> Found:
    """Where a value is not of a type: a dataclass, or what its fields are annotated with."""
    origin, arguments = typing.get_origin(wanted), typing.get_args(wanted)
    if is_dataclass(wanted):
        yield from _of_dataclass(value, typing.cast("type", wanted), where)
    elif origin in (typing.Union, types.UnionType):
        inner = [one for one in arguments if one is not type(None)]
        if value is not None:
            yield from differences(value, inner[0], where)
    elif origin in (tuple, collections.abc.Sequence):
        yield from _of_list(value, arguments[0], where)
    elif origin is collections.abc.Mapping:
        yield from _of_mapping(value, arguments[1], where)
    else:
        yield from _of_scalar(value, wanted, where)


def _of_dataclass(value: object, wanted: type, where: str) -> Found:
    if not isinstance(value, dict):
        yield where, f"expected an object, got {_kind(value)}"
        return
    hints = _hints(wanted)
    known = [field.name for field in fields(wanted)]
    yield from ((_below(where, name), "is missing") for name in known if name not in value)
    yield from ((_below(where, name), "is not known here") for name in value if name not in known)
    for name in known:
        if name in value:
            yield from differences(value[name], hints[name], _below(where, name))


@lru_cache
def _hints(wanted: type) -> Mapping[str, Any]:
    return typing.get_type_hints(wanted)


def _of_list(value: object, wanted: Any, where: str) -> Found:
    if not isinstance(value, list):
        yield where, f"expected a list, got {_kind(value)}"
        return
    if wanted is int and all(type(one) is int and 0 <= one <= MOST for one in value):
        return  # many samples at once
    for number, one in enumerate(value):
        yield from differences(one, wanted, f"{where}[{number}]")


def _of_mapping(value: object, wanted: Any, where: str) -> Found:
    if not isinstance(value, dict):
        yield where, f"expected an object, got {_kind(value)}"
        return
    for name, one in value.items():
        yield from differences(one, wanted, _below(where, name))


def _of_scalar(value: object, wanted: Any, where: str) -> Found:
    if wanted is Any:
        return
    if wanted is int and type(value) is int and not 0 <= value <= MOST:
        yield where, f"{value} is out of range"
    elif wanted is float and type(value) in (int, float):
        if typing.cast("float", value) < 0:
            yield where, f"{value} is out of range"
    elif type(value) is not wanted:
        yield where, f"expected {wanted.__name__}, got {_kind(value)}"


def _below(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _kind(value: object) -> str:
    return "null" if value is None else type(value).__name__


__all__ = [
    "Controller",
    "Facts",
    "Host",
    "Identity",
    "Outcome",
    "Request",
    "Series",
    "Snapshot",
    "differences",
]
