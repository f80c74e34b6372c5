"""Builds SentencePiece charsmaps, so that tests and probes can choose their own rewrite rules."""

from __future__ import annotations

import base64
import struct
from typing import Dict, List, Mapping


def charsmap(rules: Mapping[str, str]) -> bytes:
    """The blob that a `.model` file would hold for these rewrite rules (keys without NUL)."""
    normalized = bytearray()
    leaves: Dict[bytes, int] = {}
    for key, value in rules.items():
        leaves[key.encode()] = len(normalized)
        normalized += value.encode() + b"\0"
    units = _double_array(leaves)
    trie = struct.pack(f"<{len(units)}I", *units)
    return struct.pack("<I", len(trie)) + trie + bytes(normalized)


def precompiled(rules: Mapping[str, str]) -> Dict[str, object]:
    """The same as the JSON of a Precompiled normalizer."""
    return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap(rules)).decode()}


def _double_array(leaves: Mapping[bytes, int]) -> List[int]:
    children: Dict[bytes, List[int]] = {b"": []}
    for key in leaves:
        for size in range(len(key)):
            following = children.setdefault(key[:size], [])
            if key[size] not in following:
                following.append(key[size])
        children.setdefault(key, [])
    units: Dict[int, int] = {0: 0}
    places = {b"": 0}
    bases = set()
    for node in sorted(children, key=lambda prefix: (len(prefix), prefix)):
        here = places[node]
        slots = [*children[node], *([0] if node in leaves else [])]
        if not slots:
            continue
        base = next(
            b for b in range(1, 1 << 20) if b not in bases and not any(b ^ slot in units for slot in slots)
        )
        bases.add(base)
        units[here] |= (base ^ here) << 10 | (0x100 if node in leaves else 0)
        if node in leaves:
            units[base] = 1 << 31 | leaves[node]
        for slot in children[node]:
            units[base ^ slot] = slot
            places[node + bytes([slot])] = base ^ slot
    return [units.get(at, 0) for at in range((max(units) | 0xFF) + 1)]
