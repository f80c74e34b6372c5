"""Make a case small: any JSON value, as long as the target fails on it in the same way."""

from __future__ import annotations

import copy
import time
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from tokassay.checks.engine import UnavailableError
from tokassay.diagnosis.shrink import shrink

from .target import Case, Found, Target

Place = Tuple[Any, ...]
MOST_ROUNDS = 4
KEPT = ("tokenizer", "whole", "format")  # say which question is asked, and are not part of the input


def smaller(target: Target, case: Case, found: Found, seconds: float) -> Tuple[Case, Found]:
    """The smallest case found in the time given, and how it fails."""
    search = _Search(target, found.signature, time.monotonic() + seconds)
    for _ in range(MOST_ROUNDS):
        before = case
        for place in list(_places(case)):
            case = search.at(case, place)
        if case == before or not search.in_time():
            break
    return case, search.failure(case) or found


class _Search:
    """Tries smaller values at one place after another."""

    def __init__(self, target: Target, signature: str, until: float) -> None:
        self.target, self.signature, self.until = target, signature, until

    def in_time(self) -> bool:
        return time.monotonic() < self.until

    def failure(self, case: Case) -> Optional[Found]:
        try:
            found = self.target.check(case)
        except UnavailableError:
            raise
        except Exception:  # noqa: BLE001 - no case any more
            return None
        return found if found is not None and found.signature == self.signature else None

    def at(self, case: Case, place: Place) -> Case:
        """The case with the value at the place as small as it can be."""
        if not self.in_time() or not _is_there(case, place):
            return case
        value = _value(case, place)
        fails = self._fails(case, place)
        if isinstance(value, str) and value:
            return _with(case, place, shrink(value, fails, in_time=self.in_time))
        if isinstance(value, list) and value:
            return _with(case, place, self._fewer(value, fails))
        if isinstance(value, dict):
            return self._emptied(case, place, value)
        for simpler in (None, False, 0):
            if type(simpler) is not type(value) or simpler != value:
                if simpler is not None and type(simpler) is not type(value):
                    continue
                if fails(simpler):
                    return _with(case, place, simpler)
        return case

    def _emptied(self, case: Case, place: Place, value: Dict[str, Any]) -> Case:
        """Nothing instead of an object, or fewer keys."""
        fails = self._fails(case, place)
        if place and fails(None):
            return _with(case, place, None)
        if len(value) < 12 or not all(isinstance(item, int) for item in value.values()):
            return case
        kept = self._fewer(list(value), lambda keys: fails({key: value[key] for key in keys}))
        return _with(case, place, {key: value[key] for key in kept})

    def _fewer(self, items: List[Any], fails: Callable[[Any], bool]) -> List[Any]:
        """By their numbers: what is shrunk has to be hashable."""
        kept = shrink(
            list(range(len(items))), lambda chosen: fails([items[n] for n in chosen]), in_time=self.in_time
        )
        return [items[number] for number in kept]

    def _fails(self, case: Case, place: Place) -> Callable[[Any], bool]:
        return lambda value: self.failure(_with(case, place, value)) is not None


def _places(value: Any, place: Place = ()) -> Iterator[Place]:
    """Outer values before inner ones; long lists are not entered."""
    if place:
        yield place
    if isinstance(value, dict):
        items: Any = [(key, item) for key, item in value.items() if place or key not in KEPT]
    else:
        items = enumerate(value) if isinstance(value, list) and len(value) <= 40 else ()
    for key, item in items if len(place) < 7 else ():
        yield from _places(item, (*place, key))


def _value(case: Any, place: Place) -> Any:
    for key in place:
        case = case[key]
    return case


def _is_there(case: Any, place: Place) -> bool:
    try:
        _value(case, place)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _with(case: Case, place: Place, value: Any) -> Case:
    """A copy along the way to the place; the rest is shared."""
    made = copy.copy(case)
    inner: Any = made
    for key in place[:-1]:
        inner[key] = copy.copy(inner[key])
        inner = inner[key]
    inner[place[-1]] = value
    return made
