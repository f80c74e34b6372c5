"""What writing a tokenizer in another format gives, byte by byte (vectors with ``written_from``)."""

from __future__ import annotations

import pytest

from tokassay import FormatError, data, formats
from tokassay.checks.vector import Vector, file_bytes, read_vectors

WRITTEN = [v for v in read_vectors(data.root() / "golden" / "vectors" / "load") if "written_from" in v.given]


@pytest.mark.parametrize("vector", WRITTEN, ids=lambda vector: vector.id)
def test_a_tokenizer_is_written_as_the_clause_says(vector: Vector):
    source = vector.given["written_from"]
    description = formats.parse(file_bytes(source), format=source["name"])  # type: ignore[index]
    if vector.inline:
        assert formats.serialize(description, vector.file_name) == vector.inline
    else:
        with pytest.raises(FormatError):
            formats.serialize(description, vector.file_name)
