"""Adapters of Python packages: the core ones for real, the others on packages that only echo."""

from __future__ import annotations

import importlib.metadata
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tokassay import data, engines
from tokassay.checks.engine import CrashError, FaultError, RefusalError

OWN = data.root() / "golden" / "tokenizers"
TEXTS = ["", "Hello, wörld  1234", " a\0b\n\n\tc'll ", "你好 \U0001f600\u200d<|endoftext|>x"]


def own(name: str) -> str:
    return str(OWN / name / "tokenizer.json")


# -- tiktoken -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gpt2", "llama3", "o200k"])
def test_tiktoken_answers_as_the_reference(name: str):
    right, found = (engines.open(engine).load(own(name)) for engine in ("reference", "tiktoken"))
    for text in TEXTS:
        ids = list(right.encode(text, add_special_tokens=False).ids)
        assert list(found.encode(text).ids) == ids
        assert found.decode(ids) == right.decode(ids, skip_special_tokens=False)
        assert found.decode_bytes(ids) == text.encode()


def changed(folder: Path, **parts: Any) -> str:
    """gpt2 with other parts; a dotted name reaches into the model."""
    stored = json.loads(Path(own("gpt2")).read_text("utf-8"))
    for name, value in parts.items():
        *into, last = name.split("__")
        (stored[into[0]] if into else stored)[last] = value
    path = folder / "tokenizer.json"
    path.write_text(json.dumps(stored), "utf-8")
    return str(path)


LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
SPLIT = {"type": "Split", "pattern": {"Regex": "a+"}, "behavior": "Isolated", "invert": False}


def sequence(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "pretokenizers": list(steps)}


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"normalizer": {"type": "Lowercase"}}, "no normalizer"),
        ({"pre_tokenizer": None}, "one pattern before the bytes"),
        ({"pre_tokenizer": sequence(SPLIT, SPLIT, LEVEL)}, "Split, Split, ByteLevel"),
        ({"pre_tokenizer": sequence(LEVEL, SPLIT)}, "exactly one pattern"),
        ({"pre_tokenizer": LEVEL}, "exactly one pattern"),
        ({"pre_tokenizer": {**LEVEL, "add_prefix_space": True}}, "blank in front"),
        ({"pre_tokenizer": sequence({**SPLIT, "behavior": "MergedWithNext"}, LEVEL)}, "MergedWithNext"),
        ({"pre_tokenizer": sequence({**SPLIT, "invert": True}, LEVEL)}, "the file drops it"),
        ({"model__byte_fallback": True}, "byte_fallback"),
        ({"model__type": "Unigram"}, "byte-level BPE only"),
        ({"model__vocab": {"a": 0}, "model__merges": []}, "256 bytes"),
        ({"model__vocab": {"\u4f60": 0}, "model__merges": []}, "byte-level alphabet"),
    ],
)
def test_tiktoken_refuses_what_it_cannot_hold(parts: dict[str, Any], reason: str, tmp_path: Path):
    with pytest.raises(RefusalError, match=reason):
        engines.open("tiktoken").load(changed(tmp_path, **parts))


def test_tiktoken_refuses_a_token_that_strips_blanks(tmp_path: Path):
    token = {"id": 0, "content": "!", "lstrip": True, "rstrip": False, "single_word": False}
    with pytest.raises(RefusalError, match="lstrip"):
        engines.open("tiktoken").load(changed(tmp_path, added_tokens=[token]))


def test_tiktoken_ranks_follow_the_merges_and_not_the_ids(tmp_path: Path):
    stored = json.loads(Path(own("gpt2")).read_text("utf-8"))
    size = len(stored["model"]["vocab"])
    turned = {token: size - 1 - index for token, index in stored["model"]["vocab"].items()}
    path = changed(tmp_path, model__vocab=turned, added_tokens=[], post_processor=None)
    text = "the tokenizer, and another one"
    right, found = (engines.open(engine).load(path) for engine in ("reference", "tiktoken"))
    ids = list(right.encode(text, add_special_tokens=False).ids)
    assert list(found.encode(text).ids) == ids
    assert found.decode(ids) == text


# -- sentencepiece ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    import sentencepiece

    folder = tmp_path_factory.mktemp("spm")
    words = ["the tokenizer of the words", "another word and the other", "tokens are words"] * 20
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(words),
        model_prefix=str(folder / "t"),
        vocab_size=60,
        model_type="bpe",
        minloglevel=2,
    )
    return str(folder / "t.model")


