"""Who the board is: read from /proc and /sys, or from files made by hand in their place."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Mapping

import pytest

from tokassay.device.cores import Core, cores
from tokassay.device.identity import collect, emulation

BLOCK = "processor\t: {}\nCPU implementer\t: 0x41\nCPU variant\t: 0x4\nCPU part\t: {}\nCPU revision\t: 0\n"


def rk3588(root: Path, parts: Mapping[int, str]) -> Path:
    files = {
        "proc/cpuinfo": "\n".join(BLOCK.format(number, part) for number, part in parts.items()),
        "proc/meminfo": "MemTotal:  16000000 kB\n",
        "proc/sys/kernel/arch": "aarch64\n",
        "proc/sys/kernel/random/boot_id": "b007\n",
        "sys/firmware/devicetree/base/model": "Radxa ROCK 5B\0",
        "sys/firmware/devicetree/base/compatible": "radxa,rock-5b\0rockchip,rk3588\0",
        "sys/devices/system/cpu/cpu0/regs/identification/midr_el1": "0x412fd050\n",
    }
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return root


def test_device_tree_strings_end_at_nul(tmp_path: Path):
    found = collect(rk3588(tmp_path, {0: "0xd05", 4: "0xd0b"}))
    assert (found.model, found.compatible) == ("Radxa ROCK 5B", ("radxa,rock-5b", "rockchip,rk3588"))
    assert [(cpu.number, cpu.name) for cpu in found.cpus] == [(0, "Cortex-A55"), (4, "Cortex-A76")]
    assert (found.memory_kib, found.boot_id, found.cpus[0].midr) == (16000000, "b007", "0x412fd050")
    assert found.missing == {}


def test_what_cannot_be_read_is_null_with_a_reason(tmp_path: Path):
    found = collect(tmp_path)
    assert (found.model, found.memory_kib, found.boot_id) == (None, None, None)
    assert {"model", "compatible", "cpus", "memory_kib", "boot_id"} <= set(found.missing)


def test_a_whole_identity_is_not_emulated(tmp_path: Path):
    whole = {**asdict(collect(rk3588(tmp_path, {0: "0xd05"}))), "machine": "aarch64", "told": None}
    assert emulation(whole) == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"machine": "x86_64"}, "the machine is x86_64"),
        ({"kernel_arch": "x86_64"}, "the kernel's own architecture is x86_64, not aarch64"),
        ({"told": "qemu-user"}, "its environment says qemu-user"),
        ({"missing": {"midr": "not there"}}, "no midr: not there"),
    ],
)
def test_each_sign_of_an_emulator_suffices(tmp_path: Path, change: Mapping[str, object], reason: str):
    whole = {
        **asdict(collect(rk3588(tmp_path, {0: "0xd05"}))),
        "machine": "aarch64",
        "kernel_arch": "aarch64",
    }
    assert reason in emulation({**whole, "told": None, **change})


def test_one_core_of_each_part_big_before_little(tmp_path: Path):
    cpus = collect(rk3588(tmp_path, {n: "0xd05" if n < 4 else "0xd0b" for n in range(8)})).cpus
    assert cores(cpus, range(8)) == (Core("0xd0b", 7), Core("0xd05", 3))
    assert cores(cpus, (0, 1)) == (Core("0xd05", 1),)


def test_without_part_numbers_nothing_is_pinned():
    assert cores((), (0, 1)) == (Core("", None),)
