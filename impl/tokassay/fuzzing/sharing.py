"""Hypothesis's database of failures, shared between machines: a folder, or a Redis server."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Iterator

from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase

SERVERS = ("redis://", "rediss://", "unix://")
EXPIRES_DAYS = 60


@contextmanager
def database(address: str) -> Iterator[ExampleDatabase]:
    """The database at ``redis://HOST:PORT/N``, ``unix://SOCKET`` or in a folder.

    Raises ImportError where the package redis is needed and missing.
    """
    if not address.startswith(SERVERS):
        yield DirectoryBasedExampleDatabase(address)
        return
    import redis  # noqa: PLC0415 - an extra
    from hypothesis.extra.redis import RedisExampleDatabase  # noqa: PLC0415

    server: Any = redis.Redis.from_url(address)
    try:
        yield RedisExampleDatabase(server, expire_after=timedelta(days=EXPIRES_DAYS))
    finally:
        server.close()
