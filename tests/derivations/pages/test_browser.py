"""The pages in a real browser, without network: no errors, all formulas rendered, and sliders that change the
numbers.
"""

import json
import math
import re
from typing import NamedTuple

import pytest
from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from infonce_ref.derivations.documents import DOCUMENTS
from infonce_ref.derivations.pages import html
from infonce_ref.derivations.pages.lesson import lessons

pytestmark = pytest.mark.slow

LEDGER = [f"ledger/{name}" for name in DOCUMENTS]
BESIDE = (
    "ledger",
    "cheat_sheet",
    "symbols",
    "sources",
    "mistakes",
    "search",
    "genindex",
    "docs/check",
    "api/losses",
    "api/torch",
    "it/index",
    "es/infonce",
    "zh/sphere",
)
LIVE = ["explore", "index", *lessons()]  # pages with controls
PAGES = [*LIVE, *LEDGER, *BESIDE]


def resize(browser, width: int):
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


@pytest.fixture
def at(browser, built):
    """Opens a page at some width."""

    def go(name: str, width: int = 1100):
        resize(browser, width)
        browser.get(built[name].as_uri())
        return browser

    return go


class Opened(NamedTuple):
    """An opened page: its address, the browser's log, and the addresses that it requested."""

    url: str
    log: list[dict]
    asked: set[str]


@pytest.fixture(scope="module", params=PAGES)
def opened(request, browser, built) -> Opened:
    """Open a page once for all its tests, which pytest runs one after the other."""
    resize(browser, 1100)
    browser.get_log("browser"), browser.get_log("performance")
    browser.get(built[request.param].as_uri())
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = {m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"}
    return Opened(browser.current_url, browser.get_log("browser"), asked)


@pytest.fixture
def page(opened, browser):
    """The browser with the page that was opened."""
    assert browser.current_url == opened.url
    resize(browser, 1100)
    return browser


def test_opens_without_an_error_and_requests_only_files_of_the_site(opened, built):
    site = f"{built['index'].parent.as_uri()}/"
    assert opened.log == []
    assert opened.asked
    assert all(url.startswith(("data:", site)) for url in opened.asked)


def open_all(page):
    page.execute_script('document.querySelectorAll("details").forEach((details) => { details.open = true; })')


def test_every_formula_has_a_size(page):
    """A browser shows unknown MathML as nothing, or as plain text."""
    open_all(page)
    flat = page.execute_script(
        """
        const empty = (node) => { const box = node.getBoundingClientRect(); return !box.width || !box.height; };
        const height = (node) => node.getBoundingClientRect().height;
        const flat = (fraction) => height(fraction) <= height(fraction.children[0]);
        return [...document.querySelectorAll("math")].filter((math) => empty(math)
          || [...math.querySelectorAll("mfrac")].some(flat)).map((math) => math.outerHTML);
        """
    )
    assert flat == []


@pytest.mark.parametrize("width", [390, 1100])
def test_nothing_overflows(page, width):
    resize(page, width)
    open_all(page)
    assert page.execute_script("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("opened", lessons(), indirect=True)
def test_a_phone_shows_the_first_control_with_its_picture_on_one_screen(page):
    resize(page, 390)
    height = page.execute_async_script(
        """
        const [done] = arguments;
        const control = document.querySelector(".control");
        const needed = [...control.querySelectorAll("input, button, .readouts dd"), control.querySelector("svg")];
        const end = () => Math.max(...needed.map((node) => node.getBoundingClientRect().bottom));
        requestAnimationFrame(() => requestAnimationFrame(() => done(end() - control.getBoundingClientRect().top)));
        """
    )
    assert 100 < height <= 844


@pytest.mark.nightly
def test_pages_fit_on_paper(at):
    """A browser prints the whole page smaller for one formula that is wider than A4 between its margins, 176 mm."""
    wide = {}
    for name in lessons():
        page = at(name, 665)
        page.execute_script('dispatchEvent(new Event("beforeprint"))')
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        wide[name] = page.execute_script("return document.documentElement.scrollWidth")
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert max(wide.values()) <= 665, wide


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("NaN", "docs/own-loss.html"),
        ("oom", "ntxent.html"),
        ("logsumexp", "api/textbook.html#infonce_ref.textbook.logsumexp"),
        ("stuck", "digits.html"),
        ("SimCLR loss", "ntxent.html"),
        ("tangent sphere", "ntxent.html"),
        ("D3.4", "ledger/D3.html#d3-4"),
    ],
)
def test_search_finds_what_readers_type(at, query, first):
    """From files too: a browser loads the index as a script."""
    page = at("index")
    field = page.find_element(By.CSS_SELECTOR, ".sidebar-search")
    field.send_keys(query, webdriver.Keys.ENTER)
    WebDriverWait(page, 20).until(lambda _: "Search finished" in page.page_source)
    found = [link.get_attribute("href") for link in page.find_elements(By.CSS_SELECTOR, "ul.search a")]
    assert any(link.partition("?")[0].endswith(first) for link in found[:8]), found[:8]
    assert page.find_elements(By.CSS_SELECTOR, "ul.search li > span")  # what a page is about


