"""Photograph a lesson for the README: the points that move, and the words before them.

    python tools/lesson_picture.py [DIR/infonce.html]

The page is one that `infonce-ref lessons` built. Writes docs/lesson.png. Needs Chromium, as the browser's tests do.
"""

import sys
from pathlib import Path

from repository import DOCS, browser, show

WIDTH, HEIGHT = 940, 700


def photograph(page: Path, control: str) -> bytes:
    """The page as a PNG, scrolled to what stands before that control."""
    above = "document.querySelector(`[data-control=${arguments[0]}]`).previousElementSibling"
    with browser("hide-scrollbars", f"window-size={WIDTH},{HEIGHT}") as driver:
        show(driver, page, WIDTH, HEIGHT)
        driver.execute_script(f"scrollTo(0, {above}.getBoundingClientRect().top + scrollY - 16)", control)
        return driver.get_screenshot_as_png()


if __name__ == "__main__":
    page = Path(*sys.argv[1:] or ["lessons-out/infonce.html"])
    (DOCS / "lesson.png").write_bytes(photograph(page, "geometry"))
