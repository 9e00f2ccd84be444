"""A loss that is right only at small even batches, or only at its own temperature, fails."""

import numpy as np
import pytest
from few import few

from infonce_ref.conformance import check


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def log_sums(logits):
    top = logits.max(axis=1)
    return np.log(np.exp(logits - top[:, None]).sum(axis=1)) + top


def cpc(x, y, temperature=0.3, positive=None):
    logits = unit(x) @ unit(y).T
    return (log_sums(logits / temperature) - np.diag(logits) / (positive or temperature)).mean()


def odd(x, y):
    return cpc(x[: len(x) // 2 * 2], y[: len(y) // 2 * 2])


def first_rows(x, y):
    return cpc(x[:64], y[:64])


def first_features(x, y):
    return cpc(x[:, :32], y[:, :32])


def twice(x, y, temperature=1.0):
    return cpc(x, y, temperature**2)


def one_sided(x, y, temperature=1.0):
    return cpc(x, y, temperature, positive=temperature**2)


def dead(x, y, temperature=0.3):
    return cpc(x, y, 0.3)


def factor_alone(x, y, temperature=1.0):
    return temperature * cpc(x, y, 1.0)


def needs_even(x, y):
    if len(x) % 2:
        raise ValueError("an even batch is needed")
    return cpc(x, y)


@pytest.mark.parametrize(
    ("loss", "words"),
    few(
        [
            (odd, "cpc at 4 and 6 pairs, and not the same formula at 5 pairs of 5 features"),
            (first_rows, "and not the same formula at 67 pairs of 64 features"),
            (first_features, "and not the same formula at 67 pairs of 64 features"),
            (twice, "the temperature is applied twice: τ grows as the square of temperature"),
            (one_sided, "at temperature = 1.5 it is another formula"),
            (dead, "temperature does not reach the loss: it is the same at 0.3 and at 0.45"),
            (factor_alone, "temperature changes the loss by a factor alone"),
        ],
        kept=lambda case: case[0] is dead,
    ),
)
def test_a_loss_that_is_wrong_elsewhere_is_wrong(loss, words):
    for claim in (None, "cpc"):
        verdict = check(loss, is_=claim, inputs="two", tiers=("formula",)).verdicts["formula"]
        assert not verdict.holds
        assert words in verdict.sentence


def test_a_batch_that_a_loss_refuses_is_noted():
    report = check(needs_even, is_="cpc", tiers=("formula",))
    assert report.holds
    assert "not asked at 5 pairs of 5 features: it raises ValueError: an even batch is needed" in report.about


def scores_alone(scores):
    return (log_sums(scores) - np.diag(scores)).mean()


@pytest.mark.parametrize("largest", [64, 100])
def test_a_gradient_is_checked_at_more_than_64_rows(largest):
    def backward(scores):
        p = np.exp(scores - log_sums(scores)[:, None]) - np.eye(len(scores))
        return p / len(scores) * (len(scores) <= largest)

    verdict = check(scores_alone, inputs="scores", backward=backward).verdicts["gradient"]
    assert verdict.holds is (largest == 100)
    assert ("and not the slope of the formula at 67 pairs" in verdict.sentence) is (largest == 64)


def pairs_alone(rows, labels):
    """NT-Xent in which each row's only positive is the last row with its label."""
    logits = unit(rows) @ unit(rows).T / 0.3 - 1e9 * np.eye(len(rows))
    partner = [
        max(j for j in range(len(rows)) if labels[j] == labels[i] and j != i) for i in range(len(rows))
    ]
    return (log_sums(logits) - logits[np.arange(len(rows)), partner]).mean()


@pytest.mark.slow
def test_labels_are_checked_with_classes_too():
    verdict = check(pairs_alone, tiers=("formula",)).verdicts["formula"]
    assert (verdict.word, verdict.holds) == ("right for pairs", False)
    assert "with several rows of a class no formula fits" in verdict.sentence
    assert check(pairs_alone, inputs="pairs with labels", tiers=("formula",)).holds
