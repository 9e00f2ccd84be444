"""Numbers in lessons that were measured with the library: on random rows, or in the run of a figure.

The page builder checks numbers that an expression gives, see `derivations/pages/formula.py`.
"""

import json
import math
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import record_run

from infonce_ref.algorithms import ALL
from infonce_ref.algorithms.train import advance, begin, one_thread
from infonce_ref.derivations.pages import controls
from infonce_ref.derivations.pages.formula import WRITTEN
from infonce_ref.derivations.pages.lesson import CODE, QUOTATION, Lesson, lessons, texts
from infonce_ref.figures import collapse, drift_of_keys, gradient_against_similarity, measurements
from infonce_ref.losses import cpc, dhn_nce
from infonce_ref.pairs import WeightMode

# --- the lesson on the sphere ---------------------------------------------------------------------------


def hardest_pushed() -> float:
    """The maximum that the figure marks with a star, by its closed form, on a fine grid."""
    s = np.linspace(0, 1, 100001)
    return float(s[np.argmax(gradient_against_similarity.closed_form("negative", s, 0.1))])


@cache
def random_scores(draws: int, count: int) -> np.ndarray:
    """In each draw, scores of random unit rows of 128 features for the anchor (1, 0, …)."""
    rng = np.random.default_rng(0)
    first, others = rng.standard_normal((draws, count)), rng.chisquare(127, (draws, count))
    return first / np.sqrt(first**2 + others)


def against_random(draws: int, count: int, own: float, temperature: float) -> tuple[np.ndarray, np.ndarray]:
    """In each draw, the loss of a positive of this score, and the gradient by the logits."""
    logits = np.pad(random_scores(draws, count), ((0, 0), (1, 0)), constant_values=own) / temperature
    loss, cache = cpc.forward(logits, positive=np.zeros(draws, int), reduction="none")
    return loss, cpc.backward(cache, np.ones(draws)).scores


def counting(temperature: float, *percentiles: int) -> tuple[float, ...]:
    """The effective number of negatives in a hundred, e to the entropy of the shares of 8,190 random negatives."""
    _, gradient = against_random(1000, 8190, 1, temperature)
    share = gradient[:, 1:] / -gradient[:, :1]
    found = 100 * np.exp(-np.sum(share * np.log(share), axis=1)) / 8190
    return temperature, *np.percentile(found, percentiles)


# --- the lesson on MoCo ---------------------------------------------------------------------------------


def random_pulls() -> tuple[float, ...]:
    """1 − P at τ = 0.07 for a positive of 0.6, with as many random rows as in a batch, and as in a queue."""
    return tuple(
        float(np.median(-against_random(draws, count, 0.6, 0.07)[1][:, 0]))
        for draws, count in ((1000, 255), (50, 65536))
    )


def drift(momentum: float) -> drift_of_keys.Found:
    """The drift at the end of that run in the figure `drift_of_keys`."""
    return drift_of_keys.read()[momentum][-1]


# --- the lesson on BYOL and SimSiam ---------------------------------------------------------------------


def one_feature(a: float, b: float, v: float, *, stop_gradient: bool) -> tuple[float, float]:
    """The equilibrium of the encoder's and the predictor's factors, from their derivatives."""
    for _ in range(20_000):
        wrong = (1 + v) * b - 1
        by_a = a * b * wrong if stop_gradient else a * ((1 + v) * (b**2 + 1) - 2 * b)
        a, b = a - 0.01 * by_a, b - 0.01 * a**2 * wrong
    return a, b


def spread(family: str) -> tuple[float, ...]:
    """The spread at the end of each run in the figure `collapse`, in their order."""
    return tuple(
        curve[-1] for run, curve in measurements.read(collapse.__file__).items() if run.startswith(family)
    )


# --- the lesson on DHN-NCE ------------------------------------------------------------------------------


def attracted(beta: float, weights: WeightMode = "differentiated", *, count: int) -> tuple[float, float]:
    """With the control's initial settings: the attraction of that many negatives, and the push on the
    hardest.
    """
    # the other images score equally with every text, so no text selects the first image
    similarities = np.full((13, 13), 100.0)
    similarities[0] = [0.6, *np.linspace(0.5, -0.5, 12)]
    settings = {"temperature": 0.6, "beta1": beta, "beta2": 0.0}
    _, cache = dhn_nce.forward(similarities, np.eye(13), weights=weights, **settings)
    slopes = 0.6 * dhn_nce.backward(cache).image[0, 1:]
    assert np.sum(slopes < -1e-9) == count
    return float(-slopes[slopes < -1e-9].sum()), float(slopes[0])


