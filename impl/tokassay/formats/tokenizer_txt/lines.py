"""Lines of a text file with their places."""

from __future__ import annotations

import base64
import binascii
import re
from typing import List, NoReturn, Tuple

from ...core.errors import FormatError

_NUMBER = re.compile(rb"[0-9]{1,10}")
LARGEST = 2**32 - 1
MOST_IDS = 100_000
LONGEST = 4 << 20
"""Bytes of a line."""


class Lines:
    r"""Reads line by line; ``\r`` before ``\n`` is no part of a line. `at` is where the last line began."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at, self.next = data, 0, 0

    @property
    def left(self) -> int:
        return len(self.data) - self.next

    def line(self, field: str) -> bytes:
        """The next line; the last one need not end. FormatError behind the end of the file."""
        self.at = self.next
        if not self.left:
            self.fail(field, "the file ends before this line")
        end = self.data.find(b"\n", self.at)
        end = len(self.data) if end < 0 else end
        if end - self.at > LONGEST:
            self.fail(field, f"a line of {end - self.at} bytes, {LONGEST} are read")
        self.next = min(end + 1, len(self.data))
        found = self.data[self.at : end]
        return found[:-1] if found.endswith(b"\r") else found

    def numbers(self, field: str) -> Tuple[int, ...]:
        """The next line as numbers in 0..2**32-1, separated by blanks."""
        found: List[int] = []
        words = self.line(field).split(None, MOST_IDS)
        if len(words) > MOST_IDS:
            self.fail(field, f"more than {MOST_IDS} numbers in a line")
        for word in words:
            if not _NUMBER.fullmatch(word) or int(word) > LARGEST:
                self.fail(field, f"expected a number in 0..{LARGEST}, got {word[:20]!r}")
            found.append(int(word))
        return tuple(found)

    def count(self, field: str) -> int:
        """One number, not above what the rest of the file can hold."""
        numbers = self.numbers(field)
        if len(numbers) != 1:
            self.fail(field, f"expected one number, got {len(numbers)}")
        return self.fitting(numbers[0], field)

    def fitting(self, count: int, field: str) -> int:
        """A count of lines that the rest of the file can hold (a line is one byte at least, but the last)."""
        if count > self.left + 1:
            self.fail(field, f"{count} lines do not fit into the {self.left} bytes that are left")
        return count

    def fail(self, field: str, reason: str, within: int = 0) -> NoReturn:
        """Raises FormatError: at the last line, or `within` it."""
        raise FormatError(reason, field=field, offset=self.at + within)

    def unpacked(self, text: bytes, field: str) -> bytes:
        """The bytes that base64 stands for."""
        try:
            return base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError) as error:
            self.fail(field, f"is not base64: {error}")

    def text(self, data: bytes, field: str) -> str:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            self.fail(field, f"is not UTF-8 at byte {error.start} of the token")
