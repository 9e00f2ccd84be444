"""Rows on the unit sphere: z = w/‖w‖, its Jacobian, and gradients through it (document D2)."""

from fractions import Fraction

from sympy import Expr, Integer, exp, log, sqrt

from ..evidence.claims import claim
from ..evidence.pieces import Piece, Relation, fails
from ..evidence.points import Rows, UnitRows
from ..evidence.verdicts import Verdict
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import CHAIN, DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import A, L, N, P, a, d, ell, f, g, h, i, j, k, m, n, norm, p, s, tau, w, y, z

FACTS = Facts(ranges={i: N, j: N, k: N, f: d, g: d, h: d}, maps={p: (N, A)})

NORM = Definition(norm[i], sqrt(total(w[i, f] ** 2, (f, d))))
UNIT = Definition(z[i, f], w[i, f] / norm[i])
COSINE = Definition(s[i, j], total(z[i, f] * z[j, f], (f, d)))  # [D3.3]

# One anchor, row i, before A candidates that do not move with it [D2.7].
LOGITS = Definition(L[i, a], total(z[i, f] * y[a, f], (f, d)) / tau)
SOFTMAX = Definition(P[i, a], exp(L[i, a]) / total(exp(L[i, m]), (m, A)))
ANCHOR = Definition(ell[i], -log(P[i, p[i]]))
NAMES = (NORM, UNIT, COSINE, LOGITS, SOFTMAX, ANCHOR)


def projector(row, left, right):
    """One anchor, row i, against A candidates that do not depend on it [D2.7]."""
    return one_if(left, right) - z[row, left] * z[row, right]


def prove(first: Expr, *steps) -> Proof:
    return derive(first, *steps, names=NAMES, facts=FACTS)


@claim(
    "D2.11",
    printed=r"$\frac{\partial z_i}{\partial w_i} = \frac{\partial}{\partial w_i} (\frac{w_i}{\|w_i\|})"
    r" = \frac{1}{\|w_i\|} (I - \frac{w_i w_i^T}{\|w_i\|^2})"
    r" = \frac{1}{\|w_i\|} (I - z_i z_i^T)$",
    verdict=Verdict.PROVED,
    says="«jacobian.chain». The matrix is its own square, «idempotent», and sends the raw row to 0: «radial».",
)
def jacobian() -> dict[str, Piece]:
    raw = (one_if(f, g) - w[i, f] * w[i, g] / norm[i] ** 2) / norm[i]
    square = total(projector(i, f, h) * projector(i, h, g), (h, d))
    kernel = total(projector(i, f, g) * w[i, g], (g, d))
    return {
        "jacobian": prove(
            Partial(z[i, f], w[k, g]),
            (DERIVATIVE, one_if(i, k) * raw),
            (DEFINITION, one_if(i, k) * projector(i, f, g) / norm[i]),
        ),
        "idempotent": prove(square, (DEFINITION, projector(i, f, g))),
        "radial": prove(kernel, (DEFINITION, Integer(0))),
    }


def _inside(feature):
    """The brackets of D2.5 and D2.7: z_p (P_ip − 1) + Σ over the negatives of z_n P_in."""
    negatives = total(Differ(a, p[i]) * P[i, a] * y[a, feature], (a, A))
    return y[p[i], feature] * (P[i, p[i]] - 1) + negatives


def anchor_gradient():
    """∂ℓ_i/∂w_i at the feature f [D2.12]."""
    return total(projector(i, f, g) * _inside(g), (g, d)) / (tau * norm[i])


@claim(
    "D2.12",
    printed=r"$\frac{\partial \mathcal{L}_i}{\partial w_i} = \frac{\partial z_i}{\partial w_i}"
    r" \frac{\partial \mathcal{L}_i}{\partial z_i} = \frac{1}{\tau \|w_i\|} (I - z_i z_i^T) [z_p (P_{ip} - 1)"
    r" + \sum_{n \in N} z_n P_{in}]$",
    verdict=Verdict.PROVED,
    says="«gradient.chain», the candidates $y$ held fixed. It is tangent to the sphere: «tangent».",
)
def through_the_sphere() -> dict[str, Piece]:
    chain = total(Partial(z[i, g], w[i, f]) * Partial(ell[i], z[i, g]), (g, d))
    return {
        "gradient": prove(Partial(ell[i], w[i, f]), (CHAIN, chain), (DERIVATIVE, anchor_gradient())),
        "tangent": prove(total(w[i, f] * anchor_gradient(), (f, d)), (DEFINITION, Integer(0))),
    }


