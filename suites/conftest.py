"""Loads tokassay's pytest plugin where the package is not installed, so that no entry point does it."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:  # noqa: ARG001
    if not pluginmanager.has_plugin("tokassay"):
        from tokassay import pytest_plugin

        pluginmanager.register(pytest_plugin, "tokassay")
