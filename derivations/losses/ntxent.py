"""NT-Xent, the loss of SimCLR: cosine similarities, no anchor in its own denominator (document D3)."""

from fractions import Fraction
from math import prod

from sympy import Symbol, exp, log, sqrt

from .. import symbols
from ..claims import Counterexample, Verdict, claim, counterexample
from ..pairs import divisor, positives
from ..prover import rational
from ..prover.inequality import Sign, nonnegative
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import CHAIN, DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.statement import Gradient, Statement
from ..prover.sums import Facts
from ..sphere import COSINE, NORM, UNIT, projector
from ..symbols import G, L, N, P, d, ell, f, g, i, j, k, l, loss, m, norm, nu, p, s, tau, w, z

FACTS = Facts(ranges={i: N, j: N, k: N, f: d, g: d}, maps={p: (N, N)}, derangements=(p,))

LOGITS = Definition(L[i, j], s[i, j] / tau)
OTHERS = total(Differ(k, i) * exp(L[i, k]), (k, N))  # Σ over k ≠ i
ROW = Definition(ell[i], -log(exp(L[i, p[i]]) / OTHERS))  # [D3.2]
LOSS = Definition(loss, total(ell[i], (i, N)) / nu)  # [D3.4]
SOFTMAX = Definition(P[i, j], Differ(j, i) * exp(L[i, j]) / OTHERS)
# G = P − 1[positive], with 1 − P_ip written as the sum of the other probabilities [S2]
ERROR = Definition(
    G[i, j], Differ(j, p[i]) * P[i, j] - one_if(j, p[i]) * total(Differ(m, p[i]) * P[i, m], (m, N))
)
NAMES = (NORM, UNIT, COSINE, LOGITS, ROW, LOSS, SOFTMAX, ERROR)

BY_ROW = total((G[k, j] + G[j, k]) * (z[j, f] - s[k, j] * z[k, f]), (j, N)) / (nu * tau * norm[k])  # [M5]
BY_TEMPERATURE = -total(G[i, j] * L[i, j], (j, N), (i, N)) / (nu * tau)  # [M7]


def risk(z, b: Fraction, row: int, positive: int) -> Fraction:
    """e^ℓ of one anchor, as D3.2 is printed; e^{1/(25τ)} = b."""
    return 1 / rational.probabilities(z, b, rational.all_but_itself)[row][positive]


@claim(
    "D3.2",
    printed=r"\mathcal{L}_{i,j} = -\log \frac{e^{sim(z_i, z_j)/\tau}}{\sum_{k=1}^{2N} 1_{[k \ne i]}"
    r" e^{sim(z_i, z_k)/\tau}}",
    statement=r"A definition; e^\ell is 1 plus a term > 0 for each of the N - 2 negatives, N counting rows (2N in"
    r" print), so that one image alone has \ell = 0. It is not symmetric in i and j.",
    verdict=Verdict.PROVED,
)
def row_loss() -> tuple[Proof | Sign | Counterexample, ...]:
    negative = Differ(j, i) * Differ(j, p[i])
    odds = total(negative * exp(L[i, j] - L[i, p[i]]), (j, N))
    z, b = rational.rows((5, 0), (4, 3), (0, 5)), Fraction(21, 20)
    one, other = risk(z, b, 0, 1), risk(z, b, 1, 0)
    return (
        derive(exp(ell[i]), (DEFINITION, 1 + odds), names=(ROW,), facts=FACTS),
        nonnegative(odds),
        derive(total(negative, (j, N)), (SUMS, N - 2), facts=FACTS),
        counterexample(
            "(1, 0) and (4/5, 3/5) beside (0, 1), e^{1/(25τ)} = 21/20: not symmetric",
            one != other,
            {"e^ℓ(0, 1)": f"{float(one):.6f}", "e^ℓ(1, 0)": f"{float(other):.6f}"},
        ),
    )


@claim(
    "D3.4",
    printed=r"\mathcal{L} = \frac{1}{2N} \sum_{k=1}^N [\ell(2k-1, 2k) + \ell(2k, 2k-1)]",
    statement="The mean over all rows, each before its positive: D1's loss with the mask, of the rows in another"
    " order. A sum stays as it is when two of its terms change places, and such exchanges make every order."
    " D1's p on interleaved rows is another loss.",
    verdict=Verdict.PROVED,
)
def simclr() -> tuple[Proof, Counterexample]:
    exchanged = ell[i] + one_if(i, k) * (ell[l] - ell[k]) + one_if(i, l) * (ell[k] - ell[l])
    first, second = rational.rows((5, 0), (0, 5), (4, 3)), rational.rows((4, 3), (3, 4), (0, 5))
    b = Fraction(21, 20)
    pairs = [row for both in zip(first, second, strict=True) for row in both]
    images = range(1, len(first) + 1)
    # rows counted from 0: 2k − 1 and 2k are 2k − 2 and 2k − 1
    printed = prod(
        risk(pairs, b, 2 * n - 2, 2 * n - 1) * risk(pairs, b, 2 * n - 1, 2 * n - 2) for n in images
    )
    views = [*first, *second]
    concatenated, mistaken = (
        prod(risk(rows, b, row, positive) for row, positive in enumerate(positives(len(rows))))
        for rows in (views, pairs)
    )
    facts = Facts(ranges={i: N, k: N, l: N})
    return (
        derive(total(exchanged, (i, N)), (SUMS, total(ell[i], (i, N))), facts=facts),
        counterexample(
            "three images, the algorithm executed, and D1's with the mask on [view 1; view 2]: the same number",
            printed == concatenated != mistaken,
            {
                "𝓛 of SimCLR": f"{float(log(printed)) / 6:.12f}",
                "𝓛 of D1, masked": f"{float(log(concatenated)) / 6:.12f}",
                "with D1's p on interleaved rows": f"{float(log(mistaken)) / 6:.12f}",
            },
        ),
    )


