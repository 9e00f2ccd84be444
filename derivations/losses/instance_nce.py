"""Instance discrimination by noise contrast, its normaliser estimated from the noise samples (document D3)."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from ..common.weights import state, weigh_row
from ..evidence.kinds import Example, Finding, Misprint
from ..evidence.plain import Said, claim, given
from ..evidence.points import Positive
from ..symbols import Y, p
from . import query_key
from .nce import MINIMISER

DRAWN = "(Σ_m e^L[i,m])"  # over the M noise samples
BY_LOGIT = f"h′[i,a] - (e^L[i,a]/{DRAWN}) (Σ_m h′[i,m])"
SAMPLES = given(
    "i k < N; j < K; a m < M; f < d; p: N → K",
    "L⁺[i] := (Σ_f v[i,f] b[p(i),f])/τ",
    "L[i,a] := (Σ_f v[i,f] (Σ_j Y[i,a,j] b[j,f]))/τ",
    f"h[i] := e^L⁺[i]/(e^L⁺[i] + {DRAWN})",  # D3.17
    f"h′[i,a] := e^L[i,a]/(e^L[i,a] + {DRAWN})",
    "𝓛 := -(Σ_i (log(h[i]) + Σ_a log(1 - h′[i,a])))/ν",  # D3.18
    # P, of a noise sample in the softmax that ĥ is: together they are 1 − ĥ [D3.17, S2]
    f"P[i,a] := e^L[i,a]/(e^L⁺[i] + {DRAWN})",
    f"G[i,a] := P[i,a] + {BY_LOGIT}",  # ν ∂𝓛/∂L
)
GRADIENTS = {
    "v": "∂𝓛/∂v[k,f] = (Σ_a (G[k,a] (Σ_j Y[k,a,j] b[j,f]) - P[k,a] b[p(k),f]))/(ν τ)",
    "bank": "∂𝓛/∂b[j,f] = (Σ_ia (G[i,a] Y[i,a,j] - P[i,a] 1[j = p(i)]) v[i,f])/(ν τ)",
    "temperature": "∂𝓛/∂τ = -(Σ_ia (G[i,a] L[i,a] - P[i,a] L⁺[i]))/(ν τ)",
}


def _bind(bank, *, index, noise_index, **_) -> dict:
    return {
        p: index,
        Y: [[[int(row == j) for j in range(len(bank))] for row in rows] for rows in noise_index],
    }


STATEMENT = state(
    "instance_nce",
    SAMPLES,
    SAMPLES.gradients(GRADIENTS, "D3.17", "D3.18"),
    weigh_row(SAMPLES["P"]),
    SAMPLES.define(f"G[i,a] := P[i,a] + ω[i] ({BY_LOGIT})"),  # P already contains the weight
    bind=_bind,
    row=SAMPLES.read("-log(h[i]) - Σ_a log(1 - h′[i,a])"),
)


# --- the normaliser, exact and estimated --------------------------------------------------------------------

BANK = given("i < N; j Σ_m < K; a < M; f < d")
Z = "Σ_m e^L[i,m]"  # over the whole bank

claim("D3.11", "proved", BANK)(
    printed="assuming a uniform distribution for $P_n(i)$, $P_n(i) = 1/n$",
    checked="Of n instances, here $K$, equal probabilities make a law: «sum», «positive».",
    sum="Σ_j (1/K) = 1",
    positive="1/K > 0",
)


def _by_seven(exponentials: Positive) -> Finding:
    (bank,) = exponentials
    return Finding(sum(x / 7 for x in bank), "≠", 1, ("the sum of what is printed", ""))


claim("D3.12", "corrected", BANK)(
    printed=r"$P(i|v) = \frac{\exp(v^T v_i/\tau)}{7}$, where Z is the normalising term: $Z = \sum_{j=1}^{n}"
    r" \exp(v^T v_j / \tau)$",
    checked="The 7 is a Z that was misread: with it the probabilities need not sum to 1, «seven».",
    correction="With Z in its place they do: «sum».",
    seven=lambda: Misprint.at(
        "three instances at right angles to v", _by_seven, exponentials=Positive([[1, 1, 1]])
    ),
    sum=f"Σ_j (e^L[i,j]/({Z})) = 1",
)


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
MEAN_OF_ESTIMATE = BANK(f"(K/M) (Σ_a Σ_j (e^L[i,j]/K)) = {Z}")


def _unbiased(exponentials: Positive, draws: int) -> Finding:
    (bank,) = exponentials
    found = mean(bank, draws, lambda drawn: normaliser(bank, drawn))
    return Finding(found, "=", sum(bank), ("the mean of Ẑ over all samples", "Z"))


claim("D3.13", "proved", BANK)(
    printed=r"$Z \approx n \cdot \frac{1}{m} \sum_{k=1}^{m} \exp(v^{T} v_{j_{k}} / \tau)$",
    checked="An approximation, right on average. Each of the $M$ samples is any of the $K$ instances with one"
    " chance, so that the mean of the estimate is «mean», the exact sum, whatever v is.",
    mean=MEAN_OF_ESTIMATE,
    enumerated=lambda: Example.at("all nine samples", _unbiased, exponentials=EXPONENTIALS, draws=2),
)


def _one_sample(exponentials: Positive) -> Iterator[Finding]:
    (bank,) = exponentials
    first = len(bank) * mean(bank, 1, lambda drawn: drawn[0])
    yield Finding(sum(bank), "=", first, ("Z", "n times the mean"))
    yield Finding(
        first, "≠", normaliser(bank, bank[:1]), ("n times the mean", "the estimate from the first alone")
    )


claim("D3.14", "proved", BANK)(
    printed=r"$Z \approx n \cdot \mathbb{E}_j [ \exp(v^T v_j / \tau) ] \approx n \cdot \frac{1}{m} \sum_{k=1}^m"
    r" \exp(v^T v_{j_k} / \tau)$",
    checked="The first sign may be an equality, j being uniform on the instances: «mean». The second may not: it is"
    " the estimate of D3.13, right on average, «estimate», and not in one sample, «sample».",
    mean=f"{Z} = K (Σ_j (e^L[i,j]/K))",
    estimate=MEAN_OF_ESTIMATE,
    sample=lambda: Example.at("one sample, the first instance", _one_sample, exponentials=EXPONENTIALS),
)


# Outcomes of the draws: estimates Ẑ_o > 0 of the normaliser, with the law π_o / Σ π
OUTCOMES = given("i Σ_m < Ω; ω[] > 0")
EXPECTED = "((Σ_m ω[m] Ẑ[m])/Σ_m ω[m])"


def jensen(shift: str = "") -> tuple[Said, Said]:
    """E[1/(c + Ẑ)] − 1/(c + E Ẑ) = E[(Ẑ − E Ẑ)²/(c + Ẑ)]/(c + E Ẑ)², > 0 where Ẑ is not constant."""
    each, mean, chance = f"({shift}Ẑ[i])", f"({shift}{EXPECTED})", "(ω[i]/Σ_m ω[m])"
    square = f"(Σ_i ({chance} (Ẑ[i] - {EXPECTED})^2/{each}))/{mean}^2"
    return OUTCOMES(f"Σ_i ({chance}/{each}) - 1/{mean} = {square}"), OUTCOMES(f"{square} ≥ 0")


# of 1/Ẑ, and of ĥ = c/(c + Ẑ) for any c > 0
BIAS: dict[str, Said] = {
    **dict(zip(("inverse", "inverse sign"), jensen(), strict=True)),
    **dict(zip(("shifted", "shifted sign"), jensen("ς + "), strict=True)),
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


WITH_ESTIMATE = "(e^L⁺[i]/Ẑ[i])/(e^L⁺[i]/Ẑ[i] + M/K)"

claim("D3.15", "corrected", OUTCOMES)(
    printed=r"$h(i,v) = \frac{P(i|v)}{P(i|v) + mP_n(i)} = \frac{\frac{\exp(v^T v_i/\tau)}{\frac{n}{m}"
    r" \sum_{k=1}^{m} \exp(v^T v_{j_k}/\tau)}}{\frac{\exp(v^T v_i/\tau)}{\frac{n}{m} \sum_{k=1}^{m} \exp(v^T"
    r" v_{j_k}/\tau)} + m \cdot \frac{1}{n}}$",
    checked=r"Not an equality: Z was replaced by its estimate, so that the right side is another function, $\hat"
    r" h$: «another».",
    correction=r"The estimate is right on average (D3.13), but neither its inverse nor $\hat h$ is, which is"
    r" «form», that is $c/(c + \hat Z)$. Over the outcomes of the draws, by their weights, Jensen's gap of the"
    r" inverse is «inverse», «inverse sign», and with any $c$, here ς, added it is «shifted», «shifted sign»: too"
    r" large on average, unless the estimate is constant. How fast the error falls with the number of samples is"
    r" not claimed.",
    another=lambda: Misprint.at("all nine samples", _too_large, exponentials=EXPONENTIALS, draws=2),
    form=f"{WITH_ESTIMATE} = (K e^L⁺[i]/M)/(K e^L⁺[i]/M + Ẑ[i])",
    **BIAS,
)

claim("M24", "proved", OUTCOMES)(
    checked="The risk of a datum and its noise has in h the slope «slope», and with «multiple.where h» the factor"
    " is positive, «multiple sign»: one minimum, where the bracket is 0. A score that is the logarithm of the"
    " data's probability, «reached.where u», reaches it, «reached»: NCE normalises itself. With a normaliser"
    " estimated from samples both its inverse and $h$ come out too large on average, by «inverse» and, $h$ being"
    " $c/(c + Z)$, by $c$ times «shifted».",
    **MINIMISER,
    **BIAS,
)

# Pₙ is P_n(i), which shows where SymPy would cancel m · (1/n) · (n/m) unasked
NOISE = given("i < N; j < K; a Σ_m < M; f < d; Pₙ > 0", "Pₙ := 1/K")
COMPOUND = f"(e^L⁺[i]/((K/M) {DRAWN}))/(e^L⁺[i]/((K/M) {DRAWN}) + M Pₙ)"
SIMPLE = f"e^L⁺[i]/(e^L⁺[i] + M Pₙ (K/M) {DRAWN})"
CLOSED = f"e^L⁺[i]/(e^L⁺[i] + {DRAWN})"

claim("D3.16", "proved", NOISE)(
    printed=r"$h(i,v) = \frac{\exp(v^T v_i/\tau)}{\exp(v^T v_i/\tau) + m \cdot \frac{1}{n} \cdot \frac{n}{m}"
    r" \sum_{k=1}^{m} \exp(v^T v_{j_k}/\tau)}$",
    checked=r"Of the $\hat h$ of D3.15, as its numerator and denominator are multiplied by the estimate: «simple»,"
    r" where «simple.where Pₙ».",
    simple=f"{COMPOUND} = {SIMPLE}",
)


def _itself_drawn(exponentials: Positive) -> Iterator[Finding]:
    (bank,) = exponentials
    estimated = h(bank[0], normaliser(bank, bank[:1]), bank, 1)
    yield Finding(estimated, "=", Fraction(1, 2), ("ĥ", ""))
    yield Finding(estimated, "≠", h(bank[0], sum(bank), bank, 1), ("ĥ", "h"))


claim("D3.17", "corrected", NOISE)(
    printed=r"$h(i, v) = \frac{\exp(v^T v_i/\tau)}{\exp(v^T v_i/\tau) + \sum_{k=1}^{m} \exp(v^T v_{j_k}/\tau)}$",
    checked="It is not the posterior of D3.10. Where the instance itself is drawn, its exponential counts twice,"
    " and if it is the only sample the value is one half, whatever v is: «itself».",
    correction=r"It is $\hat h$, in which M and K cancel: «cancelled.chain». That is the softmax over M + 1"
    r" candidates, so that minus its logarithm is an InfoNCE loss, of the instance against its noise samples:"
    r" «infonce». The posterior with a normaliser $\hat Z$ is «posterior».",
    itself=lambda: Misprint.at("the one sample is the instance", _itself_drawn, exponentials=EXPONENTIALS),
    cancelled=f"{COMPOUND} = {SIMPLE} = {CLOSED}",
    infonce=NOISE.only().also(query_key.SHARED_NEGATIVES["ℓ"])(f"-log({CLOSED}) = ℓ[i]"),
    posterior=f"{WITH_ESTIMATE} = K e^L⁺[i]/(K e^L⁺[i] + M Ẑ[i])",
)
