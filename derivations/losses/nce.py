"""Noise-contrastive estimation: tell each datum from M noise samples, two classes at a time (D2, Eq. 1; D3)."""

from collections.abc import Iterator
from fractions import Fraction

from sympy import Expr, IndexedBase, Integer, Symbol, exp, log

from ..common.pairs import divisor
from ..common.statement import Statement, gradient
from ..common.weights import with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, misprint
from ..evidence.points import Positive
from ..evidence.verdicts import Verdict
from ..prover.inequality import positive
from ..prover.notation import Definition, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, derive
from ..prover.sums import Facts
from ..symbols import (
    K,
    M,
    N,
    a,
    data_law,
    i,
    j,
    k,
    log_p,
    log_p_noise,
    loss,
    noise_law,
    nu,
    posterior,
    posterior_noise,
    prior,
    prior_noise,
    u_data,
    u_noise,
)
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


def _bind(data_scores, noise_scores, *, log_noise_data, log_noise, reduction="mean") -> dict:
    count = len(data_scores)
    sizes = {N: count, M: len(noise_scores[0]), nu: divisor(count, reduction)}
    return sizes | {u_data: data_scores, u_noise: noise_scores, log_p: log_noise_data, log_p_noise: log_noise}


def _by(entry: Expr, form: Expr):
    return gradient(entry, form, "D3.18", loss=loss, names=NAMES, facts=FACTS)


STATEMENT = with_weights(
    Statement(
        loss="nce",
        form=loss,
        names=NAMES,
        gradients={"data_scores": _by(u_data[k], BY_DATUM), "noise_scores": _by(u_noise[k, a], BY_NOISE)},
        bind=_bind,
    ),
    facts=FACTS,
    row=-log(posterior[i]) - total(log(1 - posterior_noise[i, a]), (a, M)),
)


# --- the posterior: is it a datum, or noise? ----------------------------------------------------------------

SCALARS = Facts()
# P(i|v) of the data and P_n(i) of the noise, of one instance; π₁ and π₀ are P(D = 1) and P(D = 0)
data, noise = (Symbol(name, positive=True) for name in ("P", "Pₙ"))
PRIOR, PRIOR_NOISE = Definition(prior, 1 / (1 + M)), Definition(prior_noise, M / (1 + M))  # [D3.9]
OPTIMUM = data / (data + M * noise)
chance, score = Symbol("h", positive=True), Symbol("u", real=True)


def bayes(data: Expr, noise: Expr) -> Expr:
    """P(D = 1 | i, v) [D3.8]."""
    return data * prior / (data * prior + noise * prior_noise)


@claim(
    "D3.8",
    printed=r"We define a binary event D, where: $D = 1$ means that the sample is real; $D = 0$ means that"
    r" the sample is noise. We compute the posterior probability: $P(D = 1|i, v) = \frac{P(i|v)P(D ="
    r" 1)}{P(i|v)P(D = 1) + P_n(i)P(D = 0)}$",
    verdict=Verdict.PROVED,
    says="The event D is well defined of a sample drawn with its kind, a datum or noise. Then Bayes' rule,"
    " the noise not depending on v: «any.where h», with the priors $π_1$ and $π_0$, is the chance of a datum"
    " given the instance, since for every function $g$ of the instance «any»: its mean over both kinds,"
    " weighed by $h$, is its mean over the data. What it is short of 1 is the chance of noise: «both».",
)
def bayes_rule() -> dict[str, Piece]:
    of_data, of_noise = data_law[j], noise_law[j]
    evidence = of_data * prior + of_noise * prior_noise
    names, facts = (Definition(posterior[j], bayes(of_data, of_noise)),), Facts(ranges={j: K})
    g = IndexedBase("g", real=True)
    mixed, alone = total(g[j] * posterior[j] * evidence, (j, K)), total(g[j] * of_data * prior, (j, K))
    return {
        "any": derive(mixed, (DEFINITION, alone), names=names, facts=facts),
        "both": derive(
            1 - posterior[j], (DEFINITION, of_noise * prior_noise / evidence), names=names, facts=facts
        ),
    }


