"""InfoNCE over a batch of pairs, the anchor in its own denominator, and its gradient (document D1).

No line uses ‖z‖ = 1: the gradient is that of free rows, and holds with the anchor masked as well as without.
"""

from fractions import Fraction

from sympy import Expr, Integer, exp, log

from .. import symbols
from ..claims import claim
from ..evidence import Verdict
from ..pairs import divisor, positives
from ..prover import rational
from ..prover.inequality import Sign, nonnegative
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import CHAIN, DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.statement import Gradient, Statement
from ..prover.sums import Facts
from ..softmax import row_by_temperature
from ..symbols import B, G, L, N, P, d, ell, f, g, i, j, k, loss, m, nu, p, tau, z
from ..unbound import Counterexample, counterexample

FACTS = Facts(ranges={i: N, j: N, k: N, f: d, g: d}, maps={p: (N, N)}, derangements=(p,))

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

# The two views of one image lie far apart, and between them both views of the other; e^{1/(25τ)} = 21/20.
BATCH, COLDNESS = rational.rows((25, 0), (0, 25), (-24, 7), (0, 25), by=25), Fraction(21, 20)


def prove(first: Expr, *steps) -> Proof:
    return derive(first, *steps, names=PRINTED, facts=FACTS)


# --- the definitions ------------------------------------------------------------------------------------


@claim(
    "D1.1",
    printed=r"N = 2B, Z_i \in \mathbb{R}^d, \|Z_i\| = 1",
    statement=r"A hypothesis that the derivation does not use: it holds for all rows, and its gradient is that of"
    r" free rows, which does not lie along the sphere: Z_k \cdot \nabla_k need not be 0.",
    verdict=Verdict.PROVED,
)
def norm_is_not_used() -> tuple[Proof, Counterexample]:
    z, b = rational.rows((5,), (-5,)), Fraction(21, 20)
    along = rational.dot(
        z[0], rational.gradient(rational.error(rational.probabilities(z, b), positives(2)), z)[0]
    )
    radial = counterexample(
        "a gradient of unit rows that points along the radius", along != 0, {"Z": (1, -1)}
    )
    return _by_row(PRINTED), radial


@claim(
    "D1.2",
    printed=r"L_{ij} = Z_i \cdot Z_j / \tau",
    statement=r"A definition for \tau > 0; L is symmetric.",
    verdict=Verdict.PROVED,
)
def logits_are_symmetric() -> Proof:
    return prove(L[i, j], (DEFINITION, L[j, i]))


@claim(
    "D1.3",
    printed=r"P_{ij} = e^{L_{ij}} / \sum_{k=1}^N e^{L_{ik}}",
    statement=r"A definition: P_{ij} > 0, and each row sums to 1. The sum includes k = i, unlike SimCLR's (D3.2).",
    verdict=Verdict.PROVED,
)
def rows_sum_to_one() -> tuple[Proof, Sign]:
    return prove(total(P[i, j], (j, N)), (DEFINITION, Integer(1))), nonnegative(P[i, j], names=PRINTED)


@claim(
    "D1.4",
    printed=r"\mathcal{L} = -\frac{1}{N} \sum_i \log P_{i,p(i)}",
    statement=r"A definition; -\log P_{i,p(i)} is the logarithm of 1 + \sum_{j \ne p(i)} e^{L_{ij} - L_{i,p(i)}},"
    r" which is > 1, so \mathcal{L} > 0.",
    verdict=Verdict.PROVED,
)
def loss_is_positive() -> tuple[Proof, Sign]:
    odds = total(Differ(j, p[i]) * exp(L[i, j] - L[i, p[i]]), (j, N))
    return prove(loss, (DEFINITION, total(log(1 + odds), (i, N)) / nu)), nonnegative(odds)


@claim(
    "D1.5",
    printed=r"p(i) = (i + B) \bmod N, i = 1 \dots N",
    statement="With the printed indices p(B) = 0, which is no row.",
    verdict=Verdict.CORRECTED,
    right=r"p(i) = (i + B) \bmod N for i = 0 \dots N - 1. Then p(p(i)) = i, since i + 2B = i + N, and p(i) \ne i,"
    " since 0 < B < N.",
)
def positive_of_a_row() -> tuple[Proof, Counterexample, Counterexample]:
    twice = derive((i + B) + B, (DEFINITION, i + N), names=(Definition(N, 2 * B),), facts=FACTS)
    images = 3
    printed = {row: (row + images) % (2 * images) for row in range(1, 2 * images + 1)}
    right = positives(2 * images)
    return (
        twice,
        counterexample(
            "B = 3, as printed: the positive of row 3 is row 0", printed[images] == 0, {"p": printed}
        ),
        counterexample(
            "B = 3, counted from 0: an involution without fixed point",
            all(right[right[row]] == row != right[row] for row in range(2 * images)),
            {"p": dict(enumerate(right))},
        ),
    )


