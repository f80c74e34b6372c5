"""Right on every vector: ids are the bytes of the text. What the other fakes spoil."""

from __future__ import annotations

from tokassay.device.serve import serve


class Bytes:
    def __init__(self, path: str) -> None:
        self.path = path

    def encode(self, text: str):
        return list(text.encode())

    def decode(self, ids: list[int]):
        return bytes(ids).decode("utf-8", "replace")


if __name__ == "__main__":
    serve("right", "1.0", Bytes)
