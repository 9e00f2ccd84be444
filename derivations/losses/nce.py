"""Noise-contrastive estimation: tell each datum from M noise samples, two classes at a time (D2, Eq. 1; D3)."""

from collections.abc import Iterator
from fractions import Fraction

from ..common.weights import state
from ..evidence.kinds import Finding, Misprint
from ..evidence.plain import claim, given
from ..evidence.points import Positive
from . import cpc

ROW = "log(h[i]) + Σ_a log(1 - h′[i,a])"
NCE = given(
    "i k < N; a < M",
    "h[i] := e^u⁺[i]/(e^u⁺[i] + M e^λ[i])",  # D3.10
    "h′[i,a] := e^u′[i,a]/(e^u′[i,a] + M e^λ′[i,a])",
    f"𝓛 := -(Σ_i ({ROW}))/ν",  # D2.2, D3.18
)
NAMES = NCE.names


# ∂𝓛/∂u⁺ is −(1 − h)/ν
STATEMENT = state(
    "nce",
    NCE,
    {
        # −(1 − h)/ν
        "data_scores": NCE.gradient("∂𝓛/∂u⁺[k] = -M e^λ[k]/((e^u⁺[k] + M e^λ[k]) ν)", "D3.18"),
        "noise_scores": NCE.gradient("∂𝓛/∂u′[k,a] = h′[k,a]/ν", "D3.18"),
    },
    row=NCE.read("-log(h[i]) - Σ_a log(1 - h′[i,a])"),
)


# --- the posterior: is it a datum, or noise? ----------------------------------------------------------------

# P(i|v) of the data and P_n(i) of the noise, of one instance; π₁ and π₀ are P(D = 1) and P(D = 0)
INSTANCE = given("P Pₙ h o > 0; u c uₙ real")
PRIORS = INSTANCE.also("π₁ := 1/(1 + M)", "π₀ := M/(1 + M)")  # D3.9
OPTIMUM = "P/(P + M Pₙ)"
EVIDENCE = "(Pᵈ[j] π₁ + Pⁿ[j] π₀)"
BAYES = given("j < K; g[] real", f"h[j] := Pᵈ[j] π₁/{EVIDENCE}")  # D3.8

claim("D3.8", "proved", BAYES)(
    printed=r"We define a binary event D, where: $D = 1$ means that the sample is real; $D = 0$ means that"
    r" the sample is noise. We compute the posterior probability: $P(D = 1|i, v) = \frac{P(i|v)P(D ="
    r" 1)}{P(i|v)P(D = 1) + P_n(i)P(D = 0)}$",
    checked="The event D is well defined of a sample drawn with its kind, a datum or noise. Then Bayes' rule,"
    " the noise not depending on v: «any.where h», with the priors $π_1$ and $π_0$, is the chance of a datum"
    " given the instance, since for every function $g$ of the instance «any»: its mean over both kinds,"
    " weighed by $h$, is its mean over the data. What it is short of 1 is the chance of noise: «both».",
    any=f"Σ_j g[j] h[j] {EVIDENCE} = Σ_j g[j] Pᵈ[j] π₁",
    both=f"1 - h[j] = Pⁿ[j] π₀/{EVIDENCE}",
)

claim("D3.9", "definition", PRIORS)(
    printed=r"real data occur with probability $\frac{1}{1+m}$, noise with probability $\frac{m}{1+m}$",
    checked="A sample is a datum or noise with fixed prior probabilities, «prior» and «noise», M noise samples"
    " coming with each datum: both are positive, «positive» and «noise positive», and «sum».",
    prior="π₁",
    noise="π₀",
    positive="1/(1 + M) > 0",
    noise_positive="M/(1 + M) > 0",
    sum="π₁ + π₀ = 1",
)

claim("D3.10", "proved", PRIORS)(
    printed=r"$P(D = 1|i, v) = \frac{P(i|v) \cdot \frac{1}{1+m}}{P(i|v) \cdot \frac{1}{1+m} + P_n(i) \cdot"
    r" \frac{m}{1+m}} = \frac{P(i|v)}{P(i|v) + mP_n(i)}$",
    checked="Where «posterior.where π₁» and «posterior.where π₀», $1 + m$ cancels: «posterior».",
    posterior="P π₁/(P π₁ + Pₙ π₀) = P/(P + M Pₙ)",
)

# the minimiser of −P_d log h − m P_n log(1 − h), at one point
MULTIPLE, BY_ODDS = "(P + M Pₙ)/(h (1 - h))", "(P + M Pₙ) (1 + o)^2/o"
MINIMISER = {
    "slope": INSTANCE(f"∂(-P log(h) - M Pₙ log(1 - h))/∂h = (h - {OPTIMUM}) ({MULTIPLE})"),
    "multiple": INSTANCE.also("h := o/(1 + o)")(f"{MULTIPLE} = {BY_ODDS}"),  # any number between 0 and 1
    "multiple sign": INSTANCE(f"{BY_ODDS} > 0"),
    "reached": INSTANCE.also("u := log(P)")(f"e^u/(e^u + M Pₙ) = {OPTIMUM}"),
}


