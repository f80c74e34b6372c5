"""Grapheme_Cluster_Break of Unicode 16.0; LV and LVT are the composed syllables.

Written by tools/make_unicode.py; not edited by hand.
"""

from __future__ import annotations

INDEX = "Prepend=:45 Control=Cc+Cf+Co:47 Extend=Mn+Me:126 SpacingMark=:338 HangulL=:8 HangulV=:14 HangulT=:8"
SETS = (
    "eNpNUDtoVFEUnDn33vfexmVXEiKrxA/RUuPL6kZMjIogQbCwULSRtdGAX/yAZR4shsVPQAQNqJCghbIiprDyU1gJdoIKgmErESUB"
    "o0UsZJ3VxgtzP3POzDn3LM3y4QPRj8xxH74lmB/3KOInec1jrgPEIrEnPA945lDsgGFhyX+Ch31cwfcta/W/2CjZ29lN1azlfrec"
    "CeWXXSjhs2k7Jnyh3DzJHEf1vKj8p51YhSxBUCTwKEY4mWB6De8tECfxqUFOrcMF1A0F5HBEMNACmkQe34lxwy+vay2Px9Pkj1dk"
    "FOq7/dRkWr3NWie2wCxxZJlDjGgcwKDtEhKQFW5DmzunuzPaZht2wxxsl2AfClIEsRXuZRR1cQfGcJk6Zogcl3M9ZgqIY/KjOTN9"
    "KzQpMdEdrhNb3U79zCvdjKjECRuKoHFTjjjEcnGCSJHSq/4ZoYS7hDFgjv8Wbrxuj2sMG+R9HiUOIbWcxnDYHB/RVov42zW7eYBF"
    "tTxqCR1OMEJbbpjXLJzhrGjilMjTiHHJZLKosozlPkENx2M/VnI7bjm5H1eO4R29MjBrzKvHhF9rtPs9A5b1VrMn1uObvSP1q27Z"
    "nYbBOXuw9uCbKy79Ax44Xhs="
)
