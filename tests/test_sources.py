"""The meaning of the letters in ids, wherever a reader first sees them."""

import re
from pathlib import Path

import infonce_ref
from infonce_ref.derivations.documents import DOCUMENTS

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