# --- the lesson on what the loss does not say -----------------------------------------------------------


def ended(temperature: float, *names: str) -> tuple[float, ...]:
    """What the last checkpoint of this temperature in the recorded run has."""
    (last,) = (
        p for p in controls.CONTROLS["run"].points if (p["temperature"], p["step"]) == (temperature, 600)
    )
    return tuple(last[name] for name in names)


# Each phrase occurs in a lesson; the numbers are in the phrase's order.
NUMBERS: dict[str, Callable[[], tuple[float, ...]]] = {
    # sphere
    "At the temperature 0.5, 98.5 in a hundred of them count": lambda: counting(0.5, 50),
    "at 0.1 it is still 67.9, at 0.05 only 22.5": lambda: counting(0.1, 50) + counting(0.05, 50),
    "and at 0.02 no more than 0.30, some 25 rows.": lambda: counting(0.02, 50),
    "it is from 18.9 to 25.1 at 0.05": lambda: (*counting(0.05, 5, 95)[1:], 0.05),
    "and from 0.04 to 0.84 at 0.02": lambda: (*counting(0.02, 5, 95)[1:], 0.02),
    "the push is largest at a similarity of 0.692.": lambda: (hardest_pushed(),),
    # moco
    "for random rows of 128 features the medians are 0.095 and 0.965": random_pulls,
    "a key of the copy is 0.052 short of a cosine of 1": lambda: (drift(0.0).drift,),
    "With 0.9 it is 0.012, with 0.99 it is 0.0002.": lambda: (0.9, drift(0.9).drift, 0.99, drift(0.99).drift),
    "At the end the copy stands at 5.46 nats and 0.99 at 4.90.": lambda: (
        drift(0.0).loss,
        0.99,
        drift(0.99).loss,
    ),
    # estimators: the information at the control's initial settings: 32 symbols, one in ten replaced by
    # another
    "SMILE shows five nats of 2.8, and no batch will cure it.": lambda: (
        math.log(32) + 0.9 * math.log(0.9) + 0.1 * math.log(0.1 / 31),
    ),
    # information, clip, negatives: identified by their context
    "A loss of 0 would give 5.545, and that is all that 256 candidates can": lambda: (math.log(256),),
    "One that is given 0.2, an image that nobody finds, has a row that sums to $-0.8$": lambda: (
        0.2,
        0.2 - 1,
    ),
    r"the factor is $1 + 0.1111 \cdot": lambda: (0.1 / (1 - 0.1),),
    # beyond
    "the lowest, 3.05 at a temperature of 0.05, has the probe 0.887,": lambda: ended(
        0.05, "loss", "temperature", "accuracy"
    ),
    "the best, 0.911, belongs to a loss of 4.20, at 0.5.": lambda: ended(
        0.5, "accuracy", "loss", "temperature"
    ),
    "it is least at 1.0, with 0.891.": lambda: ended(1.0, "temperature", "accuracy"),
    # byol
    "Untrained it is 0.846.": lambda: (measurements.read(collapse.__file__)["SimSiam, without"][0],),
    "After 600 steps with the stop-gradient it is 0.952, and without it 0.039": lambda: spread("SimSiam"),
    "0.945 with the average, 0.948 with a target from the trained network itself": lambda: spread("BYOL")[:2],
    "held constant, and 0.028 as soon as the gradient flows into it": lambda: spread("BYOL")[2:],
    # dhn_nce
    "four of them, with a force of 0.034 together.": lambda: attracted(1.0, count=4)[:1],
    "Raise the hardness to 2: seven are attracted, with 0.100.": lambda: attracted(2.0, count=7)[:1],
    "the hardest with 0.369 instead of 0.268": lambda: (
        attracted(1.0, count=4)[1],
        attracted(1.0, "constant", count=0)[1],
    ),
}

