"""`board verify` on the command line: what it says, and with which exit code."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokassay.board.concluding import Signing, concluded
from tokassay.board.conducting import Conductor
from tokassay.board.controlling import BoardError, Session
from tokassay.board.links import Here
from tokassay.board.settings import Board
from tokassay.cli import main
from tokassay.device import folder as names

Copied = Callable[[Path], Any]
Captured = pytest.CaptureFixture[str]


def asked(folder: Path, maker: Any, *words: str) -> int:
    return main(["board", "verify", str(folder), "--allowed-signers", str(maker.signers), *words])


def test_a_good_folder_is_verified_with_the_exit_code_of_its_run(good: Path, maker: Any, capsys: Captured):
    assert asked(good, maker, "--latency", "--nonce", "nonce-of-rock", "--bundle", str(maker.bundle)) == 0
    told = capsys.readouterr().out
    assert told.endswith("verified\n")
    assert "signed by  operator@example" in told
    assert "latency    can be claimed" in told


def test_a_run_with_divergences_is_verified_and_ends_with_one(good: Path, maker: Any, copied: Copied):
    changed = copied(good)

    def fail(rows: list[Any]) -> None:
        row = next(row for row in rows if row.get("kind") == "pass" and "digest" not in row)
        row.update(kind="diverge", reason="other ids")
        rows[-1]["counts"]["pass"] -= 1
        rows[-1]["counts"]["diverge"] = 1
        rows[-1]["exit_code"] = 1

    changed.lines(names.RESULTS, fail)
    changed.json(names.OUTCOME, lambda outcome: outcome.update(exit_code=1))
    changed.host()
    changed.seal()
    assert asked(changed.folder, maker) == 1


def test_a_case_that_was_not_tried_is_warned_of(good: Path, maker: Any, copied: Copied, capsys: Captured):
    changed = copied(good)

    def leave(rows: list[Any]) -> None:
        row = next(row for row in rows if row.get("suite") == "encode")
        row.update(kind="not-run", reason="it is not here")
        rows[-1]["counts"].update({"pass": rows[-1]["counts"]["pass"] - 1, "not-run": 1})
        rows[-1]["exit_code"] = 1

    changed.lines(names.RESULTS, leave)
    changed.json(names.OUTCOME, lambda outcome: outcome.update(exit_code=1))
    changed.host()
    changed.seal()
    assert asked(changed.folder, maker, "--json") == 1
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert (summary["warned"], summary["failed"]) == (["reference/gpt2/encode"], [])
    assert "reference/gpt2/encode" not in summary["passed"]


def test_ctrl_c_while_this_host_answers_leaves_what_was_fetched(good: Path, maker: Any, copied: Copied):
    changed = copied(good)
    (changed.folder / names.HOST).unlink()
    held = {path.name: path.read_bytes() for path in changed.folder.iterdir()}
    session = Session(Board("rock", "local"), Here(), changed.folder, str)
    session.stopped.set()
    with pytest.raises(BoardError, match="rock: stopped here; the same command goes on"):
        concluded("rock", changed.folder, [maker.bundle], Signing(maker.key), session.go_on)
    assert {path.name: path.read_bytes() for path in changed.folder.iterdir()} == held
    assert concluded("rock", changed.folder, [maker.bundle], Signing(maker.key)).exit_code == 0
    assert asked(changed.folder, maker) == 0


def test_cores_that_disagree_are_told_by_the_run_and_count(good: Path, maker: Any, copied: Copied):
    changed = copied(good)
    changed.json(names.FACTS, lambda value: value["ids"][1]["ids"]["reference"].update(gpt2="0" * 64))
    changed.outcome_hashes()
    (changed.folder.parent / "engine.bin").write_text("an engine")
    engine = (str(changed.folder.parent / "engine.bin"),)
    changed.json(names.REQUEST, lambda value: value.update(timing=None, timed=value["tokenizers"]))
    asked = tuple(names.read_json(changed.folder / names.REQUEST)["tokenizers"])
    board = Board(changed.folder.name, "local", tokenizers=asked, files=engine, samples=0)  # fetched before
    (found,) = Conductor(changed.folder.parent, maker.key, maker.bundle).conduct([board])
    assert (found.exit_code, found.reason) == (1, "")
    assert found.told == ("differs: facts.json: ids[1].ids.reference.gpt2: is not the same on every core",)
    assert names.read_json(changed.folder / names.STATEMENT)["predicate"]["result"] == "FAILED"


def test_a_refused_folder_ends_with_four_and_every_reason(
    good: Path, maker: Any, copied: Copied, capsys: Captured
):
    changed = copied(good)
    (changed.folder / names.FACTS).unlink()
    (changed.folder / "more.txt").write_text("")
    assert asked(changed.folder, maker) == 4
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == [
        "refused: more.txt: is no part of an evidence folder",
        "refused: facts.json: is missing",
    ]


def test_a_list_of_signers_that_is_missing_is_usage(good: Path, maker: Any, tmp_path: Path):
    assert main(["board", "verify", str(good), "--allowed-signers", str(tmp_path / "none")]) == 2
    assert asked(good, maker, "--bundle", str(tmp_path / "none")) == 2
    assert asked(good, maker, "--known-hosts", str(tmp_path / "none")) == 2


def test_without_signers_the_key_is_named_and_nobody_vouches_for_it(good: Path, capsys: Captured):
    assert main(["board", "verify", str(good)]) == 0
    told = capsys.readouterr().out
    assert "signed by  SHA256:" in told
    assert told.endswith("verified, signed by a key that nobody named as allowed\n")


def test_json_holds_what_was_derived_or_every_problem(good: Path, maker: Any, capsys: Captured):
    assert asked(good, maker, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["verified"], told["signer"], told["exit_code"]) == (True, "operator@example", 0)
    assert told["summary"]["counts"] == {"pass": 72}
    assert asked(good, maker, "--json", "--nonce", "mine") == 4
    told = json.loads(capsys.readouterr().out)
    assert told["verified"] is False
    assert [(one["file"], one["field"]) for one in told["problems"]] == [("request.json", "nonce")]


def test_the_host_key_is_looked_up_among_the_known_hosts(
    maker: Any, good: Path, copied: Copied, tmp_path: Path
):
    public = maker.other.with_suffix(".pub").read_text("ascii")
    (tmp_path / "known").write_text(f"rock.example {public}", "ascii")
    words = ["ssh-keygen", "-lf", str(maker.other)]
    fingerprint = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()[1]
    assert asked(good, maker, "--known-hosts", str(tmp_path / "known")) == 4
    changed = copied(good)
    changed.json(names.CONTROLLER, lambda told: told.update(host_key=fingerprint))
    changed.seal()
    assert (
        asked(changed.folder, maker, "--known-hosts", str(tmp_path / "known"), "--host-key", fingerprint) == 0
    )


def test_a_file_that_is_no_bundle_is_refused_even_if_its_sum_is_right(
    good: Path, maker: Any, copied: Copied, tmp_path: Path
):
    (tmp_path / "no.pyz").write_bytes(b"#!/bin/sh\n")
    changed, sum_of = copied(good), names.sha256_of(tmp_path / "no.pyz")
    changed.json(names.REQUEST, lambda value: value.update(bundle=sum_of))
    changed.json(names.OUTCOME, lambda value: value["inputs"].update(bundle=sum_of))
    changed.seal()
    assert asked(changed.folder, maker) == 0
    assert asked(changed.folder, maker, "--bundle", str(tmp_path / "no.pyz")) == 4


def test_ids_that_differ_between_cores_are_a_finding_and_no_forgery(
    good: Path, maker: Any, copied: Copied, capsys: Captured
):
    changed = copied(good)
    changed.json(names.FACTS, lambda value: value["ids"][1]["ids"]["reference"].update(gpt2="0" * 64))
    changed.json(names.FACTS, lambda value: value["compiled"]["gpt2"]["vocab.bin"].update(sha256="0" * 64))
    changed.seal()
    assert asked(changed.folder, maker) == 1
    told = capsys.readouterr().out
    assert "differs    facts.json: ids[1].ids.reference.gpt2: is not the same on every core" in told
    assert "differs    facts.json: compiled.gpt2.vocab.bin: is not what the host makes" in told


def test_what_a_folder_says_cannot_command_a_terminal(
    good: Path, maker: Any, copied: Copied, capsys: Captured
):
    changed = copied(good)
    changed.json(names.IDENTITY, lambda value: value.update(model="\x1b[2Jrock"))
    changed.seal()
    assert asked(changed.folder, maker) == 0
    assert "\\u001b[2Jrock" in capsys.readouterr().out


def test_a_signature_cannot_be_checked_without_ssh_keygen(
    good: Path, maker: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert asked(good, maker) == 2


def test_a_run_without_samples_or_frequencies_holds_and_claims_nothing(maker: Any, capsys: Captured):
    folder = maker.make("silent", timing=None, bare=True)
    assert asked(folder, maker) == 0
    assert "latency    cannot be claimed: identity.json: the run was emulated" in capsys.readouterr().out


def test_a_verdict_that_was_left_out_consistently_is_seen_by_who_has_the_bundle(
    good: Path, maker: Any, copied: Copied, capsys: Captured
):
    changed = copied(good)

    def leave_out(rows: list[Any]) -> None:
        rows.remove(next(row for row in rows if row.get("suite") == "encode"))
        rows[-1]["counts"]["pass"] -= 1

    changed.lines(names.RESULTS, leave_out)
    changed.host()
    changed.seal()
    assert asked(changed.folder, maker) == 0
    assert asked(changed.folder, maker, "--bundle", str(maker.bundle)) == 4
    assert "reference / gpt2 / encode: 7 verdicts, 8 vectors were asked for" in capsys.readouterr().err


def test_a_bundle_without_the_vectors_that_were_asked_for_is_refused(
    good: Path, maker: Any, copied: Copied, capsys: Captured
):
    changed = copied(good)
    changed.json(names.REQUEST, lambda value: value.update(vectors=["no/such"]))
    changed.seal()
    assert asked(changed.folder, maker, "--bundle", str(maker.bundle)) == 4
    assert "request.json: nothing in the bundle answers it" in capsys.readouterr().err


# -- JSON that two readers take for two things ----------------------------------------------------------


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        assert old in data
        return data.replace(old, new, 1)

    return change


AMBIGUOUS = {
    "a key twice": (names.OUTCOME, replaced(b'"exit_code": 0', b'"exit_code": 1, "exit_code": 0'), "twice"),
    "a key twice in a line": (names.SAMPLES, replaced(b'"pid":', b'"pid":1,"pid":'), "twice"),
    "a key twice in the results": (
        names.RESULTS,
        replaced(b'"exit_code":', b'"exit_code":1,"exit_code":'),
        "twice",
    ),
    "not a number": (names.OUTCOME, replaced(b'"exit_code": 0', b'"exit_code": NaN'), "NaN"),
    "infinity": (names.OUTCOME, replaced(b'"exit_code": 0', b'"exit_code": -Infinity'), "-Infinity"),
    "beyond a double": (names.OUTCOME, replaced(b'"exit_code": 0', b'"exit_code": 1e999'), "out of range"),
    "many digits": (
        names.OUTCOME,
        replaced(b'"exit_code": 0', b'"exit_code": ' + b"9" * 6000),
        "6000 digits",
    ),
    "true for one": (names.OUTCOME, replaced(b'"exit_code": 0', b'"exit_code": true'), "expected int"),
    "text for a number": (names.OUTCOME, replaced(b'"exit_code": 0', b'"exit_code": "0"'), "expected int"),
    "null": (names.OUTCOME, replaced(b'"exit_code": 0', b'"exit_code": null'), "expected int, got null"),
    "beyond ASCII": (names.OUTCOME, replaced(b'"reason": ""', '"reason": "\u0430"'.encode()), "ascii"),
    "a comment": (names.OUTCOME, replaced(b"{", b"{ /* fast */"), "no plain JSON"),
    "deep": (names.FACTS, lambda _data: b"[" * 100_000, "no plain JSON"),
    "a list": (names.IDENTITY, lambda data: b"[" + data + b"]", "expected an object, got list"),
    "zero bytes": (names.CONTROLLER, lambda data: data + b"\0" * 512, "no plain JSON"),
    "UTF-16": (names.CONTROLLER, lambda data: data.decode().encode("utf-16"), "no plain JSON"),
}


@pytest.mark.parametrize("name", AMBIGUOUS)
def test_ambiguous_json_is_refused_even_with_the_right_hashes(
    name: str, good: Path, maker: Any, copied: Copied
):
    file, change, reason = AMBIGUOUS[name]
    changed = copied(good)
    changed.data(file, change)
    try:
        changed.seal(hashes=file in names.BOARD_FILES)
    except (ValueError, TypeError, RecursionError):
        changed.sign()
    told = maker.refusal(changed.folder)
    assert f"{file}: " in told
    assert reason in told
