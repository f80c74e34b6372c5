"""The tokenizers that findings name: our own, real ones of the zoo, one that is made, and exports of them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, List, Mapping, Union

from tokassay import data, formats, zoo
from tokassay.formats.mtok.companion import with_device
from tokassay.formats.mtok.projecting import project
from tokassay.formats.mtok.writing import written

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


@lru_cache(maxsize=64)
def fetched(name: str) -> Path:
    """A file of the zoo, fetched where it is not here. Raises FileNotFoundError, which says why."""
    (outcome,) = zoo.fetch([zoo.entries()[name]])
    if outcome.path is None:
        raise FileNotFoundError(outcome.error)
    return outcome.path


@dataclass(frozen=True)
class Files:
    """Files by the names that findings give them. `folder` holds those that are made."""

    folder: Path

    def tokenizer(self, name: str) -> Path:
        """Our own tokenizer of that name, the real one, or the BERT that is made of a vocabulary."""
        own = data.root() / "golden" / "tokenizers" / name / "tokenizer.json"
        if own.is_file():  # what fuzzing with small vocabularies finds
            return own
        return self._bert() if name == "bert_uncased" else fetched(name)

    def loaded(self, engine: str, tokenizer: Union[str, Mapping[str, Any]]) -> Path:
        """What the engine gets: the file that a row names or holds; MNN a .mtok as its exporter writes it."""
        if isinstance(tokenizer, Mapping):
            return self._stored(tokenizer)
        return self.exported(tokenizer) if engine == "mnn" else self.tokenizer(tokenizer)

    def exported(self, name: str) -> Path:
        """The .mtok with the header lists of the exporter; made once."""
        path = self.folder / f"{name}.mtok"
        if not path.exists():
            lists = _header_lists()[name]
            ids = (lists[key] for key in ("special", "stop", "prefix"))
            described = with_device(formats.read(fetched(name)), self.folder, *ids)
            path.write_bytes(written(project(described)))
        return path

    def _stored(self, spec: Mapping[str, Any]) -> Path:
        """The tokenizer.json that a row holds, or the bytes of a broken file."""
        broken = "hex" in spec
        content = bytes.fromhex(spec["hex"]) if broken else json.dumps(spec).encode()
        ending = Path(spec["file"]).suffix if broken else ".json"
        path = self.folder / f"tokenizer-{hashlib.sha256(content).hexdigest()[:16]}{ending}"
        path.write_bytes(content)
        return path

    def _bert(self) -> Path:
        path = self.folder / "bert_uncased" / "tokenizer.json"
        if not path.exists():
            path.parent.mkdir()
            pieces = json.loads(fetched("bert_uncased_vocab").read_text("utf-8"))
            path.write_text(json.dumps(bert_uncased(whole_words(pieces))), "utf-8")
        return path


@lru_cache(maxsize=1)
def _header_lists() -> Dict[str, Dict[str, Any]]:
    lines = (data.root() / "golden" / "mtok" / "exported.jsonl").read_text("utf-8").splitlines()
    return {row["tokenizer"]: row for row in map(json.loads, lines)}


def whole_words(pieces: List[str]) -> Dict[str, int]:
    """A vocabulary that marks the beginnings of words as one that marks what continues them."""

    def spelled(piece: str) -> str:
        if piece == "\u2581":
            return "[unused0]"
        if piece in SPECIAL or piece.startswith("[unused"):
            return piece
        return piece[1:] if piece.startswith("\u2581") else f"##{piece}"

    return {spelled(piece): index for index, piece in enumerate(pieces)}


def bert_uncased(vocabulary: Dict[str, int]) -> Dict[str, Any]:
    """The tokenizer.json of an uncased English BERT with that vocabulary."""
    around = _template("[CLS]", "[SEP]")
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_added(vocabulary[token], token) for token in SPECIAL],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": around,
            "pair": [*around, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {
                token: {"id": token, "ids": [vocabulary[token]], "tokens": [token]}
                for token in ("[CLS]", "[SEP]")
            },
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": vocabulary,
        },
    }


def _added(index: int, token: str) -> Dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": index, "content": token, **flags, "special": True}


def _template(*parts: str) -> List[Dict[str, Any]]:
    special = [{"SpecialToken": {"id": part, "type_id": 0}} for part in parts]
    return [special[0], {"Sequence": {"id": "A", "type_id": 0}}, special[1]]
