"""Board runs: bundle, run, import, verify. docs/board.md goes through them in ten steps."""

from __future__ import annotations

import argparse
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from tokassay.board.bundling import archive, bundle, sha256, templates
from tokassay.board.concluding import Result, Signing, concluded
from tokassay.board.conducting import ERRORS, Conductor, Lines
from tokassay.board.controlling import Session, note_controller, request_of, store_request
from tokassay.board.links import Here
from tokassay.board.settings import LOCAL, Board, SettingsError, inventory, selected
from tokassay.device import folder as names
from tokassay.verdicts.exit_code import ENGINE_DOWN

from . import UsageError, _board_report, _board_verify

NAME = "board"
HELP = "run the suites on a device, with evidence that can be checked"
PRIORITY = (2, 4, 3, 1, 0)
#: One value each.
PLAIN = ("wheels", "emulated", "samples", "seconds", "most_seconds", "cold", "timeout", "templates")


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _configure_bundle(actions.add_parser("bundle", help="one file for the device"))
    _configure_run(actions.add_parser("run", help="copy, run, fetch, sign"))
    importing = actions.add_parser("import", help="take in a folder that was run by hand on a device")
    importing.add_argument(
        "folder", type=Path, metavar="FOLDER", help="the run's folder, as the device left it"
    )
    importing.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the evidence goes")
    importing.add_argument("--key", type=Path, metavar="FILE", help="SSH key that signs")
    importing.add_argument(
        "--bundle", type=Path, metavar="FILE", help="that ran, if it is no longer made here"
    )
    _board_verify.add_archives(importing)
    _board_verify.configure(actions.add_parser("verify", help=_board_verify.HELP))
    _board_report.configure(actions.add_parser("report", help=_board_report.HELP))


