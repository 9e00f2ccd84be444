"""Points on the sphere follow the pointer, and are not drawn with numbers that Python does not confirm."""

from functools import cache

import numpy as np
import pytest
from axe_core_python.selenium import Axe
from selenium import webdriver

from infonce_ref.derivations.pages import course, html
from infonce_ref.derivations.pages.geometry import DECLARED

PRESETS = ("anchor", "sphere")


@cache
def page(*presets):
    """A page with only controls, without the rest of a lesson."""
    controls = (html.control(("geometry", f"preset={preset}")) for preset in presets)
    return html.alone("Points", "".join(controls))


@cache
def explorable():
    """A page with the explorable of the course alone."""
    return html.alone("Explore", html.control(("course",), course.QUESTION))


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
    """With reduced motion a run ends at once; each step lowers the loss."""
    browser = opened(motion="reduce")
    before = read(browser, "loss")
    buttons = browser.find_elements("css selector", ".control:first-of-type .buttons button")
    run, reset = (next(b for b in buttons if b.text == text) for text in ("Run", "Reset"))
    run.click()
    # the anchor is in its own denominator, so the loss is at least log 2
    assert np.log(2) < read(browser, "loss") < before - 0.3
    reset.click()
    assert read(browser, "loss") == before


# --- the explorable of the course ---------------------------------------------------------------------------


@pytest.fixture
def explored(opened):
    """The page of the explorable; attempt(title) presses one of its buttons, and read_all returns the numbers
    it shows.
    """
    browser = opened(explorable(), motion="reduce")

    def press(title):
        (button,) = (b for b in browser.find_elements("css selector", ".buttons button") if b.text == title)
        button.click()

    return browser, press


def places(browser):
    return browser.execute_script(
        "return [...document.querySelectorAll('.point')].map((point) => point.getAttribute('transform'))"
    )


@pytest.mark.slow
def test_every_experiment_goes_down(explored):
    browser, press = explored
    for experiment in course.EXPERIMENTS:
        press(experiment.title)
        before = read(browser, "loss")
        press("Anneal" if "Anneal" in experiment.words else "Run")
        assert read(browser, "loss") < before, experiment.title
        assert browser.find_element("css selector", ".tried").text == experiment.words
        assert browser.execute_script(
            "return [...document.querySelectorAll('.tries [aria-pressed=true]')].map((b) => b.textContent)"
        ) == [experiment.title]


def test_attraction_alone_collapses(explored):
    browser, press = explored
    press("Collapse")
    press("Run")
    assert read(browser, "mean") > 0.95  # the limit is 1, and a run ends after 1000 steps


def test_keys_of_a_queue_do_not_move(explored):
    browser, press = explored
    press("Queue")
    before = places(browser)
    press("Run")
    after = places(browser)
    pairs = len(before) // 2
    assert before[pairs:] == after[pairs:]
    assert all(one != other for one, other in zip(before[:pairs], after[:pairs], strict=True))


def test_a_switch_that_a_loss_does_not_have_is_refused(explored):
    browser, _ = explored
    for loss, declared in DECLARED.items():
        browser.execute_script(
            "const select = document.querySelector('select'); select.value = arguments[0];"
            "select.dispatchEvent(new Event('change'))",
            loss,
        )
        offered = browser.execute_script(
            "return ['mask', 'local', 'queue'].filter((name) => document.querySelector(`input[name=${name}]`))"
        )
        assert set(offered) == set(declared.switches), loss
        assert len(browser.find_elements("css selector", "input:disabled")) == 3 - len(offered)


@pytest.mark.parametrize("right", ["(G[k][j] + G[j][k])", "[wrong, right] = [sigmoid(lead)"])
def test_wrong_numbers_are_not_drawn(opened, right):
    """A force or a probability that deviates from Python's by 1 part in 10⁹."""
    wrong = page(*PRESETS).replace(right, f"{right} * (1 + 1e-9)", 1)
    assert wrong != page(*PRESETS)
    browser = opened(wrong)
    states = browser.execute_script(
        "return [...document.querySelectorAll('.check')].map((c) => c.dataset.state)"
    )
    assert states == ["fail", "fail"]
    assert browser.find_elements("css selector", ".views, .control input") == []


@pytest.mark.parametrize("make", [lambda: page(*PRESETS), explorable], ids=["lessons", "course"])
def test_the_controls_are_accessible(opened, make):
    """axe-core reports nothing serious or critical."""
    found = Axe().run(opened(make()))["violations"]
    assert [rule["id"] for rule in found if rule["impact"] in ("serious", "critical")] == []
