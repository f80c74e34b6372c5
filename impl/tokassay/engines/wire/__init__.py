"""The wire protocol, host side: an engine in a child process that answers JSON Lines.

* `messages`: requests and replies as values; docs/protocol/README.md is the page that they follow
* `schemas`: the same in JSON Schema, checked where ``validate`` is asked for
* `child`: the process, its pipes and how it ended
* `connection`: requests in flight, restarts, and which case is to blame
* `session`: the `Engine` and `Session` that the checks talk to
* `serve_adapter`: the child's side for an engine that lives in this Python (``child:hf``)
"""

from __future__ import annotations

from .limits import Limits
from .session import WireEngine, WireSession, start

__all__ = ["Limits", "WireEngine", "WireSession", "start"]
