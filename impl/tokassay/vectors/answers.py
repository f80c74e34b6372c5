"""What the oracle answers to one vector, in full. Runs under any version of HF `tokenizers`.

Only the standard library, the `tokenizers` package and the board side are imported, because
`vectors drift` runs this module in environments that hold nothing else. A panic of the oracle
is a `BaseException`, so that is what is caught; the answer is then ``{"error": class name}``.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional

import tokenizers
from tokenizers import Tokenizer

from tokassay.checks.recipes import cook
from tokassay.checks.sweeps import block_digests, sweep_ids
from tokassay.checks.vector import SPECIAL_FIELDS, digest, digest_fields, inline_bytes

Row = Mapping[str, Any]
Answer = dict[str, object]

VERSION = str(tokenizers.__version__)
_BATCH = 4096


def answer(row: Row, path: Optional[str]) -> Answer:
    """The full answer to the input fields of a row, with the tokenizer of a file or the row's own."""
    try:
        if row["op"] == "load":
            return _load(row)
        loaded = _open(path, limited=_limited(row)) if path else _from_text(row["tokenizer"])
        return _ANSWERS[row["op"]](loaded, row, path)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001
        return {"error": type(error).__name__}


def _limited(row: Row) -> bool:
    """Whether the truncation and padding of the file stay in force."""
    return row["op"] == "batch" or bool(row.get("limits"))


_opened: dict[tuple[str, bool], Any] = {}


def _open(path: str, *, limited: bool) -> Any:
    """The tokenizer of a file, or how loading it failed; the last one stays, whichever it is."""
    if (path, limited) not in _opened:
        _opened.clear()
        try:
            _opened[path, limited] = _load_file(path, limited=limited)
        except BaseException as error:
            _opened[path, limited] = error
            raise
    if isinstance(_opened[path, limited], BaseException):
        raise _opened[path, limited]
    return _opened[path, limited]


def _load_file(path: str, *, limited: bool) -> Any:
    loaded = Tokenizer.from_file(path)
    if not limited:
        loaded.no_truncation()
        loaded.no_padding()
    return loaded


def text_of(row: Row) -> str:
    """The text that a row gives: as it stands, as bytes with invalid UTF-8 replaced, or as a recipe."""
    if "recipe" in row:
        return cook(row["recipe"])
    if "bytes_hex" in row:
        return bytes.fromhex(row["bytes_hex"]).decode("utf-8", "replace")
    return str(row["text"])


def _encode(loaded: Any, row: Row, _path: Optional[str]) -> Answer:
    text, pair = text_of(row), row.get("pair")
    plain = loaded.encode(text, pair, add_special_tokens=False)
    special = loaded.encode(text, pair, add_special_tokens=True)
    found: Answer = {
        "ids": plain.ids,
        "tokens": plain.tokens,
        "offsets": plain.offsets,
        "decoded": _decoded(loaded, plain.ids, skip=False),
        "decoded_plain": _decoded(loaded, special.ids, skip=True),
        "special_ids": special.ids,
        "special": digest_fields({name: getattr(special, name) for name in SPECIAL_FIELDS}, SPECIAL_FIELDS),
    }
    if special.overflowing:
        found["overflowing"] = [part.ids for part in special.overflowing]
    return found


def _decoded(loaded: Any, ids: list[int], *, skip: bool) -> object:
    """The text of ids, or how decoding them failed: the ids are an answer all the same."""
    try:
        return loaded.decode(ids, skip_special_tokens=skip)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001
        return {"error": type(error).__name__}


def _decode(loaded: Any, row: Row, _path: Optional[str]) -> Answer:
    return {"text": loaded.decode(row["ids"], skip_special_tokens=row["skip_special_tokens"])}


def _stream(loaded: Any, row: Row, _path: Optional[str]) -> Answer:
    """Chunk by chunk; a stream that fails keeps the chunks before the failure."""
    from tokenizers.decoders import DecodeStream  # noqa: PLC0415  (newer than the oldest version in use)

    skip = row["skip_special_tokens"]
    stream = DecodeStream(skip_special_tokens=skip)
    chunks: list[Optional[str]] = []
    found: Answer = {"chunks": chunks, "full": loaded.decode(row["ids"], skip_special_tokens=skip)}
    try:
        chunks.extend(stream.step(loaded, each) for each in row["ids"])
    except Exception as error:  # noqa: BLE001
        found["error"] = type(error).__name__
    return found


