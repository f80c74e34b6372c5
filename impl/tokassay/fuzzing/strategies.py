"""The grammar as Hypothesis strategies: the same generators, drawing from Hypothesis's choice sequence.

`drawn(generate)` is the bridge: it makes a strategy of any function of a `random.Random`. What it draws
shrinks towards the first of every choice.
"""

from __future__ import annotations

from random import Random
from typing import Any, Callable, Dict, List, TypeVar

from hypothesis import strategies as st

from .choices import Asked
from .grammar import byte_strings, conversations, files, histories, replies, tokenizers
from .kinds.mixtures import kind_everything
from .material import Material
from .target import Case, Target

T = TypeVar("T")


def drawn(generate: Callable[[Random], T]) -> st.SearchStrategy[T]:
    """What a generator makes."""

    @st.composite
    def strategy(draw: Callable[[st.SearchStrategy[int]], int]) -> T:
        return generate(Asked(lambda n: draw(st.integers(0, n - 1))))

    return strategy()


def cases(target: Target) -> st.SearchStrategy[Case]:
    """Cases of a target."""
    return drawn(target.draw)


def texts(material: Material) -> st.SearchStrategy[str]:
    """Texts that matter to the tokenizer that the material was cut from."""
    return drawn(lambda chance: kind_everything(chance, material))


def invalid_bytes() -> st.SearchStrategy[bytes]:
    """Bytes that are nearly UTF-8, for engines that take bytes."""
    return drawn(byte_strings.nearly_utf8)


def random_tokenizers() -> st.SearchStrategy[Dict[str, Any]]:
    """Contents of whole tokenizer.json files."""
    return drawn(tokenizers.tokenizer)


def ids(document: Dict[str, Any]) -> st.SearchStrategy[List[int]]:
    """Ids of a random tokenizer, and some of none."""
    return drawn(lambda chance: tokenizers.ids_for(chance, document))


def mutated_files(format: str) -> st.SearchStrategy[bytes]:  # noqa: A002
    """Files of a format with something wrong in them."""
    return drawn(lambda chance: files.mutated(chance, format))


def chats() -> st.SearchStrategy[Dict[str, Any]]:
    """A chat template and a conversation."""
    return drawn(conversations.case)


def lookups() -> st.SearchStrategy[Dict[str, Any]]:
    """A look-up history with its rule."""
    return drawn(histories.history)


def wire_sessions() -> st.SearchStrategy[List[bytes]]:
    """What a hostile engine writes."""
    return drawn(replies.session)
