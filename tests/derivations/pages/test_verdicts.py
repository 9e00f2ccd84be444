"""Wherever a page, the terminal or a file shows a claim's verdict and marks, they are those of the claim."""

from dataclasses import replace

import pytest
from rich.console import Console

from infonce_ref.derivations.coq import accepted
from infonce_ref.derivations.documents import parts
from infonce_ref.derivations.ledger import CLAIMS, check_claim
from infonce_ref.derivations.pages import claim_card, export, html, ledger_pages, terminal, unicode_math
from infonce_ref.derivations.pages.lesson import Lesson, parse


@pytest.fixture(params=["D1.11", "D1.13", "D1.5", "D1.0", "D3.37", "P1", "D4.9", "P2"])  # one of each verdict
def card(request, find_card):
    return find_card(request.param)


def printed(show, *given):
    console = Console(record=True, width=200)
    show(*given, console)
    return console.export_text()


def test_a_record_has_the_claims_verdict_and_marks(card):
    for coq in (True, False):
        found = export.record(card._replace(coq=coq))
        assert found["verdict"] == CLAIMS[card.id].verdict
        assert found["coq"] is coq
        assert found["stands"] is True


def test_terminal_markdown_and_html_have_the_claims_verdict(card):
    id, verdict = card.id, CLAIMS[card.id].verdict
    (row,) = (x for x in printed(terminal.show_table, [card]).splitlines() if x.startswith(f"{id} "))
    assert row.removeprefix(id).strip().startswith(f"{verdict}  ")
    assert len(row) <= 200
    (page,) = export.markdown([card]).values()
    assert f"**{id}** · {verdict}\n" in page
    ledger = ledger_pages.Document(parts(id)[0], {id: card}, {})
    ((_, shown),) = ledger.claims()
    assert f"<section class='claim {html.slug(verdict)}' id='{id}'>" in shown
    lesson = Lesson("try", 1, "Try", "A try.", parse("A line.", "lesson try"))
    for page in (ledger, html.Page(lesson, {id: card}, lambda name: None, ["try"])):
        assert f"class='reference {html.slug(verdict)}'" in page.reference(id)
        assert f"title='{verdict}'" in page.reference(id)


def test_a_claim_that_does_not_hold_says_so_everywhere():
    made = claim_card.make_card(check_claim(replace(CLAIMS["D1.13"], evidence=lambda: None)))
    assert not made.coq
    for said in (
        printed(terminal.show_table, [made]),
        printed(terminal.show_claim, made),
        export.markdown([made])["D1.md"],
    ):
        assert "DOES NOT STAND" in said
    assert export.record(made)["stands"] is False


def test_the_terminal_names_coq_only_if_it_accepted_the_claim(find_card):
    made, known = find_card("D1.13"), accepted.read_record()
    record = f"recorded with Coq {known['coq']} on {known['date']}"
    assert f"✓: accepted by Coq, {record}" in printed(terminal.show_table, [made])
    assert f"- Coq: {record}" in printed(terminal.show_claim, made)
    assert "- Coq: recorded with Coq" not in printed(terminal.show_claim, made._replace(coq=False))
    without = find_card("M14")
    assert "not accepted by Coq: gap, because" in printed(terminal.show_claim, without)


def test_a_mark_follows_the_formula_that_it_describes(find_card):
    """D2.3 has formulas that are false at a point, true at a point, and proved."""
    said = export.write_statements(find_card("D2.3"), unicode_math.write_run)
    assert "[false at a point, Coq] is false of the loss" in said
    said = export.write_statements(find_card("M14"), unicode_math.write_run)
    assert said.count("[proved]") == 2  # these have no theorem in Coq
    assert said.count("[proved, Coq]") == 2