# --- the gradient ---------------------------------------------------------------------------------------


@claim(
    "D1.9",
    printed=r"\partial L_{ij} / \partial Z_k = (\delta_{ik} Z_j + \delta_{jk} Z_i) / \tau",
    statement="As printed, for the feature f of row k, and also where i = j = k: 2 Z_k/τ.",
    verdict=Verdict.PROVED,
)
def logit_by_row() -> Proof:
    return derive(
        Partial(L[i, j], z[k, f]),
        (DERIVATIVE, (one_if(i, k) * z[j, f] + one_if(j, k) * z[i, f]) / tau),
        names=PRINTED,
        facts=FACTS,
    )


@claim(
    "D1.10",
    printed=r"\partial \mathcal{L} / \partial Z_k = \sum_{ij} (\partial \mathcal{L} / \partial L_{ij})"
    r" (\partial L_{ij} / \partial Z_k)",
    statement="As printed: the chain rule, over all N² logits.",
    verdict=Verdict.PROVED,
)
def chain_rule() -> Proof:
    parts = Partial(loss, L[i, j]) * Partial(L[i, j], z[k, f])
    return derive(Partial(loss, z[k, f]), (CHAIN, total(parts, (j, N), (i, N))), names=PRINTED, facts=FACTS)


def _by_row(names) -> Proof:
    logit_by_row = (one_if(i, k) * z[j, f] + one_if(j, k) * z[i, f]) / tau
    return derive(
        Partial(loss, z[k, f]),
        (CHAIN, total(G[i, j] / nu * logit_by_row, (j, N), (i, N))),
        (SUMS, (total(G[k, j] * z[j, f], (j, N)) + total(G[i, k] * z[i, f], (i, N))) / (nu * tau)),
        (SUMS, BY_ROW),
        names=names,
        facts=FACTS,
    )


@claim(
    "M6",
    printed="",
    statement=r"\sum_i \partial \ell_i / \partial z_k = ((GZ)_k + (G^T Z)_k)/\tau; the first term is"
    " the gradient of the anchor alone, D2.8.",
    verdict=Verdict.PROVED,
)
@claim(
    "D1.12",
    printed=r"\partial \mathcal{L} / \partial Z_k = \frac{1}{N\tau} (\sum_j G_{kj} Z_j + \sum_i G_{ik} Z_i)",
    statement="As printed, for every N, d, τ and map p; the diagonal counts twice, 2 P_kk Z_k.",
    verdict=Verdict.PROVED,
)
def gradient() -> Proof:
    return _by_row(PRINTED)


@claim(
    "D1.14",
    printed="the gradient is obtained from the combination of softmax probabilities corrected by positive markers,"
    " multiplied by the feature matrix",
    statement=r"D1.13 in words: G = P - 1[positive] is the combination; what multiplies Z is G + G^T.",
    verdict=Verdict.PROVED,
)
@claim(
    "D1.13",
    printed=r"abla_Z \mathcal{L} = rac{1}{N au} (G + G^T) Z",
    statement=r"\nabla_Z \mathcal{L} = \frac{1}{N\tau} (G + G^T) Z, the anchor in its own denominator or masked.",
    verdict=Verdict.CORRECTED,
    right=r"\nabla_Z \mathcal{L} = \frac{1}{N\tau} (G + G^T) Z: the escapes \n, \f, \t were eaten in print.",
)
def gradient_with_and_without_mask() -> tuple[Proof, Proof]:
    return _by_row(PRINTED), _by_row(MASKED)


def coefficients() -> tuple[Proof, Proof, Sign]:
    """Of Z_j in −Nτ ∇_k: −(P_kj + P_jk) < 0 for j ≠ k, p(k); for j = p(k), two sums like the last line, ≥ 0."""
    no_pair = Differ(j, p[k]) * Differ(k, p[j])
    others = total(Differ(j, p[k]) * P[k, j], (j, N))
    return (
        prove(-no_pair * (G[k, j] + G[j, k]), (DEFINITION, -no_pair * (P[k, j] + P[j, k]))),
        prove(-G[k, p[k]], (DEFINITION, others)),
        nonnegative(others, names=PRINTED),
    )


def farther() -> Counterexample:
    """All rows step against the gradient, each along the sphere: the rate of z_i · z_p(i), times Nτ."""
    p = positives(len(BATCH))
    G = rational.error(rational.probabilities(BATCH, COLDNESS), p)
    step = [
        [-x for x in rational.tangent(z, by)]
        for z, by in zip(BATCH, rational.gradient(G, BATCH), strict=True)
    ]
    rate = rational.dot(step[0], BATCH[p[0]]) + rational.dot(BATCH[0], step[p[0]])
    return counterexample(
        "unit rows, B = 2, e^{1/(25τ)} = 21/20: two views are driven apart by the views between them",
        rate < 0,
        {
            "Z": [tuple(map(str, z)) for z in BATCH],
            "Nτ d(z_0 · z_2)/dt": f"{float(rate):.6f}, a fraction < 0",
        },
    )


