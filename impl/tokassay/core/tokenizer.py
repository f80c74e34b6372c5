"""The tokenizer: one description, ready to encode and to decode."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cached_property, partial
from itertools import compress, repeat
from operator import not_
from typing import Dict, Iterable, List, Optional, Sequence, Tuple, Union, cast

from .added_tokens import AddedVocabulary
from .arguments import Text, batch_of, check_token, id_of, ids_of, text_and_pair
from .collecting import no_collection
from .columns import Columns
from .decoders.raw import raw_chain
from .description import Description, Padding
from .description import Warning as Oddity
from .encoding import Encoding
from .errors import FormatError
from .fast import IdsPath
from .frame import Frame, Surroundings, fill, frame_of
from .padding import pad, pad_ids, padded_length
from .pipeline import Pipeline, added_tokens
from .stream import DecodeStream
from .text import check_text, text_of
from .trace import Trace, trace
from .truncation import limit


class Tokenizer:
    """Exact against HF ``tokenizers`` 0.23.3. It never changes; caches inside are bounded.

    Attributes:
        description: what the file says, the same for all formats; its `warnings` name what is odd.
    """

    def __init__(self, description: Description) -> None:
        """See `from_description`."""
        self._added = AddedVocabulary.build(
            description.added_tokens,
            description.model,
            description.normalizer,
            as_stored=description.device is not None,
        )
        self.description = _with_warnings(description, self._added.warnings)
        self._frames: Dict[Tuple[bool, bool], Frame] = {}
        self._surroundings = Surroundings(description.post_processor)

    @classmethod
    def from_description(cls, description: Description) -> Tokenizer:
        """A tokenizer from a description.

        Raises:
            FormatError: an added token cannot be used.
        """
        return cls(description)

    @classmethod
    def from_file(
        cls,
        path: Union[str, os.PathLike[str]],
        format: Optional[str] = None,  # noqa: A002 - the contract's word
        strict: bool = False,
    ) -> Tokenizer:
        """Read a tokenizer in any known format, found by content unless `format` names it.

        Raises:
            FormatError: the file is not what its format says, or is odd and `strict` is set.
        """
        from .. import formats  # noqa: PLC0415 - the one door from core to the codecs

        tokenizer = cls(formats.read(path, format=format, strict=strict))
        if strict and tokenizer.description.warnings:
            first = tokenizer.description.warnings[0]
            raise FormatError(first.reason, field=first.field, path=os.fspath(path))
        return tokenizer

    @cached_property
    def _ids(self) -> IdsPath:
        return IdsPath(self.description, self._added)

    @cached_property
    def _pipeline(self) -> Pipeline:
        return Pipeline(self.description, self._added, self.description.model.build())

    def encode(self, text: str, pair: Optional[str] = None, add_special_tokens: bool = True) -> Encoding:
        """Encode a text, or a text and its pair.

        Raises:
            TextError: a lone surrogate.
            TypeError: text or pair is no `str`.
            EncodeError: the oracle, too, fails on this text.
            UnsupportedError: BPE dropout above 0.
        """
        if type(text) is not str or not text.isascii():
            check_text(text)
        ids = self._ids.encode(text)
        around = self._surroundings[add_special_tokens] if pair is None and self._keeps_length else None
        if around is not None:
            before, behind = around
            if before or behind:
                ids = [*before, *ids, *behind]
            return Encoding(ids, (self._complete, text, None, add_special_tokens))
        sequences = [ids]
        if pair is not None:
            check_text(pair)
            sequences.append(self._ids.encode(pair))
        if self._cuts(sequences, add_special_tokens):
            return Encoding.of(self._complete(text, pair, add_special_tokens))
        ids = fill(self._frame(pair is not None, add_special_tokens), sequences)
        padding = self.description.padding
        if padding is not None:
            ids = pad_ids(ids, padded_length([len(ids)], padding), padding)
        return Encoding(ids, (self._complete, text, pair, add_special_tokens))

    def encode_batch(self, texts: Iterable[Text], add_special_tokens: bool = True) -> List[Encoding]:
        """Encode texts or (text, pair) tuples; stored padding makes them all equally long.

        Raises what `encode` raises.
        """
        items = batch_of(texts)
        if set(map(type, items)) == {str} and self._around(add_special_tokens) is not None:
            with no_collection(keep=False):
                return self._encode_texts(cast("List[str]", items), add_special_tokens)
        pairs = [text_and_pair(item, place) for place, item in enumerate(items)]
        batch = [self.encode(text, pair, add_special_tokens) for text, pair in pairs]
        padding = self.description.padding
        if padding is None:
            return batch
        length = padded_length(map(len, batch), padding)
        return [_padded(one, length, padding) for one in batch]

    def _encode_texts(self, texts: List[str], add_special_tokens: bool) -> List[Encoding]:
        """`encode` for each, with what their calls have in common done once."""
        for text in compress(texts, map(not_, map(str.isascii, texts))):
            check_text(text)
        before, behind = self._around(add_special_tokens) or ((), ())
        found = self._ids.encode_all(texts)
        if before or behind:
            found = [[*before, *ids, *behind] for ids in found]
        rests = zip(repeat(self._complete), texts, repeat(None), repeat(add_special_tokens))
        return list(map(Encoding, found, rests))

    def _around(self, add_special_tokens: bool) -> Optional[Tuple[Frame, Frame]]:
        """What stands around the ids of every text; None where more happens to them."""
        return self._surroundings[add_special_tokens] if self._keeps_length else None

    def encode_bytes(
        self, data: bytes, invalid: str = "replace", add_special_tokens: bool = True
    ) -> Encoding:
        """Encode UTF-8 bytes; `invalid` says what becomes of bytes that are not (``encoding.text.bytes``).

        Raises what `encode` and `text_of` raise.
        """
        return self.encode(text_of(data, invalid), add_special_tokens=add_special_tokens)

    def _complete(self, text: str, pair: Optional[str], add_special_tokens: bool) -> Columns:
        return self._pipeline.encode(text, pair, add_special_tokens)

    def _cuts(self, sequences: Sequence[List[int]], add_special_tokens: bool) -> bool:
        """Whether stored truncation shortens these sequences."""
        truncation = self.description.truncation
        if truncation is None:
            return False
        added = added_tokens(self.description, len(sequences) == 2, add_special_tokens)
        return sum(map(len, sequences)) > limit(truncation, added)

    @cached_property
    def _keeps_length(self) -> bool:
        return self.description.truncation is None and self.description.padding is None

    def _frame(self, pair: bool, add_special_tokens: bool) -> Frame:
        frame = self._frames.get((pair, add_special_tokens))
        if frame is None:
            frame = frame_of(self.description.post_processor, pair, add_special_tokens)
            self._frames[pair, add_special_tokens] = frame
        return frame

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        """The text of ids; those that name no token are left out. Clauses: ``decode.*``.

        Raises:
            DecodeError: the oracle, too, fails on these ids.
            TypeError, ValueError: something is no integer in 0..2**32-1 (``encoding.arguments``).
        """
        tokens, decoder = self._tokens(ids, skip_special_tokens), self.description.decoder
        return " ".join(tokens) if decoder is None else "".join(decoder.decode_chain(tokens))

    def decode_bytes(self, ids: Iterable[int], skip_special_tokens: bool = True) -> bytes:
        """The bytes of ids, before invalid UTF-8 is replaced. Clauses: ``decode.bytes.*``.

        Raises what `decode` raises.
        """
        tokens, decoder = self._tokens(ids, skip_special_tokens), self.description.decoder
        text = " ".join(tokens) if decoder is None else "".join(raw_chain(decoder, tokens))
        return text.encode("utf-8", "surrogateescape")

    def decode_batch(self, batch: Iterable[Iterable[int]], skip_special_tokens: bool = True) -> List[str]:
        """`decode` for each sequence of ids."""
        return [self.decode(ids, skip_special_tokens) for ids in batch]

    def decode_stream(self, skip_special_tokens: bool = True) -> DecodeStream:
        """A new stream, for ids that come one by one."""
        return DecodeStream(self.description.decoder, partial(self._shown, skip=skip_special_tokens))

    def _tokens(self, ids: Iterable[int], skip: bool) -> List[str]:
        return [token for token in (self._shown(index, skip) for index in ids_of(ids)) if token is not None]

    def _shown(self, index: int, skip: bool) -> Optional[str]:
        """The token of an id as decoding sees it; None for ids that are left out.

        A model of a device format may have a `placeholder` for ids that name no token.
        """
        token = self._added.id_to_token(index)
        if token is None:
            return getattr(self.description.model, "placeholder", None)
        return None if skip and self._added.is_special(token) else token

    def trace(self, text: str) -> Trace:
        """What every stage makes of a text. Raises what `encode` raises."""
        return trace(self._pipeline, text, self.encode(text).ids)

    def token_to_id(self, token: str) -> Optional[int]:
        """The id of a token, an added one before one of the model; None for no token."""
        check_token(token)
        return self._added.token_to_id(token)

    def id_to_token(self, id: int) -> Optional[str]:  # noqa: A002 - the contract's word
        """The token of an id, an added one before one of the model; None for no id."""
        return self._added.id_to_token(id_of(id))

    @property
    def vocab_size(self) -> int:
        """How many different tokens there are, added ones included."""
        model = self.description.model
        new = sum(model.token_to_id(token) is None for token in self._added.token_ids)
        return model.vocab_size + new


def _with_warnings(description: Description, found: Sequence[Oddity]) -> Description:
    """`description` with those warnings that it has not got already."""
    known = set(description.warnings)
    more = tuple(warning for warning in found if warning not in known)
    return replace(description, warnings=(*description.warnings, *more)) if more else description


def _padded(one: Encoding, length: int, padding: Padding) -> Encoding:
    return Encoding(pad_ids(one.ids, length, padding), (_padded_columns, one, length, padding))


def _padded_columns(one: Encoding, length: int, padding: Padding) -> Columns:
    return pad(one.columns(), length, padding)
