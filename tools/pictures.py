"""Draw the pictures of docs/: two figures, what `explain` draws for the digits of its page, the points of a lesson.

    python tools/pictures.py                      docs/*.svg
    python tools/pictures.py DIR/infonce.html     docs/lesson.png, the points that move in a lesson

DIR is what `infonce-ref lessons` built. Needs the extra `[all]`; the lesson needs Chromium.
"""

import contextlib
import re
import sys
import tempfile
from pathlib import Path

import numpy as np
from repository import DOCS, browser, show

import infonce_ref
from infonce_ref import figures
from infonce_ref.explanation import drawing
from infonce_ref.output import replace_all

FIGURES = ("gradient_against_similarity", "gradient_against_candidates")
WIDTH, HEIGHT = 940, 700


def curves_of_digits() -> str:
    """The table that docs/explain.md shows for two views of handwritten digits, as curves."""
    page = (DOCS / "explain.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"python -c '\n(import numpy.*?)'\n", page, re.S)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        exec(program, {})
        views, labels = np.load("views.npz"), np.load("labels.npy")
    found = infonce_ref.explain(*views.values(), labels=labels)
    return drawing.entries(found)["temperatures"].svg()


def photograph(page: Path, control: str) -> bytes:
    """The page as a PNG, scrolled to the text above that control."""
    above = "document.querySelector(`[data-control=${arguments[0]}]`).previousElementSibling"
    with browser("hide-scrollbars", f"window-size={WIDTH},{HEIGHT}") as driver:
        show(driver, page, WIDTH, HEIGHT)
        top = f"{above}.getBoundingClientRect().top + scrollY - 64"  # below the theme's bar
        driver.execute_script(f"scrollTo({{ top: {top}, behavior: 'instant' }})", control)
        driver.execute_script("document.querySelector('.back-to-top').remove()")
        return driver.get_screenshot_as_png()


def main(pages: list[str]) -> None:
    files: dict[str, str | bytes]
    if pages:
        files = {"lesson.png": photograph(Path(pages[0]), "geometry")}
    else:
        files = {f"{name}.svg": figures.load(name).svg() for name in FIGURES}
        files["explain.svg"] = curves_of_digits()
    for path in replace_all(DOCS, files):
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