def test_sentencepiece_tells_ids_pieces_and_vocabulary(model: str):
    session = engines.open("sentencepiece").load(model)
    found = session.encode("the words")
    assert [session.id_to_token(index) for index in found.ids] == list(found.tokens)
    assert session.decode(found.ids) == "the words"
    assert session.vocab_size() == 60
    assert session.id_to_token(60) is None


def test_sentencepiece_refuses_other_files():
    with pytest.raises(RefusalError, match=r"\.model files only"):
        engines.open("sentencepiece").load(own("gpt2"))


def test_a_file_that_is_no_model_is_a_refusal_too(tmp_path: Path):
    path = tmp_path / "t.model"
    path.write_bytes(b"\xff\xff")
    with pytest.raises(RefusalError):
        engines.open("sentencepiece").load(str(path))


# -- packages that only echo: every byte of a text is an id ----------------------------------------------


class PanicException(BaseException):
    pass


class Echo:
    """What all those packages have in common, under all the names they use."""

    ids_of = staticmethod(lambda text: list(text.encode()))

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    @classmethod
    def make(cls, *_: Any, **__: Any) -> Echo:
        return cls()

    from_json = from_file = from_tokenizers_file = from_sentencepiece_file = from_pretrained = make
    from_sentencepiece = make

    def encode(self, text: str, *_: Any, **__: Any) -> Any:
        if text == "panic":
            raise PanicException("index out of bounds")
        if text == "error":
            raise ValueError("no")
        return self.ids_of(text)

    encode_with_special = encode_ordinary = encode

    def tokenize(self, texts: list[str]) -> list[list[int]]:
        return [self.ids_of(text) for text in texts]

    def decode(self, ids: list[int], *_: Any, **__: Any) -> str:
        return bytes(ids).decode("utf-8", "replace")

    decode_with_special = decode_batch = detokenize = decode

    def decode_bytes(self, ids: list[int], *_: Any, **__: Any) -> bytes:
        return bytes(ids)

    def load(self, _: str) -> None:
        pass

    no_truncation = no_padding = update_options = lambda *_: None


class Encoding(Echo):
    """Answers an object with ids, as the Rust crates do."""

    ids_of = staticmethod(lambda text: SimpleNamespace(ids=list(text.encode())))


class Bytes(Echo):
    """Decodes to bytes."""

    def decode(self, ids: list[int], *_: Any, **__: Any) -> Any:
        return bytes(ids)


class Nothing(Encoding):
    """Decodes to None, as tokie does for invalid UTF-8."""

    def decode(self, ids: list[int], *_: Any, **__: Any) -> Any:
        del ids


class Compiled:
    """OpenVINO's two models in one."""

    def __call__(self, given: Any) -> dict[str, list[Any]]:
        if isinstance(given[0], str):
            return {"input_ids": [list(given[0].encode())]}
        return {"string_output": [bytes(given[0]).decode("utf-8", "replace")]}


def fake_modules() -> dict[str, Any]:
    core = SimpleNamespace(compile_model=lambda *_: Compiled())
    encodings = SimpleNamespace(decode_single_token_bytes=lambda index: bytes([index]), **members(Echo()))
    return {
        "gigatoken": SimpleNamespace(Tokenizer=Bytes),
        "tokie": SimpleNamespace(Tokenizer=Nothing),
        "kitoken": SimpleNamespace(Kitoken=Bytes),
        "fastokens": SimpleNamespace(Tokenizer=Encoding),
        "snaptokens": SimpleNamespace(Tokenizer=Encoding),
        "tuetoken": SimpleNamespace(AutoTokenizer=Echo),
        "splintr": Echo(),
        "quicktok": SimpleNamespace(import_tokenizer=lambda *_, **__: None, get_encoding=Echo.make),
        "morpheme": SimpleNamespace(Tokenizer=Encoding),
        "nanotoken": SimpleNamespace(Tokenizer=Echo),
        "budtiktok": SimpleNamespace(Tokenizer=Encoding),
        "pytorch_tokenizers": SimpleNamespace(CppHFTokenizer=Echo, CppSPTokenizer=Echo),
        "onnxruntime_extensions.pp_api": SimpleNamespace(Tokenizer=Echo),
        "openvino": SimpleNamespace(Core=lambda: core),
        "openvino_tokenizers": SimpleNamespace(convert_tokenizer=lambda *_, **__: (1, 2)),
        "transformers": SimpleNamespace(PreTrainedTokenizerFast=Echo, AutoTokenizer=Echo),
        "numpy": SimpleNamespace(array=lambda value, **_: value, int64=None),
        "bpe_openai": SimpleNamespace(get_encoding=lambda _: encodings),
    }


