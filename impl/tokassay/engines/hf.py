"""HuggingFace ``tokenizers``: the oracle, as an engine under test."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

from tokassay.checks.engine import AddressError, Encoded, EngineInfo, Stages, UnavailableError

from ._answering import answered

NAME = "hf"
HELP = "HuggingFace tokenizers (extra `hf`)"
NATIVE = True
IN_PROCESS = True
CAPABILITIES = frozenset(
    {
        "encode",
        "decode",
        "add_special",
        "skip_special",
        "pair",
        "tokens",
        "offsets",
        "masks",
        "stream",
        "stages",
        "limits",
        "vocabulary",
    }
)
# The older forms are a file of this name, or a folder with files of these names.
FORMATS = ("tokenizer.json", "merges.txt+vocab.json", "vocab.txt")


def open_engine(argument: str) -> HfEngine:
    """The installed wheel; `argument` is not used."""
    if argument:
        raise AddressError(f"hf takes no argument, got {argument!r}")
    # One thread: verdicts must not depend on the machine, and forks must not warn.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        import tokenizers  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise UnavailableError(
            "the package tokenizers is not installed", "pip install tokassay[hf]"
        ) from error
    return HfEngine(
        EngineInfo(NAME, tokenizers.__version__, CAPABILITIES, FORMATS, build={"threads": "safe"})
    )


@dataclass(frozen=True)
class HfEngine:
    """The wheel in this process."""

    info: EngineInfo

    def load(self, path: str) -> HfSession:
        """Load a ``tokenizer.json``; stored truncation and padding are off unless a vector asks."""
        from tokenizers import Tokenizer  # noqa: PLC0415 - an extra

        if Path(path).is_dir() or Path(path).name == "vocab.txt":
            return HfSession(self.info, path, answered(lambda: _from_parts(Path(path))))
        plain = answered(lambda: Tokenizer.from_file(path), may_panic=True)
        stored = plain if plain.truncation or plain.padding else None
        if stored is not None:
            plain = answered(lambda: Tokenizer.from_file(path))
            plain.no_truncation()
            plain.no_padding()
        return HfSession(self.info, path, plain, stored)


@dataclass(frozen=True)
class HfSession:
    """One loaded tokenizer. `stored` is the same with truncation and padding, where the file has them."""

    info: EngineInfo
    path: str
    plain: Any
    stored: Any = None

    def encode(self, text: str, pair: Optional[str] = None, *, add_special_tokens: bool = True) -> Encoded:
        return _encode(self.plain, text, pair, add_special_tokens)

    def encode_limited(
        self, text: str, pair: Optional[str] = None, *, add_special_tokens: bool = True
    ) -> Encoded:
        tokenizer = self.stored or self.plain
        return answered(  # type: ignore[no-any-return]
            lambda: tokenizer.encode(text, pair, add_special_tokens=add_special_tokens), may_panic=True
        )

    def encode_batch_limited(
        self, texts: Sequence[str], *, add_special_tokens: bool = True
    ) -> Sequence[Encoded]:
        tokenizer = self.stored or self.plain
        return answered(lambda: tokenizer.encode_batch(list(texts), add_special_tokens=add_special_tokens))

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> str:
        wanted = list(ids)
        return answered(lambda: self.plain.decode(wanted, skip_special_tokens), may_panic=True)  # type: ignore[no-any-return]

    def stream(self, *, skip_special_tokens: bool = True) -> HfStream:
        from tokenizers.decoders import DecodeStream  # noqa: PLC0415 - an extra

        return HfStream(self.plain, DecodeStream(skip_special_tokens=skip_special_tokens))

    @cached_property
    def bare(self) -> Any:
        """The same without post-processor: some of them narrow offsets, and cuts are read off the offsets."""
        from tokenizers import Tokenizer  # noqa: PLC0415 - an extra

        bare = answered(lambda: Tokenizer.from_str(self.plain.to_str()))
        bare.post_processor = None
        return bare

    def vocab_size(self, *, with_added_tokens: bool = True) -> int:
        return answered(lambda: self.plain.get_vocab_size(with_added_tokens=with_added_tokens))  # type: ignore[no-any-return]

    def id_to_token(self, index: int) -> Optional[str]:
        return answered(lambda: self.plain.id_to_token(index))  # type: ignore[no-any-return]

    def stages(self, text: str) -> Stages:
        """Added tokens are found in the encoding; what lies between them goes through the components."""
        encoded = answered(lambda: self.bare.encode(text, add_special_tokens=False))
        cuts = _cuts(self.plain, text, encoded)
        parts = [_walked(self.plain, text, cut) for cut in cuts if not cut.is_added]
        return Stages(
            segments=[text[cut.start : cut.end] for cut in cuts],
            normalized=[normalized for normalized, _ in parts],
            pieces=[piece for _, pieces in parts for piece in pieces],
            tokens=encoded.tokens,
            ids=self.encode(text).ids,
        )


@dataclass(frozen=True)
class HfStream:
    """``DecodeStream``; it never flushes by itself (clause ``stream.flush``)."""

    tokenizer: Any
    decoder: Any

    def step(self, index: int) -> Optional[str]:
        return answered(lambda: self.decoder.step(self.tokenizer, index))  # type: ignore[no-any-return]

    def flush(self) -> Optional[str]:
        return None


def _encode(tokenizer: Any, text: str, pair: Optional[str], add_special_tokens: bool) -> Encoded:
    return answered(lambda: tokenizer.encode(text, pair, add_special_tokens=add_special_tokens))  # type: ignore[no-any-return]


def _from_parts(path: Path) -> Any:
    """The older forms hold a model alone: around it stands what the models that they came with have."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers  # noqa: PLC0415 - an extra

    if (path / "merges.txt").exists():
        loaded = Tokenizer(models.BPE.from_file(str(path / "vocab.json"), str(path / "merges.txt")))
        loaded.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        loaded.decoder = decoders.ByteLevel()
        return loaded
    loaded = Tokenizer(models.WordPiece.from_file(str(path / "vocab.txt" if path.is_dir() else path)))
    loaded.normalizer = normalizers.BertNormalizer()
    loaded.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    loaded.decoder = decoders.WordPiece()
    return loaded


