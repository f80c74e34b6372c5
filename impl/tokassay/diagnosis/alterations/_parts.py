"""What several alterations share: steps of a sequence, and patterns rewritten."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Callable, ClassVar, Dict, Iterator, List, Mapping, Optional, Tuple

from tokassay.core.aligned import AlignedText
from tokassay.core.description import Description, Normalizer, PreTokenizer
from tokassay.core.matching import TextPattern
from tokassay.core.normalizers.sequence import Sequence as Normalizers
from tokassay.core.pretokenizers.byte_level import GPT2_PATTERN, ByteLevel
from tokassay.core.pretokenizers.sequence import Sequence as PreTokenizers
from tokassay.core.pretokenizers.split import Split

GPT2 = GPT2_PATTERN


@dataclass(frozen=True)
class Changing:
    """A normalizer of our own: a function on the text, after an inner normalizer if there is one."""

    TYPE: ClassVar[str] = "Changing"
    anchored: ClassVar[bool] = True
    change: Callable[[str], str]
    inner: Optional[Normalizer] = None

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def normalize(self, text: str) -> str:
        return self.change(self.inner.normalize(text) if self.inner else text)

    def align(self, text: AlignedText) -> AlignedText:
        """Good enough to find added tokens with: character by character, what is too much at the last one."""
        changed, spans = self.normalize(text.text), text.spans
        last = (text.origin[1], text.origin[1])
        return replace(
            text, text=changed, spans=[spans[i] if i < len(spans) else last for i in range(len(changed))]
        )


def first_then(change: Callable[[str], str], normalizer: Optional[Normalizer]) -> Normalizer:
    """`change` before a normalizer."""
    made: Any = Changing(change)
    return made if normalizer is None else Normalizers((made, normalizer))


def afterwards(change: Callable[[str], str], normalizer: Optional[Normalizer]) -> Normalizer:
    """`change` after a normalizer."""
    made: Any = Changing(change, normalizer)
    return made  # type: ignore[no-any-return]


def normalizers(description: Description) -> Tuple[Normalizer, ...]:
    """The steps, one level deep."""
    found = description.normalizer
    return found.normalizers if isinstance(found, Normalizers) else (found,) if found else ()


def with_normalizers(description: Description, steps: Tuple[Any, ...]) -> Description:
    return replace(description, normalizer=Normalizers(steps) if steps else None)


def splitters(description: Description) -> Tuple[PreTokenizer, ...]:
    """The steps, one level deep."""
    found = description.pre_tokenizer
    return found.pretokenizers if isinstance(found, PreTokenizers) else (found,) if found else ()


def with_splitters(description: Description, steps: Tuple[Any, ...]) -> Description:
    return replace(description, pre_tokenizer=PreTokenizers(steps) if steps else None)


def each_replaced(
    steps: Tuple[Any, ...], change: Callable[[Any], Iterator[Any]]
) -> Iterator[Tuple[Any, ...]]:
    """The steps with one of them replaced by what `change` makes of it, in every way."""
    for place, step in enumerate(steps):
        for other in change(step):
            yield (*steps[:place], other, *steps[place + 1 :])


def with_patterns(description: Description, rewrite: Callable[[str], str]) -> Optional[Description]:
    """The description with every pattern rewritten, ByteLevel's own included; None where nothing changes."""
    steps: List[Any] = []
    for step in splitters(description):
        if isinstance(step, Split) and step.pattern.kind == "Regex":
            steps.append(replace(step, pattern=TextPattern("Regex", rewrite(step.pattern.source))))
        elif isinstance(step, ByteLevel) and step.use_regex and rewrite(GPT2) != GPT2:
            steps += _spelled_out(step, rewrite(GPT2))
        else:
            steps.append(step)
    return None if tuple(steps) == splitters(description) else with_splitters(description, tuple(steps))


def _spelled_out(step: ByteLevel, pattern: str) -> List[Any]:
    """ByteLevel with another pattern; where it puts a space in front, that comes first."""
    split = Split(TextPattern("Regex", pattern), "Isolated", invert=False)
    spelling = replace(step, use_regex=False, add_prefix_space=False)
    return [split, spelling] if not step.add_prefix_space else [step]


def rewritten(items: Mapping[str, Tuple[str, str]]) -> Callable[[str], str]:
    r"""A function on patterns: item → what stands for it outside and inside of brackets.

    Items are escapes (``\s``, ``\p{L}``).
    """

    def rewrite(source: str) -> str:
        out, depth, at = [], 0, 0
        while at < len(source):
            item = _item(source, at)
            if item in items:
                out.append(items[item][depth > 0])
            else:
                out.append(item)
            depth += (item == "[") - (item == "]" and depth > 0)
            at += len(item)
        return "".join(out)

    return rewrite


def _item(source: str, at: int) -> str:
    """The next escape or character."""
    if source[at] != "\\":
        return source[at]
    if source[at + 1 : at + 3] in ("p{", "P{", "x{"):
        return source[at : source.index("}", at) + 1]
    return source[at : at + 2]
