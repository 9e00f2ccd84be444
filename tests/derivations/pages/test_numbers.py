"""The numbers that the words of a lesson give, computed: each phrase stands in a lesson, and its numbers are right.

The numbers of a phrase are those with decimals, in their order; each was rounded to the decimals that it shows.
What stands in $…$ is read by `test_prose.py`, what a solution says is printed by its code.
"""

import math
import re
from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import hyp0f1

from infonce_ref.derivations.pages.lesson import lessons, texts
from infonce_ref.figures import collapse, drift_of_keys, gradient_against_similarity, hardness_weights
from infonce_ref.losses import cpc, dhn_nce

# --- the lesson on the sphere ---------------------------------------------------------------------------


def counting(temperature: float) -> float:
    """How many of 100 random negatives count: e to the entropy of the shares of 8,190, by the library."""
    rows = np.random.default_rng(0).standard_normal((8190, 128))
    share = hardness_weights.library(rows / np.linalg.norm(rows, axis=1, keepdims=True), temperature)
    return 100 * math.exp(-float(share @ np.log(share))) / len(share)


def hardest_pushed() -> float:
    """The star of the figure, by its closed form, on a fine grid."""
    s = np.linspace(0, 1, 100001)
    return float(s[np.argmax(gradient_against_similarity.closed_form("negative", s, 0.1))])


def random_scores(count: int) -> np.ndarray:
    """Those of random unit rows of 128 features before the anchor (1, 0, …)."""
    rows = np.random.default_rng(0).standard_normal((count, 128))
    return rows[:, 0] / np.linalg.norm(rows, axis=1)


def bar(temperature: float) -> float:
    """The score at which the library's positive has the probability one half, before 510 random rows."""
    scores, low, high = random_scores(510), 0.0, 4.0
    for _ in range(50):
        own = (low + high) / 2
        logits = np.concatenate([[own], scores])[None] / temperature
        _, cache = cpc.forward(logits, positive=np.array([0]))
        low, high = (own, high) if cpc.backward(cache).scores[0, 0] < -0.5 else (low, own)
    return low


# --- the lesson on NT-Xent ------------------------------------------------------------------------------


def spread_evenly() -> tuple[float, float]:
    """Most of the mean loss, log(1 + M E e^{(s − 1)/τ}) by Jensen, of 4,096 images on the sphere; the floor."""
    random = 8190 * math.exp(-1 / 0.5) * float(hyp0f1(128 / 2, 1 / (4 * 0.5**2)))
    return math.log1p(random), math.log1p(8190 * math.exp(-4096 / (4095 * 0.5)))


# --- the lesson on information --------------------------------------------------------------------------


def symbol_read(symbols: int, error: float) -> tuple[float, float, float]:
    """The information, and the density ratios of a symbol read right and of one read wrong."""
    right, wrong = (1 - error) * symbols, error * symbols / (symbols - 1)
    return (1 - error) * math.log(right) + error * math.log(wrong), right, wrong


def estimate(candidates: int, symbols: int, error: float) -> float:
    """log N − 𝓛 with the density ratio for the score: k of the others, binomial, show the symbol that c is."""
    _, right, wrong = symbol_read(symbols, error)
    others = candidates - 1
    k = np.arange(min(candidates, 400))  # more than 399 have no probability that a float holds
    log_chance = [math.lgamma(others + 1) - math.lgamma(x + 1) - math.lgamma(others - x + 1) for x in k]
    log_chance += k * math.log(1 / symbols) + (others - k) * math.log(1 - 1 / symbols)
    # all candidates of a kind as one, with the logarithm of their number added
    loss = 0.0
    for chance, own in ((1 - error, right), (error, wrong)):
        rest = np.log(k * right + (others - k) * wrong)
        scores = np.stack([np.full(len(k), math.log(own)), rest], axis=1)
        value, _ = cpc.forward(scores, positive=np.zeros(len(k), dtype=int), reduction="none")
        loss += chance * float(np.exp(log_chance) @ value)
    return math.log(candidates) - loss


def misread() -> tuple[float, ...]:
    """4,096 symbols, 5 errors in 100."""
    return symbol_read(4096, 0.05)[0], *(estimate(n, 4096, 0.05) for n in (256, 512, 1024))


def coin() -> tuple[float, float]:
    return math.log(2), symbol_read(2, 0.1)[0]


def channel() -> tuple[float, ...]:
    """16 symbols, one error in ten."""
    return symbol_read(16, 0.1)[0], *(estimate(n, 16, 0.1) for n in (8, 64, 512))


def five_images() -> tuple[float, float]:
    """NT-Xent of five images that show a fair bit, both views alike, at τ = 0.1, over all batches."""
    loss = sum(math.comb(4, k) / 16 * math.log1p(2 * k + 2 * (4 - k) * math.exp(-2 / 0.1)) for k in range(5))
    return math.log(9) - loss, math.log(2)


# --- the lesson on MoCo ---------------------------------------------------------------------------------


