"""The formulas of quotations are read from their LaTeX, and compared with what was typed for them."""

from dataclasses import replace
from pathlib import Path

import pytest
from sympy import Integer, Symbol, sympify

from infonce_ref.derivations import ledger, readings
from infonce_ref.derivations.evidence.pieces import Relation, fails
from infonce_ref.derivations.evidence.verdicts import NotShown
from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.derivations.printed import sides
from infonce_ref.derivations.prover.notation import Definition, is_index, one_if
from infonce_ref.derivations.prover.proof import DEFINITION, derive
from infonce_ref.derivations.prover.sums import Facts
from infonce_ref.derivations.readings import NOT_COMPARED, READINGS, Reading, find_change
from infonce_ref.derivations.symbols import G, L, N, P, f, i, j, loss, p, tau, z

DOCS = Path(__file__).parents[2] / "docs"
FORMULAS = {id for id, claim in CLAIMS.items() if "$" in claim.printed}
WRONG = {id for id in FORMULAS if CLAIMS[id].verdict in ("corrected", "refuted")}


def test_each_quotation_with_a_formula_is_compared_or_has_a_reason():
    assert READINGS.keys() | NOT_COMPARED.keys() == FORMULAS
    assert not READINGS.keys() & NOT_COMPARED.keys()


def test_docs_count_the_formulas_that_are_compared():
    page = (DOCS / "trust.md").read_text(encoding="utf-8")
    said = f"{len(READINGS)} of {len(FORMULAS)} quotations with a formula, among them"
    said += f" {len(READINGS.keys() & WRONG)} of the {len(WRONG)} that are corrected or refuted"
    assert said in page
    compared = sum(len(reading.sides) for readings_of in READINGS.values() for reading in readings_of)
    assert f"{compared} comparisons of a side" in page


OPERATIONS = {"+", "-", "/", r"\frac", r"\log", r"\exp", r"\sum"}
# For these only the reader who signed the claim vouches: in D3.14 an estimate from a sample, in D3.15 a first form
# of what is compared, in D4.13 the value on the diagonal, and a part of what is compared.
NOT_COMPARED_BESIDE = {"D3.14": [2], "D3.15": [1], "D4.13": [1, 6]}


def test_each_side_with_an_operation_is_compared_or_listed():
    """Other sides are names. The reader of LaTeX does not take derivatives."""
    left = {}
    for id, each in READINGS.items():
        printed = sides(CLAIMS[id])
        compared = {place % len(printed) for reading in each for place in reading.sides}
        formulas = [place for place, side in enumerate(printed) if OPERATIONS & {*side}]
        left[id] = [
            place for place in formulas if place not in compared and r"\partial" not in printed[place]
        ]
    assert {id: places for id, places in left.items() if places} == NOT_COMPARED_BESIDE


WAYS = {  # errors that a typed reading might have
    "twice": lambda side: 2 * side,
    "more": lambda side: side + 3,
    "with a temperature": lambda side: side / tau + 1,
    "negated": lambda side: -side,
}


@pytest.mark.parametrize("id", READINGS)
def test_another_relation_than_the_printed_one_is_refused(id, settled, monkeypatch):
    evidence = settled(id).evidence
    assert find_change(CLAIMS[id], evidence) == ""
    way = WAYS[list(WAYS)[len(id) % len(WAYS)]]
    for number, reading in enumerate(READINGS[id]):
        whole = reading.whole or (lambda side: side)
        changed = list(READINGS[id])
        changed[number] = reading._replace(whole=lambda side, whole=whole: way(whole(side)))
        monkeypatch.setattr(readings, "READINGS", {id: tuple(changed)})
        assert "at a random point" in find_change(CLAIMS[id], evidence)


@pytest.mark.parametrize(
    ("id", "printed", "other"),
    [
        ("D1.3", r"\exp(L_{ik})", r"\exp(L_{ki})"),
        ("D1.12", "G_{ik} Z_i", "G_{ki} Z_i"),
        ("D1.13", "G + G^T", "G - G^T"),
        ("D2.3", r"\sum_{t=1}^{N}\left[\log", r"\sum_{t=1}^{N}\left[-\log"),
        ("D2.14", "I - (z_i^T z_p)^2$", "I - (z_i^T z_p)^3$"),
        ("D3.23", "{p(x)}", "{p(y)}"),
        ("D4.3", r"(\beta_1 - 1)", "(B - 1)"),
        ("D4.18", "dm=-1) - I_0", "dm=-1) + I_0"),
        ("F9", "+ b)}", "- b)}"),
        ("F25", r"\sum_{j \neq i}", r"\sum_j"),
    ],
)  # fmt: skip
def test_a_quotation_other_than_the_typed_relation_fails(id, printed, other, settled, monkeypatch):
    """Even if somebody forged its digest."""
    changed = replace(CLAIMS[id], printed=CLAIMS[id].printed.replace(printed, other, 1))
    assert changed != CLAIMS[id]
    monkeypatch.setattr(ledger.quotations, "find_change", lambda claim: "")
    with pytest.raises(NotShown, match=r"its quotation .* at a random point"):
        ledger._refuse(changed, settled(id).evidence)


def test_a_comparison_with_a_missing_piece_or_unread_latex_is_refused(settled):
    evidence = settled("D1.2").evidence
    with pytest.raises(NotShown, match="no piece of evidence has this name"):
        find_change(CLAIMS["D1.2"], {"symmetric": evidence["symmetric"]})
    unread = replace(CLAIMS["D1.2"], printed=r"$L_{ij} = \max Z_i$")
    with pytest.raises(NotShown, match="cannot be compared"):
        find_change(unread, evidence)


# --- the comparison, of quotations and pieces that are made here ----------------------------------------


