"""The meaning of the letters in ids, wherever a reader first sees them."""

import re
from html import unescape
from pathlib import Path

import pytest

import infonce_ref
from infonce_ref.derivations.documents import DOCUMENTS
from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.derivations.pages import book, site
from infonce_ref.derivations.pages.claim_card import check_card
from infonce_ref.derivations.pages.lesson import first_page, lessons

SOURCES = Path(__file__).parent.parent / "docs" / "trust.md"


def test_the_list_of_sources_names_the_documents_as_the_ledger_does():
    named = re.findall(r"^- \*\*(\w+)\*\*: \*(.+?)\*, (.+)$", SOURCES.read_text(encoding="utf-8"), re.M)
    assert named == [(name, *document[:2]) for name, document in DOCUMENTS.items()]


def test_the_package_names_the_documents_as_the_ledger_does():
    """A docstring with "Source: D3" uses the ledger's name."""
    named = re.findall(r"^    ([A-Z]\d?) +(.+)$", infonce_ref.__doc__, re.M)
    assert len(named) >= 7
    for name, words in named:
        assert words.startswith(DOCUMENTS[name].title)


@pytest.mark.slow
def test_the_first_page_names_them():
    shown = {*re.findall(r"\w+\.\d+", str(first_page()))} & {*CLAIMS}
    cards = book.index_standing(map(check_card, sorted(shown)))
    first = site.Page(first_page(), cards, lambda _: None, lessons())
    page = unescape(site.write_index(first, ["explore"], cards, whole=True))
    for name, document in DOCUMENTS.items():
        link = f"<a href='ledger/{name}.html'>{name}</a>"
        assert f"<dt>{link}</dt><dd><cite>{document.title}</cite>: {document.about}</dd>" in page
