"""A tokenizer.json as a vocabulary-only GGUF file, for llama.cpp. Needs the package gguf.

llama.cpp knows pre-tokenizers by name, each a pattern compiled in; a file with other patterns cannot be told
to it. It has no normalizers either: those are left out, and what that changes is for the vectors to show.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from tokassay import formats
from tokassay.checks.engine import FaultError, RefusalError
from tokassay.core.description import AddedToken, Description
from tokassay.core.errors import FormatError
from tokassay.core.models.bpe import BPE
from tokassay.core.models.scored_tokens import BYTE, CONTROL, NORMAL, UNKNOWN, UNUSED, USER_DEFINED
from tokassay.core.models.wordpiece import WordPiece
from tokassay.formats._patterns import LLAMA_CPP
from tokassay.user_cache import cache_folder, file_sha256

RECIPE = 1  # changes with what `_write` puts into a file
PRE_TOKENIZERS: Mapping[Tuple[str, ...], str] = {patterns: name for name, patterns in LLAMA_CPP.items()}
"""Patterns of the Splits before a ByteLevel → llama.cpp's name."""


def vocabulary_gguf(path: str) -> Path:
    """The GGUF file for a tokenizer.json, in the per-user cache. Raises RefusalError or FaultError."""
    try:
        name = f"{file_sha256(Path(path))[:32]}-{RECIPE}.gguf"
        target = cache_folder() / "gguf" / name
        if not target.is_file():
            _write(describe(formats.read(path, format="tokenizer.json")), target)
    except (OSError, FormatError) as error:
        raise FaultError(f"cannot be made into a GGUF file: {error}") from error
    return target


@dataclass(frozen=True)
class Vocabulary:
    """What the GGUF file says.

    `kind` is ``tokenizer.ggml.model``; `pre` its pre-tokenizer; `merges` and `scores` are None where the kind
    has none.
    """

    kind: str
    pre: str
    tokens: Sequence[str]
    types: Sequence[int]
    merges: Optional[Sequence[str]] = None
    scores: Optional[Sequence[float]] = None
    space_prefix: bool = False


def describe(description: Description) -> Vocabulary:
    """Byte-level BPE, BPE with byte fallback, or BERT's words. Raises RefusalError for anything else."""
    model = description.model
    if isinstance(model, WordPiece):
        return _word_pieces(model, description)
    if not isinstance(model, BPE):
        raise RefusalError(f"the kit writes BPE for llama.cpp, not {model.TYPE}")
    tokens, types = _tokens(model, description.added_tokens)
    parts = _parts(description.pre_tokenizer)
    if parts and parts[-1]["type"] == "ByteLevel":
        merges = [f"{left} {right}" for left, right in model.merges]
        return Vocabulary("gpt2", _pre_tokenizer(parts), tokens, types, merges)
    if model.byte_fallback:
        types = [BYTE if _is_byte(token) and kind == NORMAL else kind for token, kind in zip(tokens, types)]
        return Vocabulary(
            "llama", "default", tokens, types, None, _scores(model, tokens), _prefix(description)
        )
    raise RefusalError("llama.cpp has no BPE that is neither byte-level nor with byte fallback")


def _word_pieces(model: WordPiece, description: Description) -> Vocabulary:
    """Continuations without their prefix, every other piece behind the mark of a word's beginning."""
    if [part["type"] for part in _parts(description.pre_tokenizer)] != ["BertPreTokenizer"]:
        raise RefusalError("llama.cpp has WordPiece with BERT's words only")
    tokens, types = _tokens(model, description.added_tokens)
    prefix = model.continuing_subword_prefix
    spelled = [
        token if kind != NORMAL else token[len(prefix) :] if token.startswith(prefix) else f"\u2581{token}"
        for token, kind in zip(tokens, types)
    ]
    return Vocabulary("bert", "default", spelled, types)


