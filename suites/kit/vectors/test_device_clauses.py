"""Every clause about a device format has a vector, and every vector of such a format cites its page."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Set

import pytest

from tokassay import data
from tokassay.vectors.rows import read_folder

PAGES = {"vocab-bin": "vocab.bin", "tokenizer-txt": "tokenizer.txt", "mtok": "mtok"}
HERE = [page for page in PAGES if (data.root() / "docs" / "spec" / f"{page}.md").is_file()]


@pytest.fixture(scope="module")
def rows() -> List[Dict[str, Any]]:
    return [row for content in read_folder(data.root() / "golden" / "vectors").values() for row in content]


def clauses(page: str) -> Set[str]:
    text = (data.root() / "docs" / "spec" / f"{page}.md").read_text("utf-8")
    return set(re.findall(r"^### `([^`]+)`", text, re.MULTILINE))


@pytest.mark.parametrize("page", HERE)
def test_every_clause_has_a_vector(page: str, rows: List[Dict[str, Any]]):
    cited = {name for row in rows for name in row["clauses"]}
    assert clauses(page) - cited == set()


@pytest.mark.parametrize("page", HERE)
def test_every_vector_of_a_format_cites_a_clause_of_its_page(page: str, rows: List[Dict[str, Any]]):
    known = clauses(page)
    bare = [row["id"] for row in rows if _format(row) == PAGES[page] and not known & set(row["clauses"])]
    assert bare == []


@pytest.mark.parametrize("page", HERE)
def test_the_source_document_has_given_vectors(page: str, rows: List[Dict[str, Any]]):
    known = clauses(page)
    assert [row for row in rows if row["source"]["kind"] == "document" and known & set(row["clauses"])]


def _format(row: Dict[str, Any]) -> str:
    """The format of a row's file; readings of one format are told apart by what follows the name."""
    return str(row.get("file", {}).get("name", "")).partition("-")[0]
