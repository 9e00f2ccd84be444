"""Barlow Twins: the features of two views correlated, each with itself and with no other (document F)."""

from sympy import Expr, IndexedBase, Integer, Mul, sqrt

from ..common.columns import CENTRED, FACTS
from ..common.statement import Statement, gradient
from ..evidence.claims import claim
from ..evidence.pieces import Piece
from ..evidence.verdicts import Verdict
from ..prover.inequality import nonnegative
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, Proof, derive
from ..symbols import (
    B,
    G,
    centred1,
    centred2,
    cross_correlation,
    d,
    deviation1,
    deviation2,
    f,
    g,
    h,
    i,
    k,
    loss,
    redundancy,
    standard1,
    standard2,
    stretch,
    view1,
    view2,
)


def standardised(
    rest: IndexedBase, deviation: IndexedBase, standard: IndexedBase
) -> tuple[Definition, Definition]:
    """Each column divided by its standard deviation over the batch (by B, not B − 1)."""
    return (
        Definition(deviation[f], sqrt(total(rest[i, f] ** 2, (i, B)) / B)),
        Definition(standard[i, f], rest[i, f] / deviation[f]),
    )


STANDARD = (
    *standardised(centred1, deviation1, standard1),
    *standardised(centred2, deviation2, standard2),
)
CORRELATION = Definition(cross_correlation[f, g], total(standard1[i, f] * standard2[i, g], (i, B)) / B)
LOSS = Definition(
    loss,
    total((1 - cross_correlation[f, f]) ** 2, (f, d))
    + redundancy * total(Differ(f, g) * cross_correlation[f, g] ** 2, (g, d), (f, d)),
)
# 1 − 𝒞_ff as a mean of squares: no cancellation if the views agree [F25]
SHORTFALL = total((standard1[i, f] - standard2[i, f]) ** 2, (i, B)) / (2 * B)
ERROR = Definition(
    G[f, g], 2 * redundancy * Differ(f, g) * cross_correlation[f, g] - 2 * one_if(f, g) * SHORTFALL
)
NAMES = (*CENTRED, *STANDARD, CORRELATION, LOSS, ERROR)

BY_INPUT: dict[str, tuple[Expr, Expr]] = {  # input → (the variable, the gradient) [F26]
    "z1": (
        view1[k, f],
        total(G[f, h] * (standard2[k, h] - cross_correlation[f, h] * standard1[k, f]), (h, d))
        / (B * deviation1[f]),
    ),
    "z2": (
        view2[k, f],
        total(G[h, f] * (standard1[k, h] - cross_correlation[h, f] * standard2[k, f]), (h, d))
        / (B * deviation2[f]),
    ),
}


def _bind(z1, z2, *, weight) -> dict:
    return {B: len(z1), d: len(z1[0]), view1: z1, view2: z2, redundancy: weight}


STATEMENT = Statement(
    loss="barlow_twins",
    form=loss,
    names=NAMES,
    gradients={
        name: gradient(variable, form, "F26", loss=loss, names=NAMES, facts=FACTS)
        for name, (variable, form) in BY_INPUT.items()
    },
    bind=_bind,
)


@claim(
    "F25",
    printed=r"$\mathcal{L}_{BT} = \sum_i (1 - \mathcal{C}_{ii})^2 + \lambda \sum_i \sum_{j \neq i}"
    r" \mathcal{C}_{ij}^2$, $\mathcal{C}_{ij} = \frac{\sum_b z_{b,i}^A z_{b,j}^B}{\sqrt{\sum_b (z_{b,i}^A)^2}"
    r" \sqrt{\sum_b (z_{b,j}^B)^2}}$, the columns centred along the batch",
    verdict=Verdict.DEFINITION,
    says="«loss», where «correlation» is «printed»: columns of mean 0, «mean», and variance 1, «variance»."
    " It needs columns that are not constant, and then takes no notice of their scale and mean: «scale». The"
    " correlation of a feature with itself is short of 1 by «shortfall», which is not negative, «sign». Of two"
    " views that are the same, «aligned.where Z₂», only the redundancy is left: «aligned». The official code,"
    " main.py of barlowtwins, adds 1/100000 to each variance before it divides, by batch normalisation.",
)
def definition() -> dict[str, Piece]:
    covariance = total(centred1[i, f] * centred2[i, g], (i, B))
    lengths = (sqrt(total(rest[i, column] ** 2, (i, B))) for rest, column in ((centred1, f), (centred2, g)))
    longer = stretch * view1[i, f] + IndexedBase("c", real=True)[f]
    moved = longer - total(longer, (i, B)) / B
    other = moved / sqrt(total(moved**2, (i, B)) / B)

    redundant = redundancy * total(Differ(f, g) * cross_correlation[f, g] ** 2, (g, d), (f, d))

    def prove(first: Expr, last: Expr) -> Proof:
        return derive(first, (DEFINITION, last), names=NAMES, facts=FACTS)

    return {
        "loss": LOSS,
        "correlation": CORRELATION,
        "printed": prove(cross_correlation[f, g], covariance / Mul(*lengths)),
        "mean": prove(total(standard1[i, f], (i, B)), Integer(0)),
        "variance": prove(total(standard1[i, f] ** 2, (i, B)) / B, Integer(1)),
        "scale": prove(other, standard1[i, f]),
        "shortfall": prove(1 - cross_correlation[f, f], SHORTFALL),
        "sign": nonnegative(SHORTFALL),
        "aligned": derive(
            loss, (DEFINITION, redundant), names=(*NAMES, Definition(view2[i, f], view1[i, f])), facts=FACTS
        ),
    }


@claim(
    "F26",
    verdict=Verdict.PROVED,
    says="«z1» and «z2», where «error». As the loss takes no notice of a column's mean and scale, its"
    " gradient moves neither: «together» and «spread».",
)
def gradients() -> dict[str, Piece]:
    error = 2 * redundancy * Differ(f, g) * cross_correlation[f, g] - 2 * one_if(f, g) * (
        1 - cross_correlation[f, g]
    )
    by_view = BY_INPUT["z1"][1]
    return {
        **{name: by.prove() for name, by in STATEMENT.gradients.items()},
        "error": derive(G[f, g], (DEFINITION, error), names=NAMES, facts=FACTS),
        "together": derive(total(by_view, (k, B)), (DEFINITION, Integer(0)), names=NAMES, facts=FACTS),
        "spread": derive(
            total(by_view * centred1[k, f], (k, B)), (DEFINITION, Integer(0)), names=NAMES, facts=FACTS
        ),
    }
