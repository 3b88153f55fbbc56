"""A report's page in headless Chromium: what only a browser can tell."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.helpers.pages import NASTY, page_of
from tests.helpers.runs import made_up_run

pytestmark = pytest.mark.browser

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)
AGENTS = {"module.of.somebody:Bot:depth=12,worlds=4000,a_long_parameter=0.125": 0.0, NASTY: 0.9, "easy": 0.4}
SORTED = "return [...document.querySelectorAll('#ratings tbody tr')].map(row => row.cells[1].textContent)"


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One browser for all tests, with the page of three agents at hand."""
    browser, driver = shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip("there is no chromium with chromedriver on this machine")
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = browser
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    profile = tmp_path_factory.mktemp("profile")
    for argument in (*ARGUMENTS, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    with webdriver.Chrome(options=options, service=Service(driver)) as opened:
        yield opened


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    text = page_of(made_up_run(AGENTS, 200), figures=("ratings", "running"), missing=["No figure of x."])
    path.write_text(text, encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def page(chromium: Any, address: str) -> Iterator[Any]:
    """The page, freshly loaded in a window of 1200 pixels; the console has to stay empty."""
    show(chromium, 1200)
    chromium.get(address)
    yield chromium
    assert chromium.get_log("browser") == []


def show(chromium: Any, width: int, scheme: str = "light", media: str = "screen") -> None:
    """Set the width of the window, the colours that the reader prefers, and screen or print."""
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})


def head(page: Any, text: str) -> Any:
    """The button of a heading in the table of ratings."""
    buttons = page.find_elements("css selector", "#ratings thead button")
    return next(button for button in buttons if button.text == text)


def test_a_click_sorts_and_another_one_turns_the_order_around(page: Any) -> None:
    best_first = page.execute_script(SORTED)
    elo = head(page, "Elo")
    elo.click()
    assert page.execute_script(SORTED) == best_first
    assert elo.find_element("xpath", "..").get_attribute("aria-sort") == "descending"
    elo.click()
    assert page.execute_script(SORTED) == best_first[::-1]
    assert elo.find_element("xpath", "..").get_attribute("aria-sort") == "ascending"
    head(page, "agent").click()
    assert page.execute_script(SORTED) == sorted(best_first)
    assert len(page.find_elements("css selector", "#ratings [aria-sort]")) == 1


def test_the_keyboard_reaches_the_headings_and_sorts(page: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    best_first = page.execute_script(SORTED)
    body = page.find_element("css selector", "body")
    body.send_keys(Keys.TAB)
    assert page.switch_to.active_element.text == "Skip to the sections"
    for _ in range(40):
        if page.switch_to.active_element.text == "Elo":
            break
        page.switch_to.active_element.send_keys(Keys.TAB)
    page.switch_to.active_element.send_keys(Keys.ENTER)
    page.switch_to.active_element.send_keys(Keys.SPACE)
    assert page.execute_script(SORTED) == best_first[::-1]


def test_rows_without_a_value_stay_below(page: Any) -> None:
    page.execute_script("document.querySelector('#ratings tbody tr').cells[6].removeAttribute('data-value')")
    first = page.execute_script(SORTED)[0]
    for _ in range(2):
        head(page, "Elo").click()
        assert page.execute_script(SORTED)[-1] == first


@pytest.mark.parametrize("width", [360, 800, 1200])
def test_the_page_never_scrolls_sideways(page: Any, width: int) -> None:
    show(page, width)
    wide = page.execute_script("return document.documentElement.scrollWidth")
    assert wide <= width


def test_figures_and_tables_scroll_in_their_own_boxes_on_a_phone(page: Any) -> None:
    show(page, 360)
    for box in page.find_elements("css selector", ".plate, #ratings .scroll"):
        inside, outside = page.execute_script("return [arguments[0].scrollWidth, arguments[0].clientWidth]", box)
        assert outside <= 360 < inside


def test_a_tables_caption_stays_in_sight_on_a_phone(page: Any) -> None:
    show(page, 360)
    script = """
        const [box, caption] = [arguments[0], arguments[0].querySelector("caption")];
        const outside = [];
        for (const start of [0, box.scrollWidth]) {
            box.scrollLeft = start;
            const [outer, inner] = [box.getBoundingClientRect(), caption.getBoundingClientRect()];
            if (inner.left < outer.left || inner.right > outer.right) outside.push([start, outer, inner]);
        }
        return [box.scrollLeft > 0, outside];
    """
    for box in page.find_elements("css selector", "#ratings .scroll, #pairings .scroll"):
        assert page.execute_script(script, box) == [True, []]


def test_colours_follow_what_the_reader_prefers(page: Any) -> None:
    seen = {}
    for scheme in ("light", "dark"):
        show(page, 1200, scheme)
        script = "const style = getComputedStyle(arguments[0]); return [style.color, style.backgroundColor]"
        colours = page.execute_script(script, page.find_element("css selector", "body"))
        ink, paper = ([int(part) for part in colour.strip("rgba()").split(",")[:3]] for colour in colours)
        seen[scheme] = sum(ink) - sum(paper)
        plate = page.find_element("css selector", ".plate")
        assert plate.value_of_css_property("background-color") == "rgba(255, 255, 255, 1)"
    assert seen["light"] < -450
    assert seen["dark"] > 450


def test_in_print_nothing_is_cut_off_or_folded(page: Any) -> None:
    show(page, 760, media="print")
    fields = page.find_element("css selector", "#rules details .scroll")
    assert page.execute_script("return arguments[0].checkVisibility() && arguments[0].offsetHeight > 100", fields)
    for box in page.find_elements("css selector", ".scroll, .plate, pre"):
        assert box.value_of_css_property("overflow-x") == "visible"


def test_without_javascript_everything_is_there_but_the_buttons(page: Any, address: str) -> None:
    page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.get(address)
        assert page.find_elements("css selector", "button") == []
        assert page.find_element("css selector", "#ratings thead").text.split()[:3] == ["#", "agent", "ranks"]
        assert len(page.find_elements("css selector", "#ratings tbody tr")) == 3
    finally:
        page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
