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
from infonce_ref.derivations.symbols import (
    X2,
    B,
    L,
    N,
    P,
    X,
    d,
    f,
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
        ("9 - 4 + 3", 8),
        (r"2 \cdot 3 \cdot 4", 24),
        ("12 / 2 / 3", 2),
        ("12 / 2 3", 18),
        ("-2^2", -4),
        ("2^{1 + 2} 5", 40),
        ("2^{2^{3}}", 256),
        (r"2 \{3 + 4\} 5", 70),
        (r"\frac{12}{4} 2", 6),
        (r"\sqrt{16} 2", 8),
        ("|2 - 5| 3", 9),
        (r"| \| 2 |-3| \| |", 6),
        (r"\|-3\|_2^2", 9),
        (r"\exp(0) 3", 3),
        (r"\log (e^{3}) 2", 6),
        (r"\log e^{3} e^{2}", 5),
        (r"\delta_{ij}", 0),
        (r"\delta_{p(i) j} 3", 3),
    ],
)
def test_numbers_and_operations_are_read_as_printed(latex, value):
    assert mpmath.almosteq(evaluate(latex), value, rel_eps=1e-25, abs_eps=1e-25)


# --- sums -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("latex", "value"),
    [
        (r"\sum_{k=1}^{2} L_{ik}", 3),
        (r"\sum_{k=1}^{N} L_{ik} 2 + 1", 13),
        (r"\sum_{k \neq j} L_{ik}", 4),
        (r"\sum_{k \neq j}^{2} L_{ik}", 1),
        (r"\sum_{k \in I} L_{ik}", 5),
        (r"\sum_{m,k} L_{mk}", 21),
        (r"\sum_k \sum_{m} L_{mk}", 21),
        (r"\prod_k L_{ik} 2", 48),
        (r"\prod_{k \neq i} L_{jk}", 30),
        (r"\sum_{i} L_{ij} + L_{ij}", 17),
    ],
)
def test_a_sum_is_over_the_rows_that_stand_below_it(latex, value):
    letters = {r"\sum_{i}": Over(((i, N),))}
    assert evaluate(latex, **letters) == value


# --- columns and matrices -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("latex", "value"),
    [
        ("Z", [[1, 2], [3, 4], [5, 7]]),
        (r"Z^\top", [[1, 3, 5], [2, 4, 7]]),
        ("z_i", [[1], [2]]),
        ("-Z_j + Z_i", [[-2], [-2]]),
        (r"\frac{Z_j}{2}", [[1.5], [2]]),
        ("Z_i Z_j^T", [[3, 4], [6, 8]]),
        ("L Z", [[22, 31], [49, 70], [81, 116]]),
        ("Z^T L", [[48, 57, 71], [67, 80, 100]]),
        (r"L \otimes P", [[1, 0, 6], [0, 5, 6], [21, 8, 0]]),
        (r"\sum_{m} Z_m", [[4], [6]]),
        (r"\log(W)", [[0], [0]]),
        (r"\mathbb{E} Z_j", [[9], [13]]),
        ("J", [[1, 2, 3], [4, 5, 6]]),
        (r"\text{sum}(Z + Z, dim=-1) 2", [[12], [28], [48]]),
    ],
)
def test_a_column_or_matrix_is_computed_by_its_entries(latex, value):
    names = {
        "W": Array(Integer(1), (f,)),
        r"\mathbb{E}": Over(((j, N),)),
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
        ("1 +", "the formula ends where a factor is expected"),
        (r"\frac{1}", "the formula ends where an argument is expected"),
        (r"\frac{1}{2", "a brace is not closed"),
        (r"\max(1, 2)", r"nothing is known of \max ( 1 , 2 )"),
        ("x", "nothing is known of x"),
        (r"\delta(1)", r"nothing is known of \delta ( 1 )"),
        ("(1 + 2] 3", ") is expected before ] 3"),
        ("[1 + 2", "] is expected before the end"),
        ("|1", "| is expected before the end"),
        (r"\langle 1 \rangle", r", is expected before \rangle"),
        (r"\langle 1, 2", r"\rangle is expected before the end"),
        (r"\text{sum}(1 + 2] 3", ") is expected before ] 3"),
        ("L_{i,N}", "N is no index"),
        ("L_{i,P(i)}", "P is no index"),
        ("L_{i,p j}", "p is no index"),
        ("L_{i,r}", "L[i, j] is no index"),
        ("L_{i,p(}", "is no index"),
        ("L_{i,p(i j)}", ") is expected before j )"),
        ("1_{k}", "k compares no indices"),
        (r"\sum_{k=0}^{3} 1", "a sum that does not begin at 1: k = 0"),
        (r"\sum_{k=1} 1", "a sum that does not begin at 1: k = 1"),
        (r"\sum_{x} 1", "the sum over x has no known end"),
        (r"\sum_{k \in Q} 1", r"the sum over k \in Q has no known end"),
        (r"\sum_{k,m=1}^{3} 1", "a sum over k , m = 1"),
        (r"\sum^{3} 1", "a sum over"),
    ],
)
def test_what_has_no_known_meaning_is_refused_and_named(latex, said):
    letters = Letters(NAMES | {"r": L[i, j], r"\text{sum}": add_rows}, SIZES, SETS)
    with pytest.raises(Unread) as refused:
        read(printed._tokens(latex), letters)
    assert said in str(refused.value)
