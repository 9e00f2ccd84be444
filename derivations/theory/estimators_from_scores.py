"""Estimates of mutual information from scores, as code computes them: definitions and gradients (document F).

For a batch of N pairs, row i is the sample x_i and column j the context c_j: u_ii scores two drawn together,
each of the other N(N − 1) scores two drawn independently.
"""

import re
from collections.abc import Mapping
from typing import Any

from ..common.statement import Statement
from ..evidence.plain import Given, Said, claim, given
from ..symbols import C, X, at_clip, estimated, inside_clip, pair_chance
from .information import PAIRS

BATCH = "i j k l m n < N; c real"
OF_A_BATCH = given(f"{BATCH}; Yᶜ is 0 or 1")
OF_A_LAW = given("i k m < X; j l n < C; c real")
TOGETHER = "(Σ_i u[i,i])/N"  # the mean over the pairs that were drawn together
COUNT = "(N (N - 1))"
KEPT = "(Yᶜ[i,j] e^u[i,j] + (1 - Yᶜ[i,j]) e^uᶜ[i,j])"  # e^u, clipped
APART = "(Σ_n J⁺[i,n]) (Σ_m J⁺[m,j]) e^u[i,j]"  # p(x) p(c) e^u
MINE = f"{TOGETHER} - log((Σ_ij 1[i ≠ j] e^u[i,j])/{COUNT})"
VALUES = {
    "donsker_varadhan": f"Σ_ij J⁺[i,j] u[i,j] - log(Σ_ij {APART})",
    "nwj": f"{TOGETHER} - (Σ_ij 1[i ≠ j] e^(u[i,j] - 1))/{COUNT}",
    "infonce": "log(N) + (Σ_i log(e^u[i,i]/Σ_j e^u[i,j]))/N",
    "mine": MINE,
    "smile": f"{TOGETHER} - log((Σ_ij 1[i ≠ j] {KEPT})/{COUNT})",
}
SLOPES = {  # by u_kl
    "donsker_varadhan": f"J⁺[k,l] - (Σ_n J⁺[k,n]) (Σ_m J⁺[m,l]) e^u[k,l]/(Σ_ij {APART})",
    "nwj": f"1[k = l]/N - 1[k ≠ l] e^(u[k,l] - 1)/{COUNT}",
    # 1 − P_kk as the sum of the other probabilities [S2]
    "infonce": "(1[k = l]/N) (Σ_m 1[m ≠ k] P[k,m]) - 1[k ≠ l] P[k,l]/N",
    "mine": "1[k = l]/N - 1[k ≠ l] e^u[k,l]/(Σ_ij 1[i ≠ j] e^u[i,j])",
    "smile": f"1[k = l]/N - 1[k ≠ l] Yᶜ[k,l] e^u[k,l]/(Σ_ij 1[i ≠ j] {KEPT})",
}
IDS = {"donsker_varadhan": "F14", "nwj": "F15", "infonce": "F16", "mine": "F17", "smile": "F18"}


def _estimate(name: str) -> Given:
    here = OF_A_LAW if name == "donsker_varadhan" else OF_A_BATCH
    softmax = ["P[i,j] := e^u[i,j] / Σ_m e^u[i,m]"] if name == "infonce" else []
    return here.also(*softmax, f"ℐ̂ := {VALUES[name]}")


ESTIMATES = {name: _estimate(name) for name in VALUES}
GRADIENTS = {name: f"∂ℐ̂/∂u[k,l] = {slope}" for name, slope in SLOPES.items()}


def _of_law(scores, *, joint) -> dict:
    whole = sum(map(sum, joint))
    return {X: len(joint), C: len(joint[0]), pair_chance: [[p / whole for p in row] for row in joint]}


def _clipped(scores, *, clip) -> dict:
    return {
        inside_clip: [[int(abs(x) <= clip) for x in row] for row in scores],
        at_clip: [[clip if x > 0 else -clip for x in row] for row in scores],
    }


BINDS: dict[str, dict[str, Any]] = {"donsker_varadhan": {"bind": _of_law}, "smile": {"bind": _clipped}}
STATEMENTS: Mapping[str, Statement] = {
    f"information.{name}": Statement(
        loss=f"information.{name}",
        form=estimated,
        names=here.names,
        gradients={"scores": here.gradient(GRADIENTS[name], IDS[name])},
        **BINDS.get(name, {}),
    )
    for name, here in ESTIMATES.items()
}


def shifted(name: str) -> str:
    """The value where a number is added to all scores."""
    return re.sub(r"u\[.*?\]", r"(\g<0> + c)", VALUES[name])


def proved(name: str) -> dict[str, Said]:
    """The definition, and its gradient by each score."""
    return {"value": "ℐ̂", "scores": GRADIENTS[name]}


