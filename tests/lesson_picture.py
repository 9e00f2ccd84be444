"""Photographs a lesson for the README: python tests/lesson_picture.py [DIR/infonce.html].

The page is what infonce-ref lessons built. Writes docs/lesson.png: the points that move, and the words before them.
Needs Chromium, as the browser's tests do.
"""

import shutil
import sys
from pathlib import Path

from selenium import webdriver

SHOWN = Path(__file__).parent.parent / "docs" / "lesson.png"
WIDTH, HEIGHT = 940, 700


def photograph(page: Path, control: str) -> bytes:
    """The page as a PNG, scrolled to what stands before that control."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for switch in ("headless", "no-sandbox", "hide-scrollbars", f"window-size={WIDTH},{HEIGHT}"):
        options.add_argument(f"--{switch}")
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        metrics = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        browser.get(page.absolute().as_uri())
        above = "document.querySelector(`[data-control=${arguments[0]}]`).previousElementSibling"
        browser.execute_script(f"scrollTo(0, {above}.getBoundingClientRect().top + scrollY - 16)", control)
        return browser.get_screenshot_as_png()
    finally:
        browser.quit()


if __name__ == "__main__":
    SHOWN.write_bytes(photograph(Path(*sys.argv[1:] or ["lessons-out/infonce.html"]), "geometry"))
