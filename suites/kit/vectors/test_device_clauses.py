"""Clauses have vectors or say why not, vectors cite clauses, blocks of the documents are vectors."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Set, Tuple

import pytest

from tokassay import data
from tokassay.vectors.rows import read_folder

PAGES = {
    "vocab-bin": "vocab.bin",
    "tokenizer-txt": "tokenizer.txt",
    "mtok": "mtok",
    "sentencepiece": "sentencepiece",
    "tiktoken": "tiktoken tekken.json",
    "gguf": "gguf",
    "clip": "clip",
}
KNOWN = " ".join(PAGES.values()).split()
FROM_DOCUMENTS = ("vocab-bin", "tokenizer-txt", "mtok")
# What stands in a code block or a table of the source documents → the vectors of source kind "document".
BLOCKS = {
    "MNN: structure of the file": "mtok/document-layout",
    "MNN: text header": "mtok/document-header",
    "MNN: basic types": "mtok/document-types",
    "MNN: normalizers": "mtok/document-none mtok/document-nfkc mtok/document-prepend mtok/document-replace "
    "mtok/document-sequence mtok/document-bert mtok/document-nfkc-table mtok/document-bert-nfd",
    "MNN: table, its layout and how it is made": "mtok/document-nfkc-table",
    "MNN: look-up by bisection": "mtok/document-look-up",
    "MNN: pre-tokenizers": "mtok/document-no-splitter mtok/document-byte-level mtok/document-digits "
    "mtok/document-metaspace mtok/document-split mtok/document-bert-splitter mtok/document-splitters",
    "MNN: BPE": "mtok/document-bpe mtok/document-byte-fallback mtok/document-byte-level-model",
    "MNN: WordPiece": "mtok/document-wordpiece",
    "MNN: Unigram": "mtok/document-unigram",
    "MNN: decoders": "mtok-decode/document-byte-level mtok-decode/document-byte-fallback "
    "mtok-decode/document-metaspace mtok-decode/document-wordpiece mtok-decode/document-replace "
    "mtok-decode/document-strip",
    "MNN: added tokens": "mtok/document-added",
    "MNN: chat template": "mtok/document-tail",
    "MNN: tokenizer.txt, type 0 with its example": "tokenizer-txt/document-sentencepiece",
    "MNN: tokenizer.txt, type 1": "tokenizer-txt/document-tiktoken",
    "MNN: tokenizer.txt, type 2": "tokenizer-txt/document-bert",
    "MNN: tokenizer.txt, type 3": "tokenizer-txt/document-huggingface",
    "vocab.bin: layout": "vocab-bin/document-layout",
    "vocab.bin: byte table": "vocab-bin/document-byte-table",
    "vocab.bin: decode rule": "vocab-bin/document-three-ranges",
    "vocab.bin: special tokens from the old file": "vocab-bin/document-special-copy",
    "vocab.bin: count of 200000": "vocab-bin/count-raised",
}
ALSO = {"vocab-bin/document-one-entry", "mtok-decode/document-special", "mtok-encode/document-prefix"}
"""From sentences of the documents."""
# What a document shows of a file of megabytes → the nightly tests on that file.
ON_THE_REAL_FILE = {
    "vocab.bin: log": "the_build_statistics_are_the_published_ones no_common_character_is_missing "
    "the_hits_are_the_published_ones",
    "vocab.bin: sha256": "the_file_is_the_published_one",
    "vocab.bin: stored bytes of four ids": "the_byte_table_is_the_published_one",
}


EVERY_PAGE = sorted(path.stem for path in (data.root() / "docs" / "spec").glob("*.md"))
REASON = re.compile(r"^Not testable by a vector: [^;]+; `(suites/[\w/]+\.py)::(test_\w+)`\.$", re.MULTILINE)


@pytest.fixture(scope="module")
def rows() -> List[Dict[str, Any]]:
    return [row for content in read_folder(data.root() / "golden" / "vectors").values() for row in content]


def contents(page: str) -> Dict[str, str]:
    """Clause to its text."""
    text = (data.root() / "docs" / "spec" / f"{page}.md").read_text("utf-8")
    parts = re.split(r"^### `([^`]+)`", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def clauses(page: str) -> Set[str]:
    return set(contents(page))


def untestable(page: str) -> Dict[str, Tuple[str, str]]:
    """Clauses that no vector can hold → file and name of the test that does."""
    found = {name: REASON.search(text) for name, text in contents(page).items()}
    return {name: (match[1], match[2]) for name, match in found.items() if match}


@pytest.mark.parametrize("page", EVERY_PAGE)
def test_every_clause_has_a_vector_or_says_why_not(page: str, rows: List[Dict[str, Any]]):
    cited = {name for row in rows for name in row["clauses"]}
    assert clauses(page) - cited == set(untestable(page))


@pytest.mark.parametrize("page", EVERY_PAGE)
def test_what_is_not_testable_by_a_vector_is_tested_elsewhere(page: str):
    missing = [
        test
        for file, test in untestable(page).values()
        if f"def {test}(" not in (data.root() / file).read_text("utf-8")
    ]
    assert missing == []


@pytest.mark.parametrize("page", PAGES)
def test_every_vector_of_a_format_cites_a_clause_of_its_page(page: str, rows: List[Dict[str, Any]]):
    known = clauses(page)
    bare = [
        row["id"] for row in rows if _format(row) in PAGES[page].split() and not known & set(row["clauses"])
    ]
    assert bare == []


def test_a_folder_is_a_vector(rows: List[Dict[str, Any]]):
    assert {"vocab.json", "vocab.txt"} <= {
        name for row in rows if "json.folders" in row["clauses"] for name in row["files"]
    }


def test_every_vector_names_clauses_that_there_are(rows: List[Dict[str, Any]]):
    pages = (data.root() / "docs" / "spec").glob("*.md")
    known = set().union(*(clauses(page.stem) for page in pages))
    assert [row["id"] for row in rows if not row["clauses"] or not known.issuperset(row["clauses"])] == []


@pytest.mark.parametrize("page", FROM_DOCUMENTS)
def test_the_source_document_has_given_vectors(page: str, rows: List[Dict[str, Any]]):
    known = clauses(page)
    assert [row for row in rows if row["source"]["kind"] == "document" and known & set(row["clauses"])]


@pytest.mark.parametrize("block", BLOCKS)
def test_every_block_of_the_documents_is_a_vector(block: str, rows: List[Dict[str, Any]]):
    given = {row["id"] for row in rows if row["source"]["kind"] == "document"}
    assert set(BLOCKS[block].split()) <= given


def test_every_vector_from_a_document_is_of_a_block(rows: List[Dict[str, Any]]):
    blocks = {name for names in BLOCKS.values() for name in names.split()}
    given = [
        row["id"]
        for row in rows
        if row["source"]["kind"] == "document" and "/document-" in row["id"] and _format(row) in KNOWN
    ]
    assert set(given) - blocks - ALSO == set()


@pytest.mark.parametrize("block", ON_THE_REAL_FILE)
def test_every_figure_of_a_real_file_is_a_test(block: str):
    tests = (data.root() / "suites" / "kit" / "formats" / "test_vocab_bin_real.py").read_text("utf-8")
    assert [name for name in ON_THE_REAL_FILE[block].split() if f"def test_{name}(" not in tests] == []


def _format(row: Dict[str, Any]) -> str:
    """The format of a row's file; readings of one format are told apart by what follows the name."""
    name = str(row.get("file", {}).get("name", ""))
    return name if name in KNOWN else name.partition("-")[0]
