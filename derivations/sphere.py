"""Rows on the unit sphere: z = w/‖w‖, the Jacobian of that map, and what it does to a gradient (document D2)."""

from sympy import exp, log, sqrt

from .claims import claim
from .evidence import Verdict
from .prover.notation import Definition, Differ, Partial, one_if, total
from .prover.proof import CHAIN, DEFINITION, DERIVATIVE, SUMS, Proof, derive
from .prover.sums import Facts
from .symbols import A, L, N, P, a, d, ell, f, g, h, i, j, k, m, norm, p, s, tau, w, y, z

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
    """(I − z zᵀ) at two features."""
    return one_if(left, right) - z[row, left] * z[row, right]


@claim(
    "D2.11",
    printed=r"\partial z / \partial w = \frac{1}{\|w\|} (I - w w^T / \|w\|^2) = \frac{1}{\|w\|} (I - z z^T)",
    statement="As printed, for w ≠ 0; I − zzᵀ is symmetric, its own square, and sends w to 0.",
    verdict=Verdict.PROVED,
)
def jacobian() -> tuple[Proof, ...]:
    raw = (one_if(f, g) - w[i, f] * w[i, g] / norm[i] ** 2) / norm[i]
    derivative = derive(
        Partial(z[i, f], w[k, g]),
        (DERIVATIVE, one_if(i, k) * raw),
        (DEFINITION, one_if(i, k) * projector(i, f, g) / norm[i]),
        names=NAMES,
        facts=FACTS,
    )
    square = total(projector(i, f, h) * projector(i, h, g), (h, d))
    idempotent = derive(square, (DEFINITION, projector(i, f, g)), names=NAMES, facts=FACTS)
    kernel = total(projector(i, f, g) * w[i, g], (g, d))
    radial = derive(kernel, (DEFINITION, w[i, f] * 0), names=NAMES, facts=FACTS)
    return derivative, idempotent, radial


def _inside(feature):
    """What stands in the brackets of D2.5 and D2.7: z_p (P_ip − 1) + Σ over the negatives of z_n P_in."""
    negatives = total(Differ(a, p[i]) * P[i, a] * y[a, feature], (a, A))
    return y[p[i], feature] * (P[i, p[i]] - 1) + negatives


def anchor_gradient():
    """∂ℓ_i/∂w_i at the feature f [D2.12]."""
    return total(projector(i, f, g) * _inside(g), (g, d)) / (tau * norm[i])


@claim(
    "D2.12",
    printed=r"\partial \mathcal{L}_i / \partial w_i = \frac{1}{\tau \|w_i\|} (I - z_i z_i^T)"
    r" [z_p (P_{ip} - 1) + \sum_n z_n P_{in}]",
    statement="As printed, the candidates held fixed; hence w_i · ∂ℓ_i/∂w_i = 0.",
    verdict=Verdict.PROVED,
)
def through_the_sphere() -> tuple[Proof, Proof]:
    gradient = derive(
        Partial(ell[i], w[i, f]),
        (CHAIN, total(Partial(z[i, g], w[i, f]) * _inside(g), (g, d)) / tau),
        (DERIVATIVE, anchor_gradient()),
        names=NAMES,
        facts=FACTS,
    )
    orthogonal = derive(
        total(w[i, f] * anchor_gradient(), (f, d)), (DEFINITION, w[i, f] * 0), names=NAMES, facts=FACTS
    )
    return gradient, orthogonal


@claim(
    "D2.13",
    printed=r"the coefficient of the positive gradient P_{ip} is (I - z_i z_i^T) z_p",
    statement=r"The term of the positive is \frac{P_{ip} - 1}{\tau \|w_i\|} (I - z_i z_i^T) z_p.",
    verdict=Verdict.CORRECTED,
    right=r"(I - z_i z_i^T) z_p is the coefficient of (P_{ip} - 1)/(\tau \|w_i\|), not of P_{ip}.",
)
def coefficient_of_the_positive() -> Proof:
    def tangent(candidate):
        return total(projector(i, f, g) * y[candidate, g], (g, d))

    positive = (P[i, p[i]] - 1) / (tau * norm[i]) * tangent(p[i])
    negatives = total(Differ(a, p[i]) * P[i, a] / (tau * norm[i]) * tangent(a), (a, A))
    return derive(Partial(ell[i], w[i, f]), (DERIVATIVE, positive + negatives), names=NAMES, facts=FACTS)


@claim(
    "D2.14",
    printed=r"\|(I - z_i z_i^T) z_p\|^2 = z_p^T (I - 2 z_i z_i^T + z_i z_i^T z_i z_i^T) z_p"
    r" = z_p^T (I - z_i z_i^T) z_p = z_p^T z_p - z_p^T z_i zi^T z_p = I - (z_i^T z_p)^2",
    statement=r"The value is the number 1 - (z_i^T z_p)^2; line 3 uses \|z_i\| = 1 and the last \|z_p\| = 1.",
    verdict=Verdict.CORRECTED,
    right=r"The last line is 1 - (z_i^T z_p)^2 with the scalar 1, not the matrix I; zi^T is z_i^T.",
)
def length_of_the_tangent_part() -> Proof:
    positive = j  # any other unit row

    def between(matrix):
        return total(z[positive, f] * matrix * z[positive, g], (g, d), (f, d))

    product = total(z[i, h] ** 2, (h, d))
    doubled = one_if(f, g) - 2 * z[i, f] * z[i, g] + z[i, f] * product * z[i, g]
    return derive(
        total(total(projector(i, f, g) * z[positive, g], (g, d)) ** 2, (f, d)),
        (SUMS, between(doubled)),
        (DEFINITION, between(projector(i, f, g))),
        (SUMS, total(z[positive, f] ** 2, (f, d)) - total(z[i, f] * z[positive, f], (f, d)) ** 2),
        (DEFINITION, 1 - s[i, positive] ** 2),
        names=NAMES,
        facts=FACTS,
    )
