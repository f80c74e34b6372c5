"""The ids of a text and nothing else. Equal to `pipeline`; the tests compare both with HF.

Added tokens first, then the normalizer, then the first splitter on whole segments. All that comes
after the first splitter (further splitters, the spelling of bytes, the model) depends on the piece
alone, so it hides behind one memory from piece to ids. Where lines are proven to be independent
(`tokassay.core.lines`), a memory of whole lines stands before all of it.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import Callable, Iterator, List, Optional, Pattern, Sequence, Tuple, cast

from .added_tokens import AddedVocabulary
from .aligned import AlignedText
from .alignment import is_positional, must_align
from .description import Description, PreTokenizer
from .lines import independent_lines
from .memo import LONGEST_KEY, MOST_CHARACTERS, Memo, loosely
from .models.bpe import BPESegmenter
from .models.bpe_bytes import ByteBPE
from .packing import pack, unpackers
from .pretokenizers import sequence
from .pretokenizers.byte_level import GPT2_PATTERN, ByteLevel
from .pretokenizers.split import Split
from .regex import compile_pattern

Cut = Callable[[str], List[str]]
Ids = Callable[[str], Sequence[int]]
Packed = Callable[[str], bytes]
_UNICODE_FORMS = ("NFC", "NFD", "NFKC", "NFKD")  # they leave ASCII alone
# Up to this many characters a text is remembered as a whole, and not cut into lines.
SHORT_TEXT = 256
MOST_MEMORIES = 8  # one calls the next


class IdsPath:
    """Ids of texts without the special tokens of a post-processor. Memories are bounded."""

    def __init__(self, description: Description, added: AddedVocabulary) -> None:
        self.description, self.added = description, added
        splitter = description.pre_tokenizer
        self.positional = is_positional(splitter)
        # A later stage asks where its piece comes from: bare strings cannot tell.
        self.looks_back = bool(getattr(splitter, "looks_back", False))
        self.aligned = must_align(description.normalizer, splitter)
        self.texts: Memo[bytes] = Memo(loosely(self._first_text))

    def encode(self, text: str) -> List[int]:
        """A fresh list of ids.

        Raises:
            EncodeError: the oracle, too, fails on this text.
            UnsupportedError: BPE dropout above 0.
        """
        if len(text) <= SHORT_TEXT or self._lines is None:
            packed = self.texts[text]
        else:
            packed = b"".join(map(self.texts.__getitem__, self._lines.findall(text)))
        return [*unpackers[len(packed)](packed)]

    def encode_all(self, texts: Sequence[str]) -> List[List[int]]:
        """`encode` for each of them; short ones without a call."""
        if max(map(len, texts), default=0) > SHORT_TEXT:
            return list(map(self.encode, texts))
        return [[*unpackers[len(packed)](packed)] for packed in map(self.texts.__getitem__, texts)]

    def forget(self) -> None:
        """Empty every memory that texts have filled, and keep the tables: what is cold is measured so."""
        for memory in (self.texts, *self._memories):
            memory.clear()
        for part in (self._by_bytes, self.description.model.build()):
            getattr(part, "forget", _nothing)()

    @cached_property
    def _lines(self) -> Optional[Pattern[str]]:
        if self.aligned or self.positional:
            return None
        model = self.description.model.build()
        return independent_lines(self.description, self._stages, self.added, model)

    def _first_text(self, text: str) -> bytes:
        """Chooses the function for texts when the first one comes."""
        plain = self._plain()
        self.texts.function = loosely(self._text) if plain is None else plain
        return self.texts.function(text)

    def _plain(self) -> Optional[Packed]:
        """`_text` with few calls, for ASCII texts without added tokens: what is left are the pieces."""
        cut = None if self.aligned else self._ascii_cut
        if cut is None or not self._searchable:
            return None
        search, general, found = self._search, loosely(self._text), self.pieces.__getitem__

        def encode(text: str) -> bytes:
            if not text.isascii() or (search is not None and search(text) is not None):
                return general(text)
            return b"".join(map(found, cut(text)))

        return encode

    @cached_property
    def _ascii_cut(self) -> Optional[Cut]:
        """Normalizer and first splitter where they are one search for ASCII text."""
        normalizer = self.description.normalizer
        if not self._stages or not (normalizer is None or normalizer.TYPE in _UNICODE_FORMS):
            return None
        stage = self._stages[0]
        if isinstance(stage, Split) and stage.behavior == "Isolated":
            return stage.pattern.compiled.ascii_pieces
        if (
            isinstance(stage, ByteLevel)
            and stage.use_regex
            and self._raw_model
            and not stage.add_prefix_space
        ):
            return compile_pattern(GPT2_PATTERN).ascii_pieces
        return None

    def _text(self, text: str) -> bytes:
        if self.aligned:
            return pack(self._aligned_text(text))
        if self._holds_no_added_token(text):
            normalizer = self.description.normalizer
            return self._segment(normalizer.normalize(text) if normalizer else text, first=True)
        ids: List[bytes] = []
        for part, index, first in self.added.split(text, positional=self.positional):
            if index is None:
                ids.append(self._segment(part, first))
            else:
                ids.append(pack([index]))
        return b"".join(ids)

    def _holds_no_added_token(self, text: str) -> bool:
        """One search in C for texts that need no cutting; the start of the text is its own start then."""
        return self._searchable and (self._search is None or self._search(text) is None)

    @cached_property
    def _searchable(self) -> bool:
        raw = self.added.raw
        plain = self.added.normalized is None and (raw is None or "" not in raw.ids)
        return plain and (not self.positional or self.description.normalizer is None)

    @cached_property
    def _search(self) -> Optional[Callable[[str], object]]:
        return self.added.raw.starts.search if self.added.raw else None

    def _aligned_text(self, text: str) -> List[int]:
        """Through the aligned path as far as the pieces: for the pipelines that strings cannot follow."""
        splitter = self.description.pre_tokenizer
        model = self.description.model.build()
        ids: List[int] = []
        for part, index in self.added.split_aligned(AlignedText.of(text)):
            if index is not None:
                ids.append(index)
                continue
            for piece in [part] if splitter is None else splitter.split_aligned(part):
                ids += model.ids(piece.text)
        return ids

    def _segment(self, segment: str, first: bool) -> bytes:
        """A normalized text between added tokens. `first`: it stands for the start of the whole text."""
        if not segment:
            return b""
        pieces = self._first_cut(segment, first) if self._first_cut else [segment]
        return b"".join(map(self.pieces.__getitem__, pieces))

    @cached_property
    def _first_cut(self) -> Optional[Callable[[str, bool], List[str]]]:
        splitter = self.description.pre_tokenizer
        if self.looks_back and splitter is not None:
            return lambda segment, first: splitter.split(segment, first=first)
        if not self._stages:
            return None
        stage = self._stages[0]
        if is_positional(stage):
            return lambda segment, first: stage.split(segment, first=first)
        cut = self._cuts[0]
        return lambda segment, _: cut(segment)

    @cached_property
    def _stages(self) -> Tuple[PreTokenizer, ...]:
        return tuple(_flat(self.description.pre_tokenizer))

    @cached_property
    def _cuts(self) -> List[Cut]:
        """The stages as functions. The last one leaves the spelling of bytes to the model, if it can."""
        cuts: List[Cut] = [stage.split for stage in self._stages]
        if self._raw_model is not None:
            cuts[-1] = cast("ByteLevel", self._stages[-1]).cut
        return cuts

    @cached_property
    def _by_bytes(self) -> Optional[ByteBPE]:
        """The model on text whose bytes are not spelled out yet, if spelling them out is the last stage."""
        model = self.description.model.build()
        if self.looks_back or not self._stages or not isinstance(self._stages[-1], ByteLevel):
            return None
        return model.of_bytes() if isinstance(model, BPESegmenter) else None

    @property
    def _raw_model(self) -> Optional[Ids]:
        return self._by_bytes.ids if self._by_bytes else None

    @cached_property
    def pieces(self) -> Memo[bytes]:
        """Piece of the first splitter → ids, packed."""
        return self._memories[-1]

    @cached_property
    def _memories(self) -> List[Memo[bytes]]:
        """Piece → packed ids behind each splitter, the first one last: what a splitter leaves recurs."""
        model = self.description.model.build()
        if self.looks_back:
            return [Memo(_packed(model.ids))]
        later = [cut for cut, stage in zip(self._cuts[1:], self._stages[1:]) if not self._only_spells(stage)]
        longest = MOST_CHARACTERS if getattr(model, "is_whole", False) else LONGEST_KEY
        memories = [Memo(_packed(self._raw_model or model.ids), longest)]
        for cuts in (*([cut] for cut in later[:-MOST_MEMORIES:-1]), later[: 1 - MOST_MEMORIES]):
            if cuts:
                memories.append(Memo(_composed(cuts, memories[-1].__getitem__), longest))
        return memories

    def _only_spells(self, stage: PreTokenizer) -> bool:
        """ByteLevel without pattern and prefix only spells bytes, which the model does then."""
        last = stage is self._stages[-1] and self._raw_model is not None
        return last and not stage.use_regex and not stage.add_prefix_space  # type: ignore[attr-defined]


def _nothing() -> None:
    """For models that keep nothing of a text."""


def _packed(ids: Ids) -> Packed:
    def packed(piece: str) -> bytes:
        return pack(ids(piece))

    return packed


def _flat(splitter: Optional[PreTokenizer]) -> Iterator[PreTokenizer]:
    if isinstance(splitter, sequence.Sequence):
        for part in splitter.pretokenizers:
            yield from _flat(part)
    elif splitter is not None:
        yield splitter


def _composed(cuts: List[Cut], ids: Packed) -> Packed:
    def encode(piece: str) -> bytes:
        pieces = [piece]
        for cut in cuts:
            pieces = list(chain.from_iterable(map(cut, pieces)))
        return b"".join(map(ids, pieces))

    return encode
