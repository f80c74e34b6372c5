"""`tokassay render`: prompts, ids, and every kind of bad input as one line on stderr."""

from __future__ import annotations

import json

import pytest

from tokassay import cli

TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}{{ m.role }}: {{ m.content }};{% endfor %}"
    "{{ tools|tojson if tools }}{{ documents|length if documents }}{{ x|tojson if x is defined }}"
    "{{ '>' if add_generation_prompt }}"
)


@pytest.fixture
def run(tmp_path, capsys):
    """Render with files of these contents; exit code, stdout, stderr."""
    (tmp_path / "tokenizer_config.json").write_text(
        json.dumps({"chat_template": TEMPLATE, "bos_token": "<s>"})
    )

    def render(*options, template=None, **files):
        words = ["render", "--template-from", str(template or tmp_path)]
        for name, content in files.items():
            path = tmp_path / f"{name}.json"
            path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
            words += [f"--{name}", str(path)]
        code = cli.main([*words, *options])
        return (code, *capsys.readouterr())

    return render


USER = [{"role": "user", "content": "Hi"}]


def test_a_prompt(run):
    assert run(messages=USER) == (0, "<s>user: Hi;", "")


def test_one_text_is_the_users(run):
    assert run(messages="Hi") == (0, "<s>user: Hi;", "")


def test_everything_that_a_template_can_be_given(run):
    options = ("--add-generation-prompt", "--set", "x=[1, null]", "--set", 'bos_token="B"')
    code, out, _ = run(*options, messages=USER, tools=[{"name": "f"}], documents=[{"text": "d"}])
    assert (code, out) == (0, 'Buser: Hi;[{"name": "f"}]1[1, null]>')


def test_a_final_message_goes_on(run):
    assert run("--continue-final-message", messages=USER)[1] == "<s>user: Hi"


def test_ids(run):
    code, out, _ = run("--ids", "--tokenizer", "gpt2", messages=USER)
    found = json.loads(out)
    assert code == 0
    assert found["text"] == "<s>user: Hi;"
    assert len(found["ids"]) == len(found["assistant"]) > 1


@pytest.mark.parametrize(
    ("options", "files", "told"),
    [
        ((), {}, "nothing to render"),
        (("--ids",), {"messages": USER}, "--ids needs --tokenizer"),
        (("--set", "x"), {"messages": USER}, "NAME=JSON is expected"),
        (("--set", "x={"), {"messages": USER}, "--set x is not JSON"),
        (("--set", "messages=[]"), {"messages": USER}, "cannot be set here"),
        (("--name", "other"), {"messages": USER}, "no chat template called 'other'"),
        (("--messages", "/nowhere.json"), {}, "/nowhere.json"),
        ((), {"messages": b"{"}, "is not JSON"),
        ((), {"messages": b"\xff"}, "is not UTF-8 at byte 0"),
        ((), {"messages": []}, "the conversation is empty"),
        ((), {"messages": {"role": "user"}}, "messages must be a list"),
        ((), {"messages": [3]}, "message 0 must be an object"),
        ((), {"messages": USER, "tools": [3]}, "a tool must be"),
        ((), {"messages": USER, "tools": 3}, "tools must be a list"),
        ((), {"messages": USER, "documents": [3]}, "document 0"),
        ((), {"messages": USER, "documents": 3}, "documents must be a list"),
        (("--continue-final-message", "--add-generation-prompt"), {"messages": USER}, "choose one"),
    ],
)
def test_bad_input_is_exit_code_2(run, options, files, told):
    code, out, err = run(*options, **files)
    assert (code, out) == (2, "")
    assert told in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("a\n{{ x y }}", "t.jinja:2:6: "),
        ("\n\n{{ raise_exception('mine') }}", "t.jinja:3: mine"),
        ("{{ messages[5].content }}", "t.jinja:1: UndefinedError"),
        ("{{ 'a' * 10 ** 10 }}", "the most are 32,000,000"),
    ],
)
def test_a_template_that_ends_in_an_error(run, tmp_path, template, told):
    path = tmp_path / "t.jinja"
    path.write_text(template)
    code, out, err = run(template=path, messages=USER)
    assert (code, out) == (2, "")
    assert told in err
