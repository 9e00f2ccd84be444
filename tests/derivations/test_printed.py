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


LETTERS = NAMES | {
    r"\sum_{i}": Over(((i, N),)),
    "W": Array(Integer(1), (f,)),
    r"\mathbb{E}": Over(((j, N),)),
    "J": pair_chance,
    r"\text{sum}": add_rows,
}


@pytest.mark.parametrize(
    ("latex", "value"),
    [
        ("9 - 4 + 3", 8),
        ("12 / 2 / 3", 2),
        ("12 / 2 3", 18),
        ("-2^2", -4),
        ("2^{1 + 2} 5", 40),
        ("2^{2^{3}}", 256),
        (r"2 \{3 + 4\} 5", 70),
        (r"\frac{12}{4} \cdot 2", 6),
        (r"\sqrt{16} 2", 8),
        (r"| \| 2 |-3| \| |", 6),
        (r"\|-3\|_2^2", 9),
        (r"\exp(0) 3", 3),
        (r"\log (e^{3}) 2", 6),
        (r"\log e^{3} e^{2}", 5),
        (r"\delta_{p(i) j} 3", 3),
        # sums
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
        # columns and matrices, and numbers made of them
        (r"Z^\top", [[1, 3, 5], [2, 4, 7]]),
        ("-Z_j + Z_i", [[-2], [-2]]),
        (r"\frac{Z_j}{2}", [[1.5], [2]]),
        ("Z_i Z_j^T", [[3, 4], [6, 8]]),
        ("Z^T L", [[48, 57, 71], [67, 80, 100]]),
        (r"L \otimes P", [[1, 0, 6], [0, 5, 6], [21, 8, 0]]),
        (r"\sum_{m} Z_m", [[4], [6]]),
        (r"\log(W)", [[0], [0]]),
        (r"\mathbb{E} Z_j", [[9], [13]]),
        ("J", [[1, 2, 3], [4, 5, 6]]),
        (r"\text{sum}(Z + Z, dim=-1) 2", [[12], [28], [48]]),
        ("Z_i Z_j", 11),
        (r"Z_i \cdot Z_j 2", 22),
        (r"\langle Z_i, Z_j + Z_j \rangle 2", 44),
        (r"\|Z_j\|^2", 25),
        (r"\text{sum}(Z_j) 2", 14),
        (r"\text{sum}(Z^T Z)^T Z_i", 320),
    ],
)
def test_a_formula_is_read_as_printed(latex, value):
    point = Point(())
    point.values.update(VALUES)
    (side,) = sides(Claim("D1.2", f"${latex}$", Sentence("words"), Verdict.PROVED, dict))
    with mpmath.workdps(DIGITS):
        found = read(side, Letters(LETTERS, SIZES, SETS))(point, ROWS)
    if isinstance(value, list):
        assert [[found[row, column] for column in range(found.cols)] for row in range(found.rows)] == value
    else:
        assert mpmath.almosteq(found, value, rel_eps=1e-25, abs_eps=1e-25)


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
        ("[1 + 2", "] is expected before the end"),
        ("|1", "| is expected before the end"),
        (r"\langle 1 \rangle", r", is expected before \rangle"),
        (r"\text{sum}(1 + 2] 3", ") is expected before ] 3"),
        ("L_{i,N}", "N is no index"),
        ("L_{i,p j}", "p is no index"),
        ("L_{i,r}", "L[i, j] is no index"),
        ("L_{i,p(}", "is no index"),
        ("L_{i,p(i j)}", ") is expected before j )"),
        ("1_{k}", "k compares no indices"),
        (r"\sum_{k=0}^{3} 1", "a sum that does not begin at 1: k = 0"),
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
