"""Noise-contrastive estimation: tell each datum from M noise samples, two classes at a time (D2, Eq. 1; D3)."""

from fractions import Fraction

from sympy import Expr, Integer, Symbol, exp, log

from ..claims import claim
from ..prover.inequality import Sign, nonnegative, positive
from ..prover.notation import Definition, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.statement import Statement, gradient
from ..prover.sums import Facts
from ..symbols import M, N, a, i, k, log_p, log_p_noise, loss, nu, posterior, posterior_noise, u_data, u_noise
from ..unbound import Counterexample, counterexample
from ..verdicts import Verdict
from . import cpc

FACTS = Facts(ranges={i: N, k: N, a: M})

DATUM = Definition(posterior[i], exp(u_data[i]) / (exp(u_data[i]) + M * exp(log_p[i])))  # [D3.10]
NOISE = Definition(
    posterior_noise[i, a], exp(u_noise[i, a]) / (exp(u_noise[i, a]) + M * exp(log_p_noise[i, a]))
)
LOSS = Definition(  # [D2.2, D3.18]
    loss, -total(log(posterior[i]) + total(log(1 - posterior_noise[i, a]), (a, M)), (i, N)) / nu
)
NAMES = (DATUM, NOISE, LOSS)

BY_DATUM = -M * exp(log_p[k]) / (exp(u_data[k]) + M * exp(log_p[k])) / nu  # −(1 − h)/ν
BY_NOISE = posterior_noise[k, a] / nu


def _bind(data_scores, noise_scores, *, log_noise_data, log_noise) -> dict:
    sizes = {N: len(data_scores), M: len(noise_scores[0]), nu: len(data_scores)}
    return sizes | {u_data: data_scores, u_noise: noise_scores, log_p: log_noise_data, log_p_noise: log_noise}


def _by(entry: Expr, form: Expr):
    return gradient(entry, form, "D3.18", loss=loss, names=NAMES, facts=FACTS)


STATEMENT = Statement(
    loss="nce",
    form=loss,
    names=NAMES,
    gradients={"data_scores": _by(u_data[k], BY_DATUM), "noise_scores": _by(u_noise[k, a], BY_NOISE)},
    bind=_bind,
)


# --- the posterior: is it a datum, or noise? ----------------------------------------------------------------

SCALARS = Facts()
# P(i|v) of the data, P_n(i) of the noise, P(D = 1), P(D = 0)
data, noise, prior, prior_noise = (Symbol(name, positive=True) for name in ("P", "Pₙ", "π₁", "π₀"))
BAYES = data * prior / (data * prior + noise * prior_noise)
OPTIMUM = data / (data + M * noise)
chance, score = Symbol("h", positive=True), Symbol("u", real=True)


@claim(
    "D3.8",
    printed=r"P(D=1|i,v) = \frac{P(i|v) P(D=1)}{P(i|v) P(D=1) + P_n(i) P(D=0)}",
    statement="Bayes' rule, the noise not depending on v: times the probability of i it is that of i and D = 1, and"
    " with its counterpart for D = 0 it sums to 1.",
    verdict=Verdict.PROVED,
)
def bayes() -> tuple[Proof, Proof]:
    evidence = data * prior + noise * prior_noise
    bayes, of_noise = (
        Definition(chance, BAYES),
        noise * prior_noise / evidence,
    )  # SymPy would cancel P · (Q/P)
    return (
        derive(chance * evidence, (DEFINITION, data * prior), names=(bayes,), facts=SCALARS),
        derive(chance + of_noise, (DEFINITION, Integer(1)), names=(bayes,), facts=SCALARS),
    )


@claim(
    "D3.9",
    printed=r"P(D=1) = \frac{1}{1+m}, P(D=0) = \frac{m}{1+m}",
    statement="A definition, m noise samples coming with each datum: both are positive, and their sum is 1.",
    verdict=Verdict.PROVED,
)
def priors() -> tuple[Proof, Sign, Sign]:
    datum, sample = 1 / (1 + M), M / (1 + M)
    return derive(datum + sample, (SUMS, Integer(1)), facts=SCALARS), nonnegative(datum), nonnegative(sample)


@claim(
    "D3.10",
    printed=r"\frac{P(i|v) \frac{1}{1+m}}{P(i|v) \frac{1}{1+m} + P_n(i) \frac{m}{1+m}}"
    r" = \frac{P(i|v)}{P(i|v) + m P_n(i)} = h(i, v)",
    statement="As printed: 1/(1 + m) cancels.",
    verdict=Verdict.PROVED,
)
def posterior_of_a_datum() -> Proof:
    counts = (Definition(prior, 1 / (1 + M)), Definition(prior_noise, M / (1 + M)))
    return derive(BAYES, (DEFINITION, OPTIMUM), names=counts, facts=SCALARS)


