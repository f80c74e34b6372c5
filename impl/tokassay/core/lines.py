r"""Which tokenizers encode a text line by line? (clause ``fast.lines``)

A border is proven when the ids of a text are the ids of its two sides, one after the other. Two
kinds are tried. `BEHIND`: behind a run of line ends, where no further line end follows before the
next non-space character, and the next character is no slash (the o200k pattern lets punctuation
run on through line ends and slashes). `BEFORE`: before ``\n`` where no space stands before it.
White space is Python's here, which is more than any of the oracle's classes, so a border found is
one under each of them.

A stage is *local* when what it does on one side does not depend on the other side; it may leave a
piece that spans the border. It *cuts* when it is local and no piece spans the border. Local stages
up to one that cuts make the border exact, whatever follows: later stages see pieces only. Stages
that are not named here have no proof, and then there are no lines.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Callable, Iterable, List, Optional, Pattern, Tuple

from .pretokenizers.byte_level import GPT2_PATTERN

if TYPE_CHECKING:
    from .added_tokens import AddedVocabulary
    from .description import Description, Normalizer, PreTokenizer, Segmenter

# Up to four lines at once: calls per line cost as much as what they find.
BEHIND = re.compile(
    r"(?:[^\r\n]*[\r\n](?:\s*[\r\n])?(?:/[^\r\n]*[\r\n](?:\s*[\r\n])?)*(?:/[^\r\n]*)?){1,4}|[^\r\n]+"
)
BEFORE = re.compile(r"\n*[^\n]*(?:(?<=\s)\n+[^\n]*)*")

# No white space in any match, no look-around: a match neither spans a border nor looks over it.
_WORDS = re.compile(
    r"""(?x: \(\?i:'s\|'t\|'re\|'ve\|'m\|'ll\|'d\) | '(?:s|t|re|ve|m|ll|d)
      | \\p\{[LN]\}(?:\+|\{1,[0-9]\})? | \[[^\s\[\]\\^]+\]\+?
      | \[!"\#\$%&'\(\)\*\+,\\-\./:;<=>\?@\\\[\\\\\\\]\^_`\{\|\}~\]\[A-Za-z\]\+ )"""
)
# Letters, perhaps behind one other character that is no line end.
_LETTERS = re.compile(
    r"\[\^(?:\\r\\n|\r\n)\\p\{L\}(?:\\p\{[NPS]\})+\]\?(?:(?:\\p\{L\}|\[(?:\\p\{(?:L[a-z]?|M)\})+\])[+*])+"
    r"(?:\(\?i:'s\|'t\|'re\|'ve\|'m\|'ll\|'d\)\?)?"
)
# Punctuation, perhaps behind a blank, that takes line ends (and slashes) along.
_PUNCTUATION = re.compile(r" \?(?:\[\^\\s\\p\{L\}\\p\{N\}\]|\[\\p\{P\}\\p\{S\}\])\+\[(?:\\r\\n|\r\n)/?\]\*")
_LINE_ENDS = re.compile(r"\\s\*\[(?:\\r\\n|\r\n)\]\+")
_SPACES = re.compile(r"\\s\+(?:\(\?!\\S\))?")
# A word behind an optional blank: white space begins a match or fills it.
_BLANK_WORDS = re.compile(r" \?(?:\\p\{[LN]\}|\[\^\\s\\p\{L\}\\p\{N\}\])\+")

_LOCAL_NORMALIZERS = ("NFC", "NFD", "Lowercase", "StripAccents")
_SPACE_CUTTERS = ("WhitespaceSplit", "Whitespace", "BertPreTokenizer")


def independent_lines(
    description: Description, stages: Iterable[PreTokenizer], added: AddedVocabulary, model: Segmenter
) -> Optional[Pattern[str]]:
    """The pattern whose matches are the lines, or None without proof."""
    stages = list(stages)
    for kind in (BEHIND, BEFORE):
        if (
            _normalizer_is_local(description.normalizer, stages)
            and _added_tokens_are_local(added, kind)
            and (_is_cut(stages, kind) or (kind is BEHIND and _model_cuts(stages, model)))
        ):
            return kind
    return None


def _normalizer_is_local(normalizer: Optional[Normalizer], stages: List[PreTokenizer]) -> bool:
    """Character by character, or canonical forms: a line end neither composes nor is reordered.

    No normalizer here makes or takes away white space, but Bert's, which turns some into blanks:
    that is well where white space is thrown away next.
    """
    if normalizer is None or normalizer.TYPE in _LOCAL_NORMALIZERS:
        return True
    if normalizer.TYPE == "Sequence":
        return all(_normalizer_is_local(part, stages) for part in normalizer.normalizers)  # type: ignore[attr-defined]
    if normalizer.TYPE == "Replace":
        pattern, content = normalizer.pattern, normalizer.content  # type: ignore[attr-defined]
        return (
            pattern.kind == "String"
            and pattern.source == " "
            and len(content) == 1
            and content not in "\r\n/"
        )
    return normalizer.TYPE == "BertNormalizer" and bool(stages) and stages[0].TYPE in _SPACE_CUTTERS


def _added_tokens_are_local(added: AddedVocabulary, kind: Pattern[str]) -> bool:
    """No token spans a border or takes white space along beyond one."""
    spans = re.compile(r"[\r\n][^\r\n]" if kind is BEHIND else r"[^\n]\n").search
    texts = [*added.token_ids, *added.spelled.values()]
    greedy = any(token.lstrip or token.rstrip for token in added.tokens.values())
    return not greedy and all(texts) and not any(map(spans, texts))


def _is_cut(stages: List[PreTokenizer], kind: Pattern[str]) -> bool:
    for stage in stages:
        local, cuts = _locality(stage, kind)
        if cuts or not local:
            return cuts
    return False


def _model_cuts(stages: List[PreTokenizer], model: Segmenter) -> bool:
    """Nothing cuts before the model, which then joins nothing across a line end itself."""
    cut_behind: Optional[Callable[[str], bool]] = getattr(model, "is_cut_behind", None)
    local = all(_locality(stage, BEHIND)[0] for stage in stages)
    return local and cut_behind is not None and cut_behind("\r\n")


def _locality(stage: PreTokenizer, kind: Pattern[str]) -> Tuple[bool, bool]:
    """(local, cuts)."""
    if stage.TYPE in _SPACE_CUTTERS:
        return True, True
    if stage.TYPE == "ByteLevel" and not stage.add_prefix_space:  # type: ignore[attr-defined]
        return _of_pattern(GPT2_PATTERN, kind) if stage.use_regex else (True, False)  # type: ignore[attr-defined]
    if stage.TYPE == "Split":
        pattern, behaviour, invert = stage.pattern, stage.behavior, stage.invert  # type: ignore[attr-defined]
        if pattern.kind == "String":
            # A blank is no line end, and what it is merged with stands on its own side.
            return pattern.source == " " and behaviour in ("Isolated", "MergedWithPrevious"), False
        if behaviour == "Isolated" or (behaviour == "Removed" and invert and pattern.compiled.gapless):
            return _of_pattern(pattern.source, kind)
    return False, False


def _of_pattern(source: str, kind: Pattern[str]) -> Tuple[bool, bool]:
    """(local, cuts) of a pattern whose matches are isolated, from the alternatives that it has."""
    parts = _alternatives(source)
    if all(map(_WORDS.fullmatch, parts)):
        return True, False
    if kind is BEFORE:
        known = all(
            _WORDS.fullmatch(part) or _BLANK_WORDS.fullmatch(part) or _SPACES.fullmatch(part)
            for part in parts
        )
        return known, known and "\\s+" in parts
    forms = (_WORDS, _LETTERS, _PUNCTUATION, _LINE_ENDS, _SPACES)
    known = all(any(form.fullmatch(part) for form in forms) for part in parts)
    # A space run with a line end is cut at its last one, if that alternative comes before plain spaces.
    ends = [i for i, part in enumerate(parts) if _LINE_ENDS.fullmatch(part)]
    spaces = [i for i, part in enumerate(parts) if _SPACES.fullmatch(part)]
    sound = known and bool(ends) and bool(spaces) and ends[0] < min(spaces)
    return sound, sound


def _alternatives(source: str) -> List[str]:
    """The pattern at its top-level bars."""
    parts, depth, in_class, start = [], 0, False, 0
    skip = False
    for i, character in enumerate(source):
        if skip:
            skip = False
        elif character == "\\":
            skip = True
        elif in_class:
            in_class = character != "]"
        elif character == "[":
            in_class = True
        elif character in "()":
            depth += 1 if character == "(" else -1
        elif character == "|" and not depth:
            parts.append(source[start:i])
            start = i + 1
    return [*parts, source[start:]]
