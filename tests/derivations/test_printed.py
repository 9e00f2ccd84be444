"""The reader of LaTeX reads small formulas at values that are chosen here; the answers are worked out by hand."""

import mpmath
import pytest
from sympy import Integer

from infonce_ref.derivations import printed
from infonce_ref.derivations.evidence.claims import Claim, Sentence
from infonce_ref.derivations.evidence.verdicts import Verdict
from infonce_ref.derivations.printed import (
    DIGITS,
    Array,
    Letters,
    Over,
    Point,
    Unread,
    add_rows,
    read,
    sides,
)
from infonce_ref.derivations.prover.notation import one_if
from infonce_ref.derivations.symbols import (
    X2,
    B,
    L,
    N,
    P,
    X,
    d,
    f,
    g,
    i,
    j,
    p,
    pair_chance,
    tau,
    z,
)

# Three rows of two features. No matrix is symmetric and no two sizes are equal, so that a transpose shows.
VALUES = {
    N: 3,
    B: 2,
    d: 2,
    tau: mpmath.mpf(2),
    p: [1, 2, 0],
    L: [[1, 2, 3], [4, 5, 6], [7, 8, 10]],
    P: [[1, 0, 2], [0, 1, 1], [3, 1, 0]],
    z: [[1, 2], [3, 4], [5, 7]],
    X: 2,
    X2: 3,
    pair_chance: [[1, 2, 3], [4, 5, 6]],
}
NAMES = {"L": L, "P": P, "p": p, "N": N, r"\tau": tau, "Z": z, "z_i": Array(z[i, f], (f,)), "t": i}
SIZES = {"k": N, "m": Integer(2), "ij": N}
SETS = {"K": (N, None), "I": (N, i)}
ROWS = {i: 0, j: 1}


def quote(text):
    return sides(Claim("D1.2", text, Sentence("words"), Verdict.PROVED, dict))


def evaluate(latex, at=ROWS, **names):
    """The value of a formula; `names` are meanings beside those of NAMES."""
    point = Point(())
    point.values.update(VALUES)
    (side,) = quote(f"${latex}$")
    with mpmath.workdps(DIGITS):
        return read(side, Letters(NAMES | names, SIZES, SETS))(point, at)


def entries(matrix):
    return [[matrix[row, column] for column in range(matrix.cols)] for row in range(matrix.rows)]


# --- formulas -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("latex", "value"),
    [
        ("7", 7),
        ("12", 12),
        ("2 + 3 + 4", 9),
        ("9 - 4 - 3", 2),
        ("9 - 4 + 3", 8),
        ("- 9 + 4", -5),
        ("2 3 4", 24),
        (r"2 \cdot 3 \cdot 4", 24),
        ("12 / 2 / 3", 2),
        ("12 / 2 3", 18),
        ("2^3", 8),
        ("-2^2", -4),
        ("2^{1 + 2} 5", 40),
        ("2^{2^{3}}", 256),
        ("2 (3 + 4)", 14),
        ("2 [3 + 4]", 14),
        ("2 {3 + 4}", 14),
        (r"2 \{3 + 4\} 5", 70),
        ("2 (3 + 4", 14),
        (r"\frac{12}{4} 2", 6),
        (r"\frac{\frac{12}{2}}{3}", 2),
        (r"\sqrt{16} 2", 8),
        (r"\sqrt 9", 3),
        ("|2 - 5| 3", 9),
        ("|2| |-3|", 6),
        (r"| \| 2 |-3| \| |", 6),
        (r"\|-3\|_2^2", 9),
        (r"\|-3\| 2", 6),
        (r"\exp(0) 3", 3),
        ("e^{0} 3", 3),
        (r"\log(1) + 3", 3),
        (r"\log (e^{3}) 2", 6),
        (r"\log e^{3} e^{2}", 5),
        (r"\log e^{3} + 2", 5),
        (r"\delta_{ij}", 0),
        (r"\delta_{ii}", 1),
        (r"\delta_{i,p(j)}", 0),
        (r"\delta_{p(i) j} 3", 3),
    ],
)
def test_numbers_and_operations_are_read_as_printed(latex, value):
    assert mpmath.almosteq(evaluate(latex), value, rel_eps=1e-25, abs_eps=1e-25)


