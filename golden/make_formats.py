"""Makes golden/formats/: small vocabularies in the formats of other libraries.

    python golden/make_formats.py [--out DIR]

Needs sentencepiece and gguf. Running it again with the same versions gives the same bytes.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import json
import tempfile
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence

import sentencepiece

from tokassay import formats
from tokassay.engines import _gguf

HERE = Path(__file__).resolve().parent
Document = Mapping[str, Any]
SPECIAL = ("<unk>", "<s>", "</s>", "[INST]")
TEKKEN_PATTERN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# Source and target as code points: decomposed letters compose, ligatures fall apart, tabs are blanks.
RULES = {
    "e\u0301": "\u00e9",
    "\ufb01": "fi",
    "\ufb01\u0301": "f\u00ed",
    "\t": " ",
    "\u3000": " ",
    "\u200b": "",
}


def own(name: str) -> Document:
    loaded: Document = json.loads((HERE / "tokenizers" / name / "tokenizer.json").read_bytes())
    return loaded


def byte_tokens(document: Document) -> Iterator[bytes]:
    """The 256 bytes, then what each merge makes."""
    letters = {char: byte for byte, char in enumerate(_alphabet())}
    yield from (bytes([byte]) for byte in range(256))
    seen = set()
    for merge in document["model"]["merges"]:
        token = bytes(
            letters[char] for char in "".join(merge if isinstance(merge, list) else merge.split(" "))
        )
        if token not in seen:
            seen.add(token)
            yield token


def _alphabet() -> str:
    spare = iter(range(0x100, 0x200))
    visible = {*range(0x21, 0x7F), *range(0xA1, 0x100)} - {0xAD}
    return "".join(chr(byte if byte in visible else next(spare)) for byte in range(256))


def tiktoken_ranks() -> bytes:
    """tiktoken: the merges of our o200k."""
    tokens = enumerate(byte_tokens(own("o200k")))
    return b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for rank, token in tokens)


def tekken_json() -> bytes:
    """mistral-common: the same behind eight special tokens, the last ten ranks left out."""
    tokens = list(byte_tokens(own("o200k")))
    vocab = [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
        for rank, token in enumerate(tokens)
    ]
    config = {
        "pattern": TEKKEN_PATTERN,
        "num_vocab_tokens": len(tokens),
        "default_vocab_size": len(tokens) - 10 + 8,
        "default_num_special_tokens": 8,
        "version": "v3",
    }
    special = [{"rank": i, "token_str": name, "is_control": True} for i, name in enumerate(SPECIAL)]
    document = {"config": config, "vocab": vocab, "special_tokens": special}
    return (json.dumps(document, separators=(",", ":")) + "\n").encode()


def trained(*, rules: bool = False, **options: Any) -> bytes:
    """A SentencePiece model trained on the corpus. It holds the names of its files: they have no folder."""
    named = {"normalization_rule_tsv": "rules.tsv"} if rules else {"normalization_rule_name": "identity"}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("rules.tsv").write_text("".join(map(_rule, RULES.items())), "utf-8")
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(_sentences()),
            model_prefix="model",
            minloglevel=2,
            num_threads=1,
            hard_vocab_limit=False,
            character_coverage=0.98,
            **named,
            **options,
        )
        return Path("model.model").read_bytes()


def _rule(rule: tuple[str, str]) -> str:
    old, new = (" ".join(f"{ord(char):X}" for char in text) for text in rule)
    return f"{old}\t{new}\n"


def _sentences() -> list[str]:
    names = ("english", "cjk", "scripts", "symbols", "code")
    return [
        line for name in names for line in (HERE / "corpus" / f"{name}.txt").read_text("utf-8").splitlines()
    ]


def bpe_model() -> bytes:
    """SentencePiece BPE as Llama 2 has it: no rules, byte fallback, blanks kept; two user-defined tokens."""
    return trained(
        model_type="bpe",
        vocab_size=1600,
        byte_fallback=True,
        remove_extra_whitespaces=False,
        user_defined_symbols=["<sep>", "a b"],
    )


def bpe_rules_model() -> bytes:
    """SentencePiece BPE with rules and without byte fallback; extra blanks go."""
    return trained(model_type="bpe", vocab_size=1600, rules=True)


def unigram_model() -> bytes:
    """SentencePiece Unigram with rules; extra blanks go, one token is user-defined, one control."""
    return trained(
        model_type="unigram",
        vocab_size=1600,
        rules=True,
        user_defined_symbols=["h\u00e9llo"],
        control_symbols=["<ctl>"],
    )


def unigram_bytes_model() -> bytes:
    """SentencePiece Unigram with byte fallback, the mark behind words and not before."""
    return trained(
        model_type="unigram",
        vocab_size=1600,
        byte_fallback=True,
        treat_whitespace_as_suffix=True,
        remove_extra_whitespaces=False,
    )


def clip_merges() -> bytes:
    """CLIP: the head of the only such file, and the merges of our clip."""
    merges = own("clip")["model"]["merges"]
    lines = ['"bpe_simple_vocab_16e6.txt#version: 0.2', *(" ".join(merge) for merge in merges)]
    return ("\n".join(lines) + "\n").encode()


def gguf_of(name: str) -> Callable[[], bytes]:
    def make() -> bytes:
        """GGUF: the vocabulary of an own tokenizer."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "vocabulary.gguf"
            _gguf.fill(_gguf.describe(formats.read(HERE / "tokenizers" / name / "tokenizer.json")), path)
            return path.read_bytes()

    return make


FILES: Mapping[str, Callable[[], bytes]] = {
    "o200k.tiktoken": tiktoken_ranks,
    "tekken.json": tekken_json,
    "bpe.model": bpe_model,
    "bpe-rules.model": bpe_rules_model,
    "unigram.model": unigram_model,
    "unigram-bytes.model": unigram_bytes_model,
    "clip-merges.txt": clip_merges,
    "llama3.gguf": gguf_of("llama3"),
    "llama2-like.gguf": gguf_of("llama2-like"),
}


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE / "formats")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    for name, make in FILES.items():
        data = make()
        (options.out / name).write_bytes(data)
        print(f"{name}: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
