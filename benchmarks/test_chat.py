"""Chat templates: the first rendering of a template and the later ones, as ratios to transformers.

``TOKASSAY_BENCH_TRANSFORMERS=1`` compares with transformers, which has to be installed then; otherwise with
jinja2's sandbox alone, on the same template. Processor time, both sides in turn.
"""

from __future__ import annotations

import os
import time
from typing import Any, Callable

import pytest

from tokassay import chat, zoo
from tokassay.chat import rendering

TRANSFORMERS = bool(os.environ.get("TOKASSAY_BENCH_TRANSFORMERS"))
TURNS = [{"role": ("user", "assistant")[n % 2], "content": "hello world " * 20} for n in range(20)]
WARM, ROUNDS = 50, 9
OPEN = {"add_generation_prompt": True}


@pytest.fixture(scope="session")
def template() -> str:
    """Qwen3's."""
    (outcome,) = zoo.fetch([zoo.entries()["qwen3_config"]])
    assert outcome.path is not None, outcome.error
    return chat.read(outcome.path).choose()


def seconds(call: Callable[[], object], times: int = 1) -> float:
    start = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - start) / times


def forget() -> None:
    rendering._compiled.cache_clear()
    rendering._environment.cache_clear()


def by_jinja2(template: str) -> tuple[Callable[[], object], Callable[[], None]]:
    """jinja2's sandbox with a cache of one, and what empties it."""
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    kept: dict[str, Any] = {}

    def render() -> str:
        if not kept:
            environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
            kept["template"] = environment.from_string(template)
        return str(kept["template"].render(messages=TURNS, tools=None, **OPEN))

    return render, kept.clear


def by_transformers(template: str) -> tuple[Callable[[], object], Callable[[], None]]:
    from transformers.utils import chat_template_utils as theirs

    def render() -> str:
        return str(theirs.render_jinja_template([TURNS], chat_template=template, **OPEN)[0][0])

    return render, theirs._compile_jinja_template.cache_clear


def test_twenty_messages(benchmark: Any, row: Callable[[str], None], template: str) -> None:
    other, forget_other = (by_transformers if TRANSFORMERS else by_jinja2)(template)
    ours = lambda: chat.render(template, TURNS, **OPEN)  # noqa: E731
    assert ours() == other()
    first, warm = [], []
    for _ in range(ROUNDS):
        forget()
        forget_other()
        first.append((seconds(other), seconds(ours)))
        warm.append((seconds(other, WARM), seconds(ours, WARM)))
    ratios = {
        name: min(a for a, _ in pairs) / min(b for _, b in pairs)
        for name, pairs in (("first", first), ("later", warm))
    }
    name = "transformers" if TRANSFORMERS else "jinja2 alone"
    row(f"chat, 20 messages: {name} to ours, first {ratios['first']:5.2f}, later {ratios['later']:5.2f}")
    benchmark.extra_info.update(ratios)
    benchmark.pedantic(ours, rounds=20)
