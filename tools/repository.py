"""Parts that the programs of this folder share: the paths of the repository, tables, and a headless browser."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
sys.path.append(str(ROOT / "tests"))  # public_bugs reads the planted bugs from there


def write_table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    return "".join(f"| {' | '.join(line)} |\n" for line in [head, ["---"] * len(head), *rows])


@contextmanager
def browser(*switches: str) -> Iterator[Any]:
    """Run Chromium with these switches and its logs, and close it at the end."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for switch in ("headless", "no-sandbox", *switches):
        options.add_argument(f"--{switch}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


def show(driver: Any, page: Path, width: int, height: int) -> None:
    """Open a file with this size in pixels of the page."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    driver.get(page.absolute().as_uri())
