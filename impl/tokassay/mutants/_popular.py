"""What a usual test would notice: few strings of the popular kinds, on few natural vocabularies.

Published suites try a tokenizer on a dozen or two strings: a greeting, a contraction, digits, blanks, a line
of code, scripts, an emoji. These are our own strings of those kinds; a mutant is noticed where ids with or
without special tokens differ from the reference's, or the text that these decode to, at once or one by one.
"""

from __future__ import annotations

from typing import Callable, Dict, Iterator, List, Sequence, Tuple

from tokassay.checks.engine import EngineError, Session
from tokassay.checks.judging import ask
from tokassay.core.description import Description

from ._fault import Fault
from ._killing import own_tokenizers

POPULAR: Sequence[str] = (
    "",
    " ",
    "Good morning, world!",
    " good morning",
    "How's it going? We're fine.",
    "In 2024 there were 12345 of them.",
    "two  blanks,   three",
    "a line\nand another\n\n",
    "\tindented\tby tabs",
    "def add(a, b):\n    return a + b\n",
    "caf\u00e9 na\u00efve r\u00e9sum\u00e9",
    "\u4f60\u597d\uff0c\u4e16\u754c",
    "\u3053\u3093\u306b\u3061\u306f",
    "\u041f\u0440\u0438\u0432\u0435\u0442",
    "\U0001f600 \U0001f680",
    "<s>special</s>",
)
NATURAL = ("gpt2", "llama2-like", "bert-uncased")
Answer = List[object]


def asked(session: Session, text: str) -> Iterator[object]:
    """Everything that a usual test looks at."""
    for special in (False, True):
        ids = list(ask(session.encode, text, add_special_tokens=special).ids)
        yield ids
        yield ask(session.decode, ids, skip_special_tokens=special)
        stream = ask(session.stream, skip_special_tokens=special)
        yield "".join(ask(stream.step, index) or "" for index in ids)


def _answers(open_session: Callable[[], Session]) -> Answer:
    """Of all strings; a failure is an answer, too."""
    try:
        session = open_session()
        return [list(asked(session, text)) for text in POPULAR]
    except EngineError as error:
        return [type(error).__name__]


def noticed(fault: Fault, tokenizers: Sequence[str] = NATURAL) -> bool:
    """Whether one of the strings has another answer on one of the tokenizers."""
    return any(_differs(fault, own_tokenizers()[name]) for name in tokenizers)


def _differs(fault: Fault, description: Description) -> bool:
    if fault.changed(description) is None:
        return False
    sound = Fault("", "", "").open_engine()
    engine = fault.open_engine()
    right = _answers(lambda: ask(sound.of, description))
    return _answers(lambda: ask(engine.of, description)) != right


def compared(faults: Dict[str, Sequence[Fault]]) -> Dict[str, Tuple[int, int]]:
    """Area → how many of its mutants the strings notice, and how many there are."""
    return {name: (sum(map(noticed, some)), len(some)) for name, some in faults.items()}
