"""Every loss is shown by itself: by a text, for a decoder by ids, or it is said how much was tried."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Dict, List, Tuple

import pytest

from tokassay import Tokenizer, data, formats
from tokassay.cli import main
from tokassay.cli.convert import told
from tokassay.formats.losing import PROBES, Loss
from tokassay.formats.partial import exchanged

OWN = {path.parent.name: path for path in (data.root() / "golden" / "tokenizers").glob("*/tokenizer.json")}
TARGETS = ("mtok", "tokenizer.txt", "vocab.bin", "tiktoken")
UNSEEN = {
    # Ten words of ASCII letters.
    ("added-tokens", "mtok"): ["normalizer.normalizers[0]"],
    # A single text is an error where only the second one may be cut.
    ("padded-to-longest", "mtok"): ["truncation"],
    # Words are cut at white space before, and every byte is a token.
    ("clip", "mtok"): ["normalizer.normalizers[1]", "model.unk_token"],
    # No added token cuts the text, and no token spans two words.
    ("unigram-ties", "mtok"): ["pre_tokenizer.prepend_scheme", "pre_tokenizer.split"],
    ("unigram-near-ties", "mtok"): ["pre_tokenizer.prepend_scheme"],
    # The letters of <unk> are unknown, too.
    ("unigram-ties", "tokenizer.txt"): ["model"],
    ("unigram-near-ties", "tokenizer.txt"): ["model"],
}


@cache
def lost(name: str, target: str) -> Tuple[Loss, ...]:
    return tuple(formats.losses(formats.read(OWN[name]), target))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", sorted(OWN))
def test_every_loss_has_an_example_or_a_count(name: str, target: str) -> None:
    tokenizer = Tokenizer.from_file(OWN[name])
    unseen: List[str] = []
    for loss in lost(name, target):
        if loss.text is None and loss.ids is None:
            unseen.append(loss.field)
            assert loss.tried > len(PROBES)
            continue
        assert loss.before != loss.after
        if loss.field.startswith("decoder"):
            ids = tokenizer.encode(loss.text).ids if loss.text is not None else loss.ids
            assert loss.before == tokenizer.decode(ids, skip_special_tokens=loss.ids is None)
        else:
            assert loss.before == tuple(tokenizer.encode(loss.text).ids)
    assert unseen == UNSEEN.get((name, target), [])


@pytest.mark.parametrize(
    ("name", "field", "count"), [("albert", "normalizer", 3), ("split-behaviors", "pre_tokenizer", 3)]
)
def test_losses_of_one_family_have_examples_of_their_own(name: str, field: str, count: int) -> None:
    description = formats.read(OWN[name])
    held, whole = formats.project(description, "mtok"), Tokenizer(description)
    found = [loss for loss in lost(name, "mtok") if loss.field.startswith(field)]
    assert len({loss.text for loss in found}) == len(found) == count
    for loss in found:
        alone = exchanged(description, held, [loss.field])
        assert alone is not None
        assert tuple(Tokenizer(alone).encode(loss.text).ids) == loss.after != loss.before
    assert [loss.before for loss in found] == [tuple(whole.encode(loss.text).ids) for loss in found]


def test_a_piece_that_no_text_can_be_is_reached_through_the_normalizer() -> None:
    losses: Dict[str, Loss] = {loss.field: loss for loss in lost("t5", "tokenizer.txt")}
    assert losses["model"].text == "\uff1c\uff50\uff41\uff44\uff1e"
    assert "decoder" not in losses  # every token has its mark in front, if any


def test_what_a_decoder_loses_may_take_ids_to_see() -> None:
    (_, loss) = lost("bpe-fuse-unknown", "mtok")
    assert (loss.field, loss.text, loss.ids, loss.before, loss.after) == (
        "decoder.decoders[0]", None, (0,), "?", "<unk>"
    )  # fmt: skip
    assert told(loss).endswith('; ids [0] gives "<unk>" instead of "?"')


def test_what_no_text_shows_is_told_with_the_number_of_texts() -> None:
    assert told(Loss("model", "is dropped", tried=5)) == "model: is dropped; none of 5 texts shows it"


def test_lossy_is_not_proposed_where_nothing_is_near(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", str(OWN["llama2-like"]), str(tmp_path / "tokenizer.txt")]) == 2
    assert main(["convert", str(OWN["llama2-like"]), str(tmp_path / "tokenizer.txt"), "--lossy"]) == 2
    shown = capsys.readouterr().err
    assert "no kind of tokenizer.txt holds BPE" in shown
    assert "--lossy" not in shown


def test_a_prefix_that_cannot_go_alone_is_shown_where_the_others_show_nothing() -> None:
    unknown, prefix = lost("bpe-continuing-prefix", "mtok")
    assert (unknown.after, prefix.before, prefix.after) == ((), (406, 27), (406, 407))


def test_other_parts_are_shown_where_there_is_nothing_near_the_model() -> None:
    model, *others = sorted(lost("word-level-lowercase", "mtok"), key=lambda loss: loss.field != "model")
    assert (model.field, model.after) == ("model", None)
    assert all(loss.after is not None for loss in others)
    assert len({loss.text for loss in others}) > 3
