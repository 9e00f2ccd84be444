"""A review applies only to the words and evidence that were read; quotations must be the documents'."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import chain

import pytest
import review as tool
from claims import OF_EACH_VERDICT
from repository import DOCS
from rich.console import Console

from infonce_ref.cli import main
from infonce_ref.derivations import ledger, quotations, review
from infonce_ref.derivations.evidence.claims import Sentence
from infonce_ref.derivations.kernel import theorems
from infonce_ref.derivations.ledger import CLAIMS, settle
from infonce_ref.derivations.pages import card, export, terminal
from infonce_ref.derivations.symbols import TABLE


def test_every_symbol_has_a_meaning_and_a_valid_shape():
    wrong = [x.name for x in TABLE if not x.meaning or not re.fullmatch(r"|\(.*\)", x.shape)]
    assert wrong == []


def test_a_review_has_a_digest_a_past_date_and_a_reader():
    """A reader's time zone may already have tomorrow's date."""
    today = datetime.now(UTC).date().toordinal() + 1
    signed = chain(*(review.read(path).values() for path in (review.FILE, review.OF_CODE, tool.TEXTS)))
    wrong = [
        one
        for one in signed
        if not (
            re.fullmatch("[0-9a-f]{16}", one.digest)
            and date.fromisoformat(one.date).toordinal() <= today
            and one.reader.strip()
        )
    ]
    assert wrong == []


def turn(id, settled, **words):
    """Return a claim with other words, and the same evidence."""
    pieces = settled(id).evidence
    said = {name: text if isinstance(text, str) else Sentence(*text) for name, text in words.items()}
    return settle(replace(CLAIMS[id], evidence=lambda: pieces, **said))


def test_words_turned_into_their_contrary_are_unreviewed(settled):
    contrary = CLAIMS["F10"].says.words.replace("no score's part", "every score's part")
    entry = turn("F10", settled, says=(contrary,))
    assert entry.stands
    assert not review.find_review(entry)


@pytest.fixture
def turned(monkeypatch):
    contrary = CLAIMS["M5"].says.words.replace("tangent to the sphere", "radial")
    monkeypatch.setitem(ledger.CLAIMS, "M5", replace(CLAIMS["M5"], says=Sentence(contrary)))


@pytest.mark.slow
def test_unreviewed_words_are_shown_and_decide_the_exit_status(turned, capsys, tmp_path):
    path = tmp_path / "claims.json"
    for options in ([], ["--whole"], ["--json", str(path)]):
        assert main(["ledger", "M5", "D1.13", *options]) == 1
        out = capsys.readouterr().out
        assert out.count("unreviewed") == 1
    assert '"reviewed": false' in path.read_text(encoding="utf-8")
    assert main(["ledger", "D1.13"]) == 0


def test_the_table_and_the_markdown_name_unreviewed_claims(turned):
    cards = [card.settle_card(id) for id in ("D1.13", "M5")]
    console = Console(record=True, width=200)
    terminal.show_table(cards, console)
    printed = console.export_text().rstrip()
    assert printed.endswith("never read: M5")
    known = theorems.read_record()
    assert f"✓: accepted by Coq, recorded with Coq {known['coq']} on {known['date']}" in printed
    assert "unreviewed" in export.markdown(cards)["M.md"].lower()


def test_a_mark_follows_the_formula_that_it_describes(settled):
    """D2.3 has formulas that are false at a point, true at a point, and proved."""
    said = terminal.words(card.make_card(settled("D2.3")).said["checked"], marks=True)
    assert "[false at a point, Coq] is false of the loss" in said
    said = terminal.words(card.make_card(settled("M14")).said["checked"], marks=True)
    assert said.count("[proved]") == 2  # these have no theorem in Coq
    assert said.count("[proved, Coq]") == 2


@pytest.mark.parametrize(
    ("id", "printed", "other"),
    [
        ("D1.13", r"\frac{1}{N\tau}", r"\frac{2}{N\tau}"),
        ("D1.2", r"Z_i \cdot Z_j", r"Z_j \cdot Z_i"),
        ("D3.17", r"\sum_{k=1}^{m}", r"\sum_{k=0}^{m}"),
    ],
)
def test_a_quotation_that_differs_from_the_document_fails(settled, id, printed, other):
    assert printed in CLAIMS[id].printed
    entry = turn(id, settled, printed=CLAIMS[id].printed.replace(printed, other))
    assert entry.failure == "its quotation is not what stands in the document"


def test_a_translation_is_compared_with_itself_and_with_the_lines_that_it_translates():
    lines = {"D2": [f"line {number}" for number in range(1, 60)]}
    found = quotations.find_passages({"D2": ""}, lines)
    assert found.keys() == {id for id in quotations.TRANSLATED if id.startswith("D2")}
    for id, numbers in quotations.TRANSLATED.items():
        assert quotations.read()[id].endswith(f":{','.join(map(str, numbers))}")
    for id, known in found.items():
        own, original, place = known.split()
        assert place == quotations.read()[id].split()[2]
        assert own == quotations.digest(CLAIMS[id]) == quotations.read()[id].split()[0]
        assert original != quotations.read()[id].split()[1]
    lines["D2"][12] = "line 13"
    assert quotations.find_passages({"D2": ""}, lines) == found
    lines["D2"][12] = "another line"
    changed = quotations.find_passages({"D2": ""}, lines)
    assert {id for id in found if changed[id] != found[id]} == {"D2.4", "D2.5"}  # both quote line 13
    assert "D2.1" not in quotations.find_passages({"D2": ""})


def test_only_claims_are_signed():
    assert set(review.read()) == set(CLAIMS)
    assert set(review.read(review.OF_CODE)) < set(CLAIMS)


def test_code_that_computes_a_finding_must_be_read_too(settled, monkeypatch):
    """The words of D1.5 and its pieces stay the same; the program that computes them changes."""
    entry = settled("D1.5")
    assert review.has_code(entry)
    assert not review.has_code(settled("D1.13"))
    assert "code that computes its findings read on" in review.describe(entry)
    lines = review.code(CLAIMS["D1.5"])
    monkeypatch.setattr(review, "code", lambda claim: [line.replace("N // 2", "N // 3") for line in lines])
    assert not review.find_review(entry)
    monkeypatch.setattr(review, "code", lambda claim: [" ".join(lines)])
    assert review.find_review(entry)


def test_docs_say_how_many_quotations_are_compared_and_how_many_programs_were_read():
    printed = [id for id, claim in CLAIMS.items() if claim.printed]
    held = set(quotations.read())
    assert held <= set(printed)
    page = (DOCS / "trust.md").read_text(encoding="utf-8")
    assert f"{len(held)} of {len(printed)} quotations" in page
    translated, papers = len(quotations.TRANSLATED), len([id for id in printed if id.startswith("F")])
    assert held == {id for id in printed if not id.startswith("F")}
    assert f"each formula of {len(held) - translated} was found" in page
    assert f"{translated} are translations" in page
    assert f"the {papers} of papers are held by the reader alone" in page
    assert f"in the evidence of {len(review.read(review.OF_CODE))} claims" in page


def test_captions_cards_symbols_and_documents_were_read():
    """If this fails: `python tools/review.py --texts` shows what changed, and signs it after you have read it."""
    assert tool.find_unread() == []


@pytest.mark.parametrize("name", ["caption collapse", "card dcl", "symbols"])
def test_another_text_is_unread(name, monkeypatch):
    texts = tool.list_texts()
    monkeypatch.setattr(tool, "list_texts", lambda: texts | {name: [*texts[name], "never"]})
    assert tool.find_unread() == [name]
    monkeypatch.setattr(tool, "list_texts", lambda: {one: texts[one] for one in texts if one != name})
    assert tool.find_unread() == [name]


@pytest.mark.parametrize(
    "ids", [OF_EACH_VERDICT, pytest.param(CLAIMS, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_every_claim_stands_and_its_words_were_read(ids, settled):
    """If this fails: `python tools/review.py` shows what changed, and signs it after you have read it."""
    claims = [settled(id) for id in ids]
    assert [claim.id for claim in claims if not (claim.stands and review.find_review(claim))] == []
