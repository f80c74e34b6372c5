"""The adapters against each other: stages, limits, panics, addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokassay import data, engines
from tokassay.checks.engine import STAGE_NAMES, CrashError, FaultError, UnavailableError
from tokassay.checks.vector import read_vectors

OWN = {
    path.parent.name: str(path) for path in (data.root() / "golden" / "tokenizers").glob("*/tokenizer.json")
}
TEXTS = [
    "",
    "Hello, wörld  1234 <s> x</s>",
    "<|endoftext|>a <|endoftext|>  b [SEP] [UNK] 你好",
    " \u0130\ufb01 ｱ <mask> \U0001f600\u0301",
]


@pytest.mark.parametrize("name", sorted(OWN))
def test_both_engines_tell_the_same_stages(name: str):
    right, own = (engines.open(address).load(OWN[name]) for address in ("hf", "reference"))
    for text in TEXTS:
        a, b = right.stages(text), own.stages(text)
        for stage in STAGE_NAMES:
            assert list(getattr(a, stage)) == list(getattr(b, stage)), (text, stage)


@pytest.mark.parametrize("address", ["hf", "reference"])
def test_stored_limits_are_in_force_only_where_asked(address: str):
    session = engines.open(address).load(OWN["bert-truncated-padded"])
    whole, cut = session.encode("word " * 300), session.encode_limited("word " * 300)
    assert len(whole.ids) > 300 > len(cut.ids)
    short, long = session.encode_batch_limited(["a", "word " * 300])
    assert len(short.ids) == len(long.ids) == len(cut.ids)


@pytest.mark.parametrize("address", ["hf", "reference"])
def test_vocabulary_is_told(address: str):
    session = engines.open(address).load(OWN["gpt2"])
    size = session.vocab_size(with_added_tokens=True)
    assert size >= session.vocab_size(with_added_tokens=False) > 256
    assert session.id_to_token(size + 1000) is None


def test_a_panic_is_a_crash_and_keeps_quiet(capfd: pytest.CaptureFixture[str], tmp_path: Path):
    (panics,) = [v for v in read_vectors(data.root() / "golden" / "vectors" / "load") if "l10-" in v.id]
    file = tmp_path / "tokenizer.json"
    file.write_bytes(panics.inline or b"")
    with pytest.raises(CrashError, match="range end index"):
        engines.open("hf").load(str(file))
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("address", ["hf", "reference"])
def test_a_file_that_is_no_tokenizer_is_a_fault(address: str, tmp_path: Path):
    file = tmp_path / "tokenizer.json"
    file.write_text("{}", "utf-8")
    with pytest.raises(FaultError):
        engines.open(address).load(str(file))


@pytest.mark.parametrize("address", ["nonsense", "hf:x", "reference:x", "fake:nonsense", "fake:absent"])
def test_an_address_that_leads_nowhere_says_why(address: str):
    with pytest.raises(UnavailableError) as caught:
        engines.open(address)
    assert caught.value.reason


def test_every_adapter_explains_itself():
    assert {"reference", "hf", "fake"} <= set(engines.adapters())
    assert all(adapter.HELP for adapter in engines.adapters().values())


class _Broken:
    NAME, HELP = "broken", "an adapter that fails in its own way"

    @staticmethod
    def open_engine(argument: str):
        raise KeyError(argument)


def test_an_adapter_that_fails_to_open_is_unavailable(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(engines, "adapters", lambda: {"broken": _Broken})
    with pytest.raises(UnavailableError, match="broken: KeyError: 'here'"):
        engines.open("broken:here")
