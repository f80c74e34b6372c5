"""Published split patterns, and the names that llama.cpp has for the pre-tokenizers made of them."""

from __future__ import annotations

from typing import Mapping, Tuple

_WORDS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_BEFORE = r"[^\r\n\p{L}\p{N}]?"
_REST = r"|\s*[\r\n]+|\s+(?!\S)|\s+"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CL100K = rf"{_WORDS}|{_BEFORE}\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*{_REST}"
QWEN = rf"{_WORDS}|{_BEFORE}\p{{L}}+|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*{_REST}"
O200K = (
    rf"{_BEFORE}{_UPPER}*{_LOWER}+{_WORDS}?|{_BEFORE}{_UPPER}+{_LOWER}*{_WORDS}?"
    rf"|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*{_REST}"
)
TEKKEN = O200K.replace(f"{_WORDS}?", "").replace("{1,3}", "")
_DEEPSEEK_WORDS = (
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
    "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"
)
DEEPSEEK = (r"\p{N}{1,3}", "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+", _DEEPSEEK_WORDS)

LLAMA_CPP: Mapping[str, Tuple[str, ...]] = {
    "gpt-2": (),
    "qwen2": (QWEN,),
    "llama-bpe": (CL100K,),
    "gpt-4o": (O200K,),
    "tekken": (TEKKEN,),
    "deepseek-v3": DEEPSEEK,
}
"""llama.cpp's name → the patterns of the Splits before the bytes; none is ByteLevel's own pattern."""
WHOLE_PIECES = ("llama-bpe", "tekken")
"""Pre-tokenizers of llama.cpp with which a piece that is a token is not merged."""