NAMES = {"L": L, "P": P, "p": p, "N": N, r"\tau": tau, "Z": z}


@pytest.fixture
def compare(monkeypatch):
    """What `find_change` says of this quotation, if it is read as this piece."""

    def say(printed, piece, names=NAMES, beside=None, **reading):
        monkeypatch.setattr(readings, "READINGS", {"D1.2": (Reading("it", names, **reading),)})
        return find_change(replace(CLAIMS["D1.2"], printed=f"${printed}$"), {"it": piece} | (beside or {}))

    return say


def define(body):
    """A piece whose right side is this expression."""
    free = sorted(filter(is_index, sympify(body).free_symbols), key=str)
    return Definition(G[tuple(free)] if free else loss, sympify(body))


@pytest.mark.parametrize(
    ("printed", "typed", "same"),
    [
        (r"2 + \frac{29}{10^{21}}", 2, True),
        (r"2 - \frac{29}{10^{21}}", 2, True),
        (r"2 + \frac{31}{10^{21}}", 2, False),
        (r"2 - \frac{31}{10^{21}}", 2, False),
        (r"-2 + \frac{29}{10^{21}}", -2, True),
        (r"-2 + \frac{31}{10^{21}}", -2, False),
        ("-2", 2, False),
        (r"\frac{1}{3}", Integer(1) / 3, True),
    ],
)
def test_two_numbers_are_equal_within_round_off_of_their_size(printed, typed, same, compare):
    assert (compare(printed, define(typed)) == "") == same


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        ({}, ""),
        ({"sides": (2,)}, ""),
        ({"sides": (1,)}, "its quotation 2 is 2.0"),
        ({"sides": (0, 1)}, "its quotation 1 is 1.0"),
        ({"sides": (2, 1)}, "its quotation 2 is 2.0"),
    ],
)
def test_the_named_sides_of_a_quotation_are_compared_or_else_the_last(sides, said, compare):
    assert compare("1 = 2 = 3", define(3), **sides).partition(" at ")[0] == said


@pytest.mark.parametrize(("side", "value"), [("left", 2), ("right", 3), (P, 4)])
def test_the_named_side_of_the_evidence_is_compared(side, value, compare):
    beside = {"defined": Definition(P[i, j], Integer(4))}
    unequal = fails(Relation(Integer(2), "=", Integer(3)), {})
    assert [compare(str(shown), unequal, side=side, beside=beside) == "" for shown in (2, 3, 4)] == [
        shown == value for shown in (2, 3, 4)
    ]


NAME = Symbol("c", real=True)
PLUS_ONE, PLUS_TWO, PLUS_THREE = (Definition(NAME, tau + more) for more in (1, 2, 3))


def use(name):
    return derive(2 * NAME, (DEFINITION, 2 * name.body), names=(name,), facts=Facts())


@pytest.mark.parametrize(
    ("piece", "reading", "more"),
    [
        (define(2 * NAME), {"beside": {"defined": PLUS_ONE}}, 1),
        (use(PLUS_ONE), {"side": "left"}, 1),
        (use(PLUS_ONE), {"side": "left", "beside": {"defined": PLUS_TWO}}, 1),
        (use(PLUS_ONE), {"side": "left", "at": (PLUS_TWO,)}, 2),
        (use(PLUS_ONE), {"side": "left", "at": (PLUS_THREE,), "beside": {"defined": PLUS_TWO}}, 3),
        (define(2 * NAME), {"where": "proof", "beside": {"proof": use(PLUS_TWO)}}, 2),
        (use(PLUS_ONE), {"side": "left", "where": "proof", "beside": {"proof": use(PLUS_TWO)}}, 2),
        (fails(Relation(2 * NAME, "=", tau), {tau: 3}, names=(PLUS_ONE,)), {"side": "left"}, 1),
    ],
)
def test_a_name_means_what_the_piece_or_else_the_evidence_or_the_reading_says(piece, reading, more, compare):
    found = [said for said in (1, 2, 3) if compare(rf"2 \tau + 2 \cdot {said}", piece, **reading) == ""]
    assert found == [more]


@pytest.mark.parametrize(
    ("printed", "typed", "axes"),
    [
        ("3 Z_i", 3 * z[i, f], (f,)),
        ("3 L", 3 * L[i, j], (i, j)),
        ("3 L^T", 3 * L[j, i], (i, j)),
        ("3 L", 3 * L[2, 1], (2, 1)),
        ("Z_i", z[i, 2], (2,)),
        ("L_{ij} Z_i", L[i, j] * z[i, f], (f,)),
    ],
)
def test_each_entry_of_a_column_or_matrix_is_compared(printed, typed, axes, compare):
    assert compare(printed, define(typed), axes=axes) == ""


@pytest.mark.parametrize(
    ("printed", "typed", "axes"),
    [
        ("Z_i", z[i, f] + one_if(f, 3) * one_if(i, 3), (f,)),
        ("L", L[j, i], (i, j)),
        ("L", L[1, 2], (2, 1)),
        ("2", 2 + one_if(i, 3) * one_if(j, 3), ()),
    ],
)
def test_a_difference_in_one_entry_only_is_found(printed, typed, axes, compare):
    assert "at a random point" in compare(printed, define(typed), axes=axes)


@pytest.mark.parametrize(
    ("printed", "typed", "axes", "said"),
    [
        ("Z_1", tau, (), "1 is no index"),
        ("L_{ij}", L[i, i], (), "j has no value"),
        ("Z", tau, (), ""),
        ("Z", tau, (3, 4), "matrix index out of range"),
    ],
)
def test_what_cannot_be_compared_is_refused(printed, typed, axes, said, compare):
    with pytest.raises(NotShown, match=f"its quotation cannot be compared with «it»: .*{said}"):
        compare(printed, define(typed), axes=axes)
