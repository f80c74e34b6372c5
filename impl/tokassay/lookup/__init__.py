"""Prompt lookup: what followed the last n ids when they stood in the text before is proposed again.

`find_candidate_ids` is the definition, `table` the picture of it; `NgramIndex` gives every rule's drafts
in constant time a token, `generate` verifies them, and `simulate` measures them on a text that is known.
"""

from __future__ import annotations

from .definition import find_candidate_ids
from .generate import Generated, generate, generate_batch
from .index import NgramIndex, Proposal
from .metrics import Acceptance, Step, acceptance
from .rules import rules
from .simulate import simulate
from .table import Row, draw, table

__all__ = [
    "Acceptance",
    "Generated",
    "NgramIndex",
    "Proposal",
    "Row",
    "Step",
    "acceptance",
    "draw",
    "find_candidate_ids",
    "generate",
    "generate_batch",
    "rules",
    "simulate",
    "table",
]
