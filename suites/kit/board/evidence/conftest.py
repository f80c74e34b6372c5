"""Evidence folders without a board: by the layout's own writers, with files and a clock made by hand."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tokassay import __version__, data
from tokassay.board.bundling import _zipped
from tokassay.board.signing import state_and_sign
from tokassay.board.verifying import EvidenceError, Trust, at_hand, verified, write_host
from tokassay.board.verifying.hosting import Ran
from tokassay.checks.engine import EngineInfo
from tokassay.checks.vector import canonical
from tokassay.device import conditions, identity, inputs, running, samples
from tokassay.device import folder as names
from tokassay.device.folder import sha256_of, write_json
from tokassay.device.reference import reference
from tokassay.device.request import Request, Timing
from tokassay.device.statement import NAMESPACE, rendered, statement
from tokassay.verdicts import driver

TOKENIZERS = ("gpt2", "wordpiece-short-words")
LITTLE, BIG = (0, 1, 2, 3), (4, 5, 6, 7)
EPOCH = 1_767_225_600  # 2026-01-01
HOST_KEY = "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"
TIMING = Timing(samples=1024, seconds=0.0, most_seconds=600.0, warmup=2)


# -- a board made of files ----------------------------------------------------------------------------


BOOT = "7f0c0a52-7a11-4f0d-9d3c-0d5f7a3d1d11"


def board_files(
    governor: str = "performance", temperature: int = 45_000, cooling: str = "0", boot: str = BOOT
) -> dict[str, str]:
    """What ``/proc`` and ``/sys`` of an RK3588 hold, as far as it is read."""
    cpu, thermal = "sys/devices/system/cpu", "sys/class/thermal"
    found = {
        "proc/cpuinfo": "\n".join(_cpu(number) for number in (*LITTLE, *BIG)),
        "proc/meminfo": "MemTotal:       16213412 kB\n",
        "proc/sys/kernel/random/boot_id": f"{boot}\n",
        "proc/sys/kernel/arch": "aarch64\n",
        "sys/firmware/devicetree/base/model": "Radxa ROCK 5B\0",
        "sys/firmware/devicetree/base/compatible": "radxa,rock-5b\0rockchip,rk3588\0",
        "sys/devices/system/clocksource/clocksource0/current_clocksource": "arch_sys_counter\n",
        f"{thermal}/thermal_zone0/type": "soc-thermal\n",
        f"{thermal}/thermal_zone0/temp": f"{temperature}\n",
        f"{thermal}/thermal_zone1/type": "bigcore0-thermal\n",
        f"{thermal}/thermal_zone1/temp": f"{temperature + 1500}\n",
        f"{thermal}/cooling_device0/type": "cpufreq-cpu4\n",
        f"{thermal}/cooling_device0/cur_state": f"{cooling}\n",
        f"{thermal}/cooling_device0/max_state": "8\n",
    }
    for number in (*LITTLE, *BIG):
        midr = "0x00000000412fd050" if number in LITTLE else "0x00000000414fd0b0"
        found[f"{cpu}/cpu{number}/regs/identification/midr_el1"] = f"{midr}\n"
    for first, cpus, most in ((0, "0 1 2 3", 1800000), (4, "4 5", 2256000), (6, "6 7", 2256000)):
        policy = {"affected_cpus": cpus, "scaling_governor": governor, "scaling_driver": "cpufreq-dt"}
        policy |= {"scaling_cur_freq": most, "scaling_min_freq": 408000}
        policy |= {"scaling_max_freq": most, "cpuinfo_max_freq": most}
        found |= {f"{cpu}/cpufreq/policy{first}/{name}": f"{value}\n" for name, value in policy.items()}
    return found


def _cpu(number: int) -> str:
    part, variant = ("0xd05", "0x2") if number in LITTLE else ("0xd0b", "0x4")
    return (
        f"processor\t: {number}\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
        f"CPU variant\t: {variant}\nCPU part\t: {part}\nCPU revision\t: 0\n"
    )


def write_tree(root: Path, contents: Mapping[str, str | bytes]) -> None:
    for name, content in contents.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


class Clock:
    """Steady, and the same in every run: a call takes 0.2 ms of its own, on a little core thrice that."""

    def __init__(self, epoch: int, faster: float = 1.0) -> None:
        self.now, self.random, self.start, self.step = 10**12, 1, epoch, 200_000 / faster
        self.slow = 1

    def perf_counter_ns(self) -> int:
        self.random = (self.random * 1_103_515_245 + 12_345) % 2**31
        part = self.random / 2**31
        self.now += int(self.step * self.slow * (1 + part**3 / 2 + (part > 0.99)))
        return self.now

    def monotonic(self) -> float:
        return self.perf_counter_ns() / 1e9

    def gmtime(self, seconds: float | None = None) -> time.struct_time:
        now = self.start + (self.perf_counter_ns() - 10**12) / 1e9
        return time.gmtime(now if seconds is None else seconds)

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


@dataclass(frozen=True)
class LoadsOnce:
    """The reference, which reads a file once: what is tested here is not how long that takes."""

    info: EngineInfo
    load: Callable[[str], Any]

    def close(self) -> None:
        """It is no process."""


def engine(_address: str, _seconds: float) -> LoadsOnce:
    inner = reference()
    return LoadsOnce(replace(inner.info, name="reference"), lru_cache(inner.load))


@contextmanager
def machine(clock: Clock, name: str) -> Iterator[None]:
    """This process on a machine of that name, with eight processors."""
    held: list[set[int]] = [set(range(8))]

    def pin(_pid: int, cpus: Sequence[int]) -> None:
        held[0], clock.slow = set(cpus), 3 if set(cpus) <= set(LITTLE) else 1

    with ExitStack() as stack:
        for module in (conditions, driver, identity, running, samples):
            stack.enter_context(mock.patch.object(module, "time", clock))
        stack.enter_context(mock.patch.object(running, "_allowed", return_value=tuple(range(8))))
        stack.enter_context(mock.patch.object(os, "sched_setaffinity", pin))
        stack.enter_context(mock.patch.object(os, "sched_getaffinity", side_effect=lambda _pid: held[0]))
        stack.enter_context(mock.patch.object(platform, "machine", return_value=name))
        stack.enter_context(mock.patch.object(platform, "platform", return_value=f"Linux-6.1-{name}-with"))
        stack.enter_context(mock.patch.object(running, "WATCH_SECONDS", 0.05))
        stack.enter_context(mock.patch.object(inputs, "LONG", 60))  # many samples, by a clock made by hand
        yield


# -- a whole run --------------------------------------------------------------------------------------


def golden() -> Iterator[tuple[str, bytes]]:
    """Two tokenizers and a few vectors about them."""
    for name in TOKENIZERS:
        path = f"golden/tokenizers/{name}/tokenizer.json"
        yield path, (data.root() / path).read_bytes()
    for path in ("encode/ascii-words.jsonl", "lookup/lookup-hf.jsonl"):
        rows = []
        for line in (data.root() / "golden/vectors" / path).read_bytes().splitlines():
            row = json.loads(line)
            row["expect"] = {name: one for name, one in row["expect"].items() if name in TOKENIZERS}
            if row["expect"] and len(rows) < 8:
                rows.append(canonical(row) + b"\n")
        yield f"golden/vectors/{path}", b"".join(rows)


@dataclass(frozen=True)
class Maker:
    """Makes evidence below `base`: `key` signs, `other` is a key that nobody listed."""

    base: Path
    key: Path
    other: Path
    signers: Path
    bundle: Path

    @property
    def trust(self) -> Trust:
        return Trust(signers=self.signers)

    def refusal(self, folder: Path, trust: Trust | None = None) -> str:
        """Why a folder is refused, every reason with file and field."""
        with pytest.raises(EvidenceError) as caught:
            verified(folder, trust or self.trust)
        assert all(problem.file and problem.reason for problem in caught.value.problems)
        return "\n".join(map(str, caught.value.problems))

    def make(
        self,
        name: str,
        arch: str = "aarch64",
        epoch: int = EPOCH,
        faster: float = 1.0,
        board: str = "",
        **given: Any,
    ) -> Path:
        """A signed folder. `given`: of the request, or of `board_files`."""
        folder, root = self.base / name, self.base / f"{name}-root"
        files = {
            key: given.pop(key) for key in ("governor", "temperature", "cooling", "boot") if key in given
        }
        write_tree(root, {"proc/stat": ""} if given.pop("bare", False) else board_files(**files))
        request = self.request(name, epoch, **given)
        folder.mkdir()
        write_json(folder / names.REQUEST, request)
        (folder / names.TRANSCRIPT).write_text(f"reference: ready for {name}\n", "ascii")
        inputs = dict.fromkeys(request.files, "ab" * 32)
        place = running.Place(folder, (self.base / "data",), self.bundle, inputs, root)
        with machine(Clock(epoch + 60, faster), arch):
            running.run(place, request, engine)
        (folder / names.PROGRESS).unlink()
        write_json(folder / names.CONTROLLER, controller(name, epoch, board or name))
        self.host(folder)
        state_and_sign(folder, self.key)
        return folder

    def host(self, folder: Path) -> None:
        """What this machine answers, beside the rest."""
        ran = Ran.read(folder)
        write_host(folder, ran, at_hand(ran.request, ran.tokenizers, [self.bundle]))

    def request(self, name: str, epoch: int, **given: Any) -> Request:
        values = {
            "run": f"{name}-1",
            "nonce": f"nonce-of-{name}",
            "created": iso(epoch),
            "bundle": sha256_of(self.bundle),
            "tokassay": __version__,
            "tokenizers": TOKENIZERS,
            "files": {"engine.bin": "ab" * 32},
            "timing": TIMING,
        }
        return Request(**{**values, **given})


def controller(name: str, epoch: int, board: str) -> Mapping[str, str]:
    return {
        "host": f"{board}.example",
        "host_key_type": "ssh-ed25519",
        "host_key": HOST_KEY,
        "board": board,
        "run": f"{name}-1",
        "fetched": iso(epoch + 3600),
        "controller": "Linux",
        "tokassay": __version__,
    }


def iso(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


@pytest.fixture(scope="session")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    assert shutil.which("ssh-keygen"), "these tests need ssh-keygen: apt-get install openssh-client"
    base = tmp_path_factory.mktemp("evidence")
    contents = dict(golden())
    write_tree(base / "data", contents)
    manifest = {"version": __version__, "sha256": {}, "compiled": {}}
    (base / "bundle.pyz").write_bytes(_zipped({**contents, "manifest.json": json.dumps(manifest).encode()}))
    for name in ("key", "other"):
        words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(base / name)]
        subprocess.run(words, check=True)
    public = (base / "key.pub").read_text("ascii")
    (base / "signers").write_text(f'operator@example namespaces="{NAMESPACE}" {public}', "ascii")
    return Maker(base, base / "key", base / "other", base / "signers", base / "bundle.pyz")


@pytest.fixture(scope="session")
def good(maker: Maker) -> Path:
    """Of a board that nothing speaks against."""
    return maker.make("rock")


@pytest.fixture(scope="session")
def second(maker: Maker) -> Path:
    """The same board a month later, with less to do."""
    boot = "11111111-7a11-4f0d-9d3c-0d5f7a3d1d11"
    return maker.make(
        "second", board="rock", epoch=EPOCH + 31 * 86400, boot=boot, faster=1.2, tokenizers=TOKENIZERS[:1]
    )


@pytest.fixture(scope="session")
def emulated(maker: Maker) -> Path:
    """The same files, and a runner that says what the processor is."""
    return maker.make("standin", emulated="qemu-user")


@pytest.fixture(scope="session")
def throttled(maker: Maker) -> Path:
    return maker.make("warm", cooling="3", temperature=86_000)


# -- changes -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Changed:
    """A copy of a folder to be changed."""

    folder: Path
    maker: Maker

    def json(self, name: str, change: Callable[[Any], object]) -> None:
        """One JSON file through a function that changes its value in place, or answers another one."""
        value = json.loads((self.folder / name).read_bytes())
        changed = change(value)
        write_json(self.folder / name, value if changed is None else changed)

    def lines(self, name: str, change: Callable[[list[Any]], object]) -> None:
        values = [json.loads(line) for line in (self.folder / name).read_bytes().splitlines()]
        changed = change(values)
        rows = values if changed is None else changed
        text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
        (self.folder / name).write_text(text, "ascii")

    def data(self, name: str, change: Callable[[bytes], bytes]) -> None:
        (self.folder / name).write_bytes(change((self.folder / name).read_bytes()))

    def outcome_hashes(self) -> None:
        found = {name: sha256_of(self.folder / name) for name in names.BOARD_FILES}
        self.json(names.OUTCOME, lambda outcome: outcome.update(files=found))

    def host(self) -> None:
        """This machine's answers anew, to what the results now say was tried."""
        self.maker.host(self.folder)

    def seal(self, key: Path | None = None, *, hashes: bool = True) -> None:
        """Everything anew that can be made anew, as somebody would who holds the key."""
        if hashes:
            self.outcome_hashes()
        state_and_sign(self.folder, key or self.maker.key)

    def sign(self, key: Path | None = None, namespace: str = NAMESPACE) -> None:
        """The signature alone."""
        path = self.folder / names.STATEMENT
        (self.folder / names.SIGNATURE).unlink(missing_ok=True)
        words = [
            "ssh-keygen",
            "-q",
            "-Y",
            "sign",
            "-n",
            namespace,
            "-f",
            str(key or self.maker.key),
            str(path),
        ]
        subprocess.run(words, check=True, capture_output=True)

    def restate(self, change: Callable[[Any], object]) -> None:
        """Another statement about the same files, signed by the right key."""
        found = json.loads(rendered(statement(self.folder)))
        changed = change(found)
        (self.folder / names.STATEMENT).write_bytes(rendered(found if changed is None else changed))
        self.sign()


@pytest.fixture
def copied(maker: Maker, tmp_path: Path) -> Iterator[Callable[[Path], Changed]]:
    numbers = iter(range(1_000_000))

    def made(source: Path) -> Changed:
        return Changed(shutil.copytree(source, tmp_path / str(next(numbers)), symlinks=True), maker)

    yield made
    shutil.rmtree(tmp_path, ignore_errors=True)
