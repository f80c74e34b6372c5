"""A shared library with the four functions of docs/protocol/tokassay_abi.h, served over the wire protocol.

Usage: python -m tokassay.device.cabi ./lib.so
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
from dataclasses import dataclass
from typing import Any, Callable, List, Sequence

from tokassay.device.serve import serve

UNSUPPORTED = -1  # any other negative answer is an error
ERROR_BYTES = 256
FUNCTIONS = ("tokassay_open", "tokassay_encode", "tokassay_decode", "tokassay_close")
FIRST_IDS, FIRST_BYTES = 4096, 1 << 15


@dataclass(frozen=True)
class Library:
    """The loaded library. Raises OSError or AttributeError where it is none, or lacks a function."""

    handle: Any

    @classmethod
    def at(cls, path: str) -> Library:
        library = ctypes.CDLL(os.path.abspath(path))  # noqa: PTH100 - a bare name would be searched elsewhere
        opened, encode, decode, close = (getattr(library, name) for name in FUNCTIONS)
        size, pointer, text, flag = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
        opened.restype, opened.argtypes = pointer, [text, text]
        encode.restype, encode.argtypes = ctypes.c_int64, [pointer, text, size, flag, pointer, size, text]
        decode.restype, decode.argtypes = ctypes.c_int64, [pointer, pointer, size, flag, text, size, text]
        close.restype, close.argtypes = None, [pointer]
        return cls(library)

    def string(self, name: str) -> str:
        """A ``const char name[]`` of the library."""
        return ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(self.handle, name))).decode(
            "utf-8", "replace"
        )

    def load(self, path: str) -> Tokenizer:
        """Open a tokenizer file. Raises RuntimeError with what the library wrote."""
        error = ctypes.create_string_buffer(ERROR_BYTES)
        pointer = self.handle.tokassay_open(os.fsencode(path), error)
        if not pointer:
            raise RuntimeError(_said(error) or "tokassay_open answered NULL")
        return Tokenizer(self, pointer)


@dataclass(frozen=True)
class Tokenizer:
    """What `tokassay_open` answered; closed with this object."""

    library: Library
    pointer: int

    def encode(self, text: str, *, add_special_tokens: bool = True) -> List[int]:
        return self.encode_bytes(text.encode("utf-8"), add_special_tokens=add_special_tokens)

    def encode_bytes(self, data: bytes, *, add_special_tokens: bool = True) -> List[int]:
        call = self.library.handle.tokassay_encode

        def into(capacity: int) -> Any:
            ids, error = (ctypes.c_uint32 * capacity)(), ctypes.create_string_buffer(ERROR_BYTES)
            return call(self.pointer, data, len(data), add_special_tokens, ids, capacity, error), ids, error

        count, ids = _filled("tokassay_encode", into, max(FIRST_IDS, len(data)))
        return list(ids[:count])

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> str:
        return self.decode_bytes(ids, skip_special_tokens=skip_special_tokens).decode(
            "utf-8", "surrogateescape"
        )

    def decode_bytes(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> bytes:
        if not all(0 <= index < 1 << 32 for index in ids):
            raise ValueError("an id does not fit into 32 bits")
        given, call = (ctypes.c_uint32 * len(ids))(*ids), self.library.handle.tokassay_decode

        def into(capacity: int) -> Any:
            text, error = ctypes.create_string_buffer(capacity), ctypes.create_string_buffer(ERROR_BYTES)
            return (
                call(self.pointer, given, len(ids), skip_special_tokens, text, capacity, error),
                text,
                error,
            )

        length, text = _filled("tokassay_decode", into, FIRST_BYTES)
        return bytes(text[:length])

    def __del__(self) -> None:
        self.library.handle.tokassay_close(self.pointer)


def _filled(name: str, into: Callable[[int], Any], capacity: int) -> Any:
    """Call with room for `capacity` items, and once more when that was too little."""
    for _ in range(2):
        count, items, error = into(capacity)
        if count < 0:
            kind = NotImplementedError if count == UNSUPPORTED else RuntimeError
            raise kind(_said(error) or f"{name} answered {count}")
        if count <= capacity:
            return count, items
        capacity = count
    raise RuntimeError(f"{name} needs {count} items after it had asked for {capacity} fewer")


def _said(error: Any) -> str:
    return str(error.value.decode("utf-8", "replace"))


def main(path: str) -> int:
    """Serve until stdin ends; 3 where the library cannot be used."""
    try:
        library = Library.at(path)
        name, version, claimed = (
            library.string(f"tokassay_{part}") for part in ("name", "version", "capabilities")
        )
    except (OSError, AttributeError, ValueError) as error:
        print(f"{path}: {error}", file=sys.stderr)  # noqa: T201 - the host shows it
        return 3
    with open(path, "rb") as file:  # noqa: PTH123
        sha256 = hashlib.sha256(file.read()).hexdigest()
    serve(name, version, library.load, capabilities=claimed.split(), build={"sha256": sha256})
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
