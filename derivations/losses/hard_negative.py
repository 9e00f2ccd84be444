"""Debiased and hard negatives: NT-Xent with weighted negatives and a correction for the anchor's own class
(document F).

The estimate for the negatives may fall below its lower bound and is clamped there: η⁻ is 1 if it is above the
bound.
"""

from fractions import Fraction

import mpmath
from mpmath import mpf

from ..common.pairs import positives
from ..common.sphere import COSINE, NORM, UNIT
from ..common.weights import state, weigh_row
from ..evidence.kinds import Example, Finding
from ..evidence.plain import claim, given
from ..symbols import above, is_negative, p
from . import ntxent
from .dcl import NEGATIVE
from .ntxent import BY_ROW, LOGITS, LOSS

POSITIVE = "e^L[i,p(i)]"
SOFT = "e^(β₀ L[i,j])"  # the weight of a negative is proportional to it
ALL_SOFT = "(Σ_m O⁻[i,m] e^(β₀ L[i,m]))"
LEAST = "(N - 2) e^(-1/τ)"
ESTIMATE = f"(R̂[i] - π⁺ (N - 2) {POSITIVE})/(1 - π⁺)"
DENOMINATOR = f"({POSITIVE} + N⁻[i])"
HARD = given(
    f"{ntxent.RANGES}; O⁻ is 0 or 1; η⁻ is 0 or 1",
    *(NORM, UNIT, COSINE, LOGITS),
    f"W[i,j] := (N - 2) {SOFT}/{ALL_SOFT}",
    "R̂[i] := Σ_m O⁻[i,m] W[i,m] e^L[i,m]",
    f"φ₀ := {LEAST}",
    # max(estimate, floor) in its two cases: η⁻ = 1 if the estimate is larger, and η⁻ = 0 otherwise, also at a tie
    f"N⁻[i] := η⁻[i] ({ESTIMATE}) + (1 - η⁻[i]) φ₀",
    f"ℓ[i] := log{DENOMINATOR} - L[i,p(i)]",
    LOSS,
    f"ρ[i,j] := O⁻[i,j] {SOFT}/{ALL_SOFT}",
    f"P[i,j] := η⁻[i] O⁻[i,j] W[i,j] e^L[i,j]/((1 - π⁺) {DENOMINATOR})",
    # the floor is N − 2 candidates at the cosine −1
    f"φ⁻[i] := (1 - η⁻[i]) φ₀/{DENOMINATOR}",
    "G[i,j] := (1 + β₀) P[i,j] - β₀ ρ[i,j] (Σ_m P[i,m]) - 1[j = p(i)] (Σ_m P[i,m] + φ⁻[i])",
)
NAMES = HARD.names
GRADIENTS = {
    "w": f"∂𝓛/∂w[k,f] = {BY_ROW}",
    "temperature": "∂𝓛/∂τ = ((Σ_i φ⁻[i])/τ - Σ_ij G[i,j] L[i,j])/(ν τ)",
}


def _is_above(row, rows, partner, temperature, beta, prior) -> int:
    scores = [mpmath.exp(mpmath.fdot(rows[row], other) / temperature) for other in rows]
    negatives = [score for other, score in enumerate(scores) if other not in (row, partner)]
    weights = [score**beta for score in negatives]
    mean = mpmath.fdot(weights, negatives) / sum(weights)
    return int(mean - prior * scores[partner] > (1 - prior) * mpmath.exp(-1 / mpf(temperature)))


def _bind(w, *, temperature, beta, prior, layout="concatenated", **_) -> dict:
    partners = positives(len(w), layout)
    units = [[x / mpmath.norm(row) for x in row] for row in w]
    clamps = [
        _is_above(row, units, partner, temperature, beta, prior) for row, partner in enumerate(partners)
    ]
    rows = range(len(w))
    mask = [[int(other not in (row, partners[row])) for other in rows] for row in rows]
    return {p: partners, is_negative: mask, above: clamps}


STATEMENT = state(
    "hard_negative",
    HARD,
    HARD.gradients(GRADIENTS, "F30"),
    weigh_row(HARD["P"]),
    weigh_row(HARD["φ⁻"]),
    bind=_bind,
)
# the mask η⁻ with its value
NEGATIVES_MASKED = f"{ntxent.RANGES}; O⁻ is 0 or 1"
OPEN, SHUT = (given(NEGATIVES_MASKED, *NAMES, f"η⁻[i] := {case}") for case in (1, 0))