@pytest.mark.parametrize(
    ("latex", "value"),
    [
        (r"L_{ij} \tau", 4),
        ("L_{ji}", 4),
        ("L_{i,p(j)}", 3),
        ("L_{p(p(i)),j}", 8),
        ("L_{t j}", 2),
        ("L_{x j}", 5),
        ("L_{q j}", 5),
        ("N", 3),
        ("Z_N", 11),
        ("Z_{ij}", 2),
        ("h 2", 12),
        ("o", -2),
    ],
)
def test_letters_have_the_values_of_what_they_mean(latex, value):
    names = {"x": j, "q": p[i], "Z_N": Integer(11), "h": (N + 1) * 3 / 2, "o": L[i, j] - L[j, i]}
    assert evaluate(latex, **names) == value


@pytest.mark.parametrize(
    ("latex", "value"),
    [
        ("1[i = j]", 0),
        ("1[i = i] 2", 2),
        (r"1[i \neq j] 2", 2),
        (r"1[i \neq i]", 0),
        ("1_{j = p(i)}", 1),
        (r"1_{[i \neq j]} 3", 3),
        (r"\mathbb{1}_{i = j}", 0),
        (r"\mathbb{1}_{[p(i) = j]} 3", 3),
        (r"\mathbb{1}[i \neq j] 3", 3),
        ("1 2", 2),
        ("1", 1),
    ],
)
def test_an_indicator_is_1_if_its_comparison_holds(latex, value):
    assert evaluate(latex) == value


# --- sums -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("latex", "value"),
    [
        (r"\sum_{k=1}^{2} L_{ik}", 3),
        (r"\sum_{k=1}^{N} L_{ik} 2 + 1", 13),
        (r"\sum_{l=1}^{2} L_{il}", 3),
        (r"\sum_k L_{ik}", 6),
        (r"\sum_{k} L_{ik}", 6),
        (r"\sum_k - L_{ik}", -6),
        (r"\sum_{k \neq j} L_{ik}", 4),
        (r"\sum_{k \neq j}^{2} L_{ik}", 1),
        (r"\sum_{k \neq p(k)} 1", 3),
        (r"\sum_{k \in K} L_{ik}", 6),
        (r"\sum_{k \in I} L_{ik}", 5),
        (r"\sum_{l \in I} L_{il}", 5),
        (r"\sum_{m,k} L_{mk}", 21),
        (r"\sum_{k,m} L_{mk}", 21),
        (r"\sum_k \sum_{m} L_{mk}", 21),
        (r"\prod_{k=1}^{3} L_{ik}", 6),
        (r"\prod_k L_{ik} 2", 48),
        (r"\prod_{k \neq i} L_{jk}", 30),
        (r"\sum_{i} L_{ij} + L_{ij}", 17),
    ],
)
def test_a_sum_is_over_the_rows_that_stand_below_it(latex, value):
    letters = {r"\sum_{i}": Over(((i, N),))}
    assert evaluate(latex, **letters) == value


@pytest.mark.parametrize(
    ("meant", "value"),
    [
        (Over(()), 2),
        (Over(((j, N),)), 6),
        (Over(((i, N),)), 15),
        (Over(((j, N),), 1 / N), 2),
        (Over(((i, N), (j, Integer(2)))), 27),
        (Over(((j, N),), one_if(j, p[i]) * L[j, i]), 8),
    ],
)
def test_an_expectation_adds_its_weighted_terms(meant, value):
    found = evaluate(r"\mathbb{E} L_{ij}", **{r"\mathbb{E}": meant})
    assert mpmath.almosteq(found, value, rel_eps=1e-25)


# --- columns and matrices -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("latex", "value"),
    [
        ("Z", [[1, 2], [3, 4], [5, 7]]),
        ("Z^T", [[1, 3, 5], [2, 4, 7]]),
        (r"Z^\top", [[1, 3, 5], [2, 4, 7]]),
        ("Z_j", [[3], [4]]),
        ("z_i", [[1], [2]]),
        ("-Z_j + Z_i", [[-2], [-2]]),
        ("Z_j - z_i", [[2], [2]]),
        ("2 Z_j", [[6], [8]]),
        ("Z_j / 2", [[1.5], [2]]),
        (r"\frac{Z_j}{2}", [[1.5], [2]]),
        ("Z_i Z_j^T", [[3, 4], [6, 8]]),
        ("L Z", [[22, 31], [49, 70], [81, 116]]),
        ("Z^T L", [[48, 57, 71], [67, 80, 100]]),
        ("Z^T C", [[22], [31]]),
        (r"L \otimes P", [[1, 0, 6], [0, 5, 6], [21, 8, 0]]),
        (r"P \otimes P P", [[7, 0, 4], [0, 2, 1], [9, 1, 0]]),
        (r"\sum_{m} Z_m", [[4], [6]]),
        (r"\exp(Z_0)", [[1], [1]]),
        ("e^{Z_0}", [[1], [1]]),
        (r"\log(W)", [[0], [0]]),
        (r"\mathbb{E} Z_j", [[9], [13]]),
        ("I", [[1, 0], [0, 1]]),
        ("U", [[2, 4], [8, 10]]),
        ("J", [[1, 2, 3], [4, 5, 6]]),
        (r"\text{sum}(Z)", [[3], [7], [12]]),
        (r"\text{sum}(Z + Z, dim=-1) 2", [[12], [28], [48]]),
        (r"\text{sum}(Z, dim=-1", [[3], [7], [12]]),
        (r"\text{sum} Z 2 - \text{sum}(Z)", [[3], [7], [12]]),
    ],
)
def test_a_column_or_matrix_is_computed_by_its_entries(latex, value):
    names = {
        "Z_0": Array(z[i, f] - z[i, f], (f,)),
        "C": Array(L[i, j], (j,)),
        "W": Array(Integer(1), (f,)),
        r"\mathbb{E}": Over(((j, N),)),
        "I": Array(one_if(f, g), (f, g)),
        "U": Array(2 * L[i, j], (i, j)),
        "J": pair_chance,
        r"\text{sum}": add_rows,
    }
    assert entries(evaluate(latex, **names)) == value


