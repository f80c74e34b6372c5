"""Added tokens: found in the text before the model sees it. Clauses ``added.*``.

There are two searches. Tokens with ``normalized: false`` are looked for in the text as it is; what is
left between them is normalized, and the others are looked for in that, in their own normalized form.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

from .aligned import AlignedText
from .alignment import is_anchored
from .charsets import WHITE_SPACE, is_word
from .description import AddedToken, Model, Normalizer
from .description import Warning as Oddity
from .errors import EncodeError, FormatError
from .occurrences import Occurrences

MOST_WARNINGS = 1000
Part = Tuple[int, int, Optional[int]]
"""Start and end of a part of a text, and the id of the added token that it is, if it is one."""


@dataclass(frozen=True)
class AddedVocabulary:
    """The added tokens in force, ready to search.

    Attributes:
        tokens: id in force → token, its `id` being the one in force.
        token_ids: content → id in force.
        special: contents of the tokens that decoding may skip.
        spelled: id → normalized form, where that differs; this is what decoding sees.
        normalizer: applied between the two searches.
        warnings: what the file says and the oracle does otherwise.
        texts, forms: what the first search looks for, and the second one, with ids.
    """

    tokens: Mapping[int, AddedToken]
    token_ids: Mapping[str, int]
    special: frozenset[str]
    spelled: Mapping[int, str]
    normalizer: Optional[Normalizer]
    warnings: Tuple[Oddity, ...]
    model: Model = field(repr=False)
    texts: Mapping[str, int] = field(repr=False)
    forms: Mapping[str, int] = field(repr=False)

    @classmethod
    def build(
        cls,
        added: Sequence[AddedToken],
        model: Model,
        normalizer: Optional[Normalizer] = None,
        *,
        as_stored: bool = False,
    ) -> AddedVocabulary:
        """Assign ids as the oracle does (`as_stored`: as the file says)."""
        draft = _Draft.of(added, model, normalizer, as_stored=as_stored)
        texts = {token.content: index for index, token in draft.tokens.items() if not token.normalized}
        forms = draft.normalized_forms()
        return cls(
            tokens=draft.tokens,
            token_ids=draft.token_ids,
            special=frozenset(draft.special),
            spelled=draft.spelled,
            normalizer=normalizer,
            warnings=draft.noted(),
            model=model,
            texts=texts,
            forms=forms,
        )

    @cached_property
    def raw(self) -> Optional[Occurrences]:
        """The first search; made when a text comes."""
        return Occurrences.of(self.texts) if self.texts else None

    @cached_property
    def normalized(self) -> Optional[Occurrences]:
        """The second search."""
        return Occurrences.of(self.forms) if self.forms else None

    @property
    def ids(self) -> Tuple[int, ...]:
        """The ids in force, ascending: the order in which HF writes the tokens."""
        return tuple(sorted(self.tokens))

    def token_to_id(self, token: str) -> Optional[int]:
        """An added token's id, else the model's."""
        found = self.token_ids.get(token)
        return self.model.token_to_id(token) if found is None else found

    def id_to_token(self, index: int) -> Optional[str]:
        """What decoding sees: an added token in its normalized form, else the model's token."""
        token = self.tokens.get(index)
        if token is None:
            return self.model.id_to_token(index)
        return self.spelled.get(index, token.content)

    def is_special(self, token: str) -> bool:
        return token in self.special

    def split(self, text: str, *, positional: bool = False) -> List[Tuple[str, Optional[int], bool]]:
        """The non-empty parts of `text`, normalized: (text, id of the added token or None, first).

        `first` says that the part stands for the start of `text`; it is worked out only on request
        (`positional`), since after some normalizers only the alignment can tell.
        """
        found: List[Tuple[str, Optional[int], bool]] = []
        for start, end, index in self._parts(self.raw, text):
            part = text[start:end]
            if part and index is not None:
                found.append((part, index, False))
            elif part:
                found += self._split_normalized(part, first=positional and start == 0)
        return found

    def _split_normalized(self, part: str, first: bool) -> List[Tuple[str, Optional[int], bool]]:
        text = self.normalizer.normalize(part) if self.normalizer else part
        cuts = [cut for cut in self._parts(self.normalized, text) if cut[0] != cut[1]]
        if not first:
            return [(text[start:end], index, False) for start, end, index in cuts]
        if self.normalizer is None or (is_anchored(self.normalizer) and len(cuts) == 1):
            return [(text[start:end], index, start == 0) for start, end, index in cuts]
        return [
            (piece.text, index, piece.origin[0] == 0) for piece, index in self._align(AlignedText.of(part))
        ]

    def split_aligned(self, text: AlignedText) -> List[Tuple[AlignedText, Optional[int]]]:
        """The same parts with alignment: (part, id of the added token or None)."""
        found: List[Tuple[AlignedText, Optional[int]]] = []
        for start, end, index in self._parts(self.raw, text.text):
            if start == end:
                continue
            part = text.slice(start, end)
            found += [(part, index)] if index is not None else self._align(part)
        return found

    def _align(self, part: AlignedText) -> List[Tuple[AlignedText, Optional[int]]]:
        if self.normalizer:
            part = self.normalizer.align(part)
        cuts = self._parts(self.normalized, part.text)
        return [(part.slice(start, end), index) for start, end, index in cuts if start != end]

    def _parts(self, occurrences: Optional[Occurrences], text: str) -> Iterator[Part]:
        """The whole of `text`: tokens, and what lies between them. Clause ``added.overlap``."""
        done = 0
        for found, found_end, index in occurrences.find(text) if occurrences else ():
            token = self.tokens[index]
            if token.single_word and not _stands_alone(text, found, found_end):
                continue
            start = max(_spaces_before(text, found, done), done) if token.lstrip else found
            end = _spaces_behind(text, found_end) if token.rstrip else found_end
            if start > end:
                raise EncodeError("an added token would end before its start: the oracle panics")
            if done < start:
                yield (done, start, None)
            yield (start, end, index)
            done = end
        if done != len(text):
            yield (done, len(text), None)


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not (start and is_word(text[start - 1])) and not (end < len(text) and is_word(text[end]))


