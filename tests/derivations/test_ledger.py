"""Every equation and claim of the documents has a verdict, and every cited id exists."""

import re
import subprocess
import sys

import pytest

from infonce_ref.derivations import record
from infonce_ref.derivations.documents import DOCUMENTS, order, parts
from infonce_ref.derivations.ledger import (
    CLAIMS,
    choose,
    find_id,
)
from infonce_ref.derivations.pages import export
from infonce_ref.derivations.pages.book import list_shown
from infonce_ref.derivations.pages.claim_card import make_card
from infonce_ref.derivations.pages.lesson import lessons
from infonce_ref.derivations.sources import citations
from infonce_ref.derivations.symbols import TABLE

# the numbers of the last rows of the documents that were listed before any claim was proved
LAST = {"D1": 15, "D2": 18, "D3": 49, "D4": 28, "P": 5, "M": 41, "S": 4}
SPLIT = {
    "D2.4b",
    "D2.15a",
    "D2.15b",
    *(f"D3.33{letter}" for letter in "abcde"),
}  # rows with several statements


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_rows_of_a_document_are_complete(document):
    """Without a gap, and no other; our own documents may go on."""
    numbers = {parts(id)[1] for id in CLAIMS if parts(id)[0] == document}
    first = 0 if document == "D1" else 1
    assert numbers == set(range(first, max(numbers) + 1))
    assert max(numbers) == LAST[document] if document[0] == "D" else max(numbers) >= LAST.get(document, 1)


def test_rows_with_several_statements_have_a_claim_for_each():
    assert {id for id in CLAIMS if id[0] == "D" and id[-1].isalpha()} == SPLIT
    assert "D2.4" in CLAIMS


def test_every_symbol_has_a_meaning_and_a_valid_shape():
    assert [x.name for x in TABLE if not x.meaning or not re.fullmatch(r"|\(.*\)", x.shape)] == []


def test_every_id_that_code_or_figures_cite_is_a_claim():
    unknown = {id: places[0] for id, places in citations().items() if id not in CLAIMS}
    assert unknown == {}


def test_the_record_says_what_is_proved(settled, monkeypatch, tmp_path):
    """A card from the record is that of the evidence; a changed source makes it stale, a changed text is found."""
    cards = [make_card(settled(id)) for id in ("D1.7", "D2.1", "M41")]
    monkeypatch.setattr(record, "RECORD", tmp_path / "proved.json")
    record.RECORD.write_text(record.write(cards), encoding="utf-8")
    assert list(record.read().values()) == [card._replace(stated=[]) for card in cards]
    assert record.compare(cards) == []
    for card in cards:  # a card that was changed by hand is stale
        record.RECORD.write_text(record.write(cards).replace(card.verdict, "no theorem"), encoding="utf-8")
        assert card.id not in record.read()
    record.RECORD.write_text(record.write(cards), encoding="utf-8")
    monkeypatch.setattr(record, "digest", lambda file: "another")
    assert record.read() == {}


def test_a_digest_covers_what_the_proofs_rest_on():
    found = {
        path.relative_to(record.FOLDER).as_posix()
        for path in record.find_sources(record.FOLDER / "losses/clip.py")
    }
    assert {
        "losses/clip.py",
        "common/masks.py",
        "prover/identities.py",
        "evidence/kinds.py",
        "symbols.py",
    } <= found
    assert not any(path.startswith("theory/") for path in found)


def test_what_is_recorded_is_shown_without_sympy():
    """`ledger ID` answers at once: to import the claims takes seconds."""
    shown = "from infonce_ref.derivations.pages import export, terminal"
    script = f"import sys; from infonce_ref.derivations import record; record.read(['D1.7']); {shown}"
    subprocess.run([sys.executable, "-c", f"{script}; assert 'sympy' not in sys.modules"], check=True)


def test_no_claim_is_shown_whole_in_two_lessons():
    shown = [id for lesson in lessons().values() for id in list_shown(lesson)]
    assert len(shown) == len(set(shown))
    assert set(shown) <= set(CLAIMS)


@pytest.mark.slow
def test_the_ledger_is_written_as_a_page_for_each_document(find_card):
    ids = sorted(CLAIMS, key=lambda id: ([*DOCUMENTS].index(parts(id)[0]), order(id)))
    pages = export.markdown(map(find_card, ids))
    assert list(pages) == [f"{document}.md" for document in DOCUMENTS]
    headings = [id for page in pages.values() for id in re.findall(r"^\*\*(\S+)\*\* · ", page, re.M)]
    assert headings == ids


# --- choosing claims -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ids", "options", "chosen"),
    [
        (["m5", "D1.13", "d1.2"], {}, ["D1.2", "D1.13", "M5"]),
        (["m5", "M5"], {}, ["M5"]),
        (["M5", "D1.13"], {"document": "D1"}, ["D1.13"]),
        (["D1.13", "D1.4"], {"verdict": "definition"}, ["D1.4"]),
        (["D1.13", "D1.4", "M5"], {"document": "D1", "verdict": "proved"}, ["D1.13"]),
    ],
)
def test_claims_are_chosen_by_all_that_is_asked_and_in_the_order_of_the_ledger(ids, options, chosen):
    assert [claim.id for claim in choose(ids, **options)] == chosen


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"document": "D9"}, "--document must be one of D1, D2, D3, D4, P,"),
        ({"verdict": "true"}, "--verdict must be one of definition, proved, proved from LEMMA, checked,"),
        ({"document": "M"}, "ledger: no claim matches; leave out an id, --document or --verdict"),
    ],
)
def test_a_choice_that_cannot_be_made_is_refused(options, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        choose(["D1.13"], **options)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("d1.99", "there is no D1.99; similar ids are D1.13, D1.14, D1.15; of D1 there are D1.0 … D1.15"),
        ("M0", "there is no M0; similar ids are M1, M2, M3; of M there are M1 … M41"),
        ("D2.15c", "there is no D2.15c; similar ids are D2.14, D2.15a, D2.15b; of D2 there are D2.1 … D2.18"),
    ],
)
def test_an_unknown_id_is_answered_with_the_nearest_ones(written, said):
    with pytest.raises(ValueError, match=f"^{re.escape('ledger: ' + said)}$"):
        find_id(written)
