r"""The sets that ``\p{..}`` and POSIX brackets name, Unicode 16.0 as Oniguruma has them.

Clause ``unicode.version.oniguruma``. Nothing is decoded before a pattern names it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Dict, Optional, Tuple

from .packed import read_ranges, read_runs, unpack
from .ranges import EVERYTHING, NOTHING, Ranges, difference, of_text, symmetric_difference, union

_LONG = (
    "lu=uppercaseletter ll=lowercaseletter lt=titlecaseletter lm=modifierletter lo=otherletter "
    "mn=nonspacingmark mc=spacingmark me=enclosingmark nd=decimalnumber nl=letternumber no=othernumber "
    "pc=connectorpunctuation pd=dashpunctuation ps=openpunctuation pe=closepunctuation "
    "pi=initialpunctuation pf=finalpunctuation po=otherpunctuation sm=mathsymbol sc=currencysymbol "
    "sk=modifiersymbol so=othersymbol zs=spaceseparator zl=lineseparator zp=paragraphseparator "
    "cc=control cf=format cs=surrogate co=privateuse cn=unassigned l=letter m=mark m=combiningmark "
    "n=number p=punctuation p=punct s=symbol z=separator c=other lc=casedletter"
)
_CATEGORY_NAMES = {name: short for short, name in (pair.split("=") for pair in _LONG.split())}
_WIDE = {
    "any": EVERYTHING,
    "ascii": ((0, 0x7F),),
}
# Oniguruma's UTF-8 type test answers for Latin-1 from a table of its own, with these six in `word`.
LATIN1_EXTRA_WORD = of_text("\u00b2\u00b3\u00b9\u00bc\u00bd\u00be")


def normalized(name: str) -> str:
    """A name as Oniguruma compares it: case, space, low line and hyphen do not count."""
    return name.replace(" ", "").replace("_", "").replace("-", "").lower()


@lru_cache(maxsize=512)
def find(name: str) -> Optional[Ranges]:
    r"""The set of ``\p{name}`` outside a class, or None when Oniguruma knows no such name."""
    key = normalized(name)
    if not name.isascii() or not key:
        return None
    if key == "word":
        return word_bare()
    for source in (_wide, _category, _property, _script, _block):
        found = source(key)
        if found is not None:
            return found
    return None


def known(name: str) -> Ranges:
    """`find` for a name that is there; KeyError otherwise."""
    found = find(name)
    if found is None:
        raise KeyError(name)
    return found


@lru_cache(maxsize=1)
def word_bare() -> Ranges:
    r"""``\w`` and ``\p{Word}`` outside classes, and the word of ``\b`` (clause ``unicode.word``)."""
    return union(word_class(), LATIN1_EXTRA_WORD)


def word_class() -> Ranges:
    r"""``\w`` inside a class: Alphabetic, marks, decimal digits, connectors."""
    return _known(_property("word"))


@lru_cache(maxsize=1)
def rust_word() -> Ranges:
    r"""``\w`` of Rust's regex crate: the joiners count, the six of Latin-1 do not."""
    return union(word_class(), ((0x200C, 0x200D),))


def _known(found: Optional[Ranges]) -> Ranges:
    return NOTHING if found is None else found


@lru_cache(maxsize=1)
def categories() -> Dict[str, Ranges]:
    """All general categories by short name, and the groups of them, in lower case."""
    from . import data_categories as data  # noqa: PLC0415 - decoded when first asked for

    found = {key.lower(): value for key, value in read_runs(unpack(data.RUNS), data.NAMES.split()).items()}
    for letter in "lmnpszc":
        found[letter] = union(*(value for key, value in found.items() if len(key) == 2 and key[0] == letter))
    found["lc"] = union(found["lu"], found["ll"], found["lt"])
    found["assigned"] = difference(EVERYTHING, found["cn"])
    return found


def _wide(key: str) -> Optional[Ranges]:
    return _WIDE.get(key)


def _category(key: str) -> Optional[Ranges]:
    return categories().get(_CATEGORY_NAMES.get(key, key))


class PackedSets:
    """Sets of one data module by normalized name; each is decoded on first use."""

    def __init__(self, index: str, text: str) -> None:
        self._data = unpack(text)
        self._places: Dict[str, Tuple[str, int, int]] = {}
        at = 0
        for entry in index.split():
            names, rest = entry.split("=")
            base, length = rest.split(":")
            for name in names.split("/"):
                self._places[normalized(name)] = (base, at, int(length))
            at += int(length)

    def get(self, key: str) -> Optional[Ranges]:
        """The set, or None; a set is stored as what differs from a union of others."""
        place = self._places.get(key)
        if place is None:
            return None
        base, at, length = place
        differing = read_ranges(self._data[at : at + length])
        return symmetric_difference(differing, self._union(base)) if base else differing

    def _union(self, base: str) -> Ranges:
        parts = [normalized(part) for part in base.split("+")]
        return union(
            *(categories()[part] if part in categories() else _known(self.get(part)) for part in parts)
        )


@lru_cache(maxsize=1)
def _binary() -> PackedSets:
    from . import data_properties as data  # noqa: PLC0415 - decoded when first asked for

    return PackedSets(data.INDEX, data.SETS)


@lru_cache(maxsize=128)
def _property(key: str) -> Optional[Ranges]:
    return _binary().get(key)


@lru_cache(maxsize=1)
def _scripts() -> Dict[str, Ranges]:
    from . import data_scripts as data  # noqa: PLC0415 - decoded when first asked for

    names = data.NAMES.split()
    runs = read_runs(unpack(data.RUNS), names)
    return {normalized(name): runs[entry] for entry in names for name in entry.split("/")}


def _script(key: str) -> Optional[Ranges]:
    return _scripts().get(key)


@lru_cache(maxsize=1)
def _blocks() -> Dict[str, Ranges]:
    from . import data_blocks as data  # noqa: PLC0415 - decoded when first asked for

    pairs = zip(data.NAMES.split(), read_ranges(unpack(data.RANGES)))
    found: Dict[str, Ranges] = {"in" + normalized(name): (one,) for name, one in pairs}
    found["innoblock"] = difference(EVERYTHING, union(*found.values()))
    return found


def _block(key: str) -> Optional[Ranges]:
    return _blocks().get(key) if key.startswith("in") else None
