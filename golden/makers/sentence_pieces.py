"""Tokenizers in the manner of SentencePiece: Unigram, byte fallback, Metaspace. Each function is a recipe."""

from __future__ import annotations

from charsmap import charsmap
from common import changed, corpus, special, vocabulary, words
from learning import count_words, learn_pieces
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

_BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def _unigram(normalizer: object, pre_tokenizer: object, head: list[str], size: int, *names: str) -> Tokenizer:
    """A Unigram model whose pieces are counted on the corpus as the pipeline cuts it."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, pre_tokenizer
    vocab = learn_pieces(count_words(tokenizer, [line.rstrip("\n") for line in corpus(*names)]), size)
    tokenizer.model = models.Unigram([*((token, 0.0) for token in head), *vocab], unk_id=head.index("<unk>"))
    return tokenizer


def _template(tokenizer: Tokenizer, single: str, pair: str) -> None:
    names = sorted({part.split(":")[0] for part in f"{single} {pair}".split() if not part.startswith("$")})
    ids = [(name, tokenizer.token_to_id(name)) for name in names]
    tokenizer.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=ids)


def t5() -> Tokenizer:
    """T5: Precompiled map, WhitespaceSplit then Metaspace, </s> at the end, sentinel tokens."""
    parts = [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always", split=True)]
    normalizer, cuts = normalizers.Precompiled(charsmap()), pre_tokenizers.Sequence(parts)
    tokenizer = _unigram(normalizer, cuts, ["<pad>", "</s>", "<unk>"], 1200, "english", "scripts", "cjk")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    tokenizer.add_special_tokens(["<pad>", "</s>", "<unk>"])
    tokenizer.add_special_tokens(
        [special(f"<extra_id_{i}>", lstrip=i < 5, rstrip=i >= 5) for i in range(9, -1, -1)]
    )
    _template(tokenizer, "$A </s>", "$A </s> $B </s>")
    return tokenizer


def xlm_roberta() -> Tokenizer:
    """XLM-RoBERTa: Precompiled then space folding, Metaspace, pairs with </s> </s>, a mask with lstrip."""
    steps = [normalizers.Precompiled(charsmap()), normalizers.Replace(Regex(" {2,}"), " ")]
    head = ["<s>", "<pad>", "</s>", "<unk>"]
    cuts = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer = _unigram(normalizers.Sequence(steps), cuts, head, 1500)
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    tokenizer.add_special_tokens([*head, special("<mask>", lstrip=True)])
    _template(tokenizer, "<s> $A </s>", "<s> $A </s> </s> $B </s>")
    return tokenizer


def albert() -> Tokenizer:
    """ALBERT: quotes replaced, NFKD, no accents, lower case, Metaspace, [CLS] and [SEP] with type ids."""
    steps = [
        normalizers.Replace("``", '"'),
        normalizers.Replace("''", '"'),
        normalizers.NFKD(),
        normalizers.StripAccents(),
        normalizers.Lowercase(),
        normalizers.Replace(Regex(" {2,}"), " "),
    ]
    head = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"]
    cuts = pre_tokenizers.Metaspace(prepend_scheme="first")
    tokenizer = _unigram(normalizers.Sequence(steps), cuts, head, 900, "english", "scripts")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="first")
    tokenizer.add_special_tokens([*head[:4], special("[MASK]", lstrip=True)])
    _template(tokenizer, "[CLS]:0 $A:0 [SEP]:0", "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1")
    return tokenizer


def unigram_byte_fallback() -> Tokenizer:
    """Unigram with byte fallback: Nmt then NFKC, Metaspace never prepended and not split."""
    steps = [normalizers.Nmt(), normalizers.NFKC()]
    cuts = pre_tokenizers.Metaspace(prepend_scheme="never", split=False)
    tokenizer = _unigram(
        normalizers.Sequence(steps), cuts, ["<unk>", "<s>", "</s>", *_BYTES], 700, "english", "cjk"
    )

    def fall_back(document: dict) -> None:
        document["model"]["byte_fallback"] = True

    tokenizer = changed(tokenizer, fall_back)
    parts = [decoders.ByteFallback(), decoders.Metaspace(prepend_scheme="never"), decoders.Fuse()]
    tokenizer.decoder = decoders.Sequence(parts)
    tokenizer.add_special_tokens(["<unk>", "<s>", "</s>"])
    return tokenizer


def _fall_back(tokenizer: Tokenizer, size: int, head: list[str], specials: int, *names: str) -> None:
    tokens, merges = vocabulary(tokenizer, size, *names, head=head)
    options = {"unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True}
    tokenizer.model = models.BPE(words(*tokens), merges, **options)
    tokenizer.add_special_tokens(head[:specials])


def llama2_like() -> Tokenizer:
    """Llama 2: no pre-tokenizer at all, byte fallback, spaces as U+2581, merges in the older text form."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="never")  # while training only
    head = ["<unk>", "<s>", "</s>", *_BYTES]
    _fall_back(tokenizer, 1300, head, 3, "english", "code", "scripts")
    tokenizer.pre_tokenizer = None
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    _template(tokenizer, "<s> $A", "<s> $A <s>:1 $B:1")
    return tokenizer


def gemma() -> Tokenizer:
    """Gemma: spaces merged with the word before them, byte fallback, runs of spaces as added tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    head = ["<pad>", "<eos>", "<bos>", "<unk>", *_BYTES]
    _fall_back(tokenizer, 1500, head, 4, "english", "cjk", "scripts")
    runs = (
        ["\n" * count for count in range(1, 5)]
        + ["▁" * count for count in range(2, 7)]
        + ["\t", "<b>", "</b>"]
    )
    tokenizer.add_tokens([AddedToken(run, normalized=False) for run in runs])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    _template(tokenizer, "<bos> $A", "<bos> $A <bos>:1 $B:1")
    return tokenizer
