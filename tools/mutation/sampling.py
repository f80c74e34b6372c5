"""The places where cosmic-ray's operators apply, one variant of each, drawn by a seed."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Dict, Iterator, List, Mapping, Sequence, Tuple

import tomllib

CONFIG = Path(__file__).with_name("mutation.toml")
PACKAGE = Path("impl/tokassay")


@dataclass(frozen=True)
class Mutation:
    """One change: the `occurrence`-th place in a module where an operator of cosmic-ray applies."""

    module: str
    operator: str
    occurrence: int
    line: int

    @property
    def family(self) -> str:
        """The operator without its variant."""
        return self.operator.split("_")[0]

    @property
    def name(self) -> str:
        return f"{self.module} {self.operator} {self.occurrence}"

    def to_json(self) -> Dict[str, object]:
        return asdict(self)


@dataclass(frozen=True)
class Config:
    """`mutation.toml`: which modules, how many mutants, for how long, and the tests that may notice."""

    parts: Tuple[str, ...]
    data: Tuple[str, ...]
    left_out: Tuple[str, ...]
    seed: int
    count: int
    seconds: float
    tests: Sequence[str]
    at_import: Mapping[str, Sequence[str]]

    @classmethod
    def read(cls, path: Path = CONFIG) -> Config:
        found = tomllib.loads(path.read_text("utf-8"))
        for name in ("parts", "data", "left_out"):
            found[name] = tuple(found[name])
        return cls(**found)

    def tests_at_import(self, module: str) -> Sequence[str]:
        """Those of the longest prefix that names the module, and those of all."""
        fitting = [prefix for prefix in self.at_import if module.startswith(prefix)]
        return [*self.at_import[max(fitting, key=len)], *self.at_import.get("", ())]


def modules(config: Config) -> List[str]:
    """Below the package, tables of data left out."""
    paths = sorted(path for part in config.parts for path in (PACKAGE / part).rglob("*.py"))
    names = [path.relative_to(PACKAGE).as_posix() for path in paths]
    return [name for name in names if not name.startswith(config.data)]


def dotted(module: str) -> str:
    """The name to import it by."""
    parts = (PACKAGE.name, *Path(module).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def places(module: str, config: Config) -> Iterator[List[Mutation]]:
    """The variants at each place of a module."""
    from cosmic_ray import plugins  # noqa: PLC0415 - not for `report`
    from cosmic_ray.ast import ast_nodes, get_ast  # noqa: PLC0415 - not for `report`

    nodes = list(ast_nodes(get_ast((PACKAGE / module).read_text("utf-8"))))
    found: Dict[Tuple[str, object], List[Mutation]] = {}
    for name in plugins.operator_names():
        operator = plugins.get_operator(name)
        if name.startswith(config.left_out) or operator.arguments():
            continue
        spans = (span for node in nodes for span in operator().mutation_positions(node))
        for occurrence, span in enumerate(spans):
            mutation = Mutation(module, name, occurrence, span[0][0])
            found.setdefault((mutation.family, span), []).append(mutation)
    yield from found.values()


def sample(config: Config) -> List[Mutation]:
    """In a random order, so that every beginning of it is a sample, too."""
    draw = random.Random(config.seed)
    drawn = [draw.choice(variants) for module in modules(config) for variants in places(module, config)]
    draw.shuffle(drawn)
    return drawn[: config.count]


def mutated(mutation: Mutation) -> str:
    """The module's source with the change."""
    from cosmic_ray import plugins  # noqa: PLC0415 - not for `report`
    from cosmic_ray.ast import get_ast  # noqa: PLC0415 - not for `report`
    from cosmic_ray.mutating import MutationVisitor  # noqa: PLC0415 - not for `report`

    visitor = MutationVisitor(mutation.occurrence, plugins.get_operator(mutation.operator)())
    return str(visitor.walk(get_ast((PACKAGE / mutation.module).read_text("utf-8"))).get_code())
