"""DCL, decoupled contrastive learning: NT-Xent with the positive in no denominator (document F)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..common.pairs import pair
from ..common.sphere import COSINE, NORM, UNIT
from ..common.statement import Statement
from ..common.weights import state, weigh_row
from ..evidence.plain import Given, claim, given
from ..prover.notation import Definition
from . import dhn_nce, ntxent
from .ntxent import BY_ROW, BY_TEMPERATURE, LOGITS, LOSS

NEGATIVE = "1[j ≠ i] 1[j ≠ p(i)]"  # 1 where j is neither the row i nor its positive
NEGATIVES = "(Σ_k 1[k ≠ i] 1[k ≠ p(i)] e^L[i,k])"
ROW_LOSS = f"-log(e^L[i,p(i)]/{NEGATIVES})"
DCL = given(
    f"{ntxent.RANGES}; c real",
    *(NORM, UNIT, COSINE, LOGITS),
    f"ℓ[i] := {ROW_LOSS}",
    LOSS,
    f"P[i,j] := {NEGATIVE} e^L[i,j]/{NEGATIVES}",  # of the negatives
    "G[i,j] := P[i,j] - 1[j = p(i)]",
)
ROW, ERROR = DCL["ℓ"], DCL["G"]

# DCLW: the pull on each positive is weighed by its cosine, or by a copy of it that no derivative sees
CLOSENESS = "(N e^(s[i,p(i)]/σ)/Σ_k e^(s[k,p(k)]/σ))"
LENGTH_OF_BOTH = "(√(Σ_f w°[i,f]^2) √(Σ_f w°[p(i),f]^2))"
WEIGHED = DCL.only().also(
    "ρ⁺[i] := e^(s[i,p(i)]/σ) / Σ_k e^(s[k,p(k)]/σ)",
    "W⁺[i] := 2 - N ρ⁺[i]",
    f"ℓ[i] := log{NEGATIVES} - W⁺[i] L[i,p(i)]",
)
HELD_ERROR = "P[i,j] - W⁺[i] 1[j = p(i)]"
# the error where the weights move: (N/σ) ρ⁺ (s_ip − Σ_k ρ⁺_k s_kp) more at the positive
MOVING_ERROR = "G[i,j] := G°[i,j] + 1[j = p(i)] (N/σ) ρ⁺[i] ({} s[i,p(i)] - Σ_m {} ρ⁺[m] s[m,p(m)])"
BEFORE, AFTER = (NORM, UNIT, COSINE, LOGITS), (WEIGHED["W⁺"], WEIGHED["ℓ"], LOSS, DCL["P"])
DIFFERENTIATED = DCL.only().also(
    *BEFORE, WEIGHED["ρ⁺"], *AFTER, f"G°[i,j] := {HELD_ERROR}", MOVING_ERROR.format("", "")
)
CONSTANT = DCL.only().also(
    *BEFORE,
    f"s°[i] := (Σ_f w°[i,f] w°[p(i),f])/{LENGTH_OF_BOTH}",
    "ρ⁺[i] := e^(s°[i]/σ) / Σ_k e^(s°[k]/σ)",
    *AFTER,
    f"G[i,j] := {HELD_ERROR}",
)


def _statement(here: Given, claim: str, by_temperature: str, *weighted: Definition) -> Statement:
    said = {"w": f"∂𝓛/∂w[k,f] = {BY_ROW}", "temperature": f"∂𝓛/∂τ = {by_temperature}"}
    return state("dcl", here, here.gradients(said, claim), *weighted, bind=pair)


# The weights do not contain the temperature, so that by it they are constant anyway.
WITH_WEIGHTS_HELD = BY_TEMPERATURE.replace("G", "G°")
STATEMENT = _statement(DCL, "F2", BY_TEMPERATURE, weigh_row(ERROR))
STATEMENTS = {
    "": STATEMENT,
    "differentiated": _statement(
        DIFFERENTIATED,
        "F35",
        WITH_WEIGHTS_HELD,
        weigh_row(DIFFERENTIATED["G°"]),
        DCL.define(MOVING_ERROR.format("ω[i]", "ω[m]")),
    ),
    "constant": _statement(CONSTANT, "F35", BY_TEMPERATURE, weigh_row(CONSTANT["G"])),
}


def statement(arguments: Mapping[str, Any]) -> Statement:
    """DCL's statement or, with sigma, DCLW's with weights differentiated or constant."""
    weighed = arguments.get("sigma") is not None
    return STATEMENTS[arguments.get("weights", "differentiated") if weighed else ""]


ODDS = "e^(L[i,j] - L[i,p(i)])"

claim("F1", "definition", DCL)(
    printed=r"$L_{DC,i}^{(k)} = -\log \frac{\exp(\langle z_i^{(1)}, z_i^{(2)} \rangle/\tau)}"
    r"{\sum_{l \in \{1,2\}, j \in [1,N], j \neq i} \exp(\langle z_i^{(k)}, z_j^{(l)} \rangle/\tau)}$",
    checked="DCL leaves the positive out of the sum: «row» and «loss», the rows of both views together, N of them:"
    " «odds». Of the terms of that sum «negatives» are not 0, all of them positive, «positive»; so one pair alone"
    " has no negative, and its loss would be the logarithm of 0. It can be negative: «negative».",
    row="ℓ[i]",
    loss="𝓛",
    odds=DCL.only("ℓ", "𝓛")(f"𝓛 = (Σ_i log(Σ_j {NEGATIVE} {ODDS}))/ν"),
    negatives=f"Σ_j {NEGATIVE} = N - 2",
    positive=f"{ODDS} > 0",
    negative=DCL.holds(
        "two pairs, far apart",
        "𝓛 < 0",
        {"N": 4, "d": 1, "w": [[1], [-1], [1], [-1]], "p": [2, 3, 0, 1], "τ": Fraction(1), "ν": Fraction(4)},
    ),
)

claim("F2", "proved", DCL)(
    checked="The gradients of DCL are «row» and «temperature», as those of NT-Xent, with another $G$: «row.where"
    " G», where «row.where P» is the softmax of the negatives alone. So the positive is pulled with the whole"
    " weight 1, however near it is; and each row of $G$ sums to 0, «sum».",
    row=STATEMENT.gradients["w"].prove,
    temperature=STATEMENT.gradients["temperature"].prove,
    sum="Σ_j G[i,j] = 0",
)

FLAT = dhn_nce.MASKED.also("β₁ := 0", "β₂ := 0")
ACROSS = "ℓ[i] = -log(e^L[i,i] / Σ_m O[i,m] e^L[i,m])"
DECOUPLED = f"ℓᵈ[i] := {ROW_LOSS}"

claim("F3", "proved", DCL)(
    checked="NT-Xent is the softplus of this loss, row by row: «softplus», where «softplus.where ℓᵈ» and"
    " «softplus.where ℓ». Over the other view alone, as for images and texts, it is DHN-NCE with both"
    " hardnesses 0, «image.where ℓ»: «image» and «text», where «image.where O».",
    softplus=DCL.only().also(ntxent.ROW, DECOUPLED)("ℓ[i] = log(1 + e^ℓᵈ[i])"),
    image=FLAT(ACROSS),
    text=FLAT(dhn_nce.of_text(ACROSS)),
)

ALIKE = DCL.only().also("s[i,j] := c", *WEIGHED.names)

claim("F34", "definition", WEIGHED)(
    checked="DCLW (Yeh et al., 2022) weighs the pull on each positive: «row», where «weight» and «share»; what is"
    " subtracted from 2 is positive, «below». The weights sum to the number of rows, «sum»; where all positives"
    " have one cosine, «equal.where s», each is 1, «equal», and the loss is DCL's, «alike». In three pairs a"
    " weight can be negative, «negative»: a pair that is much nearer than the others is pushed apart.",
    brief="DCLW weighs the pull on each positive, «row», where «weight» and «share». They sum to the number of"
    " rows; one can be negative, and then the pair is pushed apart.",
    row="ℓ[i]",
    weight="W⁺[i]",
    share="ρ⁺[i]",
    below=f"{CLOSENESS} > 0",
    sum="Σ_i W⁺[i] = N",
    equal=ALIKE("W⁺[i] = 1"),
    alike=ALIKE(f"ℓ[i] = {ROW_LOSS}"),
    # one pair coincides, two are opposite
    negative=DIFFERENTIATED.holds(
        "one pair of three is near",
        "W⁺[0] < 0",
        {"N": 6, "d": 1, "w": [[1], [1], [1], [1], [-1], [-1]], "p": [3, 4, 5, 0, 1, 2], "σ": Fraction(1, 2)},
    ),
)

claim("F35", "proved", WEIGHED)(
    checked=r"The gradients of DCLW are «held: w» and «held: temperature», as those of DCL, where the weights are"
    r" held constant, «held: w.where G», by a copy of the rows that no derivative sees, «held: w.where ρ⁺» with"
    r" «held: w.where s°»: the pull on a positive is its weight. Where they are differentiated, «w.where G» and"
    r" «w.where G°», with «w.where ρ⁺»: a pair that is nearer than the mean of all, weighed by $ρ^+$, is pulled"
    r" less, a farther one more. By the temperature, which no weight contains, the error is $G^{\circ}$:"
    r" «temperature».",
    **{name: by.prove for name, by in STATEMENTS["differentiated"].gradients.items()},
    **{f"held: {name}": by.prove for name, by in STATEMENTS["constant"].gradients.items()},
)

claim("F36", "proved from LEMMA", WEIGHED.also(LOGITS, DECOUPLED))(
    checked="DCLW's loss is never below DCL's: «least», where «least.where ℓ» and «least.where ℓᵈ», with"
    " «least.where W⁺» and «least.where ρ⁺»; and it is DCL's where all positives have one cosine (F34). So its"
    " least value is DCL's, which batches reach whose partners coincide (M31).",
    least="Σ_i (ℓᵈ[i] - ℓ[i]) ≤ 0 by Σ_ik (σ/τ) ρ⁺[i] log(e^(s[k,p(k)]/σ) : e^(s[i,p(i)]/σ))",
)
