"""Where the ids of a text stand among the special ones, for the path that computes ids alone."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Tuple

from .columns import Columns
from .description import PostProcessor
from .pipeline import post_process

Frame = Tuple[int, ...]
"""Ids in order; -1 stands for all ids of the first sequence, -2 for those of the second."""

BARE: Frame = (-1,)


def frame_of(processor: Optional[PostProcessor], pair: bool, add_special_tokens: bool) -> Frame:
    """What the post-processor puts around one sequence or two.

    No post-processor looks at the ids it is given, so it is asked once, about two marks.
    EncodeError when it refuses.
    """
    marks = [Columns(ids=[-1]), Columns(ids=[-2])]
    parts = post_process(processor, marks[: 1 + pair], add_special_tokens)
    return tuple(index for part in parts for index in part.ids)


class Surroundings(Dict[bool, Optional[Tuple[Frame, Frame]]]):
    """Are special tokens added → what stands before the ids of one sequence, and what behind them.

    None where the sequence stands in its frame more than once, or not at all.
    """

    def __init__(self, processor: Optional[PostProcessor]) -> None:
        super().__init__()
        self.processor = processor

    def __missing__(self, add_special_tokens: bool) -> Optional[Tuple[Frame, Frame]]:
        frame = frame_of(self.processor, False, add_special_tokens)
        at = frame.index(-1) if frame.count(-1) == 1 else -1
        self[add_special_tokens] = found = None if at < 0 else (frame[:at], frame[at + 1 :])
        return found


def fill(frame: Frame, sequences: Sequence[List[int]]) -> List[int]:
    """`frame` with the ids of the sequences in place of their marks."""
    if frame == BARE:
        return sequences[0]
    ids: List[int] = []
    for item in frame:
        if item < 0:
            ids += sequences[-1 - item]
        else:
            ids.append(item)
    return ids
