"""Every equation and claim of the documents has a verdict, and every cited id exists."""

import re

import pytest

from infonce_ref.derivations.documents import DOCUMENTS, order, parts
from infonce_ref.derivations.ledger import CLAIMS, citations
from infonce_ref.derivations.pages import export
from infonce_ref.derivations.pages.book import find_homes, list_shown
from infonce_ref.derivations.pages.card import make_card
from infonce_ref.derivations.pages.lesson import lessons

# The claims that were listed before any was proved; later documents number theirs themselves.
# the numbers of the documents' last rows
LAST = {"D1.": 15, "D2.": 18, "D3.": 49, "D4.": 28, "P": 5, "M": 40, "S": 4}
FIRST = {"D1.": 0}  # the number of the first row; 1 in the other documents
SPLIT = {"D2.15": "ab", "D3.33": "abcde"}  # rows with several statements
BESIDE = {"D2.4b"}


def expected() -> set[str]:
    ids = {f"{name}{number}" for name, last in LAST.items() for number in range(FIRST.get(name, 1), last + 1)}
    return (
        (ids - set(SPLIT)) | {row + letter for row, letters in SPLIT.items() for letter in letters} | BESIDE
    )


def test_the_rows_of_the_first_documents_are_complete():
    assert {id for id in CLAIMS if f"{parts(id)[0]}." in LAST or parts(id)[0] in LAST} == expected()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_rows_of_a_document_are_numbered_without_a_gap(document):
    numbers = {parts(id)[1] for id in CLAIMS if parts(id)[0] == document}
    assert numbers == set(range(min(numbers), max(numbers) + 1))


def test_every_id_that_code_or_figures_cite_is_a_claim():
    unknown = {id: places[0] for id, places in citations().items() if id not in CLAIMS}
    assert unknown == {}


def test_every_claim_is_shown_whole_in_one_lesson():
    assert set(find_homes()) == set(CLAIMS)
    assert len([id for lesson in lessons().values() for id in list_shown(lesson)]) == len(CLAIMS)


def test_ids_follow_the_order_of_reading():
    assert sorted(["D2.15b", "D2.4b", "M10", "D2.15a", "M9", "D2.4"], key=order) == [
        "D2.4",
        "D2.4b",
        "D2.15a",
        "D2.15b",
        "M9",
        "M10",
    ]


@pytest.mark.slow
def test_the_ledger_is_written_as_a_page_for_each_document(settled):
    ids = sorted(CLAIMS, key=lambda id: ([*DOCUMENTS].index(parts(id)[0]), order(id)))
    pages = export.markdown(make_card(settled(id)) for id in ids)
    assert list(pages) == [f"{document}.md" for document in DOCUMENTS]
    headings = [id for page in pages.values() for id in re.findall(r"^\*\*(\S+)\*\* · ", page, re.M)]
    assert headings == ids