MISS = "M e^λ[i]/(e^u⁺[i] + M e^λ[i])"

claim("D3.18", "definition", NCE)(
    printed=r"$J_{NCE}(\theta) = -\mathbb{E}_{P_d}[\log h(i, v)] - m \cdot \mathbb{E}_{P_n}[\log(1 - h(i,"
    r" v'))]$",
    checked="NCE is the logistic loss that tells data from noise: «loss», of data with «datum» and of their noise"
    " samples with «noise», which lie between 0 and 1: «positive» and «short», «short sign», and for the noise"
    " «noise short»; so that no term of it is negative: «terms». Over free $h$, point by point the slope is"
    " «slope», and with «multiple.where h» the factor is positive, «multiple sign»: the only minimum is where the"
    " bracket is 0. A score reaches it by being the logarithm of the data's probability: «reached.where u» gives"
    " «reached». That needs an $h$ that is a function of i and v alone, with a fixed normaliser: it does not hold"
    " of the estimate of D3.17, which depends on the sample.",
    loss="𝓛",
    datum="h[i]",
    noise="h′[i,a]",
    positive="h[i] > 0",
    short=f"1 - h[i] = {MISS}",
    short_sign=f"{MISS} > 0",
    terms="𝓛 = (Σ_i (log(1 + M e^(λ[i] - u⁺[i])) - Σ_a log(1 - h′[i,a])))/ν",
    noise_short="1 - h′[i,a] = M e^λ′[i,a]/(e^u′[i,a] + M e^λ′[i,a])",
    **MINIMISER,
)


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


SHIFTED = given("i k < N; a m < A; p: N → A; c uₙ real", *cpc.NAMES)

claim("D2.1", "corrected", NCE)(
    printed="NCE classifies data against noise, two classes; InfoNCE generalises this idea to many classes, in"
    " Softmax form",
    checked="An analogy: NCE is no special case of InfoNCE. Adding a number to all scores leaves InfoNCE as it is"
    " and changes NCE: «raised».",
    correction=r"Both tell data from noise. InfoNCE of two candidates is «pair», a logistic loss of the"
    r" difference of two scores. NCE is a sum of logistic losses of single scores less $\log(m p_n)$:"
    r" «datum» for the data, «sample» for the noise. InfoNCE determines the scores up to a shift, «shifted»,"
    r" for any number of candidates. NCE determines the shift too, and with it the normaliser.",
    pair=INSTANCE("-log(e^u/(e^u + e^uₙ)) = log(1 + e^(uₙ - u))"),
    datum="1/h[i] = 1 + e^(-(u⁺[i] - log(M) - λ[i]))",
    sample="1/(1 - h′[i,a]) = 1 + e^(u′[i,a] - log(M) - λ′[i,a])",
    shifted=SHIFTED("log(Σ_a e^(u[i,a] + c)) - u[i,p(i)] - c = ℓ[i]"),
    raised=lambda: Misprint.at(
        "a datum and a noise sample of probability 1", _raised, scores=Positive([[1, 1]]), factor=Fraction(2)
    ),
)


def _as_printed(scores: Positive) -> Finding:
    ((datum, sample),) = scores
    return Finding(1 / two_class_loss(datum, sample), "<", 1, ("e^J as printed", ""))


DATUM, SAMPLE = "M e^(λ[i] - u⁺[i])", "e^(u′[i,a] - λ′[i,a])/M"

claim("D2.2", "corrected", NCE)(
    printed=r"$\mathcal J_{NCE}=\sum_{t=1}^{k_d+k_n}[ D_t\log p_\theta(D=1|x_t,c_t)+(1-D_t)\log"
    r" p_\theta(D=0|x_t,c_t)]$, to which a minus sign has been added, so that the objective becomes a loss",
    checked="The minus sign is announced and not printed: what is printed is negative, «negative», and to be"
    " maximised.",
    correction="With the minus sign it is a loss, «minus», and each of its logarithms is of a probability below"
    " 1, as «datum» and «sample» are 1 and something positive, «datum sign» and «sample sign»: it is"
    " positive.",
    minus=f"Σ_i ({ROW}) = -ν 𝓛",
    datum=f"1/h[i] = 1 + {DATUM}",
    datum_sign=f"{DATUM} > 0",
    sample=f"1/(1 - h′[i,a]) = 1 + {SAMPLE}",
    sample_sign=f"{SAMPLE} > 0",
    negative=lambda: Misprint.at(
        "a datum and a noise sample of probability 1", _as_printed, scores=Positive([[1, 1]])
    ),
)
