"""Write the frozen Unicode tables of `tokassay.core.unicode` from the oracle's own answers.

Every set is read off HF tokenizers by splitting or normalizing all scalar values; only what the
oracle cannot list (ages, names of scripts and blocks, grapheme classes) comes from `unicodedataplus`
16.0, and is then compared with the oracle where the oracle can tell. Needs
``pip install tokenizers==0.23.3 unicodedataplus==16.0.0.post1``; running it again changes nothing.

    python tools/make_unicode.py            # rewrites impl/tokassay/core/unicode/data_*.py
    python tools/make_unicode.py --check    # compares only, exit code 1 on a difference
"""

from __future__ import annotations

import argparse
import sys
from functools import cache
from pathlib import Path
from typing import Callable, Dict, Iterable, List, Tuple

import unicodedataplus as ucd
from tokenizers import Regex, normalizers, pre_tokenizers
from unicode_packing import Ranges, module, packed_pairs, packed_ranges, packed_runs, spelled, words

TARGET = Path(__file__).resolve().parent.parent / "impl" / "tokassay" / "core" / "unicode"
SCALARS = [*range(0xD800), *range(0xE000, 0x110000)]
TEXT = "".join(map(chr, SCALARS))
_CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn"
CATEGORIES = tuple(_CATEGORIES.split())

# Binary properties and POSIX names; an alias follows its long name.
_PROPERTIES = """
Alphabetic/Alpha White_Space/Space Lowercase/Lower Uppercase/Upper ASCII Alnum Blank Cntrl Digit
Graph Print XDigit/xdigit Word PosixPunct ASCII_Hex_Digit/AHex Bidi_Control/Bidi_C Case_Ignorable/CI
Cased Changes_When_Casefolded/CWCF Changes_When_Casemapped/CWCM Changes_When_Lowercased/CWL
Changes_When_Titlecased/CWT Changes_When_Uppercased/CWU Dash Default_Ignorable_Code_Point/DI
Deprecated/Dep Diacritic/Dia Emoji Emoji_Component/EComp Emoji_Modifier/EMod Emoji_Modifier_Base/EBase
Emoji_Presentation/EPres Extended_Pictographic/ExtPict Extender/Ext Grapheme_Base/Gr_Base
Grapheme_Extend/Gr_Ext Grapheme_Link/Gr_Link Hex_Digit/Hex Hyphen IDS_Binary_Operator/IDSB
IDS_Trinary_Operator/IDST IDS_Unary_Operator/IDSU ID_Compat_Math_Continue ID_Compat_Math_Start
ID_Continue/IDC ID_Start/IDS Ideographic/Ideo Join_Control/Join_C Logical_Order_Exception/LOE Math
Modifier_Combining_Mark/MCM Noncharacter_Code_Point/NChar Other_Alphabetic/OAlpha
Other_Default_Ignorable_Code_Point/ODI Other_Grapheme_Extend/OGr_Ext Other_ID_Continue/OIDC
Other_ID_Start/OIDS Other_Lowercase/OLower Other_Math/OMath Other_Uppercase/OUpper Pattern_Syntax/Pat_Syn
Pattern_White_Space/Pat_WS Prepended_Concatenation_Mark/PCM Quotation_Mark/QMark Radical
Regional_Indicator/RI Sentence_Terminal/STerm Soft_Dotted/SD Terminal_Punctuation/Term
Unified_Ideograph/UIdeo Variation_Selector/VS XID_Continue/XIDC XID_Start/XIDS
"""
PROPERTIES = _PROPERTIES.split()

# A set is stored as its difference from a union of others, whichever candidate is the shortest.
BASES = (
    "",
    "L",
    "L+Nl",
    "L+Nl+OtherAlphabetic",
    "L+N",
    "Ll",
    "Lu",
    "Lu+Lt",
    "Ll+OtherLowercase",
    "Lu+OtherUppercase",
    "Lowercase+Uppercase+Lt",
    "Alphabetic+M+Nd+Pc",
    "Alphabetic+Nd",
    "M",
    "Mn",
    "Mn+Me",
    "Mn+Me+OtherGraphemeExtend",
    "P",
    "P+S",
    "N",
    "Nd",
    "Zs",
    "Z",
    "Sm",
    "Sm+OtherMath",
    "Mn+Me+Cf+Lm+Sk",
    "IDStart",
    "IDStart+Mn+Mc+Nd+Pc",
    "IDContinue",
    "Cn+Cs+Cc+Z",
    "Cn+Cs+Cc+Zl+Zp",
    "Cn+Cs+Co+C+Z+GraphemeExtend",
    "ChangesWhenUppercased",
    "ChangesWhenLowercased+ChangesWhenUppercased+ChangesWhenTitlecased",
    "ChangesWhenLowercased",
    "Cc+Cf+Co",
    "OtherDefaultIgnorableCodePoint",
)


