"""Arguments of the wrong kind, found before anything else happens (clause ``encoding.arguments``).

A `TypeError` or `ValueError` says what was given, what is wanted, and what to do instead.
"""

from __future__ import annotations

from operator import index
from typing import Iterable, List, NoReturn, Optional, Tuple, Union

LARGEST_ID = 2**32 - 1
Text = Union[str, Tuple[str, str]]


def text_and_pair(item: object, place: int) -> Tuple[str, Optional[str]]:
    """An item of a batch: a text, or a text and its pair. TypeError for anything else."""
    if isinstance(item, str):
        return item, None
    if isinstance(item, (tuple, list)) and len(item) == 2:
        return item[0], item[1]
    raise TypeError(f"texts[{place}] is {_shown(item)}: a batch holds texts (str) or (text, pair) tuples")


def batch_of(texts: Iterable[object]) -> List[object]:
    """The items of a batch; TypeError for one text, which would be taken for a list of characters."""
    if isinstance(texts, (str, bytes)):
        raise TypeError(f"a batch is a list of texts, not {_shown(texts)}; for one text use encode")
    return list(_iterated(texts, "a batch is a list of texts"))


def refuse_text(text: object) -> NoReturn:
    """TypeError for what is not a `str`, with the way to encode it."""
    ways = {"bytes": "; for bytes use encode_bytes", "list": "; for a list of texts use encode_batch"}
    raise TypeError(f"a text is a str, not {_shown(text)}{ways.get(type(text).__name__, '')}")


def check_token(token: object) -> None:
    if not isinstance(token, str):
        raise TypeError(f"a token is a str, not {_shown(token)}; for an id use id_to_token")


def bytes_of(data: object) -> bytes:
    """The bytes of a bytes-like object; TypeError for a text, which needs no decoding."""
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data)
    raise TypeError(f"encode_bytes takes bytes, not {_shown(data)}; for a text use encode")


def ids_of(ids: Iterable[object]) -> List[int]:
    """Ids in 0..2**32-1 as a list.

    Raises:
        TypeError: something is no integer.
        ValueError: an integer is no id of 32 bits.
    """
    if isinstance(ids, str):
        raise TypeError(f"ids are a list of integers, not {_shown(ids)}; for a token use token_to_id")
    found = list(_iterated(ids, "ids are a list of integers"))
    if set(map(type, found)) <= {int} and (not found or (min(found) >= 0 and max(found) <= LARGEST_ID)):  # type: ignore[type-var, operator]
        return found  # type: ignore[return-value]
    return [id_of(item, f"ids[{place}]") for place, item in enumerate(found)]


def id_of(item: object, name: str = "the id") -> int:
    """One id, as `ids_of` reads it; `name` is what errors call it."""
    try:
        found = index(item)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} is {_shown(item)}: ids are integers") from None
    if not 0 <= found <= LARGEST_ID:
        raise ValueError(f"{name} is {_shown(found)}: ids are in 0..{LARGEST_ID}")
    return found


def _iterated(items: Iterable[object], wanted: str) -> Iterable[object]:
    try:
        return iter(items)
    except TypeError:
        raise TypeError(f"{wanted}, not {_shown(items)}") from None


def _shown(value: object) -> str:
    """A value for a message: short, ASCII, with its type."""
    try:
        text = ascii(value)
    except ValueError:  # an integer of thousands of digits
        text = "..."
    return f"{text if len(text) <= 40 else text[:37] + '...'} ({type(value).__name__})"
