"""Instance discrimination by noise contrast, its normaliser estimated from the noise samples (document D3)."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from sympy import Expr, Integer, exp, log

from .. import symbols
from ..common.pairs import divisor
from ..common.statement import Statement, gradient
from ..common.weights import weigh_row, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, example, misprint
from ..evidence.points import Positive
from ..evidence.verdicts import Verdict
from ..prover.inequality import nonnegative, positive
from ..prover.notation import Definition, one_if, total
from ..prover.proof import DEFINITION, SUMS, derive
from ..prover.sums import Facts
from ..symbols import (
    G,
    K,
    L,
    L_positive,
    M,
    N,
    P,
    W,
    Y,
    a,
    b,
    d,
    ell,
    estimate,
    f,
    i,
    j,
    k,
    loss,
    m,
    nu,
    omega,
    others_weight,
    p,
    posterior,
    posterior_noise,
    stretch,
    tau,
    v,
)
from . import query_key
from .nce import minimiser, noise

FACTS = Facts(ranges={i: N, k: N, j: K, m: M, a: M, f: d}, maps={p: (N, K)})

DRAWN = total(exp(L[i, m]), (m, M))  # Σ_k e_{j_k}, over the M noise samples

OWN = Definition(L_positive[i], total(v[i, f] * b[p[i], f], (f, d)) / tau)
LOGITS = Definition(L[i, a], total(v[i, f] * total(Y[i, a, j] * b[j, f], (j, K)), (f, d)) / tau)
POSTERIOR = Definition(posterior[i], exp(L_positive[i]) / (exp(L_positive[i]) + DRAWN))  # [D3.17]
NOISE = Definition(posterior_noise[i, a], exp(L[i, a]) / (exp(L[i, a]) + DRAWN))
ROW = -log(posterior[i]) - total(log(1 - posterior_noise[i, a]), (a, M))  # ℓ_i [D3.18]
LOSS = Definition(  # [D3.18]
    loss, -total(log(posterior[i]) + total(log(1 - posterior_noise[i, a]), (a, M)), (i, N)) / nu
)
# P, of a noise sample in the softmax that ĥ is: together they are 1 − ĥ [D3.17, S2]
SOFTMAX = Definition(P[i, a], exp(L[i, a]) / (exp(L_positive[i]) + DRAWN))
ERROR = Definition(  # ν ∂𝓛/∂L
    G[i, a],
    P[i, a] + posterior_noise[i, a] - exp(L[i, a]) / DRAWN * total(posterior_noise[i, m], (m, M)),
)
WEIGHTED_ERROR = Definition(  # the same for weighted rows, whose P already contains the weight
    G[i, a],
    P[i, a]
    + omega[i] * (posterior_noise[i, a] - exp(L[i, a]) / DRAWN * total(posterior_noise[i, m], (m, M))),
)
NAMES = (OWN, LOGITS, POSTERIOR, NOISE, LOSS, SOFTMAX, ERROR)

BY_FEATURE = total(G[k, a] * total(Y[k, a, j] * b[j, f], (j, K)) - P[k, a] * b[p[k], f], (a, M)) / (nu * tau)
BY_BANK = total((G[i, a] * Y[i, a, j] - P[i, a] * one_if(j, p[i])) * v[i, f], (a, M), (i, N)) / (nu * tau)
BY_TEMPERATURE = -total(G[i, a] * L[i, a] - P[i, a] * L_positive[i], (a, M), (i, N)) / (nu * tau)


def _bind(v, bank, *, index, noise_index, temperature, reduction="mean") -> dict:
    draws = [[[int(row == j) for j in range(len(bank))] for row in rows] for rows in noise_index]
    sizes = {N: len(v), K: len(bank), M: len(noise_index[0]), d: len(v[0])}
    sizes |= {nu: divisor(len(v), reduction)}
    return sizes | {symbols.v: v, b: bank, p: index, Y: draws, tau: temperature}


def _by(entry: Expr, form: Expr):
    return gradient(entry, form, "D3.17", "D3.18", loss=loss, names=NAMES, facts=FACTS)


STATEMENT = with_weights(
    Statement(
        loss="instance_nce",
        form=loss,
        names=NAMES,
        gradients={
            "v": _by(v[k, f], BY_FEATURE),
            "bank": _by(b[j, f], BY_BANK),
            "temperature": _by(tau, BY_TEMPERATURE),
        },
        bind=_bind,
    ),
    weigh_row(SOFTMAX),
    WEIGHTED_ERROR,
    facts=FACTS,
    row=ROW,
)


# --- the normaliser, exact and estimated --------------------------------------------------------------------

SCORE = Definition(L[i, j], total(v[i, f] * b[j, f], (f, d)) / tau)
Z = total(exp(L[i, m]), (m, K))  # over the whole bank
BANK = Facts(ranges={i: N, j: K, a: M, f: d})


@claim(
    "D3.11",
    printed="assuming a uniform distribution for $P_n(i)$, $P_n(i) = 1/n$",
    verdict=Verdict.PROVED,
    says="Of n instances, here $K$, equal probabilities make a law: «sum», «positive».",
)
def uniform_noise() -> dict[str, Piece]:
    return {
        "sum": derive(total(1 / K, (j, K)), (SUMS, Integer(1)), facts=BANK),
        "positive": positive(1 / K),
    }


def _by_seven(exponentials: Positive) -> Finding:
    (bank,) = exponentials
    return Finding(sum(x / 7 for x in bank), "≠", 1, ("the sum of what is printed", ""))


@claim(
    "D3.12",
    printed=r"$P(i|v) = \frac{\exp(v^T v_i/\tau)}{7}$, where Z is the normalising term: $Z = \sum_{j=1}^{n}"
    r" \exp(v^T v_j / \tau)$",
    verdict=Verdict.CORRECTED,
    says="The 7 is a Z that was misread: with it the probabilities need not sum to 1, «seven».",
    right="With Z in its place they do: «sum».",
)
def not_a_seven() -> dict[str, Piece]:
    return {
        "seven": misprint(
            "three instances at right angles to v", _by_seven, exponentials=Positive([[1, 1, 1]])
        ),
        "sum": derive(total(exp(L[i, j]) / Z, (j, K)), (SUMS, Integer(1)), facts=BANK),
    }


# Means over uniform draws, of exponentials given as fractions, by enumerating all n^m samples of the bank.


def mean(
    bank: Sequence[Fraction], draws: int, function: Callable[[Sequence[Fraction]], Fraction]
) -> Fraction:
    return sum(map(function, product(bank, repeat=draws)), Fraction(0)) / len(bank) ** draws


def normaliser(bank: Sequence[Fraction], drawn: Sequence[Fraction]) -> Fraction:
    """Ẑ = (n/m) Σ_k e_{j_k}."""
    return Fraction(len(bank), len(drawn)) * sum(drawn)


def h(own: Fraction, whole: Fraction, bank: Sequence[Fraction], draws: int) -> Fraction:
    """P/(P + m/n) with P = e_i/Z, as printed in D3.15."""
    return (own / whole) / (own / whole + Fraction(draws, len(bank)))


EXPONENTIALS = Positive([[1, 2, 6]])  # e^{v·v_j/τ} of a bank of three, the instance's own the first


def _unbiased(exponentials: Positive, draws: int) -> Finding:
    (bank,) = exponentials
    found = mean(bank, draws, lambda drawn: normaliser(bank, drawn))
    return Finding(found, "=", sum(bank), ("the mean of Ẑ over all samples", "Z"))


@claim(
    "D3.13",
    printed=r"$Z \approx n \cdot \frac{1}{m} \sum_{k=1}^{m} \exp(v^{T} v_{j_{k}} / \tau)$",
    verdict=Verdict.PROVED,
    says="An approximation, right on average. Each of the $M$ samples is any of the $K$ instances with one"
    " chance, so that the mean of the estimate is «mean», the exact sum, whatever v is.",
)
def unbiased() -> dict[str, Piece]:
    of_each_draw = total(exp(L[i, j]) / K, (j, K))
    return {
        "mean": derive(K / M * total(of_each_draw, (a, M)), (SUMS, Z), facts=BANK),
        "enumerated": example("all nine samples", _unbiased, exponentials=EXPONENTIALS, draws=2),
    }


def _one_sample(exponentials: Positive) -> Iterator[Finding]:
    (bank,) = exponentials
    first = len(bank) * mean(bank, 1, lambda drawn: drawn[0])
    yield Finding(sum(bank), "=", first, ("Z", "n times the mean"))
    yield Finding(
        first, "≠", normaliser(bank, bank[:1]), ("n times the mean", "the estimate from the first alone")
    )


@claim(
    "D3.14",
    printed=r"$Z \approx n \cdot \mathbb{E}_j [ \exp(v^T v_j / \tau) ] \approx n \cdot \frac{1}{m} \sum_{k=1}^m"
    r" \exp(v^T v_{j_k} / \tau)$",
    verdict=Verdict.PROVED,
    says="The first sign may be an equality, j being uniform on the instances: «mean». The second may not: it is"
    " the estimate of D3.13, right on average, «estimate», and not in one sample, «sample».",
)
def exact_mean() -> dict[str, Piece]:
    expected = K * total(exp(L[i, j]) / K, (j, K))
    return {
        "mean": derive(Z, (SUMS, expected), facts=BANK),
        "estimate": unbiased()["mean"],
        "sample": example("one sample, the first instance", _one_sample, exponentials=EXPONENTIALS),
    }


# Outcomes of the draws: estimates Ẑ_o > 0 of the normaliser, with the law π_o / Σ π
OUTCOMES = Facts(ranges={i: W})
CHANCE = others_weight[i] / total(others_weight[m], (m, W))
EXPECTED = total(others_weight[m] * estimate[m], (m, W)) / total(others_weight[m], (m, W))


def jensen(shift: Expr) -> dict[str, Piece]:
    """E[1/(c + Ẑ)] − 1/(c + E Ẑ) = E[(Ẑ − E Ẑ)²/(c + Ẑ)]/(c + E Ẑ)², > 0 where Ẑ is not constant."""
    gap = total(CHANCE / (shift + estimate[i]), (i, W)) - 1 / (shift + EXPECTED)
    square = total(CHANCE * (estimate[i] - EXPECTED) ** 2 / (shift + estimate[i]), (i, W))
    last = square / (shift + EXPECTED) ** 2
    return {"gap": derive(gap, (SUMS, last), facts=OUTCOMES), "sign": nonnegative(last)}


def bias() -> dict[str, Piece]:
    """The bias of 1/Ẑ, and of ĥ = c/(c + Ẑ) for any c > 0."""
    inverse, shifted = jensen(Integer(0)), jensen(stretch)
    return {
        "inverse": inverse["gap"],
        "inverse sign": inverse["sign"],
        "shifted": shifted["gap"],
        "shifted sign": shifted["sign"],
    }


def _too_large(exponentials: Positive, draws: int) -> Iterator[Finding]:
    (bank,) = exponentials
    whole = sum(bank)
    truth = h(bank[0], whole, bank, draws)

    def over_samples(function: Callable[[Fraction], Fraction]) -> Fraction:
        return mean(bank, draws, lambda drawn: function(normaliser(bank, drawn)))

    sample = normaliser(bank, bank[:draws])
    yield Finding(h(bank[0], sample, bank, draws), "≠", truth, ("ĥ of the sample (1, 2)", "h"))
    yield Finding(over_samples(lambda z: 1 / z), ">", 1 / whole, ("the mean of 1/Ẑ", "1/Z"))
    yield Finding(over_samples(lambda z: h(bank[0], z, bank, draws)), ">", truth, ("the mean of ĥ", "h"))


@claim(
    "D3.15",
    printed=r"$h(i,v) = \frac{P(i|v)}{P(i|v) + mP_n(i)} = \frac{\frac{\exp(v^T v_i/\tau)}{\frac{n}{m}"
    r" \sum_{k=1}^{m} \exp(v^T v_{j_k}/\tau)}}{\frac{\exp(v^T v_i/\tau)}{\frac{n}{m} \sum_{k=1}^{m} \exp(v^T"
    r" v_{j_k}/\tau)} + m \cdot \frac{1}{n}}$",
    verdict=Verdict.CORRECTED,
    says=r"Not an equality: Z was replaced by its estimate, so that the right side is another function, $\hat h$:"
    r" «another».",
    right=r"The estimate is right on average (D3.13), but neither its inverse nor $\hat h$ is, which is «form»,"
    r" that is $c/(c + \hat Z)$. Over the outcomes of the draws, by their weights, Jensen's gap of the inverse is"
    r" «inverse», «inverse sign», and with any $c$, here ς, added it is «shifted», «shifted sign»: too large on"
    r" average, unless the estimate is constant. How fast the error falls with the number of samples is not"
    r" claimed.",
)
def estimated_posterior() -> dict[str, Piece]:
    own = exp(L_positive[i])
    printed = own / estimate[i] / (own / estimate[i] + M / K)
    form = K * own / M / (K * own / M + estimate[i])
    return {
        "another": misprint("all nine samples", _too_large, exponentials=EXPONENTIALS, draws=2),
        "form": derive(printed, (SUMS, form), facts=OUTCOMES),
        **bias(),
    }


@claim(
    "M24",
    verdict=Verdict.PROVED,
    says="The risk of a datum and its noise has in h the slope «slope», and with «multiple.where h» the factor is"
    " positive, «multiple sign»: one minimum, where the bracket is 0. A score that is the logarithm of the data's"
    " probability, «reached.where u», reaches it, «reached»: NCE normalises itself. With a normaliser estimated"
    " from samples both its inverse and $h$ come out too large on average, by «inverse» and, $h$ being $c/(c +"
    " Z)$, by $c$ times «shifted».",
)
def optimum_and_estimate() -> dict[str, Piece]:
    return {**minimiser(), **bias()}


UNIFORM = Definition(noise, 1 / K)  # P_n(i), which shows where SymPy would cancel m · (1/n) · (n/m) unasked
ESTIMATED = exp(L_positive[i]) / (K / M * DRAWN)
COMPOUND = ESTIMATED / (ESTIMATED + M * noise)
SIMPLE = exp(L_positive[i]) / (exp(L_positive[i]) + M * noise * (K / M) * DRAWN)
CLOSED = exp(L_positive[i]) / (exp(L_positive[i]) + DRAWN)


@claim(
    "D3.16",
    printed=r"$h(i,v) = \frac{\exp(v^T v_i/\tau)}{\exp(v^T v_i/\tau) + m \cdot \frac{1}{n} \cdot \frac{n}{m}"
    r" \sum_{k=1}^{m} \exp(v^T v_{j_k}/\tau)}$",
    verdict=Verdict.PROVED,
    says=r"Of the $\hat h$ of D3.15, as its numerator and denominator are multiplied by the estimate: «simple»,"
    r" where «simple.where Pₙ».",
)
def without_compound_fraction() -> dict[str, Piece]:
    return {"simple": derive(COMPOUND, (DEFINITION, SIMPLE), names=(UNIFORM,), facts=BANK)}


def _itself_drawn(exponentials: Positive) -> Iterator[Finding]:
    (bank,) = exponentials
    estimated = h(bank[0], normaliser(bank, bank[:1]), bank, 1)
    yield Finding(estimated, "=", Fraction(1, 2), ("ĥ", ""))
    yield Finding(estimated, "≠", h(bank[0], sum(bank), bank, 1), ("ĥ", "h"))


@claim(
    "D3.17",
    printed=r"$h(i, v) = \frac{\exp(v^T v_i/\tau)}{\exp(v^T v_i/\tau) + \sum_{k=1}^{m} \exp(v^T v_{j_k}/\tau)}$",
    verdict=Verdict.CORRECTED,
    says="It is not the posterior of D3.10. Where the instance itself is drawn, its exponential counts twice, and"
    " if it is the only sample the value is one half, whatever v is: «itself».",
    right=r"It is $\hat h$, in which M and K cancel: «cancelled.chain». That is the softmax over M + 1"
    r" candidates, so that minus its logarithm is an InfoNCE loss, of the instance against its noise samples:"
    r" «infonce». The posterior with a normaliser $\hat Z$ is «posterior».",
)
def an_infonce_in_disguise() -> dict[str, Piece]:
    own = exp(L_positive[i])
    row = query_key.SHARED.names[2]  # ℓ, in the logits
    odds = own / estimate[i] / (own / estimate[i] + M / K)
    posterior_odds = K * own / (K * own + M * estimate[i])
    return {
        "itself": misprint("the one sample is the instance", _itself_drawn, exponentials=EXPONENTIALS),
        "cancelled": derive(
            COMPOUND, (DEFINITION, SIMPLE), (DEFINITION, CLOSED), names=(UNIFORM,), facts=BANK
        ),
        "infonce": derive(-log(CLOSED), (DEFINITION, ell[i]), names=(row,), facts=BANK),
        "posterior": derive(odds, (SUMS, posterior_odds), facts=BANK),
    }