def as_ranges(points: Iterable[int]) -> Ranges:
    found: List[List[int]] = []
    for point in points:
        if found and found[-1][1] == point - 1:
            found[-1][1] = point
        else:
            found.append([point, point])
    return tuple((low, high) for low, high in found)


def points_of(ranges: Ranges) -> set:
    return {point for low, high in ranges for point in range(low, high + 1)}


@cache
def matched(pattern: str) -> Ranges:
    """The scalar values that a one-character pattern matches, by the oracle."""
    split = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
    kept = (SCALARS[start] for _, (start, _) in split.pre_tokenize_str(TEXT))
    return as_ranges(kept)


def mapped(normalizer: object) -> Dict[int, str]:
    """What a normalizer makes of each scalar value alone, where that is another text."""
    answers = normalizer.normalize_str  # type: ignore[attr-defined]
    return {point: answers(chr(point)) for point in SCALARS if answers(chr(point)) != chr(point)}


def accepted(name: str) -> bool:
    try:
        Regex(rf"\p{{{name}}}")
    except Exception:  # noqa: BLE001 - the binding has no narrower class
        return False
    return True


def categories() -> str:
    value = lambda point: ucd.category(chr(point))  # noqa: E731
    for name in CATEGORIES:
        if name != "Cs" and matched(rf"\p{{{name}}}") != as_ranges(p for p in SCALARS if value(p) == name):
            raise SystemExit(f"the oracle's {name} is not the one of Unicode 16.0")
    return module(
        "General categories of Unicode 16.0, as Oniguruma in tokenizers 0.23.3 has them.",
        words("NAMES", " ".join(CATEGORIES)),
        f"RUNS = {spelled(packed_runs(CATEGORIES, value))}\n",
    )


def named_partition(kind: str, prefix: str) -> Tuple[List[str], Callable[[int], str], str]:
    """Names that the oracle accepts for scripts or blocks, with aliases, and each point's name."""
    aliases = ucd.property_value_aliases[kind]
    of_point = getattr(ucd, kind)
    value = lambda point: of_point(chr(point)).replace(" ", "_").replace("-", "_")  # noqa: E731
    used = sorted({value(point) for point in range(0x110000)})
    spellings = {name.replace("-", "_").replace(" ", "_"): [name, *more] for name, more in aliases.items()}
    shown = []
    for name in used:
        good = [s for s in dict.fromkeys([name, *spellings.get(name, [])]) if accepted(prefix + s)]
        shown.append("/".join(dict.fromkeys(good)) or "-" + name)
        if (
            good
            and kind == "script"
            and matched(rf"\p{{{good[0]}}}") != as_ranges(p for p in SCALARS if value(p) == name)
        ):
            raise SystemExit(f"script {name} differs")
    return used, value, " ".join(shown)


def scripts() -> str:
    used, value, names = named_partition("script", "")
    return module(
        "Scripts of Unicode 16.0 (long name and aliases, as Oniguruma spells them).",
        words("NAMES", names),
        f"RUNS = {spelled(packed_runs(used, value))}\n",
    )


def blocks() -> str:
    found = {}
    for spelling in ucd.property_value_aliases["block"]:
        name = spelling.replace(" ", "_").replace("-", "_")
        if name != "No_Block" and "Surrogates" not in name and accepted("In_" + name):
            (found[name],) = matched(rf"\p{{In_{name}}}")
    names = sorted(found, key=found.__getitem__)
    return module(
        "Blocks of Unicode 16.0, in order; Oniguruma names them In_...",
        words("NAMES", " ".join(names)),
        f"RANGES = {spelled(packed_ranges(tuple(found[name] for name in names)))}\n",
    )


class Sets:
    """Sets stored as differences from unions of earlier ones; the text index says which."""

    def __init__(self) -> None:
        self.known: Dict[str, set] = {"": set()}
        for name in CATEGORIES:
            self.known[name] = {p for p in range(0x110000) if ucd.category(chr(p)) == name}
        for name in "LMNPSZC":
            self.known[name] = set().union(*(self.known[c] for c in CATEGORIES if c[0] == name))
        self.index: List[str] = []
        self.data = b""

    def add(self, name: str, ranges: Ranges, spellings: str = "") -> None:
        points = points_of(ranges)
        best = None
        for base in BASES:
            if all(part in self.known for part in base.split("+")):
                union = set().union(*(self.known[part] for part in base.split("+")))
                data = packed_ranges(as_ranges(sorted((points ^ union) - set(range(0xD800, 0xE000)))))
                if best is None or len(data) < len(best[1]):
                    best = (base, data)
        assert best is not None
        self.known[name.replace("_", "")] = points
        self.index.append(f"{spellings or name}={best[0]}:{len(best[1])}")
        self.data += best[1]

    def module(self, title: str) -> str:
        return module(title, words("INDEX", " ".join(self.index)), f"SETS = {spelled(self.data)}\n")


