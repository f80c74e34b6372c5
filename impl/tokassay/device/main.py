"""What a bundle does on a board: ``start``, ``run``, ``status``, ``stop``, ``identity``.

A run's folder lies in ``HOME/runs/``; what it needs lies in ``HOME/files/`` under its sha256.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tarfile
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Dict, List, Sequence

import tokassay
from tokassay.core.errors import FormatError

from . import folder
from .detaching import BusyError, detach, is_running, locked, status, stop
from .folder import sha256_of
from .request import Request

if TYPE_CHECKING:
    from .running import Opener

ARCHIVE, WHEELS, TEMPLATES = "zoo.zip", "wheels.tar", "templates.zip"  # names of files that are unpacked
WORK = "work"  # in the run's folder: the files that the engines find beside them
USAGE, BUSY = 2, 5
HELP = "usage: BUNDLE start|run|status|stop FOLDER, BUNDLE identity, BUNDLE --version"


def main(arguments: Sequence[str], bundle: Path, data: Path, open_engine: Opener) -> int:
    """The exit code; results as JSON on stdout, everything else on stderr."""
    if list(arguments) == ["identity"]:
        from . import identity  # noqa: PLC0415 - the answer to a run's start waits for nothing else

        return _told(asdict(identity.collect()))
    if len(arguments) != 2 or arguments[0] not in ("start", "run", "status", "stop"):
        return _refused(HELP, USAGE)
    path = Path(arguments[1]).resolve()
    home = path.parent.parent
    try:
        if arguments[0] == "status":
            return _told(status(path, home))
        if arguments[0] == "stop":
            return _told({"stopped": stop(path, home)})
        return _begun(path, home, bundle, data, open_engine, detached=arguments[0] == "start")
    except BusyError as error:
        return _refused(str(error), BUSY)
    except (OSError, ValueError, FormatError) as error:
        return _refused(str(error), USAGE)


def _told(value: Dict[str, object]) -> int:
    print(json.dumps(value))  # noqa: T201
    return 0


def _refused(reason: str, code: int) -> int:
    print(reason, file=sys.stderr)  # noqa: T201
    return code


def _begun(path: Path, home: Path, bundle: Path, data: Path, open_engine: Opener, *, detached: bool) -> int:
    request = Request.of(folder.read_json(path / folder.REQUEST))
    if detached and is_running(path, home):  # begun before; the answer was lost
        return _told({"pid": int((path / folder.PID).read_text("ascii"))})
    locked(home).close()  # a run that is going on is left alone
    _forget(path)
    folders, inputs = (data, *unpacked(request, home)), _linked(request, path, home)

    def work() -> int:
        from .running import Place, run  # noqa: PLC0415 - as above

        os.chdir(path / WORK)
        return run(Place(path, folders, bundle, inputs), request, open_engine).exit_code

    if detached:
        return _told({"pid": detach(path, home, work)})
    with locked(home), open(path / folder.TRANSCRIPT, "ab"):  # noqa: PTH123
        return work()


def _forget(path: Path) -> None:
    """What an attempt left that was cut off: a run is of one process, so it begins anew."""
    for name in (*folder.BOARD_FILES, folder.OUTCOME, folder.PROGRESS, folder.PID):
        (path / name).unlink(missing_ok=True)


def _linked(request: Request, path: Path, home: Path) -> Dict[str, str]:
    """The files of a request beside which the engines start; their sha256, checked. Raises ValueError."""
    work = path / WORK
    work.mkdir(exist_ok=True)
    for name, expected in request.files.items():
        if Path(name).name != name:
            raise ValueError(f"{name!r} is no file name")
        found = sha256_of(home / "files" / expected)
        if found != expected:
            raise ValueError(f"{name} has the sha256 {found}, not {expected}: send it again")
        (work / name).unlink(missing_ok=True)
        shutil.copy(home / "files" / expected, work / name)  # no link: an engine may look at its own path
    return dict(request.files)


def unpacked(request: Request, home: Path) -> List[Path]:
    """The data folders of the request's archives; wheels and chat templates go onto the path of imports."""
    kinds = {WHEELS: _extract_wheels, TEMPLATES: _extract_zip, ARCHIVE: _extract_zip}
    found = {
        name: _extracted(home, request.files[name], extract)
        for name, extract in kinds.items()
        if name in request.files
    }
    for name in (WHEELS, TEMPLATES):
        if name in found:
            _make_importable(found[name])
    return [found[name] for name in (ARCHIVE, TEMPLATES) if name in found]


def _make_importable(site: Path) -> None:
    """Here and in the engines' processes; a part of this package that lies there is found here, too."""
    sys.path.insert(0, str(site))
    tokassay.__path__.append(str(site / "tokassay"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))


def _extracted(home: Path, sha256: str, extract: Callable[[Path, Path], None]) -> Path:
    """An archive's folder, made once: another run finds it whole or not at all."""
    target, source = home / "unpacked" / sha256, home / "files" / sha256
    if target.is_dir():
        return target
    partial = target.with_name(f"{target.name}.{os.getpid()}")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    extract(source, partial)
    partial.replace(target)
    return target


def _extract_zip(source: Path, target: Path) -> None:
    with zipfile.ZipFile(source) as archive:
        archive.extractall(target)  # noqa: S202 - its sha256 was asked for


def _extract_wheels(source: Path, target: Path) -> None:
    with tarfile.open(source) as archive:
        for member in archive:
            wheel = archive.extractfile(member)
            if wheel is not None:
                with zipfile.ZipFile(wheel) as content:
                    content.extractall(target)  # noqa: S202
