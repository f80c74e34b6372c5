"""The geometry of a board's plots: how its samples are distributed, and how its conditions went."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .latency import duration

WIDTH, HEIGHT = 360, 40  # of a distribution, in its own units
BINS = 90
LINE_WIDTH, LINE_HEIGHT = 360, 32  # of a course of time
APART = 44  # of two labels, at least

Bar = tuple[float, float, float, float]  # x, y, width, height


@dataclass(frozen=True)
class Scale:
    """A logarithmic axis between two times in nanoseconds."""

    low: float
    high: float

    @classmethod
    def over(cls, samples: Sequence[Sequence[int]]) -> Scale:
        """One axis for several series, so that they can be compared; a tenth of air at both ends."""
        return cls(min(map(min, samples)) / 1.1, max(map(max, samples)) * 1.1)

    def at(self, nanoseconds: float) -> float:
        part = math.log(max(nanoseconds, 1) / self.low) / math.log(self.high / self.low)
        return round(min(1.0, max(0.0, part)) * WIDTH, 1)

    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Round times, as many as there is room for."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        steps = (1, 2, 3, 5) if self.high / self.low < 100 else (1,)
        times = [step * 10.0**power for power in powers for step in steps]
        found: list[tuple[float, str]] = []
        for time in times:
            room = not found or self.at(time) - found[-1][0] > APART
            if self.low <= time <= self.high and room:
                found.append((self.at(time), duration(time)))
        return tuple(found)


def bars(samples: Sequence[int], scale: Scale) -> tuple[Bar, ...]:
    """A histogram of equal steps on the axis; what is there at all is seen."""
    width, counts = WIDTH / BINS, [0] * (BINS + 1)
    for sample in samples:
        counts[int(scale.at(sample) / width)] += 1
    most = max(counts)
    heights = [round(max(1.5, count / most * HEIGHT), 1) for count in counts]
    return tuple(
        (round(number * width, 1), round(HEIGHT - height, 1), round(width - 0.5, 1), height)
        for number, (count, height) in enumerate(zip(counts, heights, strict=True))
        if count
    )


@dataclass(frozen=True)
class Course:
    """How one quantity went: first, lowest, highest and last value, and the line's points."""

    name: str
    first: str
    low: str
    high: str
    last: str
    points: str


def course(name: str, unit: str, moments: Sequence[float], values: Sequence[float], top: float) -> Course:
    """`top`: of the axis, which begins at zero, so that a dent is as deep as it was."""
    span = max(moments) or 1.0

    def point(moment: float, value: float) -> str:
        x, y = moment / span * LINE_WIDTH, LINE_HEIGHT - 1 - value / top * (LINE_HEIGHT - 2)
        return f"{round(x, 1)},{round(y, 1)}"

    points = " ".join(map(point, moments, values))
    first, low, high, last = (
        f"{value:,.5g} {unit}".strip() for value in (values[0], min(values), max(values), values[-1])
    )
    return Course(name, first, low, high, last, points)