class Cut(NamedTuple):
    """A stretch of the original text, in characters: an added token, or what lies between two."""

    start: int
    end: int
    is_added: bool


def _cuts(tokenizer: Any, text: str, encoded: Any) -> List[Cut]:
    added = tokenizer.get_added_tokens_decoder()
    cuts, done = [], 0
    for index, (start, end) in zip(encoded.ids, encoded.offsets):
        if index in added and _is_match(tokenizer, text[start:end], added[index]):
            cuts += [Cut(done, start, False)] if start > done else []
            cuts.append(Cut(start, end, True))
            done = end
    return cuts + ([Cut(done, len(text), False)] if done < len(text) else [])


def _is_match(tokenizer: Any, found: str, token: Any) -> bool:
    """The model may answer an added token's id by itself (``[UNK]``): then the text says something else."""
    if found.strip() == token.content.strip():
        return True
    normalize = tokenizer.normalizer.normalize_str if tokenizer.normalizer is not None else str
    return bool(token.normalized) and normalize(found).strip() == normalize(token.content).strip()


def _walked(tokenizer: Any, text: str, cut: Cut) -> Tuple[str, List[str]]:
    """One stretch after the normalizer, and its pieces; it keeps its place, which ``Metaspace`` looks at."""
    from tokenizers import PreTokenizedString  # noqa: PLC0415 - an extra

    work = PreTokenizedString(text)
    work.split(lambda _, whole: [whole[cut.start : cut.end]])
    if tokenizer.normalizer is not None:
        work.normalize(tokenizer.normalizer.normalize)
    normalized = "".join(piece for piece, _, _ in work.get_splits())
    if tokenizer.pre_tokenizer is not None:
        tokenizer.pre_tokenizer.pre_tokenize(work)
    return normalized, [piece for piece, _, _ in work.get_splits()]
