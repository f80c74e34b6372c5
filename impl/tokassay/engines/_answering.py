"""What a call into a native package comes to: its answer, or an `EngineError`."""

from __future__ import annotations

import os
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from typing import Callable, Iterator, TypeVar

from tokassay.checks.engine import CrashError, EngineError, FaultError

T = TypeVar("T")


def answered(call: Callable[[], T], *, may_panic: bool = False) -> T:
    """The answer of a call into a package; a Rust panic is a crash, an exception an error.

    `may_panic`: Rust's own report on stderr is dropped, because the verdict says the same.
    """
    try:
        with without_stderr() if may_panic else nullcontext():
            return call()
    except EngineError:
        raise
    except Exception as error:
        raise FaultError(f"{type(error).__name__}: {error}") from error
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # it derives from BaseException
            raise CrashError(f"panic: {error}") from error
        raise


@contextmanager
def without_stderr() -> Iterator[None]:
    """Nothing that native code writes to stderr is seen."""
    kept = os.dup(2)
    try:
        os.dup2(_null(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


@lru_cache(maxsize=1)
def _null() -> int:
    return os.open(os.devnull, os.O_WRONLY)
