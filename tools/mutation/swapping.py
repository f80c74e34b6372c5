"""A mutant without a new import: functions that exist get the changed code, everything else stays."""

from __future__ import annotations

import gc
import importlib.abc
import importlib.machinery
import importlib.util
from inspect import CO_NEWLOCALS
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Dict, Iterator, List, Optional, Tuple

Functions = Dict[str, List[FunctionType]]
Pair = Tuple[CodeType, CodeType]


class AtImportError(Exception):
    """What changes runs while the module is imported, or has no function of its own."""


def compiled(source: str, path: Path) -> CodeType:
    return compile(source, str(path.resolve()), "exec", dont_inherit=True)


def functions_by_file() -> Functions:
    """Every function that lives now, by the file that it is from."""
    found: Functions = {}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType):
            found.setdefault(thing.__code__.co_filename, []).append(thing)
    return found


def swap(original: CodeType, changed: CodeType, functions: List[FunctionType]) -> int:
    """Give `functions` of one module their changed code; how many got one.

    Raises AtImportError where that would not be the whole change.
    """
    outer = list(_outermost(original, changed))
    pairs = [pair for one in outer for pair in _nested(*one)]
    new = dict(pairs)
    hit = [function for function in functions if function.__code__ in new]
    if {one for one, _ in outer} - {function.__code__ for function in hit}:
        raise AtImportError
    if any(one.co_freevars != other.co_freevars for one, other in pairs):
        raise AtImportError
    for function in hit:
        function.__code__ = new[function.__code__]
    return len(hit)


def _codes(code: CodeType) -> List[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _itself(code: CodeType) -> Tuple[object, ...]:
    """What it does, without where it stands and without the functions inside."""
    constants = tuple(None if isinstance(one, CodeType) else (type(one), one) for one in code.co_consts)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (code.co_name, code.co_code, constants, names, code.co_flags, code.co_exceptiontable)


def _outermost(original: CodeType, changed: CodeType) -> Iterator[Pair]:
    """The functions that differ and are in no other function."""
    if _itself(original) != _itself(changed) or len(_codes(original)) != len(_codes(changed)):
        raise AtImportError
    for one, other in zip(_codes(original), _codes(changed)):
        if not one.co_flags & CO_NEWLOCALS:  # the body of a class
            yield from _outermost(one, other)
        elif _differs(one, other):
            yield one, other


def _differs(one: CodeType, other: CodeType) -> bool:
    if _itself(one) != _itself(other) or len(_codes(one)) != len(_codes(other)):
        return True
    return any(_differs(*pair) for pair in zip(_codes(one), _codes(other)))


def _nested(one: CodeType, other: CodeType) -> Iterator[Pair]:
    yield one, other
    if len(_codes(one)) == len(_codes(other)):
        for pair in zip(_codes(one), _codes(other)):
            yield from _nested(*pair)


class Mutated(importlib.abc.MetaPathFinder):
    """Finds one module with another code: for what swapping cannot do."""

    def __init__(self, name: str, path: Path, code: CodeType) -> None:
        self._name, self._path, self._code = name, path, code

    def find_spec(
        self, fullname: str, _path: object = None, _target: Optional[ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        if fullname != self._name:
            return None
        code = self._code

        class Loader(importlib.machinery.SourceFileLoader):
            def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002
                return code

        where = str(self._path.resolve())
        return importlib.util.spec_from_file_location(fullname, where, loader=Loader(fullname, where))
