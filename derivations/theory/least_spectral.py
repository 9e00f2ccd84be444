"""The least of the spectral loss over unit rows: both views one tight frame."""

from sympy import Expr, IndexedBase, Rational, sqrt

from ..evidence.claims import claim
from ..evidence.pieces import Piece, Relation, holds
from ..evidence.verdicts import Verdict
from ..losses import spectral
from ..prover.inequality import nonnegative
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, derive
from ..prover.sums import Facts
from ..symbols import B, M, S, d, ell, f, g, i, j, view1, view2

COUNT = M + 1  # a pair, and M others
FACTS = Facts(ranges={i: COUNT, j: COUNT, f: d, g: d})
ROWS, PAIRS, FEATURES = (i, COUNT), ((j, COUNT), (i, COUNT)), ((g, d), (f, d))
raw1, raw2 = IndexedBase("w", real=True), IndexedBase("w′", real=True)
length1, length2 = IndexedBase("‖w‖", real=True), IndexedBase("‖w′‖", real=True)
SCORED = tuple(Definition(name.head, name.body.xreplace({B: COUNT})) for name in spectral.NAMES[:2])
NAMES = (
    *(
        Definition(length[i], sqrt(total(raw[i, f] ** 2, (f, d))))
        for raw, length in ((raw1, length1), (raw2, length2))
    ),
    Definition(view1[i, f], raw1[i, f] / length1[i]),
    Definition(view2[i, f], raw2[i, f] / length2[i]),
    *SCORED,
)
MEAN = total(ell[i], ROWS) / COUNT


def apart(row: Expr, feature: Expr) -> Expr:
    return view1[row, feature] - view2[row, feature]


def both(row: Expr, feature: Expr) -> Expr:
    return view1[row, feature] + view2[row, feature]


def squares() -> Expr:
    """B (B − 1) times what the loss is above −2 + (B/d − 1)/(B − 1).

    With D = Z₁ − Z₂ and W = Z₁ + Z₂ and unit rows the loss is known from ‖D‖² and the d × d matrices Z₁ᵀZ₁ and
    Z₂ᵀZ₂. Their sum is short of (2B/d) I by the first term; their difference is the symmetric part of DᵀW, and
    ‖D‖² ‖W‖² exceeds its square by the second and third.
    """
    products = total(view1[i, f] * view1[i, g] + view2[i, f] * view2[i, g], ROWS)
    frame = total((products - 2 * COUNT / d * one_if(f, g)) ** 2, *FEATURES) / 4
    areas = total((apart(i, f) * both(j, g) - apart(j, f) * both(i, g)) ** 2, *PAIRS, *FEATURES) / 8
    turned = total(apart(i, f) * both(i, g) - apart(i, g) * both(i, f), ROWS)
    turn = total(turned**2, *FEATURES) / 16
    distances = (total(apart(row, feature) ** 2, (feature, d)) for row, feature in ((i, f), (j, g)))
    quartic = Differ(j, i)
    for distance in distances:
        quartic *= distance
    return (frame + areas + turn + total(quartic, *PAIRS) / 4) / (COUNT * M)


@claim(
    "M33",
    verdict=Verdict.PROVED,
    says="The spectral loss of $M + 1$ pairs of unit rows has «near», and none of these squares is"
    " negative, «near sign»: no mean loss is below -2, and where both views are one orthonormal batch it"
    " is -2. Only d rows can be orthonormal. With more than d pairs the floor is higher: «floor», and"
    " this is not negative either, «floor sign». Every sum but one is 0 where the two views coincide, and"
    " that one if their d products of columns are those of a tight frame, a multiple of the identity"
    " matrix. Four rows on a circle are one. That B unit rows have squared products which sum to no less"
    " than the square of B over d is in Lower Bounds on the Maximum Cross Correlation of Signals (Welch,"
    " 1974), and that tight frames of unit rows exist for any number of rows from d on in Finite Normalized"
    " Tight Frames (Benedetto and Fickus, 2003); of the floor for two views we know no source.",
    brief="No mean spectral loss of B pairs of unit rows, M being $B - 1$, is below -2, as «near», nor below"
    " $-2 + (B/d - 1)/M$, which is more for B above d. Both views one orthonormal batch, or one tight frame,"
    " reach it.",
)
def least() -> dict[str, Piece]:
    near = total(apart(i, f) ** 2, (f, d), ROWS) / COUNT
    near += total(Differ(i, j) * S[i, j] ** 2, *PAIRS) / (COUNT * M)
    above = squares()
    rows = [[1, 0], [0, 1], [-1, 0], [0, -1]]
    circle = {M: 3, d: 2, view1: rows, view2: rows}
    return {
        "near": derive(MEAN + 2, (DEFINITION, near), names=NAMES, facts=FACTS),
        "near sign": nonnegative(near),
        "floor": derive(MEAN + 2 - (COUNT / d - 1) / M, (DEFINITION, above), names=NAMES, facts=FACTS),
        "floor sign": nonnegative(above),
        "circle": holds("four rows on a circle", Relation(MEAN, "=", Rational(-5, 3)), circle, names=SCORED),
    }
