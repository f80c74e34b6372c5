"""What is around the pipeline, broken: the text on its way in, special tokens, limits, offsets."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Callable, Iterator, List, Optional

from tokassay.core.description import Description
from tokassay.core.postprocessors.bert import BertProcessing
from tokassay.core.postprocessors.roberta import RobertaProcessing
from tokassay.core.postprocessors.sequence import Sequence as Processors
from tokassay.core.postprocessors.template import SequencePiece, SpecialPiece, TemplateProcessing
from tokassay.diagnosis.alterations import Altered, Spans
from tokassay.mutants._fault import Fault, Patch
from tokassay.mutants._patches import described, ids, text


def faults() -> Iterator[Fault]:
    yield from _texts()
    yield from _special_tokens()
    yield from _limits()
    yield from _ids()
    yield from _offsets()


def _texts() -> Iterator[Fault]:
    whole, broken = "encoding.order", "encoding.text.bytes"
    yield Fault(
        "ends-at-nul", "C strings: the text ends at the first NUL", whole, text(lambda t: t.split("\0", 1)[0])
    )
    yield Fault("stripped", "blanks at both ends are dropped", whole, text(str.strip))
    yield Fault("right-stripped", "a trailing line end or blank is dropped", whole, text(str.rstrip))
    yield Fault(
        "byte-order-mark-dropped",
        "U+FEFF at the start vanishes",
        whole,
        text(lambda t: t[t.startswith("\ufeff") :]),
    )
    yield Fault(
        "line-ends-normalized",
        "CR LF becomes LF",
        whole,
        text(lambda t: t.replace("\r\n", "\n").replace("\r", "\n")),
    )
    yield Fault(
        "first-line-only", "the text ends at its first line end", whole, text(lambda t: t.split("\n", 1)[0])
    )
    yield Fault("space-in-front", "a space is put in front of every text", whole, text(lambda t: " " + t))
    yield Fault(
        "surrogate-pairs",
        "characters above U+FFFF are two unknown ones",
        whole,
        text(lambda t: re.sub("[\U00010000-\U0010ffff]", "\ufffd\ufffd", t)),
    )
    yield Fault(
        "invalid-bytes-dropped",
        "bytes that are not UTF-8 vanish",
        broken,
        text(lambda t: t.replace("\ufffd", "")),
    )
    yield Fault(
        "invalid-bytes-joined",
        "one U+FFFD for a run of bytes that are not UTF-8",
        broken,
        text(lambda t: re.sub("\ufffd+", "\ufffd", t)),
    )
    yield Fault(
        "invalid-bytes-question-marks",
        "bytes that are not UTF-8 become ?",
        broken,
        text(lambda t: t.replace("\ufffd", "?")),
    )
    yield Fault("cut-at-512", "the text ends after 512 characters", "encoding.long", text(lambda t: t[:512]))


def _special_tokens() -> Iterator[Fault]:
    template = "post.template"
    yield Fault(
        "post-processor-missing",
        "no special tokens are added",
        "post.template",
        described(lambda d: replace(d, post_processor=None)),
    )
    yield Fault(
        "special-always",
        "add_special_tokens: false is not read",
        "encoding.order",
        lambda d: Altered("", d, special=True) if d.post_processor else None,
    )
    yield Fault(
        "special-never",
        "add_special_tokens: true is not read",
        "encoding.order",
        lambda d: Altered("", d, special=False) if d.post_processor else None,
    )
    yield Fault(
        "bos-doubled", "the first special token stands there twice", template, _processor(_doubled_first)
    )
    yield Fault("bos-missing", "the first special token is missing", template, _processor(_without_first))
    yield Fault("eos-missing", "the last special token is missing", template, _processor(_without_last))
    yield Fault(
        "eos-doubled", "the last special token stands there twice", template, _processor(_doubled_last)
    )
    yield Fault(
        "pair-as-single",
        "the second text of a pair is framed as the first",
        "post.pair",
        _processor(_pair_framed),
    )
    yield Fault("type-ids-zero", "the second text has type 0", "encoding.type-ids", _processor(_untyped))
    yield Fault(
        "roberta-like-bert",
        "one separator between the texts of a pair, not two",
        "post.roberta",
        _processor(_like_bert),
    )
    yield Fault(
        "bert-like-roberta",
        "two separators between the texts of a pair",
        "post.bert",
        _processor(_like_roberta),
    )
    yield Fault(
        "only-the-first-processor",
        "a Sequence of post-processors ends after its first",
        "post.sequence",
        described(_first_processor),
    )


def _processor(change: Callable[[Any], Any]) -> Patch:
    """A post-processor, or those in a Sequence, changed; None leaves one as it is."""

    def changed(found: Any) -> Any:
        if isinstance(found, Processors):
            return replace(found, processors=tuple(map(changed, found.processors)))
        return change(found) or found

    return described(
        lambda d: d if d.post_processor is None else replace(d, post_processor=changed(d.post_processor))
    )


def _framed(found: Any, change: Callable[[List[Any]], List[Any]]) -> Any:
    """Both templates changed."""
    if not isinstance(found, TemplateProcessing):
        return None
    return replace(found, single=tuple(change(list(found.single))), pair=tuple(change(list(found.pair))))


def _doubled_first(found: Any) -> Any:
    return _framed(
        found, lambda pieces: [*pieces[:1], *pieces] if isinstance(pieces[0], SpecialPiece) else pieces
    )


def _without_first(found: Any) -> Any:
    return _framed(found, lambda pieces: pieces[isinstance(pieces[0], SpecialPiece) :])


def _without_last(found: Any) -> Any:
    return _framed(found, lambda pieces: pieces[:-1] if isinstance(pieces[-1], SpecialPiece) else pieces)


def _doubled_last(found: Any) -> Any:
    return _framed(
        found, lambda pieces: [*pieces, *pieces[-1:]] if isinstance(pieces[-1], SpecialPiece) else pieces
    )


def _pair_framed(found: Any) -> Any:
    if not isinstance(found, TemplateProcessing):
        return None
    second = [replace(piece, id="B") if isinstance(piece, SequencePiece) else piece for piece in found.single]
    return replace(found, pair=(*found.single, *second))


def _untyped(found: Any) -> Any:
    return _framed(found, lambda pieces: [replace(piece, type_id=0) for piece in pieces])


def _like_bert(found: Any) -> Any:
    return BertProcessing(found.sep, found.cls) if isinstance(found, RobertaProcessing) else None


def _like_roberta(found: Any) -> Any:
    if not isinstance(found, BertProcessing):
        return None
    return RobertaProcessing(found.sep, found.cls, trim_offsets=False, add_prefix_space=False)


def _first_processor(description: Description) -> Optional[Description]:
    found = description.post_processor
    if not isinstance(found, Processors):
        return None
    return replace(description, post_processor=replace(found, processors=found.processors[:1]))


def _limits() -> Iterator[Fault]:

    def truncated(**values: Any) -> Patch:
        return described(
            lambda d: d if d.truncation is None else replace(d, truncation=replace(d.truncation, **values))
        )

    yield Fault(
        "truncation-missing",
        "stored truncation is not applied",
        "encoding.truncation",
        described(lambda d: replace(d, truncation=None)),
    )
    yield Fault(
        "truncated-at-the-other-end",
        "the direction of truncation is not read",
        "encoding.truncation",
        truncated(direction="Left"),
    )
    yield Fault("stride-ignored", "windows do not overlap", "encoding.truncation.stride", truncated(stride=0))
    yield Fault(
        "longest-first-is-only-first",
        "only the first text is cut",
        "encoding.truncation.longest-first",
        truncated(strategy="OnlyFirst"),
    )
    yield Fault(
        "truncated-one-late",
        "one token too many",
        "encoding.truncation.room",
        described(
            lambda d: (
                d
                if d.truncation is None
                else replace(d, truncation=replace(d.truncation, max_length=d.truncation.max_length + 1))
            )
        ),
    )
    yield from _limits_more()


def _limits_more() -> Iterator[Fault]:

    def padded(change: Callable[[Any], Any]) -> Patch:
        return described(lambda d: d if d.padding is None else replace(d, padding=change(d.padding)))

    yield Fault(
        "padding-missing",
        "stored padding is not applied",
        "encoding.padding",
        described(lambda d: replace(d, padding=None)),
    )
    yield Fault(
        "padded-at-the-other-end",
        "the direction of padding is not read",
        "encoding.padding",
        padded(lambda p: replace(p, direction="Left" if p.direction == "Right" else "Right")),
    )
    yield Fault(
        "pad-id-zero",
        "the pad id is 0, whatever the file says",
        "encoding.padding.columns",
        padded(lambda p: replace(p, pad_id=0)),
    )
    yield Fault(
        "multiple-ignored",
        "pad_to_multiple_of is not read",
        "encoding.padding.length",
        padded(lambda p: replace(p, pad_to_multiple_of=None)),
    )


def _ids() -> Iterator[Fault]:
    clause = "encoding.ids"
    yield Fault(
        "ids-of-eight-bits", "ids overflow at 256", clause, ids(lambda _, found: [i & 0xFF for i in found])
    )
    yield Fault(
        "ids-of-twelve-bits",
        "ids overflow at 4,096, as those of 16 bits do in larger vocabularies",
        clause,
        ids(lambda _, found: [i & 0xFFF for i in found]),
    )
    yield Fault(
        "ids-from-one", "every id is one too large", clause, ids(lambda _, found: [i + 1 for i in found])
    )
    yield Fault(
        "id-0-dropped", "id 0 is taken for the end", clause, ids(lambda _, found: [i for i in found if i])
    )
    yield Fault(
        "last-id-lost", "the last id is not read from the buffer", clause, ids(lambda _, found: found[:-1])
    )
    yield Fault(
        "repeated-ids-joined",
        "equal neighbours are one",
        clause,
        ids(lambda _, found: [i for n, i in enumerate(found) if not n or found[n - 1] != i]),
    )
    yield Fault("ids-turned", "ids come in reverse", clause, ids(lambda _, found: found[::-1]))


def _offsets() -> Iterator[Fault]:
    clause = "encoding.offsets"
    yield Fault(
        "offsets-in-bytes",
        "offsets count bytes of UTF-8",
        clause,
        _spans(lambda t, s: _converted(t, s, "utf-8", 1)),
    )
    yield Fault(
        "offsets-in-utf-16",
        "offsets count units of UTF-16",
        clause,
        _spans(lambda t, s: _converted(t, s, "utf-16-le", 2)),
    )
    yield Fault(
        "offsets-inclusive",
        "an end is the last character, not the one behind it",
        clause,
        _spans(lambda _, s: [(a, max(a, b - 1)) for a, b in s]),
    )
    yield Fault("offsets-joined", "each token begins where the one before it ends", clause, _spans(_joined))
    yield Fault(
        "offsets-not-trimmed",
        "the blank in front belongs to the token",
        "post.trim-offsets",
        _processor(lambda p: replace(p, trim_offsets=False) if getattr(p, "trim_offsets", False) else None),
    )
    yield Fault(
        "offsets-trimmed",
        "the blank in front never belongs to the token",
        "post.trim-offsets",
        _processor(
            lambda p: replace(p, trim_offsets=True) if getattr(p, "trim_offsets", None) is False else None
        ),
    )


def _spans(change: Callable[[str, Spans], Spans]) -> Patch:
    return lambda description: Altered("", description, spans=change)


def _converted(given: str, found: Spans, encoding: str, unit: int) -> Spans:
    def at(place: int) -> int:
        return len(given[:place].encode(encoding, "surrogatepass")) // unit

    return [(at(start), at(end)) for start, end in found]


def _joined(_: str, found: Spans) -> Spans:
    ends = [0, *(end for _, end in found)]
    return [(min(start, end), end) for start, (_, end) in zip(ends, found)]
