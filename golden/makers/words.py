"""Tokenizers over words: WordPiece, WordLevel, and BPE on characters. Each function is a recipe."""

from __future__ import annotations

from common import corpus, special, split, train, vocabulary, word_level, words
from learning import count_words
from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
)

_BERT_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def _bert(normalizer: normalizers.BertNormalizer, size: int, *names: str) -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece())
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(prefix="##", cleanup=True)
    tokens, _ = vocabulary(tokenizer, size, *names, head=_BERT_TOKENS, prefix="##")
    tokenizer.model = models.WordPiece(words(*tokens), unk_token="[UNK]", max_input_chars_per_word=100)
    tokenizer.add_special_tokens(_BERT_TOKENS)
    return tokenizer


def _bert_template() -> processors.TemplateProcessing:
    return processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )


def bert_uncased() -> Tokenizer:
    """BERT uncased: clean, lower case, accents stripped because of it; TemplateProcessing with type ids."""
    tokenizer = _bert(normalizers.BertNormalizer(lowercase=True), 1200)
    tokenizer.post_processor = _bert_template()
    return tokenizer


def bert_cased() -> Tokenizer:
    """BERT cased: accents kept; the BertProcessing post-processor."""
    tokenizer = _bert(normalizers.BertNormalizer(lowercase=False), 1200, "english", "scripts")
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer


def bert_chinese() -> Tokenizer:
    """BERT Chinese: characters set apart, accents stripped without lower-casing, control characters kept."""
    options = {"clean_text": False, "handle_chinese_chars": True, "strip_accents": True, "lowercase": False}
    tokenizer = _bert(normalizers.BertNormalizer(**options), 1000, "cjk", "english")
    tokenizer.post_processor = _bert_template()
    return tokenizer


def bert_truncated_padded() -> Tokenizer:
    """Truncation with stride and padding to a fixed length stored in the file, both from the left."""
    tokenizer = _bert(normalizers.BertNormalizer(lowercase=True), 500, "english")
    tokenizer.post_processor = _bert_template()
    tokenizer.enable_truncation(12, stride=3, strategy="longest_first", direction="left")
    tokenizer.enable_padding(direction="left", pad_id=0, pad_type_id=1, pad_token="[PAD]", length=16)
    return tokenizer


def padded_to_longest() -> Tokenizer:
    """Padding to the longest of the batch and a multiple of 8; only the second text is truncated."""
    tokenizer = word_level("[PAD]", *["a", "b", "c", "d", "e", "f"])
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.enable_padding(pad_id=1, pad_token="[PAD]", pad_to_multiple_of=8)
    tokenizer.enable_truncation(10, strategy="only_second")
    return tokenizer


def wordpiece_short_words() -> Tokenizer:
    """WordPiece with another prefix and words of at most ten characters; decoder without clean-up."""
    tokenizer = Tokenizer(models.WordPiece())
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Strip(left=True, right=True), normalizers.NFKC()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokens, _ = vocabulary(tokenizer, 600, "english", "scripts", head=["<unk>"], prefix="~")
    options = {"unk_token": "<unk>", "max_input_chars_per_word": 10, "continuing_subword_prefix": "~"}
    tokenizer.model = models.WordPiece(words(*tokens), **options)
    tokenizer.decoder = decoders.WordPiece(prefix="~", cleanup=False)
    return tokenizer


def word_level_lowercase() -> Tokenizer:
    """WordLevel after NFD, accents stripped, lower case; Whitespace, punctuation kept, single digits."""
    tokenizer = Tokenizer(models.WordLevel())
    steps = [normalizers.NFD(), normalizers.StripAccents(), normalizers.Lowercase()]
    tokenizer.normalizer = normalizers.Sequence(steps)
    cuts = [
        pre_tokenizers.Whitespace(),
        pre_tokenizers.Punctuation(),
        pre_tokenizers.Digits(individual_digits=True),
    ]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(cuts)
    counts = count_words(tokenizer, corpus())
    frequent = sorted(counts, key=lambda word: (-counts[word], word))[:900]
    tokenizer.model = models.WordLevel(words("[UNK]", *frequent), "[UNK]")
    tokenizer.add_special_tokens(["[UNK]"])
    return tokenizer


def ctc() -> Tokenizer:
    """CTC: characters as words, `|` for the space, repeated tokens folded when decoding."""
    letters = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "'", "|"]
    tokenizer = Tokenizer(models.WordLevel(words("<pad>", "<s>", "</s>", "<unk>", *letters), "<unk>"))
    tokenizer.normalizer = normalizers.Replace(" ", "|")
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.CTC(pad_token="<pad>", word_delimiter_token="|", cleanup=True)
    tokenizer.add_special_tokens(["<pad>", "<s>", "</s>", "<unk>"])
    return tokenizer


