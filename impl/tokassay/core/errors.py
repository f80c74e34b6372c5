"""What can go wrong, as values: each error says what happened, where, and why.

`FormatError` is the only exception that a file may cause. The others concern a text,
a pattern or a request that the reference refuses by name instead of answering wrongly.
"""

from __future__ import annotations

from typing import Optional


class TokassayError(Exception):
    """Root of every error that tokassay raises on purpose."""


class FormatError(TokassayError, ValueError):
    """A file (or a description read from one) is not what its format says.

    Attributes:
        path: the file, or None when the description was made in memory.
        offset: byte offset of the fault in the file, None when it is not known.
        field: where in the structure, e.g. ``model.merges[3]``.
        reason: what is wrong, in words.
    """

    def __init__(
        self,
        reason: str,
        *,
        field: Optional[str] = None,
        path: Optional[str] = None,
        offset: Optional[int] = None,
    ) -> None:
        self.reason, self.field, self.path, self.offset = reason, field, path, offset
        super().__init__(str(self))

    def __str__(self) -> str:
        place = [self.path or "", f"byte {self.offset}" if self.offset is not None else "", self.field or ""]
        return ": ".join([part for part in place if part] + [self.reason])

    def at(self, path: str) -> FormatError:
        """The same error with its file named (a codec knows the fault, its caller the path)."""
        return FormatError(self.reason, field=self.field, path=self.path or path, offset=self.offset)


class PatternError(TokassayError, ValueError):
    """A regular expression that is invalid, or that cannot be translated exactly.

    Attributes:
        pattern: the pattern as written.
        position: index of the offending character in it.
        reason: what is wrong, in words.
        refused: True when Oniguruma accepts the pattern but no exact translation exists.
    """

    def __init__(self, reason: str, *, pattern: str, position: int, refused: bool = False) -> None:
        self.reason, self.pattern, self.position, self.refused = reason, pattern, position, refused
        verb = "cannot be translated exactly" if refused else "is not valid"
        super().__init__(f"pattern {pattern!r} {verb} at {position}: {reason}")


class TextError(TokassayError, ValueError):
    """A text that no tokenizer can take: it holds a lone surrogate or invalid UTF-8.

    Attributes:
        position: index of the first offending character (of the first offending byte for bytes).
        reason: what is wrong, in words.
    """

    def __init__(self, reason: str, *, position: int) -> None:
        self.reason, self.position = reason, position
        super().__init__(f"{reason} at {position}")


class UnsupportedError(TokassayError, NotImplementedError):
    """A request that the reference answers with a named refusal (BPE dropout, say)."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class EncodeError(TokassayError, ValueError):
    """The oracle, too, fails on this text with this tokenizer (Unigram without unk_id, say)."""


class DecodeError(TokassayError, ValueError):
    """The oracle, too, fails on these ids with this tokenizer (a Strip decoder cutting too much, say)."""