@claim(
    "D3.9",
    printed=r"real data occur with probability $\frac{1}{1+m}$, noise with probability $\frac{m}{1+m}$",
    verdict=Verdict.DEFINITION,
    says="«prior» and «noise», M noise samples coming with each datum: both are positive, «positive» and «noise"
    " positive», and «sum».",
)
def priors() -> dict[str, Piece]:
    return {
        "prior": PRIOR,
        "noise": PRIOR_NOISE,
        "positive": positive(PRIOR.body),
        "noise positive": positive(PRIOR_NOISE.body),
        "sum": derive(
            prior + prior_noise, (DEFINITION, Integer(1)), names=(PRIOR, PRIOR_NOISE), facts=SCALARS
        ),
    }


@claim(
    "D3.10",
    printed=r"$P(D = 1|i, v) = \frac{P(i|v) \cdot \frac{1}{1+m}}{P(i|v) \cdot \frac{1}{1+m} + P_n(i) \cdot"
    r" \frac{m}{1+m}} = \frac{P(i|v)}{P(i|v) + mP_n(i)}$",
    verdict=Verdict.PROVED,
    says="Where «posterior.where π₁» and «posterior.where π₀», $1 + m$ cancels: «posterior».",
)
def posterior_of_a_datum() -> dict[str, Piece]:
    names = (PRIOR, PRIOR_NOISE)
    return {"posterior": derive(bayes(data, noise), (DEFINITION, OPTIMUM), names=names, facts=SCALARS)}


def minimiser() -> dict[str, Piece]:
    """The minimiser of −P_d log h − m P_n log(1 − h), at one point."""
    risk = -data * log(chance) - M * noise * log(1 - chance)
    multiple = (data + M * noise) / (chance * (1 - chance))
    odds = Symbol("o", positive=True)
    between = Definition(chance, odds / (1 + odds))  # any number between 0 and 1
    by_odds = (data + M * noise) * (1 + odds) ** 2 / odds
    reached, normalised = exp(score) / (exp(score) + M * noise), Definition(score, log(data))
    return {
        "slope": derive(Partial(risk, chance), (DERIVATIVE, (chance - OPTIMUM) * multiple), facts=SCALARS),
        "multiple": derive(multiple, (DEFINITION, by_odds), names=(between,), facts=SCALARS),
        "multiple sign": positive(by_odds),
        "reached": derive(reached, (DEFINITION, OPTIMUM), names=(normalised,), facts=SCALARS),
    }


@claim(
    "D3.18",
    printed=r"$J_{NCE}(\theta) = -\mathbb{E}_{P_d}[\log h(i, v)] - m \cdot \mathbb{E}_{P_n}[\log(1 - h(i,"
    r" v'))]$",
    verdict=Verdict.DEFINITION,
    says="«loss», of data with «datum» and of their noise samples with «noise», which lie between 0 and 1:"
    " «positive» and «short», «short sign», and for the noise «noise short»; so that no term of it is"
    " negative: «terms». Over free $h$, point by point the slope is «slope», and with «multiple.where h» the"
    " factor is positive, «multiple sign»: the only minimum is where the bracket is 0. A score reaches it by"
    " being the logarithm of the data's probability: «reached.where u» gives «reached». That needs an $h$ that"
    " is a function of i and v alone, with a fixed normaliser: it does not hold of the estimate of D3.17,"
    " which depends on the sample.",
)
def loss_of_two_classes() -> dict[str, Piece]:
    miss = M * exp(log_p[i]) / (exp(u_data[i]) + M * exp(log_p[i]))
    of_datum = log(1 + M * exp(log_p[i] - u_data[i]))
    of_noise = -total(log(1 - posterior_noise[i, a]), (a, M))
    chance_noise = M * exp(log_p_noise[i, a])
    miss_noise = chance_noise / (exp(u_noise[i, a]) + chance_noise)
    return {
        "loss": LOSS,
        "datum": DATUM,
        "noise": NOISE,
        "positive": positive(posterior[i], names=NAMES),
        "short": derive(1 - posterior[i], (DEFINITION, miss), names=NAMES, facts=FACTS),
        "short sign": positive(miss),
        "terms": derive(
            loss, (DEFINITION, total(of_datum + of_noise, (i, N)) / nu), names=NAMES, facts=FACTS
        ),
        "noise short": derive(1 - posterior_noise[i, a], (DEFINITION, miss_noise), names=NAMES, facts=FACTS),
        **minimiser(),
    }


# --- document D2: NCE and InfoNCE ---------------------------------------------------------------------------


def two_class_loss(datum: Fraction, sample: Fraction) -> Fraction:
    """e^𝓛 of one datum and one noise sample with the scores e^u, the noise's probability being 1."""
    return 1 / (datum / (datum + 1)) / (1 - sample / (sample + 1))


