"""Instance discrimination by noise contrast, its normaliser estimated from the noise samples (document D3)."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from sympy import Expr, Integer, exp, log

from .. import symbols
from ..claims import claim
from ..prover.inequality import Sign, nonnegative
from ..prover.notation import Definition, one_if, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..prover.statement import Statement, gradient
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
    others_weight,
    p,
    posterior,
    posterior_noise,
    stretch,
    tau,
    v,
)
from ..unbound import Counterexample, counterexample
from ..verdicts import Verdict
from . import query_key
from .nce import minimiser, noise

FACTS = Facts(ranges={i: N, k: N, j: K, m: M, a: M, f: d}, maps={p: (N, K)})

DRAWN = total(exp(L[i, m]), (m, M))  # Σ_k e_{j_k}, over the M noise samples

OWN = Definition(L_positive[i], total(v[i, f] * b[p[i], f], (f, d)) / tau)
LOGITS = Definition(L[i, a], total(v[i, f] * total(Y[i, a, j] * b[j, f], (j, K)), (f, d)) / tau)
POSTERIOR = Definition(posterior[i], exp(L_positive[i]) / (exp(L_positive[i]) + DRAWN))  # [D3.17]
NOISE = Definition(posterior_noise[i, a], exp(L[i, a]) / (exp(L[i, a]) + DRAWN))
LOSS = Definition(  # [D3.18]
    loss, -total(log(posterior[i]) + total(log(1 - posterior_noise[i, a]), (a, M)), (i, N)) / nu
)
# P, of a noise sample in the softmax that ĥ is: together they are 1 − ĥ [D3.17, S2]
SOFTMAX = Definition(P[i, a], exp(L[i, a]) / (exp(L_positive[i]) + DRAWN))
ERROR = Definition(  # ν ∂𝓛/∂L
    G[i, a],
    P[i, a] + posterior_noise[i, a] - exp(L[i, a]) / DRAWN * total(posterior_noise[i, m], (m, M)),
)
NAMES = (OWN, LOGITS, POSTERIOR, NOISE, LOSS, SOFTMAX, ERROR)

BY_FEATURE = total(G[k, a] * total(Y[k, a, j] * b[j, f], (j, K)) - P[k, a] * b[p[k], f], (a, M)) / (nu * tau)
BY_BANK = total((G[i, a] * Y[i, a, j] - P[i, a] * one_if(j, p[i])) * v[i, f], (a, M), (i, N)) / (nu * tau)
BY_TEMPERATURE = -total(G[i, a] * L[i, a] - P[i, a] * L_positive[i], (a, M), (i, N)) / (nu * tau)


def _bind(v, bank, *, index, noise_index, temperature) -> dict:
    draws = [[[int(row == j) for j in range(len(bank))] for row in rows] for rows in noise_index]
    sizes = {N: len(v), K: len(bank), M: len(noise_index[0]), d: len(v[0]), nu: len(v)}
    return sizes | {symbols.v: v, b: bank, p: index, Y: draws, tau: temperature}


def _by(entry: Expr, form: Expr):
    return gradient(entry, form, "D3.17", "D3.18", loss=loss, names=NAMES, facts=FACTS)


STATEMENT = Statement(
    loss="instance_nce",
    form=loss,
    names=NAMES,
    gradients={
        "v": _by(v[k, f], BY_FEATURE),
        "bank": _by(b[j, f], BY_BANK),
        "temperature": _by(tau, BY_TEMPERATURE),
    },
    bind=_bind,
)


# --- the normaliser, exact and estimated --------------------------------------------------------------------

SCORE = Definition(L[i, j], total(v[i, f] * b[j, f], (f, d)) / tau)
Z = total(exp(L[i, m]), (m, K))  # over the whole bank
BANK = Facts(ranges={i: N, j: K, a: M, f: d})


@claim(
    "D3.11",
    printed="P_n uniform: P_n(i) = 1/n",
    statement="As printed: n equal probabilities that sum to 1.",
    verdict=Verdict.PROVED,
)
def uniform_noise() -> tuple[Proof, Sign]:
    return derive(total(1 / K, (j, K)), (SUMS, Integer(1)), facts=BANK), nonnegative(1 / K)


@claim(
    "D3.12",
    printed=r"P(i|v) = \frac{\exp(v^T v_i/\tau)}{7}, Z = \sum_{j=1}^n \exp(v^T v_j/\tau)",
    statement="The 7 is a Z that was misread: only with Z do the probabilities sum to 1.",
    verdict=Verdict.CORRECTED,
    right=r"P(i|v) = \exp(v^T v_i/\tau)/Z.",
)
def not_a_seven() -> tuple[Proof, Counterexample]:
    right = derive(total(exp(L[i, j]) / Z, (j, K)), (DEFINITION, Integer(1)), names=(SCORE,), facts=BANK)
    whole = sum([Fraction(1, 7)] * 3)
    return right, counterexample(
        "v = 0 before n = 3 instances, every exponential being 1: the printed probabilities do not sum to 1",
        holds=whole != 1,
        numbers={"their sum": whole},
    )


# Means over uniform draws: of exponentials given as fractions, by enumeration of all n^m samples of the bank.
Sample = tuple[Fraction, ...]


def mean(bank: Sample, draws: int, function: Callable[[Sample], Fraction]) -> Fraction:
    return sum(map(function, product(bank, repeat=draws)), Fraction(0)) / len(bank) ** draws


def normaliser(bank: Sample, drawn: Sample) -> Fraction:
    """Ẑ = (n/m) Σ_k e_{j_k}."""
    return Fraction(len(bank), len(drawn)) * sum(drawn)


def h(own: Fraction, whole: Fraction, bank: Sample, draws: int) -> Fraction:
    """P/(P + m/n) with P = e_i/Z, as printed in D3.15."""
    return (own / whole) / (own / whole + Fraction(draws, len(bank)))


BANK_OF_THREE, DRAWS = (Fraction(1), Fraction(2), Fraction(6)), 2
WHOLE = sum(BANK_OF_THREE, Fraction(0))


@claim(
    "D3.13",
    printed=r"Z \approx n \cdot \frac{1}{m} \sum_{k=1}^m \exp(v^T v_{j_k}/\tau)",
    statement=r"An approximation, right on average: E[\hat Z] = Z for j_k uniform on the n instances, whatever"
    r" v is,"
    " each of the m terms having mean Z/n. Checked too by enumeration of all samples.",
    verdict=Verdict.PROVED,
)
def unbiased() -> tuple[Proof, Counterexample]:
    of_each_draw = total(exp(L[i, j]) / K, (j, K))
    expected = derive(K / M * total(of_each_draw, (a, M)), (SUMS, Z), facts=BANK)
    found = mean(BANK_OF_THREE, DRAWS, lambda drawn: normaliser(BANK_OF_THREE, drawn))
    return expected, counterexample(
        "exponentials 1, 2, 6 and m = 2 draws: the mean over all nine samples",
        holds=found == WHOLE,
        numbers={"mean of the estimate": found, "Z": WHOLE},
    )


@claim(
    "D3.14",
    printed=r"Z \approx n \cdot E_j[\exp(v^T v_j/\tau)] \approx n \cdot \frac{1}{m} \sum_{k=1}^m \exp(v^T"
    r" v_{j_k}/\tau)",
    statement="The first sign is an equality, j being uniform on the n instances; the second is the estimate of"
    " D3.13.",
    verdict=Verdict.CORRECTED,
    right=r"Z = n \cdot E_j[\exp(v^T v_j/\tau)].",
)
def exact_mean() -> Proof:
    return derive(K * total(exp(L[i, j]) / K, (j, K)), (SUMS, Z), facts=BANK)


# Outcomes of the draws: estimates Ẑ_o > 0 of the normaliser, with the law π_o / Σ π
OUTCOMES = Facts(ranges={i: W})
CHANCE = others_weight[i] / total(others_weight[m], (m, W))
EXPECTED = total(others_weight[m] * estimate[m], (m, W)) / total(others_weight[m], (m, W))


def jensen(shift: Expr) -> tuple[Proof, Sign]:
    """E[1/(c + Ẑ)] − 1/(c + E Ẑ) = E[(Ẑ − E Ẑ)²/(c + Ẑ)]/(c + E Ẑ)² ≥ 0, and > 0 where Ẑ is not constant."""
    gap = total(CHANCE / (shift + estimate[i]), (i, W)) - 1 / (shift + EXPECTED)
    square = total(CHANCE * (estimate[i] - EXPECTED) ** 2 / (shift + estimate[i]), (i, W))
    proof = derive(gap, (SUMS, square / (shift + EXPECTED) ** 2), facts=OUTCOMES)
    return proof, nonnegative(square / (shift + EXPECTED) ** 2)


@claim(
    "D3.15",
    printed=r"h(i,v) = \frac{P(i|v)}{P(i|v) + m P_n(i)} = \frac{\exp(v^T v_i/\tau) / (\frac{n}{m} \sum_k"
    r" \exp(v^T v_{j_k}/\tau))}{\exp(v^T v_i/\tau) / (\frac{n}{m} \sum_k \exp(v^T v_{j_k}/\tau)) + m \frac{1}{n}}",
    statement=r"Not an equality: Z was replaced by its estimate, so that the right side is another function,"
    r" \hat h."
    r" \hat Z is unbiased, 1/\hat Z and \hat h are not: by Jensen E[1/\hat Z] \ge 1/Z and E[\hat h] \ge h, strictly"
    r" unless \hat Z is constant, for \hat h = c/(c + \hat Z) with c = n e_i/m. How fast the error falls as m grows"
    " is not claimed.",
    verdict=Verdict.CORRECTED,
    right=r"\hat h(i,v) \approx h(i,v), too large on average.",
)
def estimated_posterior() -> tuple[Proof | Sign | Counterexample, ...]:
    stretched = K * exp(L_positive[i]) / M  # c
    printed = exp(L_positive[i]) / estimate[i] / (exp(L_positive[i]) / estimate[i] + M / K)
    own, exact = BANK_OF_THREE[0], WHOLE
    inverse = mean(BANK_OF_THREE, DRAWS, lambda drawn: 1 / normaliser(BANK_OF_THREE, drawn))
    chances = mean(
        BANK_OF_THREE, DRAWS, lambda drawn: h(own, normaliser(BANK_OF_THREE, drawn), BANK_OF_THREE, DRAWS)
    )
    truth = h(own, exact, BANK_OF_THREE, DRAWS)
    return (
        derive(printed, (SUMS, stretched / (stretched + estimate[i])), facts=OUTCOMES),
        *jensen(Integer(0)),
        *jensen(stretch),  # any c > 0
        counterexample(
            "exponentials 1, 2, 6, i the first, m = 2: both means are larger than what they stand for",
            holds=inverse > 1 / exact and chances > truth,
            numbers={"E[1/Ẑ]": inverse, "1/Z": 1 / exact, "E[ĥ]": chances, "h": truth},
        ),
    )


@claim(
    "M24",
    printed="",
    statement=r"Of -P_d \log h - m P_n \log(1 - h) in 0 < h < 1 the slope is a positive multiple of h - h^*, with"
    r" h^* = P_d/(P_d + m P_n): the one minimum. It is reached where e^u = P_d, so NCE normalises itself. With a"
    " normaliser estimated from samples both 1/Z and h come out too large on average (D3.15).",
    verdict=Verdict.PROVED,
)
def optimum_and_estimate() -> tuple[Proof | Sign | Counterexample, ...]:
    return *minimiser(), *estimated_posterior()


UNIFORM = Definition(noise, 1 / K)  # P_n(i), which shows where SymPy would cancel m · (1/n) · (n/m) unasked
ESTIMATED = exp(L_positive[i]) / (K / M * DRAWN)
COMPOUND = ESTIMATED / (ESTIMATED + M * noise)
SIMPLE = exp(L_positive[i]) / (exp(L_positive[i]) + M * noise * (K / M) * DRAWN)


@claim(
    "D3.16",
    printed=r"h(i,v) = \frac{\exp(v^T v_i/\tau)}{\exp(v^T v_i/\tau)"
    r" + m \cdot \frac{1}{n} \cdot \frac{n}{m} \sum_{k=1}^m \exp(v^T v_{j_k}/\tau)}",
    statement=r"As printed of \hat h: numerator and denominator of D3.15 are multiplied by \hat Z > 0.",
    verdict=Verdict.PROVED,
)
def without_compound_fraction() -> Proof:
    return derive(COMPOUND, (DEFINITION, SIMPLE), names=(UNIFORM,), facts=BANK)


@claim(
    "D3.17",
    printed=r"h(i,v) = \frac{\exp(v^T v_i/\tau)}{\exp(v^T v_i/\tau) + \sum_{k=1}^m \exp(v^T v_{j_k}/\tau)}",
    statement=r"As an identity of \hat h it holds: m/n and n/m cancel. It is the softmax over m + 1 candidates,"
    r" so that"
    r" -\log \hat h is an InfoNCE loss. It is not the posterior of D3.10: where the instance itself is drawn, e_i"
    r" counts twice, and with m = 1 that gives 1/2 whatever v is.",
    verdict=Verdict.CORRECTED,
    right=r"-\log \hat h(i,v) = \ell, the InfoNCE of i against its m noise samples; h has n e_i/(n e_i + m Z).",
)
def an_infonce_in_disguise() -> tuple[Proof | Counterexample, ...]:
    closed = exp(L_positive[i]) / (exp(L_positive[i]) + DRAWN)
    row = query_key.SHARED.names[2]  # ℓ, in the logits
    posterior_odds = exp(L_positive[i]) / estimate[i] / (exp(L_positive[i]) / estimate[i] + M / K)
    bank, own = BANK_OF_THREE, BANK_OF_THREE[0]
    itself, truth = h(own, normaliser(bank, (own,)), bank, 1), h(own, WHOLE, bank, 1)
    return (
        derive(COMPOUND, (DEFINITION, SIMPLE), (DEFINITION, closed), names=(UNIFORM,), facts=BANK),
        derive(-log(closed), (DEFINITION, ell[i]), names=(row,), facts=BANK),
        derive(
            posterior_odds,
            (SUMS, K * exp(L_positive[i]) / (K * exp(L_positive[i]) + M * estimate[i])),
            facts=BANK,
        ),
        counterexample(
            "exponentials 1, 2, 6, i the first, m = 1 and the draw is i: not the posterior",
            holds=itself == Fraction(1, 2) != truth,
            numbers={"ĥ": itself, "h": truth},
        ),
    )