@claim(
    "D3.3",
    printed=r"\mathrm{sim}(z_i, z_j) = z_i^T z_j / (\|z_i\| \|z_j\|)",
    statement=r"A definition; 1 - s^2 = \|z_j - s z_i\|^2 \ge 0, so |s| \le 1; the lengths do not enter.",
    verdict=Verdict.PROVED,
)
def cosine() -> tuple[Proof, Proof]:
    square = total((z[j, f] - s[i, j] * z[i, f]) ** 2, (f, d))
    bounded = derive(1 - s[i, j] ** 2, (DEFINITION, square), names=NAMES, facts=FACTS)
    longer = Symbol("c", positive=True) * w[i, f]
    stretched = longer / sqrt(total(longer**2, (f, d)))
    scale = derive(stretched, (SUMS, w[i, f] / sqrt(total(w[i, f] ** 2, (f, d)))), facts=FACTS)
    return bounded, scale


@claim(
    "M5",
    printed="",
    statement=r"\partial \mathcal{L} / \partial w_k = \frac{1}{N\tau\|w_k\|} (I - z_k z_k^T) [(G + G^T) Z]_k,"
    r" and w_k \cdot \partial \mathcal{L} / \partial w_k = 0.",
    verdict=Verdict.PROVED,
)
def gradient() -> tuple[Proof, Proof]:
    through_unit_rows = total(Partial(loss, z[k, g]) * Partial(z[k, g], w[k, f]), (g, d))
    full_batch = total((G[k, j] + G[j, k]) * z[j, g], (j, N)) / (nu * tau)
    projected = total(projector(k, f, g) * full_batch, (g, d)) / norm[k]
    chain = derive(
        Partial(loss, w[k, f]),
        (CHAIN, through_unit_rows),
        (DERIVATIVE, projected),
        (DEFINITION, BY_ROW),
        names=NAMES,
        facts=FACTS,
    )
    radial = total(w[k, f] * BY_ROW, (f, d))
    return chain, derive(radial, (DEFINITION, w[k, f] * 0), names=NAMES, facts=FACTS)


def gradient_by_row() -> Proof:
    """The derivative through the norms at once, with no chain rule in between."""
    return derive(Partial(loss, w[k, f]), (DERIVATIVE, BY_ROW), names=NAMES, facts=FACTS)


def gradient_by_temperature() -> Proof:
    """d𝓛/dτ = −Σ G_ij L_ij / (ντ) [M7]."""
    return derive(Partial(loss, tau), (DERIVATIVE, BY_TEMPERATURE), names=NAMES, facts=FACTS)


@claim(
    "S4",
    printed="",
    statement=r"With \sum_k e^{L_{ik}} - e^{1/\tau} for the masked sum, the gradient by the unit rows differs by"
    r" \frac{2}{N\tau} \frac{e^{1/\tau}}{\sum_{k \ne i} e^{L_{ik}}} z_i, which is radial: I - z z^T sends it to 0.",
    verdict=Verdict.PROVED,
)
def subtracting_instead_of_masking() -> tuple[Proof, Proof]:
    subtracted = total(exp(L[i, l]), (l, N)) - exp(1 / tau)
    difference = total(-log(exp(L[i, p[i]]) / subtracted), (i, N)) / nu - loss
    masked = total(Differ(l, k) * exp(L[k, l]), (l, N))

    def radial(feature):
        return 2 * exp(1 / tau) / masked * z[k, feature] / (nu * tau)

    excess = derive(Partial(difference, z[k, f]), (DERIVATIVE, radial(f)), names=NAMES, facts=FACTS)
    projection = total(projector(k, f, g) * radial(g), (g, d))
    return excess, derive(projection, (DEFINITION, z[k, f] * 0), names=NAMES, facts=FACTS)


def _bind(w, *, temperature, reduction="mean", layout="concatenated") -> dict:
    count = len(w)
    sizes = {N: count, d: len(w[0]), nu: divisor(count, reduction)}
    return sizes | {symbols.w: w, tau: temperature, p: positives(count, layout)}


STATEMENT = Statement(
    loss="ntxent",
    form=loss,
    names=NAMES,
    gradients={
        "w": Gradient(w, (k, f), BY_ROW, NAMES, ("M5",), gradient_by_row),
        "temperature": Gradient(tau, (), BY_TEMPERATURE, NAMES, ("M7",), gradient_by_temperature),
    },
    bind=_bind,
)