def test_a_page_in_chinese_has_its_words_at_controls_and_a_search(at):
    page = at("zh/softmax")
    assert page.find_element(By.CSS_SELECTOR, ".control label").text.startswith("正确答案")
    page.find_element(By.CSS_SELECTOR, ".sidebar-search").send_keys("交叉熵", webdriver.Keys.ENTER)
    found = "ul.search a[href*='softmax.html']"
    WebDriverWait(page, 20).until(lambda _: page.find_elements(By.CSS_SELECTOR, found))


def test_the_theme_is_switched(at):
    """The letters, the drawings and the cells of a matrix are legible in light and dark."""
    page = at("index")
    colours = []
    for theme in ("light", "dark"):
        page.execute_script("document.body.dataset.theme = arguments[0]", theme)
        style = "const style = getComputedStyle(document.querySelector('.control'));"
        colours.append(page.execute_script(f"{style} return [style.color, style.backgroundColor]"))
        letters, ground = ([int(x) for x in re.findall(r"\d+", colour)[:3]] for colour in colours[-1])
        assert abs(sum(letters) - sum(ground)) > 300
    assert colours[0] != colours[1]


@pytest.mark.parametrize("opened", LIVE, indirect=True)
def test_the_kernel_agrees_with_python(page):
    checks = page.execute_script(
        """
        const lines = [...document.querySelectorAll(".control .check")];
        return lines.map((line) => [line.dataset.state, line.textContent]);
        """
    )
    assert checks
    assert all(state == "pass" for state, _ in checks), checks


@pytest.mark.parametrize("opened", LIVE, indirect=True)
def test_every_slider_moves_a_number(page):
    still = page.execute_script(
        """
        const outputs = (control) => [...control.querySelectorAll("[data-output]")];
        const read = (control) => outputs(control).map((node) => node.textContent).join();
        const still = [];
        for (const control of document.querySelectorAll(".control")) {
          for (const { name } of [...control.querySelectorAll("input:not([data-view]):not(:disabled)")]) {
            const input = control.querySelector(`input[name=${name}]`);
            const [before, value] = [read(control), input.value];
            if (input.type === "checkbox") input.checked = !input.checked;
            else input.value = Number(input.min) + 0.31 * (Number(input.max) - Number(input.min));
            input.dispatchEvent(new Event("input", { bubbles: true }));
            const after = read(control);
            if (before === after || /NaN|Infinity/.test(after)) still.push(`${input.name}: ${before} to ${after}`);
            if (input.type === "checkbox") input.checked = !input.checked;
            else input.value = value;
            input.dispatchEvent(new Event("input", { bubbles: true }));
          }
        }
        return still;
        """
    )
    assert still == []


