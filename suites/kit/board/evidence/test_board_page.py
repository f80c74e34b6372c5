"""The pages of boards in a browser: they open without a complaint, fit, and can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver

from tokassay.board.verifying import verified
from tokassay.report import board_page

pytestmark = pytest.mark.browser
CHECKS = (Path(__file__).parents[2] / "report" / "page_checks.js").read_text("utf-8")


@pytest.fixture(scope="module")
def pages(
    good: Path, second: Path, emulated: Path, maker: Any, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    board_page.write([verified(one, maker.trust) for one in (good, second, emulated)], folder)
    return {path.stem: path for path in folder.glob("*.html")}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", ["index", "rock-rock-1", "standin-standin-1"])
def test_a_page_fits_and_can_be_read(
    name: str, width: int, scheme: str, browser: webdriver.Chrome, pages: dict[str, Path]
):
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "screen", "features": features})
    browser.get(pages[name].as_uri())
    browser.execute_script(CHECKS)
    browser.execute_script("checks.openAll()")
    assert browser.execute_script("return checks.stickingOut()") == [0, []]
    assert browser.execute_script("return checks.tooFaint()") == [True, []]
    assert browser.get_log("browser") == []
