"""The offline route: what is exported, every form of answers, and every way in which answers are unusable."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Sequence

import pytest

from tokassay import Tokenizer, data, engines
from tokassay.cli import main
from tokassay.engines import recorded
from tokassay.report.writing import read_report
from tokassay.verdicts.events import Verdict

NAME = "llama3"
FILE = data.root() / "golden" / "tokenizers" / NAME / "tokenizer.json"
TOKENIZER = Tokenizer.from_file(FILE)
Row = Dict[str, Any]
FEW = tempfile.TemporaryDirectory()  # not all vectors are needed, and reading them takes its time
for each in ("encode/digits", "encode/invalid-utf8", "decode/bug-decode", "decode/decode-ids"):
    shutil.copy(data.root() / "golden" / "vectors" / f"{each}.jsonl", FEW.name)


@pytest.fixture(scope="module", params=["jsonl", "files"])
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few texts as they are exported, in both forms."""
    folder = tmp_path_factory.mktemp("asked")
    assert exported(folder, "--as", request.param) == 0
    return folder


def exported(folder: Path, *options: str) -> int:
    return main(["vectors", "export", str(folder), "--tokenizer", NAME, "--vectors", FEW.name, *options])


def questions(folder: Path) -> List[Row]:
    """Id and text of every question, whatever its form."""
    if (folder / "order.txt").exists():
        names = (folder / "order.txt").read_text("utf-8").split()
        return [{"id": name[:-4], "data": (folder / name).read_bytes()} for name in names]
    rows = map(json.loads, (folder / "questions.jsonl").read_text("ascii").splitlines())
    return [
        {"id": r["id"], "data": bytes.fromhex(r["bytes_hex"]) if "bytes_hex" in r else r["text"].encode()}
        for r in rows
    ]


def answers(folder: Path, *, special: bool = False) -> List[Row]:
    return [
        {"id": q["id"], "ids": list(TOKENIZER.encode_bytes(q["data"], add_special_tokens=special).ids)}
        for q in questions(folder)
    ]


def as_lines(rows: Sequence[Row]) -> str:
    return "".join(" ".join(map(str, row["ids"])) + "\n" for row in rows)


