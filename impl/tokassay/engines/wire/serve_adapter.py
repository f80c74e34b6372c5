"""The child's side of ``child:ADDRESS``: an adapter of this Python, served.

Usage: python -m tokassay.engines.wire.serve_adapter ADDRESS
"""

from __future__ import annotations

import sys

from tokassay import engines
from tokassay.checks.engine import CrashError, RefusalError, UnavailableError
from tokassay.device.serve import serve


def main(address: str) -> int:
    """Serve until stdin ends; 3 where the engine cannot be started."""
    try:
        engine = engines.open(address)
    except UnavailableError as error:
        print(error, file=sys.stderr)  # noqa: T201 - the host shows it
        return 3
    info = engine.info
    serve(
        info.name,
        info.version,
        engine.load,
        capabilities=sorted(info.capabilities),
        formats=info.formats,
        invalid_utf8=info.invalid_utf8,
        build={"sha256": "", **info.build},
        failures={RefusalError: "unsupported", CrashError: "crash"},
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
