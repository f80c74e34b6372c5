"""``python -m tokassay``."""

from __future__ import annotations

import sys

from tokassay.cli import main

sys.exit(main())
