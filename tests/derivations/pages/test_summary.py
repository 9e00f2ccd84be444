"""The first screen of a claim fits, and its formula is the evidence's."""

import pytest

from infonce_ref.derivations.evidence.claims import CLAIMS, Run
from infonce_ref.derivations.pages.card import Card, make_card
from infonce_ref.derivations.pages.summary import HEIGHT, shorten_indices, summarize

WIDTH = 80
FORMULA = Run("ℓ[i] = -log(P[i, p(i)])", r"\ell_i = -\log P_{i,p(i)}")


@pytest.fixture
def card(settled):
    return make_card(settled("M6"))._replace(symbols=[])


@pytest.mark.slow
@pytest.mark.parametrize("id", CLAIMS)
def test_every_claim_fits_on_the_first_screen(settled, id):
    assert_fits(make_card(settled(id)))


def assert_fits(card: Card) -> list[str]:
    lines = summarize(card, WIDTH)
    assert len(lines) < HEIGHT
    assert max(map(len, lines)) <= WIDTH
    assert not any("\0" in line for line in lines)
    return lines


def test_a_formula_has_a_line_of_its_own_with_its_punctuation(card):
    runs = [Run("A row costs "), FORMULA, Run(", as printed. "), Run("N", "N"), Run(" counts rows.")]
    assert assert_fits(card._replace(brief=[runs]))[:-1] == [
        "  A row costs",
        "      ℓ_i = -log(P[i, p(i)]),",
        "  as printed. N counts rows.",
    ]


def test_a_mark_that_all_formulas_share_is_shown_once(card):
    marked = FORMULA._replace(whole=True, mark="proved, Coq")
    *_, said, last = assert_fits(card._replace(brief=[[marked, Run(" and "), marked]], symbols=[]))
    assert "proved" not in said
    assert last.startswith("  formulas [proved, Coq]: ")
    other = marked._replace(mark="checked")
    *before, last = assert_fits(card._replace(brief=[[marked, Run(" and "), other]], symbols=[]))
    assert "[proved, Coq]" in " ".join(before)
    assert "[checked]" in " ".join(before)
    assert last.startswith("  proof: ")
    measured = marked._replace(mark="")
    assert_fits(card._replace(brief=[[marked, Run(" and "), measured]]))[-1].startswith("  proof: ")


def test_symbols_not_named_in_the_words_get_their_meaning(settled):
    card = make_card(settled("D3.19"))
    assert card.symbols[0] == ("ℐ", "mutual information I(X;Y)")
    lines = " ".join(map(str.strip, assert_fits(card)))
    assert all(f"{letter}: {meaning}" in lines for letter, meaning in card.symbols)
    assert "V" not in dict(card.symbols)  # only in the range of a sum


def test_symbols_of_sentences_that_do_not_fit_are_left_out(card):
    symbols = [("ℓ", "loss of one row"), ("ρ", "not shown")]
    lines = " ".join(assert_fits(card._replace(brief=[[FORMULA]], symbols=symbols)))
    assert "ℓ: loss of one row" in lines
    assert "not shown" not in lines


def test_symbols_that_the_words_name_are_not_repeated(settled):
    symbols = dict(make_card(settled("M30")).symbols)
    assert "τ" in symbols
    assert not {"B", "M"} & set(symbols)


@pytest.mark.parametrize(
    ("symbols", "said"),
    [
        ([("a", "one"), ("p", "p(i): two")], "a: one. p(i): two."),
        ([("c", "long " * 300), ("d", "four")], "d: four."),
    ],
)
def test_meanings_of_symbols_fill_the_remaining_lines(card, symbols, said):
    formula = Run("a_i + p(i) + c + d", "a")
    *_, meanings, _ = assert_fits(card._replace(brief=[[formula]], symbols=symbols))
    assert meanings.strip() == said


@pytest.mark.parametrize(("words", "displayed"), [(1, "C_ij"), (600, "L_ij")])
def test_a_whole_piece_is_displayed_before_a_definition_if_it_fits(card, words, displayed):
    definition, whole = Run("L[i, j] = 1", "L_{ij} = 1"), Run("C[i, j] = 2", "C_{ij} = 2", True)
    runs = [Run("With "), definition, Run(f" nothing.{' Some words.' * words} It is "), whole]
    lines = assert_fits(card._replace(brief=[runs]))
    assert [line.split()[0] for line in lines if line.startswith(" " * 6)] == [displayed]


def test_whole_sentences_are_left_out_from_the_end(card):
    runs = [Run("First. "), FORMULA, Run(f". {'Many words follow. ' * 60}"), Run("Last.")]
    *_, before, _ = lines = assert_fits(card._replace(brief=[runs]))
    assert before.endswith("follow.")
    assert not any("Last" in line for line in lines)


def test_a_single_sentence_that_is_too_long_is_cut(card):
    *_, before, _ = assert_fits(card._replace(brief=[[Run("word " * 400)]]))
    assert before.endswith("…")


def test_a_failed_claim_says_why(card):
    assert assert_fits(card._replace(failure="it is not so", brief=[]))[0] == "  it is not so"


@pytest.mark.parametrize(
    ("said", "short"),
    [
        ("L[i, j]^2", "L_ij²"),
        ("P[i, p(i)]", "P[i, p(i)]"),
        ("1[i ≠ j]·u⁺[i]", "1[i ≠ j]·u⁺_i"),
        ("x^21", "x^21"),
        ("‖w[i]‖", "‖w_i‖"),
        ("δ̂[i, a] + W′[i, j]", "δ̂_ia + W′_ij"),
    ],
)
def test_indices(said, short):
    assert shorten_indices(said) == short
