"""Write the picture of each control for a reader without JavaScript: numbers and drawing at the sliders' initial
positions.

    python tools/control_stills.py

The browser draws them, and the page compares its numbers with Python's; a test compares the files with the
browser.
"""

import re
import tempfile
from pathlib import Path
from typing import Any

from repository import browser, show

from infonce_ref.derivations.pages import html
from infonce_ref.derivations.pages.controls import STILLS
from infonce_ref.derivations.pages.lesson import Directive, lessons

WIDTH = 480
LONG = re.compile(r"\d+\.\d{5,}")  # a number whose last digits depend on the machine

STILL = """
const chosen = (label) => label.querySelector("output") ?? label.querySelector("select").selectedOptions[0];
const said = (label) => `${label.firstChild.textContent} ${chosen(label).textContent}`;
const style = getComputedStyle(document.documentElement);
const tones = ["green", "violet", "red", "blue"].map((tone) => [tone, rgbOf(style.getPropertyValue(`--${tone}`))]);
// Each pixel of a canvas as a square, in the tone of the page that is nearest to its colour.
const drawing = (canvas) => {
  const size = canvas.width;
  const { data } = canvas.getContext("2d").getImageData(0, 0, size, size);
  const squares = {};
  for (const n of range(size * size)) {
    const pixel = data.slice(4 * n, 4 * n + 3);
    const far = ([, tone]) => sum(tone.map((x, part) => (x - pixel[part]) ** 2));
    const [tone] = tones.reduce((one, other) => (far(other) < far(one) ? other : one));
    const look = `fill="var(--${tone})" fill-opacity="${Math.round((20 * data[4 * n + 3]) / 255) / 20}"`;
    (squares[look] ??= []).push(`M${n % size},${Math.floor(n / size)}h1v1h-1z`);
  }
  const paths = Object.entries(squares).map(([look, cells]) => `<path ${look} d="${cells.join("")}"/>`);
  return `<svg class="cells" viewBox="0 0 ${size} ${size}" aria-hidden="true">${paths.join("")}</svg>`;
};
return [...document.querySelectorAll(".control")].map((control) => {
  const settings = [...control.querySelectorAll("label:not(.tick)")].map(said).join(", ");
  const ticks = [...control.querySelectorAll("label.tick")].filter((label) => label.firstChild.checked);
  const at = [settings, ...ticks.map((label) => label.textContent)].join("; ");
  for (const canvas of control.querySelectorAll("canvas")) canvas.outerHTML = drawing(canvas);
  for (const node of control.querySelectorAll("[role]")) { // nothing to be moved, nothing to be reached
    const live = node.getAttributeNames().filter((name) => /role|tabindex|aria|data/.test(name));
    for (const name of live) node.removeAttribute(name);
    if (node.tagName === "svg") node.setAttribute("aria-hidden", "true");
  }
  const parts = control.querySelectorAll(":scope > :is(.readouts, .views, svg, p.key:not(.live))");
  const check = "<p class=\\"key\\">Sliders that move this need JavaScript. Here they stand at: ";
  return `<div class="still">${check}${at}.</p>${[...parts].map((part) => part.outerHTML).join("")}</div>`;
});
"""


def list_controls() -> list[tuple[str, ...]]:
    """The controls of all lessons and of the course, each with its initial settings."""
    blocks = (block for lesson in lessons().values() for block in lesson.blocks)
    found = (b.arguments for b in blocks if isinstance(b, Directive) and b.name == "control")
    return [("course",), *dict.fromkeys(found)]


def draw(driver: Any, folder: Path) -> dict[str, str]:
    """The browser's drawing of each control, by file name."""
    page = folder / "controls.html"
    controls = list_controls()
    body = "\n".join(map(html.control, controls))
    kinds = sorted({kind for kind, *_ in controls})
    page.write_text(html.document(title="Controls", header="", body=body, controls=kinds), encoding="utf-8")
    show(driver, page, WIDTH, 900)
    names = [f"{'_'.join(control)}.html" for control in controls]
    stills = [LONG.sub(lambda x: f"{float(x[0]):.4f}", still) for still in driver.execute_script(STILL)]
    return dict(zip(names, stills, strict=True))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, browser("disable-gpu") as driver:
        stills = draw(driver, Path(folder))
    STILLS.mkdir(exist_ok=True)
    for old in STILLS.glob("*.html"):
        old.unlink()
    for name, still in stills.items():
        (STILLS / name).write_text(still + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
