"""Floors of losses that a regular simplex minimises: each corner holds both views of one image.

Take B pairs of unit rows; the negatives of an anchor are rows of other pairs. The mean of s_in − s_ip over all
anchors and negatives is at least −B/(B − 1), with equality only if partners coincide and different images have the
cosine −1/(B − 1)                                                                                          [M4].
By Jensen's inequality a loss that is convex in these gaps, and increases with them if all are equal, has its
minimum there.

This also holds if all negatives are from the other view: with the means x̄, ȳ of the views the mean gap is
−(Σ_i (x_i − x̄)·(y_i − ȳ)) / (B − 1), and the sum is at most √(Σ‖x_i − x̄‖² Σ‖y_i − ȳ‖²) ≤ B.
"""

import math

from ..checks import check_count, check_finite, check_non_negative, check_positive, check_share
from .floor import Floor, check_several

SIMPLEX = "partners that coincide, and things that form a regular simplex, reach it"
UNIT = "unit rows; " + SIMPLEX
ALONE = "a single pair has no negative: every batch of coinciding partners has this value"


def gap(pairs: int) -> float:
    """The least mean of s_in − s_ip, −B/(B − 1); or 0, unused, without negatives.                       [M4]"""
    return -pairs / (pairs - 1) if check_count("pairs", pairs) > 1 else 0.0


def at_simplex(
    value: float, pairs: int, features: int, claims: tuple[str, ...], where: str = SIMPLEX
) -> Floor:
    """The floor that a regular simplex of B corners reaches, which needs B − 1 features.                 [M4]"""
    pairs, features = check_count("pairs", pairs), check_count("features", features)
    if pairs == 1:
        return Floor(value, True, claims, ALONE)
    if features >= pairs - 1:
        return Floor(value, True, claims, where)
    reason = f"only a bound: a regular simplex of {pairs} things takes {pairs - 1} features, not {features}"
    return Floor(value, False, claims, reason)


def ntxent(*, pairs: int, features: int, temperature: float) -> Floor:
    """log(1 + (2B − 2) e^{−B/((B−1)τ)}).                                                                  [M4]"""
    tau = check_positive("temperature", temperature)
    value = math.log1p((2 * pairs - 2) * math.exp(gap(pairs) / tau))
    return at_simplex(value, pairs, features, ("M4",))


def infonce(*, pairs: int, features: int, temperature: float) -> Floor:
    """For unit rows, log(2 + (2B − 2) e^{−B/((B−1)τ)}).                                                   [M4]"""
    tau = check_positive("temperature", temperature)
    value = math.log(2 + (2 * pairs - 2) * math.exp(gap(pairs) / tau))
    return at_simplex(value, pairs, features, ("M4",), UNIT)


def dcl(*, pairs: int, features: int, temperature: float, sigma: float | None = None) -> Floor:
    """log(2B − 2) − B/((B−1)τ), for every sigma.                                                     [M31, F36]"""
    tau = check_positive("temperature", temperature)
    if sigma is not None:
        check_positive("sigma", sigma)
    value = math.log(2 * check_several("pairs", pairs) - 2) + gap(pairs) / tau
    return at_simplex(value, pairs, features, ("M31",) if sigma is None else ("M31", "F36"))


def hard_negative(*, pairs: int, features: int, temperature: float, beta: float, prior: float) -> Floor:
    """With M = 2B − 2 negatives and the gap t of the simplex, the larger of two bounds, which the simplex reaches:

        log(1 + M e^{−2/τ}), of the clamp g ≥ e^{−1/τ} where s_ip = 1
        log(1 + M (e^{t/τ} − π⁺) / (1 − π⁺)), of the estimate, if this is convex in the gap: M π⁺ ≤ 1 − π⁺

    A larger β only raises U_i: LSE((1+β)L) − LSE(βL) is convex in β, so at least LSE(L) − log M. If the second is
    not convex, only the first is used, and it is reached if the estimate is clamped at the simplex.
    """
    tau, prior = check_positive("temperature", temperature), check_share("prior", prior)
    check_non_negative("beta", beta)
    negatives = 2 * check_count("pairs", pairs) - 2
    odds = (math.exp(gap(pairs) / tau) - prior) / (1 - prior)
    lowest = math.exp(-2 / tau)
    if prior == 0 or negatives * prior <= 1 - prior or odds <= lowest:
        claims = ("F31", "M4") if prior == 0 else ()
        least = at_simplex(math.log1p(negatives * max(odds, lowest)), pairs, features, claims)
        if odds > lowest or least.reached:
            return least
        return least._replace(where=least.where + "; other batches may be clamped as well, and reach it")
    reason = "only a bound, by the clamp: at the regular simplex the estimate is above it"
    return Floor(math.log1p(negatives * lowest), False, (), reason)


