"""Byte-level BPE tokenizers, in the manner of published ones. Each function is a recipe."""

from __future__ import annotations

from common import DEEPSEEK, LLAMA3, O200K, QWEN, changed, special, split, train
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

_LANGUAGES = "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el"


def _byte_level(tokenizer: Tokenizer) -> Tokenizer:
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def _after(*patterns: str) -> pre_tokenizers.Sequence:
    parts = [split(pattern) for pattern in patterns]
    return pre_tokenizers.Sequence(
        [*parts, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )


def gpt2() -> Tokenizer:
    """GPT-2: ByteLevel with its built-in regular expression, no prefix space."""
    tokenizer = _byte_level(Tokenizer(models.BPE()))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return train(tokenizer, 1500, bytes_first=True, head=["<|endoftext|>"])


def gpt2_prefix_space() -> Tokenizer:
    """ByteLevel with add_prefix_space and trimmed offsets; white space runs as added tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=True)
    train(tokenizer, 700, "english", "code", bytes_first=True, head=["<|endoftext|>", "<|padding|>"])
    tokenizer.add_tokens([AddedToken(" " * count, normalized=True) for count in range(2, 9)])
    return tokenizer


def roberta() -> Tokenizer:
    """RoBERTa: RobertaProcessing for singles and pairs, a mask token that takes the space before it."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokens = ["<s>", "<pad>", "</s>", "<unk>", special("<mask>", lstrip=True)]
    train(tokenizer, 800, "english", "scripts", bytes_first=True, head=tokens)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return tokenizer


def llama3() -> Tokenizer:
    """Llama 3: digits in threes, ignore_merges, post-processor Sequence of ByteLevel and Template."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = _after(LLAMA3)
    tokenizer.decoder = decoders.ByteLevel()
    train(tokenizer, 1400, bytes_first=True)
    begin, end = "<|begin_of_text|>", "<|end_of_text|>"
    tokenizer.add_special_tokens([begin, end, "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"])
    template = processors.TemplateProcessing(
        single=f"{begin} $A",
        pair=f"{begin}:0 $A:0 {begin}:1 $B:1",
        special_tokens=[(begin, tokenizer.token_to_id(begin))],
    )
    tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), template])

    def whole_pieces(document: dict) -> None:  # entries that merges alone do not reach
        model = document["model"]
        model["ignore_merges"] = True
        dropped = {tuple(pair) for pair in model["merges"][-60::7]}
        model["merges"] = [pair for pair in model["merges"] if tuple(pair) not in dropped]

    return changed(tokenizer, whole_pieces)


def qwen() -> Tokenizer:
    """Qwen: NFC first, single digits, chat tokens."""
    tokenizer = _byte_level(Tokenizer(models.BPE()))
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = _after(QWEN)
    train(tokenizer, 1400, "english", "code", "cjk", bytes_first=True)
    tokenizer.add_special_tokens(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    tokenizer.add_tokens(
        [AddedToken(t, normalized=False) for t in ("<think>", "</think>", "<tool_call>", "</tool_call>")]
    )
    return tokenizer


def o200k() -> Tokenizer:
    """o200k: words split at case changes, contractions kept with the word."""
    tokenizer = _byte_level(Tokenizer(models.BPE()))
    tokenizer.pre_tokenizer = _after(O200K)
    train(tokenizer, 1200, bytes_first=True)
    tokenizer.add_special_tokens(["<|endoftext|>", "<|endofprompt|>"])
    return tokenizer


def deepseek() -> Tokenizer:
    """DeepSeek: three regular expressions one after the other, then ByteLevel."""
    tokenizer = _byte_level(Tokenizer(models.BPE()))
    tokenizer.pre_tokenizer = _after(*DEEPSEEK)
    train(tokenizer, 1200, bytes_first=True, head=["<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>"])
    return tokenizer


def whisper() -> Tokenizer:
    """Whisper: hundreds of added tokens (languages, tasks, time stamps) and a template of several."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    train(tokenizer, 600, "english", "scripts", bytes_first=True, head=["<|endoftext|>"])
    languages = [f"<|{code}|>" for code in _LANGUAGES.split()]
    tasks = ["<|startoftranscript|>", *languages, "<|translate|>", "<|transcribe|>", "<|notimestamps|>"]
    tokenizer.add_special_tokens(tasks)
    tokenizer.add_tokens([AddedToken(f"<|{step / 50:.2f}|>", normalized=False) for step in range(301)])
    head = ["<|startoftranscript|>", "<|en|>", "<|transcribe|>", "<|notimestamps|>"]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=" ".join([*head, "$A", "<|endoftext|>"]),
        pair=" ".join([*head, "$A", "$B", "<|endoftext|>"]),
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in [*head, "<|endoftext|>"]],
    )
    return tokenizer


def clip() -> Tokenizer:
    """CLIP: lower case, white space folded, Split inverted and removed, words end in </w>."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    pattern = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
    parts = [split(pattern, "removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(parts)
    tokenizer.decoder = decoders.ByteLevel()
    tokens = ["<|startoftext|>", "<|endoftext|>"]
    options = {"unk_token": tokens[1], "continuing_subword_prefix": "", "end_of_word_suffix": "</w>"}
    train(tokenizer, 1300, "english", "scripts", head=tokens, bytes_first=True, **options)
    tokenizer.post_processor = processors.RobertaProcessing(
        ("<|endoftext|>", 1), ("<|startoftext|>", 0), False, False
    )
    return tokenizer


def byte_level_normalizer() -> Tokenizer:
    """ByteLevel as a normalizer: the expression sees mapped bytes; added tokens are normalized, too."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.ByteLevel()])
    tokenizer.pre_tokenizer = split("Ġ?[^Ġ]+|Ġ+")
    tokenizer.decoder = decoders.ByteLevel()
    train(tokenizer, 600, "english", "cjk", bytes_first=True)
    tokenizer.add_tokens([AddedToken("größe", normalized=True), AddedToken("naïve", normalized=False)])
    return tokenizer
