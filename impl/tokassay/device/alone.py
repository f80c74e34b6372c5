"""The reference for a process of its own: ``py:tokassay.device.alone:load``."""

from __future__ import annotations

from .reference import reference

_ENGINE = reference()
CAPABILITIES = sorted(_ENGINE.info.capabilities)
INVALID_UTF8 = _ENGINE.info.invalid_utf8
load = _ENGINE.load
