"""The numbers that the words of a lesson give, computed: each phrase stands in a lesson, and its numbers are right.

The numbers of a phrase are those with decimals, in their order; each was rounded to the decimals that it shows.
What stands in $…$ is read by `test_prose.py`, what a solution says is printed by its code.
"""

import math
import re
from collections.abc import Callable

import numpy as np
import pytest

from infonce_ref.derivations.pages.lesson import lessons, texts
from infonce_ref.figures import collapse
from infonce_ref.losses import cpc

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


def past_the_bound() -> tuple[float, ...]:
    """log N − 𝓛 of a fair bit and the keys ±1: with two keys across every query, and with four copies of one."""

    def loss(*logits: float) -> float:
        return float(cpc.forward(np.array([logits]), positive=np.array([0]))[0])

    across = loss(2.0, 0.0, 0.0)  # τ = 1/2
    copies = (
        loss(10.0, *[10.0] * 4) + loss(10.0, *[-10.0] * 4)
    ) / 2  # τ = 1/10: of its own bit, and of the other
    return math.log(2), math.log(3) - across, math.log(5) - copies


def jitter() -> tuple[float, float, float]:
    """The momentum; the variance of its average of noise, the sum of the squares of its weights; what swings less."""
    variance = float(np.sum(((1 - 0.999) * 0.999 ** np.arange(100_000)) ** 2))
    return 0.999, variance, 1 / math.sqrt(variance)


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
    return 0.25, 0.5, b, a


def spread(*runs: str) -> tuple[float, ...]:
    """At the end of runs of the figure `collapse`."""
    return tuple(collapse.measured()[run][-1] for run in runs)


# --- the lesson on CLIP ---------------------------------------------------------------------------------


def four_pairs(nearer: float) -> tuple[float, float, float]:
    """The rows' loss and the columns', where the control begins; what the images give to the second text."""
    scores = (0.1 + 0.4 * np.eye(4) + nearer * (np.arange(4) == 1)) / 10**-0.7
    (rows, answers), (columns, _) = (cpc.forward(x, positive=np.arange(4)) for x in (scores, scores.T.copy()))
    popularity = 1 + 4 * cpc.backward(answers).scores.sum(axis=0)
    return float(rows), float(columns), float(popularity[1])


def a_hub() -> tuple[float, float, float]:
    fair, begins = four_pairs(0.0), four_pairs(0.3)
    assert abs(begins[1] - fair[1]) < 1e-12  # the columns do not see it
    return begins[1], fair[0], begins[0]


NUMBERS: dict[str, Callable[[], tuple[float, ...]]] = {
    "The two share 7.70 nats. Give the loss the best score there is, so that nothing is left to learn: the"
    " estimate is 5.21 with 256 candidates, 5.81 with 512, 6.37 with 1,024.": misread,
    "With 256 candidates for each anchor it climbs to 5.2 and stays there.": lambda: misread()[1:2],
    "the same encoder, on the same data, has 5.8.": lambda: misread()[2:3],
    "A fair coin has 0.693 nats; read with one error in ten, it shares 0.368 of them": coin,
    "of 2.177 nats the estimate shows 1.474. With 64 candidates it is 2.080, with 512 it is 2.165.": lambda: (
        symbol_read(16, 0.1)[0],
        *(estimate(n, 16, 0.1) for n in (8, 64, 512)),
    ),
    "with 32,768 candidates it is 7.65 of them": lambda: (estimate(32768, 4096, 0.05),),
    "A question with 256 possible answers cannot show that a pupil knows more than 5.545 nats": lambda: (
        math.log(256),
    ),
    "less the loss is 0.6952, and the truth is 0.6931.": five_images,
    "At the temperature of 0.2, where it begins, the batch alone pulls with 0.93 of the full force.": lambda: (
        0.2,
        pulls(0.2)[0],
    ),
    "Now go down to 0.07, MoCo's own temperature. The pull of the batch drops to 0.05, and that of the queue is still"
    " 0.93.": lambda: (0.07, *pulls(0.07)),
    "Let the views share one fair bit, 0.693 nats. Fill the queue with two keys of an encoder that is no more, which"
    " put them at a right angle to every query: $\\log 3$ less the loss is 0.859. Fill it with four copies of one"
    " image's key: $\\log 5$ less the loss is 0.805.": past_the_bound,
    "for 0.999 about 0.0005, so it swings 44.7 times less.": jitter,
    "the loss of the texts stays at 0.339 wherever it stands, while that of the images rises from 0.339, where it is 0,"
    " to 0.493, where it begins.": a_hub,
    "the images give it 1.89 answers, where 1 is its due": lambda: (four_pairs(0.3)[2],),
    "An image that is given 1.9 has a row of $G$ that sums to 0.9,": lambda: (1.9, 1.9 - 1),
    "Untrained it is 0.846. After 600 steps with the stop-gradient it is 0.952, and without it 0.039": lambda: (
        collapse.measured()["SimSiam, without"][0],
        *spread("SimSiam, with the stop-gradient", "SimSiam, without"),
    ),
    "0.945 with the average, 0.948 with a target from the trained network itself, held constant, and 0.028": lambda: (
        spread(
            "BYOL, target an average",
            "BYOL, target the online network, held constant",
            "BYOL, target the online network, trained",
        )
    ),
    "Say that $v$ is 0.25, and begin with $a$ at 1 and $b$ at 0.5. Without the stop-gradient $a$ goes to 0. With it $b$"
    " comes to rest at 0.80 and $a$ at 1.18.": comes_to_rest,
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
