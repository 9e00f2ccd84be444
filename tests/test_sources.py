"""The meaning of an id's letters, wherever a reader first meets them."""

import re
from html import unescape
from pathlib import Path

import infonce_ref
from infonce_ref.derivations.documents import DOCUMENTS
from infonce_ref.derivations.pages import html

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_readme_names_the_documents_as_the_ledger_does():
    named = re.findall(r"^- \*\*(\w+)\*\*: \*(.+?)\*, (.+)$", README, re.M)
    assert len(named) >= 7
    for name, title, about in named:
        assert DOCUMENTS[name][:2] == (title, about)


def test_the_package_names_the_documents_as_the_ledger_does():
    """A docstring with "Source: D3" uses the ledger's name."""
    named = re.findall(r"^    ([A-Z]\d?) +(.+)$", infonce_ref.__doc__, re.M)
    assert len(named) >= 7
    for name, words in named:
        assert words.startswith(DOCUMENTS[name].title)


def test_the_index_of_the_lessons_names_them():
    page = unescape(html.index({}))
    for name, document in DOCUMENTS.items():
        link = f"<a href='sources.html#{name}'>{name}</a>"
        assert f"<dt>{link}</dt><dd><cite>{document.title}</cite>: {document.about}</dd>" in page
