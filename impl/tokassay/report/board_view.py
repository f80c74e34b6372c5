"""What the pages of a board show, from a folder that was verified; nothing is shown of one that was not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokassay.board.verifying import Verified
from tokassay.checks.verdict import FAILURES, Verdict
from tokassay.device.identity import PARTS
from tokassay.device.samples import COLD, FRESH, OPERATIONS, SAME, derived

from .board_plots import Bar, Course, Scale, bars, course
from .latency import duration
from .view import thousands

BIG, LITTLE = PARTS
ROLES = {BIG: "big", LITTLE: "little"}


@dataclass(frozen=True)
class Label:
    """Something that has to be known before a number is read. `kind`: a colour of the style sheet."""

    kind: str
    title: str
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Core:
    """One series: a row of a plot. `mark` and `tail`: where median and p99 lie on the axis."""

    name: str
    samples: int
    p50: int
    p90: int
    p99: int
    most: int
    per_second: int
    bars: tuple[Bar, ...]
    mark: float
    tail: float

    def shown(self) -> tuple[str, ...]:
        return tuple(duration(one) for one in (self.p50, self.p90, self.p99, self.most))


@dataclass(frozen=True)
class Operation:
    """One operation of one engine on one tokenizer, core below core on one axis; `ratio` of the medians."""

    engine: str
    tokenizer: str
    operation: str
    cores: tuple[Core, ...]
    ticks: tuple[tuple[float, str], ...]
    ratio: str

    @property
    def case(self) -> str:
        return f"{self.engine}, {self.tokenizer}"


@dataclass(frozen=True)
class ColdStart:
    """One engine on one core: its start, then load and first ids of a tokenizer for each format of `COLD`.

    `cells`: median, fastest to slowest, and where it is not that of tokenizer.json what is different; None
    where the engine does not read the format, or the format cannot hold the tokenizer.
    """

    engine: str
    tokenizer: str
    core: str
    cells: tuple[tuple[str, str, str] | None, ...]


@dataclass(frozen=True)
class Suite:
    """Verdicts of one engine on one tokenizer in one suite, by kind."""

    counts: Mapping[str, int]

    @property
    def failed(self) -> int:
        return sum(count for kind, count in self.counts.items() if kind in FAILURES)

    @property
    def tried(self) -> int:
        return sum(self.counts.values())

    @property
    def others(self) -> str:
        """Verdicts that are no failure and no pass."""
        kinds = sorted(kind for kind in self.counts if kind not in FAILURES and kind != "pass")
        return ", ".join(f"{thousands(self.counts[kind])} {kind}" for kind in kinds)


@dataclass(frozen=True)
class Matrix:
    """Engine and tokenizer by suite; None where a suite has nothing for a tokenizer."""

    suites: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[Suite | None, ...]], ...]


@dataclass(frozen=True)
class Same:
    """A row of the table host against board: a name, both sums, whether they are one."""

    name: str
    here: str
    there: str
    state: str


def title(found: Verified) -> str:
    """The model, or where the board has none, the name that its controller gives it."""
    return str(found.evidence.identity["model"] or found.evidence.controller["board"])


def board(found: Verified) -> str:
    """The controller's name for it."""
    return str(found.evidence.controller["board"])


def date(found: Verified) -> str:
    return str(found.evidence.outcome["started"])


def labels(found: Verified) -> Iterator[Label]:
    """Emulated, throttled, what differs, what cannot be claimed."""
    if found.summary["emulated"]:
        text = "Emulated: its times say nothing about a board"
        yield Label("fail", text, tuple(found.summary["emulated"]))
    if found.summary["throttled"]:
        yield Label("known", "Throttled: the board was slowed down", tuple(found.summary["throttled"]))
    if found.findings:
        yield Label("fail", "Not the same everywhere", tuple(map(str, found.findings)))
    said = [*found.summary["emulated"], *found.summary["throttled"]]
    rest = Counter(one.reason for one in found.unclaimable if not any(why in one.reason for why in said))
    if rest:
        reasons = (f"{why} ({count} times)" if count > 1 else why for why, count in rest.items())
        yield Label("known", "Latency that cannot be claimed", tuple(reasons))


def processors(found: Verified) -> str:
    """``4 x Cortex-A76 (big), 4 x Cortex-A55 (little)``."""
    counts = Counter(cpu["part"] for cpu in found.evidence.identity["cpus"])
    order = [part for part in PARTS if part in counts] + [part for part in counts if part not in PARTS]
    return ", ".join(f"{counts[part]} \u00d7 {core_name(part)}" for part in order) or "unknown"


def core_name(part: str) -> str:
    role = ROLES.get(part)
    return f"{PARTS[part]} ({role})" if role else part or "processor of unknown kind"


