"""VICReg: two views agree, and the columns of each are spread out and uncorrelated (document F)."""

from fractions import Fraction

from sympy import Expr, IndexedBase, Integer, sqrt

from .. import symbols
from ..common.columns import CENTRED
from ..common.columns import FACTS as COLUMNS
from ..common.statement import Statement, gradient
from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, example
from ..evidence.points import Rows, root
from ..evidence.verdicts import Verdict
from ..prover.inequality import nonnegative
from ..prover.notation import Definition, Differ, total
from ..prover.proof import DEFINITION, derive
from ..prover.sums import Facts
from ..symbols import (
    B,
    below1,
    below2,
    centred1,
    centred2,
    covariance1,
    covariance2,
    covariance_weight,
    cross_correlation,
    d,
    deviation1,
    epsilon,
    f,
    g,
    h,
    i,
    invariance_weight,
    k,
    limit,
    loss,
    spread1,
    spread2,
    variance_weight,
    view1,
    view2,
)
from . import alignment, barlow_twins

FACTS = Facts(ranges=COLUMNS.ranges, masks=(below1, below2))


def of_view(rest: IndexedBase, covariance: IndexedBase, spread: IndexedBase) -> tuple[Definition, Definition]:
    """The covariances of the columns, and √(Var + ε), their variance being their covariance with themselves."""
    return (
        Definition(covariance[f, g], total(rest[i, f] * rest[i, g], (i, B)) / (B - 1)),
        Definition(spread[f], sqrt(total(rest[i, f] ** 2, (i, B)) / (B - 1) + epsilon)),
    )


INVARIANCE = total((view1[i, f] - view2[i, f]) ** 2, (f, d), (i, B)) / B


def hinge(spread: IndexedBase, below: IndexedBase) -> Expr:
    """max(0, γ − S) in its two cases: η = 1 where S < γ, and η = 0 elsewhere, the tie S = γ among it."""
    return total(below[f] * (limit - spread[f]), (f, d)) / d


def off_diagonal(covariance: IndexedBase) -> Expr:
    return total(Differ(f, g) * covariance[f, g] ** 2, (g, d), (f, d)) / d


LOSS = Definition(
    loss,
    invariance_weight * INVARIANCE
    + variance_weight * (hinge(spread1, below1) + hinge(spread2, below2))
    + covariance_weight * (off_diagonal(covariance1) + off_diagonal(covariance2)),
)
NAMES = (*CENTRED, *of_view(centred1, covariance1, spread1), *of_view(centred2, covariance2, spread2), LOSS)


def _by(own: Expr, other: Expr, rest, covariance, spread, below):
    """Each of the three terms for itself [F28]."""
    apart = total(Differ(f, h) * covariance[f, h] * rest[k, h], (h, d))
    form = (
        2 * invariance_weight * (own - other) / B
        - variance_weight * below[f] * rest[k, f] / (d * (B - 1) * spread[f])
        + 4 * covariance_weight * apart / (d * (B - 1))
    )
    return gradient(own, form, "F28", loss=loss, names=NAMES, facts=FACTS)


def _bind(z1, z2, *, invariance, variance, covariance, margin, epsilon) -> dict:
    def below(view) -> list[int]:
        """η of each column: S < γ, without the root."""
        return [
            int(margin > 0 and _variance(column) + epsilon < margin**2) for column in zip(*view, strict=True)
        ]

    weights = {invariance_weight: invariance, variance_weight: variance, covariance_weight: covariance}
    hinges = {limit: margin, symbols.epsilon: epsilon, below1: below(z1), below2: below(z2)}
    return {B: len(z1), d: len(z1[0]), view1: z1, view2: z2} | weights | hinges


def _variance(column):
    mean = sum(column) / len(column)
    return sum((x - mean) ** 2 for x in column) / (len(column) - 1)


STATEMENT = Statement(
    loss="vicreg",
    form=loss,
    names=NAMES,
    gradients={
        "z1": _by(view1[k, f], view2[k, f], centred1, covariance1, spread1, below1),
        "z2": _by(view2[k, f], view1[k, f], centred2, covariance2, spread2, below2),
    },
    bind=_bind,
)


