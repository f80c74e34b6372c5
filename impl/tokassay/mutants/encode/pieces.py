"""Pre-tokenizers other than a pattern, broken: prefixes, marks, and the characters that they cut at."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, groupby
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional

from tokassay.core.byte_alphabet import spell
from tokassay.core.description import Description
from tokassay.core.pretokenizers.bert import BertPreTokenizer
from tokassay.core.pretokenizers.byte_level import ByteLevel
from tokassay.core.pretokenizers.char_delimiter_split import CharDelimiterSplit
from tokassay.core.pretokenizers.digits import Digits
from tokassay.core.pretokenizers.fixed_length import FixedLength
from tokassay.core.pretokenizers.metaspace import Metaspace
from tokassay.core.pretokenizers.punctuation import Punctuation
from tokassay.core.pretokenizers.unicode_scripts import UnicodeScripts
from tokassay.core.pretokenizers.whitespace import Whitespace
from tokassay.core.pretokenizers.whitespace_split import WhitespaceSplit
from tokassay.diagnosis.alterations._parts import splitters, with_splitters
from tokassay.mutants._fault import Fault, Patch
from tokassay.mutants._patches import cutting, described, pre_tokenizer

ASCII_MARKS = "!-/:-@[-`{-~"
ASCII_BLANKS = r"\t-\r "


def faults() -> Iterator[Fault]:
    yield from _byte_level()
    yield from _metaspace()
    yield from _sets()
    yield from _others()
    yield from _sequences()


def _byte_level() -> Iterator[Fault]:
    prefix, alphabet = "pretok.bytelevel.prefix", "bytes.alphabet"
    yield Fault(
        "prefix-space-missing",
        "add_prefix_space is not read",
        prefix,
        pre_tokenizer(ByteLevel, lambda s: replace(s, add_prefix_space=False)),
    )
    yield Fault(
        "prefix-space-always",
        "a space is put in front although it is off",
        prefix,
        pre_tokenizer(ByteLevel, lambda s: replace(s, add_prefix_space=True)),
    )
    yield Fault(
        "prefix-space-doubled", "a space is put in front of a space", prefix, cutting(ByteLevel, _doubled)
    )
    yield Fault(
        "byte-level-regex-twice",
        "use_regex: false is not read",
        "pretok.bytelevel.regex",
        pre_tokenizer(ByteLevel, lambda s: replace(s, use_regex=True)),
    )
    yield Fault(
        "byte-level-regex-missing",
        "use_regex: true is not read",
        "pretok.bytelevel.regex",
        pre_tokenizer(ByteLevel, lambda s: replace(s, use_regex=False)),
    )
    yield Fault(
        "alphabet-without-ad", "byte AD keeps its own character", alphabet, _spelled({"\u0143": "\xad"})
    )
    yield Fault(
        "alphabet-without-7f", "byte 7F keeps its own character", alphabet, _spelled({"\u0121": "\x7f"})
    )
    yield Fault(
        "alphabet-without-controls",
        "bytes 80 to A0 keep their own characters",
        alphabet,
        _spelled({chr(0x122 + n): chr(0x80 + n) for n in range(0x21)}),
    )
    yield Fault(
        "alphabet-of-characters",
        "characters are spelled, not their bytes",
        alphabet,
        cutting(ByteLevel, lambda step, piece: [_by_character(part) for part in step.cut(piece)]),
    )


def _doubled(step: Any, piece: str) -> Iterable[str]:
    return step.split(" " + piece if step.add_prefix_space and piece.startswith(" ") else piece)  # type: ignore[no-any-return]


def _spelled(other: Dict[str, str]) -> Patch:
    table = str.maketrans(other)
    return cutting(ByteLevel, lambda step, piece: [part.translate(table) for part in step.split(piece)])


def _by_character(piece: str) -> str:
    return "".join(spell(char) if ord(char) < 0x80 or ord(char) > 0xFF else char for char in piece)


def _metaspace() -> Iterator[Fault]:
    prepend, mark = "pretok.metaspace.prepend", "pretok.metaspace.replace"
    yield Fault("metaspace-never", "no mark in front of the text", prepend, _scheme("never"))
    yield Fault("metaspace-always", "prepend_scheme is taken for always", prepend, _scheme("always"))
    yield Fault("metaspace-first", "always is taken for first", "pretok.metaspace.first", _scheme("first"))
    yield Fault(
        "metaspace-doubled", "a mark is put in front of a mark", prepend, cutting(Metaspace, _marked_twice)
    )
    yield Fault(
        "metaspace-every-blank",
        "tabs and line ends become marks",
        mark,
        cutting(Metaspace, lambda s, piece: s.split(re.sub(r"[\t\n\r\xa0\u3000]", " ", piece), first=True)),
    )
    yield Fault(
        "metaspace-runs-joined",
        "a run of spaces becomes one mark",
        mark,
        cutting(Metaspace, lambda s, piece: s.split(re.sub(" +", " ", piece), first=True)),
    )
    yield Fault(
        "metaspace-not-split",
        "words are not cut before their mark",
        "pretok.metaspace.split",
        pre_tokenizer(Metaspace, lambda s: replace(s, pieces=False)),
    )
    yield Fault(
        "metaspace-always-split",
        "split: false is not read; marks behind words",
        "pretok.metaspace.split",
        cutting(Metaspace, _marks_behind),
    )


def _scheme(name: str) -> Patch:
    return pre_tokenizer(Metaspace, lambda step: replace(step, prepend_scheme=name))


def _marked_twice(step: Any, piece: str) -> Iterable[str]:
    return (
        [step.replacement, *step.split(piece)]
        if piece[:1] in (" ", step.replacement)
        else step.split(piece, first=True)
    )


def _marks_behind(step: Any, piece: str) -> Iterable[str]:
    mark = re.escape(step.replacement)
    return re.findall(f"[^{mark}]*{mark}|[^{mark}]+", "".join(step.split(piece, first=True)))


def _sets() -> Iterator[Fault]:
    yield Fault(
        "punctuation-of-ascii",
        "only ASCII punctuation stands alone",
        "unicode.version.punctuation",
        _found((Punctuation, BertPreTokenizer), rf"[^\W_]+|[{ASCII_MARKS}]|[^{ASCII_MARKS}\s\w]+"),
    )
    yield Fault(
        "punctuation-without-symbols",
        "$ + < = > ^ ` | ~ are no punctuation",
        "pretok.punctuation",
        cutting((Punctuation, BertPreTokenizer), _symbols_joined),
    )
    yield Fault(
        "punctuation-in-runs",
        "neighbouring marks are one piece",
        "pretok.punctuation",
        cutting((Punctuation, BertPreTokenizer), _marks_joined),
    )
    yield Fault(
        "blanks-of-ascii",
        "words are cut at ASCII blanks only",
        "unicode.white-space",
        _found((WhitespaceSplit,), rf"[^{ASCII_BLANKS}]+"),
    )
    yield Fault(
        "blanks-are-spaces",
        "words are cut at U+0020 only",
        "unicode.white-space",
        _found((WhitespaceSplit, BertPreTokenizer), "[^ ]+"),
    )
    yield Fault(
        "words-of-ascii",
        r"\w holds ASCII only",
        "unicode.version.rust-word",
        _found((Whitespace,), r"[0-9A-Za-z_]+|[^0-9A-Za-z_\s]+"),
    )
    yield Fault(
        "words-without-underscore",
        r"\w lacks _",
        "pretok.whitespace",
        _found((Whitespace,), r"[^\W_]+|(?:[^\w\s]|_)+"),
    )
    yield from _sets_more()


def _sets_more() -> Iterator[Fault]:
    yield Fault(
        "words-without-marks",
        r"\w lacks combining marks",
        "unicode.version.rust-word",
        cutting(Whitespace, _marks_apart),
    )
    yield Fault(
        "whitespace-kept",
        "white space is a piece",
        "pretok.whitespacesplit",
        _found((WhitespaceSplit, BertPreTokenizer), r"\s+|\S+"),
    )
    yield Fault(
        "digits-of-ascii",
        "only 0 to 9 are numbers",
        "unicode.version.numeric",
        cutting(
            Digits, lambda s, piece: re.findall("[0-9]" + "+" * (not s.individual_digits) + "|[^0-9]+", piece)
        ),
    )
    yield Fault(
        "digits-joined",
        "individual_digits is not read",
        "pretok.digits",
        pre_tokenizer(Digits, lambda s: replace(s, individual_digits=False)),
    )
    yield Fault(
        "digits-singled",
        "individual_digits is always on",
        "pretok.digits",
        pre_tokenizer(Digits, lambda s: replace(s, individual_digits=True)),
    )


def _found(kinds: Any, pattern: str) -> Patch:
    return cutting(kinds, lambda _, piece: re.findall(pattern, piece))


def _symbols_joined(step: Any, piece: str) -> Iterable[str]:
    parts: List[str] = []
    for part in step.split(piece):
        if parts and (part in "$+<=>^`|~" or parts[-1][-1] in "$+<=>^`|~") and parts[-1] + part in piece:
            parts[-1] += part
        else:
            parts.append(part)
    return parts


def _marks_joined(step: Any, piece: str) -> Iterable[str]:
    parts = [(len(part) == 1 and not part.isalnum(), part) for part in step.split(piece)]
    for mark, group in groupby(parts, lambda pair: pair[0]):
        members = [part for _, part in group]
        yield from ["".join(members)] if mark and "".join(members) in piece else members


def _marks_apart(step: Any, piece: str) -> Iterable[str]:
    return chain.from_iterable(
        re.findall(r"[\u0300-\u036f]+|[^\u0300-\u036f]+", part) for part in step.split(piece)
    )


def _others() -> Iterator[Fault]:
    yield Fault(
        "delimiters-kept",
        "the delimiter is a piece",
        "pretok.chardelimiter",
        cutting(
            CharDelimiterSplit,
            lambda s, piece: re.findall(f"{re.escape(s.delimiter)}|[^{re.escape(s.delimiter)}]+", piece),
        ),
    )
    yield Fault(
        "delimiter-once",
        "only the first delimiter cuts",
        "pretok.chardelimiter",
        cutting(CharDelimiterSplit, lambda s, piece: piece.split(s.delimiter, 1)),
    )
    yield Fault(
        "length-in-bytes", "FixedLength counts bytes", "pretok.fixedlength", cutting(FixedLength, _by_bytes)
    )
    yield Fault(
        "last-piece-lost",
        "FixedLength drops a shorter last piece",
        "pretok.fixedlength",
        cutting(FixedLength, lambda s, piece: [part for part in s.split(piece) if len(part) == s.length]),
    )
    yield Fault(
        "scripts-not-read",
        "a text is one script",
        "pretok.unicodescripts.runs",
        pre_tokenizer(UnicodeScripts, lambda _: None),
    )
    yield Fault(
        "kana-apart",
        "kana are no part of Han",
        "pretok.unicodescripts.runs",
        cutting(
            UnicodeScripts,
            lambda s, piece: chain.from_iterable(
                re.findall(r"[\u3040-\u309f]+|[\u30a0-\u30ff]+|[^\u3040-\u30ff]+", part)
                for part in s.split(piece)
            ),
        ),
    )
    yield Fault(
        "scripts-space-cuts",
        "a space ends a script's run",
        "pretok.unicodescripts.any",
        cutting(
            UnicodeScripts,
            lambda s, piece: chain.from_iterable(re.findall(r" +|[^ ]+", part) for part in s.split(piece)),
        ),
    )


def _by_bytes(step: Any, piece: str) -> Iterable[str]:
    part = ""
    for char in piece:
        if part and len((part + char).encode("utf-8")) > step.length:
            yield part
            part = ""
        part += char
    yield part


def _sequences() -> Iterator[Fault]:
    clause = "pretok.sequence"
    yield Fault(
        "only-the-first-step", "a Sequence ends after its first step", clause, _steps(lambda steps: steps[:1])
    )
    yield Fault("only-the-last-step", "a Sequence is its last step", clause, _steps(lambda steps: steps[-1:]))
    yield Fault(
        "steps-turned", "the steps of a Sequence come in reverse", clause, _steps(lambda steps: steps[::-1])
    )
    yield Fault(
        "pre-tokenizer-missing",
        "no pre-tokenizer",
        clause,
        described(lambda d: replace(d, pre_tokenizer=None)),
    )


def _steps(change: Callable[[Any], Any]) -> Patch:
    def patch(description: Description) -> Optional[Description]:
        steps = splitters(description)
        return with_splitters(description, change(steps)) if len(steps) > 1 else None

    return described(patch)
