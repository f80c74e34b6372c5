"""Which constructs a template uses, by line, and `tokassay render --lint`."""

from __future__ import annotations

import json

import pytest

from tokassay import chat, cli, data
from tokassay.chat.linting import uses

PROBES = json.loads((data.root() / "golden" / "templates" / "probes.json").read_bytes())
# Not visible in the template's tree, or known by the values alone.
UNSEEN = ("subset", "whitespace", "literals", "access", "errors")
BY_VALUE = (
    "operator + list",
    "operator * text",
    "for over dict",
    "for over text",
    "set inside for",
    "set inside if",
    "macro keyword",
    "macro varargs",
    "macro recursive",
    "do is no statement",
    "loop of the outer for",
    "filter tojson dict",
    "filter tojson text",
    "filter tojson float",
    "filter length text",
    "filter upper non-ASCII",
    "filter int default",
    "filter selectattr truth",
    "filter chain",
    "filter unknown",
    "test unknown",
    "test ==",
    "method split index",
    "method append is refused",
    "function namespace dict",
    "function unknown",
    "precedence",
    "filter binds tighter",
    "filter indent first",
    "method startswith tuple",
    "operator % text",
    "filter pprint",
)
SEEN = {
    name: template
    for area, probes in PROBES.items()
    if area not in UNSEEN
    for name, template in probes.items()
    if name not in BY_VALUE
}


@pytest.mark.parametrize("construct", SEEN)
def test_a_probe_shows_its_construct(construct):
    names = {name for use in uses(SEEN[construct]) for name in use.names}
    assert construct in names


def test_lines():
    found = uses("{% for m in messages %}\n{{ m|trim }}\n\n{{ m.split(',')[-1] }}{% endfor %}")
    assert [(use.line, use.names[0]) for use in found] == [
        (1, "statement for"),
        (2, "filter trim"),
        (4, "method split"),
        (4, "negative index"),
    ]


def test_a_template_that_cannot_be_read_is_named():
    with pytest.raises(chat.TemplateError, match="t:1:4"):
        uses("{% x %}", "t")


@pytest.fixture
def template(tmp_path):
    path = tmp_path / "t.jinja"
    path.write_text(
        "{% for m in messages %}\n{{ m.content|upper }}{% endfor %}\n{{ 'a,b'.split(',')|tojson }}\n"
    )
    return path


def test_lint_lists_what_is_outside_the_subset(template, capsys):
    assert cli.main(["render", "--template-from", str(template), "--lint"]) == 1
    assert capsys.readouterr().out == f"{template}:3: method split: outside the documented subset\n"


def test_lint_lists_what_an_engine_gets_wrong(template, capsys):
    template.write_text("a\n{{ 7 // 2 }} {{ -7 // 2 }}")
    assert cli.main(["render", "--template-from", str(template), "--lint", "--engine", "mnn"]) == 1
    assert f"{template}:2: operator //: mnn " in capsys.readouterr().out


def test_lint_of_an_engine_that_knows_all_is_silent(template, capsys):
    assert cli.main(["render", "--template-from", str(template), "--lint", "--engine", "reference"]) == 0
    assert capsys.readouterr().out == ""


def test_lint_of_an_unknown_engine(template, capsys):
    assert cli.main(["render", "--template-from", str(template), "--lint", "--engine", "nobody"]) == 2
    assert "known: jinjajs" in capsys.readouterr().err
