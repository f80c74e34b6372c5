"""Which board this is: what the kernel, the device tree and Python say of themselves.

Everything is read below a root, so that files made by hand can be read in its place. What cannot be read
is null, and `Identity.missing` says why.
"""

from __future__ import annotations

import os
import platform
import re
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Tuple

DEVICE_TREE = "sys/firmware/devicetree/base"
CPUS = "sys/devices/system/cpu"
TOLD = "TOKASSAY_EMULATED"
BOOT_ID = "proc/sys/kernel/random/boot_id"
#: Arm's part numbers by name, as ``/proc/cpuinfo`` has them: the two of an RK3588, big and little.
PARTS: Mapping[str, str] = {"0xd0b": "Cortex-A76", "0xd05": "Cortex-A55"}


@dataclass(frozen=True)
class Cpu:
    """One processor of ``/proc/cpuinfo``; `midr` as sysfs has it."""

    number: int
    implementer: str = ""
    part: str = ""
    variant: str = ""
    revision: str = ""
    midr: Optional[str] = None

    @property
    def name(self) -> str:
        return PARTS.get(self.part, self.part or "unknown")


@dataclass(frozen=True)
class Identity:
    """What the board is.

    `storage`: place → size and what is free. `told`: the variable `TOLD` of its environment, by which an
    emulator's runner says what it is. `missing`: field → why it is null.
    """

    model: Optional[str]
    compatible: Tuple[str, ...]
    cpus: Tuple[Cpu, ...]
    machine: str
    kernel: str
    kernel_arch: Optional[str]
    libc: str
    python: str
    python_build: str
    page_size: int
    memory_kib: Optional[int]
    storage: Mapping[str, str]
    boot_id: Optional[str]
    utc: str
    clock: Mapping[str, str]
    told: Optional[str] = None
    missing: Mapping[str, str] = field(default_factory=dict)


def collect(root: Path = Path("/")) -> Identity:
    """The identity of the machine whose ``/proc`` and ``/sys`` lie below `root`."""
    missing: Dict[str, str] = {}
    read = _Reader(root, missing)
    compatible = read.text("compatible", f"{DEVICE_TREE}/compatible") or ""
    model = read.text("model", f"{DEVICE_TREE}/model")
    return Identity(
        model=model and model.strip("\0\n "),
        compatible=tuple(part for part in compatible.split("\0") if part.strip()),
        cpus=_cpus(read),
        machine=platform.machine(),
        kernel=f"{os.uname().sysname} {os.uname().release} {os.uname().version}",
        kernel_arch=_first_line(read.text("", "proc/sys/kernel/arch")),
        libc=" ".join(platform.libc_ver()).strip(),
        python=sys.version,
        python_build=" ".join(platform.python_build()),
        page_size=os.sysconf("SC_PAGE_SIZE"),
        memory_kib=_memory(read),
        storage=_storage(root),
        boot_id=boot_id(root, missing),
        utc=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        clock=_clock(read),
        told=os.environ.get(TOLD),
        missing=missing,
    )


def boot_id(root: Path = Path("/"), missing: Optional[Dict[str, str]] = None) -> Optional[str]:
    """It changes with every boot."""
    return _first_line(_Reader(root, {} if missing is None else missing).text("boot_id", BOOT_ID))


def emulation(identity: Mapping[str, object]) -> List[str]:
    """Why an identity (as JSON) is that of no real Arm board; empty where nothing speaks against it.

    Files made by hand can make this empty: the runner's configuration decides beside it.
    """
    found = []
    if not str(identity.get("machine", "")).startswith(("aarch64", "arm")):
        found.append(f"the machine is {identity.get('machine')}")
    if identity.get("told"):
        found.append(f"its environment says {identity['told']}")
    arch = identity.get("kernel_arch")
    if arch and arch != identity.get("machine"):
        found.append(f"the kernel's own architecture is {arch}, not {identity.get('machine')}")
    missing = identity.get("missing")
    if isinstance(missing, dict):
        found += [f"no {name}: {reason}" for name, reason in sorted(missing.items())]
    return found


class _Reader:
    """Reads small files and notes under a field's name why one could not be read."""

    def __init__(self, root: Path, missing: Dict[str, str]) -> None:
        self.root, self.missing = root, missing

    def text(self, name: str, path: str) -> Optional[str]:
        try:
            return (self.root / path).read_bytes().decode("utf-8", "replace")
        except OSError as error:
            if name:
                self.missing[name] = f"/{path}: {error.strerror}"
            return None


def _first_line(text: Optional[str]) -> Optional[str]:
    return text.strip().split("\n")[0] if text else None


def _cpus(read: _Reader) -> Tuple[Cpu, ...]:
    """Blocks of ``/proc/cpuinfo``, one per processor."""
    found: List[Cpu] = []
    for block in (read.text("cpus", "proc/cpuinfo") or "").split("\n\n"):
        values = {key.strip(): value.strip() for key, _, value in _pairs(block)}
        if "processor" in values and values["processor"].isdigit():
            found.append(_cpu(read, int(values["processor"]), values))
    if found and not all(cpu.implementer for cpu in found):
        read.missing["cpu_implementer"] = "/proc/cpuinfo names no CPU implementer"
    if found and all(cpu.midr is None for cpu in found):
        read.missing["midr"] = f"/{CPUS}/cpu*/regs/identification/midr_el1: No such file or directory"
    return tuple(found)


def _pairs(block: str) -> List[Tuple[str, str, str]]:
    return [line.partition(":") for line in block.split("\n") if ":" in line]


def _cpu(read: _Reader, number: int, values: Mapping[str, str]) -> Cpu:
    midr = read.text("", f"{CPUS}/cpu{number}/regs/identification/midr_el1")
    return Cpu(
        number,
        values.get("CPU implementer", ""),
        values.get("CPU part", "").lower(),
        values.get("CPU variant", ""),
        values.get("CPU revision", ""),
        _first_line(midr),
    )


def _memory(read: _Reader) -> Optional[int]:
    found = re.search("MemTotal: *([0-9]+) kB", read.text("memory_kib", "proc/meminfo") or "")
    return int(found.group(1)) if found else None


def _storage(root: Path) -> Mapping[str, str]:
    """Where the run's files lie; sizes in KiB."""
    found = {}
    for name in ("/", "/tmp", os.path.expanduser("~")):  # noqa: S108, PTH111 - three places of a board
        try:
            held = os.statvfs(root / name.lstrip("/"))
            found[name] = (
                f"{held.f_blocks * held.f_frsize >> 10} KiB, {held.f_bavail * held.f_frsize >> 10} free"
            )
        except OSError:  # noqa: PERF203 - a place that is not there is not told
            continue
    return found


def _clock(read: _Reader) -> Mapping[str, str]:
    source = read.text("", "sys/devices/system/clocksource/clocksource0/current_clocksource")
    info = time.get_clock_info("perf_counter")
    return {
        "source": _first_line(source) or "unknown",
        "perf_counter": info.implementation,
        "resolution": repr(info.resolution),
    }
