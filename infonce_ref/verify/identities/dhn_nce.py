"""dhn_nce: the positive is not in the denominator, and hard negatives are weighed."""

from collections.abc import Iterator

import numpy as np
from scipy.special import logsumexp, softmax

from ..case import Case
from .identity import Sides, Terms, agree, at_most, float64, through_scores, unit, weight
from .shared import shared_feature


def directions(case: Case) -> list[tuple[np.ndarray, float]]:
    """L and β1, images to texts; Lᵀ and β2, back.                                 [D4.7, D4.19]"""
    image, text = float64(case, "image", "text")
    logits = image @ text.T / case.arguments["temperature"]
    return [(logits, case.arguments["beta1"]), (logits.T, case.arguments["beta2"])]


def off_diagonal(logits: np.ndarray) -> np.ndarray:
    """Logits with −∞ on the diagonal, not 0.                                      [D4.12]"""
    return np.where(np.eye(len(logits), dtype=bool), -np.inf, logits)


def gradient(case: Case) -> dict[str, Terms]:
    """M20, M7: M = (1+β) r^(1+β) − β r^(β) − I, or r^(1+β) − I if the weights are constant, in both directions."""
    slopes, sizes = [], []
    for logits, beta in directions(case):
        r, r_weights = (softmax(off_diagonal(c * logits), axis=1) for c in (1 + beta, beta))
        rate = 0 if case.arguments.get("weights") == "constant" else beta
        slopes.append((1 + rate) * r - rate * r_weights - np.eye(len(r)))
        sizes.append((1 + rate) * r + rate * r_weights + np.eye(len(r)))
    scale = weight(case, len(slopes[0]), default="sum")
    there, back = (scale * (x[0] + x[1].T) for x in (slopes, sizes))
    return through_scores(case, "image", "text", (there, back))


def loop(case: Case) -> Terms:
    """The double loop of D4.1-D4.5, with B − 1, and the size of its terms."""
    terms = []
    for logits, beta in directions(case):
        for i, row in enumerate(logits):
            negatives = np.delete(row, i)
            w = len(negatives) * softmax(beta * negatives)
            terms += [-row[i], logsumexp(negatives, b=w)]
    scale = weight(case, len(case.arguments["image"]), default="sum")
    return scale * np.sum(terms), scale * np.sum(np.abs(terms))


def weights_sum(case: Case) -> Iterator[Sides]:
    """D4.3: if all scores are equal, e^ℓ_i = Σ_j W_ij = B − 1."""
    b = len(case.arguments["image"])
    value = 2 * b * weight(case, b, default="sum") * np.log(b - 1)
    yield "image", case.at(image=np.zeros_like(case.arguments["image"])).value(), value, value


def difference_of_decoupled(case: Case) -> Iterator[Sides]:
    """D4.9, M20: at β = 1 the loss is the plain one at τ/2 minus that at τ; with W constant its gradient is half
    the plain one's at τ/2.
    """
    tau = case.arguments["temperature"]
    hard = case.at(beta1=1.0, beta2=1.0)
    halved, whole = (case.at(beta1=0.0, beta2=0.0, temperature=t).gradients() for t in (tau / 2, tau))
    # τ/2 has the derivative ½ with respect to τ
    halved = halved | {"temperature": halved["temperature"] / 2}
    constant = case.arguments.get("weights") == "constant"
    yield from agree(
        hard, {name: halved[name] / 2 if constant else halved[name] - whole[name] for name in halved}
    )


def transposed(case: Case) -> Iterator[Sides]:
    """D4.19: exchanging images and texts exchanges their gradients if the betas are exchanged too."""
    here, options = case.gradients(), case.arguments
    changed = case.at(
        image=options["text"], text=options["image"], beta1=options["beta2"], beta2=options["beta1"]
    )
    yield from agree(changed, here | {"image": here["text"], "text": here["image"]})
    yield "image", changed.value(), case.value(), loop(case)[1]


def harder_is_larger(case: Case) -> Iterator[Sides]:
    """M22: the loss does not fall as β rises, and for unit rows |ℓ_i − log(B−1)| ≤ 2/τ."""
    names = ("image", "text")
    rows = {name: unit(x) for name, x in zip(names, float64(case, *names), strict=True)}
    here, b = case.normalise_rows(**rows), len(rows["image"])
    value, (_, size) = here.value(), loop(here)
    betas = {name: 2 * case.arguments[name] + 1 for name in ("beta1", "beta2")}
    yield at_most("image", value, here.at(**betas).value(), size)
    scale = 2 * b * weight(case, b, default="sum")
    bound = scale * 2 / here.arguments["temperature"]
    yield at_most("image", abs(value - scale * np.log(b - 1)), bound, bound)


IDENTITIES = (weights_sum, difference_of_decoupled, transposed, harder_is_larger, shared_feature)