# Decimals that are in no formula of their section: premises, and numbers that follow from neighbouring ones.
# A person checked them; check again whatever you change.
GIVEN = (
    "A softmax says 0.7, 0.2 and 0.1, and the first answer is right.",
    "Suppose that the softmax says 0.7, 0.2 and 0.1, and the first answer is right.",
    "and pushes the others down with 0.2 and 0.1.",
    "with 8,192 candidates, your loss is 9.8.",
    "so 9.8 is a model that knows nothing",
    "and set the positive to 0.8:",
    "The views of a pair have the similarity 0.6, the temperature is 0.1,",
    "The loss begins near 9, comes down to 7.1 within a few epochs",
    "a positive of similarity 0.2",
    "$Y$ is $X$ with probability 0.9, else the other side",
    r"the entropy of $Y$ is $-0.9 \log 0.9 - 0.1 \log 0.1$",
    "0.9999 lags by ten thousand steps",
    "from $a$ at 0.5 and $b$ at 1.5",
    "has four positives, to which the softmax gives 0.4, 0.3, 0.2 and 0.05.",
    "and the positive has the similarity 0.9",
    "with a prior of 0.1 and a positive of similarity 0.9",
    "true pairs of a batch score 0.9, 0.9 and 0.3, image 1 and text 2 score 0.5, and all other false pairs 0.1",
    "Each image gets one more feature, 0.6, each text $-0.6$",
    "the prior is 0.1 and the positive's similarity 0.9",
    "From 100 batches, at a temperature of 0.1",
    "With 255 negatives at a temperature of 0.1",
)

TEXT = " ".join(text for lesson in lessons().values() for text in texts(lesson))
DECIMAL = re.compile(r"(?<![\w.,/])\d[\d,]*\.\d+")


@pytest.mark.parametrize("phrase", NUMBERS)
def test_the_numbers_of_a_phrase_are_recomputed(phrase):
    assert phrase in TEXT
    said = re.findall(r"-?\d[\d,]*\.\d+", phrase)
    assert said == [
        f"{x:,.{len(number.partition('.')[2])}f}" for x, number in zip(NUMBERS[phrase](), said, strict=True)
    ]


def sections(lesson: Lesson) -> list[str]:
    """Split a lesson at its headings; the text before the second heading introduces all sections."""
    opening, *others = re.split(r"^## ", "\n".join(texts(lesson)), flags=re.MULTILINE)
    return ["\n".join([opening, *others]), *others[1:]]


def find_loose_decimals(section: str) -> list[str]:
    """Find decimals in the words of a section that no formula or program of the section yields, to the digits
    shown.
    """
    for phrase in (*NUMBERS, *GIVEN):
        section = section.replace(phrase, " ")
    braces = re.compile(rf"{WRITTEN.pattern}|{QUOTATION.pattern}")
    checked = " ".join(found[0] for found in (*CODE.finditer(section), *braces.finditer(section)))
    known = [number.replace(",", "") for number in re.findall(r"\d[\d,]*\.?\d*", checked)]
    return [
        found
        for found in DECIMAL.findall(braces.sub(" ", CODE.sub(" ", section)))
        if not any(
            f"{float(number):.{len(found.partition('.')[2])}f}" == found.replace(",", "") for number in known
        )
    ]


@pytest.mark.parametrize("lesson", lessons().values(), ids=lessons())
def test_every_decimal_is_in_a_checked_formula_or_listed(lesson):
    loose = [
        (decimal, section[:40]) for section in sections(lesson) for decimal in find_loose_decimals(section)
    ]
    assert loose == []


@pytest.mark.parametrize("phrase", GIVEN)
def test_everything_listed_is_in_a_lesson(phrase):
    assert phrase in TEXT


@pytest.mark.parametrize(
    ("start", "stop_gradient", "rest"),
    [
        ((1.0, 0.5), True, (math.sqrt(1.39), 0.8)),
        ((1.0, 0.5), False, (0, None)),
        ((0.5, 1.5), True, (0, None)),
    ],
)
def test_one_feature_comes_to_rest(start, stop_gradient, rest):
    found = one_feature(*start, 0.25, stop_gradient=stop_gradient)
    for x, where in zip(found, rest, strict=True):
        # the curve is evaluated in steps of 0.01
        assert where is None or x == pytest.approx(where, abs=0.005)


@pytest.mark.slow
def test_the_first_checkpoint_of_the_recorded_run_can_be_repeated():
    kept, *_ = json.loads(Path(controls.__file__).with_name("run.json").read_text(encoding="utf-8"))
    with one_thread():
        run = advance(begin(ALL["simclr"], temperature=kept["temperature"]), kept["step"])
        again = record_run.describe(run)
    # three or four digits are kept; another BLAS sums float32 in another order, which the steps amplify
    assert again["loss"] == pytest.approx(kept["loss"], abs=5e-3)
    assert again["accuracy"] == pytest.approx(kept["accuracy"], abs=0.02)
    np.testing.assert_allclose(again["cosines"], kept["cosines"], rtol=0, atol=0.02)
