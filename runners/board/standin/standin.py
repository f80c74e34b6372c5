"""Stand-in boards on this machine: sshd on loopback, everything behind the login aarch64. No real silicon.

    standin.py build                       the arm64 tree, once for each user
    standin.py start FOLDER [--boards N]   N boards; FOLDER/ssh_config names them board0, board1, ...
    standin.py stop FOLDER

Keys are made anew for each folder. Latency on a stand-in is an emulator's: it says nothing about a board.
"""

from __future__ import annotations

import argparse
import contextlib
import getpass
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = "bookworm-3.11"
SSHD = "/usr/sbin/sshd"
#: An RK3588's processors: number → part. Where this machine has fewer, one of each kind.
RK3588 = {number: "0xd05" if number < 4 else "0xd0b" for number in range(8)}
REVISIONS = {"0xd05": ("0x2", "0x412fd050"), "0xd0b": ("0x4", "0x414fd0b0")}  # variant, midr
MHZ = {"0xd05": 1800000, "0xd0b": 2256000}
ZONES = ("soc", "bigcore0", "bigcore2", "littlecore", "center", "gpu", "npu")


def cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tokassay" / "standin" / BUILD


def build() -> Path:
    """The folder with the arm64 tree and the emulator. Raises CalledProcessError."""
    subprocess.run([HERE / "build.sh", cache()], check=True)
    return cache()


def start(folder: Path, boards: int = 1) -> Path:
    """Boards with keys, fixtures and an sshd each; the ssh_config that names them."""
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    _key(folder / "user_key")
    config, known = [], []
    for number in range(boards):
        board = folder / f"board{number}"
        port = prepare(board, (folder / "user_key.pub").read_text())
        serve(board)
        host_key = (board / "host_key.pub").read_text().split()[:2]
        known.append(f"[127.0.0.1]:{port} {' '.join(host_key)}")
        config.append(_client(folder, board.name, port))
    (folder / "known_hosts").write_text("\n".join(known) + "\n")
    (folder / "ssh_config").write_text("\n".join(config))
    return folder / "ssh_config"


def prepare(board: Path, user_key: str) -> int:
    """A board's folder; the port of its sshd."""
    for name in ("home", "tmp", "run", "sys"):
        (board / name).mkdir(parents=True, exist_ok=True)
    _key(board / "host_key")
    (board / "authorized_keys").write_text(user_key)
    fixtures(board)
    told = {
        "tree": str(cache() / "tree"),
        "emulator": str(cache() / "qemu-aarch64-static"),
        # proot does not translate the paths that this emulator asks access() about: temporary files lie where
        # they do on this machine, because engines look for theirs (MNN's wheel does)
        "binds": [f"{board}/tmp:{board}/tmp"],
        "environment": ["TOKASSAY_EMULATED=qemu-user", f"TMPDIR={board}/tmp"],
    }
    (board / "board.json").write_text(json.dumps(told))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    (board / "sshd_config").write_text(_server(board, port))
    return port


def serve(board: Path) -> None:
    """Start a board's sshd. Raises CalledProcessError."""
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    subprocess.run([SSHD, "-f", board / "sshd_config", "-E", board / "sshd.log"], check=True)


def stop(folder: Path) -> None:
    for pid in Path(folder).resolve().glob("board*/sshd.pid"):
        with contextlib.suppress(ProcessLookupError, ValueError, FileNotFoundError):
            os.kill(int(pid.read_text()), signal.SIGTERM)


def _key(path: Path) -> None:
    if not path.exists():
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "stand-in", "-f", path], check=True
        )


def _server(board: Path, port: int) -> str:
    return f"""ListenAddress 127.0.0.1
Port {port}
HostKey {board}/host_key
PidFile {board}/sshd.pid
AuthorizedKeysFile {board}/authorized_keys
AllowUsers {getpass.getuser()}
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitUserRC no
MaxStartups 50
Subsystem sftp /usr/lib/openssh/sftp-server
ForceCommand {sys.executable} {HERE / "login.py"} {board}
"""


def _client(folder: Path, name: str, port: int) -> str:
    return f"""Host {name}
  HostName 127.0.0.1
  Port {port}
  User {getpass.getuser()}
  IdentityFile {folder}/user_key
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known_hosts
  GlobalKnownHostsFile /dev/null
"""


def fixtures(board: Path) -> None:
    """What an RK3588's kernel shows, written by us after published reviews."""
    processors = RK3588 if len(os.sched_getaffinity(0)) > 4 else {0: "0xd05", 1: "0xd0b"}
    (board / "cpuinfo").write_text("\n".join(_processor(*item) for item in processors.items()))
    for number, part in processors.items():
        _file(board, f"devices/system/cpu/cpu{number}/regs/identification/midr_el1", REVISIONS[part][1])
        if number % 2 == 0 or len(processors) == 2:
            _policy(board, number, part)
    _file(board, "firmware/devicetree/base/model", "Radxa ROCK 5B (stand-in)\0")
    _file(board, "firmware/devicetree/base/compatible", "radxa,rock-5b\0rockchip,rk3588\0")
    for number, name in enumerate(ZONES):
        _file(board, f"class/thermal/thermal_zone{number}/type", f"{name}-thermal")
        _file(board, f"class/thermal/thermal_zone{number}/temp", "42000")
    _file(board, "class/thermal/cooling_device0/type", "cpufreq-cpu0")
    _file(board, "class/thermal/cooling_device0/cur_state", "0")
    _file(board, "class/thermal/cooling_device0/max_state", "6")


def _processor(number: int, part: str) -> str:
    variant = REVISIONS[part][0]
    return (
        f"processor\t: {number}\nBogoMIPS\t: 48.00\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
        f"CPU variant\t: {variant}\nCPU part\t: {part}\nCPU revision\t: 0\n"
    )


def _policy(board: Path, number: int, part: str) -> None:
    folder = f"devices/system/cpu/cpufreq/policy{number}"
    for name, value in {
        "affected_cpus": number,
        "scaling_governor": "performance",
        "scaling_driver": "cpufreq-dt",
        "scaling_cur_freq": MHZ[part],
        "scaling_min_freq": 408000,
        "scaling_max_freq": MHZ[part],
        "cpuinfo_max_freq": MHZ[part],
    }.items():
        _file(board, f"{folder}/{name}", str(value))


def _file(board: Path, name: str, content: str) -> None:
    path = board / "sys" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if content.endswith("\0") else content + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=("build", "start", "stop"))
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--boards", type=int, default=1)
    args = parser.parse_args()
    if args.action == "build":
        print(build())
    elif args.folder is None:
        parser.error("a folder is needed")
    elif args.action == "start":
        build()
        print(start(args.folder, args.boards))
    else:
        stop(args.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
