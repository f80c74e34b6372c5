"""transformers' own prompt-lookup generator, for the rule ``hf``. It keeps nothing between drafts."""

from __future__ import annotations

from typing import Any, Callable, List, Mapping, Sequence

from tokassay.checks.engine import RefusalError

from ._packages import PackageEngine, integers, module, open_package, read_json

NAME = "transformers-lookup"
HELP = "transformers' PromptLookupCandidateGenerator (with torch); drafts only by its own rule"
DISTRIBUTIONS = ("transformers", "torch", "tokenizers")
NATIVE = True
IN_PROCESS = True
UNLIMITED = 1 << 30


def open_engine(argument: str) -> PackageEngine:
    """The installed packages. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded)


class Loaded:
    """Look-up, and what every engine does: ids and text by the oracle's library."""

    def __init__(self, path: str) -> None:
        read_json(path)
        self.inner = module("tokenizers").Tokenizer.from_file(path)

    def encode(self, text: str) -> List[int]:
        return integers(self.inner.encode(text, add_special_tokens=False).ids)

    def decode(self, ids: Sequence[int]) -> str:
        return str(self.inner.decode(list(ids), skip_special_tokens=False))

    def lookup(
        self, rule: str, options: Mapping[str, Any], calls: Sequence[Mapping[str, Any]]
    ) -> List[List[int]]:
        """Raises RefusalError for other rules, and for texts that are not the history."""
        if rule != "hf" or any(call.get("role") == "reference" for call in calls):
            raise RefusalError("the rule hf, without reference texts")
        ids: List[int] = []
        drafts: List[List[int]] = []
        for call in calls:
            if "draft" in call:
                drafts.append(_draft(ids, **options))
            else:
                ids = _CHANGES[next(name for name in _CHANGES if name in call)](ids, call)
        return drafts


_CHANGES: Mapping[str, Callable[[List[int], Mapping[str, Any]], List[int]]] = {
    "extend": lambda ids, call: ids + list(call["extend"]),
    "truncate": lambda ids, call: ids[: call["truncate"]],
    "reset": lambda _ids, _call: [],
}


def _draft(
    ids: Sequence[int],
    max_ngram: int,
    num_draft: int,
    *,
    eos: Sequence[int] = (),
    max_length: int = UNLIMITED,
    banned: Sequence[int] = (),
) -> List[int]:
    # It scores every id up to the largest: ids are renamed to small ones, or it would fill gigabytes.
    names = sorted({*ids, *eos, *banned}) or [0]
    small = {token: place for place, token in enumerate(names)}
    torch, transformers = module("torch"), module("transformers")
    processors = transformers.LogitsProcessorList()
    if banned:
        suppressed = [small[token] for token in banned]
        processors.append(transformers.SuppressTokensLogitsProcessor(suppressed, device="cpu"))
    generator = module("transformers.generation.candidate_generator").PromptLookupCandidateGenerator(
        eos_token_id=torch.tensor([small[token] for token in eos]) if eos else None,
        num_output_tokens=num_draft,
        max_matching_ngram_size=max_ngram,
        max_length=max_length,
        logits_processor=processors,
        vocab_size=len(names),
    )
    history = torch.tensor([[small[token] for token in ids]], dtype=torch.long)
    candidates, _ = generator.get_candidates(history)
    return [names[place] for place in candidates[0, len(ids) :].tolist()]
