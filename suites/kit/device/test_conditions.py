"""Throttling is labelled: by limits, by cooling devices, by samples that become slower."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List

import pytest

from tokassay.device.conditions import Snapshot, Watch, snapshot, throttled

COOL: Dict[str, Any] = {
    "policies": {"policy4": {"scaling_max_freq": "2256000", "cpuinfo_max_freq": "2256000"}},
    "cooling": {"cooling_device0": {"type": "cpufreq", "cur_state": "0"}},
}


def series(*ns: int) -> Dict[str, Any]:
    return {"engine": "e", "tokenizer": "t", "operation": "decode", "ns": ns}


def test_a_cool_board_with_steady_samples_is_not_throttled():
    assert throttled([COOL], [series(*[100] * 64)]) == []


@pytest.mark.parametrize(
    ("one", "found"),
    [
        (
            {**COOL, "policies": {"p": {"scaling_max_freq": "9", "cpuinfo_max_freq": "10"}}},
            "limited to 9 of 10",
        ),
        ({**COOL, "cooling": {"c": {"type": "fan", "cur_state": "2"}}}, "cooling state 2"),
    ],
)
def test_a_limit_and_a_cooling_device_are_named(one: Dict[str, Any], found: str):
    assert found in throttled([COOL, one], [])[0]


def test_a_last_quarter_slower_by_more_than_five_percent_is_named():
    assert throttled([], [series(*[100] * 48, *[106] * 16)]) == [
        "e / t / decode: the last quarter's median is 106 ns, the first one's 100 ns"
    ]
    assert throttled([], [series(*[100] * 48, *[105] * 16)]) == []


def test_files_that_cannot_be_read_are_null(tmp_path: Path):
    policy = tmp_path / "sys/devices/system/cpu/cpufreq/policy0"
    policy.mkdir(parents=True)
    (policy / "scaling_governor").write_text("ondemand\n")
    found = snapshot("before", tmp_path)
    assert found.policies["policy0"]["scaling_governor"] == "ondemand"
    assert found.policies["policy0"]["scaling_cur_freq"] is None
    assert found.boot_id is None


def test_a_watch_tells_before_during_and_after(tmp_path: Path):
    told: List[Snapshot] = []
    with Watch(told.append, 0.001, tmp_path):
        while len(told) < 4:
            pass
    assert [one.phase for one in told] == ["before", *["during"] * (len(told) - 2), "after"]
    assert [one.monotonic_ns for one in told] == sorted(one.monotonic_ns for one in told)
