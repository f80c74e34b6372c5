"""Whether characters that every text has can be matched at all (``audit.coverage``)."""

from __future__ import annotations

from typing import List, Sequence

COMMON = (
    "\u7684\u4e00\u662f\u4e0d\u4e86\u5728\u4eba\u6709\u6211\u4ed6\u8fd9\u4e2a\u4eec\u4e2d\u6765\u4e0a\u5927\u4e3a\u548c\u56fd"
    "\u5730\u5230\u4ee5\u8bf4\u65f6\u8981\u5c31\u51fa\u4f1a\u53ef\u4e5f\u4f60\u5bf9\u751f\u80fd\u800c\u5b50\u90a3\u5f97\u4e8e"
    "\u7740\u4e0b\u81ea\u4e4b\u5e74\u8fc7\u53d1\u540e\u4f5c\u91cc\u7528\u9053\u884c\u6240\u7136\u5bb6\u79cd\u4e8b\u6210\u65b9"
    "\u591a\u7ecf\u4e48\u53bb\u6cd5\u5b66\u5982\u90fd\u540c\u73b0\u5f53\u6ca1\u52a8\u9762\u8d77\u770b\u5b9a\u5929\u5206\u8fd8"
    "\u8fdb\u597d\u5c0f\u90e8\u5176\u4e9b\u4e3b\u6837\u7406\u5fc3\u5979\u672c\u524d\u5f00\u4f46\u56e0\u53ea\u4ece\u60f3\u5b9e"
    "\uff0c\u3002\uff01\uff1f\u3001\uff1a\uff1b\u201c\u201d\uff08\uff09\u300a\u300b"
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,!?;:'\"()-+*/=<>[]{}_#@%&"
)
"""The most frequent Chinese characters and signs, ASCII letters, digits and signs."""


def uncovered(strings: Sequence[bytes], characters: str = COMMON) -> List[str]:
    """The characters that no entry holds."""
    table = b"\0".join(strings)
    return [character for character in characters if character.encode("utf-8") not in table]
