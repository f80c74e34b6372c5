"""Normalizers broken: forms, case, accents, cleaning, replacing."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import Any, Callable, Iterator

from tokassay.core.description import Description
from tokassay.core.matching import TextPattern
from tokassay.core.normalizers.bert import BertNormalizer
from tokassay.core.normalizers.lowercase import Lowercase
from tokassay.core.normalizers.nfc import NFC
from tokassay.core.normalizers.nfd import NFD
from tokassay.core.normalizers.nfkc import NFKC
from tokassay.core.normalizers.nfkd import NFKD
from tokassay.core.normalizers.nmt import Nmt
from tokassay.core.normalizers.precompiled import Precompiled
from tokassay.core.normalizers.prepend import Prepend
from tokassay.core.normalizers.replace import Replace
from tokassay.core.normalizers.strip import Strip
from tokassay.core.normalizers.strip_accents import StripAccents
from tokassay.diagnosis.alterations._parts import first_then, normalizers, with_normalizers
from tokassay.mutants._fault import Fault, Patch
from tokassay.mutants._patches import described, normalizer, rewriting

FORMS = (NFC, NFD, NFKC, NFKD)


def faults() -> Iterator[Fault]:
    yield from _forms()
    yield from _case()
    yield from _bert()
    yield from _replacing()
    yield from _extra()


def _per_character(step: Any, text: str) -> str:
    return "".join(map(step.normalize, text))


def _forms() -> Iterator[Fault]:
    yield Fault("nfc-missing", "NFC is left out", "norm.nfc", normalizer(NFC, lambda _: None))
    yield Fault(
        "nfc-per-code-point",
        "NFC one code point at a time: nothing composes",
        "norm.nfc",
        rewriting(NFC, _per_character),
    )
    yield Fault(
        "nfd-per-code-point",
        "NFD without canonical order",
        "norm.nfd",
        rewriting((NFD, NFKD), _per_character),
    )
    yield Fault(
        "nfkc-per-code-point",
        "NFKC from a table of single code points",
        "norm.nfkc",
        rewriting(NFKC, _per_character),
    )
    yield Fault(
        "nfc-is-nfkc", "compatibility characters are folded", "norm.nfc", normalizer(NFC, lambda _: NFKC())
    )
    yield Fault(
        "nfkc-is-nfc", "compatibility characters stay", "norm.nfkc", normalizer(NFKC, lambda _: NFC())
    )
    yield Fault(
        "nfd-is-nfc", "accents are composed, not taken apart", "norm.nfd", normalizer(NFD, lambda _: NFC())
    )
    yield Fault(
        "nfkd-is-nfd", "compatibility characters stay", "norm.nfkd", normalizer(NFKD, lambda _: NFD())
    )
    yield from _forms_more()


def _forms_more() -> Iterator[Fault]:
    version = "unicode.version.normalization"
    yield Fault(
        "newer-unicode",
        "forms of a newer Unicode than 9.0",
        version,
        rewriting(FORMS, lambda step, text: unicodedata.normalize(step.TYPE, text)),
    )
    yield Fault(
        "hangul-not-composed", "NFC leaves jamo alone", "norm.nfc", rewriting((NFC, NFKC), _without_hangul)
    )
    yield Fault("nmt-missing", "Nmt is left out", "norm.nmt", normalizer(Nmt, lambda _: None))
    yield Fault(
        "precompiled-missing",
        "the character map is left out",
        "norm.precompiled.charsmap",
        normalizer(Precompiled, lambda _: None),
    )
    yield Fault(
        "precompiled-is-nfkc",
        "NFKC stands for the character map",
        "norm.precompiled.charsmap",
        rewriting(Precompiled, lambda _, text: NFKC().normalize(text)),
    )
    yield Fault(
        "precompiled-per-code-point",
        "the character map without clusters",
        "norm.precompiled.clusters",
        rewriting(Precompiled, _per_character),
    )


def _without_hangul(step: Any, text: str) -> str:
    return "".join(
        step.normalize(part) if not re.match("[\u1100-\u11ff]", part) else part
        for part in re.split("([\u1100-\u11ff]+)", text)
    )


def _case() -> Iterator[Fault]:
    clause = "norm.lowercase"
    yield Fault(
        "lowercase-ascii-only",
        "only A to Z become small",
        clause,
        rewriting(Lowercase, lambda _, text: "".join(c.lower() if c.isascii() else c for c in text)),
    )
    yield Fault(
        "lowercase-one-to-one",
        "U+0130 becomes one character",
        clause,
        rewriting(Lowercase, lambda _, text: "".join(c.lower()[:1] for c in text)),
    )
    yield Fault(
        "lowercase-final-sigma",
        "a capital sigma at the end becomes U+03C2",
        clause,
        rewriting(Lowercase, lambda _, text: text.lower()),
    )
    yield Fault(
        "lowercase-is-casefold",
        "sharp s becomes ss",
        clause,
        rewriting(Lowercase, lambda _, text: text.casefold()),
    )
    yield Fault("lowercase-missing", "Lowercase is left out", clause, normalizer(Lowercase, lambda _: None))
    yield Fault(
        "accents-all-marks",
        "enclosing and spacing marks go, too",
        "norm.stripaccents",
        rewriting(
            StripAccents, lambda _, text: "".join(c for c in text if unicodedata.category(c)[0] != "M")
        ),
    )
    yield from _case_more()


def _case_more() -> Iterator[Fault]:
    yield Fault(
        "accents-latin-only",
        "only U+0300 to U+036F are accents",
        "norm.stripaccents",
        rewriting(StripAccents, lambda _, text: re.sub("[\u0300-\u036f]", "", text)),
    )
    yield Fault(
        "accents-kept",
        "StripAccents is left out",
        "norm.stripaccents",
        normalizer(StripAccents, lambda _: None),
    )
    yield Fault(
        "strip-left-only",
        "blanks at the end stay",
        "norm.strip",
        normalizer(Strip, lambda step: replace(step, strip_right=False)),
    )
    yield Fault(
        "strip-right-only",
        "blanks at the start stay",
        "norm.strip",
        normalizer(Strip, lambda step: replace(step, strip_left=False)),
    )
    yield Fault(
        "strip-ascii-only",
        "only ASCII blanks come off",
        "norm.strip",
        rewriting(Strip, lambda _, text: text.strip(" \t\n\r\x0b\f")),
    )


def _bert() -> Iterator[Fault]:

    def flag(name: str, *, value: bool) -> Patch:
        return normalizer(BertNormalizer, lambda step: replace(step, **{name: value}))

    yield Fault(
        "bert-not-cleaned", "clean_text is not read", "norm.bert.clean", flag("clean_text", value=False)
    )
    yield Fault(
        "bert-cjk-joined",
        "handle_chinese_chars is not read",
        "norm.bert.cjk",
        flag("handle_chinese_chars", value=False),
    )
    yield Fault(
        "bert-accents-stay",
        "strip_accents: null is taken for false",
        "norm.bert.accents",
        flag("strip_accents", value=False),
    )
    yield Fault(
        "bert-accents-go",
        "strip_accents is always on",
        "norm.bert.accents",
        flag("strip_accents", value=True),
    )
    yield Fault(
        "bert-case-stays",
        "lowercase is not read",
        "norm.bert.lowercase",
        normalizer(BertNormalizer, lambda step: replace(step, lowercase=False, strip_accents=strips(step))),
    )
    yield Fault(
        "bert-always-lower",
        "a cased model is read as an uncased one",
        "norm.bert.lowercase",
        normalizer(BertNormalizer, lambda step: replace(step, lowercase=True, strip_accents=strips(step))),
    )
    yield Fault(
        "bert-cjk-basic-block",
        "only U+4E00 to U+9FFF get room",
        "norm.bert.cjk",
        rewriting(BertNormalizer, _basic_cjk),
    )
    yield from _bert_more()


def _bert_more() -> Iterator[Fault]:
    yield Fault(
        "bert-kana-apart",
        "kana and Hangul get room as well",
        "norm.bert.cjk",
        rewriting(
            BertNormalizer,
            lambda step, text: step.normalize(re.sub("([\u3040-\u30ff\uac00-\ud7a3])", r" \1 ", text)),
        ),
    )
    yield Fault(
        "bert-controls-to-spaces",
        "control characters become spaces",
        "norm.bert.clean",
        rewriting(
            BertNormalizer,
            lambda step, text: step.normalize(
                re.sub("[\x01-\x08\x0e-\x1f\x7f-\x9f\xad\u200b-\u200f\ufeff]", " ", text)
            ),
        ),
    )
    yield Fault(
        "bert-format-stays",
        "only Cc is dropped, not Cf",
        "unicode.version.control",
        rewriting(BertNormalizer, _format_kept),
    )
    yield Fault(
        "bert-all-marks-go",
        "Mc and Me are accents, too",
        "unicode.version.marks",
        rewriting(
            BertNormalizer,
            lambda step, text: "".join(
                c for c in step.normalize(text) if not strips(step) or unicodedata.category(c)[0] != "M"
            ),
        ),
    )


def strips(step: BertNormalizer) -> bool:
    """What ``strip_accents: null`` means."""
    return step.lowercase if step.strip_accents is None else step.strip_accents


def _basic_cjk(step: Any, text: str) -> str:
    bare = replace(step, handle_chinese_chars=False)
    roomy = re.sub("([\u4e00-\u9fff])", r" \1 ", text) if step.handle_chinese_chars else text
    return str(bare.normalize(roomy))


def _format_kept(step: Any, text: str) -> str:
    parts = re.split("([\xad\u200b-\u200f\u202a-\u202e\u2060\ufeff])", text)
    return "".join(part if n % 2 else step.normalize(part) for n, part in enumerate(parts))


def _replacing() -> Iterator[Fault]:
    yield Fault(
        "replace-first-only",
        "only the first match is replaced",
        "norm.replace",
        rewriting(Replace, _replaced_once),
    )
    yield Fault("replace-missing", "Replace is left out", "norm.replace", normalizer(Replace, lambda _: None))
    yield Fault(
        "replace-literal",
        "the pattern of Replace is taken for plain text",
        "norm.replace",
        normalizer(Replace, lambda step: replace(step, pattern=TextPattern("String", step.pattern.source))),
    )
    yield Fault("prepend-missing", "Prepend is left out", "norm.prepend", normalizer(Prepend, lambda _: None))
    yield Fault(
        "prepend-not-doubled",
        "nothing is put in front of a space",
        "norm.prepend",
        rewriting(Prepend, lambda step, text: text if text.startswith(" ") else step.normalize(text)),
    )
    yield Fault(
        "normalizer-first-step-only",
        "a Sequence ends after its first step",
        "norm.sequence",
        _steps(lambda steps: steps[:1]),
    )
    yield Fault(
        "normalizer-steps-turned",
        "the steps of a Sequence come in reverse",
        "norm.sequence",
        _steps(lambda steps: steps[::-1]),
    )
    yield Fault(
        "normalizer-missing",
        "no normalizer",
        "norm.sequence",
        described(lambda d: replace(d, normalizer=None)),
    )


def _replaced_once(step: Any, text: str) -> str:
    spans = step.pattern.spans(text)
    return text[: spans[0][0]] + step.content + text[spans[0][1] :] if spans else text


def _steps(change: Callable[[Any], Any]) -> Patch:
    def patch(description: Description) -> Description:
        steps = normalizers(description)
        return with_normalizers(description, change(steps)) if len(steps) > 1 else description

    return described(patch)


def _extra() -> Iterator[Fault]:
    """What some engines do to every text, whatever the file says."""

    def always(change: Callable[[str], str]) -> Patch:
        return described(lambda d: replace(d, normalizer=first_then(change, d.normalizer)))

    yield Fault(
        "controls-to-spaces",
        "control and format characters become spaces",
        "encoding.order",
        always(
            lambda t: re.sub(
                "[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]", " ", t
            )
        ),
    )
    yield Fault(
        "zero-width-dropped",
        "U+200B to U+200F vanish, joined emoji fall apart",
        "encoding.order",
        always(lambda t: re.sub("[\u200b-\u200f]", "", t)),
    )
    yield Fault(
        "no-break-space-is-space",
        "U+00A0 becomes U+0020",
        "encoding.order",
        always(lambda t: t.replace("\xa0", " ")),
    )
    yield Fault(
        "full-width-folded",
        "U+FF01 to U+FF5E become ASCII",
        "encoding.order",
        always(lambda t: "".join(chr(ord(c) - 0xFEE0) if "\uff01" <= c <= "\uff5e" else c for c in t)),
    )
    yield Fault(
        "variation-selectors-dropped",
        "U+FE0F vanishes",
        "encoding.order",
        always(lambda t: t.replace("\ufe0f", "")),
    )
