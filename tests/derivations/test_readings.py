"""The formulas of quotations are read from their LaTeX, and compared with what was typed for them."""

from dataclasses import replace
from pathlib import Path

import mpmath
import pytest
from few import OF_EACH_VERDICT, few
from sympy import Symbol, exp

from infonce_ref.derivations import ledger, readings
from infonce_ref.derivations.evidence.verdicts import NotShown
from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.derivations.printed import Letters, Point, Unread, read, sides
from infonce_ref.derivations.readings import NOT_COMPARED, READINGS, find_change
from infonce_ref.derivations.symbols import L, N, P, i, j, k, p, tau, z

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


WAYS = {  # errors that a typed reading might have
    "twice": lambda side: 2 * side,
    "more": lambda side: side + 3,
    "with a temperature": lambda side: side / tau + 1,
    "negated": lambda side: -side,
}


@pytest.mark.parametrize("id", few(READINGS, OF_EACH_VERDICT.__contains__))
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


LETTERS = Letters({"L": L, "P": P, "p": p, "N": N, r"\tau": tau, "Z": z}, {"k": N})


def evaluate(latex, at=None, letters=LETTERS):
    point = Point(())
    with mpmath.workdps(30):
        claim = replace(CLAIMS["D1.2"], printed=f"${latex}$")
        return read(sides(claim)[0], letters)(point, at or {}), point


@pytest.mark.parametrize(
    ("latex", "value"),
    [
        ("2 + 3 \\cdot 4", 14),
        ("-2^2", -4),
        (r"\frac{1}{4}", 0.25),
        ("12/2/3", 2),
        (r"\log \left(e^{3}\right) 2", 6),
        (r"\log e^{3} 2", mpmath.mpf(3) + mpmath.log(2)),
        (r"\sqrt{9}", 3),
        (r"|-3| + \|2\|_2^2", 7),
        (r"\sum_{i=1}^{3} 2", 6),
        (r"\prod_{i=1}^{3} 2", 8),
        (r"\sum_{k \neq i} 1[k \neq j]", 6),
        (r"\sum_k \mathbb{1}_{k=j}", 1),
        (r"\delta_{ij} + \delta_{ii}", 1),
        ("N", 8),
    ],
)
def test_latex_is_read_as_it_is_printed(latex, value):
    assert mpmath.almosteq(evaluate(latex, {i: 0, j: 1})[0], value, rel_eps=1e-14)


def test_letters_have_the_values_of_the_claims_symbols():
    value, point = evaluate(r"L_{i,p(i)} / \tau", {i: 1})
    assert value == pytest.approx(point.number(L[i, p[i]] / tau, {i: 1}), rel=1e-14, abs=0)
    value, point = evaluate(r"Z_i \cdot Z_j", {i: 1, j: 2})
    assert value == pytest.approx(
        sum(point.number(z[1, f] * z[2, f], {}) for f in range(4)), rel=1e-14, abs=0
    )
    value, point = evaluate(r"\exp(L_{ik})", {i: 0, k: 3})
    assert value == pytest.approx(point.number(exp(L[i, k]), {i: 0, k: 3}), rel=1e-14, abs=0)


@pytest.mark.parametrize(
    "latex",
    [
        r"\max(1, 2)",
        "x",
        "1 +",
        r"\frac{1}",
        r"\frac{1}{2",
        "(1 + 2]",
        r"\sum_{k=0}^{3} 1",
        r"\sum_{m} 1",
        r"\sum_{i,j=1}^{3} 1",
        r"\langle 1 \rangle",
        "1_{k}",
        "L_{i,N}",
        r"3 \otimes 2",
    ],
)
def test_unknown_latex_is_refused(latex):
    with pytest.raises((Unread, NotShown)):
        evaluate(latex, {i: 0, j: 1})


def test_a_comparison_with_a_missing_piece_or_unread_latex_is_refused(settled):
    evidence = settled("D1.2").evidence
    with pytest.raises(NotShown, match="no piece of evidence has this name"):
        find_change(CLAIMS["D1.2"], {"symmetric": evidence["symmetric"]})
    unread = replace(CLAIMS["D1.2"], printed=r"$L_{ij} = \max Z_i$")
    with pytest.raises(NotShown, match="cannot be compared"):
        find_change(unread, evidence)


def test_a_point_gives_a_symbol_the_same_number_again():
    one, another = Point(()), Point(())
    assert one.number(tau, {}) == another.number(tau, {})
    assert one.number(tau, {}) != one.number(Symbol("β", positive=True), {})
