"""docs/peers.md says what the libraries that are installed here compute."""

import re
from importlib.metadata import PackageNotFoundError, version

import peers
import pytest

TABLE = [line.split(" | ") for line in peers.PAGE.read_text(encoding="utf-8").splitlines() if "| `" in line]


def row(peer):
    call = f"`{peer.shown}`" + (f", {peer.inputs}" if peer.inputs else "")
    found = [cells for cells in TABLE if cells[0].startswith(f"| {peer.distribution} ") and cells[1] == call]
    return found[0] if found else None


def test_enough_of_them_were_asked():
    assert len({cells[0] for cells in TABLE}) >= 10
    assert len(TABLE) >= 15


@pytest.mark.parametrize("peer", peers.PEERS, ids=lambda peer: peer.shown)
def test_each_is_in_the_page(peer):
    text = peers.PAGE.read_text(encoding="utf-8")
    assert row(peer) or f"- {peer.distribution}, `{peer.shown}`: " in text


def installed(peer):
    """Whether it is here in the version that the page is about."""
    try:
        return row(peer) is not None and row(peer)[0] == f"| {peer.distribution} {version(peer.distribution)}"
    except PackageNotFoundError:
        return False


@pytest.mark.parametrize("peer", list(filter(installed, peers.PEERS)), ids=lambda peer: peer.shown)
def test_each_that_is_installed_is_named_as_the_page_has_it(peer):
    found = peers.formula(peers.ask(peer, tiers=("formula",)))
    digits = re.compile(r"[\d.]+")  # of the nearest formula, where none fits
    assert digits.sub("", found.replace("|", "\\|")) == digits.sub("", row(peer)[2])
