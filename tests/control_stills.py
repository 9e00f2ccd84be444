"""Writes what a reader without JavaScript sees of each control: readouts and picture where the sliders start.

    python tests/control_stills.py

The browser draws them, whose numbers the page compares with Python's; a test holds the files against the browser.
"""

import shutil
import tempfile
from pathlib import Path

from selenium import webdriver

from infonce_ref.derivations.pages import html
from infonce_ref.derivations.pages.controls import STILLS
from infonce_ref.derivations.pages.lesson import Directive, Lesson, lessons

WIDTH = 480

STILL = """
const said = (label) => `${label.firstChild.textContent} ${label.querySelector("output").textContent}`;
return [...document.querySelectorAll(".control")].map((control) => {
  const settings = [...control.querySelectorAll("label:not(.tick)")].map(said).join(", ");
  const ticks = [...control.querySelectorAll("label.tick")].filter((label) => label.firstChild.checked);
  const at = [settings, ...ticks.map((label) => label.textContent)].join("; ");
  const parts = control.querySelectorAll(".readouts, svg, p.key");
  const check = "<p class=\\"key\\">Sliders that move this need JavaScript. Here they stand at: ";
  return `<div class="still">${check}${at}.</p>${[...parts].map((part) => part.outerHTML).join("")}</div>`;
});
"""


def directives() -> list[Directive]:
    """The controls of all lessons, each with what it starts with."""
    blocks = (block for lesson in lessons().values() for block in lesson.blocks)
    return list(dict.fromkeys(b for b in blocks if isinstance(b, Directive) and b.name == "control"))


def drawn(browser: webdriver.Chrome, folder: Path) -> dict[str, str]:
    """What the browser draws of each, by the names of their files."""
    page = folder / "controls.html"
    lesson = Lesson("controls", 1, "Controls", "", tuple(directives()))
    page.write_text(html.Page(lesson, {}, lambda name: None, ["controls"]).html(), encoding="utf-8")
    metrics = {"width": WIDTH, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.get(page.as_uri())
    names = [f"{'_'.join(control.arguments)}.html" for control in directives()]
    return dict(zip(names, browser.execute_script(STILL), strict=True))


def main() -> None:
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for switch in ("headless", "no-sandbox", "disable-gpu"):
        options.add_argument(f"--{switch}")
    browser = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        with tempfile.TemporaryDirectory() as folder:
            stills = drawn(browser, Path(folder))
    finally:
        browser.quit()
    STILLS.mkdir(exist_ok=True)
    for old in STILLS.glob("*.html"):
        old.unlink()
    for name, still in stills.items():
        (STILLS / name).write_text(still + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
