"""Hostile templates end in an error, in bounded time and memory, and nothing gets out of the sandbox."""

from __future__ import annotations

import resource
import time

import pytest

from tokassay import chat

LONG = "{% set s = 'a' * 30000000 %}"
GROWING = "{% set ns = namespace(v=[1]) %}{% for i in range(60) %}{% set ns.v = [ns.v, ns.v] %}{% endfor %}"
REFUSED = {
    "endless loops": "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
    "a long text": "{% for c in 'a' * 30000000 %}{% endfor %}",
    "repetition": "{{ 'a' * 10 ** 10 }}",
    "repetition of a list": "{{ [1] * 30000000 }}",
    "a power": "{{ 9 ** 9999999 }}",
    "doubling with ~": "{% set ns = namespace(s='aaaaaaaa') %}{% for i in range(99) %}"
    "{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
    "doubling with +": "{% set ns = namespace(s='aaaaaaaa') %}{% for i in range(99) %}"
    "{% set ns.s = ns.s + ns.s %}{% endfor %}",
    "lists within lists": GROWING,
    "dicts within dicts": "{% set ns = namespace(d=dict(a=1)) %}{% for i in range(60) %}"
    "{% set ns.d = dict(a=ns.d, b=ns.d) %}{% endfor %}",
    "a batch filled with itself": "{% set ns = namespace(l=[1, 2]) %}{% for i in range(60) %}"
    "{% set ns.l = ns.l|batch(100000, ns.l)|list %}{% endfor %}",
    "one text often in a list": LONG + "{{ [s] * 1000 }}",
    "many long texts": "{% set ns = namespace(l=[]) %}" + LONG + "{% for i in range(1000) %}"
    "{% set ns.l = ns.l + [s ~ i] %}{% endfor %}",
    "many slices": "{% set ns = namespace(l=[]) %}" + LONG + "{% for i in range(1000) %}"
    "{% set ns.l = [s[i:]] %}{% endfor %}",
    "a block": LONG + "{% set x %}{% for i in range(999) %}{{ s }}{% endfor %}{% endset %}",
    "a macro": LONG
    + "{% macro m() %}{% for i in range(999) %}{{ s }}{% endfor %}{% endmacro %}{{ m()|length }}",
    "a filter block": LONG + "{% filter upper %}{% for i in range(999) %}{{ s }}{% endfor %}{% endfilter %}",
    "the prompt": "{% for i in range(99999) %}{{ 'abcdefghij' * 100000 }}{% endfor %}",
    "macros that call themselves": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "deep macros with long texts": "{% macro m(n) %}{% set a = 'x' * 30000000 ~ n %}"
    "{% if n %}{{ m(n - 1) }}{% endif %}{{ a|length }}{% endmacro %}{{ m(200) }}",
    "a loop that calls itself": "{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "a width": "{{ '%999999999999d' % 1 }}",
    "a width that is given": "{{ '%*d' % (10 ** 9, 1) }}",
    "a width in format": "{{ '{:>99999999999}'.format(1) }}",
    "a width within format": "{{ '{:{w}}'.format(1, w=10 ** 9) }}",
    "many places in format": LONG + "{{ ('{0}' * 1000000).format(s) }}",
    "many widths": "{{ ('%9999999d' * 1000) % (1,) }}",
    "center": "{{ 'a'.center(10 ** 11) }}",
    "filter center": "{{ 'a'|center(10 ** 11) }}",
    "indent": "{{ 'a'|indent(10 ** 11) }}",
    "zfill": "{{ 'a'.zfill(10 ** 11) }}",
    "expandtabs": "{{ ('\\t' * 1000000).expandtabs(1000000) }}",
    "replace": "{{ ('a' * 1000000).replace('a', 'b' * 100000) }}",
    "filter replace": "{{ ('a' * 1000000)|replace('a', 'b' * 100000) }}",
    "join": LONG + "{{ s.join(range(99999)|map('string')) }}",
    "filter join": LONG + "{{ range(99999)|map('string')|join(s) }}",
    "tojson with an indent": "{{ messages|tojson(indent=10 ** 10) }}",
    "tojson with a text": "{{ messages|tojson(indent='x' * 20000000) }}",
    "split": "{{ ('a ' * 15000000).split()|length }}",
    "splitlines": "{{ ('a\\n' * 15000000).splitlines()|length }}",
    "list": LONG + "{{ s|list|length }}",
    "slice": "{{ range(10)|slice(10 ** 9)|list }}",
    "lipsum": "{{ lipsum(n=10 ** 7) }}",
    "urlize": LONG + "{{ s|urlize|length }}",
    "long numbers": "{{ ('f' * 3000000)|int(base=16) // ('f' * 1500000)|int(base=16) }}",
    "a long date": "{{ strftime_now('%Y' * 10000000)|length }}",
    "brackets": "{{ " + "(" * 3000 + ")" * 3000 + " }}",
    "signs": "{{ " + "-" * 100000 + "1 }}",
    "a long template": "a" * 300_000,
}


