"""The garbage collector, while many objects are made and none of them is garbage."""

from __future__ import annotations

import contextlib
import gc
from typing import Iterator


@contextlib.contextmanager
def no_collection(*, keep: bool) -> Iterator[None]:
    """Half a million new containers and no garbage: collecting meanwhile would double the time.

    `keep`: what there is stays, and is counted among what is old at once. Else the next collection would
    visit every string of the new tables. (What was frozen is old when it is thawed.)
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if keep and not gc.get_freeze_count():  # nobody else has frozen anything
                gc.freeze()
                gc.unfreeze()
            gc.enable()