def _spaces_before(text: str, start: int, floor: int) -> int:
    while start > floor and text[start - 1] in WHITE_SPACE:
        start -= 1
    return start


def _spaces_behind(text: str, end: int) -> int:
    while end < len(text) and text[end] in WHITE_SPACE:
        end += 1
    return end


class _Draft:
    """The added tokens while they are being added, one after the other (clause ``added.ids``)."""

    def __init__(self, model: Model, normalizer: Optional[Normalizer], *, as_stored: bool) -> None:
        self.model, self.normalizer, self.as_stored = model, normalizer, as_stored
        self.next_id = model.vocab_size
        self.tokens: Dict[int, AddedToken] = {}
        self.token_ids: Dict[str, int] = {}
        self.special: Set[str] = set()
        self.spelled: Dict[int, str] = {}
        self.warnings: List[Oddity] = []
        self.more = 0

    @classmethod
    def of(
        cls, added: Sequence[AddedToken], model: Model, normalizer: Optional[Normalizer], *, as_stored: bool
    ) -> _Draft:
        draft = cls(model, normalizer, as_stored=as_stored)
        for place, token in enumerate(added):
            draft.add(token, f"added_tokens[{place}]")
        return draft

    def warn(self, where: str, reason: str) -> None:
        if len(self.warnings) < MOST_WARNINGS:
            self.warnings.append(Oddity(where, reason))
        else:
            self.more += 1

    def noted(self) -> Tuple[Oddity, ...]:
        """The warnings; the last one counts those that are too many to be named."""
        more = (Oddity("added_tokens", f"{self.more} more oddities like these"),) if self.more else ()
        return (*self.warnings, *more)

    def add(self, token: AddedToken, where: str) -> None:
        if not token.content:
            self.warn(where, "has no content and is ignored")
            return
        index = self._id_of(token)
        if index != token.id:
            self.warn(where, f"says id {token.id}, but {index} is in force")
        token = token if token.id == index else replace(token, id=index)
        if self.token_ids.get(token.content) == index and self.tokens.get(index) == token:
            self.warn(where, f"repeats {token.content!r}")
            return
        self._warn_of_clash(token, where)
        self._spell(token, where)
        self.token_ids[token.content] = index
        if token.special:
            self.special.add(token.content)
        self.tokens[index] = token

    def _id_of(self, token: AddedToken) -> int:
        if self.as_stored:
            return token.id
        known = self.token_ids.get(token.content)
        if known is None:
            known = self.model.token_to_id(token.content)
        if known is None:
            known = self.next_id
            self.next_id += 1
        return known

    def _warn_of_clash(self, token: AddedToken, where: str) -> None:
        before = self.tokens.get(token.id)
        if self.as_stored and before is None:
            return  # device files list the tokens of their vocabulary again; ids are what they say
        if before is not None:
            self.warn(where, f"takes the place of {before.content!r} (id {token.id})")
        elif self.token_ids.get(token.content) is None and self.model.token_to_id(token.content) is None:
            hidden = self.model.id_to_token(token.id)
            if hidden is not None:
                self.warn(where, f"hides the model's {hidden!r} (id {token.id})")

    def _spell(self, token: AddedToken, where: str) -> None:
        """An earlier form stays when the token comes again with ``normalized: false``, as in the oracle."""
        if token.normalized and self.normalizer:
            try:
                form = self.normalizer.align(AlignedText.of(token.content)).text
            except EncodeError as error:
                raise FormatError(f"cannot be normalized: {error}", field=where) from error
            if not form:
                self.warn(where, f"{token.content!r} normalizes to nothing: found everywhere")
            if form != token.content:
                self.spelled[token.id] = form

    def normalized_forms(self) -> Dict[str, int]:
        """Form → id for the second search; of tokens with one form the lowest id is taken."""
        forms: Dict[str, int] = {}
        for index in sorted(self.tokens, reverse=True):
            token = self.tokens[index]
            if not token.normalized:
                continue
            form = self.spelled.get(index, token.content)
            if form in forms:
                reason = f"{token.content!r} and {self.tokens[forms[form]].content!r} normalize to one text;"
                self.warn("added_tokens", f"{reason} the oracle's choice varies")
            forms[form] = index
        return forms
