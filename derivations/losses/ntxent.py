"""NT-Xent, the loss of SimCLR: cosine similarities, no anchor in its own denominator (document D3)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Any

from sympy import Integer, Symbol, exp, log, sqrt

from .. import symbols
from ..common import rational
from ..common.masks import bind_mask, define_masked_rows, name_form, state_masked
from ..common.pairs import divisor, positives
from ..common.sphere import COSINE, NORM, UNIT, projector
from ..common.statement import Gradient, Statement
from ..common.weights import weigh_row, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, example
from ..evidence.points import Base, UnitRows
from ..evidence.verdicts import Verdict
from ..prover.inequality import nonnegative, positive
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import CHAIN, DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import G, L, N, P, d, ell, f, g, i, j, k, kept, l, loss, m, norm, nu, p, s, tau, w, z

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
    return 1 / rational.table(P[i, j], (i, j), NAMES, z, b)[row][positive]


@claim(
    "D3.2",
    printed=r"$\mathcal{L}_{i,j} = -\log \frac{\exp(\operatorname{sim}(z_i, z_j)/\tau)}{\sum_{k=1}^{2N}"
    r" 1[k \neq i] \exp(\operatorname{sim}(z_i, z_k)/\tau)}$",
    verdict=Verdict.DEFINITION,
    says="«loss», where «scores», and N counts rows, which are 2N in print: «odds». Of the terms of that sum"
    " «negatives» are not 0, all of them positive, «positive»: an image alone has the loss 0, two have one that is"
    " positive. It is not symmetric in the two views: «asymmetry».",
)
def row_loss() -> dict[str, Piece]:
    negative = Differ(j, i) * Differ(j, p[i])
    odds = exp((s[i, j] - s[i, p[i]]) / tau)

    def views(z, b) -> Finding:
        return Finding(risk(z, b, 0, 1), "≠", risk(z, b, 1, 0), ("e^ℓ(0, 1)", "e^ℓ(1, 0)"))

    return {
        "loss": ROW,
        "scores": LOGITS,
        "odds": derive(
            exp(ell[i]), (DEFINITION, 1 + total(negative * odds, (j, N))), names=(ROW, LOGITS), facts=FACTS
        ),
        "negatives": derive(total(negative, (j, N)), (SUMS, N - 2), facts=FACTS),
        "positive": positive(odds),
        "asymmetry": example(
            "not symmetric", views, z=UnitRows(rational.rows((5, 0), (4, 3), (0, 5))), b=Base(21, 20)
        ),
    }


@claim(
    "D3.4",
    printed=r"$\mathcal{L} = \frac{1}{2N} \sum_{k=1}^N [\ell(2k-1, 2k) + \ell(2k, 2k-1)]$",
    verdict=Verdict.DEFINITION,
    says="«mean», ν the number of rows: each row before its positive, as in D1, with the mask, and the rows in"
    " another order. It stays as it is when two of its terms change places, «exchange», and such exchanges make"
    " every order. D1's map on interleaved rows is another loss: «run».",
)
def simclr() -> dict[str, Piece]:
    exchanged = ell[i] + one_if(i, k) * (ell[l] - ell[k]) + one_if(i, l) * (ell[k] - ell[l])

    def algorithm(first, second, b) -> Iterator[Finding]:
        pairs = [row for both in zip(first, second, strict=True) for row in both]
        images = range(1, len(first) + 1)
        # rows counted from 0: 2k − 1 and 2k are 2k − 2 and 2k − 1
        printed = prod(
            risk(pairs, b, 2 * n - 2, 2 * n - 1) * risk(pairs, b, 2 * n - 1, 2 * n - 2) for n in images
        )
        concatenated, mistaken = (
            prod(risk(rows, b, row, positive) for row, positive in enumerate(positives(len(rows))))
            for rows in ([*first, *second], pairs)
        )
        here = "Π e^ℓ of the algorithm"
        yield Finding(printed, "=", concatenated, (here, "of D1's rows, masked"))
        yield Finding(printed, "≠", mistaken, (here, "of D1's map on interleaved rows"))

    return {
        "mean": LOSS,
        "exchange": derive(
            loss,
            (DEFINITION, total(exchanged, (i, N)) / nu),
            names=(LOSS,),
            facts=Facts(ranges={i: N, k: N, l: N}),
        ),
        "run": example(
            "three images, SimCLR's algorithm executed",
            algorithm,
            first=UnitRows(rational.rows((5, 0), (0, 5), (4, 3))),
            second=UnitRows(rational.rows((4, 3), (3, 4), (0, 5))),
            b=Base(21, 20),
        ),
    }


@claim(
    "D3.3",
    printed=r"where $sim(z_i, z_j) = \frac{z_i \cdot z_j}{|z_i||z_j|}$",
    verdict=Verdict.DEFINITION,
    says="«cosine», where «unit» and «length». It lies between -1 and 1: «bounded», «square». The lengths do not"
    " enter: «scale».",
)
def cosine() -> dict[str, Piece]:
    square = total((z[j, f] - s[i, j] * z[i, f]) ** 2, (f, d))
    longer = Symbol("c", positive=True) * w[i, f]
    stretched = longer / sqrt(total(longer**2, (f, d)))
    return {
        "cosine": COSINE,
        "unit": UNIT,
        "length": NORM,
        "bounded": derive(1 - s[i, j] ** 2, (DEFINITION, square), names=NAMES, facts=FACTS),
        "square": nonnegative(square),
        "scale": derive(stretched, (SUMS, w[i, f] / sqrt(total(w[i, f] ** 2, (f, d)))), facts=FACTS),
    }


@claim(
    "M5",
    verdict=Verdict.PROVED,
    says="«gradient.chain»: by the unit rows, then projected, over the length of the row. So it is"
    " tangent to the sphere: «tangent».",
)
def gradient() -> dict[str, Piece]:
    through_unit_rows = total(Partial(loss, z[k, g]) * Partial(z[k, g], w[k, f]), (g, d))
    full_batch = total((G[k, j] + G[j, k]) * z[j, g], (j, N)) / (nu * tau)
    projected = total(projector(k, f, g) * full_batch, (g, d)) / norm[k]
    return {
        "gradient": derive(
            Partial(loss, w[k, f]),
            (CHAIN, through_unit_rows),
            (DERIVATIVE, projected),
            (DEFINITION, BY_ROW),
            names=NAMES,
            facts=FACTS,
        ),
        "tangent": derive(
            total(w[k, f] * BY_ROW, (f, d)), (DEFINITION, Integer(0)), names=NAMES, facts=FACTS
        ),
    }


def gradient_by_row() -> Proof:
    """The derivative through the norms at once, with no chain rule in between."""
    return derive(Partial(loss, w[k, f]), (DERIVATIVE, BY_ROW), names=NAMES, facts=FACTS)


def gradient_by_temperature() -> Proof:
    """d𝓛/dτ = −Σ G_ij L_ij / (ντ) [M7]."""
    return derive(Partial(loss, tau), (DERIVATIVE, BY_TEMPERATURE), names=NAMES, facts=FACTS)


@claim(
    "S4",
    verdict=Verdict.PROVED,
    says="To sum over all rows and take off the anchor's own term, instead of masking it, changes the gradient"
    " by the unit rows by «excess», which is radial, and is gone after the projection: «projection».",
)
def subtracting_instead_of_masking() -> dict[str, Piece]:
    subtracted = total(exp(L[i, l]), (l, N)) - exp(1 / tau)
    difference = total(-log(exp(L[i, p[i]]) / subtracted), (i, N)) / nu - loss
    masked = total(Differ(l, k) * exp(L[k, l]), (l, N))

    def radial(feature):
        return 2 * exp(1 / tau) / masked * z[k, feature] / (nu * tau)

    excess = derive(Partial(difference, z[k, f]), (DERIVATIVE, radial(f)), names=NAMES, facts=FACTS)
    projection = total(projector(k, f, g) * radial(g), (g, d))
    return {
        "excess": excess,
        "projection": derive(projection, (DEFINITION, Integer(0)), names=NAMES, facts=FACTS),
    }


def _bind(w, *, temperature, keep=None, reduction="mean", layout="concatenated") -> dict:
    count = len(w)
    sizes = {N: count, d: len(w[0]), nu: divisor(count, reduction)}
    return sizes | bind_mask(keep) | {symbols.w: w, tau: temperature, p: positives(count, layout)}


STATEMENT = with_weights(
    Statement(
        loss="ntxent",
        form=loss,
        names=NAMES,
        gradients={
            "w": Gradient(w, (k, f), BY_ROW, NAMES, ("M5",), gradient_by_row),
            "temperature": Gradient(tau, (), BY_TEMPERATURE, NAMES, ("M7",), gradient_by_temperature),
        },
        bind=_bind,
    ),
    weigh_row(ERROR),
    facts=FACTS,
)

# with a mask, whose candidates are not the anchor
KEPT_NAMES = (
    *(NORM, UNIT, COSINE, LOGITS),
    *define_masked_rows(lambda i, j: L[i, j], lambda i, j: Differ(j, i) * kept[i, j], j, N),
    *(LOSS, ERROR),
)
BY = {"w": (w[k, f], BY_ROW), "temperature": (tau, BY_TEMPERATURE)}
STATEMENTS = {
    "": STATEMENT,
    "masked": state_masked("ntxent", "M37", KEPT_NAMES, BY, _bind, weigh_row(ERROR), facts=FACTS),
}


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The loss over all candidates, or over those that a mask keeps."""
    return STATEMENTS[name_form(arguments)]


@claim(
    "M37",
    verdict=Verdict.PROVED,
    says="With a mask, $Y^k$ being 1 where a row is kept among the candidates of another (M36), a row's loss is"
    " «w.where ℓ», in which the positive always stands and the anchor never. The gradients are the same as"
    " without: «w» and «temperature», where «w.where P» and «w.where G». An entry of $G$ is 0 where the anchor"
    " leaves the other row out, «left»; if the other does not leave the anchor out, the mirrored entry pushes"
    " both apart.",
    brief="With a mask, $Y^k$ being 1 where a row is kept, a row's loss is «w.where ℓ», and the gradients are the"
    " same as without: «w», where «w.where P».",
)
def masked() -> dict[str, Piece]:
    left = (1 - kept[i, j]) * Differ(j, p[i]) * G[i, j]
    facts = replace(FACTS, masks=(kept,))
    by = STATEMENTS["masked"].gradients.items()
    pieces: dict[str, Piece] = {name: one.prove() for name, one in by}
    return pieces | {"left": derive(left, (DEFINITION, Integer(0)), names=KEPT_NAMES, facts=facts)}
