"""Names by which the engines of one run are told apart."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, List, Mapping

from tokassay.checks.engine import Engine, EngineInfo, Session


def distinct(opened: Mapping[str, Engine]) -> List[Engine]:
    """The engines by address; those whose name is not theirs alone go by their address instead."""
    counts = Counter(engine.info.name for engine in opened.values())
    return [
        renamed(engine, address) if counts[engine.info.name] > 1 else engine
        for address, engine in opened.items()
    ]


def renamed(engine: Engine, name: str) -> Engine:
    """The same engine under another name, which its sessions and verdicts carry."""
    info = replace(engine.info, name=name)
    try:
        return replace(engine, info=info)  # type: ignore[type-var]  # this package's engines
    except TypeError:  # a third party's need not be a dataclass
        return Renamed(info, engine)


@dataclass(frozen=True)
class Renamed:
    """Any engine under another name."""

    info: EngineInfo
    engine: Engine

    def load(self, path: str) -> Session:
        """As the engine does it."""
        return RenamedSession(self.info, self.engine.load(path))


@dataclass(frozen=True)
class RenamedSession:
    """Any session under another name: everything else is the engine's."""

    info: EngineInfo
    session: Session

    def __getattr__(self, name: str) -> Any:
        return getattr(self.session, name)
