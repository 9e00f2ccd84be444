"""The InfoNCE bound in the settings of the documents: which number stands in the logarithm, and where none does.

The law of all witnesses: an image is a fair bit, and both of its views show it, so that I = log 2. A view of the
bit is embedded as (1) or (−1): the similarity of two views is 1 where their bits agree, and −1 where not.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb

from mpmath import iv
from sympy import Integer, log

from ..claims import claim
from ..losses.byol import distance_is_cosine
from ..prover.inequality import LEMMA, Bound, Logs, Sign, Use, bound, nonnegative
from ..prover.proof import Proof
from ..prover.sums import Facts
from ..symbols import C, W, X, i, j, lift, m, rest, rest_2, score
from ..unbound import Counterexample, counterexample
from ..verdicts import Verdict
from . import information_bound as p1

FACTS = Facts(ranges={i: X, j: C, m: W})
INFORMATION = Logs.of(2)

# --- the losses as their documents print them, in interval arithmetic -----------------------------------
#
# An interval of `iv` holds the number that it stands for, whatever was rounded: its ends certify a sign.


def batches(images: int) -> Iterator[tuple[int, ...]]:
    """Every batch of embedded bits, all as likely as one another."""
    return product((1, -1), repeat=images)


def mean(loss: Callable, images: int):
    return sum((loss(batch) for batch in batches(images)), iv.mpf(0)) / 2**images


def cross_entropy(scores: Sequence, positive: int):
    """−log e^{s_p}/Σ e^s."""
    return iv.log(sum((iv.exp(s) for s in scores), iv.mpf(0))) - scores[positive]


def ntxent(batch: Sequence[int], temperature):
    """The rows are both views of each image; every other row is a candidate [D3.2-D3.4]."""
    rows = [*batch, *batch]
    total = iv.mpf(0)
    for row, z in enumerate(rows):
        others = [other for other in range(len(rows)) if other != row]
        scores = [rows[other] * z / temperature for other in others]
        total += cross_entropy(scores, others.index((row + len(batch)) % len(rows)))
    return total / len(rows)


def infonce(batch: Sequence[int], temperature):
    """The same rows, the anchor itself among the candidates [D1.3, D1.4]."""
    rows = [*batch, *batch]
    total = iv.mpf(0)
    for row, z in enumerate(rows):
        total += cross_entropy([other * z / temperature for other in rows], (row + len(batch)) % len(rows))
    return total / len(rows)


def dhn_nce(batch: Sequence[int], temperature, beta):
    """One direction of D4, in the mean: the positive is not in the sum, negatives are weighted [D4.1, D4.2]."""
    total = iv.mpf(0)
    for own, z in enumerate(batch):
        scores = [y * z / temperature for other, y in enumerate(batch) if other != own]
        hardness = [iv.exp(beta * s) for s in scores]
        weights = [len(scores) * h / sum(hardness) for h in hardness]
        total += iv.log(sum(w * iv.exp(s) for w, s in zip(weights, scores, strict=True))) - 1 / temperature
    return total / len(batch)


def moco(query: int, queue: Sequence[float], temperature):
    """The positive key is the query itself; the keys of the queue are the negatives [D3.34]."""
    return cross_entropy([iv.mpf(1) / temperature, *(key * query / temperature for key in queue)], 0)


def shown(interval) -> str:
    """The digits that both ends share."""
    return f"{float(interval.mid):.6f}"


# --- NT-Xent --------------------------------------------------------------------------------------------


def coldest_excess(images: int) -> Logs:
    """log(2N − 1) − 𝓛 − I as τ → 0, which no τ > 0 reaches: 𝓛 = E log(1 + 2k), k of the other images alike."""
    loss = Logs()
    for alike in range(images):
        loss += Logs.of(1 + 2 * alike, Fraction(comb(images - 1, alike), 2 ** (images - 1)))
    return Logs.of(2 * images - 1) - loss - INFORMATION


def share_of_twins(images: int, agree: Fraction) -> Fraction:
    """(2N − 1) E_Q[share] where all N images are drawn apart from the anchor, each negative one counted twice.

    A view scores `agree` where its bit is the anchor's, and 1 where not.
    """
    mean_share = Fraction(0)
    for positive, *others in product((agree, Fraction(1)), repeat=images):
        mean_share += positive / (positive + 2 * sum(others)) / 2**images
    return (2 * images - 1) * mean_share


def one_view_of_each() -> tuple[Bound, Sign]:
    """log (f + S)/f ≤ log (f + S + S′)/f: of each other image S holds the view that has the positive's law, and the
    views S′ beside them only add to the loss."""
    one_view = score[i, j] + rest[j, m]
    both_views = one_view + rest_2[j, m]
    dropped = rest_2[j, m] / both_views
    change = (log(one_view) - log(score[i, j])) - (log(both_views) - log(score[i, j]))
    use = Use(Integer(1), one_view, bottom=both_views)
    return bound(change, use, last=-dropped, facts=FACTS), nonnegative(dropped)


@claim(
    "P2",
    printed="",
    statement="NT-Xent of N images: with log(2N - 1), the logarithm of the number of its candidates, there is no"
    " bound. The negatives come in pairs that depend on one another, so that the candidates cannot be exchanged,"
    " and E_Q[share] may exceed 1/(2N - 1).",
    verdict=Verdict.REFUTED,
    right=r"I \ge \log N - \mathcal{L}, N the number of images: dropping one view of each negative lowers the loss"
    r" to that of P1 with N candidates, by \log x \le x - 1.",
)
def ntxent_bound() -> tuple[Bound | Sign | Proof | Counterexample, ...]:
    images, temperature = 5, iv.mpf(1) / 10
    loss = mean(lambda batch: ntxent(batch, temperature), images)
    printed, right = (iv.log(number) - loss for number in (2 * images - 1, images))
    info = iv.log(2)
    smaller = {count: coldest_excess(count) for count in (2, 3, 4)}
    twins = share_of_twins(images, Fraction(10**6))
    return (
        counterexample(
            "5 images, τ = 1/10, all 32 batches: log(2N − 1) − 𝓛 is more than all the information there is",
            holds=printed.a > info.b and right.b < info.a,
            numbers={"log 9 − 𝓛": shown(printed), "I = log 2": shown(info), "log 5 − 𝓛": shown(right)},
        ),
        counterexample(
            "with this law no smaller batch passes I, at any temperature: log(2N − 1) − 𝓛 − I stays below",
            holds=all(excess.sign < 0 for excess in smaller.values()) and coldest_excess(5).sign > 0,
            numbers={f"excess for {count} images": excess for count, excess in smaller.items()},
        ),
        counterexample(
            "why P1's proof does not carry over: 9 E_Q[share] is not 1, a score of agreeing views being 10⁶",
            holds=twins > 1,
            numbers={"9 E_Q[share]": f"{float(twins):.6f}"},
        ),
        *one_view_of_each(),
        *p1.proof(),
    )


# --- D1, the anchor in its own denominator --------------------------------------------------------------


def two_losses_in_one() -> tuple[Bound, Sign]:
    """log 2 + ½ (ℓ + ℓ′) ≤ ℓ_D1, with ℓ = −log f/A and ℓ′ = −log f/A′ over one view of each image.

    D1's denominator is A + A′ + ε: f and the first views, f and the second views, and ε = e^{1/τ} − f ≥ 0.
    """
    halves = (rest[j, m], rest_2[j, m])  # A and A′
    whole = rest[j, m] + rest_2[j, m] + lift[j]
    both = log(2) - (log(score[i, j] / halves[0]) + log(score[i, j] / halves[1])) / 2
    uses = (Use(Integer(1) / 2, 2 * half, bottom=whole) for half in halves)
    excess = lift[j] / whole
    change = both + log(score[i, j] / whole)
    return bound(change, *uses, last=-excess, facts=FACTS), nonnegative(excess)


@claim(
    "P3",
    printed="",
    statement=r"D1 of B images in unit rows, both views of one law: \ell_{D1} \ge \log 2 + \frac{1}{2} (\ell +"
    r" \ell'), each a loss of P1 with B candidates; so I \ge \log(2B) - \mathcal{L}. As every \ell_{D1} \ge \log 2"
    r" (M1), the bound never passes \log B. The anchor's own score e^{1/\tau} is at least the positive's, as"
    r" 1 - s = \frac{1}{2} \|z - z'\|^2.",
    verdict=Verdict.PROVED_FROM_LEMMA,
    scope=LEMMA,
)
def infonce_bound() -> tuple[Bound | Sign | Proof | Counterexample, ...]:
    temperature, info = iv.mpf(1) / 10, iv.log(2)
    below = {b: iv.log(2 * b) - mean(lambda batch: infonce(batch, temperature), b) for b in (2, 3, 4, 5)}
    return (
        distance_is_cosine()["distance"],
        *two_losses_in_one(),
        *p1.proof(),
        counterexample(
            "all batches of B images, τ = 1/10: log(2B) − 𝓛 is below I, and below log B",
            holds=all(value.b < min(info.a, iv.log(b).a) for b, value in below.items()),
            numbers={f"log {2 * b} − 𝓛 for {b} images": shown(value) for b, value in below.items()}
            | {"I": shown(info)},
        ),
    )


# --- losses whose positive is not in the denominator ----------------------------------------------------


@claim(
    "P4",
    printed="",
    statement=r"A decoupled loss (DHN-NCE, DCL), whose denominator lacks the positive, bounds no information:"
    r" \log K - \mathcal{L} passes I and grows without limit.",
    verdict=Verdict.REFUTED,
    right=r"No number in the logarithm helps. For the fair bit and one negative, \mathcal{L} = -1/\tau for every"
    r" \beta, so that \log K - \mathcal{L} = \log K + 1/\tau, while I = \log 2.",
)
def decoupled() -> Counterexample:
    info, holds, numbers = iv.log(2), True, {"I = log 2": shown(iv.log(2))}
    for inverse in (1, 10, 100, 1000):
        temperature = iv.mpf(1) / inverse
        for beta in (Fraction(0), Fraction(1, 2), Fraction(2)):
            hardness = iv.mpf(beta.numerator) / beta.denominator
            below = -mean(lambda batch, h=hardness, t=temperature: dhn_nce(batch, t, h), 2)
            holds &= below.a > info.b and inverse in below
        numbers[f"log 1 − 𝓛 at τ = 1/{inverse}"] = shown(below)
    return counterexample("two images, one negative (K = 1), β in {0, ½, 2}: log K − 𝓛 = 1/τ", holds, numbers)


# --- a queue of keys ------------------------------------------------------------------------------------


@claim(
    "P5",
    printed="",
    statement="MoCo with K keys in the queue: P1 with N = K + 1, provided the keys are independent draws from the"
    " law of the present encoder's keys. A stale encoder and repeated images break that, and the bound.",
    verdict=Verdict.CORRECTED,
    right=r"I \ge \log(K + 1) - \mathcal{L} if the queue holds independent keys of the present encoder; otherwise"
    " it may fail, as the witnesses show.",
)
def queue_bound() -> tuple[Bound | Sign | Proof | Counterexample, ...]:
    info, cold = iv.log(2), iv.mpf(1) / 10
    # A stale encoder: its keys stand across the present ones, similarity 0 with every query.
    stale = iv.log(3) - moco(1, (0, 0), iv.mpf(1) / 2)
    # One image in all four places of the queue: its key agrees with the query, or not, with chances ½.
    repeated = iv.log(5) - (moco(1, (1,) * 4, cold) + moco(1, (-1,) * 4, cold)) / 2
    fresh = iv.log(3) - sum(moco(1, keys, cold) for keys in product((1, -1), repeat=2)) / 4
    return (
        *p1.proof(),
        counterexample("K = 2 fresh keys, τ = 1/10", holds=fresh.b < info.a, numbers=_against(3, fresh)),
        counterexample(
            "K = 2 keys of a stale encoder, τ = 1/2", holds=stale.a > info.b, numbers=_against(3, stale)
        ),
        counterexample(
            "one image K = 4 times, τ = 1/10", holds=repeated.a > info.b, numbers=_against(5, repeated)
        ),
    )


def _against(number: int, below) -> dict[str, str]:
    return {f"log {number} − 𝓛": shown(below), "I = log 2": shown(iv.log(2))}


@claim(
    "M25",
    printed="",
    statement=r"The bound proved anew: P1 instead of the printed steps; the step of D3.33d in expectation; and for"
    r" NT-Xent (P2) and D1 (P3), what the loss is at least.",
    verdict=Verdict.PROVED_FROM_LEMMA,
    scope=LEMMA,
)
def the_whole_proof() -> tuple[Bound | Sign | Proof | Counterexample, ...]:
    return *p1.proof(), *p1.step_down_in_expectation(), *one_view_of_each(), *two_losses_in_one()
