"""Values of the board side do not change."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil

import pytest

import tokassay.core
import tokassay.formats
import tokassay.lookup

# These hold a state and say so.
CHANGING = {
    "tokassay.core": {"Charsmap", "Emitter", "Parser", "Patience", "Source", "_Builder"},
    "tokassay.formats": {"Read"},
    "tokassay.lookup": {"_Sequence"},
}


def classes(package):
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for one in vars(importlib.import_module(found.name)).values():
            if isinstance(one, type) and one.__module__ == found.name and dataclasses.is_dataclass(one):
                yield one


PACKAGES = [tokassay.core, tokassay.formats, tokassay.lookup]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda one: one.__name__)
def test_every_dataclass_but_a_few_is_frozen(package):
    changing = {one.__qualname__ for one in classes(package) if not one.__dataclass_params__.frozen}
    assert changing == CHANGING[package.__name__]
