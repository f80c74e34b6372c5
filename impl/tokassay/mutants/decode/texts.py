"""What is done around the decoder, wrongly: special tokens, ids that name nothing, the text as a whole."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Callable, Iterator, List

from tokassay.core.decoders.fuse import Fuse
from tokassay.core.description import Description
from tokassay.diagnosis.alterations import Altered
from tokassay.mutants._fault import Fault
from tokassay.mutants._patches import Decoding, added, described, shown

CLEANED = (
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" n't", "n't"),
    (" 's", "'s"),
    (" 're", "'re"),
)


def faults() -> Iterator[Fault]:
    yield from _whole()
    yield from _tokens()


def _clean(text: str) -> str:
    for old, new in CLEANED:
        text = text.replace(old, new)
    return text


def _whole() -> Iterator[Fault]:
    clause = "decode.join"
    yield Fault("cleaned-up", "clean_up_tokenization_spaces although nobody asked", clause, shown(_clean))
    yield Fault(
        "first-space-dropped",
        "the first blank of every text is dropped",
        clause,
        shown(lambda t: t[t.startswith(" ") :]),
    )
    yield Fault("text-stripped", "blanks at both ends are dropped", clause, shown(str.strip))
    yield Fault("text-right-stripped", "blanks at the end are dropped", clause, shown(str.rstrip))
    yield Fault("space-in-front", "a blank stands before every text", clause, shown(lambda t: " " + t))
    yield Fault("ends-at-nul", "the text ends at its first NUL", clause, shown(lambda t: t.split("\0", 1)[0]))
    yield Fault(
        "invalid-dropped",
        "bytes that are not UTF-8 vanish",
        "decode.byte-level",
        shown(lambda t: t.replace("\ufffd", "")),
    )
    yield Fault(
        "invalid-joined",
        "one U+FFFD for a run of bytes that are not UTF-8",
        "decode.byte-level",
        shown(lambda t: re.sub("\ufffd+", "\ufffd", t)),
    )
    yield Fault("spaces-joined", "a run of blanks becomes one", clause, shown(lambda t: re.sub(" +", " ", t)))
    yield Fault(
        "ascii-only",
        "other characters become ?",
        clause,
        shown(lambda t: t.encode("ascii", "replace").decode()),
    )
    yield Fault(
        "line-ends-normalized",
        "CR LF becomes LF",
        clause,
        shown(lambda t: t.replace("\r\n", "\n").replace("\r", "\n")),
    )


def _tokens() -> Iterator[Fault]:
    special = "decode.ids"
    text = "decode.added"
    yield Fault(
        "special-kept",
        "skip_special_tokens: true is not read",
        special,
        lambda d: Altered("", d, special=False),
    )
    yield Fault(
        "special-skipped",
        "skip_special_tokens: false is not read",
        special,
        lambda d: Altered("", d, special=True),
    )
    yield Fault(
        "every-added-token-skipped",
        "added tokens that are not special are skipped, too",
        special,
        added(lambda t: replace(t, special=True)),
    )
    yield Fault(
        "no-token-special",
        "the flag special is not read",
        special,
        added(lambda t: replace(t, special=False)),
    )
    yield Fault("added-tokens-unknown", "added tokens are left out", text, added(lambda _: None))
    yield Fault(
        "decoder-missing",
        "tokens are joined as they are",
        "decode.sequence",
        described(lambda d: replace(d, decoder=Fuse())),
    )
    yield from _tokens_more()


def _tokens_more() -> Iterator[Fault]:
    special = "decode.ids"
    text = "decode.added"
    yield Fault(
        "joined-by-spaces",
        "tokens are joined by blanks, the decoder is not used",
        "decode.none",
        described(lambda d: replace(d, decoder=None)),
    )
    yield Fault(
        "joined-without-spaces",
        "no decoder: tokens are joined without blanks",
        "decode.none",
        described(_unspaced),
    )
    yield Fault("added-tokens-apart", "blanks around added tokens", text, described(_apart))
    yield Fault(
        "added-content-shown",
        "an added token is shown as written, not as normalized",
        "decode.added.normalized",
        described(_as_written),
    )
    yield Fault(
        "first-token-lost",
        "the first token is taken for BOS",
        special,
        described(lambda d: _chained(d, lambda tokens: tokens[1:])),
    )
    yield Fault(
        "last-token-lost",
        "the last token is taken for EOS",
        special,
        described(lambda d: _chained(d, lambda tokens: tokens[:-1])),
    )


def _unspaced(description: Description) -> Description:
    return replace(description, decoder=Fuse()) if description.decoder is None else description


def _chained(description: Description, change: Callable[[List[str]], List[str]]) -> Description:
    """The decoder, told other tokens."""
    sound = description.decoder

    def decode(tokens: List[str]) -> List[str]:
        changed = change(tokens)
        return [" ".join(changed)] if sound is None else sound.decode_chain(changed)

    told: Any = Decoding(decode)
    return replace(description, decoder=told)


def _apart(description: Description) -> Description:
    contents = {token.content for token in description.added_tokens}
    if not contents:
        return description
    return _chained(description, lambda tokens: [f" {t} " if t in contents else t for t in tokens])


def _as_written(description: Description) -> Description:
    """Without its normalized form: looked for in the raw text, decoded as it stands in the file."""
    if description.normalizer is None:
        return description
    return replace(
        description, added_tokens=tuple(replace(t, normalized=False) for t in description.added_tokens)
    )
