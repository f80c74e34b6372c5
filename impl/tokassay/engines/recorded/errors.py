"""What can be wrong with a file of questions or of answers."""

from __future__ import annotations

from tokassay.core.errors import TokassayError


class AnswerError(TokassayError):
    """A file that cannot be used: `path`, `line` (from 1; 0 for the file as a whole) and `reason`."""

    def __init__(self, path: str, line: int, reason: str) -> None:
        self.path, self.line, self.reason = path, line, reason
        super().__init__(f"{path}: line {line}: {reason}" if line else f"{path}: {reason}")
