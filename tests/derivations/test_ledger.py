"""Every equation and claim of the documents has a verdict, and every id that is cited exists."""

from pathlib import Path

from infonce_ref.derivations.claims import order
from infonce_ref.derivations.ledger import CLAIMS, citations, settle
from infonce_ref.derivations.pages import markdown
from infonce_ref.derivations.pages.book import homes, shown
from infonce_ref.derivations.pages.lesson import lessons

LAST = {"D1.": 15, "D2.": 18, "D3.": 47, "D4.": 25, "P": 5, "M": 26, "S": 4}  # the documents' last rows
FIRST = {"D1.": 0}  # the others begin at 1
SPLIT = {"D2.15": "ab", "D3.33": "abcde"}  # rows of several statements
BESIDE = {"D2.4b"}


def expected() -> set[str]:
    ids = {f"{name}{number}" for name, last in LAST.items() for number in range(FIRST.get(name, 1), last + 1)}
    return (
        (ids - set(SPLIT)) | {row + letter for row, letters in SPLIT.items() for letter in letters} | BESIDE
    )


def test_no_row_is_missing_and_none_is_made_up():
    assert set(CLAIMS) == expected()


def test_every_id_that_code_or_figures_cite_is_a_claim():
    unknown = {id: places[0] for id, places in citations().items() if id not in CLAIMS}
    assert unknown == {}


def test_every_claim_is_shown_whole_in_one_lesson():
    assert set(homes()) == set(CLAIMS)
    assert len([id for lesson in lessons().values() for id in shown(lesson)]) == len(CLAIMS)


def test_ids_are_in_the_order_of_reading():
    assert sorted(["D2.15b", "D2.4b", "M10", "D2.15a", "M9", "D2.4"], key=order) == [
        "D2.4",
        "D2.4b",
        "D2.15a",
        "D2.15b",
        "M9",
        "M10",
    ]


def test_the_page_of_the_ledger_is_what_the_evidence_says_today():
    """`infonce-ref ledger --markdown docs/ledger.md` writes it: whoever changes what a claim says changes it there."""
    page = (Path(__file__).parents[2] / "docs" / "ledger.md").read_text(encoding="utf-8")
    assert page == markdown.ledger(map(settle, sorted(CLAIMS.values(), key=lambda claim: order(claim.id))))
