"""Fixtures: the lessons, built once, and a browser that opens them without a network."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from infonce_ref.derivations import pages
from infonce_ref.derivations.ledger import CLAIMS, Settled
from infonce_ref.figures import load
from infonce_ref.output import replace_all


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that need every page as slow: building them takes half a minute."""
    for item in items:
        if "made" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def made(settled: Callable[[str], Settled]) -> dict[str, str]:
    """The text of every page by its name, before it is packed."""
    return pages.texts([], map(settled, CLAIMS), load)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, made: dict[str, str]) -> dict[str, Path]:
    """The file of every page by its name."""
    written = replace_all(tmp_path_factory.mktemp("lessons"), pages.files(made))
    return {path.stem: path for path in written if path.suffix == ".html"}


@pytest.fixture(scope="session")
def browser():
    """Debian's chromium, headless, offline, with its log."""
    chromium, driver = (shutil.which(name) for name in ("chromium", "chromedriver"))
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for switch in ("headless", "no-sandbox", "disable-gpu", "no-first-run", "disable-dev-shm-usage"):
        options.add_argument(f"--{switch}")
    for switch in (
        "disable-background-networking",
        "disable-component-update",
        "disable-sync",
        "disable-quic",
    ):
        options.add_argument(f"--{switch}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    session = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    session.execute_cdp_cmd("Network.enable", {})
    session.execute_cdp_cmd(
        "Network.setBlockedURLs", {"urls": ["http://*", "https://*", "ws://*", "wss://*"]}
    )
    yield session
    session.quit()