def as_jsonl(rows: Sequence[Row]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def as_csv(rows: Sequence[Row]) -> str:
    return "id,ids\r\n" + "".join(f'{row["id"]},"{row["ids"]}"\r\n' for row in rows)


def as_bare_csv(rows: Sequence[Row]) -> str:
    return "".join(",".join(map(str, [row["id"], *row["ids"]])) + "\n" for row in rows)


def as_log(rows: Sequence[Row]) -> str:
    return "boot 12\n" + "".join(f"[{n}] {row['id']}: tok={row['ids']} 3 ms\n" for n, row in enumerate(rows))


WRITTEN: Mapping[str, tuple[Callable[[Sequence[Row]], str], Sequence[str]]] = {
    "a.jsonl": (as_jsonl, ()),
    "a.csv": (as_csv, ()),
    "bare.csv": (as_bare_csv, ()),
    "a.txt": (as_lines, ()),
    "a.log": (as_log, ("--pattern", r"tok=(\[[^]]*\])")),
    "named.log": (as_log, ("--pattern", r"\] (?P<id>\S+): tok=(?P<ids>.*?\])")),
}


def judged(
    tmp_path: Path, folder: Path, content: str, *options: str, name: str = "a.jsonl"
) -> Sequence[Verdict]:
    """The verdicts on answers; the exit code is the report's."""
    (tmp_path / name).write_text(content, "utf-8", newline="")
    given = [
        str(tmp_path / name),
        "--tokenizer",
        NAME,
        "--texts",
        str(folder),
        "--report",
        str(tmp_path / "r"),
    ]
    code = main(["judge", *given, "--vectors", FEW.name, *options])
    *events, footer = read_report(tmp_path / "r")
    assert footer.exit_code == code
    return [event for event in events if isinstance(event, Verdict)]


@pytest.mark.parametrize("name", WRITTEN)
def test_right_answers_pass_in_every_form(name: str, asked: Path, tmp_path: Path):
    write, options = WRITTEN[name]
    found = judged(tmp_path, asked, write(answers(asked)), *options, name=name)
    assert [verdict.kind for verdict in found] == ["pass"] * len(questions(asked))
    assert len(found) > 15


@pytest.mark.parametrize("name", WRITTEN)
def test_a_wrong_answer_diverges_in_every_form(name: str, asked: Path, tmp_path: Path):
    write, options = WRITTEN[name]
    rows = answers(asked)
    rows[3]["ids"][-1] += 1
    (wrong,) = [v for v in judged(tmp_path, asked, write(rows), *options, name=name) if v.kind != "pass"]
    assert (wrong.kind, wrong.vector, wrong.engine) == ("diverge", rows[3]["id"], f"file:{name}")


def test_special_tokens_may_be_part_of_the_answers(asked: Path, tmp_path: Path):
    rows = answers(asked, special=True)
    assert rows[0]["ids"] != answers(asked)[0]["ids"]
    found = judged(tmp_path, asked, as_jsonl(rows), "--special-tokens")
    assert {verdict.kind for verdict in found} == {"pass"}
    assert {v.kind for v in judged(tmp_path, asked, as_jsonl(answers(asked)), "--special-tokens")} == {
        "diverge"
    }


def test_failures_and_missing_answers_are_verdicts(asked: Path, tmp_path: Path):
    rows = answers(asked)[:5]
    told = [
        {"id": rows[i]["id"], key: "why"}
        for i, key in enumerate(("error", "crash", "timeout", "unsupported"))
    ]
    found = judged(tmp_path, asked, as_jsonl([*told, rows[4]]))
    kinds = [verdict.kind for verdict in found]
    assert kinds[:5] == ["error", "crash", "timeout", "unsupported", "pass"]
    assert set(kinds[5:]) == {"not-run"}
    assert (found[0].reason, found[-1].reason) == ("why", "no answer was recorded")


def test_no_answer_at_all_proves_nothing(asked: Path, tmp_path: Path):
    assert {verdict.kind for verdict in judged(tmp_path, asked, "")} == {"not-run"}
    assert read_report(tmp_path / "r")[-1].exit_code == 4


def test_answers_by_name_need_no_texts(asked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "a.jsonl").write_text(as_jsonl(answers(asked)), "utf-8")
    given = [str(tmp_path / "a.jsonl"), "--tokenizer", NAME, "--name", "npu", "--vectors", FEW.name]
    assert main(["judge", *given]) == 0
    (tmp_path / "a.jsonl").write_text(as_jsonl(answers(asked)[1:]), "utf-8")
    assert main(["judge", *given]) == 1
    assert "not-run: npu: no answer was recorded: 1 in encode" in capsys.readouterr().out


def test_the_list_of_known_divergences_holds_here_too(asked: Path, tmp_path: Path):
    rows = answers(asked)
    rows[0]["ids"] = [1]
    listed = tmp_path / "known.toml"
    judged(tmp_path, asked, as_jsonl(rows), "--write-divergences", str(listed))
    found = judged(tmp_path, asked, as_jsonl(rows), "--divergences", str(listed))
    assert [v.kind for v in found if v.kind != "pass"] == ["known"]


def test_ids_are_decoded_by_a_program_outside(tmp_path: Path):
    folder = tmp_path / "asked"
    assert exported(folder, "--suite", "decode") == 0
    rows = []
    for line in (folder / "questions.jsonl").read_text("ascii").splitlines():
        row = json.loads(line)
        rows.append({"id": row["id"], "decoded": TOKENIZER.decode(row["ids"], row["skip_special_tokens"])})
    assert {v.kind for v in judged(tmp_path, folder, as_jsonl(rows))} == {"pass"}
    rows[0]["decoded"] += "?"
    assert [v.kind for v in judged(tmp_path, folder, as_jsonl(rows))].count("diverge") == 1


# -- what cannot be used ----------------------------------------------------------------------------

ONE = {"id": "digits/seven", "ids": [1]}
UNUSABLE: Mapping[str, tuple[str, str]] = {
    "line 1: not JSON": ("a.jsonl", "{x\n"),
    "line 2: not an object": ("a.jsonl", json.dumps(ONE) + "\n[1]\n"),
    "line 1: no answer: one of ids, decoded": ("a.jsonl", '{"id": "digits/seven"}\n'),
    "line 1: not a list of ids: [1, -2]": ("a.jsonl", '{"id": "digits/seven", "ids": [1, -2]}\n'),
    "line 1: not a list of ids: [true]": ("a.jsonl", '{"id": "digits/seven", "ids": [true]}\n'),
    "line 1: not a list of ids: '1.5'": ("a.jsonl", '{"id": "digits/seven", "ids": "1.5"}\n'),
    "line 1: id is not a string": ("a.jsonl", '{"id": 7, "ids": [1]}\n'),
    "line 1: text is not a text": ("a.jsonl", '{"id": "digits/seven", "text": 7, "ids": [1]}\n'),
    "line 2: digits/seven was answered in line 1 already": ("a.jsonl", (json.dumps(ONE) + "\n") * 2),
    "line 1: nothing was asked as 'digits/no'": ("a.jsonl", '{"id": "digits/no", "ids": [1]}\n'),
    "line 2: names no question, others do": ("a.jsonl", json.dumps(ONE) + '\n{"ids": [1]}\n'),
    "line 2: not UTF-8": ("a.jsonl", json.dumps(ONE) + "\n\udcff\n"),
    "line 2: not a list of ids: '1 x'": ("a.txt", "1 2\n1 x\n"),
    "line 1: not a list of ids: '-1'": ("a.txt", "-1\n"),
    "1000 answers, ": ("a.txt", "1\n" * 1000),
    "line 1: not a list of ids: 'x'": ("a.csv", "digits/seven,x\n"),
    "line 2: 1 cells, the heading has 2": ("a.csv", "id,ids\ndigits/seven\n"),
    "line 2: no answer: the heading names neither": ("a.csv", "id,speed\ndigits/seven,3\n"),
    "line 1: not CSV": ("a.csv", 'digits/seven,"1\n'),
}


def refused(tmp_path: Path, folder: Path, *options: str, name: str, content: str) -> int:
    (tmp_path / name).write_bytes(content.encode("utf-8", "surrogateescape"))
    given = [str(tmp_path / name), "--tokenizer", NAME, "--texts", str(folder)]
    return main(["judge", *given, "--vectors", FEW.name, *options])


@pytest.fixture
def digits(tmp_path: Path) -> Path:
    only = ["--tokenizer", NAME, "--vector", "digits/*"]
    assert main(["vectors", "export", str(tmp_path / "asked"), *only]) == 0
    return tmp_path / "asked"


@pytest.mark.parametrize("message", UNUSABLE)
def test_unusable_answers_are_named_with_their_line(
    message: str, digits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    name, content = UNUSABLE[message]
    assert refused(tmp_path, digits, name=name, content=content) == 2
    assert message in capsys.readouterr().err


def test_all_surplus_answers_are_named(digits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    content = "".join(json.dumps({"id": f"no/{i}", "ids": []}) + "\n" for i in range(12))
    assert refused(tmp_path, digits, name="a.jsonl", content=content) == 2
    said = capsys.readouterr().err
    assert re.findall(r"line (\d+): nothing", said) == [str(n) for n in range(1, 11)]
    assert "and 2 more" in said


PATTERNS = {
    "not a regular expression": "(",
    "has no group": "x",
    "matches nowhere": "(x)",
    "not a list": "(boot)",
}


@pytest.mark.parametrize("message", PATTERNS)
def test_a_pattern_has_to_find_ids(
    message: str, digits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert refused(tmp_path, digits, "--pattern", PATTERNS[message], name="a.log", content="boot 1\n") == 2
    assert message in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named(digits: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["judge", "nowhere.jsonl", "--tokenizer", NAME, "--texts", str(digits)]) == 2
    assert "nowhere.jsonl: No such file" in capsys.readouterr().err


def test_answers_in_order_need_the_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "a.txt").write_text("1 2\n", "utf-8")
    assert main(["judge", str(tmp_path / "a.txt"), "--tokenizer", NAME]) == 2
    assert "--texts says in which order" in capsys.readouterr().err


TEXTS = {
    "no questions: there is neither": None,
    "line 1: not a question": '{"id": "digits/seven"}\n',
    "digits/seven stands in line 1 already": '{"id": "digits/seven", "text": "7"}\n' * 2,
    "is not what the golden vector of this name asks": '{"id": "digits/seven", "text": "8"}\n',
    "texts and ids are mixed": '{"id": "digits/seven", "text": "7"}\n{"id": "x/y", "ids": [1]}\n',
}


@pytest.mark.parametrize("message", TEXTS)
def test_texts_have_to_be_those_of_the_vectors(
    message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    content = TEXTS[message]
    if content is not None:
        (tmp_path / "questions.jsonl").write_text(content, "utf-8")
    assert refused(tmp_path, tmp_path, name="a.jsonl", content="") == 2
    assert message in capsys.readouterr().err


def test_a_listed_file_has_to_be_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "order.txt").write_text("digits/seven.txt\n", "utf-8")
    assert refused(tmp_path, tmp_path, name="a.jsonl", content="") == 2
    assert "order.txt: line 1: no such question: 'digits/seven.txt'" in capsys.readouterr().err


@pytest.mark.parametrize("forms", [("jsonl", "files"), ("files", "jsonl")])
def test_of_two_exports_to_one_folder_the_last_is_asked(forms: Sequence[str], tmp_path: Path):
    for form, vector in zip(forms, ("digits/seven", "digits/hex")):
        assert exported(tmp_path, "--as", form, "--vector", vector) == 0
    assert [question.id for question in recorded.questions.read(tmp_path)] == ["digits/hex"]


def test_nothing_to_export_is_said():
    assert main(["vectors", "export", "--vectors", FEW.name, "--vector", "no/such"]) == 2


# -- own texts --------------------------------------------------------------------------------------

OWN = {
    "texts.txt": b"one 1\n\n  two\r\n\xff three",
    "texts.jsonl": b'"one 1"\n{"text": "  two\\r"}\n{"id": "x/y", "bytes_hex": "ff207468726565"}\n',
}


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("form", ["jsonl", "files"])
def test_own_texts_go_out_and_are_judged_by_the_oracle(name: str, form: str, tmp_path: Path):
    (tmp_path / name).write_bytes(OWN[name])
    folder = tmp_path / "asked"
    assert main(["vectors", "export", str(folder), "--texts", str(tmp_path / name), "--as", form]) == 0
    assert [q["data"] for q in questions(folder)] == [b"one 1", b"  two\r", b"\xff three"]
    rows = answers(folder)
    assert [v.kind for v in judged(tmp_path, folder, as_lines(rows), name="a.txt")] == ["pass"] * 3
    rows[1]["ids"].append(0)
    found = judged(tmp_path, folder, as_lines(rows), name="a.txt")
    assert [v.kind for v in found] == ["pass", "diverge", "pass"]
    with_special = as_jsonl(answers(folder, special=True))
    assert {v.kind for v in judged(tmp_path, folder, with_special, "--special-tokens")} == {"pass"}


def test_the_files_of_a_folder_are_texts(tmp_path: Path):
    (tmp_path / "mine" / "sub").mkdir(parents=True)
    (tmp_path / "mine" / "a b.txt").write_bytes(b"x\ny\n")
    (tmp_path / "mine" / "sub" / "c").write_bytes(b"")
    folder = tmp_path / "asked"
    assert main(["vectors", "export", str(folder), "--texts", str(tmp_path / "mine")]) == 0
    assert questions(folder) == [{"id": "own/a-b.txt", "data": b"x\ny\n"}, {"id": "own/sub-c", "data": b""}]


def test_own_ids_are_decoded(tmp_path: Path):
    asked = '{"id": "x/y", "ids": [5, 6]}\n'
    (tmp_path / "questions.jsonl").write_text(asked, "utf-8")
    answer = json.dumps({"id": "x/y", "decoded": TOKENIZER.decode([5, 6])})
    assert [v.kind for v in judged(tmp_path, tmp_path, answer)] == ["pass"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", "{}\n", "line 1: not a text"),
        ("a.jsonl", '{"text": "\\ud800"}\n', "line 1: not a text"),
        ("a.jsonl", '{"id": "x", "text": "1"}\n' * 2, "x stands in line 1 already"),
        ("a.jsonl", '{"id": "../x", "text": "1"}\n', "line 1: id is not words"),
        ("a.jsonl", '{"id": 7, "text": "1"}\n', "line 1: not a text"),
        ("a.txt", "\n", "nothing to export"),
        ("b/a.txt", None, "no such file"),
    ],
)
def test_texts_that_cannot_be_used_are_named(
    name: str, content: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    if content is not None:
        (tmp_path / name).write_text(content, "utf-8")
    assert main(["vectors", "export", str(tmp_path / "o"), "--texts", str(tmp_path / name)]) == 2
    assert message in capsys.readouterr().err


# -- as an engine -----------------------------------------------------------------------------------


def test_recorded_answers_are_an_engine(asked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    rows = [{"text": "own text", "ids": [1]}, *answers(asked)]
    (tmp_path / "a.jsonl").write_text(as_jsonl(rows), "utf-8")
    run = ["run", "--engine", f"file:{tmp_path / 'a.jsonl'}", "--tokenizer", NAME, "--suite", "encode"]
    assert main([*run, "--vectors", FEW.name]) == 0
    assert "file:a.jsonl" in capsys.readouterr().out
    session = engines.open(f"file:{tmp_path / 'a.jsonl'}").load(str(FILE))
    assert session.encode("own text").ids == (1,)


def test_a_card_of_recorded_answers_keeps_the_tokenizer_whole(asked: Path, tmp_path: Path):
    rows = [{**row, "ids": [*row["ids"], 7]} for row in answers(asked)]
    cards = tmp_path / "cards"
    judged(tmp_path, asked, as_jsonl(rows), "--cards", str(cards))
    told = [json.loads((card / "card.json").read_text("ascii"))["whole"] for card in cards.iterdir()]
    assert told
    assert all(one.startswith("the answers were recorded") for one in told)