claim("F29", "definition", HARD)(
    printed=r"$-\log \frac{e^{f(x)^T f(x^+)}}{e^{f(x)^T f(x^+)} + N g}$,"
    r" $g = \max \{\frac{1}{\tau^-} (\frac{1}{N} \sum_{i=1}^N e^{f(x)^T f(u_i)} - \tau^+ \frac{1}{M} \sum_{i=1}^M"
    r" e^{f(x)^T f(v_i)}), e^{-1/t}\}$; hard negatives: $\frac{Q}{\tau^-}"
    r" (\mathbb{E}_{x^- \sim q_\beta}[e^{f(x)^T f(x^-)}] - \tau^+ \mathbb{E}_{v \sim q_\beta^+}[e^{f(x)^T f(v)}])$",
    checked="The loss puts an estimate in the place of the sum over negatives: «row», so that «printed», with the"
    " positive as the one $v$, and the other rows of both views, «count» of them, as the $u$. They count as"
    " «reweighed», by «weights», of which the sum is «sum». Where «open.where η⁻» the estimate is «open», and where"
    " «shut.where η⁻» the least that it can be, «shut». It takes the larger: what it estimates is a sum of"
    " «positive», but the estimate can be «below».",
    row="ℓ[i]",
    printed_=HARD.only("ℓ")(f"e^(-ℓ[i]) = {POSITIVE}/{DENOMINATOR}"),
    count=ntxent.NTXENT(f"Σ_j {NEGATIVE} = N - 2"),
    reweighed="R̂[i]",
    weights="W[i,j]",
    sum="Σ_m O⁻[i,m] W[i,m] = N - 2",
    open=OPEN(f"N⁻[i] = {ESTIMATE}"),
    shut=SHUT(f"N⁻[i] = {LEAST}"),
    positive="e^L[i,j] > 0",
    below=HARD.holds(
        "two pairs, opposite",
        f"{ESTIMATE} < 0",
        {
            "N": 4,
            "p": [2, 3, 0, 1],
            "w": [[1], [-1], [1], [-1]],
            "O⁻": [[0, 1, 0, 1]],
            "i": 0,
            "d": 1,
            "τ": Fraction(1),
            "β₀": 0,
            "π⁺": Fraction(1, 2),
        },
    ),
)


def _kink(floor, positive, prior, step) -> Finding:
    """e^ℓ of one negative, at the floor, where its e^s/τ moves."""

    def slope(step: Fraction) -> Fraction:
        estimate = (floor + step - prior * positive) / (1 - prior)
        return (max(estimate, floor) - floor) / (positive * step)

    return Finding(slope(step), "≠", slope(-step), ("slope ahead", "slope behind"))


claim("F30", "proved", HARD)(
    checked="The gradients of the loss with hard negatives are «w» and «temperature», where «w.where G»; the"
    " weights are differentiated with the rest, and the floor by the temperature. «w.where P» is the share of a"
    " negative in the denominator, and 0 with the estimate clamped: then no negative is pushed, and the positive is"
    " pulled by what the floor takes. At the tie both cases meet and there is no derivative, «kink»: that it is"
    " clamped there is a convention. Each row of $G$ sums to minus what the floor takes, «sum».",
    **GRADIENTS,
    sum="Σ_j G[i,j] = -φ⁻[i]",
    kink=lambda: Example.at(
        "one negative and the positive, both opposite",
        _kink,
        floor=Fraction(1, 2),
        positive=Fraction(1, 2),
        prior=Fraction(1, 10),
        step=Fraction(1, 100),
    ),
)

SQUARE = "(Σ_f (z[i,f] + z[j,f])^2)/2"
OPPOSITE = "e^((1 + s[i,j])/τ)"

claim("F31", "proved from LEMMA", HARD)(
    brief=r"With a prior $\pi^+$ of 0 nothing is clamped, unless all negatives are opposite to the anchor. The"
    r" estimate is then above its floor $\varphi_0$ by «excess», where neither the mask $O^-$ of the negatives nor"
    r" their weights $W$ nor the brackets are negative.",
    checked="With the prior 0 nothing is clamped, but where all negatives are opposite. The estimate is then"
    " above its floor by «excess»; and «bracket», where «least», and «opposite» is not negative, «square»."
    " So the loss is the softplus of DHN-NCE's row, its candidates those of both views: «softplus», where"
    " «softplus.where ℓᵈ». With the hardness 0 too it is NT-Xent, «ntxent».",
    excess=HARD.also("π⁺ := 0")(f"{ESTIMATE} - φ₀ = Σ_m O⁻[i,m] W[i,m] (e^L[i,m] - e^(-1/τ))"),
    bracket=f"e^(1/τ) (e^L[i,j] - e^(-1/τ)) = {OPPOSITE} - 1",
    least=HARD.only()(f"(1 + s[i,j])/τ ≤ {OPPOSITE} - 1 by log({OPPOSITE})"),
    opposite=f"1 + s[i,j] = {SQUARE}",
    square=f"{SQUARE} ≥ 0",
    softplus=given(NEGATIVES_MASKED, *NAMES, "π⁺ := 0", "ℓᵈ[i] := log(R̂[i]) - L[i,p(i)]", "η⁻[i] := 1")(
        "ℓ[i] = log(1 + e^ℓᵈ[i])"
    ),
    ntxent=given(ntxent.RANGES, *NAMES, "π⁺ := 0", "β₀ := 0", "η⁻[i] := 1", f"O⁻[i,j] := {NEGATIVE}")(
        "ℓ[i] = -log(e^L[i,p(i)] / Σ_k 1[k ≠ i] e^L[i,k])"
    ),
)