def _configure_bundle(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", type=Path, nargs="?", default=Path("tokassay-board.pyz"), metavar="FILE")
    parser.add_argument("--zoo-out", type=Path, default=Path("zoo.zip"), metavar="FILE", help="their archive")
    parser.add_argument(
        "--templates-out",
        type=Path,
        default=Path("templates.zip"),
        metavar="FILE",
        help="archive for chat templates",
    )
    parser.add_argument(
        "--request", type=Path, metavar="FOLDER", help="make HOME/runs/NAME for a run by hand, files included"
    )
    _configure_selection(parser)


def _configure_run(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--host", metavar="H", help="as ssh takes it")
    where.add_argument("--inventory", type=Path, metavar="FILE", help="boards in TOML")
    where.add_argument("--local", action="store_true", help="this machine is the board")
    parser.add_argument(
        "--board", action="append", default=[], metavar="NAME", help="of the inventory, or a group"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("board-evidence"), metavar="DIR", help="(%(default)s)"
    )
    parser.add_argument("--key", type=Path, metavar="FILE", help="SSH key that signs the statement here")
    parser.add_argument("--bundle", type=Path, metavar="FILE", help="made before; default: made now")
    parser.add_argument("--patience", type=float, default=600.0, metavar="S", help="for a lost connection")
    parser.add_argument("--ssh-config", default="", metavar="FILE", help="instead of the user's")
    for name in ("python", "home", "board-key"):
        parser.add_argument(f"--{name}", metavar=name.upper())
    _configure_selection(parser)


def _configure_selection(parser: argparse.ArgumentParser) -> None:
    for name in ("engine", "tokenizer", "suite", "level", "vector", "file"):
        parser.add_argument(f"--{name}", action="append", default=[], metavar=name[0].upper())
    parser.add_argument(
        "--zoo", action="append", default=[], metavar="NAME", help="real tokenizer, repeatable"
    )
    parser.add_argument("--wheels", metavar="TAR", help="wheels for the board's Python")
    parser.add_argument("--emulated", metavar="WHY", help="the processor is no real one")
    parser.add_argument(
        "--timed",
        action="append",
        default=[],
        metavar="T",
        help="whose latency is measured, repeatable",
    )
    parser.add_argument("--samples", type=int, metavar="N", help="of each series; 0: none")
    parser.add_argument("--seconds", type=float, metavar="S", help="of each series, at least")
    parser.add_argument("--most-seconds", type=float, metavar="S", help="of each series, at most; 60")
    parser.add_argument("--cold", type=int, metavar="N", help="cold starts of each kind; 0: none")
    parser.add_argument("--timeout", type=float, metavar="S", help="for one case of an engine in a process")
    parser.add_argument(
        "--with-templates",
        dest="templates",
        action="store_const",
        const=True,
        help="send what chat templates need (jinja2), so that their suite runs, too",
    )


def run(args: argparse.Namespace) -> int:
    try:
        own = {"bundle": _bundle, "run": _run, "import": _import}
        own |= {"verify": _board_verify.run, "report": _board_report.run}
        return own[args.action](args)
    except (SettingsError, ValueError) as error:
        raise UsageError(str(error)) from error


def _bundle(args: argparse.Namespace) -> int:
    made = {args.out: bundle()}
    if args.zoo:
        made[args.zoo_out] = archive(args.zoo)
    if args.templates:
        made[args.templates_out] = templates()
    for path, content in made.items():
        path.write_bytes(content)
        print(f"{sha256(content)}  {path}  {len(content)} bytes")
    if args.request:
        _prepare(args)
    return 0


def _prepare(args: argparse.Namespace) -> None:
    """A home to be carried to the board: the request, and the files that it names by sha256."""
    board = _selection(args, Board(args.request.name, LOCAL, zoo=tuple(args.zoo)))
    files = dict(Conductor(args.request, bundle=args.out).files(board))
    request, inputs = request_of(board, args.out, files)
    kept = args.request.resolve().parent.parent / "files"
    kept.mkdir(parents=True, exist_ok=True)
    for name, path in inputs.items():
        shutil.copyfile(path, kept / name)
        (kept / name).chmod(0o755)
    store_request(args.request, request)
    print(f"{args.request}: run {request.run}, nonce {request.nonce}")


def _boards(args: argparse.Namespace) -> list[Board]:
    if args.inventory:
        return selected(inventory(args.inventory), args.board)
    host = LOCAL if args.local else args.host
    board = Board(host.rpartition("@")[2], host, args.ssh_config, zoo=tuple(args.zoo))
    given = {name: getattr(args, name) for name in ("python", "home", "board_key")}
    board = replace(board, **{name: value for name, value in given.items() if value is not None})
    return [_selection(args, board)]


def _selection(args: argparse.Namespace, board: Board) -> Board:
    """The board with what the options say; what they do not say stays."""
    given = {name: getattr(args, name) for name in PLAIN}
    several = ("engine", "tokenizer", "suite", "level", "vector", "file")
    given.update({f"{name}s": tuple(getattr(args, name)) or None for name in several})
    given["timed"] = tuple(args.timed) or None
    return replace(board, **{name: value for name, value in given.items() if value is not None})


def _run(args: argparse.Namespace) -> int:
    lines = Lines()
    conductor = Conductor(args.out, args.key, args.bundle, args.patience, lines.tell)
    try:
        results = conductor.conduct(_boards(args))
    except KeyboardInterrupt:
        lines.end()
        print("stopped here; runs on boards go on, and the same command fetches them", file=sys.stderr)
        raise
    lines.end()
    return _told(results)


def _told(results: list[Result]) -> int:
    for one in results:
        print(f"{one.board}: exit code {one.exit_code}; {one.reason or one.folder}")
        for line in (*one.told, *one.missing):
            print(f"{one.board}: {line}")
    codes = {one.exit_code for one in results}
    return next((code for code in PRIORITY if code in codes), ENGINE_DOWN)


def _import(args: argparse.Namespace) -> int:
    """A folder that was carried here: copied, noted as local, compared with this host, stated, signed."""
    args.out.mkdir(parents=True, exist_ok=True)
    try:
        for name in (names.REQUEST, *names.BOARD_FILES, names.OUTCOME):
            shutil.copyfile(args.folder / name, args.out / name)
        board = Board(args.folder.name, LOCAL)
        session = Session(board, Here(), args.out, lambda _line: None)
        note_controller(session, names.read_json(args.out / names.REQUEST)["run"])
        carried = args.folder.resolve().parent.parent / "files"
        files = [*([args.bundle] if args.bundle else []), *args.archive, *carried.glob("*")]
        return _told([concluded(board.name, args.out, files, Signing(args.key))])
    except ERRORS as error:
        raise UsageError(f"{args.folder} cannot be taken in: {error}") from error