def members(echo: Echo) -> dict[str, Any]:
    return {name: getattr(echo, name) for name in ("encode_ordinary", "decode", "decode_bytes")}


ECHOED = [
    "gigatoken",
    "tokie",
    "kitoken",
    "fastokens",
    "snaptokens",
    "tuetoken",
    "splintr",
    "quicktok",
    "morpheme",
    "nanotoken",
    "budtiktok",
    "pytorch",
    "ortx",
    "openvino",
    "autotokenizer",
    "bpe-openai",
]


@pytest.fixture
def echoing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, module in fake_modules().items():
        monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.setitem(sys.modules, name.split(".")[0], sys.modules.get(name, ModuleType(name)))
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "1.2.3")


@pytest.fixture
def bytes_only(tmp_path: Path) -> str:
    """A vocabulary of bytes at their own numbers, as far as ASCII letters go."""
    path = tmp_path / "tokenizer.json"
    vocabulary = {chr(byte): byte for byte in range(0x41, 0x5B)}
    path.write_text(json.dumps({"model": {"vocab": vocabulary}, "added_tokens": []}), "utf-8")
    return str(path)


@pytest.mark.usefixtures("echoing")
@pytest.mark.parametrize("name", ECHOED)
def test_an_adapter_hands_texts_and_ids_on(name: str, bytes_only: str):
    engine = engines.open(name)
    assert (engine.info.name, engine.info.version) == (name, "1.2.3")
    session = engine.load(bytes_only)
    assert list(session.encode("ab").ids) == [97, 98]
    assert session.decode([97, 98]) == "ab"
    if "decode_bytes" in engine.info.capabilities:
        assert session.decode_bytes([0xFF]) == b"\xff"
    for capability, option in (
        ("add_special", "add_special_tokens"),
        ("skip_special", "skip_special_tokens"),
    ):
        if capability in engine.info.capabilities:
            method, given = (session.encode, "a") if capability == "add_special" else (session.decode, [97])
            assert method(given, **{option: True})


@pytest.mark.usefixtures("echoing")
def test_a_panic_is_a_crash_and_an_exception_an_error(bytes_only: str):
    session = engines.open("gigatoken").load(bytes_only)
    with pytest.raises(CrashError, match="panic: index out of bounds"):
        session.encode("panic")
    with pytest.raises(FaultError, match="ValueError: no"):
        session.encode("error")


@pytest.mark.usefixtures("echoing")
@pytest.mark.parametrize("name", ["gigatoken", "kitoken", "pytorch"])
def test_a_sentencepiece_model_goes_another_way(name: str, model: str):
    assert list(engines.open(name).load(model).encode("ab").ids) == [97, 98]


@pytest.mark.usefixtures("echoing")
def test_a_cpp_sentencepiece_decodes_nothing_but_nothing(model: str):
    session = engines.open("pytorch").load(model)
    assert session.decode([]) == ""
    with pytest.raises(FaultError, match="one id after the other"):
        session.decode([1])


@pytest.mark.usefixtures("echoing")
@pytest.mark.parametrize("name", ["ortx", "autotokenizer"])
def test_a_config_is_taken_from_the_address(name: str, bytes_only: str, tmp_path: Path):
    config = tmp_path / "other.json"
    config.write_text("{}", "utf-8")
    assert engines.open(f"{name}:{config}").load(bytes_only).encode("a").ids == [97]


@pytest.mark.usefixtures("echoing")
def test_a_vocabulary_that_is_not_built_in_is_refused(tmp_path: Path):
    path = tmp_path / "tokenizer.json"
    for vocabulary in ({"A": 66}, [["A", 0.0]]):
        path.write_text(json.dumps({"model": {"vocab": vocabulary}, "added_tokens": []}), "utf-8")
        with pytest.raises(RefusalError):
            engines.open("bpe-openai").load(str(path))


@pytest.mark.parametrize("name", ["tiktoken", "sentencepiece", "hf"])
def test_an_argument_means_nothing_to_them(name: str):
    with pytest.raises(engines.UnavailableError, match="takes no argument"):
        engines.open(f"{name}:x")
