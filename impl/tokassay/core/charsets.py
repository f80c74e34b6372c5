"""Character predicates that several components share, each with the Unicode version of its oracle."""

from __future__ import annotations

from .unicode.tables import contains, ranges

WHITE_SPACE: str = "".join(chr(code) for low, high in ranges("white_space") for code in range(low, high + 1))
"""White_Space, for `str.strip`: 25 characters. `str.isspace` has four more (U+001C to U+001F)."""

is_word = contains("rust.word")
"""Whether a character is `\\w` to Rust's regex crate (clause ``added.single-word``)."""