def properties() -> str:
    sets = Sets()
    order = sorted(
        PROPERTIES,
        key=lambda p: (not p.startswith("Other_"), not p.startswith(("Alph", "Lower", "Upper", "ID_"))),
    )
    for spellings in order:
        good = [s for s in spellings.split("/") if accepted(s)]
        if not good:
            print(f"not a property of the oracle: {spellings}", file=sys.stderr)
            continue
        pattern = r"[\p{Word}]" if good[0] == "Word" else rf"\p{{{good[0]}}}"
        sets.add(good[0], matched(pattern), "/".join(good))
    return sets.module("Binary properties and POSIX brackets of Unicode 16.0, as Oniguruma has them.")


def old() -> str:
    """Sets of the oracle that follow other versions of Unicode than 16.0."""
    sets = Sets()
    age = lambda p: ucd.age(chr(p))  # noqa: E731
    newer = as_ranges(p for p in range(0x110000) if ucd.category(chr(p)) == "Cn" or float(age(p)) > 9.0)
    bert = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
    cleaned = mapped(normalizers.BertNormalizer(**{**bert, "clean_text": True}))
    spaced = mapped(normalizers.BertNormalizer(**{**bert, "handle_chinese_chars": True}))
    # NFD comes first there: a mark is dropped when two of it vanish behind a letter that composes with none.
    bare = normalizers.BertNormalizer(**{**bert, "strip_accents": True})
    dropped = as_ranges(p for p in SCALARS if bare.normalize_str(chr(p)) == "")
    nmt = mapped(normalizers.Nmt())
    sets.add("unassigned9", newer)
    sets.add("rust.numeric", _split_off(pre_tokenizers.Digits(individual_digits=True)))
    sets.add("bert.punctuation", _split_off(pre_tokenizers.Punctuation("isolated")))
    sets.add("bert.control.removed", as_ranges(p for p, t in cleaned.items() if t == ""))
    sets.add("bert.space", as_ranges(sorted([0x20, *(p for p, t in cleaned.items() if t == " ")])))
    sets.add("mn8", dropped)
    sets.add("m9", as_ranges(p for p, t in mapped(normalizers.StripAccents()).items() if t == ""))
    sets.add("cjk", as_ranges(p for p, t in spaced.items() if t == f" {chr(p)} "))
    sets.add("nmt.removed", as_ranges(p for p, t in nmt.items() if t == ""))
    sets.add("nmt.spaced", as_ranges(sorted([0x20, *(p for p, t in nmt.items() if t == " ")])))
    return sets.module("Sets of the oracle that follow Unicode 8.0, 9.0 and 17.0, or fixed lists.")


def _split_off(pre_tokenizer: object) -> Ranges:
    """Characters that a pre-tokenizer cuts off from two letters around them."""
    text = "".join(f"a{chr(p)}a" for p in SCALARS)
    alone = {start for piece, (start, end) in pre_tokenizer.pre_tokenize_str(text) if end - start == 1}  # type: ignore[attr-defined]
    return as_ranges(p for i, p in enumerate(SCALARS) if 3 * i + 1 in alone)


def scripts9() -> str:
    """Classes of UnicodeScripts, found by what merges with a letter of each script."""
    script = lambda p: ucd.script(chr(p)).replace(" ", "_")  # noqa: E731
    value: Dict[int, str] = {}
    for p in range(0x110000):
        unknown = ucd.category(chr(p)) in ("Cn", "Cs", "Co") or float(ucd.age(chr(p))) > 9.0
        value[p] = "Any" if unknown else script(p)
    for p in SCALARS:
        if value[p] in ("Hiragana", "Katakana") or p == 0x30FC:
            value[p] = "Han"
    value[0x20] = "Any"
    _correct_scripts(value)
    names = sorted(set(value.values()))
    return module(
        "Script classes of HF's UnicodeScripts: Unicode 9.0, kana counted as Han, the rest Any.",
        words("NAMES", " ".join(names)),
        f"RUNS = {spelled(packed_runs(names, value.__getitem__))}\n",
    )


