"""Recorded answers as an engine: it answers what was recorded, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Dict, Iterable, List, Mapping, Sequence, Tuple, Union, cast

from tokassay.checks.engine import AbsentError, Answer, Encoded, EngineInfo, FaultError, Session

from .answers import Recorded
from .questions import Question

Key = Union[bytes, Tuple[Tuple[int, ...], bool]]
CLAIMS: Mapping[str, Tuple[str, ...]] = {
    "encode": ("encode", "encode_bytes"),
    "decode": ("decode", "skip_special"),
}


@dataclass(frozen=True)
class RecordedEngine:
    """The answers by question. The tokenizer is the one that they were given with, whatever is loaded."""

    recorded: ClassVar[bool] = True  # a diagnosis has to know
    info: EngineInfo
    answers: Mapping[Key, Sequence[Recorded]] = field(repr=False)

    @classmethod
    def of(
        cls, info: Tuple[str, str], suites: Iterable[str], pairs: Iterable[Tuple[Question, Recorded]]
    ) -> RecordedEngine:
        """`info`: name and version; `suites`: what was asked, answered or not."""
        claims = frozenset(claim for suite in suites for claim in CLAIMS[suite])
        answers: Dict[Key, List[Recorded]] = {}
        for question, answer in pairs:
            key: Key = question.data if question.data is not None else (question.ids, question.skip)
            answers.setdefault(key, []).append(answer)
        return cls(EngineInfo(*info, claims), answers)

    def load(self, path: str) -> Session:
        return cast("Session", RecordedSession(self.info, path, self.answers))


@dataclass(frozen=True)
class RecordedSession:
    """See `RecordedEngine`. What was not recorded is an `AbsentError`."""

    info: EngineInfo
    path: str
    answers: Mapping[Key, Sequence[Recorded]] = field(repr=False)

    def encode(self, text: str) -> Encoded:
        return self.encode_bytes(text.encode("utf-8", "surrogatepass"))

    def encode_bytes(self, data: bytes) -> Encoded:
        answer = self._answer(data)
        if answer.ids is None:
            raise AbsentError(f"line {answer.line} holds no ids")
        return Answer(answer.ids)

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> str:
        answer = self._answer((tuple(ids), skip_special_tokens))
        if answer.decoded is None:
            raise AbsentError(f"line {answer.line} holds no decoded text")
        return answer.decoded

    def _answer(self, key: Key) -> Recorded:
        """Raises the failure that was recorded, and FaultError where the same question has two answers."""
        found = self.answers.get(key)
        if not found:
            raise AbsentError("no answer was recorded")
        first = found[0]
        for other in found[1:]:
            if (other.ids, other.decoded) != (first.ids, first.decoded):
                raise FaultError(
                    f"the answers in lines {first.line} and {other.line} differ, the texts do not"
                )
        if first.failure is not None:
            raise first.failure
        return first
