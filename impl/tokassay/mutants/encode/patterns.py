r"""The split pattern broken: its classes, its branches, and what is done with its matches."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Callable, Iterator

from tokassay.core.matching import TextPattern
from tokassay.core.pretokenizers.split import Split
from tokassay.diagnosis.alterations._parts import GPT2, rewritten
from tokassay.mutants._fault import Fault, Patch
from tokassay.mutants._patches import patterns, pre_tokenizer

ASCII_BLANKS = r"\t\n\x0b\f\r "
BLANKS = r"\t\n\x0b\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}"
_CONTRACTIONS = "'(?:[sdmt]|ll|ve|re)"
_FOLDED = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"


def faults() -> Iterator[Fault]:
    yield from _digits()
    yield from _letters()
    yield from _blanks()
    yield from _branches()
    yield from _matches()


def _swapped(**items: str) -> Patch:
    r"""Escapes by name (``N`` is ``\p{N}``, ``s`` is ``\s``) and what their class holds instead."""
    names = {name: rf"\{name}" if len(name) == 1 and name.islower() else rf"\p{{{name}}}" for name in items}
    return patterns(rewritten({names[name]: (f"[{content}]", content) for name, content in items.items()}))


def _spaced(content: str) -> Patch:
    inside = {r"\s": (f"[{content}]", content), r"\S": (f"[^{content}]", r"\S")}
    return patterns(rewritten(inside))


def _digits() -> Iterator[Fault]:
    clause = "unicode.version.oniguruma"
    yield Fault("digits-ascii-only", r"\p{N} holds 0 to 9 only", clause, _swapped(N="0-9", Nd="0-9", d="0-9"))
    yield Fault(
        "digits-decimal-only", r"\p{N} taken for \d: no fractions, no Roman", clause, _swapped(N=r"\p{Nd}")
    )
    yield Fault("digits-no-letters-of-number", r"\p{N} lacks Nl", clause, _swapped(N=r"\p{Nd}\p{No}"))
    yield Fault("digits-are-letters", r"\p{L} holds numbers, as \w does", clause, _swapped(L=r"\p{L}\p{N}"))


def _letters() -> Iterator[Fault]:
    clause = "unicode.version.oniguruma"
    yield Fault("word-for-letters", r"\w stands for \p{L}", clause, _swapped(L=r"\w"))
    yield Fault(
        "letters-ascii-only", r"\p{L} holds A to Z only", clause, _swapped(L="A-Za-z", Lu="A-Z", Ll="a-z")
    )
    yield Fault(
        "letters-latin-1",
        r"\p{L} ends at U+00FF",
        clause,
        _swapped(L=r"A-Za-z\x{aa}\x{b5}\x{ba}\x{c0}-\x{d6}\x{d8}-\x{f6}\x{f8}-\x{ff}"),
    )
    yield Fault("letters-bmp-only", "code units for code points: no letter above U+FFFF", clause, _bmp())
    yield Fault("letters-with-marks", r"\p{L} holds combining marks", clause, _swapped(L=r"\p{L}\p{M}"))
    yield Fault(
        "letters-cased-only",
        r"\p{L} lacks Lo: no ideographs",
        clause,
        _swapped(L=r"\p{Lu}\p{Ll}\p{Lt}\p{Lm}"),
    )
    yield Fault(
        "marks-hold-nothing", r"\p{M} is not known", clause, patterns(rewritten({r"\p{M}": (r"[^\s\S]", "")}))
    )
    yield Fault(
        "punctuation-ascii-only",
        r"\p{P} and \p{S} hold ASCII only",
        clause,
        _swapped(P=r"!-\/:-@\[-`\{-~", S=r"$+<=>^`|~"),
    )
    yield Fault("titlecase-is-small", r"\p{Lt} taken for \p{Ll}", clause, _swapped(Lt=r"\p{Ll}"))


def _bmp() -> Patch:
    return patterns(rewritten({r"\p{L}": (r"[\p{L}&&[\x{0}-\x{ffff}]]", r"\p{L}")}))


def _blanks() -> Iterator[Fault]:
    clause = "unicode.white-space"
    yield Fault("blanks-ascii-only", r"\s holds ASCII blanks only", clause, _spaced(ASCII_BLANKS))
    yield Fault("blanks-of-javascript", r"\s holds U+FEFF, not U+0085", clause, _spaced(BLANKS + r"\x{feff}"))
    yield Fault("blanks-lack-next-line", r"\s lacks U+0085", clause, _spaced(BLANKS))
    yield Fault(
        "blanks-of-python", r"\s holds U+001C to U+001F", clause, _spaced(BLANKS + r"\x{85}\x1c-\x1f")
    )
    yield Fault("blanks-of-older-unicode", r"\s holds U+180E", clause, _spaced(BLANKS + r"\x{85}\x{180e}"))
    yield Fault(
        "blanks-lack-vertical-tab",
        r"\s lacks U+000B",
        clause,
        _spaced(BLANKS.replace(r"\x0b", "") + r"\x{85}"),
    )
    yield Fault(
        "blanks-lack-no-break-space",
        r"\s lacks U+00A0",
        clause,
        _spaced(BLANKS.replace(r"\x{a0}", "") + r"\x{85}"),
    )
    yield Fault("blanks-with-zero-width", r"\s holds U+200B", clause, _spaced(BLANKS + r"\x{85}\x{200b}"))


def _without(pattern: str, by: str = "") -> Callable[[str], str]:
    return lambda source: re.sub(pattern, by, source)


def _branches() -> Iterator[Fault]:
    look = "regex.syntax"
    case = "regex.fold.single"
    yield Fault(
        "look-ahead-missing", r"\s+(?!\S) left out", look, patterns(lambda s: s.replace(r"\s+(?!\S)|", ""))
    )
    yield Fault(
        "look-ahead-turned",
        r"(?!\S) taken for (?=\S)",
        look,
        patterns(lambda s: s.replace(r"(?!\S)", r"(?=\S)")),
    )
    yield Fault(
        "contractions-small-only",
        "(?i:'s|...) without the i",
        case,
        patterns(lambda s: s.replace("(?i:", "(?:").replace("[sS]", "s")),
    )
    yield Fault(
        "contractions-any-case",
        "'s|... with an i",
        case,
        patterns(
            lambda s: s.replace("'s|'t|'re|'ve|'m|'ll|'d| ", _FOLDED + "| ").replace(_CONTRACTIONS, _FOLDED)
        ),
    )
    yield Fault("contractions-ascii-case", "(?i:s) without the long s", case, patterns(_ascii_case))
    yield Fault(
        "contractions-missing",
        "'s stays with what it follows",
        "pretok.split.pattern",
        patterns(
            lambda s: (
                s.replace(_FOLDED + "|", "")
                .replace(_FOLDED + "?", "")
                .replace("'s|'t|'re|'ve|'m|'ll|'d|", "")
            )
        ),
    )
    yield from _branches_more()


def _branches_more() -> Iterator[Fault]:
    count = "pretok.split.pattern"
    yield Fault(
        "contractions-shortest",
        "'l before 'll",
        "pretok.split.pattern",
        patterns(lambda s: s.replace("'re|'ve|'m|'ll|'d", "'r|'v|'m|'l|'d")),
    )
    yield Fault(
        "line-ends-apart",
        r"\s*[\r\n]+ left out",
        "pretok.split.pattern",
        patterns(_without(r"\\s\*\[\\r\\n\]\+?\|")),
    )
    yield Fault(
        "line-ends-behind-punctuation",
        r"[\r\n]* behind punctuation left out",
        "pretok.split.pattern",
        patterns(_without(r"\[\\r\\n/?\]\*")),
    )
    yield Fault(
        "digits-in-runs", r"\p{N}{1,3} taken for \p{N}+", count, patterns(lambda s: s.replace("{1,3}", "+"))
    )
    yield Fault(
        "digits-one-by-one", r"\p{N}{1,3} taken for \p{N}", count, patterns(lambda s: s.replace("{1,3}", ""))
    )
    yield Fault(
        "digits-by-four",
        r"\p{N}{1,3} taken for \p{N}{1,4}",
        count,
        patterns(lambda s: s.replace("{1,3}", "{1,4}")),
    )
    yield Fault(
        "digits-not-single",
        r"\p{N} taken for \p{N}+",
        count,
        patterns(_without(r"\|\\p\{N\}\|", r"|\\p{N}+|")),
    )
    yield from _branches_rest()


def _branches_rest() -> Iterator[Fault]:
    yield Fault(
        "leading-character-lost",
        r"[^\r\n\p{L}\p{N}]?\p{L}+ without its first part",
        "pretok.split.pattern",
        patterns(_without(r"\[\^\\r\\n\\p\{L\}\\p\{N\}\]\?")),
    )
    yield Fault(
        "leading-space-lost",
        r" ?\p{L}+ without the blank",
        "pretok.split.pattern",
        patterns(lambda s: s.replace(r"| ?\p{L}", r"|\p{L}")),
    )
    yield Fault(
        "gpt2-for-every-pattern",
        "the file's pattern is not read",
        "pretok.split.pattern",
        patterns(lambda _: GPT2),
    )
    yield Fault(
        "case-classes-joined",
        r"[\p{Lu}\p{Lt}...]* taken for \p{L}*",
        "pretok.split.pattern",
        patterns(_without(r"\[\\p\{Lu\}\\p\{Lt\}\\p\{Lm\}\\p\{Lo\}\\p\{M\}\]", r"[\\p{L}\\p{M}]")),
    )


def _ascii_case(source: str) -> str:
    return source.replace(_FOLDED, "'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])")


def _matches() -> Iterator[Fault]:

    def behaving(old: str, new: str) -> Patch:
        return pre_tokenizer(
            Split, lambda step: replace(step, behavior=new) if step.behavior == old else step
        )

    yield Fault(
        "isolated-is-removed", "matches vanish", "pretok.behaviour.isolated", behaving("Isolated", "Removed")
    )
    yield Fault(
        "removed-is-isolated", "matches stay", "pretok.behaviour.removed", behaving("Removed", "Isolated")
    )
    yield Fault(
        "merged-the-other-way",
        "MergedWithPrevious joins the next piece",
        "pretok.behaviour.merged-with-previous",
        behaving("MergedWithPrevious", "MergedWithNext"),
    )
    yield Fault(
        "merged-with-previous",
        "MergedWithNext joins the piece before",
        "pretok.behaviour.merged-with-next",
        behaving("MergedWithNext", "MergedWithPrevious"),
    )
    yield Fault(
        "contiguous-is-isolated",
        "neighbouring matches stay apart",
        "pretok.behaviour.contiguous",
        behaving("Contiguous", "Isolated"),
    )
    yield Fault(
        "isolated-is-contiguous",
        "neighbouring matches are joined",
        "pretok.behaviour.isolated",
        behaving("Isolated", "Contiguous"),
    )
    yield Fault(
        "invert-ignored",
        "invert: true is not read",
        "pretok.invert",
        pre_tokenizer(Split, lambda step: replace(step, invert=False)),
    )
    yield Fault(
        "literal-is-regex",
        "a String pattern is taken for a regular expression",
        "regex.search.literal",
        pre_tokenizer(Split, _as_regex),
    )
    yield Fault(
        "regex-is-literal",
        "a Regex pattern is taken for plain text",
        "regex.search.literal",
        pre_tokenizer(Split, _as_literal),
    )


def _as_regex(step: Any) -> Any:
    return replace(step, pattern=TextPattern("Regex", step.pattern.source or "(?:)"))


def _as_literal(step: Any) -> Any:
    return replace(step, pattern=TextPattern("String", step.pattern.source))