def facts(found: Verified) -> list[tuple[str, str]]:
    """The identity, name by name."""
    identity, outcome, clock = (
        found.evidence.identity,
        found.evidence.outcome,
        found.evidence.identity["clock"],
    )
    memory = identity["memory_kib"]
    said = [
        ("compatible", ", ".join(identity["compatible"])),
        ("processors", processors(found)),
        ("memory", f"{thousands(memory // 1024)} MiB" if memory else ""),
        ("kernel", identity["kernel"]),
        ("C library", identity["libc"]),
        ("Python", identity["python"].replace("\n", " ")),
        ("page size", f"{identity['page_size']} bytes"),
        ("clock", ", ".join(f"{name}: {value}" for name, value in sorted(clock.items()))),
        ("storage", "; ".join(f"{place}: {size}" for place, size in sorted(identity["storage"].items()))),
        ("boot", identity["boot_id"] or ""),
        ("memory of the run", f"{thousands(outcome['peak_kib'] // 1024)} MiB at most"),
        ("memory of its engines", f"{thousands(outcome['children_kib'] // 1024)} MiB at most"),
        ("memory of both at a time", f"{thousands(outcome['together_kib'] // 1024)} MiB at most"),
        ("missing", "; ".join(f"{name} ({why})" for name, why in sorted(identity["missing"].items()))),
    ]
    return [(name, value) for name, value in said if value]


def provenance(found: Verified) -> list[tuple[str, str]]:
    """Who ran and signed what, when."""
    evidence = found.evidence
    engines = ", ".join(f"{one['name']} {one.get('version', '')}".strip() for one in evidence.header.engines)
    return [
        ("run", evidence.request["run"]),
        ("engines", engines),
        ("started", evidence.outcome["started"]),
        ("took", f"{evidence.outcome['seconds']:,.1f} s"),
        ("fetched", evidence.controller["fetched"]),
        ("signed by", found.signer),
        ("host key", evidence.controller["host_key"] or "none: the runner was on the board itself"),
        ("nonce", evidence.request["nonce"]),
        ("tokassay", evidence.request["tokassay"]),
    ]


def matrix(found: Verified) -> Matrix:
    """What was tried, the tokenizers with most failures first."""
    counts: dict[tuple[str, str], dict[str, Counter[str]]] = {}
    for event in found.evidence.events:
        if isinstance(event, Verdict):
            row = counts.setdefault((event.engine, event.tokenizer), {})
            row.setdefault(event.suite, Counter())[event.kind] += 1
    names = tuple(
        name for name in found.evidence.header.suites if any(name in row for row in counts.values())
    )
    rows = [
        (*case, tuple(Suite(dict(row[name])) if name in row else None for name in names))
        for case, row in counts.items()
    ]
    return Matrix(names, tuple(sorted(rows, key=lambda row: -sum(cell.failed for cell in row[2] if cell))))


def operations(found: Verified) -> list[Operation]:
    """Every operation, its cores in the order big, little."""
    grouped: dict[tuple[str, str, str], list[Any]] = {}
    for one in found.evidence.series:
        if one["inputs"] != FRESH:
            grouped.setdefault((one["engine"], one["tokenizer"], one["operation"]), []).append(one)
    order = sorted(grouped, key=lambda case: (case[0], case[1], OPERATIONS.index(case[2])))
    return [_operation(case, grouped[case]) for case in order]


def cold_starts(found: Verified) -> list[ColdStart]:
    """Every engine, tokenizer and core with cold starts."""
    grouped: dict[tuple[str, str, str], dict[str, Any]] = {}
    starts: dict[tuple[str, str], dict[str, Any]] = {}
    for one in found.evidence.series:
        case = (one["engine"], one["tokenizer"], core_name(one["part"]))
        if one["operation"] == "start":  # an engine's, whatever it loads then
            starts[case[0], case[2]] = {"start": one}
        if one["inputs"] == FRESH:
            grouped.setdefault(case, {})[one["operation"]] = one
    return [
        ColdStart(*case, tuple(_cold_cells({**starts.get((case[0], case[2]), {}), **told})))
        for case, told in grouped.items()
    ]


def _cold_cells(told: Mapping[str, Any]) -> Iterator[tuple[str, str, str] | None]:
    first = told.get("cold-tokenizer.json")
    for operation in ("start", *(f"cold-{name}" for name in COLD)):
        one = told.get(operation)
        if one is None:
            yield None
            continue
        times, notes = derived(one), []
        if first is not None and operation not in ("start", first["operation"]):
            notes.append(f"{times['p50'] / derived(first)['p50']:.2f} of tokenizer.json")
            notes += ["other ids"] if one["digest"] != first["digest"] else []
        yield (
            duration(times["p50"]),
            f"{duration(times['min'])} to {duration(times['max'])}",
            ", ".join(notes),
        )


