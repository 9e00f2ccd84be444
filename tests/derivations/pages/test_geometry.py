"""Points on the sphere: the pages show the library's forces, which follow the moved points."""

from functools import cache

import numpy as np
import pytest

from infonce_ref.derivations.pages import cards, controls, geometry, html
from infonce_ref.derivations.pages.lesson import Directive, Lesson
from infonce_ref.losses import ALL

PRESETS = ("anchor", "sphere")


# --- the numbers ----------------------------------------------------------------------------------------


def of_library(loss, points, settings):
    """The library's loss, and minus its gradient by each point, along the sphere."""
    declared = cards.points()[loss]
    rows = declared.inputs(len(points), settings)
    arrays = {name: np.array(geometry.take(points.tolist(), of)) for name, of in rows.items()}
    options = declared.arguments(len(points), settings)
    if loss == "supcon":
        options["labels"] = np.array(options["labels"])
    value, cache = ALL[loss].forward(**arrays, **options)
    gradients, pulls = ALL[loss].backward(cache), np.zeros_like(points)
    for name, of in rows.items():
        for place, point in geometry.places(of):
            pulls[point] -= getattr(gradients, name)[place]
    return value, pulls - np.sum(pulls * points, axis=1, keepdims=True) * points


def test_the_forces_are_the_library_s():
    """For every loss: the page compares its own with the proofs', at 50 digits."""
    for reference in controls.references("geometry"):
        settings = dict(reference["state"])
        loss, points = settings.pop("loss"), np.array(settings.pop("points"), dtype=float)
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        value, forces = of_library(loss, points, settings)
        if weight := settings.get("uniformity"):
            more = of_library("uniformity", points, {"temperature": 0.25})  # t = 2
            value, forces = value + weight * more[0], forces + weight * more[1]
        expected = reference["expected"]
        # 17 points of six rows, logits up to 10: rounding alone
        np.testing.assert_allclose(value, expected["loss"][0], rtol=1e-12, err_msg=loss)
        np.testing.assert_allclose(forces, np.array(expected["forces"])[..., 0], atol=1e-13, err_msg=loss)


# --- the page -------------------------------------------------------------------------------------------


@cache
def page(*presets):
    """Controls alone, without the rest of a lesson."""
    blocks = tuple(Directive("control", ("geometry", f"preset={preset}")) for preset in presets)
    return html.Page(Lesson("points", 1, "Points", "", blocks), {}, lambda name: None, ["points"]).html()


@pytest.fixture
def opened(browser, tmp_path):
    def open_page(text=None, motion="no-preference"):
        (tmp_path / "points.html").write_text(text or page(*PRESETS), encoding="utf-8")
        media = {"features": [{"name": "prefers-reduced-motion", "value": motion}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        browser.get((tmp_path / "points.html").as_uri())
        return browser

    return open_page


def read(browser, output):
    return float(
        browser.execute_script(f"return document.querySelector('[data-output={output}]').textContent")
    )


def arrows(browser):
    return browser.execute_script("return document.querySelector('.arrows').getAttribute('d')")


def test_a_point_is_dragged(opened):
    webdriver = pytest.importorskip("selenium.webdriver")
    browser = opened()
    before = read(browser, "loss"), arrows(browser)
    point = browser.find_element("css selector", "[data-point='0']")
    webdriver.ActionChains(browser).drag_and_drop_by_offset(point, -40, 10).perform()
    assert read(browser, "loss") != before[0]
    assert arrows(browser) != before[1]


def test_a_point_is_moved_by_the_keyboard(opened):
    browser = opened()
    before = read(browser, "loss"), arrows(browser)
    point = browser.find_element("css selector", "[data-point='2']")
    angle = int(point.get_attribute("aria-valuenow"))
    point.send_keys("\ue014")  # the arrow to the right
    assert int(point.get_attribute("aria-valuenow")) == angle + 5
    assert (read(browser, "loss"), arrows(browser)) != before
    assert browser.switch_to.active_element == point


def test_a_run_goes_down_and_a_reset_back(opened):
    """With reduced motion a run ends at once: 200 steps, and each lowers the loss."""
    browser = opened(motion="reduce")
    before = read(browser, "loss")
    run, reset = browser.find_elements("css selector", ".buttons button")[:2]
    run.click()
    assert (
        np.log(2) < read(browser, "loss") < before - 0.3
    )  # the anchor in its own denominator: never below log 2
    reset.click()
    assert read(browser, "loss") == before


def test_an_animation_runs_until_it_is_stopped(opened):
    browser = opened()
    before = read(browser, "loss")
    run = browser.find_element("css selector", ".buttons button")
    run.click()
    pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait(browser, 20).until(
        lambda _: read(browser, "loss") < before
    )
    run.click()
    assert run.text == "Run"
    stopped = read(browser, "loss")
    browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    assert read(browser, "loss") == stopped


@pytest.mark.parametrize("right", ["(G[k][j] + G[j][k])", "P[p] = sigmoid(-lead)"])
def test_wrong_numbers_are_not_drawn(opened, right):
    """A force or a probability that differs from Python's by a part in 10⁹."""
    wrong = page(*PRESETS).replace(right, f"{right} * (1 + 1e-9)", 1)
    assert wrong != page(*PRESETS)
    browser = opened(wrong)
    states = browser.execute_script(
        "return [...document.querySelectorAll('.check')].map((c) => c.dataset.state)"
    )
    assert states == ["fail", "fail"]
    assert browser.find_elements("css selector", ".views, .control input") == []


def test_the_controls_are_accessible(opened):
    """axe-core reports nothing serious or critical."""
    axe = pytest.importorskip("axe_core_python.selenium").Axe()
    found = axe.run(opened())["violations"]
    assert [rule["id"] for rule in found if rule["impact"] in ("serious", "critical")] == []
