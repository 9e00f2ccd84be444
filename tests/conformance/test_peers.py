"""docs/peers.md agrees with the installed libraries."""

import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import peers
import pytest
from conformance import test_of_maintainers

TABLE = [line.split(" | ") for line in peers.PAGE.read_text(encoding="utf-8").splitlines() if "| `" in line]


def row(peer):
    call = f"`{peer.shown}`" + (f", {peer.inputs}" if peer.inputs else "")
    found = [cells for cells in TABLE if cells[0].startswith(f"| {peer.distribution} ") and cells[1] == call]
    return found[0] if found else None


def test_enough_peers_were_checked():
    assert len({cells[0] for cells in TABLE}) >= 10
    assert len(TABLE) >= 15


@pytest.mark.parametrize("peer", peers.PEERS, ids=lambda peer: peer.shown)
def test_each_peer_is_on_the_page(peer):
    text = peers.PAGE.read_text(encoding="utf-8")
    assert row(peer) or f"- {peer.distribution}, `{peer.shown}`: " in text


def installed(peer):
    """Whether it is installed in the version of the page."""
    try:
        return row(peer) is not None and row(peer)[0] == f"| {peer.distribution} {version(peer.distribution)}"
    except PackageNotFoundError:
        return False


# Often none, and then pytest 8.0 would still call a function of names.
INSTALLED = list(filter(installed, peers.PEERS))


@pytest.mark.parametrize("peer", INSTALLED, ids=[peer.shown for peer in INSTALLED])
def test_each_installed_peer_gets_the_name_on_the_page(peer):
    found = peers.formula(peers.ask(peer, tiers=("formula",)))
    digits = re.compile(r"[\d.]+")  # the residual of the nearest formula, if none fits
    assert digits.sub("", found.replace("|", "\\|")) == digits.sub("", row(peer)[2])


def test_the_page_of_check_shows_rows_of_the_maintainers_file():
    page = (peers.DOCS / "check.md").read_text(encoding="utf-8")
    words, shown = re.search(r"for losses of (\w+) libraries.*?```\n(.*?)```", page, re.S).groups()
    assert shown in Path(test_of_maintainers.__file__).read_text(encoding="utf-8")
    libraries = {module.partition(".")[0] for module, *_ in test_of_maintainers.CASES}
    assert words == {7: "seven"}[len(libraries)]