@pytest.mark.parametrize("template", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_too_much_is_refused(template):
    started, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(chat.LimitError):
        chat.render(template, "Hi")
    assert time.process_time() - started < 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 600_000  # KiB


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ cycler.__init__.__globals__ }}",
        "{{ ().__class__.__bases__[0].__subclasses__() }}",
        "{{ messages.append(1) }}",
        "{{ messages.pop() }}",
        "{{ messages[0].update({'a': 1}) }}",
        "{{ messages[0].clear() }}",
        "{{ namespace(__class__=1) }}",
        "{% set ns = namespace() %}{% set ns.__class__ = 1 %}",
        "{{ range(10 ** 9) }}",
        "{% include 'x' %}",
        "{% import 'x' as y %}",
        "{% extends 'x' %}",
    ],
)
def test_the_sandbox_refuses(template):
    with pytest.raises(chat.TemplateError):
        chat.render(template, "Hi")


@pytest.mark.parametrize(
    "template",
    [
        "{{ messages.__class__ }}",
        "{{ lipsum.__globals__ }}",
        "{{ ''|attr('__class__') }}",
        "{{ ''['__class__'] }}",
        "{{ '{0.__class__}'.format('') }}",
        "{{ '{0[role].__class__}'.format(messages[0]) }}",
        "{{ ''.format.__globals__ }}",
        "{{ raise_exception.__globals__ }}",
        "{{ strftime_now.__closure__ }}",
        "{{ dict.__class__ }}",
        "{{ namespace().__init__ }}",
        "{% set ns = namespace() %}{{ ns['__class__'] }}",
        "{% macro m() %}{{ caller.__class__ }}{% endmacro %}{% call m() %}{% endcall %}",
    ],
)
def test_private_names_are_undefined(template):
    assert chat.render(template, "Hi") == ""


def test_limits_can_be_set():
    limits = chat.Limits(steps=500, characters=100, seconds=5, nodes=10, total=5000, source=60)
    for template in (
        "{% for i in range(999) %}{% endfor %}",
        "{{ 'a' * 101 }}",
        "{{ [[x, 2, 3, 4], [1, 2, 3, 4, 5]] }}",
        "{{ 'this template is longer than sixty characters' }}" + " " * 60,
    ):
        with pytest.raises(chat.LimitError):
            chat.render(template, "Hi", limits=limits)


def test_time_is_a_limit():
    with pytest.raises(chat.LimitError, match="longer than 0 seconds"):
        chat.render("{% for i in range(999) %}{% endfor %}", "Hi", limits=chat.Limits(seconds=0))


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ '%5d|%-3s|' % (1, 'a') }}", "    1|a  |"),
        ("{{ '{:>4}{a}'.format(1, a=2) }}", "   12"),
        ("{{ 2 ** 10 }} {{ 3 * 4 }} {{ [1] * 2 }} {{ 'ab' * 2 }}", "1024 12 [1, 1] abab"),
        ("{{ ','.join(['a', 'b']|map('upper')) }}", "A,B"),
        ("{{ 'a-b'.replace('-', '+').center(5) }}", " a+b "),
        ("{{ messages|tojson(indent=1) }}", '[\n {\n  "role": "user",\n  "content": "Hi"\n }\n]'),
        ("{{ '12'|int }} {{ 'ff'|int(base=16) }}", "12 255"),
        ("{{ ['a', 'b']|join('-') }} {{ range(3)|join }}", "a-b 012"),
        ("{{ 'a\\nb'|indent(2) }} {{ 'a b'|wordwrap(1) }}", "a\n  b a\nb"),
        ("{{ [1, 2, 3]|batch(2)|list }} {{ [1, 2, 3]|slice(2)|list }}", "[[1, 2], [3]] [[1, 2], [3]]"),
        ("{{ lipsum(n=1, html=false, min=1, max=2)|length > 1 }}", "True"),
        ("{{ {'a': 1}.b }}{{ namespace(a=1).b }}{{ namespace(a=1).a }}", "1"),
        ("{{ 'a'.replace() }}", None),
    ],
)
def test_what_is_not_too_much_is_as_ever(template, text):
    if text is None:
        with pytest.raises(chat.TemplateError, match="TypeError"):
            chat.render(template, "Hi")
    else:
        assert chat.render(template, "Hi") == text
