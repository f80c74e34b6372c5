"""Precompiled by small facts: which rule speaks for what (clauses ``norm.precompiled.*``)."""

from __future__ import annotations

import base64
import zlib

import pytest

from tokassay.core.aligned import AlignedText
from tokassay.core.clusters import clusters
from tokassay.core.errors import EncodeError, FormatError
from tokassay.core.normalizers.precompiled import Precompiled

# The charsmap of the rules a → X, é → E and carriage return → _.
BLOB = zlib.decompress(
    base64.b64decode("eNpjYGFgYABhIGBiYGhggGCQUAMDDsBryTAKqAgSexlHA4FEsHIhE9XNPCzBPCLDMoIhnsGVAQAp/wXq")
)
RULES = Precompiled(BLOB)

FACTS = [
    ("a character with a rule", "ab", "Xb"),
    ("a character without", "b漢", "b漢"),
    ("the first character of a short cluster speaks for all of it", "a\u0301b", "Xb"),
    ("a longer cluster goes by characters", "a\u0301\u0301\u0301", "X\u0301\u0301\u0301"),
    ("a line end of two characters is one cluster", "a\r\nb", "X_b"),
    ("and apart they are two", "\n\r", "\n_"),
    ("NUL ends a look-up", "\0a", "\0X"),
    ("a joiner belongs to what is before it", "é\u200d", "E"),
    ("nothing to do", "", ""),
]


@pytest.mark.parametrize(("fact", "text", "expected"), FACTS)
def test_text(fact, text, expected):
    assert RULES.normalize(text) == expected, fact
    assert RULES.align(AlignedText.of(text)).text == expected, fact


def test_what_a_cluster_became_stands_for_all_of_it():
    aligned = RULES.align(AlignedText.of("a\u0301b"))
    assert list(zip(aligned.text, aligned.spans)) == [("X", (0, 1)), ("b", (2, 3))]


def test_the_blob_is_written_as_it_was_read():
    assert RULES.to_fields() == {
        "type": "Precompiled",
        "precompiled_charsmap": base64.b64encode(BLOB).decode(),
    }


CLUSTERS = [
    ("\r\n\n", ["\r\n", "\n"]),
    ("e\u0301\u200dx", ["e\u0301\u200d", "x"]),
    ("\u1100\u1161\u11a8\u1100", ["\u1100\u1161\u11a8", "\u1100"]),
    ("각\u11a8가\u1161", ["각\u11a8", "가\u1161"]),
    ("👩\u200d👩\u200dx", ["👩\u200d👩\u200d", "x"]),
    ("🇩🇪🇩", ["🇩🇪", "🇩"]),
    ("क\u094dष\u0924", ["क\u094dष", "\u0924"]),
    ("क\u094d\u200cष", ["क\u094d\u200c", "ष"]),
    ("\u0600a\u0600", ["\u0600a", "\u0600"]),
    ("\u0301a\x01\u0301", ["\u0301", "a", "\x01", "\u0301"]),
    ("\U00016d63\U00016d67\u11a8", ["\U00016d63\U00016d67\u11a8"]),
]


@pytest.mark.parametrize(("text", "expected"), CLUSTERS)
def test_clusters(text, expected):
    assert clusters(text) == expected


@pytest.mark.parametrize("blob", [b"", b"\4\0\0\0", b"\4\0\0\0\0\0\0\0\xff"])
def test_a_blob_without_a_trie_or_with_other_bytes_is_refused(blob):
    with pytest.raises(FormatError):
        Precompiled(blob)


def test_a_trie_that_points_outside_itself_fails_on_the_text():
    for blob in (b"\4\0\0\0" + b"\0\4\0\0", b"\0\0\0\0"):
        damaged = Precompiled(blob)
        assert damaged.normalize("") == ""
        with pytest.raises(EncodeError):
            damaged.normalize("a")
