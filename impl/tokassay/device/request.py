"""What a controller asks a board to run."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Mapping, Optional, Tuple

from tokassay.core.fields import Fields

SAMPLES, MINIMUM_SECONDS, MAXIMUM_SECONDS = 1024, 1.0, 60.0
COLD_SAMPLES = 5
CASE_SECONDS = 30.0


@dataclass(frozen=True)
class Timing:
    """How latency is measured.

    Attributes:
        samples: of each series, at least.
        seconds: of each series, at least.
        most_seconds: after this a series ends with fewer samples, and says so.
        warmup: calls before the first sample.
        cold: samples of each cold start, every one in a process of its own.
    """

    samples: int = SAMPLES
    seconds: float = MINIMUM_SECONDS
    most_seconds: float = MAXIMUM_SECONDS
    warmup: int = 32
    cold: int = COLD_SAMPLES


@dataclass(frozen=True)
class Request:
    """One run. Empty tuples mean everything that the bundle holds.

    Attributes:
        run: name of the run, a file name.
        nonce: of the controller; it comes back in the outcome and in the signed statement.
        created: UTC in ISO 8601, by the controller's clock.
        bundle: sha256 of the bundle.
        engines: addresses as `tokassay run --engine` takes them; files are named as in `files`.
        tokenizers: names.
        suites: names.
        levels: of vectors.
        vectors: globs on vector ids.
        timed: names of tokenizers whose latency is measured; of the others it is not.
        cold_starts: those of them whose cold starts are measured, each in many processes of its own.
        files: file name → sha256, beside which the engines start.
        emulated: why the runner's configuration says that the processor is emulated, "" where it is real.
        timing: None for a run without samples.
        seconds: for one case of an engine in a process of its own; past it the case is a timeout.
        tokassay: version of the controller.
    """

    run: str
    nonce: str
    created: str
    bundle: str
    tokassay: str
    engines: Tuple[str, ...] = ("reference",)
    tokenizers: Tuple[str, ...] = ()
    suites: Tuple[str, ...] = ()
    levels: Tuple[str, ...] = ()
    vectors: Tuple[str, ...] = ()
    timed: Tuple[str, ...] = ()
    cold_starts: Tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    emulated: str = ""
    timing: Optional[Timing] = field(default_factory=Timing)
    seconds: float = CASE_SECONDS

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Request:
        """From its JSON object. Raises FormatError."""
        fields = Fields.of(dict(values), "request.json")

        def texts(name: str) -> Tuple[str, ...]:
            return tuple(str(item) for item in fields.sequence(name))

        timing = fields.object("timing") if values.get("timing") is not None else None
        return cls(
            run=fields.string("run"),
            nonce=fields.string("nonce"),
            created=fields.string("created"),
            bundle=fields.string("bundle"),
            tokassay=fields.string("tokassay"),
            engines=texts("engines"),
            tokenizers=texts("tokenizers"),
            suites=texts("suites"),
            levels=texts("levels"),
            vectors=texts("vectors"),
            timed=texts("timed"),
            cold_starts=texts("cold_starts"),
            files={name: str(value) for name, value in fields.object("files").values.items()},
            emulated=fields.string("emulated"),
            timing=None if timing is None else _timing(timing.values),
            seconds=fields.optional_number("seconds") or CASE_SECONDS,
        )

    def to_json(self) -> Mapping[str, Any]:
        return asdict(self)


def _timing(values: Mapping[str, Any]) -> Timing:
    return Timing(
        int(values["samples"]),
        float(values["seconds"]),
        float(values["most_seconds"]),
        int(values["warmup"]),
        int(values["cold"]),
    )