def clip(*, pairs: int, features: int, temperature: float) -> Floor:
    """For unit rows, log(1 + (B − 1) e^{−B/((B−1)τ)}).                                                    [M30]"""
    tau = check_positive("temperature", temperature)
    value = math.log1p((pairs - 1) * math.exp(gap(pairs) / tau))
    return at_simplex(value, pairs, features, ("M30",), UNIT)


def dhn_nce(*, pairs: int, features: int, temperature: float, beta1: float, beta2: float) -> Floor:
    """For unit rows, twice log(B − 1) − B/((B−1)τ), for every hardness.                                [M34]"""
    tau = check_positive("temperature", temperature)
    check_non_negative("beta1", beta1), check_non_negative("beta2", beta2)
    value = 2 * (math.log(check_several("pairs", pairs) - 1) + gap(pairs) / tau)
    return at_simplex(value, pairs, features, ("M34",), UNIT)


def siglip(*, pairs: int, features: int, temperature: float, bias: float) -> Floor:
    """For unit rows, the least over the gap γ of R10, 0 ≤ γ² ≤ 1, of                                      [M32]

        softplus(−s⁺/τ − b) + (B − 1) softplus(s⁻/τ + b),   s⁺ = 1 − 2γ²,   s⁻ = −(1 + (B − 2) γ²) / (B − 1)

    where images and texts form two simplexes, at the distance γ along one more feature. The sum is convex in γ²:
    bisect its slope.
    """
    tau, pairs = check_positive("temperature", temperature), check_count("pairs", pairs)
    bias, features = check_finite("bias", bias), check_count("features", features)
    if pairs == 1:
        return Floor(softplus(-1 / tau - bias), True, (), ALONE)

    def logits(square: float) -> tuple[float, float]:
        return (2 * square - 1) / tau - bias, bias - (1 + (pairs - 2) * square) / (pairs - 1) / tau

    def rises(square: float) -> bool:
        of_pair, of_other = logits(square)  # 2 σ(of_pair) > (B − 2) σ(of_other), by logarithms
        return pairs == 2 or math.log(2 / (pairs - 2)) - softplus(-of_pair) > -softplus(-of_other)

    low, high = 0.0, 1.0
    if rises(0.0) or not rises(1.0):
        low = high = 0.0 if rises(0.0) else 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if rises(middle) else (middle, high)
    of_pair, of_other = logits(high)
    value = softplus(of_pair) + (pairs - 1) * softplus(of_other)
    if high == 1:
        return Floor(
            value, True, ("M32",), "unit rows; all images at one point and all texts opposite reach it"
        )
    if high == 0:
        return at_simplex(value, pairs, features, ("M32",), UNIT)
    needs = f"a simplex of the images and one of the texts, {2 * math.sqrt(high):.3g} apart (R10)"
    if features >= pairs:
        return Floor(value, True, ("M32",), f"unit rows; {needs}, reach it")
    return Floor(value, False, ("M32",), f"only a bound: {needs}, take {pairs} features, not {features}")


def softplus(x: float) -> float:
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def uniformity(*, rows: int, features: int, t: float) -> Floor:
    """Of unit rows, −2tN/(N − 1).                                                                        [R16]"""
    t = check_positive("t", t)
    where = "unit rows; a regular simplex of all rows reaches it"
    return at_simplex(2 * t * gap(check_several("rows", rows)), rows, features, ("R16",), where)