claim("F14", "definition", ESTIMATES["donsker_varadhan"])(
    printed=r"$\mathbb{E}_\mathbb{P}[T] - \log(\mathbb{E}_\mathbb{Q}[e^T])$, the supremum over $T$",
    checked="Printed in Mutual Information Neural Estimation (Belghazi et al., 2018), theorem 1, of any score"
    " $T$. Donsker and Varadhan's, of a law and a score for each of its cells: «value», and «scores». A"
    " number added to all scores changes nothing, as the law sums to 1: «shift». It is a bound of any score"
    " (R9), and with the logarithm of the density ratio over the pairs that occur it is the information:"
    " «best».",
    **proved("donsker_varadhan"),
    shift=f"{shifted('donsker_varadhan')} = ℐ̂ + c (Σ_ij J⁺[i,j] - 1)",
    best=PAIRS.only("J", "ℐ")("Σ_k J[k] log(J[k]/Π[k]) - log(Σ_k Π[k] (J[k]/Π[k])) = ℐ"),
)

claim("F15", "definition", ESTIMATES["nwj"])(
    printed=r"$I(X; Y) \geq \mathbb{E}_{p(x,y)}[f(x, y)] - e^{-1} \mathbb{E}_{p(y)}[Z(y)]$, $Z(y) ="
    r" \mathbb{E}_{p(x)}[e^{f(x,y)}]$",
    checked="Printed in On Variational Bounds of Mutual Information (Poole et al., 2019), for the mean over the"
    " law. Nguyen, Wainwright and Jordan's, of a batch: «value», and «scores». It has no bias: where x comes"
    " from one pair and c from another, «apart», so that in the mean over batches it is a bound (R9). A"
    " number added to all scores counts: «shift». It is never above MINE's, with $Z°$ for the mean of e^u of"
    " those drawn apart, «less».",
    **proved("nwj"),
    apart=OF_A_LAW("Σ_ijmn J⁺[i,n] J⁺[m,j] e^(u[i,j] - 1) = Σ_ij (Σ_n J⁺[i,n]) (Σ_m J⁺[m,j]) e^(u[i,j] - 1)"),
    shift=f"{shifted('nwj')} = ℐ̂ + c + (1 - e^c) (Σ_ij 1[i ≠ j] e^(u[i,j] - 1))/{COUNT}",
    less=OF_A_BATCH.chain("log(Z°) - 1 ≤ Z°/e - 1 by log(Z° : e)", both=f"{TOGETHER} - Z°/e - log(Z°) + 1"),
)

claim("F16", "definition", ESTIMATES["infonce"])(
    printed=r"$I(X; Y) \geq \mathbb{E}\left[\frac{1}{K} \sum_{i=1}^K \log \frac{e^{f(x_i, y_i)}}{\frac{1}{K}"
    r" \sum_{j=1}^K e^{f(x_i, y_j)}}\right]$",
    checked="Printed in the same paper as F15, with the mean over batches. InfoNCE's, of a batch: «value», and"
    " «scores», where «scores.where P». It is log N less the loss over scores, «loss»; a number added to a"
    " row changes nothing, as the slopes of a row show: «row».",
    **proved("infonce"),
    loss="ℐ̂ = log(N) - (Σ_i (-log(e^u[i,i]/Σ_m e^u[i,m])))/N",
    row=f"Σ_l ({SLOPES['infonce']}) = 0",
)

claim("F17", "definition", ESTIMATES["mine"])(
    printed=r"$\mathbb{E}_{\mathbb{P}^{(n)}_{XZ}}[T_\theta] - \log \mathbb{E}_{\mathbb{P}^{(n)}_X \otimes"
    r" \hat{\mathbb{P}}^{(n)}_Z}[e^{T_\theta}]$, the supremum over $\theta$",
    checked="Printed in the paper of F14. Of a batch, «value», and «scores», with all pairs of different rows"
    " for those drawn apart. This is MINE's value and not its algorithm: that draws each row one partner by"
    " a shuffle, and in its gradient puts a moving average over steps in the place of the mean of $e^u$. It"
    " is Donsker and Varadhan's with the means of a batch, and no bound (R9). A number added to all scores"
    " changes nothing: «shift».",
    **proved("mine"),
    shift=f"{shifted('mine')} = ℐ̂",
)

claim("F18", "definition", ESTIMATES["smile"])(
    printed=r"$\mathbb{E}_P[T_\theta(x, y)] - \log \mathbb{E}_Q[\mathrm{clip}(e^{T_\theta(x, y)}, e^{-\tau},"
    r" e^\tau)]$",
    checked="Printed in Understanding the Limitations of Variational Mutual Information Estimators (Song and"
    " Ermon, 2020a). SMILE's, of a batch: «value», and «scores». $Y^{c}$ is 1 for a score that lies between"
    " $-b$ and $b$, $u^{c}$ the nearer of the two for one beyond. At these ends there are two slopes, and"
    " that of the inside is a convention. Where all are inside it is MINE's: «inside». The authors' code,"
    " estimators.py of smile-mi-estimator, has this value and another gradient: that of a bound on the"
    " Jensen-Shannon divergence.",
    brief="SMILE is MINE with e to the score of two rows drawn apart held between $e^{-b}$ and $e^b$:"
    " «value», where $Y^{c}$ is 1 for a score between $-b$ and $b$, and $u^{c}$ is the end that is nearer to"
    " one beyond. Where all are between, it is MINE's value.",
    **proved("smile"),
    inside=given(BATCH, *ESTIMATES["smile"].names, "Yᶜ[i,j] := 1")(f"ℐ̂ = {MINE}"),
)
