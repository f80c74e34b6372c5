"""A run survives lost connections, damaged transfers and reboots; what it cannot survive it says clearly."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tokassay.board.controlling import (
    BoardError,
    Session,
    begin,
    clock_note,
    controlled,
    request_of,
    send,
    shake_hands,
    state,
    store_request,
)
from tokassay.board.links import Here, HostKeyError, LinkError, _lost
from tokassay.board.settings import Board
from tokassay.device import folder as names
from tokassay.device.detaching import is_running
from tokassay.device.request import Request

from .conftest import Shaky

Begun = Callable[..., "tuple[Session, Request]"]


@pytest.fixture
def begun(tmp_path: Path, bundle_file: Path, small: Board) -> Begun:
    """``begun(link fields..., **board fields)``: a session and its request, nothing done yet."""

    def make(link: Shaky | None = None, **changes: object) -> tuple[Session, Request]:
        (tmp_path / "home").mkdir(exist_ok=True)
        board = replace(small, **changes)
        request, inputs = request_of(board, bundle_file, {Path(one).name: Path(one) for one in board.files})
        link = link or Shaky(Here(tmp_path / "home"))
        session = Session(board, link, tmp_path / "out", lambda _line: None, 30.0, 0.02, inputs=inputs)
        store_request(session.folder, request)
        return session, request

    return make


def test_a_run_ends_here_and_leaves_the_board_clean(begun: Begun, tmp_path: Path):
    session, request = begun()
    outcome = controlled(session, request)
    assert (outcome["exit_code"], outcome["nonce"]) == (0, request.nonce)
    assert {path.name for path in session.folder.iterdir()} == {*names.SUBJECTS} - {names.HOST}
    assert list((tmp_path / "home/tokassay-board/runs").iterdir()) == []


def test_a_connection_may_be_cut_at_any_step(begun: Begun):
    session, request = begun()
    session = replace(session, patience=0.0)
    for step in range(12):  # the same command again, each time cut one step later
        session.link.calls.clear()  # type: ignore[attr-defined]
        session.link.fails = (step,)  # type: ignore[attr-defined]
        try:
            outcome = controlled(session, request)
        except LinkError:
            continue
        break
    session.link.fails = ()  # type: ignore[attr-defined]
    outcome = controlled(session, request)
    assert (outcome["run"], outcome["exit_code"]) == (request.run, 0)


def test_a_lost_connection_is_tried_again_for_as_long_as_patience_lasts(begun: Begun):
    session, request = begun()
    told: list[str] = []
    session = replace(session, tell=told.append)
    session.link.fails = (6, 7, 8)  # type: ignore[attr-defined]
    controlled(session, request)
    assert any("trying again" in line for line in told)
    with pytest.raises(LinkError):
        shake_hands(replace(session, link=Shaky(Here(), fails=(0,))))


def test_a_file_that_arrives_damaged_is_sent_again(begun: Begun, tmp_path: Path):
    spoilt: list[Path] = []

    def spoil(path: Path) -> None:
        if not spoilt:
            spoilt.append(path)
            path.write_bytes(path.read_bytes()[:-1])

    session, _ = begun(Shaky(Here(tmp_path / "home"), spoil=spoil))
    shake_hands(session)
    assert send(session) == 1
    assert len(spoilt) == 1
    assert send(session) == 0  # only what changed is copied


def test_a_link_that_damages_everything_is_given_up(begun: Begun, tmp_path: Path):
    session, _ = begun(Shaky(Here(tmp_path / "home"), spoil=lambda path: path.write_bytes(b"")))
    shake_hands(session)
    with pytest.raises(BoardError, match="arrives damaged"):
        send(session)


def test_evidence_that_arrives_damaged_is_fetched_again(begun: Begun, tmp_path: Path):
    spoilt: list[Path] = []

    def spoil(path: Path) -> None:
        if path.name == names.RESULTS and not spoilt:
            spoilt.append(path)
            path.write_bytes(b"")

    session, request = begun(Shaky(Here(tmp_path / "home"), spoil=spoil))
    outcome = controlled(session, request)
    assert names.sha256_of(session.folder / names.RESULTS) == outcome["files"][names.RESULTS]
    assert len(spoilt) == 1


def test_a_run_that_the_board_killed_begins_anew(begun: Begun, tmp_path: Path):
    session, request = begun(samples=100_000)
    shake_hands(session)
    send(session)
    begin(session, request)
    path = tmp_path / "home/tokassay-board/runs" / request.run
    number = int((path / names.PID).read_text())
    os.killpg(number, signal.SIGKILL)
    while is_running(path, path.parent.parent):
        pass
    assert state(session, request.run)[0] == "cut off"
    small = replace(request, timing=None)
    assert controlled(session, small)["exit_code"] == 0


def test_two_runners_at_once_are_told_apart(begun: Begun, tmp_path: Path):
    session, request = begun(samples=100_000)
    shake_hands(session)
    send(session)
    begin(session, request)
    begin(session, request)  # the answer to the first may have been lost
    with pytest.raises(BoardError, match=f"another run is going on: {request.run}"):
        begin(session, replace(request, run="other"))
    home = session.board.home
    session.script(f"{session.board.python} -I files/{request.bundle} stop runs/{request.run}")
    assert not is_running(tmp_path / "home" / home / "runs" / request.run, tmp_path / "home" / home)


def test_a_missing_python_is_named(begun: Begun):
    session, _ = begun(python="python-of-nobody")
    with pytest.raises(BoardError, match="cannot be run") as error:
        shake_hands(session)
    assert "--python" in str(error.value)


def test_an_old_python_is_named(begun: Begun, tmp_path: Path):
    old = tmp_path / "old-python"
    old.write_text("#!/bin/sh\necho 3.8.19\n")
    old.chmod(0o755)
    session, _ = begun(python=str(old))
    with pytest.raises(BoardError, match=r"Python 3.8.19 is too old\n  3.9 or newer"):
        shake_hands(session)


def test_a_place_that_cannot_be_written_is_named(begun: Begun):
    session, _ = begun(home="/proc/tokassay")
    with pytest.raises(BoardError, match="name another one with --home"):
        shake_hands(session)


def test_an_engine_of_another_architecture_is_an_engine_that_does_not_start(begun: Begun, tmp_path: Path):
    engine = tmp_path / "engine"
    engine.write_bytes(b"\x7fELF\x02\x01\x01" + b"\0" * 57)
    session, request = begun(engines=("exec:./engine",), files=(str(engine),))
    outcome = controlled(session, request)
    assert outcome["exit_code"] == 3
    assert "cannot be started" in (session.folder / names.RESULTS).read_text()


@pytest.mark.parametrize(
    ("finished", "wrong"),
    [
        ("2026-01-01T00:00:00Z", False),
        ("2025-12-31T00:00:00Z", False),
        ("1970-01-01T00:01:00Z", True),
        ("2026-01-01T00:10:00Z", True),
    ],
)
def test_a_wrong_clock_is_told(finished: str, wrong: bool):
    assert ("cannot be" in clock_note(finished, 1_767_225_600.0)) is wrong


@pytest.mark.parametrize(
    ("told", "kind", "reason"),
    [
        (
            "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\n...",
            HostKeyError,
            "another one than before",
        ),
        ("Host key verification failed.", HostKeyError, "is unknown"),
        ("ssh: connect to host b port 22: No route to host", LinkError, "No route to host"),
        ("", LinkError, "the connection was lost"),
    ],
)
def test_what_ssh_says_becomes_an_error_with_a_hint(told: str, kind: type[Exception], reason: str):
    found = _lost("b", told)
    assert type(found) is kind
    assert reason in str(found)
