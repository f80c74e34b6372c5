"""tiktoken: one regular expression and byte ranks, both taken from a tokenizer.json.

tiktoken has neither a normalizer nor several pre-tokenizers. A file whose normalizer is NFC or NFKC is
loaded all the same, without it: that is how such vocabularies are run on tiktoken. Everything else that
it cannot hold is refused.
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence

from tokassay.checks.engine import RefusalError

from ._byte_level import alphabet, spelled
from ._packages import PackageEngine, module, open_package, read_json

NAME = "tiktoken"
HELP = "OpenAI's tiktoken, built from a byte-level BPE tokenizer.json (package tiktoken)"
DISTRIBUTIONS = ("tiktoken",)
NATIVE = True
IN_PROCESS = True
LEFT_OUT = ("NFC", "NFKC")
# What the component ByteLevel splits by when the file names no pattern (tokenizer.json has no field for it).
GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded)


class Loaded:
    """An `Encoding`. Ranks are the order of the merges; `ids` leads from a rank to the file's id."""

    def __init__(self, path: str) -> None:
        stored = read_json(path)
        pattern, ranks = _pattern(stored), _ranks(stored["model"], stored["added_tokens"])
        self.ids: List[int] = [index for index, _ in ranks]
        specials = {token["content"]: token["id"] for token in stored["added_tokens"]}
        self.inner = module("tiktoken").Encoding(
            name="tokassay",
            pat_str=pattern,
            mergeable_ranks={data: rank for rank, (_, data) in enumerate(ranks)},
            special_tokens={token: len(ranks) + number for number, token in enumerate(specials)},
        )
        self.ids += specials.values()
        self.ranks = {index: rank for rank, index in enumerate(self.ids)}

    def encode(self, text: str) -> List[int]:
        ids = self.ids
        return [ids[rank] for rank in self.inner.encode(text, allowed_special="all")]

    def decode(self, ids: Sequence[int]) -> str:
        return self.inner.decode([self.ranks[index] for index in ids])  # type: ignore[no-any-return]

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        return self.inner.decode_bytes([self.ranks[index] for index in ids])  # type: ignore[no-any-return]


def _pattern(stored: Mapping[str, Any]) -> str:
    """The one pattern behind a file's pre-tokenizer. Raises RefusalError."""
    normalizer = stored.get("normalizer")
    if normalizer is not None and normalizer["type"] not in LEFT_OUT:
        raise RefusalError(f"has no normalizer, and the file has {normalizer['type']}")
    steps = _steps(stored.get("pre_tokenizer"))
    splits, levels = ([s for s in steps if s["type"] == kind] for kind in ("Split", "ByteLevel"))
    if len(levels) != 1 or len(splits) + 1 != len(steps) or len(splits) > 1:
        shown = ", ".join(step["type"] for step in steps) or "none"
        raise RefusalError(f"takes one pattern before the bytes, the file's pre-tokenizer is: {shown}")
    if levels[0].get("add_prefix_space"):
        raise RefusalError("cannot add a blank in front")
    by_pattern = levels[0].get("use_regex", True)
    if not splits and by_pattern:
        return GPT2
    if not splits or by_pattern or steps[0] is not splits[0]:
        raise RefusalError("takes exactly one pattern")
    return _split_pattern(splits[0])


def _steps(pre_tokenizer: Optional[Mapping[str, Any]]) -> List[Mapping[str, Any]]:
    if pre_tokenizer is None:
        return []
    if pre_tokenizer["type"] == "Sequence":
        return [step for part in pre_tokenizer["pretokenizers"] for step in _steps(part)]
    return [pre_tokenizer]


def _split_pattern(split: Mapping[str, Any]) -> str:
    if split["behavior"] not in ("Isolated", "Removed") or "Regex" not in split["pattern"]:
        raise RefusalError(f"cannot split by {split['pattern']} with behavior {split['behavior']}")
    if (split["behavior"] == "Removed") != bool(split["invert"]):
        raise RefusalError("keeps what the pattern matches, and the file drops it")
    return str(split["pattern"]["Regex"])


def _ranks(model: Mapping[str, Any], added: Sequence[Mapping[str, Any]]) -> List[Any]:
    """(id, bytes) in the order in which pairs are merged: bytes first. Raises RefusalError."""
    _refuse_odd(model, added)
    vocabulary: Mapping[str, int] = model["vocab"]
    order: Dict[str, None] = dict.fromkeys(token for token in vocabulary if len(token) == 1)
    for merge in model["merges"]:
        order.setdefault("".join(merge) if isinstance(merge, list) else merge.replace(" ", "", 1))
    if model.get("ignore_merges"):  # whole words are looked up first, also those that no merge makes
        order.update(dict.fromkeys(vocabulary))
    specials = {token["content"] for token in added}
    letters = alphabet()
    kept = [token for token in order if token not in specials]
    found = [(vocabulary[token], spelled(token, letters)) for token in kept]
    if len({data for _, data in found if len(data) == 1}) != 256:
        raise RefusalError("needs a token for each of the 256 bytes")
    return found


def _refuse_odd(model: Mapping[str, Any], added: Sequence[Mapping[str, Any]]) -> None:
    if model.get("type", "BPE") != "BPE":
        raise RefusalError(f"is byte-level BPE only, the model is {model['type']}")
    for name in ("byte_fallback", "dropout", "continuing_subword_prefix", "end_of_word_suffix"):
        if model.get(name):
            raise RefusalError(f"has no {name}")
    for token in added:
        odd = [name for name in ("lstrip", "rstrip", "single_word") if token.get(name)]
        if odd:
            raise RefusalError(f"added tokens cannot have {odd[0]}: {token['content']!r}")
