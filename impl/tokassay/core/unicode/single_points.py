"""What a Unicode form makes of single code points, by version: the tables that device files carry.

Versions 12.1 to 15.1 (``mtok.normalizer.table-version``). What was assigned in 9.0 normalizes alike ever
since; the few later entries are listed here, each with the version that brought it.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Dict, Mapping, Sequence, Tuple

from ..errors import FormatError
from .normalization import Form, nfc, nfd, nfkc

VERSIONS = ("12.1", "13.0", "14.0", "15.0", "15.1")
_FORMS = {"NFC": nfc, "NFD": nfd, "NFKC": nfkc}
# Form and version → first code point of a run, and one text (mostly one character) for each of it.
_NEWER: Mapping[Tuple[str, str], Sequence[Tuple[int, Sequence[str]]]] = {
    ("NFKC", "12.1"): ((0x32FF, ("\u4ee4\u548c",)), (0x1F16C, ("MR",))),
    ("NFD", "13.0"): ((0x11938, ("\U00011935\U00011930",)),),
    ("NFKC", "13.0"): ((0xAB69, "\u028d"), (0x1FBF0, "0123456789")),
    ("NFKC", "14.0"): (
        (0xA7F2, "CFQ"),
        (0x10781, "\u02d0\u02d1\xe6\u0299\u0253"),
        (
            0x10787,
            (
                "\u02a3\uab66\u02a5\u02a4\u0256\u0257\u1d91\u0258\u025e\u02a9\u0264\u0262\u0260\u029b\u0127"
                "\u029c\u0267\u0284\u02aa\u02ab\u026c\U0001df04\ua78e\u026e\U0001df05\u028e\U0001df06\xf8\u0276"
                "\u0277q\u027a\U0001df08\u027d\u027e\u0280\u02a8\u02a6\uab67\u02a7\u0288\u2c71"
            ),
        ),
        (0x107B2, "\u028f\u02a1\u02a2\u0298\u01c0\u01c1\u01c2\U0001df0a\U0001df1e"),
    ),
    ("NFKC", "15.0"): (
        (
            0x1E030,
            (
                "\u0430\u0431\u0432\u0433\u0434\u0435\u0436\u0437\u0438\u043a\u043b\u043c\u043e\u043f\u0440\u0441"
                "\u0442\u0443\u0444\u0445\u0446\u0447\u0448\u044b\u044d\u044e\ua689\u04d9\u0456\u0458\u04e9\u04af"
                "\u04cf\u0430\u0431\u0432\u0433\u0434\u0435\u0436\u0437\u0438\u043a\u043b\u043e\u043f\u0441\u0443"
                "\u0444\u0445\u0446\u0447\u0448\u044a\u044b\u0491\u0456\u0455\u045f\u04ab\ua651\u04b1"
            ),
        ),
    ),
}


def known_version(version: str) -> str:
    """The version as this module names it: "14" is "14.0". FormatError for any other."""
    for known in VERSIONS:
        if version in (known, known.partition(".")[0]) or version == known + ".0":
            return known
    raise FormatError(f"no Unicode table of version {version!r}; known: {', '.join(VERSIONS)}")


@lru_cache(maxsize=8)
def single_points(form: Form, version: str) -> Tuple[Tuple[int, str], ...]:
    """(code point, text) of every code point that `form` changes, ascending. `form`: NFC, NFD or NFKC."""
    found: Dict[int, str] = dict(_unchanging(form))
    last = VERSIONS.index(known_version(version))
    for one in VERSIONS[: last + 1]:
        for start, texts in _NEWER.get((form, one), ()):
            found.update(zip(range(start, start + len(texts)), texts))
    return tuple(sorted(found.items()))


@lru_cache(maxsize=3)
def _unchanging(form: Form) -> Tuple[Tuple[int, str], ...]:
    normalize = _FORMS[form]
    # The interpreter knows at least 9.0: it only narrows down what is then asked of 9.0 itself.
    candidates = [
        code
        for code in (*range(0x80, 0xD800), *range(0xE000, 0x110000))
        if unicodedata.normalize(form, chr(code)) != chr(code)
    ]
    pairs = ((code, normalize(chr(code))) for code in candidates)
    return tuple((code, text) for code, text in pairs if text != chr(code))