def _raised(scores: Positive, factor: Fraction) -> Iterator[Finding]:
    """e^u of a datum and of a noise sample; both times e^c."""
    ((datum, sample),) = scores
    for name, risk, sign in (
        ("InfoNCE", lambda own, other: (own + other) / own, "="),
        ("NCE", two_class_loss, "≠"),
    ):
        after = risk(datum * factor, sample * factor)
        yield Finding(
            risk(datum, sample), sign, after, (f"e^𝓛 of {name}", "with a number added to all scores")
        )


@claim(
    "D2.1",
    printed="NCE classifies data against noise, two classes; InfoNCE generalises this idea to many classes, in"
    " Softmax form",
    verdict=Verdict.CORRECTED,
    says="An analogy: NCE is no special case of InfoNCE. Adding a number to all scores leaves InfoNCE as it is"
    " and changes NCE: «raised».",
    right=r"Both tell data from noise. InfoNCE of two candidates is «pair», a logistic loss of the"
    r" difference of two scores. NCE is a sum of logistic losses of single scores less $\log(m p_n)$:"
    r" «datum» for the data, «sample» for the noise. InfoNCE determines the scores up to a shift, «shifted»,"
    r" for any number of candidates. NCE determines the shift too, and with it the normaliser.",
)
def two_kinds_of_logistic_loss() -> dict[str, Piece]:
    c, own, other = (Symbol(name, real=True) for name in ("c", "u", "uₙ"))
    pair = -log(exp(own) / (exp(own) + exp(other)))
    datum, sample = u_data[i] - log(M) - log_p[i], u_noise[i, a] - log(M) - log_p_noise[i, a]
    shifted = log(total(exp(cpc.u[i, a] + c), (a, cpc.A))) - cpc.u[i, cpc.p[i]] - c
    return {
        "pair": derive(pair, (SUMS, log(1 + exp(other - own))), facts=SCALARS),
        "datum": derive(1 / posterior[i], (DEFINITION, 1 + exp(-datum)), names=NAMES, facts=FACTS),
        "sample": derive(
            1 / (1 - posterior_noise[i, a]), (DEFINITION, 1 + exp(sample)), names=NAMES, facts=FACTS
        ),
        "shifted": derive(shifted, (DEFINITION, cpc.ell[i]), names=cpc.NAMES, facts=cpc.FACTS),
        "raised": misprint(
            "a datum and a noise sample of probability 1",
            _raised,
            scores=Positive([[1, 1]]),
            factor=Fraction(2),
        ),
    }


def _as_printed(scores: Positive) -> Finding:
    ((datum, sample),) = scores
    return Finding(1 / two_class_loss(datum, sample), "<", 1, ("e^J as printed", ""))


@claim(
    "D2.2",
    printed=r"$\mathcal J_{NCE}=\sum_{t=1}^{k_d+k_n}[ D_t\log p_\theta(D=1|x_t,c_t)+(1-D_t)\log"
    r" p_\theta(D=0|x_t,c_t)]$, to which a minus sign has been added, so that the objective becomes a loss",
    verdict=Verdict.CORRECTED,
    says="The minus sign is announced and not printed: what is printed is negative, «negative», and to be"
    " maximised.",
    right="With the minus sign it is a loss, «minus», and each of its logarithms is of a probability below"
    " 1, as «datum» and «sample» are 1 and something positive, «datum sign» and «sample sign»: it is"
    " positive.",
)
def the_minus_that_is_not_printed() -> dict[str, Piece]:
    printed = total(log(posterior[i]) + total(log(1 - posterior_noise[i, a]), (a, M)), (i, N))
    datum, sample = M * exp(log_p[i] - u_data[i]), exp(u_noise[i, a] - log_p_noise[i, a]) / M
    return {
        "minus": derive(printed, (DEFINITION, -nu * loss), names=NAMES, facts=FACTS),
        "datum": derive(1 / posterior[i], (DEFINITION, 1 + datum), names=NAMES, facts=FACTS),
        "datum sign": positive(datum),
        "sample": derive(1 / (1 - posterior_noise[i, a]), (DEFINITION, 1 + sample), names=NAMES, facts=FACTS),
        "sample sign": positive(sample),
        "negative": misprint(
            "a datum and a noise sample of probability 1", _as_printed, scores=Positive([[1, 1]])
        ),
    }