def _batch(loaded: Any, row: Row, _path: Optional[str]) -> Answer:
    encoded = loaded.encode_batch(row["texts"], add_special_tokens=True)
    names = ("ids", "attention_mask", "type_ids", "special_tokens_mask")
    return {name: [getattr(each, name) for each in encoded] for name in names}


def _load(row: Row) -> Answer:
    try:
        loaded = _load_files(row["files"]) if "files" in row else _from_text(row["tokenizer"])
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001
        return {"loads": False, "error": type(error).__name__}
    found: Answer = {
        "loads": True,
        "vocab_size": loaded.get_vocab_size(with_added_tokens=True),
        "vocab_size_no_added": loaded.get_vocab_size(with_added_tokens=False),
    }
    if "probe" in row:
        encoded = loaded.encode(row["probe"], add_special_tokens=False)
        found.update(ids=encoded.ids, tokens=encoded.tokens)
        found["decoded"] = loaded.decode(encoded.ids, skip_special_tokens=False)
    if "probe_ids" in row:
        found["id_to_token"] = {str(each): loaded.id_to_token(each) for each in row["probe_ids"]}
    return {name: value for name, value in found.items() if name not in row.get("unasserted", ())}


def _from_text(tokenizer: object) -> Any:
    return Tokenizer.from_str(inline_bytes(tokenizer).decode("utf-8"))


def _load_files(files: Mapping[str, str]) -> Any:
    """The older forms, a model alone: around it stands what the models that they came with have."""
    with tempfile.TemporaryDirectory() as scratch:
        paths = {name: Path(scratch) / name for name in files}
        for name, content in files.items():
            paths[name].write_bytes(content.encode("utf-8"))
        if "merges.txt" in files:
            from_file = tokenizers.models.BPE.from_file
            loaded = Tokenizer(from_file(str(paths["vocab.json"]), str(paths["merges.txt"])))
            loaded.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
            loaded.decoder = tokenizers.decoders.ByteLevel()
            return loaded
        loaded = Tokenizer(tokenizers.models.WordPiece.from_file(str(paths["vocab.txt"])))
        loaded.normalizer = tokenizers.normalizers.BertNormalizer()
        loaded.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
        loaded.decoder = tokenizers.decoders.WordPiece()
        return loaded


def _long(loaded: Any, row: Row, _path: Optional[str]) -> Answer:
    text = text_of(row)
    encoded = loaded.encode(text, add_special_tokens=False)
    decoded = loaded.decode(encoded.ids, skip_special_tokens=False)
    return {
        "count": len(encoded.ids),
        "ids": digest(encoded.ids),
        "offsets": digest(encoded.offsets),
        "decoded": hashlib.sha256(decoded.encode("utf-8")).hexdigest(),
    }


def _sweep(loaded: Any, row: Row, path: Optional[str]) -> Answer:
    tokenizer = json.loads(Path(str(path)).read_bytes())
    id_count = 1 + max(loaded.get_vocab(with_added_tokens=True).values())
    asked = [list(each) for each in sweep_ids(row["sweep"], tokenizer, id_count)]
    answers = _sweep_answers(loaded, row["sweep"], asked)
    return {"count": len(asked), "blocks": list(block_digests(answers, row["block"]))}


def _sweep_answers(loaded: Any, sweep: str, asked: list[list[int]]) -> Iterator[object]:
    for start in range(0, len(asked), _BATCH):
        texts = loaded.decode_batch(asked[start : start + _BATCH], skip_special_tokens=False)
        if sweep == "decode":
            yield from texts
        else:
            yield from (each.ids for each in loaded.encode_batch(texts, add_special_tokens=False))


_ANSWERS = {
    "encode": _encode,
    "decode": _decode,
    "stream": _stream,
    "batch": _batch,
    "long": _long,
    "sweep": _sweep,
}