def _tokens(model: Union[BPE, WordPiece], added: Sequence[AddedToken]) -> Tuple[List[str], List[int]]:
    """Token and type of every id; holes are filled."""
    by_id: Dict[int, Tuple[str, int]] = {index: (token, NORMAL) for token, index in model.vocab.items()}
    by_id.update({t.id: (t.content, CONTROL if t.special else USER_DEFINED) for t in added})
    unknown = model.vocab.get(model.unk_token or "")
    if unknown is not None:
        by_id[unknown] = (by_id[unknown][0], UNKNOWN)
    whole = [by_id.get(index, (f"[PAD{index}]", UNUSED)) for index in range(max(by_id, default=-1) + 1)]
    return [token for token, _ in whole], [kind for _, kind in whole]


def _is_byte(token: str) -> bool:
    return len(token) == 6 and token.startswith("<0x") and token.endswith(">")


def _scores(model: BPE, tokens: Sequence[str]) -> List[float]:
    """llama.cpp joins the pair whose result has the best score: the rank of the first merge that makes it."""
    ranks: Dict[str, int] = {}
    for rank, (left, right) in enumerate(model.merges):
        ranks.setdefault(left + right, rank)
    return [-float(ranks.get(token, 1_000_000)) for token in tokens]


def _parts(component: Any) -> List[Mapping[str, Any]]:
    """The fields of the members of a Sequence, or of a component alone."""
    if component is None:
        return []
    fields = component.to_fields()
    members: Optional[List[Any]] = fields.get("pretokenizers") or fields.get("normalizers")
    return list(members) if members else [fields]


def _pre_tokenizer(parts: Sequence[Mapping[str, Any]]) -> str:
    *before, last = parts
    if last["use_regex"] == bool(before) or any(part["type"] != "Split" for part in before):
        raise RefusalError(f"llama.cpp has no such pre-tokenizer: {', '.join(p['type'] for p in parts)}")
    patterns = tuple(part["pattern"].get("Regex", "") for part in before)
    if patterns not in PRE_TOKENIZERS or last["add_prefix_space"]:
        raise RefusalError(f"llama.cpp has no pre-tokenizer with the patterns {list(patterns)}")
    return PRE_TOKENIZERS[patterns]


def _prefix(description: Description) -> bool:
    normalizers = {part["type"] for part in _parts(description.normalizer)}
    schemes = {part.get("prepend_scheme", "never") for part in _parts(description.pre_tokenizer)}
    return "Prepend" in normalizers or bool(schemes & {"always", "first"})


def _write(vocabulary: Vocabulary, target: Path) -> None:
    """Under a temporary name, then renamed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".part-") as scratch:
        whole = Path(scratch) / target.name
        fill(vocabulary, whole)
        os.replace(whole, target)  # noqa: PTH105


def fill(vocabulary: Vocabulary, path: Path) -> None:
    """Write the file at a path."""
    import gguf  # noqa: PLC0415 - an extra

    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_tokenizer_model(vocabulary.kind)
    writer.add_tokenizer_pre(vocabulary.pre)
    writer.add_token_list(list(vocabulary.tokens))
    writer.add_token_types(list(vocabulary.types))
    if vocabulary.merges is not None:
        writer.add_token_merges(list(vocabulary.merges))
    if vocabulary.scores is not None:
        writer.add_token_scores(list(vocabulary.scores))
        writer.add_add_space_prefix(vocabulary.space_prefix)
    _fill_ids(writer, vocabulary)
    # llama.cpp reads these of every model, though none of them means anything without weights.
    writer.add_context_length(2048)
    writer.add_embedding_length(8)
    writer.add_block_count(1)
    writer.add_head_count(1)
    writer.add_feed_forward_length(8)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _fill_ids(writer: Any, vocabulary: Vocabulary) -> None:
    """Special ids have to be there; nothing is added to a text."""
    index = {token: number for number, token in reversed(list(enumerate(vocabulary.tokens)))}
    writer.add_bos_token_id(index.get("<s>", index.get("<bos>", 0)))
    writer.add_eos_token_id(index.get("</s>", index.get("<eos>", 0)))
    if UNKNOWN in vocabulary.types:
        writer.add_unk_token_id(vocabulary.types.index(UNKNOWN))
    writer.add_add_bos_token(False)
    writer.add_add_eos_token(False)