def fixed_length() -> Tokenizer:
    """FixedLength: three letters of a genome are one word."""
    triples = [a + b + c for a in "ACGT" for b in "ACGT" for c in "ACGT"]
    tokenizer = word_level(*triples, *"ACGT")
    tokenizer.pre_tokenizer = pre_tokenizers.FixedLength(length=3)
    tokenizer.decoder = decoders.Fuse()
    return tokenizer


def char_delimiter() -> Tokenizer:
    """CharDelimiterSplit at `;` (removed), then Digits in runs."""
    tokenizer = word_level(*["red", "green", "blue", "1", "12", "123", "left", "right"])
    cuts = [pre_tokenizers.CharDelimiterSplit(";"), pre_tokenizers.Digits(individual_digits=False)]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(cuts)
    return tokenizer


def unicode_scripts() -> Tokenizer:
    """UnicodeScripts: a cut wherever the script changes; BPE on characters, unknown ones kept apart."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.UnicodeScripts()
    return train(tokenizer, 900, "scripts", "cjk", "symbols", head=["<unk>"], letters=250, unk_token="<unk>")


def bpe_fuse_unknown() -> Tokenizer:
    """BPE on characters with few letters: runs of unknown characters become one token."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.decoder = decoders.Sequence([decoders.Replace(Regex("<(unk)>"), "?"), decoders.Fuse()])
    options = {"unk_token": "<unk>", "fuse_unk": True, "dropout": 0.0}
    return train(tokenizer, 400, "english", head=["<unk>"], letters=40, **options)


def bpe_continuing_prefix() -> Tokenizer:
    """BPE with a prefix on continuing pieces, decoded like WordPiece."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(prefix="##", cleanup=False)
    options = {"unk_token": "[UNK]", "continuing_subword_prefix": "##"}
    return train(tokenizer, 600, "english", "scripts", head=["[UNK]"], **options)


def bpe_word_suffix() -> Tokenizer:
    """The first GPT: lower-case words that end in </w>, decoded by BPEDecoder."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.BPEDecoder(suffix="</w>")
    options = {"unk_token": "<unk>", "end_of_word_suffix": "</w>"}
    return train(tokenizer, 700, "english", "code", head=["<unk>"], **options)


def split_behaviors() -> Tokenizer:
    """Split by string and by expression: with the one before or after, in runs, inverted, removed."""
    letters = sorted({letter for line in corpus("english", "code") for letter in line})
    tokenizer = Tokenizer(
        models.BPE(vocab=words("<unk>", *letters), merges=[], unk_token="<unk>", fuse_unk=True)
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            split(r"[,;]", "merged_with_previous"),
            split(r"[(\[]", "merged_with_next"),
            split(r"[0-9]", "contiguous"),
            split(r"[a-z]+|[A-Z]+|[^A-Za-z ]+| +", "isolated", invert=True),
            pre_tokenizers.Split("  ", "removed"),
            pre_tokenizers.Punctuation(behavior="merged_with_previous"),
        ]
    )
    tokenizer.decoder = decoders.Sequence([decoders.Strip("_", 1, 2), decoders.Fuse()])
    return tokenizer


def added_tokens() -> Tokenizer:
    """Overlapping added tokens with every flag, over a normalizer that lower-cases and strips."""
    tokenizer = word_level(*["the", "quick", "brown", "fox", "tok", "token", "tokens", "a", "b"])
    steps = [normalizers.NFKD(), normalizers.Lowercase(), normalizers.Strip(left=False, right=True)]
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.add_special_tokens(
        [
            special("<s>"),
            special("</s>", rstrip=True),
            special("<mask>", lstrip=True),
            special("<sep>", lstrip=True, rstrip=True),
        ]
    )
    tokenizer.add_tokens(
        [
            AddedToken("TOK", normalized=True),
            AddedToken("TOKEN", normalized=True, single_word=True),
            AddedToken("tokenizer", normalized=False),
            AddedToken("izer", normalized=False, single_word=True),
            AddedToken("Ⅳ", normalized=True),
            AddedToken("<s><s>", normalized=False),
            AddedToken("fox", normalized=False, lstrip=True),
            AddedToken("@user", normalized=False, rstrip=True, single_word=True),
            AddedToken("  ", normalized=False),
        ]
    )
    return tokenizer