@pytest.mark.parametrize(
    ("name", "control", "setting", "shown", "output", "value"),
    [
        ("moco", "queue", "temperature", "0.07", "queue_pull", 65536 / (65536 + math.exp(0.6 / 0.07))),
        ("moco", "average", "momentum", "0.999", "kept", 0.999**256),
        ("without_negatives", "columns", "weight", "0.1", "floor", 8 * 0.1 * 0.6 / 1.06),
        ("byol", "phase", "noise", "0.25", "predictor", 1 / 1.25),
    ],
)
def test_the_number_that_a_slider_shows_is_computed_with(at, name, control, setting, shown, output, value):
    found = at(name).execute_script(
        """
        const [kind, setting, shown, output] = arguments;
        const control = [...document.querySelectorAll(`[data-control=${kind}]`)].pop();
        const input = control.querySelector(`input[name=${setting}]`);
        for (input.value = input.min; input.previousSibling.textContent !== shown; input.stepUp())
          input.dispatchEvent(new Event("input", { bubbles: true }));
        return control.querySelector(`[data-output=${output}]`).textContent;
        """,
        *(control, setting, shown, output),
    )
    assert found == f"{value:.{len(found.partition('.')[2])}f}"


def test_an_option_opens_its_answer(at):
    """A click on an option unfolds the answer, marks the right option, and is remembered."""
    page = at("softmax")
    page.execute_script("localStorage.clear()")
    page.refresh()
    question = page.find_element(By.CSS_SELECTOR, ".question")
    wrong = question.find_element(By.CSS_SELECTOR, ".wrong label")
    assert not question.find_element(By.CSS_SELECTOR, "details").get_attribute("open")
    page.execute_script("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", wrong)
    wrong.click()
    assert question.find_element(By.CSS_SELECTOR, "details").get_attribute("open")
    assert question.find_element(By.CSS_SELECTOR, ".answered").is_displayed()
    borders = [
        question.find_element(By.CSS_SELECTOR, f".{kind} label").value_of_css_property("border-top-color")
        for kind in ("right", "wrong")
    ]
    assert borders[0] != borders[1]
    page.refresh()
    assert page.find_element(By.CSS_SELECTOR, ".question details").get_attribute("open")
    page.execute_script("localStorage.clear()")


def test_a_formula_under_the_pointer_says_what_its_symbols_are(at):
    page = at("infonce")
    titles = page.execute_script("return [...document.querySelectorAll('.means')].map((span) => span.title)")
    assert any("τ: temperature" in title for title in titles)


def test_a_link_into_the_folded_part_opens_it(at):
    page = at("digits")
    assert not page.execute_script("return document.querySelector('#line-by-line details').open")
    page.execute_script("location.hash = 'M2'")
    WebDriverWait(page, 5).until(
        lambda _: page.execute_script("return document.querySelector('#line-by-line details').open")
    )


def test_the_check_can_fail(browser, tmp_path):
    """A kernel with a planted fault fails the check."""
    page = html.alone("anchor", html.control(("anchor",)))
    broken = tmp_path / "broken.html"
    broken.write_text(
        re.sub(r"Math\.log1p\(Math\.exp\(-", "Math.log1p(1e-9 + Math.exp(-", page), encoding="utf-8"
    )
    browser.get(broken.as_uri())
    assert browser.execute_script('return document.querySelector(".control .check").dataset.state') == "fail"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index", "softmax", "ledger/P", "cheat_sheet"])
def test_a_page_is_accessible(at, name, theme):
    """axe-core reports nothing serious or critical in what is written here."""
    page = at(name)
    page.execute_script("document.body.dataset.theme = arguments[0]", theme)
    found = Axe().run(page, {"include": [["article"]]})["violations"]
    shown = [(rule["id"], [node["html"][:90] for node in rule["nodes"]][:3]) for rule in found]
    assert [x for x, rule in zip(shown, found) if rule["impact"] in ("serious", "critical")] == []