@claim(
    "D1.0",
    printed='to bring "positive" example pairs closer together and push "negative" examples apart',
    statement="A purpose, not a theorem: a step against the gradient may drive a positive pair apart, as the"
    r" witness shows. What can be proved: in -\nabla_k the coefficient of Z_j is -(G_{kj} + G_{jk})/(N\tau), which"
    r" is \ge 0 for j = p(k), and -(P_{kj} + P_{jk})/(N\tau) < 0 for every other j \ne k.",
    verdict=Verdict.NO_THEOREM,
)
def purpose() -> tuple[Proof | Sign | Counterexample, ...]:
    return *coefficients(), farther()


@claim(
    "D1.15",
    printed=r"The symmetric term (G + G^T) ensures that each feature pair contributes reciprocally to pushing"
    " toward positives and away from negatives",
    statement=r"The coefficient G_{kj} + G_{jk} of Z_j in \nabla_k is that of Z_k in \nabla_j; it attracts iff"
    r" j = p(k). But G is not symmetric; action is not reaction: N\tau \sum_k \nabla_k ="
    r" \sum_j (\sum_i G_{ij}) Z_j, not 0; the diagonal 2 P_{kk} Z_k belongs to no pair; and a positive pair"
    " may be driven apart (D1.0).",
    verdict=Verdict.CORRECTED,
    right="The coefficients are reciprocal and have the signs that are claimed, j ≠ k; the forces do not cancel,"
    " and what becomes of a pair depends on the other rows too.",
)
def reciprocity() -> tuple[Proof | Sign | Counterexample, ...]:
    pull = total(total(G[i, j], (i, N)) * z[j, f], (j, N)) / (nu * tau)
    numbers = rational.error(rational.probabilities(BATCH, COLDNESS), positives(len(BATCH)))
    forces = [sum(column) for column in zip(*rational.gradient(numbers, BATCH), strict=True)]
    return (
        *coefficients(),
        prove(total(BY_ROW, (k, N)), (DEFINITION, pull)),
        counterexample(
            "the batch of D1.0: G is not symmetric, and the gradients do not sum to 0",
            numbers[0][1] != numbers[1][0] and any(forces),
            {
                "G[0, 1], G[1, 0]": tuple(f"{float(x):.6f}" for x in (numbers[0][1], numbers[1][0])),
                "Nτ Σ ∇": tuple(f"{float(x):.6f}" for x in forces),
            },
        ),
        farther(),
    )


def gradient_by_row() -> Proof:
    """The gradient that `STATEMENT` hands out, whose G never subtracts P from 1."""
    return derive(Partial(loss, z[k, f]), (DERIVATIVE, BY_ROW), names=SAFE, facts=FACTS)


def gradient_by_temperature() -> Proof:
    """d𝓛/dτ = −Σ G_ij L_ij / (ντ) [M7]."""
    return derive(Partial(loss, tau), (DERIVATIVE, BY_TEMPERATURE), names=SAFE, facts=FACTS)


@claim(
    "M7",
    printed="",
    statement=r"d\ell/d\tau = (s_p - E_P[s])/\tau^2; with \beta = 1/\tau, d\ell/d\beta = E_P[s] - s_p and"
    r" d^2\ell/d\beta^2 = Var_P(s) \ge 0. For D1, d\mathcal{L}/d\tau = -\frac{1}{N\tau} \sum_{ij} G_{ij} L_{ij}"
    r" = -\langle Z, \nabla_Z \mathcal{L} \rangle / (2\tau).",
    verdict=Verdict.PROVED,
)
def temperature() -> tuple[Proof, ...]:
    radial = total(z[k, f] * BY_ROW, (f, d), (k, N))
    batch = derive(
        Partial(loss, tau),
        (DERIVATIVE, BY_TEMPERATURE),
        (DEFINITION, -radial / (2 * tau)),
        names=PRINTED,
        facts=FACTS,
    )
    return (*row_by_temperature(), batch)


def _bind(z, *, temperature, reduction="mean") -> dict:
    count = len(z)
    sizes = {N: count, d: len(z[0]), nu: divisor(count, reduction)}
    return sizes | {symbols.z: z, tau: temperature, p: positives(count)}


STATEMENT = Statement(
    loss="infonce",
    form=loss,
    names=SAFE,
    gradients={
        "z": Gradient(z, (k, f), BY_ROW, SAFE, ("D1.12", "D1.13", "M6"), gradient_by_row),
        "temperature": Gradient(tau, (), BY_TEMPERATURE, SAFE, ("M7",), gradient_by_temperature),
    },
    bind=_bind,
)
