"""What the recipes share: the training text, training, and regular expressions of published tokenizers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Callable, Iterable, Sequence

from learning import count_words, joined_pair, learn_merges
from tokenizers import AddedToken, Regex, Tokenizer, models, pre_tokenizers

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
TAIL = r"\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA3 = CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|" + TAIL
QWEN = CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|" + TAIL
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
O200K = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{CONTRACTIONS}?|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{CONTRACTIONS}?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|" + TAIL
)
DEEPSEEK = (
    r"\p{N}{1,3}",
    "[一-龥぀-ゟ゠-ヿ]+",
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
    r"| ?[\p{P}\p{S}]+[\r\n]*|" + TAIL,
)


@cache
def corpus(*names: str) -> tuple[str, ...]:
    """Lines of the named corpus files (all of them without a name), in a fixed order."""
    chosen = names or ("english", "code", "cjk", "scripts", "symbols")
    return tuple(
        line + "\n"
        for name in chosen
        for line in (CORPUS / f"{name}.txt").read_text("utf-8").split("\n")
        if line
    )


def special(content: str, **flags: bool) -> AddedToken:
    return AddedToken(content, special=True, normalized=False, **flags)


def byte_letters() -> dict[int, str]:
    """Byte → letter of the byte-level alphabet."""
    shown = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {**{byte: chr(byte) for byte in shown}, **{byte: chr(256 + i) for i, byte in enumerate(hidden)}}


def train(
    tokenizer: Tokenizer,
    size: int,
    *names: str,
    head: Iterable[Any] = (),
    bytes_first: bool = False,
    letters: int = 10**6,
    **options: Any,
) -> Tokenizer:
    """Give a tokenizer a BPE model of about `size` tokens, counted on the corpus as its pipeline cuts it.

    `head` are special tokens with the first ids; with `bytes_first` the byte-level alphabet follows
    (and once more with the suffix of words, if there is one).
    """
    suffix = options.get("end_of_word_suffix") or ""
    endings = dict.fromkeys(["", suffix]) if bytes_first else ()
    alphabet = [letter + ending for ending in endings for letter in byte_letters().values()]
    names_first = [str(getattr(token, "content", token)) for token in head]
    tokens, merges = vocabulary(
        tokenizer,
        size,
        *names,
        head=[*names_first, *alphabet],
        prefix=options.get("continuing_subword_prefix") or "",
        suffix=suffix,
        letters=letters,
    )
    tokenizer.model = models.BPE(words(*tokens), merges, **options)
    tokenizer.add_special_tokens(list(head))
    return tokenizer


def vocabulary(
    tokenizer: Tokenizer,
    size: int,
    *names: str,
    head: Sequence[str] = (),
    prefix: str = "",
    suffix: str = "",
    letters: int = 10**6,
) -> tuple[list[str], list[tuple[str, str]]]:
    """`head`, then the alphabet, then what merges make; and the merges."""
    counted = count_words(tokenizer, corpus(*names))
    alphabet, merges = learn_merges(counted, size, prefix=prefix, suffix=suffix, letters=letters)
    known = list(dict.fromkeys([*head, *alphabet]))
    kept = merges[: max(0, size - len(known))]
    return list(dict.fromkeys([*known, *(joined_pair(pair, prefix) for pair in kept)])), kept


def split(pattern: str, behavior: str = "isolated", invert: bool = False) -> pre_tokenizers.Split:
    return pre_tokenizers.Split(Regex(pattern), behavior, invert)


def changed(tokenizer: Tokenizer, change: Callable[[dict[str, Any]], None]) -> Tokenizer:
    """A tokenizer whose JSON has been edited (for what the Python API cannot say)."""
    document = json.loads(tokenizer.to_str())
    change(document)
    return Tokenizer.from_str(json.dumps(document))


def words(*vocab: str) -> dict[str, int]:
    return {word: index for index, word in enumerate(dict.fromkeys(vocab))}


def word_level(*vocab: str) -> Tokenizer:
    return Tokenizer(models.WordLevel(words("[UNK]", *vocab), "[UNK]"))
