"""Under which conditions a run took place: clock frequencies, temperatures, cooling, load."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from .identity import boot_id

CPUFREQ, THERMAL = "sys/devices/system/cpu/cpufreq", "sys/class/thermal"
POLICY: Tuple[str, ...] = ("affected_cpus", "scaling_governor", "scaling_driver", "scaling_cur_freq")
POLICY += ("scaling_min_freq", "scaling_max_freq", "cpuinfo_max_freq")
DRIFT = 0.05  # the last quarter of a series slower than the first one by more than this: throttled


@dataclass(frozen=True)
class Snapshot:
    """One moment. Frequencies in kHz, temperatures in thousandths of a degree, as sysfs has them.

    Attributes:
        phase: ``before``, ``during`` or ``after``.
        monotonic_ns: of the clock that times the samples, too.
        policies: cpufreq policy → file of `POLICY` → content, null where it cannot be read.
        zones: thermal zone → type and temperature.
        cooling: cooling device → its type and current state.
        load: the three load averages.
    """

    phase: str
    utc: str
    monotonic_ns: int
    boot_id: Optional[str]
    policies: Mapping[str, Mapping[str, Optional[str]]]
    zones: Mapping[str, Mapping[str, Optional[str]]]
    cooling: Mapping[str, Mapping[str, Optional[str]]]
    load: Sequence[float] = field(default_factory=tuple)

    def to_json(self) -> Dict[str, Any]:
        return asdict(self)


def snapshot(phase: str, root: Path = Path("/")) -> Snapshot:
    """What the files below `root` say now."""
    return Snapshot(
        phase,
        time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        time.perf_counter_ns(),
        boot_id(root),
        _each(root / CPUFREQ, "policy", POLICY),
        _each(root / THERMAL, "thermal_zone", ("type", "temp")),
        _each(root / THERMAL, "cooling_device", ("type", "cur_state", "max_state")),
        _load(),
    )


def _load() -> Sequence[float]:
    try:
        return os.getloadavg()
    except OSError:
        return ()


def _each(folder: Path, prefix: str, files: Sequence[str]) -> Dict[str, Dict[str, Optional[str]]]:
    try:
        names = sorted(name for name in os.listdir(folder) if name.startswith(prefix))  # noqa: PTH208
    except OSError:
        return {}
    return {name: {file: _content(folder / name / file) for file in files} for name in names}


def _content(path: Path) -> Optional[str]:
    try:
        return path.read_bytes().decode("utf-8", "replace").strip()
    except OSError:
        return None


def throttled(snapshots: Sequence[Mapping[str, Any]], series: Sequence[Mapping[str, Any]]) -> List[str]:
    """Why a run counts as throttled, from its snapshots and its series as JSON; empty where nothing says so.

    A limit below what the processor can do, a cooling device at work, or a series that became slower.
    """
    found: List[str] = []
    for one in snapshots:
        for name, policy in sorted(one["policies"].items()):
            if _below(policy.get("scaling_max_freq"), policy.get("cpuinfo_max_freq")):
                most, can = policy["scaling_max_freq"], policy["cpuinfo_max_freq"]
                found.append(f"{name}: limited to {most} of {can} kHz")
        for name, device in sorted(one["cooling"].items()):
            if device.get("cur_state") not in (None, "0"):
                found.append(f"{name} ({device.get('type')}): cooling state {device['cur_state']}")
    found += [why for one in series for why in _slower(one)]
    return list(dict.fromkeys(found))


def _below(value: Optional[str], limit: Optional[str]) -> bool:
    return bool(value and limit and value.isdigit() and limit.isdigit() and int(value) < int(limit))


def _slower(series: Mapping[str, Any]) -> List[str]:
    taken: Sequence[int] = series["ns"]
    quarter = len(taken) // 4
    if quarter < 16:  # noise, not heat
        return []
    first, last = (sorted(part)[quarter // 2] for part in (taken[:quarter], taken[-quarter:]))
    if last <= first * (1 + DRIFT):
        return []
    name = f"{series['engine']} / {series['tokenizer']} / {series['operation']}"
    return [f"{name}: the last quarter's median is {last} ns, the first one's {first} ns"]


class Watch:
    """Takes a snapshot every few seconds while a run goes on, on a thread of its own."""

    def __init__(self, write: Callable[[Snapshot], None], seconds: float, root: Path = Path("/")) -> None:
        self._write, self._seconds, self._root = write, seconds, root
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Watch:
        self._write(snapshot("before", self._root))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._write(snapshot("after", self._root))

    def _watch(self) -> None:
        while True:
            self._write(snapshot("during", self._root))
            if self._ended.wait(self._seconds):
                return
