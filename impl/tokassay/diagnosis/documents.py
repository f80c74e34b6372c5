"""A tokenizer.json with something left out: tokens, merges, added tokens, whole stages."""

from __future__ import annotations

import json
from typing import AbstractSet, Any, Dict, Iterator, List, Optional, Tuple

Document = Dict[str, Any]
STAGES = ("truncation", "padding", "post_processor", "normalizer", "pre_tokenizer", "decoder")
MEMBERS = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
}


def read(data: bytes) -> Optional[Document]:
    """The parsed file; None for what cannot be taken apart."""
    try:
        found = json.loads(data)
        return found if tokens(found) is not None else None
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        return None


def serialized(document: Document) -> bytes:
    return json.dumps(document, indent=1).encode("ascii")


def tokens(document: Document) -> List[str]:
    """The model's tokens in the order of their ids."""
    vocab = document["model"]["vocab"]
    if isinstance(vocab, list):
        return [entry[0] for entry in vocab]
    return sorted(vocab, key=vocab.__getitem__)


def names(document: Document) -> Dict[int, str]:
    """Id → token, as it is decoded: an added token before one of the model's."""
    vocab = document["model"]["vocab"]
    if isinstance(vocab, list):
        found = {number: str(entry[0]) for number, entry in enumerate(vocab)}
    else:
        found = {number: token for token, number in vocab.items()}
    return {**found, **{token["id"]: token["content"] for token in added(document)}}


def added(document: Document) -> List[Dict[str, Any]]:
    return document.get("added_tokens") or []


def merge_parts(merge: Any) -> Tuple[str, str]:
    left, right = merge.split(" ") if isinstance(merge, str) else merge
    return left, right


def with_tokens(document: Document, kept: AbstractSet[str]) -> Document:
    """Only these tokens of the model, numbered anew from 0, and the merges among them."""
    model = dict(document["model"])
    left = [token for token in tokens(document) if token in kept]
    if isinstance(model["vocab"], list):
        unknown = model.get("unk_id")
        spelled = model["vocab"][unknown][0] if unknown is not None else None
        model["vocab"] = [entry for entry in model["vocab"] if entry[0] in kept or entry[0] == spelled]
        if spelled is not None:
            model["unk_id"] = next(n for n, entry in enumerate(model["vocab"]) if entry[0] == spelled)
    else:
        model["vocab"] = {token: number for number, token in enumerate(left)}
    if "merges" in model:
        prefix = model.get("continuing_subword_prefix") or ""
        model["merges"] = [merge for merge in model["merges"] if _whole(merge, kept, prefix)]
    return renumbered({**document, "model": model})


def _whole(merge: Any, kept: AbstractSet[str], prefix: str) -> bool:
    left, right = merge_parts(merge)
    made = left + (right[len(prefix) :] if prefix and right.startswith(prefix) else right)
    return left in kept and right in kept and made in kept


def renumbered(document: Document) -> Document:
    """Added tokens and the post-processor with the ids that the model's tokens now have."""
    ids = {token: number for number, token in enumerate(tokens(document))}
    new = []
    for token in sorted(added(document), key=lambda token: token["id"]):
        ids.setdefault(token["content"], len(ids))
        new.append({**token, "id": ids[token["content"]]})
    made = {**document, "added_tokens": sorted(new, key=lambda token: token["id"])}
    if document.get("post_processor"):
        made["post_processor"] = _processor(document["post_processor"], ids)
    return made


def _processor(processor: Any, ids: Dict[str, int]) -> Any:
    """The same with new ids. A token that is not there any more keeps its old one."""
    made = dict(processor)
    if "processors" in made:
        made["processors"] = [_processor(part, ids) for part in made["processors"]]
    for name in ("sep", "cls"):
        if name in made:
            made[name] = [made[name][0], ids.get(made[name][0], made[name][1])]
    if "special_tokens" in made:
        made["special_tokens"] = {
            name: {**token, "ids": [ids.get(t, i) for t, i in zip(token["tokens"], token["ids"])]}
            for name, token in made["special_tokens"].items()
        }
    return made


def with_merges(document: Document, merges: List[Any]) -> Document:
    return {**document, "model": {**document["model"], "merges": merges}}


def with_added(document: Document, kept: List[Dict[str, Any]]) -> Document:
    return renumbered({**document, "added_tokens": kept})


def simpler(document: Document) -> Iterator[Tuple[str, Document]]:
    """Every document with one stage, or one step of a stage, less; and its name."""
    for stage in STAGES:
        value = document.get(stage)
        if not value:
            continue
        yield stage, {**document, stage: None}
        key = MEMBERS.get(stage, "")
        found = value.get(key) if isinstance(value, dict) else None
        members: List[Any] = found if isinstance(found, list) else []
        for place in range(len(members)):
            left = members[:place] + members[place + 1 :]
            yield (
                f"{stage} step {place + 1}",
                {**document, stage: left[0] if len(left) == 1 else {**value, key: left}},
            )
