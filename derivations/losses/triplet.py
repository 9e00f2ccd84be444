"""The triplet loss: a hinge on the difference of two squared distances (named in document D3)."""

from fractions import Fraction

from mpmath import mpf
from sympy import Add, Integer

from .. import symbols
from ..common.pairs import divisor
from ..common.statement import Statement, gradient
from ..common.weights import with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Empirical, Finding, Piece, example
from ..evidence.points import Rows
from ..evidence.verdicts import Verdict
from ..prover.notation import Definition, Partial, total
from ..prover.proof import DERIVATIVE, derive
from ..prover.sums import Facts
from ..symbols import N, active, anchor, d, ell, f, g, i, k, loss, margin, negative, nu, positive

FACTS = Facts(ranges={i: N, k: N, f: d, g: d}, masks=(active,))

# max(0, x) in its two cases: α = 1 where x > 0, and α = 0 elsewhere, the tie x = 0 among it
HINGE = total((anchor[i, g] - positive[i, g]) ** 2 - (anchor[i, g] - negative[i, g]) ** 2, (g, d)) + margin
ROW = Definition(ell[i], active[i] * HINGE)
LOSS = Definition(loss, total(ell[i], (i, N)) / nu)
NAMES = (ROW, LOSS)

GRADIENTS = {  # [M12]
    name: gradient(rows[k, f], 2 * active[k] * way / nu, "M12", loss=loss, names=NAMES, facts=FACTS)
    for name, rows, way in (
        ("anchor", anchor, negative[k, f] - positive[k, f]),
        ("positive", positive, positive[k, f] - anchor[k, f]),
        ("negative", negative, anchor[k, f] - negative[k, f]),
    )
}


@claim(
    "M12",
    verdict=Verdict.PROVED,
    says="«anchor», «positive» and «negative», where $α$ is 1 with the hinge open and 0 with it shut. Where the"
    " hinge is at 0 both meet, and there may be no derivative: «kink». That it is shut there is a convention.",
)
def gradients() -> dict[str, Piece]:
    def kink(anchor, positive, negative, margin, step) -> Finding:
        """One triplet of one number; the squares of the anchor cancel, so that the slopes are exact."""

        def slope(step: Fraction) -> Fraction:
            moved = anchor[0][0] + step
            hinge = (moved - positive[0][0]) ** 2 - (moved - negative[0][0]) ** 2 + margin
            return max(Fraction(0), hinge) / step

        return Finding(slope(step), "≠", slope(-step), ("slope ahead", "slope behind"))

    return {
        **{name: by.prove() for name, by in GRADIENTS.items()},
        "kink": example(
            "no derivative where the hinge is 0",
            kink,
            anchor=Rows([[0]]),
            positive=Rows([[1]]),
            negative=Rows([[2]]),
            margin=3,
            step=Fraction(1, 10),
        ),
    }


@claim(
    "D3.1",
    printed="Triplet Loss: Es una técnica de aprendizaje supervisado, el cual es predecesor de propuestas en"
    " self-supervised.",
    verdict=Verdict.NO_THEOREM,
    says="«history».",
    right="What can be proved is the gradient of the loss that bears the name (M12): it moves no triplet"
    " as a whole, «together».",
)
def history() -> dict[str, Piece]:
    by_rows = (Partial(loss, rows[k, f]) for rows in (anchor, positive, negative))
    return {
        "history": Empirical("History, without a formula"),
        "together": derive(Add(*by_rows), (DERIVATIVE, Integer(0)), names=NAMES, facts=FACTS),
    }


def _is_open(a, p, n, limit) -> int:
    return int(sum(mpf(x - y) ** 2 - (x - u) ** 2 for x, y, u in zip(a, p, n, strict=True)) + limit > 0)


def _bind(anchor, positive, negative, *, margin, reduction="mean") -> dict:
    count = len(anchor)
    rows = {symbols.anchor: anchor, symbols.positive: positive, symbols.negative: negative}
    triplets = zip(anchor, positive, negative, strict=True)
    sizes = {N: count, d: len(anchor[0]), nu: divisor(count, reduction)}
    return sizes | rows | {symbols.margin: margin, active: [_is_open(*row, margin) for row in triplets]}


STATEMENT = with_weights(
    Statement(
        loss="triplet",
        form=loss,
        names=NAMES,
        gradients=GRADIENTS,
        bind=_bind,
    ),
    facts=FACTS,
)
