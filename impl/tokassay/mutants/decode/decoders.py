"""Each decoder broken."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import Any, Callable, Iterator, List

from tokassay.core.decoders.bpe import BPEDecoder
from tokassay.core.decoders.byte_fallback import ByteFallback, byte_of
from tokassay.core.decoders.byte_level import ByteLevel, token_bytes
from tokassay.core.decoders.ctc import CTC
from tokassay.core.decoders.fuse import Fuse
from tokassay.core.decoders.metaspace import Metaspace
from tokassay.core.decoders.replace import Replace
from tokassay.core.decoders.strip import Strip
from tokassay.core.decoders.wordpiece import WordPiece
from tokassay.mutants._fault import Fault
from tokassay.mutants._patches import decoder, decoding


def faults() -> Iterator[Fault]:
    yield from _bytes()
    yield from _marks()
    yield from _words()
    yield from _repeats()


def _bytes() -> Iterator[Fault]:
    level = "decode.byte-level"
    fallback = "decode.byte-fallback"
    yield Fault(
        "bytes-per-token",
        "each token's bytes are decoded alone",
        level,
        decoding(ByteLevel, lambda s, tokens: [part for t in tokens for part in s.decode_chain([t])]),
    )
    yield Fault(
        "bytes-latin-1",
        "bytes are taken for Latin-1",
        level,
        decoding(ByteLevel, lambda _, tokens: [b"".join(map(token_bytes, tokens)).decode("latin-1")]),
    )
    yield Fault(
        "bytes-invalid-ignored",
        "a token that is cut off vanishes",
        level,
        decoding(ByteLevel, lambda _, tokens: [b"".join(map(token_bytes, tokens)).decode("utf-8", "ignore")]),
    )
    yield Fault(
        "only-spaces-unspelled",
        "only the mark for a blank is read",
        level,
        decoding(
            ByteLevel, lambda _, tokens: ["".join(tokens).replace("\u0120", " ").replace("\u010a", "\n")]
        ),
    )
    yield Fault(
        "added-tokens-as-bytes",
        "characters outside the alphabet are dropped",
        "decode.byte-level.added",
        decoding(
            ByteLevel,
            lambda s, tokens: s.decode_chain([re.sub("[^\x21-\x7e\xa1-\u0143]", "", t) for t in tokens]),
        ),
    )
    yield Fault(
        "fallback-per-byte",
        "each byte is decoded alone",
        fallback,
        decoding(ByteFallback, lambda s, tokens: [part for t in tokens for part in s.decode_chain([t])]),
    )
    yield from _bytes_more()


def _bytes_more() -> Iterator[Fault]:
    fallback = "decode.byte-fallback"
    yield Fault(
        "fallback-missing",
        "byte tokens are shown as they are",
        fallback,
        decoder(ByteFallback, lambda _: None),
    )
    yield Fault(
        "fallback-invalid-once",
        "one U+FFFD for a run that is not UTF-8",
        fallback,
        decoding(ByteFallback, _once),
    )
    yield Fault(
        "fallback-best-effort",
        "what is valid in a broken run is shown",
        fallback,
        decoding(ByteFallback, _best_effort),
    )
    yield Fault(
        "fallback-invalid-dropped",
        "a run that is not UTF-8 vanishes",
        fallback,
        decoding(ByteFallback, lambda s, tokens: [t.replace("\ufffd", "") for t in s.decode_chain(tokens)]),
    )
    yield Fault(
        "fallback-small-digits",
        "<0xe4> is no byte, only <0xE4> is",
        "decode.byte-fallback.digits",
        decoding(ByteFallback, _large_digits),
    )


def _runs(tokens: List[str], change: Callable[[bytes], str]) -> List[str]:
    out: List[str] = []
    for is_run, group in groupby(tokens, lambda token: byte_of(token) is not None):
        members = list(group)
        out += [change(bytes(byte_of(t) or 0 for t in members))] if is_run else members
    return out


def _once(_: Any, tokens: List[str]) -> List[str]:
    def change(run: bytes) -> str:
        try:
            return run.decode("utf-8")
        except UnicodeDecodeError:
            return "\ufffd"

    return _runs(tokens, change)


def _best_effort(_: Any, tokens: List[str]) -> List[str]:
    return _runs(tokens, lambda run: run.decode("utf-8", "replace"))


def _large_digits(step: Any, tokens: List[str]) -> List[str]:
    out: List[str] = []
    for small, group in groupby(tokens, lambda t: bool(re.search("<0x.?[a-f]", t))):
        members = list(group)
        out += members if small else step.decode_chain(members)
    return out


def _marks() -> Iterator[Fault]:
    mark, strip = "decode.metaspace", "decode.strip"
    yield Fault("mark-kept", "U+2581 stays", mark, decoder(Metaspace, lambda _: None))
    yield Fault(
        "first-mark-is-a-space",
        "the first mark becomes a blank",
        mark,
        decoder(Metaspace, lambda s: replace(s, prepend_scheme="never")),
    )
    yield Fault(
        "every-first-mark-dropped",
        "each token's first mark is dropped",
        mark,
        decoding(Metaspace, lambda s, tokens: [part for t in tokens for part in s.decode_chain([t])]),
    )
    yield Fault(
        "first-mark-of-the-text-only",
        "only the first mark of the first token is dropped",
        mark,
        decoding(
            Metaspace,
            lambda s, tokens: [
                t.replace(s.replacement, " ")
                if n
                else t[t.startswith(s.replacement) :].replace(s.replacement, " ")
                for n, t in enumerate(tokens)
            ],
        ),
    )
    yield Fault(
        "strip-per-token",
        "Strip before Fuse: each token loses its first blank",
        strip,
        decoder((Fuse, Strip), lambda s: None if isinstance(s, Fuse) else s),
    )
    yield Fault("strip-missing", "Strip is left out", strip, decoder(Strip, lambda _: None))
    yield Fault(
        "strip-everything",
        "Strip takes all there is",
        strip,
        decoder(Strip, lambda s: replace(s, start=s.start * 99)),
    )
    yield Fault(
        "strip-at-the-other-end",
        "start is taken for stop",
        strip,
        decoder(Strip, lambda s: replace(s, start=s.stop, stop=s.start)),
    )
    yield Fault(
        "replace-once", "only the first mark is replaced", "decode.replace", decoding(Replace, _replaced_once)
    )
    yield Fault("replace-not-read", "Replace is left out", "decode.replace", decoder(Replace, lambda _: None))
    yield Fault(
        "fuse-missing",
        "tokens are not joined before what follows",
        "decode.fuse",
        decoder(Fuse, lambda _: None),
    )


def _replaced_once(step: Any, tokens: List[str]) -> List[str]:
    return [t if not step.pattern.spans(t) else _first(step, t) for t in tokens]


def _first(step: Any, token: str) -> str:
    start, end = step.pattern.spans(token)[0]
    return token[:start] + str(step.content) + token[end:]


def _words() -> Iterator[Fault]:
    words, cleanup = "decode.wordpiece", "decode.wordpiece.cleanup"
    yield Fault(
        "cleanup-ignored",
        "cleanup: true is not read",
        cleanup,
        decoder(WordPiece, lambda s: replace(s, cleanup=False)),
    )
    yield Fault(
        "cleanup-always",
        "cleanup: false is not read",
        cleanup,
        decoder(WordPiece, lambda s: replace(s, cleanup=True)),
    )
    yield Fault(
        "cleanup-of-the-whole",
        "the text is cleaned up, not each token",
        cleanup,
        decoding(WordPiece, _cleaned_whole),
    )
    yield Fault(
        "prefix-kept",
        "continuations keep their prefix",
        words,
        decoding(
            WordPiece,
            lambda _, tokens: [t if n == 0 or t.startswith("##") else " " + t for n, t in enumerate(tokens)],
        ),
    )
    yield Fault(
        "first-prefix-dropped",
        "a continuation at the start loses its prefix",
        words,
        decoding(
            WordPiece,
            lambda s, tokens: s.decode_chain(
                [t[len(s.prefix) :] if n == 0 and t.startswith(s.prefix) else t for n, t in enumerate(tokens)]
            ),
        ),
    )
    yield Fault(
        "spaces-everywhere",
        "continuations begin with a blank",
        words,
        decoding(
            WordPiece,
            lambda s, tokens: [(" " if n else "") + t.replace(s.prefix, "", 1) for n, t in enumerate(tokens)],
        ),
    )
    yield Fault(
        "suffix-kept", "the suffix of a word's end stays", "decode.bpe", decoder(BPEDecoder, lambda _: None)
    )
    yield Fault(
        "last-suffix-is-a-space",
        "a blank at the end",
        "decode.bpe",
        decoding(BPEDecoder, lambda s, tokens: [t.replace(s.suffix, " ") for t in tokens]),
    )


def _cleaned_whole(step: Any, tokens: List[str]) -> List[str]:
    from tokassay.core.decoders.cleanup import clean_up  # noqa: PLC0415 - used here only

    text = "".join(replace(step, cleanup=False).decode_chain(tokens))
    return [clean_up(text) if step.cleanup else text]


def _repeats() -> Iterator[Fault]:
    clause = "decode.ctc"
    yield Fault(
        "repeats-kept",
        "repeated tokens count each",
        clause,
        decoding(CTC, lambda s, tokens: [s.text(t) for t in tokens]),
    )
    yield Fault(
        "repeats-across-pads",
        "pads vanish before repeats are looked for",
        clause,
        decoding(CTC, lambda s, tokens: s.decode_chain([t for t in tokens if t != s.pad_token])),
    )
    yield Fault("pads-kept", "pads are shown", clause, decoder(CTC, lambda s: replace(s, pad_token="\0")))  # noqa: S106 - a token
    yield Fault(
        "delimiters-kept", "the delimiter is shown", clause, decoder(CTC, lambda s: replace(s, cleanup=False))
    )
