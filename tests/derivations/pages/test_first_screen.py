"""The control at the top of each lesson, on a phone: control and picture are on one screen."""

import pytest

from infonce_ref.derivations.pages import html
from infonce_ref.derivations.pages.lesson import lessons

pytestmark = pytest.mark.slow

PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}


def test_control_and_picture_are_on_one_screen(browser, tmp_path):
    """On a page with only these controls, as wide as a phone."""
    controls = [lesson.blocks[0] for lesson in lessons().values()]
    page = html.alone("tops", "".join(html.control(c.arguments, c.caption) for c in controls))
    (tmp_path / "tops.html").write_text(page, encoding="utf-8")
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    browser.get((tmp_path / "tops.html").as_uri())
    heights = browser.execute_script(
        """
        return [...document.querySelectorAll(".control")].map((control) => {
          const needed = [...control.querySelectorAll("input, button, .readouts dd"), control.querySelector("svg")];
          const ends = needed.map((node) => node.getBoundingClientRect().bottom);
          return Math.max(...ends) - control.getBoundingClientRect().top;
        });
        """
    )
    assert len(heights) == len(lessons())
    assert all(100 < height <= PHONE["height"] for height in heights), heights