def coefficient_of_the_positive() -> Proof:
    """∂ℓ_i/∂w_i as a sum of terms of the positive and of the negatives [D2.13]."""
    negatives = total(Differ(a, p[i]) * P[i, a] / (tau * norm[i]) * _tangent(a), (a, A))
    return prove(Partial(ell[i], w[i, f]), (DERIVATIVE, _TERM * _tangent(p[i]) + negatives))


def _tangent(candidate):
    """(I − z_i z_iᵀ) y_a at the feature f."""
    return total(projector(i, f, g) * y[candidate, g], (g, d))


_TERM = (P[i, p[i]] - 1) / (tau * norm[i])


@claim(
    "D2.13",
    printed=r"the coefficient of the gradient of the positive, $P_{ip}$, is $(I - z_i z_i^T) z_p$",
    verdict=Verdict.CORRECTED,
    says="The term of the positive would be so: «printed», which fails.",
    right="In «gradient» the term of the positive is that with $P_{ip} - 1$: the printed vector by this number,"
    r" over $\tau \|w_i\|$.",
)
def term_of_the_positive() -> dict[str, Piece]:
    printed = Relation(_TERM * _tangent(p[i]), "=", P[i, p[i]] * _tangent(p[i]))
    point = {
        w: Rows([[1, 0]]),
        y: UnitRows([[0, 1], [1, 0]]),
        p: [0],
        tau: Fraction(1),
        i: 0,
        f: 1,
        A: 2,
        d: 2,
    }
    return {"printed": fails(printed, point, names=NAMES), "gradient": coefficient_of_the_positive()}


def length_of_the_tangent_part() -> Proof:
    """‖(I − z zᵀ) z_p‖² = 1 − (z · z_p)², which holds for any other unit row z_j in place of z_p [D2.14]."""

    def between(matrix):
        return total(z[j, f] * matrix * z[j, g], (g, d), (f, d))

    doubled = one_if(f, g) - 2 * z[i, f] * z[i, g] + z[i, f] * total(z[i, h] ** 2, (h, d)) * z[i, g]
    return prove(
        _SQUARE,
        (SUMS, between(doubled)),
        (DEFINITION, between(projector(i, f, g))),
        (SUMS, total(z[j, f] ** 2, (f, d)) - total(z[i, f] * z[j, f], (f, d)) ** 2),
        (DEFINITION, 1 - s[i, j] ** 2),
    )


_SQUARE = total(total(projector(i, f, g) * z[j, g], (g, d)) ** 2, (f, d))


@claim(
    "D2.14",
    printed=r"$\|(I - z_i z_i^T) z_p\|^2 = [(I - z_i z_i^T) z_p]^T [(I - z_i z_i^T) z_p]"
    r" = z_p^T (I - 2 z_i z_i^T + z_i z_i^T z_i z_i^T) z_p = z_p^T (I - z_i z_i^T) z_p"
    r" = z_p^T z_p - z_p^T z_i zi^T z_p = I - (z_i^T z_p)^2$",
    verdict=Verdict.CORRECTED,
    says="With $j$ for the positive, the last line says «matrix» at each entry of the matrix $I$, which fails off"
    " the diagonal. The line above it has $zi$ for $z_i$.",
    right="«length.chain»: the number 1.",
)
def tangent_part() -> dict[str, Piece]:
    printed = Relation(_SQUARE, "=", one_if(m, n) - s[i, j] ** 2)
    point = {w: Rows([[5, 0], [3, 4]]), d: 2, i: 0, j: 1, m: 0, n: 1}
    return {"matrix": fails(printed, point, names=NAMES), "length": length_of_the_tangent_part()}