@claim(
    "F27",
    printed=r"$\ell(Z, Z') = \lambda s(Z, Z') + \mu [v(Z) + v(Z')] + \nu [c(Z) + c(Z')]$, $s(Z, Z') ="
    r" \frac{1}{n} \sum_i \|z_i - z'_i\|_2^2$, $v(Z) = \frac{1}{d} \sum_{j=1}^d \max(0, \gamma - S(z^j,"
    r" \epsilon))$, $S(x, \epsilon) = \sqrt{\mathrm{Var}(x) + \epsilon}$, $c(Z) = \frac{1}{d} \sum_{i \neq"
    r" j} [C(Z)]_{i,j}^2$, $C(Z) = \frac{1}{n - 1} \sum_{i=1}^n (z_i - \bar{z})(z_i - \bar{z})^T$",
    verdict=Verdict.DEFINITION,
    says="«loss», where «covariance» and «spread», so that a variance is a covariance of a column with"
    " itself, over B - 1: «variance». $η$ is 1 where the hinge is open. A column has «sum», which is not"
    " negative, «sign». The first part by itself, with the weights «first.where ι₀», «first.where μ₀»"
    " and «first.where ρ₀», is «first»: alignment with the exponent 2, «alignment». For two views that are"
    " the same, the covariance is Barlow Twins' correlation times the deviations, «barlow». The official code,"
    " main_vicreg.py of vicreg, has other scales: it divides the first part by the number of features too, and"
    " halves the second, so that the same weights mean another loss.",
    brief="VICReg adds three parts with weights: the distance of the views, how far the deviation of each"
    " feature is below its margin, and the squares of the covariances between features, «loss». With the"
    " first alone it is alignment with the exponent 2. The official code, main_vicreg.py of vicreg, scales"
    " the parts otherwise.",
)
def definition() -> dict[str, Piece]:
    one_view = of_view(centred1, covariance1, spread1)
    squares = total(centred1[i, f] ** 2, (i, B))
    weights = (invariance_weight, 1), (variance_weight, 0), (covariance_weight, 0)
    alone = (Definition(weight, Integer(number)) for weight, number in weights)
    square = (
        Definition(symbols.exponent, Integer(2)),
        Definition(symbols.differing[i], Integer(1)),
    )
    same = Definition(view2[i, f], view1[i, f])
    scaled = B * deviation1[f] * deviation1[g] * cross_correlation[f, g] / (B - 1)
    return {
        "loss": LOSS,
        "covariance": one_view[0],
        "spread": one_view[1],
        "variance": derive(
            spread1[f] ** 2, (DEFINITION, covariance1[f, f] + epsilon), names=NAMES, facts=FACTS
        ),
        "sum": derive((B - 1) * covariance1[f, f], (DEFINITION, squares), names=NAMES, facts=FACTS),
        "sign": nonnegative(squares),
        "first": derive(loss, (DEFINITION, INVARIANCE), names=(*NAMES, *alone), facts=FACTS),
        "alignment": derive(
            total(symbols.ell[i], (i, B)) / B,
            (DEFINITION, INVARIANCE),
            names=(alignment.SQUARED, alignment.ROW, *square),
            facts=alignment.PLAIN,
        ),
        "barlow": derive(
            covariance1[f, g],
            (DEFINITION, scaled),
            names=(*barlow_twins.NAMES, *one_view, same),
            facts=COLUMNS,
        ),
    }


@claim(
    "F28",
    verdict=Verdict.PROVED,
    says="«z1» and «z2», of the three parts of the loss each by itself. Where a hinge is at 0 both cases"
    " meet, and there may be no derivative, «kink»: that it is shut there is a convention. None of the two"
    " parts that are of one view moves its mean: «together».",
)
def gradients() -> dict[str, Piece]:
    def kink(column, margin, step) -> Finding:
        """The column stretched; its deviation over B − 1 is the length of its last row."""

        def slope(step: Fraction) -> Fraction:
            stretched = [row[0] * (1 + step) for row in column]
            return max(Fraction(0), margin - root(_variance(stretched))) / step

        return Finding(slope(step), "≠", slope(-step), ("slope ahead", "slope behind"))

    form = STATEMENT.gradients["z1"].form
    of_one = form - 2 * invariance_weight * (view1[k, f] - view2[k, f]) / B
    return {
        **{name: by.prove() for name, by in STATEMENT.gradients.items()},
        "kink": example(
            "a column of deviation 1", kink, column=Rows([[-1], [0], [1]]), margin=1, step=Fraction(1, 10)
        ),
        "together": derive(total(of_one, (k, B)), (DEFINITION, Integer(0)), names=NAMES, facts=FACTS),
    }
