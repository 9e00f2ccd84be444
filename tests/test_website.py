"""The documents as pages of the website."""

import re
from posixpath import dirname, normpath

import pytest
import website

from infonce_ref.derivations.ledger import choose, settle
from infonce_ref.derivations.pages import card, export


def test_formulas_become_mathml_and_links_lead_to_pages():
    where = {"check.md": "check.html"}.get
    text = "A $`1 < \\tau`$ in [a page](check.md), [its part](check.md#part), [a room](../infonce_ref), [far](https://a.b)."
    html = website.render(text, where)
    assert "<math>" in html
    assert "$" not in html
    assert '<a href="check.html">a page</a>, <a href="check.html#part">its part</a>, a room' in html
    assert '<a href="https://a.b">far</a>' in html


@pytest.mark.slow
def test_every_document_is_a_page_that_leads_to_pages():
    texts = website.read_documents() | dict.fromkeys(
        website.WRITTEN_HERE, "# Written when the website is built"
    )
    ledger = {"M": export.markdown([card.make_card(settle(choose(["M6"])[0]))])["M.md"]}
    files = dict(website.build_documents(texts, ledger))
    assert "M6" in files["docs/ledger/M.html"]
    pages = {name: text for name, text in files.items() if name.endswith(".html")}
    assert len(pages) == len(texts) + len(ledger) + 1
    for name, text in pages.items():
        for link in re.findall(r"""<(?:a href|img src)=["'](?!https?:)([^"'#]+)""", text):
            target = normpath(f"{dirname(name)}/{link}")
            assert target in files or target == "index.html", f"{name} leads to {link}"