def repeated(found: Verified) -> list[str]:
    """Operations whose calls were all given the same, which an engine may remember; a load always is."""
    return [
        f"{one['engine']} / {one['tokenizer']} / {one['operation']}"
        for one in found.evidence.series
        if one["inputs"] == SAME and one["operation"] != "load"
    ]


def _operation(case: tuple[str, str, str], series: Sequence[Any]) -> Operation:
    scale = Scale.over([one["ns"] for one in series])
    cores = tuple(_core(one, scale) for one in series)
    medians = {one["part"]: core.p50 for one, core in zip(series, cores, strict=True)}
    ratio = f"{medians[LITTLE] / medians[BIG]:.2f}" if {BIG, LITTLE} <= medians.keys() else ""
    return Operation(*case, cores, scale.ticks(), ratio)


def _core(one: Mapping[str, Any], scale: Scale) -> Core:
    told = derived(one)
    cpu = "" if one["cpu"] is None else f", processor {one['cpu']}"
    name = f"{core_name(one['part'])}{cpu}{', ended early' if one['short'] else ''}"
    return Core(
        name,
        told["samples"],
        told["p50"],
        told["p90"],
        told["p99"],
        told["max"],
        told["units_per_second"],
        bars(one["ns"], scale),
        scale.at(told["p50"]),
        scale.at(told["p99"]),
    )


def courses(found: Verified) -> list[tuple[str, list[Course]]]:
    """Clock frequencies, temperatures and load over the time of the run; groups of one unit."""
    snapshots = found.evidence.conditions
    start = snapshots[0]["monotonic_ns"]
    moments = [(one["monotonic_ns"] - start) / 1e9 for one in snapshots]
    mhz = _values(snapshots, "policies", "scaling_cur_freq", "affected_cpus", 1000)
    degrees = _values(snapshots, "zones", "temp", "type", 1000)
    load = {"last minute": [one["load"][0] for one in snapshots]} if all(o["load"] for o in snapshots) else {}
    groups = [
        ("Clock frequency", "MHz", {f"processors {name}": one for name, one in mhz.items()}),
        ("Temperature", "\u00b0C", degrees),
        ("Load", "", load),
    ]
    return [(name, _group(moments, unit, values)) for name, unit, values in groups if values]


def _group(moments: Sequence[float], unit: str, values: Mapping[str, Sequence[float]]) -> list[Course]:
    top = max(max(one) for one in values.values()) or 1.0
    return [course(name, unit, moments, one, top) for name, one in values.items()]


def _values(snapshots: Sequence[Any], group: str, file: str, name: str, unit: int) -> dict[str, list[float]]:
    """What could be read in every snapshot."""
    found = {}
    for key, first in sorted(snapshots[0][group].items()):
        told = [one[group].get(key, {}).get(file) for one in snapshots]
        if all(value is not None and value.lstrip("-").isdigit() for value in told):
            found[str(first.get(name) or key)] = [int(value) / unit for value in told]
    return found


def steady(found: Verified) -> list[tuple[str, str]]:
    """What is told once: governors, limits, cooling; every value that occurred."""
    snapshots = found.evidence.conditions
    kinds = (
        ("policies", "scaling_governor", "governor of"),
        ("policies", "scaling_max_freq", "limit in kHz of"),
        ("cooling", "cur_state", "state of"),
    )
    rows = []
    for group, file, title in kinds:
        for key in sorted(snapshots[0][group]):
            values = dict.fromkeys(str(one[group].get(key, {}).get(file)) for one in snapshots)
            kind = snapshots[0][group][key].get("type")
            rows.append((f"{title} {key}{f' ({kind})' if kind else ''}", ", ".join(values)))
    return rows


def compared(found: Verified) -> list[Same]:
    """Device files and ids: the host's against the board's."""
    evidence, host = found.evidence, found.again.host["compiled"]
    rows = []
    for name, formats in sorted(evidence.facts["compiled"].items()):
        for form, made in sorted(formats.items()):
            here = host.get(name, {}).get(form, {}).get("sha256", "")
            state = "not made here" if not here else "same" if here == made["sha256"] else "differs"
            rows.append(Same(f"{name}, {form}", here, made["sha256"], state))
    return rows


def sums(found: Verified) -> list[tuple[str, str]]:
    """Every file of the folder that the statement is about, then what ran."""
    subjects = [(one["name"], one["digest"]["sha256"]) for one in found.evidence.statement["subject"]]
    inputs = [(f"ran: {name}", value) for name, value in sorted(found.evidence.outcome["inputs"].items())]
    tokenizers = [(f"tokenizer: {one['name']}", one["sha256"]) for one in found.evidence.header.tokenizers]
    return [*subjects, *inputs, *[row for row in tokenizers if row[1]]]
