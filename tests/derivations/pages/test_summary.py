"""The first screen of a claim fits, and its formula is the evidence's."""

import re

import pytest

from infonce_ref.derivations.evidence.claims import CLAIMS
from infonce_ref.derivations.evidence.spans import Span
from infonce_ref.derivations.pages.summary import HEIGHT, summarize
from infonce_ref.derivations.record import ClaimCard

WIDTH = 80
FORMULA = Span("ℓ[i] = -log(P[i, p(i)])", r"\ell_i = -\log P_{i,p(i)}")


@pytest.fixture
def card(find_card):
    return find_card("M6")._replace(symbols=[])


@pytest.mark.slow
@pytest.mark.parametrize("id", CLAIMS)
def test_every_claim_fits_on_the_first_screen(find_card, id):
    assert_fits(find_card(id))


def assert_fits(card: ClaimCard) -> list[str]:
    lines = summarize(card, WIDTH)
    assert len(lines) <= HEIGHT - 2
    assert max(map(len, lines)) <= WIDTH
    assert not any("\0" in line for line in lines)
    return lines


def test_a_formula_has_a_line_of_its_own_with_its_punctuation(card):
    runs = [Span("A row costs "), FORMULA, Span(", as printed. "), Span("N", "N"), Span(" counts rows.")]
    assert assert_fits(card._replace(brief=runs))[:-1] == [
        "  A row costs",
        "      ℓ_i = -log(P[i, p(i)]),",
        "  as printed. N counts rows.",
    ]


def test_symbols_not_named_in_the_words_get_their_meaning(find_card):
    card = find_card("D3.19")
    assert card.symbols[0] == ("ℐ", "mutual information I(X;Y)")
    lines = " ".join(map(str.strip, assert_fits(card)))
    assert all(f"{letter}: {meaning}" in lines for letter, meaning in card.symbols)
    assert "V" not in dict(card.symbols)  # only in the range of a sum


def test_a_mark_that_all_formulas_have_is_said_once(card):
    proved, checked = (FORMULA._replace(mark=mark, whole=True) for mark in ("proved", "checked"))
    assert assert_fits(card._replace(brief=[proved, proved]))[-1].startswith("  formulas [proved]: ")
    *lines, last = assert_fits(card._replace(brief=[proved, checked]))
    assert re.findall(r"\[(proved|checked)\]", "".join(lines)) == ["proved", "checked"]
    assert last.startswith("  proof: ")


def test_whole_sentences_are_left_out_from_the_end(card):
    runs = [Span("First. "), FORMULA, Span(f". {'Many words follow. ' * 60}"), Span("Last.")]
    *_, before, _ = lines = assert_fits(card._replace(brief=runs))
    assert before.endswith("follow.")
    assert not any("Last" in line for line in lines)


def test_a_failed_claim_says_why(card):
    assert assert_fits(card._replace(failure="it is not so", brief=[]))[0] == "  it is not so"
