"""What an exporter may have got wrong, found in the file alone (clauses ``audit.*``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

from ..core.byte_text import stored
from ..core.description import Description, Unread
from ..core.errors import FormatError, TokassayError
from ..core.tokenizer import Tokenizer

FIRST = 5
# Texts before a token under test: its own place may be the start of a text, or any other.
CONTEXTS = ("", "\n")


@dataclass(frozen=True)
class Finding:
    """One thing that was found. A fault makes the file unfit; what is not one may be on purpose."""

    kind: str
    reason: str
    fault: bool = True
    field: str = ""
    offset: Optional[int] = None


@dataclass(frozen=True)
class Entry:
    """An id, and the bytes of its token as the file has them."""

    id: int
    stored: bytes


def entries(description: Description) -> List[Entry]:
    """Every id that has a token, ascending; added tokens as they are written."""
    tokens = dict(enumerate_tokens(description))
    return [Entry(index, stored(token)) for index, token in sorted(tokens.items())]


def enumerate_tokens(description: Description) -> Iterator[Tuple[int, str]]:
    """Ids with their tokens: those of the model, then added ones, which take the place of the former."""
    model = description.model
    for token, index in model.vocab.items():
        yield index, model.id_to_token(index) or token
    if len(model.vocab) < model.vocab_size:  # tokens that are spelled like another one
        yield from ((i, known) for i in range(model.vocab_size) if (known := model.id_to_token(i)))
    for added in description.added_tokens:
        yield added.id, added.content


def find(listed: Sequence[Entry], text: str) -> List[Entry]:
    """The entries that hold the bytes of a text."""
    wanted = text.encode("utf-8", "surrogateescape")
    return [entry for entry in listed if wanted in entry.stored]


def audit(description: Description, config: Optional[Mapping[str, object]] = None) -> Iterator[Finding]:
    """All findings. `config`: a config.json, whose ``vocab_size`` and token ids have to fit.

    Content that was not read while loading is read first; a FormatError there is the last finding.
    """
    try:
        yield from _content(description)
        listed = entries(description)
    except FormatError as error:
        yield Finding("content", error.reason, field=error.field or "", offset=error.offset)
        return
    yield from _holes(listed)
    yield from _duplicates(listed, getattr(description.model, "may_repeat", lambda _: False))
    yield from _beyond(listed, config or {})
    yield from _absent(description, {entry.id for entry in listed}, config or {})
    tokenizer = Tokenizer.from_description(description)
    yield from _doubled(description, tokenizer)
    yield from _unreachable(tokenizer, listed)


def _content(description: Description) -> Iterator[Finding]:
    model = description.model
    proven = model.prove() if isinstance(model, Unread) else ()
    for oddity in (*description.warnings, *proven):
        yield Finding("content", oddity.reason, fault=False, field=oddity.field, offset=oddity.offset)


def _holes(listed: Sequence[Entry]) -> Iterator[Finding]:
    known = {entry.id for entry in listed}
    missing = max(known, default=-1) + 1 - len(known)
    if missing:
        holes = [index for index in range(max(known)) if index not in known]
        yield Finding("holes", f"{missing} ids below {max(known)} have no token: {_some(holes)}", fault=False)


def _duplicates(listed: Sequence[Entry], may_repeat: Callable[[bytes], bool]) -> Iterator[Finding]:
    """Apart from those that the format cannot avoid."""
    first: Dict[bytes, int] = {}
    twice = [entry for entry in listed if first.setdefault(entry.stored, entry.id) != entry.id]
    for fault in (True, False):
        ids = [entry.id for entry in twice if may_repeat(entry.stored) != fault]
        if ids:
            reason = f"{len(ids)} ids repeat the token of a smaller one: {_some(ids)}"
            yield Finding("duplicates", reason if fault else f"{reason} (the format cannot avoid it)", fault)


def _beyond(listed: Sequence[Entry], config: Mapping[str, object]) -> Iterator[Finding]:
    size = config.get("vocab_size")
    if isinstance(size, int):
        beyond = [entry.id for entry in listed if entry.id >= size]
        if beyond:
            reason = f"{len(beyond)} ids are not below vocab_size {size} of config.json: {_some(beyond)}"
            yield Finding("beyond", reason)


def _absent(description: Description, known: Set[int], config: Mapping[str, object]) -> Iterator[Finding]:
    for name, ids in _special_ids(description, config):
        missing = [index for index in ids if index not in known]
        if missing:
            yield Finding("absent", f"{name} names ids without a token: {_some(missing)}")


def _special_ids(
    description: Description, config: Mapping[str, object]
) -> Iterator[Tuple[str, Sequence[int]]]:
    if description.device is not None:
        for name in ("special_ids", "stop_ids", "prefix_ids"):
            yield name, getattr(description.device, name)
    for name in ("bos_token_id", "eos_token_id", "pad_token_id"):
        value = config.get(name)
        listed = value if isinstance(value, list) else [value]
        yield f"config.json's {name}", [item for item in listed if type(item) is int]


def _doubled(description: Description, tokenizer: Tokenizer) -> Iterator[Finding]:
    """The same id twice at the start, or a prefix in the header and in the program behind the text."""
    device = description.device
    ops = device.program.ops if device is not None and device.program is not None else ()
    prefix = device.prefix_ids if device is not None else ()
    if prefix and tuple(ops[: len(prefix)]) == prefix:
        reason = f"ids {list(prefix)} are both the header's prefix and the program's start:"
        why = "the exporter writes both, the later loader gives both (see convert --prefix-ids '')"
        yield Finding("doubled", f"{reason} {why}")
        return
    try:
        ids = tokenizer.encode("a").ids
        bare = tokenizer.encode("a", add_special_tokens=False).ids
    except TokassayError:
        return
    front = ids[: len(ids) - len(bare)]
    if len(front) > 1 and front[0] == front[1]:
        yield Finding("doubled", f"id {front[0]} stands twice before a text")


def _unreachable(tokenizer: Tokenizer, listed: Sequence[Entry]) -> Iterator[Finding]:
    """Tokens that their own text does not give: neither alone nor behind a line feed.

    The later pieces of a word are not asked: their text alone is another token's.
    """
    prefix = stored(getattr(tokenizer.description.model, "continuing_subword_prefix", None) or "")
    before = {context: _ids(tokenizer, context) for context in CONTEXTS}
    asked = (entry.id for entry in listed if not (prefix and entry.stored.startswith(prefix)))
    lost = [index for index in asked if _is_lost(tokenizer, index, before)]
    if lost:
        reason = f"{len(lost)} tokens are not what their own text encodes to: {_some(lost)}"
        yield Finding("unreachable", reason, fault=False)


def _is_lost(tokenizer: Tokenizer, index: int, before: Mapping[str, Optional[List[int]]]) -> bool:
    """False where the question makes no sense: parts of characters, tokens without text."""
    try:
        text = tokenizer.decode([index], skip_special_tokens=False)
    except TokassayError:
        return False
    if not text or "\ufffd" in text:
        return False
    return all(
        ids is None or _ids(tokenizer, context + text) != [*ids, index] for context, ids in before.items()
    )


def _ids(tokenizer: Tokenizer, text: str) -> Optional[List[int]]:
    try:
        return tokenizer.encode(text, add_special_tokens=False).ids
    except TokassayError:
        return None


def _some(ids: Sequence[int]) -> str:
    shown = ", ".join(map(str, ids[:FIRST]))
    return f"{shown}, ..." if len(ids) > FIRST else shown
