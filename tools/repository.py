"""What the programs of this folder share: where the repository's files are, and a browser without a window."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
sys.path.append(str(ROOT / "tests"))  # public_bugs reads the planted mistakes


@contextmanager
def browser(*switches: str) -> Iterator[Any]:
    """Chromium with these switches, closed at the end."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for switch in ("headless", "no-sandbox", *switches):
        options.add_argument(f"--{switch}")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


def show(driver: Any, page: Path, width: int, height: int) -> None:
    """Open a file at this size in pixels of the page."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    driver.get(page.absolute().as_uri())
