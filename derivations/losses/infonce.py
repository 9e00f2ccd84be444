"""InfoNCE over a batch of pairs, the anchor in its own denominator, and its gradient (document D1).

No line uses ‖z‖ = 1: the gradient is that of free rows, and holds with or without the anchor masked.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from sympy import Expr, Integer, exp, log

from .. import symbols
from ..common import rational
from ..common.masks import bind_mask, define_masked_rows, name_form, state_masked
from ..common.pairs import divisor, positives
from ..common.softmax import row_by_temperature
from ..common.statement import Gradient, Statement
from ..common.weights import weigh_row, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Empirical, Finding, Piece, example, misprint
from ..evidence.points import Base, Pairing, UnitRows
from ..evidence.verdicts import Verdict
from ..prover.inequality import Use, bound, positive
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import CHAIN, DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import B, G, L, N, P, d, ell, f, g, i, j, k, kept, loss, m, nu, p, tau, y, z

FACTS = Facts(ranges={i: N, j: N, k: N, f: d, g: d}, maps={p: (N, N)}, derangements=(p,))

PAIRS = Definition(N, 2 * B)  # [D1.1]
LOGITS = Definition(L[i, j], total(z[i, f] * z[j, f], (f, d)) / tau)  # [D1.2]
ROW = Definition(ell[i], -log(P[i, p[i]]))  # [D1.6]
LOSS = Definition(loss, total(ell[i], (i, N)) / nu)  # [D1.4]


def softmax(candidate) -> Definition:
    """P_ij over the candidates of row i: candidate(i, j) is 1, or 1[j ≠ i] with the mask [D1.3]."""
    return Definition(P[i, j], candidate(i, j) * exp(L[i, j]) / total(candidate(i, k) * exp(L[i, k]), (k, N)))


def everyone(row, column) -> Expr:
    return Integer(1)


def all_but_itself(row, column) -> Expr:
    return Differ(column, row)


# G = P − 1[positive], and the same with 1 − P_ip written as the sum of the other probabilities [D1.11, S2]
ERROR = Definition(G[i, j], P[i, j] - one_if(j, p[i]))
SAFE_ERROR = Definition(
    G[i, j], Differ(j, p[i]) * P[i, j] - one_if(j, p[i]) * total(Differ(m, p[i]) * P[i, m], (m, N))
)
PRINTED = (LOGITS, softmax(everyone), ROW, LOSS, ERROR)
MASKED = (LOGITS, softmax(all_but_itself), ROW, LOSS, ERROR)
SAFE = (LOGITS, softmax(everyone), ROW, LOSS, SAFE_ERROR)

BY_ROW = total((G[k, j] + G[j, k]) * z[j, f], (j, N)) / (nu * tau)  # [D1.13]
BY_TEMPERATURE = -total(G[i, j] * L[i, j], (j, N), (i, N)) / (nu * tau)  # [M7]


def prove(first: Expr, *steps) -> Proof:
    return derive(first, *steps, names=PRINTED, facts=FACTS)


# --- at rows of fractions, e^{1/(25τ)} = b --------------------------------------------------------------


def probabilities(z, b: Fraction, names: tuple[Definition, ...] = PRINTED) -> list[list[Fraction]]:
    """P [D1.3]."""
    return rational.table(P[i, j], (i, j), names, z, b)


def errors(z, b: Fraction, partner, names: tuple[Definition, ...] = PRINTED) -> list[list[Fraction]]:
    """G = P − 1[positive] [D1.11]."""
    return rational.table(G[i, j], (i, j), names, z, b, partner)


def steepest(z, b: Fraction, partner, names: tuple[Definition, ...] = PRINTED) -> list[list[Fraction]]:
    """(G + Gᵀ) Z, which is ντ times the gradient [D1.13]."""
    return rational.table(nu * tau * BY_ROW, (k, f), names, z, b, partner)


# --- the definitions ------------------------------------------------------------------------------------


@claim(
    "D1.1",
    printed=r"$N = 2B$, $Z_i \in \mathbb{R}^d$, $\|Z_i\|_2 = 1$",
    verdict=Verdict.DEFINITION,
    says="«pairs», two rows for each pair, «views», each of length 1. The derivation does not use the length:"
    " «gradient» is the gradient by free rows, and need not lie along the sphere, «radial».",
)
def norm_is_not_used() -> dict[str, Piece]:
    def radial(z, b) -> Finding:
        along = rational.dot(z[0], steepest(z, b, positives(len(z)))[0])
        return Finding(along, "≠", 0, ("Nτ z_0 · ∂𝓛/∂z_0", ""))

    return {
        "pairs": PAIRS,
        "views": derive(N / B, (DEFINITION, Integer(2)), names=(PAIRS,), facts=FACTS),
        "gradient": by_row(PRINTED),
        "radial": example("along the radius", radial, z=UnitRows([[1], [-1]]), b=Base(21, 20)),
    }


@claim(
    "D1.2",
    printed=r"$L_{ij} = \frac{1}{\tau} Z_i \cdot Z_j$",
    verdict=Verdict.DEFINITION,
    says="«logits», symmetric: «symmetric».",
)
def logits_are_symmetric() -> dict[str, Piece]:
    return {"logits": LOGITS, "symmetric": prove(L[i, j], (DEFINITION, L[j, i]))}


@claim(
    "D1.3",
    printed=r"$P_{ij} = \frac{\exp(L_{ij})}{\sum_{k=1}^{N} \exp(L_{ik})}$",
    verdict=Verdict.DEFINITION,
    says="«softmax». All are positive, «positive», and each row of them sums to 1, «sum». The anchor is one of"
    " its own candidates, unlike SimCLR's (D3.2).",
)
def rows_sum_to_one() -> dict[str, Piece]:
    return {
        "softmax": PRINTED[1],
        "positive": positive(P[i, j], names=PRINTED),
        "sum": prove(total(P[i, j], (j, N)), (DEFINITION, Integer(1))),
    }


def rest_of(row) -> Expr:
    """1 − P_ip, a sum of the other probabilities, the anchor's own before it: as p(i) ≠ i, it is > 0."""
    return P[row, row] + total(Differ(m, row) * Differ(m, p[row]) * P[row, m], (m, N))