def pulls(temperature: float) -> tuple[float, float]:
    """What 1 − P is before the negatives of a batch of 256, and before a queue of 65,536."""

    def pull(negatives: int) -> float:
        alike = 0.0 + math.log(negatives)  # so many at similarity 0, as one
        _, cache = cpc.forward(np.array([[0.6 / temperature, alike]]), positive=np.array([0]))
        return -float(cpc.backward(cache).scores[0, 0])

    return pull(255), pull(65536)


def random_pulls() -> tuple[float, ...]:
    """As `pulls` at 0.07, before random rows of 128 features."""
    return tuple(
        -float(cpc.backward(cache).scores[0, 0])
        for count in (255, 65536)
        for logits in [np.concatenate([[0.6], random_scores(count)])[None] / 0.07]
        for _, cache in [cpc.forward(logits, positive=np.array([0]))]
    )


def past_the_bound() -> tuple[float, ...]:
    """log N − 𝓛 of a fair bit and keys ±1: with two keys across every query, and with four copies of one."""

    def loss(*logits: float) -> float:
        return float(cpc.forward(np.array([logits]), positive=np.array([0]))[0])

    across = loss(2.0, 0.0, 0.0)  # τ = 1/2
    copies = (
        loss(10.0, *[10.0] * 4) + loss(10.0, *[-10.0] * 4)
    ) / 2  # τ = 1/10: of its own bit, and of the other
    return math.log(3) - across, math.log(5) - copies


def jitter() -> tuple[float, float, float]:
    """The momentum, the variance of its average of noise, how much less that swings."""
    # of independent terms of variance 1 it is the sum of the squares of their weights
    variance = float(np.sum(((1 - 0.999) * 0.999 ** np.arange(100_000)) ** 2))
    return 0.999, variance, 1 / math.sqrt(variance)


def drift(momentum: float) -> drift_of_keys.Found:
    """At the end of that run in the figure `drift_of_keys`."""
    return drift_of_keys.measured()[momentum][-1]


# --- the lesson on BYOL and SimSiam ---------------------------------------------------------------------


def one_feature(a: float, b: float, v: float, *, stop_gradient: bool) -> tuple[float, float]:
    """Where the encoder's and the predictor's factors come to rest, by their slopes."""
    for _ in range(20_000):
        wrong = (1 + v) * b - 1
        by_a = a * b * wrong if stop_gradient else a * ((1 + v) * (b**2 + 1) - 2 * b)
        a, b = a - 0.01 * by_a, b - 0.01 * a**2 * wrong
    return a, b


def comes_to_rest() -> tuple[float, ...]:
    a, b = one_feature(1.0, 0.5, 0.25, stop_gradient=True)
    assert abs(one_feature(1.0, 0.5, 0.25, stop_gradient=False)[0]) < 1e-6
    assert abs(one_feature(0.5, 1.5, 0.25, stop_gradient=True)[0]) < 1e-6
    return b, a


def spread(family: str) -> tuple[float, ...]:
    """At the end of its runs in the figure `collapse`, in their order."""
    return tuple(curve[-1] for run, curve in collapse.measured().items() if run.startswith(family))


# --- the lesson on CLIP ---------------------------------------------------------------------------------


def four_pairs(nearer: float) -> tuple[float, float, float]:
    """The rows' loss and the columns', where the control begins; what the images give to the second text."""
    scores = (0.1 + 0.4 * np.eye(4) + nearer * (np.arange(4) == 1)) / 10**-0.7
    (rows, answers), (columns, _) = (cpc.forward(x, positive=np.arange(4)) for x in (scores, scores.T.copy()))
    popularity = 1 + 4 * cpc.backward(answers).scores.sum(axis=0)
    return float(rows), float(columns), float(popularity[1])


# --- the lesson on DHN-NCE ------------------------------------------------------------------------------


def coupled() -> tuple[float, float]:
    """The ordinary loss of a row whose decoupled one is −5, and the force on its positive."""
    value, cache = cpc.forward(np.array([[5.0, 0.0]]), positive=np.array([0]))
    return float(value), -float(cpc.backward(cache).scores[0, 0])


def attracted(
    beta: float, weights: dhn_nce.WeightMode = "differentiated", *, count: int
) -> tuple[float, float]:
    """Where the control begins: how hard so many negatives are attracted, and how hard the hardest is pushed."""
    similarities = np.full((13, 13), 100.0)  # so near to all texts that no text asks for the first image
    similarities[0] = [0.6, *np.linspace(0.5, -0.5, 12)]
    settings = {"temperature": 10**-0.2, "beta1": beta, "beta2": 0.0}
    _, cache = dhn_nce.forward(similarities, np.eye(13), weights=weights, **settings)
    slopes = 10**-0.2 * dhn_nce.backward(cache).image[0, 1:]
    assert np.sum(slopes < -1e-9) == count
    return float(-slopes[slopes < -1e-9].sum()), float(slopes[0])


