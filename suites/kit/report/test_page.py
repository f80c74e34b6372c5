"""The page in a browser: it opens without a complaint, fits, is readable, and works from the keyboard."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Sequence

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from tokassay.checks.verdict import Difference, Verdict
from tokassay.report.page import rendered
from tokassay.report.summary import summarized
from tokassay.report.writing import write_text

pytestmark = pytest.mark.browser
CHECKS = Path(__file__).with_name("page_checks.js").read_text("utf-8")
WIDTHS = (360, 768, 1280)
SCHEMES = ("light", "dark")
RUNS = ("events", "hostile", "empty", "large")


def large(sample: SimpleNamespace) -> list[object]:
    return sample.whole(
        Verdict(kind, "encode", engine, f"tokenizer-{t}", f"many/{i}", "", Difference("ids", [i], [0]))
        for engine in ("one", "two", "three")
        for t in range(40)
        for kind in ("diverge", "crash")
        for i in range(30)
    )


@pytest.fixture(scope="module")
def pages(sample: SimpleNamespace, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, found = tmp_path_factory.mktemp("pages"), {}
    for name in RUNS:
        found[name] = folder / f"{name}.html"
        events = large(sample) if name == "large" else getattr(sample, name)
        write_text(found[name], rendered(summarized(events), Path()))
    return found


Visit = Callable[..., webdriver.Chrome]


@pytest.fixture
def visit(browser: webdriver.Chrome, pages: dict[str, Path]) -> Visit:
    def visited(
        name: str, width: int = 1280, scheme: str = "light", media: str = "screen"
    ) -> webdriver.Chrome:
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})
        browser.get(pages[name].as_uri())
        browser.execute_script(CHECKS)
        return browser

    return visited


def filled(driver: webdriver.Chrome, entry: Any) -> None:
    """Waits for what an entry holds: the browser tells of its opening a moment later."""
    WebDriverWait(driver, 5).until(lambda _: entry.find_elements(By.CLASS_NAME, "body"))


def asked(driver: webdriver.Chrome, check: str) -> Any:
    """What a function of page_checks.js answers."""
    return driver.execute_script(f"return checks.{check}()")


@pytest.mark.parametrize("name", RUNS)
def test_it_opens_without_a_complaint(name: str, visit: Visit):
    driver = visit(name)
    asked(driver, "openAll")
    assert driver.get_log("browser") == []
    assert driver.title.endswith("tokassay report")


# -- layout -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", RUNS)
def test_nothing_is_wider_than_the_screen(name: str, width: int, visit: Visit):
    driver = visit(name, width)
    asked(driver, "openAll")
    assert asked(driver, "stickingOut") == [0, []]


def test_a_printed_page_shows_what_is_folded_and_no_controls(visit: Visit):
    driver = visit("events", media="print")
    driver.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert not driver.find_element(By.ID, "filter").is_displayed()
    assert all(one.is_displayed() for one in driver.find_elements(By.CSS_SELECTOR, ".entry .body"))
    assert driver.find_elements(By.CSS_SELECTOR, ".entry .body")


# -- contrast -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("media", ["screen", "print"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_text_has_contrast(scheme: str, media: str, visit: Visit):
    driver = visit("events", scheme=scheme, media=media)
    asked(driver, "openAll")
    assert asked(driver, "tooFaint") == [True, []]


def test_the_measure_of_contrast_notices_a_faint_text(visit: Visit):
    driver = visit("events")
    driver.execute_script("document.querySelector('.lead').style.color = '#999'")
    (faint,) = asked(driver, "tooFaint")[1]
    assert faint[1] == "in 1 of 2 engines: own"


def test_the_schemes_differ(visit: Visit):
    grounds = {
        visit("events", scheme=scheme)
        .find_element(By.TAG_NAME, "body")
        .value_of_css_property("background-color")
        for scheme in SCHEMES
    }
    assert len(grounds) == 2


def test_no_verdict_is_told_by_colour_alone(visit: Visit):
    driver = visit("events")
    asked(driver, "openAll")
    driver.execute_script(
        "document.querySelectorAll('.folded').forEach((one) => one.classList.remove('folded'))"
    )
    labels = [one.text for one in driver.find_elements(By.CSS_SELECTOR, ".cell, .entry .badge, .tiles li")]
    assert all(any(char.isalpha() or char == "–" for char in label) for label in labels)
    assert labels


# -- keyboard -----------------------------------------------------------------------------------------


def press(driver: webdriver.Chrome, *keys: str) -> None:
    for key in keys:
        driver.switch_to.active_element.send_keys(key)


@pytest.mark.parametrize("width", [360, 1280])
def test_tab_reaches_everything_in_the_order_of_the_page(width: int, visit: Visit):
    driver = visit("events", width)
    count = len(asked(driver, "focusable"))
    reached = []
    for _ in range(count):
        press(driver, Keys.TAB)
        reached.append(asked(driver, "focused"))
    assert reached == [[place, True, True] for place in range(count)]


def test_everything_that_acts_has_a_name(visit: Visit):
    tree = visit("events").execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    acting = ("button", "link", "searchbox", "combobox", "DisclosureTriangle", "image", "region", "img")
    roles = [
        (node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if not node["ignored"]
    ]
    assert [role for role, name in roles if role in acting and not name.strip()] == []
    assert {"button", "link", "searchbox", "combobox"} <= {role for role, _ in roles}


def test_the_first_tab_offers_to_skip_to_the_failures(visit: Visit):
    driver = visit("events")
    press(driver, Keys.TAB, Keys.ENTER)
    assert driver.current_url.endswith("#failures")


# -- filter and drill-down ----------------------------------------------------------------------------


def titles(driver: webdriver.Chrome, place: str = "failure-list") -> Sequence[str]:
    return [one.text for one in driver.find_elements(By.CSS_SELECTOR, f"#{place} .title")]


def status(driver: webdriver.Chrome) -> str:
    return driver.find_element(By.ID, "status").text


def until(driver: webdriver.Chrome, wanted: str) -> None:
    WebDriverWait(driver, 5).until(lambda _: status(driver) == wanted)


def test_the_number_of_failures_comes_first(visit: Visit):
    heading = visit("events").find_element(By.TAG_NAME, "h1")
    assert heading.text.split() == ["8", "checks", "failed"]


def test_a_search_leaves_what_holds_every_word(visit: Visit):
    driver = visit("events")
    assert status(driver) == "1 of 1 findings, 5 of 5 failures match"
    driver.find_element(By.ID, "search").send_keys("load cannot")
    until(driver, "0 of 1 findings, 1 of 5 failures match")
    assert titles(driver) == ["load/0"]
    driver.find_element(By.CSS_SELECTOR, "#filter [type=reset]").send_keys(Keys.ENTER)
    until(driver, "1 of 1 findings, 5 of 5 failures match")


def test_a_verdict_is_selected_from_the_keyboard(visit: Visit):
    driver = visit("events")
    driver.find_element(By.ID, "kind").send_keys("kno")
    until(driver, "0 of 1 findings, 1 of 5 failures match")
    assert titles(driver) == ["listed/one"]


def test_a_cell_of_the_matrix_leads_to_its_failures(visit: Visit):
    driver = visit("events")
    driver.find_element(By.CSS_SELECTOR, "[data-tokenizer=bert][data-suite=decode]").send_keys(Keys.ENTER)
    assert titles(driver) == ["text/two", "bytes/two"]
    chosen = [
        Select(driver.find_element(By.ID, name)).first_selected_option.text
        for name in ("engine", "tokenizer", "suite")
    ]
    assert chosen == ["own", "bert", "decode"]
    assert driver.switch_to.active_element.get_attribute("id") == "failures"


def test_a_clause_leads_to_its_failures(visit: Visit):
    driver = visit("events")
    driver.execute_script("document.querySelector('[data-search]').closest('details').open = true")
    driver.find_element(By.CSS_SELECTOR, "[data-search='decode.strip']").send_keys(Keys.ENTER)
    assert titles(driver) == ["digits/one"]


def test_a_failure_opens_from_the_keyboard_with_everything_that_is_known(visit: Visit):
    driver = visit("events")
    entry = driver.find_element(By.CSS_SELECTOR, "#failure-list details")
    entry.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    filled(driver, entry)
    body = entry.find_element(By.CLASS_NAME, "body")
    assert '"1\\u0661\\u200b"' in body.text
    assert [one.text for one in body.find_elements(By.CLASS_NAME, "point")] == ["U+200B"]
    rows = [row.text.split() for row in body.find_elements(By.CSS_SELECTOR, ".align tr")]
    assert rows == [["expected", "1", "2", "3", "4"], ["got", "1", "9", "3", "4"], ["▲"]]
    stages = [one.text.split("\n") for one in body.find_elements(By.CSS_SELECTOR, ".stages li")]
    assert stages[3] == ["model", "differs first"]
    assert body.find_element(By.TAG_NAME, "pre").text == "expected a\ngot b"


def test_a_finding_is_found_by_each_of_its_tokenizers(visit: Visit):
    driver = visit("events")
    assert driver.find_element(By.CSS_SELECTOR, "#finding-list .where").text == "own / 2 tokenizers / encode"
    assert driver.find_element(By.CSS_SELECTOR, "#finding-list .count").text == "5 verdicts"
    for name in ("bert", "gpt2"):
        Select(driver.find_element(By.ID, "tokenizer")).select_by_value(name)
        assert titles(driver, "finding-list") == ["digits are cut in threes from the left"]


def test_a_finding_links_to_its_reproducer(visit: Visit):
    driver = visit("events")
    entry = driver.find_element(By.CSS_SELECTOR, "#finding-list details")
    entry.find_element(By.TAG_NAME, "summary").click()
    filled(driver, entry)
    assert (
        entry.find_element(By.LINK_TEXT, "cards/digits-left")
        .get_attribute("href")
        .endswith("/cards/digits-left")
    )


def test_a_long_list_comes_in_parts(visit: Visit):
    driver = visit("large")
    assert len(titles(driver)) == 50
    driver.find_element(By.CLASS_NAME, "more").send_keys(Keys.ENTER)
    assert len(titles(driver)) == 100
    assert driver.switch_to.active_element.text.count("many/") == 1
    assert "6,200 more verdicts were left out" in driver.find_element(By.TAG_NAME, "main").text


def test_an_engine_of_a_large_matrix_unfolds(visit: Visit):
    driver = visit("large")
    rows, fold = driver.find_element(By.ID, "rows-1"), driver.find_element(By.CLASS_NAME, "fold")
    assert not rows.is_displayed()
    fold.send_keys(Keys.ENTER)
    assert rows.is_displayed()
    assert fold.get_attribute("aria-expanded") == "true"


def test_a_run_of_nothing_says_so(visit: Visit):
    text = visit("empty").find_element(By.TAG_NAME, "main").text
    assert "Nothing was tried, so nothing is proven." in text


# -- hostile contents ---------------------------------------------------------------------------------


def test_what_a_run_holds_is_never_markup(visit: Visit):
    driver = visit("hostile")
    asked(driver, "openAll")
    assert asked(driver, "markup") == ["7 checks failed · tokassay report", 0, 2, 0]
    assert driver.get_log("browser") == []


def test_hostile_texts_are_shown_as_they_are(visit: Visit):
    driver = visit("hostile")
    asked(driver, "openAll")
    text = driver.find_element(By.TAG_NAME, "main").get_attribute("textContent")
    assert "</script><script>document.title='owned'</script>" in text
    assert "{{ 7 * 7 }}{% raw %}&lt;|" in text
    assert "\\u0000" in text
    assert "\\ud800" in text


def test_links_lead_nowhere_but_below_the_report(visit: Visit):
    driver = visit("hostile")
    asked(driver, "openAll")
    assert {link[:1] for link in asked(driver, "links")} == {"#", "."}
    assert not any(".." in link or ":" in link for link in asked(driver, "links"))


def test_another_script_would_not_run(visit: Visit):
    driver = visit("events")
    assert asked(driver, "tryScript") != "owned"
    assert any("Content Security Policy" in entry["message"] for entry in driver.get_log("browser"))