@pytest.mark.parametrize(
    ("latex", "value"),
    [
        ("Z_i Z_j", 11),
        (r"Z_i \cdot Z_j 2", 22),
        ("Z_i^T Z_j", 11),
        (r"\langle Z_i, Z_j + Z_j \rangle 2", 44),
        (r"\|Z_j\|^2", 25),
        (r"\text{sum}(Z_j) 2", 14),
        (r"\text{sum}(Z^T Z)^T Z_i", 320),
    ],
)
def test_a_product_of_columns_is_a_number(latex, value):
    assert mpmath.almosteq(evaluate(latex, **{r"\text{sum}": add_rows}), value, rel_eps=1e-25)


# --- what is refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("latex", "said"),
    [
        ("1 + 2)", ") cannot be read"),
        ("1 + 2, 3", ", cannot be read"),
        ("1 +", "the formula ends where a factor is expected"),
        (r"\log", "the formula ends where a factor is expected"),
        (r"\frac{1}", "the formula ends where an argument is expected"),
        (r"\frac{1}{2", "a brace is not closed"),
        (r"\frac{1}{2 {3}", "a brace is not closed"),
        (r"\max(1, 2)", r"nothing is known of \max ( 1 , 2 )"),
        ("x", "nothing is known of x"),
        ("e + 1", "nothing is known of e + 1"),
        (r"\delta(1)", r"nothing is known of \delta ( 1 )"),
        ("(1 + 2] 3", ") is expected before ] 3"),
        ("[1 + 2", "] is expected before the end"),
        ("|1", "| is expected before the end"),
        (r"\langle 1 \rangle", r", is expected before \rangle"),
        (r"\langle 1, 2", r"\rangle is expected before the end"),
        (r"\text{sum}(1 + 2] 3", ") is expected before ] 3"),
        ("L_{i,N}", "N is no index"),
        ("L_{i,2}", "2 is no index"),
        ("L_{i,P_{ij}}", "P is no index"),
        ("L_{i,P(i)}", "P is no index"),
        ("L_{i,p j}", "p is no index"),
        ("L_{i,r}", "L[i, j] is no index"),
        ("L_{i,p(}", "is no index"),
        ("L_{i,p(i j)}", ") is expected before j )"),
        ("1_{k}", "k compares no indices"),
        ("1[k]", "k compares no indices"),
        (r"\sum_{k=0}^{3} 1", "a sum that does not begin at 1: k = 0"),
        (r"\sum_{k=1} 1", "a sum that does not begin at 1: k = 1"),
        (r"\sum_{x} 1", "the sum over x has no known end"),
        (r"\sum_{k,x} 1", "the sum over k , x has no known end"),
        (r"\sum_{k \in Q} 1", r"the sum over k \in Q has no known end"),
        (r"\sum_{k,m=1}^{3} 1", "a sum over k , m = 1"),
        (r"\sum_{k,m}^{3} 1", "a sum over k , m"),
        (r"\sum_{k,m \neq i} 1", r"a sum over k , m \neq i"),
        (r"\prod_{k,m} 1", "a sum over k , m"),
        (r"\sum^{3} 1", "a sum over"),
    ],
)
def test_what_has_no_known_meaning_is_refused_and_named(latex, said):
    letters = Letters(NAMES | {"r": L[i, j], r"\text{sum}": add_rows}, SIZES, SETS)
    with pytest.raises(Unread) as refused:
        read(printed._tokens(latex), letters)
    assert said in str(refused.value)
