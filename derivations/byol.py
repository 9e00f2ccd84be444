"""BYOL and SimSiam: pairs of views without negatives, one of them held constant (document D3)."""

from sympy import Expr, Integer, sqrt

from derivations import symbols
from derivations.pairs import divisor
from derivations.prover.notation import Definition, total
from derivations.prover.statement import Gradient, Statement, gradient
from derivations.prover.sums import Facts
from derivations.symbols import (
    N,
    d,
    ell,
    f,
    g,
    h,
    held1,
    held2,
    i,
    k,
    loss,
    nu,
    p1,
    p2,
    prediction,
    target,
    z1,
    z2,
)

FACTS = Facts(ranges={i: N, k: N, f: d, g: d, h: d})


def length(rows, at) -> Expr:
    """‖x‖ of one row."""
    return sqrt(total(rows[at, g] ** 2, (g, d)))


def unit(rows, at, feature) -> Expr:
    """x̄ = x/‖x‖ at one feature."""
    return rows[at, feature] / length(rows, at)


def cosine(left, right, at) -> Expr:
    return total(left[at, h] * right[at, h], (h, d)) / (length(left, at) * length(right, at))


def cosine_by(rows, other, at, feature) -> Expr:
    """∂ cos(x, y)/∂x = (ȳ − cos x̄)/‖x‖: what is left of ȳ across x̄, shorter the longer x is."""
    across = unit(other, at, feature) - cosine(rows, other, at) * unit(rows, at, feature)
    return across / length(rows, at)


# --- BYOL ---------------------------------------------------------------------------------------------

DISTANCE = total((unit(prediction, i, f) - unit(target, i, f)) ** 2, (f, d))
BYOL = (Definition(ell[i], DISTANCE), Definition(loss, total(ell[i], (i, N)) / nu))  # [D3.43]
BYOL_BY_PREDICTION = gradient(
    prediction[k, f],
    -2 * cosine_by(prediction, target, k, f) / nu,
    *("M18", "D3.43"),
    loss=loss,
    names=BYOL,
    facts=FACTS,
)


def _bind_byol(prediction, target, *, reduction="mean") -> dict:
    count = len(prediction)
    sizes = {N: count, d: len(prediction[0]), nu: divisor(count, reduction)}
    return sizes | {symbols.prediction: prediction, symbols.target: target}


BYOL_STATEMENT = Statement(
    loss="byol",
    form=loss,
    names=BYOL,
    gradients={"prediction": BYOL_BY_PREDICTION},
    bind=_bind_byol,
)


# --- SimSiam ------------------------------------------------------------------------------------------


def simsiam(view1, view2) -> tuple[Definition, Definition]:
    """𝓛 = ½ D(p₁, z₂) + ½ D(p₂, z₁), D = −cos, in the mean over the rows [D3.44, D3.45]."""
    row = -(cosine(p1, view2, i) + cosine(p2, view1, i)) / 2
    return Definition(ell[i], row), Definition(loss, total(ell[i], (i, N)) / N)


STOPPED, FREE = simsiam(held1, held2), simsiam(z1, z2)


def simsiam_by(rows, other, names) -> Gradient:
    """−(ȳ − cos x̄)/(2N‖x‖), where x is compared with y; and 0 for what is compared with nothing [M19]."""
    form = -cosine_by(rows, other, k, f) / (2 * N) if other else Integer(0)
    return gradient(rows[k, f], form, "M19", "D3.45", loss=loss, names=names, facts=FACTS)


def _bind_simsiam(p1, z1, p2, z2, *, stop_gradient=True) -> dict:
    rows = {symbols.p1: p1, symbols.p2: p2, symbols.z1: z1, symbols.z2: z2}
    return {N: len(p1), d: len(p1[0])} | rows | {held1: z1, held2: z2}


def _simsiam_statement(names, view1, view2, other1, other2) -> Statement:
    pairs = {"p1": (p1, view2), "z1": (z1, other2), "p2": (p2, view1), "z2": (z2, other1)}
    gradients = {name: simsiam_by(rows, other, names) for name, (rows, other) in pairs.items()}
    return Statement(loss="simsiam", form=loss, names=names, gradients=gradients, bind=_bind_simsiam)


SIMSIAM_STATEMENT = _simsiam_statement(STOPPED, held1, held2, None, None)
FREE_SIMSIAM_STATEMENT = _simsiam_statement(FREE, z1, z2, p1, p2)


def simsiam_statement(arguments) -> Statement:
    """With the stop-gradient, unless the arguments say otherwise."""
    return SIMSIAM_STATEMENT if arguments.get("stop_gradient", True) else FREE_SIMSIAM_STATEMENT
