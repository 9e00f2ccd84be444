"""Fixtures: the lessons, built once, and a browser that opens them without a network."""

from collections.abc import Callable
from pathlib import Path

import pytest
import repository

from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.derivations.pages import site, translation
from infonce_ref.derivations.record import ClaimCard
from infonce_ref.figures import load
from infonce_ref.output import replace_all


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that need every page as slow: building them takes minutes."""
    for item in items:
        if "made" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def made(find_card: Callable[[str], ClaimCard]) -> dict[str, str | bytes]:
    """The source of every page by its path."""
    return site.sources([], map(find_card, CLAIMS), load, {"mistakes": lambda: "# Mistakes, by name\n"})


@pytest.fixture(scope="session")
def built(
    tmp_path_factory: pytest.TempPathFactory,
    made: dict[str, str | bytes],
    find_card: Callable[[str], ClaimCard],
) -> dict[str, Path]:
    """The file of every page, in every language, by its path without the suffix; Sphinx gives no warning."""
    folder = tmp_path_factory.mktemp("site")
    replace_all(folder / "source", made)
    assert site.build(folder / "source", folder / "html", folder / "read") == []
    for language in map(translation.Language, translation.LANGUAGES):
        source, out = folder / f"source_{language.code}", folder / "html" / language.folder
        replace_all(source, site.translate(language, map(find_card, CLAIMS), load))
        assert site.build(source, out, folder / f"read_{language.code}", language) == []
    replace_all(folder / "html", translation.link_languages(folder / "html"))
    pages = (folder / "html").rglob("*.html")
    return {path.relative_to(folder / "html").with_suffix("").as_posix(): path for path in pages}


@pytest.fixture(scope="session")
def browser():
    """Debian's chromium, headless, offline, with its log."""
    quiet = "no-first-run disable-background-networking disable-component-update disable-sync disable-quic"
    with repository.browser("disable-gpu", "disable-dev-shm-usage", *quiet.split()) as session:
        session.execute_cdp_cmd("Network.enable", {})
        blocked = [f"{protocol}://*" for protocol in ("http", "https", "ws", "wss")]
        session.execute_cdp_cmd("Network.setBlockedURLs", {"urls": blocked})
        yield session
