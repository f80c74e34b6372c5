"""How long an engine's calls took: percentiles and a plot, from the histograms of a run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Dict, List, Mapping, Tuple

from tokassay.verdicts.measures import bounds

WIDTH, HEIGHT = 320, 36  # of a plot, in its own units
Histogram = Mapping[int, int]


@dataclass(frozen=True)
class Distribution:
    """The calls of one operation of one engine. `bars`: x, y, width, height in a WIDTH x HEIGHT plot."""

    engine: str
    calls: int
    median: str
    p90: str
    p99: str
    bars: Tuple[Tuple[float, float, float, float], ...]


@dataclass(frozen=True)
class Plot:
    """One operation: the engines below each other on one logarithmic axis; `ticks`: x and label."""

    operation: str
    rows: Tuple[Distribution, ...]
    ticks: Tuple[Tuple[float, str], ...]


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis over whole powers of ten nanoseconds."""

    low: int
    high: int

    def at(self, nanoseconds: float) -> float:
        span = (math.log10(max(nanoseconds, 1)) - self.low) / (self.high - self.low)
        return round(min(1.0, max(0.0, span)) * WIDTH, 1)


def percentile(histogram: Histogram, part: float) -> int:
    """The middle of the bucket of the nearest-rank percentile, in nanoseconds."""
    rank = max(1, math.ceil(part * sum(histogram.values())))
    for index, count in sorted(histogram.items()):
        rank -= count
        if rank <= 0:
            return sum(bounds(index)) // 2
    raise ValueError("no calls")


def duration(nanoseconds: float) -> str:
    """Three digits and a unit."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("\u00b5s", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.0f} ns"


def plots(calls: Mapping[str, Mapping[str, Histogram]]) -> List[Plot]:
    """One plot for each operation (engine → operation → histogram), the most called first."""
    by_operation: Dict[str, Dict[str, Histogram]] = {}
    for engine, operations in calls.items():
        for operation, histogram in operations.items():
            if histogram:
                by_operation.setdefault(operation, {})[engine] = histogram
    plotted = [_plot(operation, found) for operation, found in by_operation.items()]
    return sorted(plotted, key=lambda plot: -sum(row.calls for row in plot.rows))


def _plot(operation: str, found: Mapping[str, Histogram]) -> Plot:
    edges = [bounds(index) for histogram in found.values() for index in histogram]
    low = math.floor(math.log10(max(1, min(lower for lower, _ in edges))))
    high = max(low + 1, math.ceil(math.log10(max(upper for _, upper in edges))))
    axis = Axis(low, high)
    rows = tuple(_distribution(engine, histogram, axis) for engine, histogram in found.items())
    ticks = tuple((axis.at(10.0**power), duration(10.0**power)) for power in range(low, high + 1))
    return Plot(operation, rows, ticks)


def _distribution(engine: str, histogram: Histogram, axis: Axis) -> Distribution:
    middle, p90, p99 = (duration(percentile(histogram, part)) for part in (0.5, 0.9, 0.99))
    return Distribution(engine, sum(histogram.values()), middle, p90, p99, _bars(histogram, axis))


def _bars(histogram: Histogram, axis: Axis) -> Tuple[Tuple[float, float, float, float], ...]:
    highest = max(histogram.values())
    bars = []
    for index, count in sorted(histogram.items()):
        left, right = (axis.at(edge) for edge in bounds(index))
        height = round(max(1.0, count / highest * HEIGHT), 1)
        bars.append((left, HEIGHT - height, round(max(1.0, right - left), 1), height))
    return tuple(bars)
