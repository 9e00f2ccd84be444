"""Estimates of mutual information from scores, as code computes them: definitions and gradients (document F).

For a batch of N pairs, row i is the sample x_i and column j the context c_j: u_ii scores two drawn together,
each of the other N(N − 1) scores two drawn independently.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from sympy import E, Expr, Integer, Symbol, exp, log

from ..common.statement import Statement, gradient
from ..evidence.claims import claim
from ..evidence.pieces import Chain, Piece
from ..evidence.verdicts import Verdict
from ..prover.inequality import Use, bound
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import (
    C,
    N,
    P,
    V,
    X,
    apart,
    at_clip,
    estimated,
    i,
    inside_clip,
    j,
    joint,
    k,
    l,
    m,
    n,
    pair_chance,
    partition,
    u,
)
from ..symbols import information as mutual
from .information import FACTS as OF_PAIRS
from .information import INFORMATION, LAW

FACTS = Facts(ranges={i: N, j: N, k: N, l: N, m: N, n: N}, masks=(inside_clip,))
CELLS = Facts(ranges={i: X, k: X, m: X, j: C, l: C, n: C})
SHIFT = Symbol("c", real=True)


def over_pairs(term: Expr) -> Expr:
    """The mean over the pairs that were drawn together."""
    return total(term, (i, N)) / N


def over_others(term: Expr) -> Expr:
    """The sum over all others of the batch."""
    return total(Differ(i, j) * term, (j, N), (i, N))


COUNT = N * (N - 1)
KEPT = inside_clip[i, j] * exp(u[i, j]) + (1 - inside_clip[i, j]) * exp(at_clip[i, j])  # e^u, clipped
TOGETHER = over_pairs(u[i, i])
APART = total(pair_chance[i, n], (n, C)) * total(pair_chance[m, j], (m, X)) * exp(u[i, j])  # p(x) p(c) e^u
SOFTMAX = Definition(P[i, j], exp(u[i, j]) / total(exp(u[i, m]), (m, N)))

VALUES = {
    "donsker_varadhan": total(pair_chance[i, j] * u[i, j], (j, C), (i, X))
    - log(total(APART, (j, C), (i, X))),
    "nwj": TOGETHER - over_others(exp(u[i, j] - 1)) / COUNT,
    "infonce": log(N) + over_pairs(log(exp(u[i, i]) / total(exp(u[i, j]), (j, N)))),
    "mine": TOGETHER - log(over_others(exp(u[i, j])) / COUNT),
    "smile": TOGETHER - log(over_others(KEPT) / COUNT),
}
DEFINED = {name: Definition(estimated, value) for name, value in VALUES.items()}

here = one_if(k, l) / N
SLOPES = {  # by u_kl
    "donsker_varadhan": pair_chance[k, l]
    - total(pair_chance[k, n], (n, C))
    * total(pair_chance[m, l], (m, X))
    * exp(u[k, l])
    / total(APART, (j, C), (i, X)),
    "nwj": here - Differ(k, l) * exp(u[k, l] - 1) / COUNT,
    # 1 − P_kk as the sum of the other probabilities [S2]
    "infonce": here * total(Differ(m, k) * P[k, m], (m, N)) - Differ(k, l) * P[k, l] / N,
    "mine": here - Differ(k, l) * exp(u[k, l]) / over_others(exp(u[i, j])),
    "smile": here - Differ(k, l) * inside_clip[k, l] * exp(u[k, l]) / over_others(KEPT),
}
IDS = {"donsker_varadhan": "F14", "nwj": "F15", "infonce": "F16", "mine": "F17", "smile": "F18"}


def facts(name: str) -> Facts:
    return CELLS if name == "donsker_varadhan" else FACTS


def names(name: str) -> tuple[Definition, ...]:
    return (SOFTMAX, DEFINED[name]) if name == "infonce" else (DEFINED[name],)


def _of_law(scores, *, joint) -> dict:
    whole = sum(sum(row) for row in joint)
    return {
        X: len(joint),
        C: len(joint[0]),
        u: scores,
        pair_chance: [[p / whole for p in row] for row in joint],
    }


def _of_batch(scores) -> dict:
    return {N: len(scores), u: scores}


def _clipped(scores, *, clip) -> dict:
    within = [[int(abs(x) <= clip) for x in row] for row in scores]
    return _of_batch(scores) | {
        inside_clip: within,
        at_clip: [[clip if x > 0 else -clip for x in row] for row in scores],
    }


BINDS: dict[str, Callable[..., dict]] = {"donsker_varadhan": _of_law, "smile": _clipped}
STATEMENTS: Mapping[str, Statement] = {
    f"information.{name}": Statement(
        loss=f"information.{name}",
        form=estimated,
        names=names(name),
        gradients={
            "scores": gradient(
                u[k, l], SLOPES[name], IDS[name], loss=estimated, names=names(name), facts=facts(name)
            )
        },
        bind=BINDS.get(name, _of_batch),
    )
    for name in VALUES
}


def shifted(name: str, change: Expr) -> Proof:
    """How much a number added to all scores adds to the value."""
    moved = VALUES[name].replace(lambda part: getattr(part, "base", None) == u, lambda part: part + SHIFT)
    return derive(moved, (DEFINITION, estimated + change), names=names(name), facts=facts(name))


def proved(name: str) -> dict[str, Piece]:
    """The definition, and its gradient by each score."""
    return {"value": DEFINED[name], "scores": STATEMENTS[f"information.{name}"].gradients["scores"].prove()}


@claim(
    "F14",
    printed=r"$\mathbb{E}_\mathbb{P}[T] - \log(\mathbb{E}_\mathbb{Q}[e^T])$, the supremum over $T$",
    verdict=Verdict.DEFINITION,
    says="Printed in Mutual Information Neural Estimation (Belghazi et al., 2018), theorem 1, of any score"
    " $T$. Donsker and Varadhan's, of a law and a score for each of its cells: «value», and «scores». A"
    " number added to all scores changes nothing, as the law sums to 1: «shift». It is a bound of any score"
    " (R9), and with the logarithm of the density ratio over the pairs that occur it is the information:"
    " «best».",
)
def of_a_law() -> dict[str, Piece]:
    ratio = joint[k] / apart[k]
    best = total(joint[k] * log(ratio), (k, V)) - log(total(apart[k] * ratio, (k, V)))
    return {
        **proved("donsker_varadhan"),
        "shift": shifted("donsker_varadhan", SHIFT * (total(pair_chance[i, j], (j, C), (i, X)) - 1)),
        "best": derive(best, (DEFINITION, mutual), names=(LAW, INFORMATION), facts=OF_PAIRS),
    }


@claim(
    "F15",
    printed=r"$I(X; Y) \geq \mathbb{E}_{p(x,y)}[f(x, y)] - e^{-1} \mathbb{E}_{p(y)}[Z(y)]$, $Z(y) ="
    r" \mathbb{E}_{p(x)}[e^{f(x,y)}]$",
    verdict=Verdict.DEFINITION,
    says="Printed in On Variational Bounds of Mutual Information (Poole et al., 2019), for the mean over the"
    " law. Nguyen, Wainwright and Jordan's, of a batch: «value», and «scores». It has no bias: where x comes"
    " from one pair and c from another, «apart», so that in the mean over batches it is a bound (R9). A"
    " number added to all scores counts: «shift». It is never above MINE's, with $Z°$ for the mean of e^u of"
    " those drawn apart, «less».",
)
def difference_of_means() -> dict[str, Piece]:
    score = exp(u[i, j] - 1)
    drawn = total(pair_chance[i, n] * pair_chance[m, j] * score, (n, C), (m, X), (j, C), (i, X))
    product = total(pair_chance[i, n], (n, C)) * total(pair_chance[m, j], (m, X)) * score
    tangent = bound(
        log(partition) - 1, Use(Integer(1), partition, bottom=E), last=partition / E - 1, facts=FACTS
    )
    raised = SHIFT + (1 - exp(SHIFT)) * over_others(score) / COUNT
    return {
        **proved("nwj"),
        "apart": derive(drawn, (SUMS, total(product, (j, C), (i, X))), facts=CELLS),
        "shift": shifted("nwj", raised),
        "less": Chain((tangent,), both=TOGETHER - partition / E - log(partition) + 1),
    }


@claim(
    "F16",
    printed=r"$I(X; Y) \geq \mathbb{E}\left[\frac{1}{K} \sum_{i=1}^K \log \frac{e^{f(x_i, y_i)}}{\frac{1}{K}"
    r" \sum_{j=1}^K e^{f(x_i, y_j)}}\right]$",
    verdict=Verdict.DEFINITION,
    says="Printed in the same paper as F15, with the mean over batches. InfoNCE's, of a batch: «value», and"
    " «scores», where «scores.where P». It is log N less the loss over scores, «loss»; a number added to a"
    " row changes nothing, as the slopes of a row show: «row».",
)
def of_a_loss() -> dict[str, Piece]:
    loss_of_rows = total(-log(exp(u[i, i]) / total(exp(u[i, m]), (m, N))), (i, N)) / N
    return {
        **proved("infonce"),
        "loss": derive(estimated, (DEFINITION, log(N) - loss_of_rows), names=names("infonce"), facts=FACTS),
        "row": derive(
            total(SLOPES["infonce"], (l, N)), (DEFINITION, Integer(0)), names=names("infonce"), facts=FACTS
        ),
    }


@claim(
    "F17",
    printed=r"$\mathbb{E}_{\mathbb{P}^{(n)}_{XZ}}[T_\theta] - \log \mathbb{E}_{\mathbb{P}^{(n)}_X \otimes"
    r" \hat{\mathbb{P}}^{(n)}_Z}[e^{T_\theta}]$, the supremum over $\theta$",
    verdict=Verdict.DEFINITION,
    says="Printed in the paper of F14. Of a batch, «value», and «scores», with all pairs of different rows"
    " for those drawn apart. This is MINE's value and not its algorithm: that draws each row one partner by"
    " a shuffle, and in its gradient puts a moving average over steps in the place of the mean of $e^u$. It"
    " is Donsker and Varadhan's with the means of a batch, and no bound (R9). A number added to all scores"
    " changes nothing: «shift».",
)
def of_a_batch() -> dict[str, Piece]:
    return {**proved("mine"), "shift": shifted("mine", Integer(0))}


@claim(
    "F18",
    printed=r"$\mathbb{E}_P[T_\theta(x, y)] - \log \mathbb{E}_Q[\mathrm{clip}(e^{T_\theta(x, y)}, e^{-\tau},"
    r" e^\tau)]$",
    verdict=Verdict.DEFINITION,
    says="Printed in Understanding the Limitations of Variational Mutual Information Estimators (Song and"
    " Ermon, 2020a). SMILE's, of a batch: «value», and «scores». $Y^{c}$ is 1 for a score that lies between"
    " $-b$ and $b$, $u^{c}$ the nearer of the two for one beyond. At these ends there are two slopes, and"
    " that of the inside is a convention. Where all are inside it is MINE's: «inside». The authors' code,"
    " estimators.py of smile-mi-estimator, has this value and another gradient: that of a bound on the"
    " Jensen-Shannon divergence.",
    brief="SMILE is MINE with e to the score of two rows drawn apart held between $e^{-b}$ and $e^b$:"
    " «value», where $Y^{c}$ is 1 for a score between $-b$ and $b$, and $u^{c}$ is the end that is nearer to"
    " one beyond. Where all are between, it is MINE's value.",
)
def with_a_clip() -> dict[str, Piece]:
    inside = (DEFINED["smile"], Definition(inside_clip[i, j], Integer(1)))
    return {
        **proved("smile"),
        "inside": derive(
            estimated, (DEFINITION, VALUES["mine"]), names=inside, facts=replace(FACTS, masks=())
        ),
    }