@claim(
    "D1.4",
    printed=r"$\mathcal{L} = -\frac{1}{N} \sum_{i=1}^{N} \log P_{i,p(i)}$",
    verdict=Verdict.DEFINITION,
    says=r"«loss», where «row», and $\nu$ is the number of rows. It is positive: «below», where «rest», and"
    " that is «positive».",
)
def loss_is_positive() -> dict[str, Piece]:
    others = total(Differ(j, p[i]) * P[i, j], (j, N))
    return {
        "loss": LOSS,
        "row": ROW,
        "below": bound(
            -loss,
            Use(1 / nu, P[i, p[i]], ((i, N),)),
            last=-total(others, (i, N)) / nu,
            names=PRINTED,
            facts=FACTS,
        ),
        "rest": prove(others, (SUMS, rest_of(i))),
        "positive": positive(rest_of(i), names=PRINTED),
    }


@claim(
    "D1.5",
    printed=r"$p(i) = (i + B) \mod N$, of the rows $Z_1, Z_2, \ldots, Z_N$",
    verdict=Verdict.CORRECTED,
    says="Of rows counted from 1, the positive of row B is none of them: «none».",
    right="Rows are counted from 0. For six rows, in order, «partners». In general, two steps of B end at"
    " «twice», which modulo N is $i$: each row is the positive of its own positive. No row is its own, as the step"
    " is B or «back», and «step».",
)
def positive_of_a_row() -> dict[str, Piece]:
    def none(B) -> Finding:
        return Finding((B + B) % (2 * B), "<", 1, ("p(B)", "the first row"))

    def partners(p) -> Finding:
        N = len(p)
        return Finding([*p], "=", [(i + N // 2) % N for i in range(N)], ("p(i)", "(i + B) mod N"))

    return {
        "none": misprint("counted from 1", none, B=3),
        "twice": derive(i + 2 * B, (DEFINITION, i + N), names=(PAIRS,), facts=FACTS),
        "back": derive(B - N, (DEFINITION, -B), names=(PAIRS,), facts=FACTS),
        "step": positive(B),
        "partners": example("counted from 0", partners, p=Pairing(positives(6))),
    }


# --- the gradient ---------------------------------------------------------------------------------------


@claim(
    "D1.9",
    printed=r"$\frac{\partial L_{ij}}{\partial Z_k} = \frac{1}{\tau} (\delta_{ik} Z_j + \delta_{jk} Z_i)$",
    verdict=Verdict.PROVED,
    says="«derivative», for the feature $f$ of row $k$. It holds where the rows are one, too: «diagonal».",
)
def logit_by_row() -> dict[str, Piece]:
    return {
        "derivative": prove(Partial(L[i, j], z[k, f]), (DERIVATIVE, LOGIT_BY_ROW)),
        "diagonal": prove(Partial(L[k, k], z[k, f]), (DERIVATIVE, 2 * z[k, f] / tau)),
    }


@claim(
    "D1.10",
    printed=r"$\frac{\partial \mathcal{L}}{\partial Z_k} = \sum_{i,j} \frac{\partial \mathcal{L}}{\partial"
    r" L_{ij}} \frac{\partial L_{ij}}{\partial Z_k}$",
    verdict=Verdict.PROVED,
    says="«chain rule», over all N² logits.",
)
def chain_rule() -> dict[str, Piece]:
    parts = Partial(loss, L[i, j]) * Partial(L[i, j], z[k, f])
    return {"chain rule": prove(Partial(loss, z[k, f]), (CHAIN, total(parts, (j, N), (i, N))))}


LOGIT_BY_ROW = (one_if(i, k) * z[j, f] + one_if(j, k) * z[i, f]) / tau
STEPS = (
    (CHAIN, total(G[i, j] / nu * LOGIT_BY_ROW, (j, N), (i, N))),
    (SUMS, (total(G[k, j] * z[j, f], (j, N)) + total(G[i, k] * z[i, f], (i, N))) / (nu * tau)),  # [D1.12]
    (SUMS, BY_ROW),
)


@cache
def by_row(names, steps: int = 3) -> Proof:
    """∂𝓛/∂z_k in so many steps of `STEPS`."""
    return derive(Partial(loss, z[k, f]), *STEPS[:steps], names=names, facts=FACTS)


@claim(
    "D1.12",
    printed=r"$\frac{\partial \mathcal{L}}{\partial Z_k} = \frac{1}{N\tau} (\sum_j G_{kj} Z_j + \sum_i G_{ik}"
    " Z_i)$",
    verdict=Verdict.PROVED,
    says="«gradient». Row $k$ itself is in both sums: «diagonal».",
)
def gradient() -> dict[str, Piece]:
    return {
        "gradient": by_row(PRINTED, steps=2),
        "diagonal": prove(G[k, k] * z[k, f] + G[k, k] * z[k, f], (DEFINITION, 2 * P[k, k] * z[k, f])),
    }


@claim(
    "D1.14",
    printed="the InfoNCE loss gradient is obtained from the combination of softmax probabilities corrected by"
    " positive markers, multiplied by the feature matrix",
    verdict=Verdict.PROVED,
    says="D1.13 in words. The combination is «gradient.where G»; what multiplies the features is it and its"
    " transpose: «gradient», where «gradient.where P» or, with the anchor masked, «masked.where P».",
)
@claim(
    "D1.13",
    printed=r"$\nabla_Z \mathcal{L} = \frac{1}{N\tau} (G + G^T) Z$",
    verdict=Verdict.PROVED,
    says="«gradient», where «gradient.where P»; and with the anchor masked, «masked.where P», it is the same:"
    " «masked». The English text is quoted; in the Italian one the backslashes of this line are lost, each"
    " with the letter after it.",
)
def gradient_with_and_without_mask() -> dict[str, Piece]:
    return {"gradient": by_row(PRINTED), "masked": by_row(MASKED)}


@claim(
    "M6",
    verdict=Verdict.PROVED,
    says="«sum», where «sum.where L». The first sum is what row $k$ wants as the anchor: with $y$ for the same"
    " rows, held constant as candidates, «anchor.where L», it is «anchor», the gradient of D2.8. The second is"
    " what all anchors want of it as their candidate: «candidate».",
)
def two_parts() -> dict[str, Piece]:
    held = (Definition(L[i, j], total(z[i, f] * y[j, f], (f, d)) / tau), *PRINTED[1:])
    as_anchor = total(G[k, j] * y[j, f], (j, N)) / tau
    as_candidate = total(G[i, k] * z[i, f], (i, N)) / tau
    row_losses = total(Partial(ell[i], z[k, f]), (i, N))
    return {
        "sum": prove(row_losses, (DERIVATIVE, (total(G[k, j] * z[j, f], (j, N)) / tau + as_candidate))),
        "anchor": derive(Partial(ell[k], z[k, f]), (DERIVATIVE, as_anchor), names=held, facts=FACTS),
        "candidate": derive(
            total(Partial(ell[i], y[k, f]), (i, N)), (DERIVATIVE, as_candidate), names=held, facts=FACTS
        ),
    }


# --- what a step against the gradient does --------------------------------------------------------------

# The two views of an image are far apart, and both views of the other image lie between them.
BATCH, COLDNESS = UnitRows(rational.rows((25, 0), (0, 25), (-24, 7), (0, 25), by=25)), Base(21, 20)


def coefficients() -> dict[str, Piece]:
    """The coefficient of z_j in Nτ ∂𝓛/∂z_k, and its sign; for partners, j = p(k) and k = p(j), 1 − P_kj and 1 −
    P_jk."""
    return {
        "gradient": by_row(PRINTED),
        "coefficient": prove(
            G[k, j] + G[j, k], (DEFINITION, P[k, j] + P[j, k] - one_if(j, p[k]) - one_if(k, p[j]))
        ),
        "strangers": positive(P[k, j] + P[j, k], names=PRINTED),
        "partners": prove(-(G[k, p[k]] + G[j, p[j]]), (DEFINITION, rest_of(k) + rest_of(j))),
        "attracts": positive(rest_of(k) + rest_of(j), names=PRINTED),
    }


def steps_of_a_pair(z, b) -> Iterator[Finding]:
    """All rows step against the gradient, times Nτ: what becomes of z_0 and its positive."""
    p = positives(len(z))
    printed = [[-x for x in row] for row in steepest(z, b, p)]
    along = [rational.tangent(row, step) for row, step in zip(z, printed, strict=True)]
    product = rational.dot(z[0], z[p[0]])

    def rate(step):
        return rational.dot(step[0], z[p[0]]) + rational.dot(z[0], step[p[0]])

    lengths = rational.dot(z[0], printed[0]) + rational.dot(z[p[0]], printed[p[0]])
    pair = f"z_0 · z_{p[0]}"
    yield Finding(product, "<", 0, (pair, ""))
    yield Finding(rate(along), "<", 0, (f"Nτ d({pair})/dt along the sphere", ""))
    yield Finding(rate(printed), ">", 0, (f"Nτ d({pair})/dt against the printed gradient", ""))
    yield Finding(lengths, "<", 0, (f"there Nτ d(‖z_0‖ + ‖z_{p[0]}‖)/dt", ""))
    yield Finding(rate(printed) - product * lengths, "<", 0, ("there Nτ d(cosine)/dt", ""))


@claim(
    "D1.0",
    printed='to bring "positive" example pairs closer together and push "negative" examples apart',
    verdict=Verdict.NO_THEOREM,
    says="A purpose: «empirical».",
    right="What can be proved is the coefficient of $z_j$ in «gradient»: «coefficient». Where $j$ is neither"
    " $k$ nor its partner, «strangers»: a step against the gradient repels. For partners, $j$ the positive of"
    " $k$ and $k$ that of $j$, the coefficient with the other sign is «partners», and «attracts»: it attracts."
    " But what becomes of a pair depends on the other rows too, as in a batch of four: «apart». There the"
    " printed gradient, that of free rows, raises a negative product by making the rows shorter, and the"
    " cosine falls.",
)
def purpose() -> dict[str, Piece]:
    return {
        "empirical": Empirical("what a loss is used for is no statement about it"),
        **coefficients(),
        "apart": example(
            "two views driven apart by the views between them", steps_of_a_pair, z=BATCH, b=COLDNESS
        ),
    }


@claim(
    "D1.15",
    printed=r"The symmetric term $(G+G^T)$ ensures that each feature pair contributes reciprocally to pushing"
    " toward positives and away from negatives",
    verdict=Verdict.CORRECTED,
    says="$G$ is not symmetric, the gradients of the rows do not cancel, as action and reaction would, and a"
    " pair of positives may be driven apart: «fails».",
    right="In «gradient», $z_j$ has the coefficient that $z_k$ has in the gradient by row $j$:"
    " «coefficient». For strangers «strangers», and it repels; for partners the same with the other sign is"
    " «partners», «attracts», and it attracts. The diagonal, «diagonal», belongs to no pair. Together the"
    " gradients are «forces».",
    brief="A pair of rows has one coefficient in both gradients, «coefficient»: partners attract, others"
    " repel. But the gradients of a batch do not cancel, «forces», and a step of all rows may drive partners"
    " apart.",
)
def reciprocity() -> dict[str, Piece]:
    def not_reciprocal(z, b) -> Iterator[Finding]:
        partner = positives(len(z))
        numbers = errors(z, b, partner)
        forces = [sum(column) for column in zip(*steepest(z, b, partner), strict=True)]
        yield Finding(numbers[0][1], "≠", numbers[1][0], ("G_01", "G_10"))
        yield Finding(forces, "≠", [0] * len(forces), ("Nτ Σ_k ∂𝓛/∂z_k", ""))
        yield from steps_of_a_pair(z, b)

    column_sums = total(total(G[i, j], (i, N)) * z[j, f], (j, N)) / (nu * tau)
    return {
        "fails": misprint(
            "two views driven apart by the views between them", not_reciprocal, z=BATCH, b=COLDNESS
        ),
        **coefficients(),
        "diagonal": prove(G[k, k] + G[k, k], (DEFINITION, 2 * P[k, k])),
        "forces": prove(total(BY_ROW, (k, N)), (DEFINITION, column_sums)),
    }


def gradient_by_row() -> Proof:
    """The gradient of `STATEMENT`, whose G never subtracts P from 1."""
    return derive(Partial(loss, z[k, f]), (DERIVATIVE, BY_ROW), names=SAFE, facts=FACTS)


def gradient_by_temperature() -> Proof:
    """d𝓛/dτ = −Σ G_ij L_ij / (ντ) [M7]."""
    return derive(Partial(loss, tau), (DERIVATIVE, BY_TEMPERATURE), names=SAFE, facts=FACTS)


@claim(
    "M7",
    verdict=Verdict.PROVED,
    says=r"Where «by temperature.where L», «by temperature». With $\beta$ for the inverse of $\tau$,"
    r" «slope.where L», the slope is «slope», and the curvature a variance, «curvature», «convex». For the"
    r" whole loss, where «batch.where L», «batch.chain», from what the rows have along their gradients.",
)
def temperature() -> dict[str, Piece]:
    radial = total(z[k, f] * BY_ROW, (f, d), (k, N))
    batch = prove(Partial(loss, tau), (DERIVATIVE, BY_TEMPERATURE), (DEFINITION, -radial / (2 * tau)))
    return {**row_by_temperature(), "batch": batch}


def _bind(z, *, temperature, keep=None, reduction="mean") -> dict:
    count = len(z)
    sizes = {N: count, d: len(z[0]), nu: divisor(count, reduction)}
    return sizes | bind_mask(keep) | {symbols.z: z, tau: temperature, p: positives(count)}


STATEMENT = with_weights(
    Statement(
        loss="infonce",
        form=loss,
        names=SAFE,
        gradients={
            "z": Gradient(z, (k, f), BY_ROW, SAFE, ("D1.12", "D1.13", "M6"), gradient_by_row),
            "temperature": Gradient(tau, (), BY_TEMPERATURE, SAFE, ("M7",), gradient_by_temperature),
        },
        bind=_bind,
    ),
    weigh_row(SAFE_ERROR),
    facts=FACTS,
)

# with a mask, before which the anchor stays among its own candidates
KEPT_NAMES = (
    LOGITS,
    *define_masked_rows(lambda i, j: L[i, j], lambda i, j: one_if(j, i) + Differ(j, i) * kept[i, j], j, N),
    *(LOSS, SAFE_ERROR),
)
BY = {"z": (z[k, f], BY_ROW), "temperature": (tau, BY_TEMPERATURE)}
STATEMENTS = {
    "": STATEMENT,
    "masked": state_masked("infonce", "M38", KEPT_NAMES, BY, _bind, weigh_row(SAFE_ERROR), facts=FACTS),
}


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The loss over all candidates, or over those that a mask keeps."""
    return STATEMENTS[name_form(arguments)]


@claim(
    "M38",
    verdict=Verdict.PROVED,
    says="With a mask, $Y^k$ being 1 where a row is kept among the candidates of another (M36), a row's loss is"
    " «z.where ℓ», in which the anchor and its positive always stand. The gradients are the same as without:"
    " «z» and «temperature», where «z.where P» and «z.where G».",
    brief="With a mask, $Y^k$ being 1 where a row is kept, a row's loss is «z.where ℓ», and the gradients are the"
    " same as without: «z», where «z.where P».",
)
def masked() -> dict[str, Piece]:
    return {name: by.prove() for name, by in STATEMENTS["masked"].gradients.items()}
