"""Readers of .mtok broken: numbers, flags, lists of ids, tables."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Callable, Iterator, Optional

from tokassay.core.decoders.fuse import Fuse
from tokassay.core.decoders.sequence import Sequence as Decoders
from tokassay.core.description import AddedToken, Description, Device
from tokassay.core.models.sorted_bpe import SortedBPE
from tokassay.core.models.unigram import Unigram
from tokassay.core.models.wordpiece import WordPiece
from tokassay.core.normalizers.code_point_table import CodePointTable
from tokassay.core.postprocessors.id_frame import IdFrame
from tokassay.core.pretokenizers.byte_level import ByteLevel
from tokassay.core.pretokenizers.digits import Digits
from tokassay.core.pretokenizers.metaspace import Metaspace
from tokassay.core.pretokenizers.split import Split
from tokassay.diagnosis.alterations import Altered
from tokassay.formats.mtok.reading import frame
from tokassay.mutants._fault import Fault, Patch, Reading
from tokassay.mutants._patches import (
    Segmenting,
    added,
    decoder,
    described,
    flag,
    ids,
    model,
    normalizer,
    pre_tokenizer,
    segmenting,
)


def faults() -> Iterator[Fault]:
    yield from _numbers()
    yield from _lists()
    yield from _flags()
    yield from _tables()


def device(patch: Patch) -> Patch:
    """For files of device formats only."""
    return lambda description: None if description.device is None else patch(description)


def _device(change: Callable[[Device], Device]) -> Patch:
    """The lists and the tail read otherwise, and the ids around a text with them."""

    def changed(description: Description) -> Optional[Description]:
        if description.device is None:
            return None
        found = change(description.device)
        if found == description.device:
            return None
        framed = frame(found, description.added_tokens)
        return replace(description, device=found, post_processor=framed)

    return described(changed)


def _added(change: Callable[[AddedToken], Optional[AddedToken]]) -> Patch:
    return device(added(change))


def _numbers() -> Iterator[Fault]:
    types, tokens = "mtok.types", "mtok.added.ids"
    yield Fault(
        "big-endian",
        "numbers are read big-endian: no count fits the file",
        types,
        reading=_binary(lambda _: b""),
    )
    yield Fault(
        "ids-u8", "ids are cut to eight bits", types, device(ids(lambda _, found: [i & 0xFF for i in found]))
    )
    yield Fault(
        "ids-u16",
        "ids are cut to sixteen bits",
        types,
        device(ids(lambda _, found: [i & 0xFFFF for i in found])),
    )
    yield Fault(
        "ids-signed-16",
        "ids are signed numbers of sixteen bits",
        types,
        device(ids(lambda _, found: [(i + 0x8000) % 0x10000 - 0x8000 for i in found])),
    )
    yield Fault(
        "added-ids-by-place", "added tokens are numbered behind the vocabulary", tokens, described(_by_place)
    )
    yield Fault(
        "sizes-of-eight-bits",
        "a string ends after 255 bytes",
        types,
        _added(lambda t: replace(t, content=t.content.encode()[:255].decode("utf-8", "ignore"))),
    )
    yield Fault(
        "latin-1",
        "strings are read as Latin-1",
        types,
        _added(lambda t: replace(t, content=t.content.encode().decode("latin-1"))),
    )
    yield Fault(
        "short-files-accepted",
        "what is missing at the end is read as zeros",
        types,
        reading=_binary(lambda data: data + bytes(64)),
    )


def _binary(change: Reading) -> Reading:
    """For .mtok only."""
    return lambda data: change(data) if re.match(rb"430 +4", data) else data


def _by_place(description: Description) -> Optional[Description]:
    if description.device is None:
        return None
    first = description.model.vocab_size
    tokens = tuple(replace(t, id=first + n) for n, t in enumerate(description.added_tokens))
    return replace(description, added_tokens=tokens)


def _lists() -> Iterator[Fault]:
    prefix, program = "mtok.header.prefix", "mtok.tail.program"
    yield Fault(
        "prefix-ignored",
        "the prefix of the header is not read",
        prefix,
        _device(lambda d: replace(d, prefix_ids=())),
    )
    yield Fault(
        "prefix-is-stop",
        "the lists of the header are read in another order",
        "mtok.header.lists",
        _device(lambda d: replace(d, prefix_ids=d.stop_ids, stop_ids=d.prefix_ids)),
    )
    yield Fault("prefix-doubled", "BOS comes from the header and from the program", program, described(_both))
    yield Fault(
        "program-ignored",
        "the program of the tail is not read",
        program,
        _device(lambda d: replace(d, program=None)),
    )
    yield Fault(
        "program-without-end",
        "what stands behind the text is not read",
        program,
        _framed(lambda ops: ops[: ops.index(None) + 1] if None in ops else ops),
    )
    yield Fault(
        "program-turned",
        "what stands before the text comes behind it",
        program,
        _framed(lambda ops: ops[::-1]),
    )
    yield Fault(
        "older-program-refused",
        "a program in the older form is not read",
        "mtok.tail.program.older",
        _device(lambda d: replace(d, program=None) if d.program and d.program.legacy else d),
    )
    yield Fault(
        "special-ids-found",
        "ids of the header's list are skipped, whatever the token says",
        "mtok.header.special",
        described(_listed),
    )


def _both(description: Description) -> Optional[Description]:
    found, listed = description.post_processor, description.device
    if listed is None or listed.program is None or not listed.prefix_ids or not isinstance(found, IdFrame):
        return None
    more = listed.prefix_ids
    return replace(
        description, post_processor=IdFrame((*more, *found.ops), (*([""] * len(more)), *found.tokens))
    )


def _framed(change: Callable[[Any], Any]) -> Patch:
    def changed(description: Description) -> Optional[Description]:
        found = description.post_processor
        if not isinstance(found, IdFrame):
            return None
        pairs = dict(zip(found.ops, found.tokens))
        ops = tuple(change(found.ops))
        return replace(description, post_processor=IdFrame(ops, tuple(pairs[op] for op in ops)))

    return described(changed)


def _listed(description: Description) -> Optional[Description]:
    if description.device is None:
        return None
    special = description.device.special_ids
    tokens = tuple(replace(t, special=t.special or t.id in special) for t in description.added_tokens)
    return replace(description, added_tokens=tokens)


def _flags() -> Iterator[Fault]:
    tokens = "mtok.added"
    yield Fault(
        "strips-swapped",
        "lstrip and rstrip are read in the other order",
        tokens,
        _added(lambda t: replace(t, lstrip=t.rstrip, rstrip=t.lstrip)),
    )
    yield Fault(
        "added-special-ignored",
        "the flag special is not read",
        tokens,
        _added(lambda t: replace(t, special=False)),
    )
    yield Fault(
        "added-not-found", "added tokens are not looked for in a text", tokens, _added(lambda _: None)
    )
    yield Fault(
        "added-normalized",
        "added tokens are looked for after normalizing",
        tokens,
        _added(lambda t: replace(t, normalized=True)),
    )
    yield Fault(
        "byte-level-regex-always",
        "the flag of ByteLevel is not read",
        "mtok.pretokenizer.byte-level",
        device(pre_tokenizer(ByteLevel, lambda s: replace(s, use_regex=True))),
    )
    yield Fault(
        "digits-singled",
        "the flag of Digits is not read",
        "mtok.pretokenizer.digits",
        device(pre_tokenizer(Digits, lambda s: replace(s, individual_digits=True))),
    )
    yield Fault(
        "metaspace-prefix-ignored",
        "the flag of Metaspace is not read",
        "mtok.pretokenizer.metaspace",
        device(pre_tokenizer(Metaspace, lambda s: replace(s, prepend_scheme="never"))),
    )
    yield from _flags_more()


def _flags_more() -> Iterator[Fault]:
    splits = "mtok.pretokenizer.split"
    yield Fault(
        "metaspace-not-cut",
        "words are not cut before their mark",
        "mtok.pretokenizer.metaspace",
        device(pre_tokenizer(Metaspace, lambda s: replace(s, pieces=False))),
    )
    yield Fault(
        "invert-ignored",
        "the flag of Split is not read",
        splits,
        device(pre_tokenizer(Split, lambda s: replace(s, invert=False))),
    )
    yield Fault(
        "behaviours-shifted",
        "behaviours are numbered from Removed on",
        "mtok.pretokenizer.split.behaviour",
        device(pre_tokenizer(Split, _next_behaviour)),
    )
    yield Fault(
        "bpe-bytes-always",
        "byte tokens stand for unknown characters whatever the flag says",
        "mtok.model.bpe.byte-fallback",
        flag(SortedBPE, byte_fallback=True),
    )
    yield Fault(
        "bpe-bytes-never",
        "byte fallback is not done",
        "mtok.model.bpe.byte-fallback",
        flag(SortedBPE, byte_fallback=False),
    )
    yield Fault(
        "bpe-spelling-ignored",
        "the model does not spell bytes",
        "mtok.model.bpe.byte-level",
        flag(SortedBPE, byte_level=False),
    )


def _next_behaviour(step: Any) -> Any:
    order = ("Isolated", "Removed", "MergedWithPrevious")
    return replace(step, behavior=order[(order.index(step.behavior) + 1) % 3])


def _tables() -> Iterator[Fault]:
    yield Fault(
        "merges-missing", "merges are not read", "mtok.model.bpe.merges", segmenting(SortedBPE, _unmerged)
    )
    yield Fault(
        "words-in-bytes", "the longest word counts bytes", "mtok.model.wordpiece", device(_wordpiece_bytes)
    )
    yield Fault(
        "scores-cut",
        "scores are read as whole numbers",
        "mtok.model.unigram",
        device(model(Unigram, lambda m: replace(m, pieces=tuple((t, float(int(s))) for t, s in m.pieces)))),
    )
    yield Fault(
        "unigram-bytes-ignored",
        "byte_fallback of Unigram is not read",
        "mtok.model.unigram",
        device(flag(Unigram, byte_fallback=False)),
    )
    yield Fault(
        "table-ignored",
        "the stored table of a normalizer is not applied",
        "mtok.normalizer.table",
        device(normalizer(CodePointTable, lambda _: None)),
    )
    yield Fault(
        "decoder-first-step-only",
        "a sequence of decoders ends after its first",
        "mtok.decoder.sequence",
        described(_first_decoder),
    )
    yield Fault(
        "decoder-fuse-ignored",
        "Fuse does nothing",
        "mtok.decoder.fuse",
        device(decoder(Fuse, lambda _: None)),
    )


def _unmerged(found: Any, piece: str) -> Any:
    ids: Any = found.build()
    return [index for char in piece for index in ids.ids(char)]


def _wordpiece_bytes(description: Description) -> Optional[Altered]:
    if not isinstance(description.model, WordPiece):
        return None

    def find(found: Any, piece: str) -> Any:
        long = len(piece.encode("utf-8")) > found.max_input_chars_per_word
        return [found.vocab[found.unk_token]] if long else found.build().ids(piece)

    made: Any = Segmenting(description.model, find)
    return Altered("", replace(description, model=made))


def _first_decoder(description: Description) -> Optional[Description]:
    found = description.decoder
    if description.device is None or not isinstance(found, Decoders):
        return None
    return replace(description, decoder=Decoders(found.decoders[:1]))