@claim(
    "D3.18",
    printed=r"J_{NCE}(\theta) = -E_{P_d}[\log h(i, v)] - m E_{P_n}[\log(1 - h(i, v'))]",
    statement="A definition, 0 < h < 1. Over free h the minimiser is h^* = P_d/(P_d + m P_n), point by point:"
    " the slope is a positive multiple of h - h^*. It is reached where e^u = P_d. That needs an h"
    r" that is a function of i and v alone, with a fixed normaliser: it does not hold of \hat h"
    " (D3.17), which depends on the sample.",
    verdict=Verdict.PROVED,
)
def minimiser() -> tuple[Proof | Sign, ...]:
    risk = -data * log(chance) - M * noise * log(1 - chance)
    multiple = (data + M * noise) / (chance * (1 - chance))
    odds = Symbol("o", positive=True)
    between = Definition(chance, odds / (1 + odds))  # any number between 0 and 1
    by_odds = (data + M * noise) * (1 + odds) ** 2 / odds
    reached, normalised = exp(score) / (exp(score) + M * noise), Definition(score, log(data))
    return (
        derive(Partial(risk, chance), (DERIVATIVE, (chance - OPTIMUM) * multiple), facts=SCALARS),
        derive(multiple, (DEFINITION, by_odds), names=(between,), facts=SCALARS),
        positive(by_odds),
        derive(reached, (DEFINITION, OPTIMUM), names=(normalised,), facts=SCALARS),
    )


# --- document D2: NCE and InfoNCE ---------------------------------------------------------------------------


def two_class_loss(datum: Fraction, sample: Fraction) -> Fraction:
    """exp 𝓛 of one datum and one noise sample with the scores e^u, the noise's probability being 1."""
    return 1 / (datum / (datum + 1)) / (1 - sample / (sample + 1))


@claim(
    "D2.1",
    printed="NCE classifies data against noise, two classes; InfoNCE generalises it to many, in Softmax form",
    statement=r"An analogy, not a special case. With two candidates InfoNCE is \log(1 + e^{-(u_p - u_n)}), a"
    r" logistic loss"
    r" of the difference; NCE is a sum of logistic losses, of each u - \log(m p_n) alone. A number added to all"
    " scores leaves InfoNCE as it is, for any number of candidates, and changes NCE.",
    verdict=Verdict.CORRECTED,
    right="Both tell data from noise. InfoNCE knows the score up to g(c); NCE fixes it, and with it the"
    " normaliser.",
)
def two_kinds_of_logistic_loss() -> tuple[Proof | Counterexample, ...]:
    c, own, other = (Symbol(name, real=True) for name in ("c", "u", "uₙ"))
    pair = -log(exp(own) / (exp(own) + exp(other)))
    datum, sample = u_data[i] - log(M) - log_p[i], u_noise[i, a] - log(M) - log_p_noise[i, a]
    shifted = log(total(exp(cpc.u[i, a] + c), (a, cpc.A))) - cpc.u[i, cpc.p[i]] - c
    before, after = two_class_loss(Fraction(1), Fraction(1)), two_class_loss(Fraction(2), Fraction(2))
    return (
        derive(pair, (SUMS, log(1 + exp(other - own))), facts=SCALARS),
        derive(1 / posterior[i], (DEFINITION, 1 + exp(-datum)), names=NAMES, facts=FACTS),
        derive(1 / (1 - posterior_noise[i, a]), (DEFINITION, 1 + exp(sample)), names=NAMES, facts=FACTS),
        derive(shifted, (DEFINITION, cpc.ell[i]), names=cpc.NAMES, facts=cpc.FACTS),
        counterexample(
            "one datum and one noise sample, u = 0 and p_n = 1: adding log 2 to both scores changes NCE",
            holds=before != after,
            numbers={"exp loss before": before, "exp loss after": after},
        ),
    )


@claim(
    "D2.2",
    printed=r"\mathcal{J}_{NCE} = \sum_{t=1}^{k_d+k_n} [D_t \log p_\theta(D=1|x_t,c_t) + (1-D_t) \log"
    r" p_\theta(D=0|x_t,c_t)],"
    " with a minus sign added, so that it is a loss",
    statement="The minus sign is announced and not printed: every term is the logarithm of a probability, so"
    " that the"
    " sum is never positive and is to be maximised.",
    verdict=Verdict.CORRECTED,
    right=r"\mathcal{L} = -\sum_t [D_t \log p_\theta(D=1|x_t,c_t) + (1 - D_t) \log p_\theta(D=0|x_t,c_t)], a sum of"
    r" \log(1 + e^{\mp(u - \log m p_n)}) > 0.",
)
def the_minus_that_is_not_printed() -> tuple[Proof | Sign | Counterexample, ...]:
    printed = total(log(posterior[i]) + total(log(1 - posterior_noise[i, a]), (a, M)), (i, N))
    miss = M * exp(log_p_noise[i, a]) / (exp(u_noise[i, a]) + M * exp(log_p_noise[i, a]))
    sample = two_class_loss(Fraction(1), Fraction(1))
    return (
        derive(printed, (DEFINITION, -nu * loss), names=NAMES, facts=FACTS),
        derive(1 - posterior_noise[i, a], (DEFINITION, miss), names=NAMES, facts=FACTS),
        nonnegative(miss),
        nonnegative(posterior[i], names=NAMES),
        counterexample(
            "one datum and one noise sample, u = 0 and p_n = 1: the printed sum is log of a number below 1",
            holds=1 / sample < 1,
            numbers={"exp J as printed": 1 / sample},
        ),
    )
