"""Alignment: the mean distance of two views, to a power (document F).

A power of a distance is e^{α log ‖Δ‖}, defined only for different rows. For equal rows ψ° is 0, and so are
their loss and, by convention, their gradient.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from sympy import Expr, Integer, Symbol, exp, log

from .. import symbols
from ..common import cosine
from ..common.pairs import divisor
from ..common.statement import Statement, gradient
from ..common.weights import with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, example
from ..evidence.points import Numbers, Rows, root
from ..evidence.verdicts import Verdict
from ..prover.inequality import nonnegative
from ..prover.notation import Definition, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, derive
from ..prover.sums import Facts
from ..symbols import (
    UNITS,
    B,
    d,
    differing,
    ell,
    exponent,
    f,
    g,
    i,
    j,
    k,
    loss,
    nu,
    prediction,
    squared,
    target,
    view1,
    view2,
)
from . import byol

FACTS = Facts(ranges={i: B, j: B, k: B, f: d, g: d}, masks=(differing,))

nearness = Symbol("y", real=True)  # two rows differ by e^{−y} in one feature
PLAIN = Facts(ranges=FACTS.ranges)

SQUARED = Definition(squared[i, j], total((view1[i, f] - view2[j, f]) ** 2, (f, d)))


def power(row: Expr, of: Expr) -> Expr:
    """‖Δ‖ to the power `of`, and 1 where ψ° is 0."""
    return exp(of / 2 * log(squared[row, row] + 1 - differing[row]))


ROW = Definition(ell[i], differing[i] * power(i, exponent))
LOSS = Definition(loss, total(ell[i], (i, B)) / nu)
NAMES = (SQUARED, ROW, LOSS)


def _by(own: Expr, other: Expr):
    """α ‖Δ‖^{α−2} (x − y)/B."""
    form = differing[k] * exponent * power(k, exponent - 2) * (own - other) / nu
    return gradient(own, form, "F13", loss=loss, names=NAMES, facts=FACTS)


def _bind(z1, z2, *, exponent, reduction="mean") -> dict:
    differ = [int(any(x != y for x, y in zip(*rows, strict=True))) for rows in zip(z1, z2, strict=True)]
    sizes = {B: len(z1), d: len(z1[0]), nu: divisor(len(z1), reduction)}
    return sizes | {view1: z1, view2: z2, symbols.exponent: exponent, differing: differ}


STATEMENT = with_weights(
    Statement(
        loss="alignment",
        form=loss,
        names=NAMES,
        gradients={"z1": _by(view1[k, f], view2[k, f]), "z2": _by(view2[k, f], view1[k, f])},
        bind=_bind,
    ),
    facts=FACTS,
    rows=B,
)


@claim(
    "F12",
    printed=r"$\mathcal{L}_{align}(f; \alpha) = \mathbb{E}_{(x,y) \sim p_{pos}}[\|f(x) - f(y)\|_2^\alpha]$,"
    r" $\alpha > 0$",
    verdict=Verdict.DEFINITION,
    says="«row» and «loss», where «squared», and $ψ°$ is 1 if the two rows differ. Then «log», which says"
    " the power by a logarithm; with an exponent of 2 the loss is «square», and BYOL's row is that of unit"
    " rows, «byol». Nothing is negative: «sign».",
)
def definition() -> dict[str, Piece]:
    differ = (SQUARED, ROW, Definition(differing[i], Integer(1)))
    square = (*differ, Definition(exponent, Integer(2)))
    views = ((view1, prediction), (view2, target))
    unit = (Definition(view[i, f], UNITS[rows][i, f]) for view, rows in views)
    return {
        "row": ROW,
        "loss": LOSS,
        "squared": SQUARED,
        "log": derive(
            log(ell[i]), (DEFINITION, exponent * log(squared[i, i]) / 2), names=differ, facts=PLAIN
        ),
        "square": derive(
            loss, (DEFINITION, total(squared[i, i], (i, B)) / nu), names=(*square, LOSS), facts=PLAIN
        ),
        "byol": derive(
            ell[i],
            (DEFINITION, byol.ROW.body),
            names=(*byol.NAMES[:4], *square, *unit),
            facts=cosine.FACTS,
        ),
        "sign": nonnegative(ROW.body, names=(SQUARED,)),
    }


@claim(
    "F13",
    verdict=Verdict.PROVED,
    says="«z1» and «z2». Of two rows that are equal the gradient here is 0, as it is for an exponent of 2"
    " everywhere, «smooth». Move one of them by $e^{-y}$, which then is their distance: the slope from the"
    " equal rows to there is «ahead», and the other way «behind». For an exponent above 1 both go to 0 as"
    " $y$ grows: 0 is the derivative. For an exponent of 1 they are 1 and -1, «kink», and for one below 1"
    " they grow without bound, «steep»: then equal rows have no derivative, and 0 is a convention.",
)
def gradients() -> dict[str, Piece]:
    def kink(first, second, step) -> Finding:
        """One pair of rows of one number, at the exponent 1."""

        def slope(step: Fraction) -> Fraction:
            return root((first[0][0] + step - second[0][0]) ** 2) / step

        return Finding(slope(step), "≠", slope(-step), ("slope ahead", "slope behind"))

    def steep(steps) -> Iterator[Finding]:
        """The exponent 1/2: the slope from 0 to a step is the step's root over the step."""
        for step, shorter in pairwise(steps):
            yield Finding(
                root(shorter) / shorter, ">", root(step) / step, (f"slope to {shorter}", f"to {step}")
            )

    def quotient(step: Expr) -> Expr:
        return exp(exponent / 2 * log(step**2)) / step

    slope = exp((1 - exponent) * nearness)
    return {
        **{name: by.prove() for name, by in STATEMENT.gradients.items()},
        "smooth": derive(
            Partial(squared[k, k], view1[k, f]),
            (DERIVATIVE, 2 * (view1[k, f] - view2[k, f])),
            names=NAMES,
            facts=FACTS,
        ),
        "ahead": derive(quotient(exp(-nearness)), (SUMS, slope), facts=FACTS),
        "behind": derive(quotient(-exp(-nearness)), (SUMS, -slope), facts=FACTS),
        "steep": example("the exponent 1/2", steep, steps=Numbers([Fraction(1, 4), Fraction(1, 100)])),
        "kink": example(
            "two equal rows, the exponent 1",
            kink,
            first=Rows([[0]]),
            second=Rows([[0]]),
            step=Fraction(1, 10),
        ),
    }