# Each in one piece of a lesson; what is computed is in the order of its numbers.
NUMBERS: dict[str, Callable[[], tuple[float, ...]]] = {
    # sphere
    "At the temperature 0.5, 98.4 in a hundred of them count": lambda: (0.5, counting(0.5)),
    "at 0.1 it is still 66.9, at 0.05 only 18.7": lambda: (0.1, counting(0.1), 0.05, counting(0.05)),
    "and at 0.02 no more than 0.1, a dozen rows.": lambda: (0.02, counting(0.02)),
    "of 128 features, whose largest score is 0.245": lambda: (float(random_scores(510).max()),),
    "the bar at 0.07 is 0.492, at 0.05 it is 0.386, and at 0.02 it is 0.265": lambda: tuple(
        x for temperature in (0.07, 0.05, 0.02) for x in (temperature, bar(temperature))
    ),
    "the push is largest at a similarity of 0.692.": lambda: (hardest_pushed(),),
    # ntxent
    "the mean loss is at most 7.03, for the third line of the table; the floor is 7.011": spread_evenly,
    # information
    "With 256 candidates for each anchor it climbs to 5.2 and stays there.": lambda: misread()[1:2],
    "the same encoder, on the same data, has 5.8.": lambda: misread()[2:3],
    "The two share 7.70 nats.": lambda: misread()[:1],
    "the estimate is 5.21 with 256 candidates, 5.81 with 512, 6.37 with 1,024.": lambda: misread()[1:],
    "A fair coin has 0.693 nats; read with one error in ten, it shares 0.368 of them": coin,
    "with 32,768 candidates it is 7.65 of them": lambda: (estimate(32768, 4096, 0.05),),
    "cannot show that a pupil knows more than 5.545 nats": lambda: (math.log(256),),
    "of 2.177 nats the estimate shows 1.474. With 64 candidates it is 2.080, with 512 it is 2.165.": channel,
    "less the loss is 0.6952, and the truth is 0.6931.": five_images,
    # moco
    "At the temperature of 0.2, where it begins, the batch alone pulls with 0.93": lambda: (
        0.2,
        pulls(0.2)[0],
    ),
    "Now go down to 0.07, MoCo's own temperature.": lambda: (0.07,),
    "The pull of the batch drops to 0.05, and that of the queue is still 0.93.": lambda: pulls(0.07),
    "for random rows of 128 features it is 0.09 and 0.97": random_pulls,
    "Let the views share one fair bit, 0.693 nats.": lambda: (math.log(2),),
    r"at a right angle to every query: $\log 3$ less the loss is 0.859.": lambda: past_the_bound()[:1],
    r"four copies of one image's key: $\log 5$ less the loss is 0.805.": lambda: past_the_bound()[1:],
    "for 0.999 about 0.0005, so it swings 44.7 times less.": jitter,
    "a key of the copy is 0.052 short of a cosine of 1": lambda: (drift(0.0).drift,),
    "With 0.9 it is 0.012, with 0.99 it is 0.0002.": lambda: (0.9, drift(0.9).drift, 0.99, drift(0.99).drift),
    "At the end the copy stands at 5.46 nats and 0.99 at 4.90.": lambda: (
        drift(0.0).loss,
        0.99,
        drift(0.99).loss,
    ),
    # byol
    "Untrained it is 0.846.": lambda: (collapse.measured()["SimSiam, without"][0],),
    "After 600 steps with the stop-gradient it is 0.952, and without it 0.039": lambda: spread("SimSiam"),
    "0.945 with the average, 0.948 with a target from the trained network itself": lambda: spread("BYOL")[:2],
    "held constant, and 0.028 as soon as the gradient flows into it": lambda: spread("BYOL")[2:],
    "Say that $v$ is 0.25, and begin with $a$ at 1 and $b$ at 0.5.": lambda: (0.25, 0.5),
    "With it $b$ comes to rest at 0.80 and $a$ at 1.18.": comes_to_rest,
    # clip
    "the loss of the texts stays at 0.339 wherever it stands": lambda: four_pairs(0.3)[1:2],
    "that of the images rises from 0.339, where it is 0": lambda: four_pairs(0.0)[:1],
    "to 0.493, where it begins.": lambda: four_pairs(0.3)[:1],
    "the images give it 1.89 answers, where 1 is its due": lambda: four_pairs(0.3)[2:],
    # dhn_nce
    "The ordinary loss of the same logits would be 0.0067, and its force 0.0067 as well": coupled,
    "three of them, with a force of 0.027 together.": lambda: attracted(1.0, count=3)[:1],
    "Raise the hardness to 2: seven are attracted, with 0.093.": lambda: attracted(2.0, count=7)[:1],
    "the hardest with 0.354 instead of 0.259": lambda: (
        attracted(1.0, count=3)[1],
        attracted(1.0, "constant", count=0)[1],
    ),
}

TEXT = " ".join(
    text
    for lesson in lessons().values()
    for text in (lesson.summary, *(text for block in lesson.blocks for text in texts(block)))
)


@pytest.mark.parametrize("phrase", NUMBERS)
def test_the_numbers_of_a_phrase_are_right(phrase):
    assert phrase in TEXT
    said = re.findall(r"-?\d[\d,]*\.\d+", phrase)
    computed = NUMBERS[phrase]()
    assert said == [
        f"{x:,.{len(number.partition('.')[2])}f}" for x, number in zip(computed, said, strict=True)
    ]