def _correct_scripts(value: Dict[int, str]) -> None:
    """Ask the oracle about every point: it must not be cut from a letter of the class we think it has."""
    split = pre_tokenizers.UnicodeScripts().pre_tokenize_str
    sample: Dict[str, str] = {}
    for p in SCALARS:
        sample.setdefault(value[p], chr(p))
    del sample["Any"]
    for p in SCALARS:
        here = value[p]
        near = sample.get(here, sample["Latin"])
        far = sample["Greek" if here == "Latin" else "Latin"]
        if here == "Any":
            far, near = near, sample["Greek"]
        joined, cut = len(split(near + chr(p))) == 1, len(split(far + chr(p))) == (1 if here == "Any" else 2)
        if not (joined and cut):
            value[p] = _script_of(chr(p), sample, split)
            print(f"script of {p:04x} in 9.0: {value[p]}, in 16.0 {here}", file=sys.stderr)


def _script_of(char: str, sample: Dict[str, str], split: Callable[[str], list]) -> str:
    joined = [name for name, other in sample.items() if len(split(other + char)) == 1]
    return "Any" if len(joined) > 1 else joined[0]


def graphemes() -> str:
    value = lambda p: "" if ucd.category(chr(p)) == "Cs" else ucd.grapheme_cluster_break(chr(p))  # noqa: E731
    names = ["Prepend", "Control", "Extend", "SpacingMark", "L", "V", "T", "LV", "LVT"]
    sets = Sets()
    for name in names[:4]:
        sets.add(name, as_ranges(p for p in SCALARS if value(p) == name))
    for name in names[4:7]:
        sets.add("Hangul" + name, as_ranges(p for p in SCALARS if value(p) == name))
    return sets.module("Grapheme_Cluster_Break of Unicode 16.0; LV and LVT are the composed syllables.")


def case() -> str:
    lower = mapped(normalizers.Lowercase())
    single = {p: ord(t) for p, t in lower.items() if len(t) == 1}
    if {p: t for p, t in lower.items() if len(t) != 1} != {0x130: "i\u0307"}:
        raise SystemExit("another character than U+0130 lowers to several")
    keys, groups = folds()
    pairs = packed_pairs(single)
    fold_pairs = packed_pairs(groups)
    many = " ".join(f"{ord(c):x}={'+'.join(f'{ord(x):x}' for x in text)}" for c, text in keys)
    return module(
        "Lower case of Rust's char (17.0) and case folding of Oniguruma (16.0).",
        f"LOWER = {spelled(pairs)}\n",
        f"FOLD = {spelled(fold_pairs)}\n",
        words("FOLD_MANY", many),
    )


def folds() -> Tuple[List[Tuple[str, str]], Dict[int, int]]:
    """Folding of single characters to a representative, and the characters that fold to several."""
    cased = [p for low, high in matched(r"[\p{CWCM}\p{CWCF}]") for p in range(low, high + 1)]
    text = "".join(map(chr, cased))
    group: Dict[int, int] = {}
    for p in cased:
        if p in group:
            continue
        split = pre_tokenizers.Split(Regex(rf"(?i)\A(?!)|[\x{{{p:x}}}&&\p{{Any}}]"), "removed", invert=True)
        same = [cased[start] for piece, (start, end) in split.pre_tokenize_str(text) if end - start == 1]
        simple = [q for q in same if len(chr(q).casefold()) == 1]
        target = ord(chr(p).casefold()) if len(chr(p).casefold()) == 1 else p
        target = target if target in same else min(simple or same)
        for q in same:
            group[q] = target
    many = [(chr(p), chr(p).casefold()) for p in SCALARS if len(chr(p).casefold()) > 1]
    for char, folded in many:
        if pre_tokenizers.Split(Regex(f"(?i){char}"), "removed", invert=True).pre_tokenize_str(folded)[0][
            1
        ] != (0, len(folded)):
            raise SystemExit(f"the oracle does not fold {char!r} to {folded!r}")
    return many, {p: t for p, t in group.items() if p != t}


MODULES: Dict[str, Callable[[], str]] = {
    "data_categories": categories,
    "data_scripts": scripts,
    "data_blocks": blocks,
    "data_properties": properties,
    "data_versions": old,
    "data_scripts9": scripts9,
    "data_graphemes": graphemes,
    "data_case": case,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="compare with the committed modules, write nothing"
    )
    parser.add_argument("only", nargs="*", help="modules to make (default: all)")
    options = parser.parse_args()
    stale = 0
    for name, make in MODULES.items():
        if options.only and name not in options.only:
            continue
        path, text = TARGET / f"{name}.py", make()
        if options.check:
            stale += not path.is_file() or path.read_text("utf-8") != text
        else:
            path.write_text(text, "utf-8")
        print(f"{name}: {len(text)} characters")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
