"""The one frozen description of a tokenizer, the same for every file format.

A codec in `tokassay.formats` turns a file into a `Description`; `tokassay.core.tokenizer`
runs it. Components are frozen dataclasses in `normalizers/`, `pretokenizers/`, `models/`,
`postprocessors/` and `decoders/`, one file each; each knows its JSON form and its semantics.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, List, Mapping, Optional, Protocol, Sequence, Tuple, runtime_checkable

from .aligned import AlignedText
from .columns import Columns
from .decoders.stages import Grain, Stage
from .fields import Fields
from .token import Token


class Component(Protocol):
    """What every component has: its type name in tokenizer.json, and its JSON form."""

    TYPE: ClassVar[str]

    @classmethod
    def from_fields(cls, fields: Fields) -> Component: ...

    def to_fields(self) -> Mapping[str, object]:
        """The JSON object that HF writes for this component, ``type`` included."""
        ...


class Normalizer(Component, Protocol):
    def normalize(self, text: str) -> str:
        """The normalized text (fast path: no alignment)."""
        ...

    def align(self, text: AlignedText) -> AlignedText:
        """The same with alignment; ``align(t).text == normalize(t.text)`` always."""
        ...


class PreTokenizer(Component, Protocol):
    def split(self, piece: str, *, first: bool = False) -> List[str]:
        """The non-empty pieces (fast path). `first`: the piece starts the original text."""
        ...

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        """The same pieces with alignment."""
        ...


class Segmenter(Protocol):
    """A model made ready to run: holds look-up tables, but no unbounded cache."""

    def tokenize(self, piece: str) -> List[Token]:
        """The tokens of one non-empty piece."""
        ...

    def ids(self, piece: str) -> List[int]:
        """``[t.id for t in tokenize(piece)]``, faster."""
        ...


class Model(Component, Protocol):
    def build(self) -> Segmenter: ...

    def token_to_id(self, token: str) -> Optional[int]: ...

    def id_to_token(self, index: int) -> Optional[str]: ...

    @property
    def vocab(self) -> Mapping[str, int]:
        """Token → id. Do not change it."""
        ...

    @property
    def vocab_size(self) -> int:
        """How many entries HF counts; the first id that an added token may take."""
        ...


@runtime_checkable
class Positional(Protocol):
    """A pre-tokenizer whose answer depends on `first` (Metaspace with ``prepend_scheme: first``)."""

    positional: bool


class Decoder(Component, Protocol):
    @property
    def fuses(self) -> bool:
        """Whether all tokens become one."""
        ...

    @property
    def grain(self) -> Grain:
        """How finely the tokens that come in may be cut."""
        ...

    def decode_chain(self, tokens: List[str]) -> List[str]:
        """HF's decode_chain: the texts to be joined."""
        ...

    def stream(self, *, grain: Grain) -> Stage:
        """The same for tokens that come one by one; `grain`: how finely what goes out may be cut."""
        ...

    def flow(self) -> Stage:
        """The same for one token that comes in pieces."""
        ...


class PostProcessor(Component, Protocol):
    def added_tokens(self, pair: bool) -> int:
        """How many special tokens truncation must leave room for."""
        ...

    def process(self, parts: List[Columns], add_special_tokens: bool) -> List[Columns]:
        """The parts of the final encoding, in order; one part per sequence comes in."""
        ...


@dataclass(frozen=True)
class AddedToken:
    """A token matched in the text before the model sees it. Clauses: ``added.*``.

    `id` is what the file says; the id in force may differ (clause ``added.ids``).
    """

    id: int
    content: str
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = True
    special: bool = False


@dataclass(frozen=True)
class Truncation:
    """Stored truncation.

    `direction` is "Left" or "Right", `strategy` "LongestFirst", "OnlyFirst" or "OnlySecond".
    """

    max_length: int
    stride: int = 0
    strategy: str = "LongestFirst"
    direction: str = "Right"


@dataclass(frozen=True)
class Padding:
    """Stored padding. `fixed`: the length, or None for the longest of the batch."""

    fixed: Optional[int] = None
    direction: str = "Right"
    pad_to_multiple_of: Optional[int] = None
    pad_id: int = 0
    pad_type_id: int = 0
    pad_token: str = "[PAD]"  # noqa: S105 - a token, not a password


@dataclass(frozen=True)
class Warning:  # noqa: A001 - the contract's word
    """Something odd that HF accepts: `field` says where, `reason` what the oracle does with it.

    `offset`: the byte of the file, where the format can tell.
    """

    field: str
    reason: str
    offset: Optional[int] = None


@runtime_checkable
class Unread(Protocol):
    """A model whose content is not looked at while loading, for speed (``Tokenizer.from_file``)."""

    def prove(self) -> Sequence[Warning]:
        """Read all of it: what is odd. Raises FormatError for what cannot be."""
        ...


@dataclass(frozen=True)
class Program:
    """A device file's post-processor: ids around the text, None being the text (``mtok.tail.program``).

    `legacy`: written in the older form, which can only name ids behind the text.
    """

    ops: Tuple[Optional[int], ...]
    legacy: bool = False


@dataclass(frozen=True)
class Device:
    """What a device file holds beside the tokenizer. None: the file ends before that part.

    A description with it comes from a device file or is on its way into one; added tokens then have
    the ids that are stored (clause ``mtok.added.ids``).
    """

    special_ids: Tuple[int, ...] = ()
    stop_ids: Tuple[int, ...] = ()
    prefix_ids: Tuple[int, ...] = ()
    chat_template: Optional[str] = None
    eos_token: Optional[str] = None
    flags: Optional[int] = None
    bos_token: Optional[str] = None
    program: Optional[Program] = None
    trailing: bytes = b""


@dataclass(frozen=True)
class Description:
    """A whole tokenizer. Equal descriptions encode and decode equally."""

    model: Model
    normalizer: Optional[Normalizer] = None
    pre_tokenizer: Optional[PreTokenizer] = None
    post_processor: Optional[PostProcessor] = None
    decoder: Optional[Decoder] = None
    added_tokens: Sequence[AddedToken] = ()
    truncation: Optional[Truncation] = None
    padding: Optional[Padding] = None
    device: Optional[Device] = None
    warnings: Sequence[Warning] = field(default=(), compare=False)
