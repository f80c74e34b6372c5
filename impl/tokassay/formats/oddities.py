"""What a tokenizer may say although it means nothing, or something else (clauses ``json.oddities``).

The same for every format: the oracle accepts all of it. `examine` refuses only what the oracle refuses
when it adds tokens.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Iterator

from ..core.added_tokens import AddedVocabulary
from ..core.description import Description, Unread
from ..core.description import Warning as Oddity
from ..core.models.vocabulary import oddities as vocabulary_oddities


def examine(description: Description, *, whole: bool = False) -> Description:
    """The description with every warning that it deserves; FormatError for added tokens that cannot be.

    `whole`: content that was not read while loading, too (`Unread`).
    """
    found = (
        *description.warnings,
        *_model(description, whole=whole),
        *AddedVocabulary.build(
            description.added_tokens,
            description.model,
            description.normalizer,
            as_stored=description.device is not None,
        ).warnings,
        *_truncation(description),
    )
    return replace(description, warnings=found)


def _model(description: Description, *, whole: bool) -> Iterator[Oddity]:
    model = description.model
    if isinstance(model, Unread):
        yield from model.prove() if whole else ()
        return
    yield from vocabulary_oddities(model.vocab, "model.vocab")
    pieces = getattr(model, "pieces", ())
    if len(pieces) > len(model.vocab):
        yield Oddity(
            "model.vocab", f"{len(pieces) - len(model.vocab)} pieces come again; the last one has the id"
        )
    unknown = getattr(model, "unk_token", None)
    if unknown is not None and model.token_to_id(unknown) is None:
        yield Oddity("model.unk_token", f"{unknown!r} is not in the vocabulary: unknown text is an error")


def _truncation(description: Description) -> Iterator[Oddity]:
    truncation = description.truncation
    if truncation is not None and truncation.stride >= truncation.max_length:
        yield Oddity("truncation.stride", "is not below max_length: encoding a longer text is an error")
