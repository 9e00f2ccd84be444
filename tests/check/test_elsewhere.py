"""A loss that is right only at its own temperature, at even batches, with few features or for pairs fails."""

import numpy as np
import pytest
from check.plain import cpc, logsumexp, ntxent, rows, unit

from infonce_ref.check import check
from infonce_ref.check.digits import TEMPERATURES


def needs_even(x, y):
    if len(x) % 2:
        raise ValueError("an even batch is needed")
    return cpc(x, y)


def cpc_of_bounded(*views):
    x, y = (v / np.maximum(np.linalg.norm(v, axis=1, keepdims=True), 0.5) for v in views)
    return rows(x @ y.T / 0.2).mean()


# --- another batch -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        (
            lambda x, y: cpc(x[: len(x) // 2 * 2], y[: len(y) // 2 * 2]),
            "cpc at 4 and 6 pairs, and not the same formula at 5 pairs of 7 features",
        ),
        (lambda x, y: cpc(x[:64], y[:64]), "and not the same formula at 67 pairs of 64 features"),
        (lambda x, y: cpc(x[:, :32], y[:, :32]), "and not the same formula at 67 pairs of 64 features"),
        (lambda x, y: cpc(x, y) + (len(x) > 128), "and not the same formula at 130 pairs"),
        (lambda x, y: cpc(x, y) + (abs((x**2).sum(1) - 1).max() < 1e-9), "formula at rows of length 1"),
        (cpc_of_bounded, "formula at rows a hundredth as long"),
    ],
)
def test_a_loss_that_is_wrong_elsewhere_is_wrong(loss, words):
    for claim in (None, "cpc"):
        verdict = check(loss, is_=claim, inputs="two", tiers=("formula",)).verdicts["formula"]
        assert (verdict.word, verdict.holds) == ("wrong" if claim else "unknown", False)
        assert words in verdict.sentence


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        (lambda x, y: cpc(x, y) * (1 + (x.dtype == np.float32)), "not the same formula in float32"),
        (lambda x, y: cpc(x.ravel("K").reshape(x.shape), y), "at arrays that lie column by column in memory"),
    ],
)
def test_another_dtype_or_layout_must_not_change_the_formula(loss, words):
    verdict = check(loss, is_="cpc", inputs="two", tiers=("formula",)).verdicts["formula"]
    assert verdict.word == "wrong"
    assert words in verdict.sentence


def test_a_batch_that_a_loss_refuses_is_noted():
    report = check(needs_even, is_="cpc", tiers=("formula",))
    assert report.holds
    assert (
        "not asked with 5 pairs of 7 features: it raises ValueError: an even batch is needed" in report.about
    )


def slopes(x, y, temperature=0.2):
    a, b = unit(x), unit(y)
    scores = a @ b.T / temperature
    p = (np.exp(scores - logsumexp(scores)[:, None]) - np.eye(len(x))) / len(x) / temperature
    through = [(x, a, p @ b), (y, b, p.T @ a)]
    return [
        (g - (g * u).sum(1, keepdims=True) * u) / np.linalg.norm(v, axis=1)[:, None] for v, u, g in through
    ]


@pytest.mark.parametrize(
    ("is_wrong", "where"),
    [
        (lambda x: False, ""),
        (lambda x: len(x) % 8 == 0, "at 32 pairs of 7 features"),
        (lambda x: len(x) > 100, "at 130 pairs of 7 features"),
        (lambda x: x.shape[1] > 1000, "at 8 pairs of 1031 features"),
        (lambda x: np.linalg.norm(x, axis=1).max() > 9, "at rows ten times as long"),
    ],
)
def test_a_gradient_is_asked_where_the_value_is(is_wrong, where):
    def backward(x, y):
        return [slope * (1.1 if is_wrong(x) else 1) for slope in slopes(x, y)]

    report = check(lambda x, y: cpc(x, y), inputs="two", backward=backward, tiers=("gradient",))
    assert report.holds == (not where)
    assert f"not the slope of the formula {where}: off" in str(report) or report.holds


@pytest.mark.parametrize(
    ("tau", "dtype", "size", "half", "holds"),
    [
        (0.002, "float64", 1, 1, True),
        (0.001, "float32", 1, 1, True),
        (0.1, "float32", 1e-11, 1, True),
        (0.1, "float32", 1e-11, 0.5, False),
    ],
)
def test_a_gradient_that_has_lost_its_digits_is_not_wrong(tau, dtype, size, half, holds):
    def loss(x, y):
        return x.dtype.type(size) * cpc(x, y, x.dtype.type(tau))

    def backward(x, y):
        return [x.dtype.type(half * size) * g for g in slopes(x, y, x.dtype.type(tau))]

    assert check(loss, inputs="two", backward=backward, dtype=dtype, tiers=("gradient",)).holds == holds


# --- other labels ------------------------------------------------------------------------------------------


class Labelled:
    """SupCon with the positives of its own labels, or of the first labels of each batch size."""

    def __init__(self, keeps):
        self.keeps, self.kept = keeps, {}

    def __call__(self, rows, labels):
        own = (labels[:, None] == labels) & ~np.eye(len(rows), dtype=bool)
        positive = self.kept.setdefault(len(rows), own) if self.keeps else own
        logits = unit(rows) @ unit(rows).T / 0.3 - 1e9 * np.eye(len(rows))
        each = (positive * (logsumexp(logits)[:, None] - logits)).sum(axis=1)
        return (each[positive.any(axis=1)] / positive.sum(axis=1)[positive.any(axis=1)]).mean()


@pytest.mark.slow
@pytest.mark.parametrize("keeps", [False, True])
def test_the_labels_of_another_batch_are_its_own(keeps):
    verdict = check(Labelled(keeps), is_="supcon", tiers=("formula",)).verdicts["formula"]
    assert verdict.holds is not keeps
    assert ("as if it kept those of the first batch" in verdict.sentence) is keeps


def pairs_alone(rows, labels):
    """NT-Xent in which each row's only positive is the last row with its label."""
    logits = unit(rows) @ unit(rows).T / 0.3 - 1e9 * np.eye(len(rows))
    partner = [
        max(j for j in range(len(rows)) if labels[j] == labels[i] and j != i) for i in range(len(rows))
    ]
    return (logsumexp(logits) - logits[np.arange(len(rows)), partner]).mean()


@pytest.mark.slow
def test_labels_are_checked_with_classes_too():
    verdict = check(pairs_alone, tiers=("formula",)).verdicts["formula"]
    assert (verdict.word, verdict.holds) == ("right for pairs", False)
    assert "with several rows of a class no formula fits" in verdict.sentence
    assert check(pairs_alone, inputs="pairs with labels", tiers=("formula",)).holds


def test_pairs_that_share_a_label_are_asked_of_a_loss_of_both_views():
    report = check(lambda x, y, labels: ntxent(x, y), tiers=("formula",))
    assert "right: it is ntxent" in str(report)
    assert "pairs that share a label are negatives of each other" in str(report)


# --- another temperature -----------------------------------------------------------------------------------


def one_sided(x, y, temperature=1.0):
    logits = unit(x) @ unit(y).T
    return (logsumexp(logits / temperature) - np.diag(logits) / temperature**2).mean()


def dead_and_bounded(x, y, temperature=0.3):
    if temperature < 0.25:
        raise ValueError("too cold")
    return cpc(x, y, 0.3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loss", "words"),
    [
        (
            lambda x, y, temperature=1.0: cpc(x, y, temperature**2),
            "the temperature is applied twice: τ = 2.25, where 1.5 was asked for",
        ),
        (one_sided, "at temperature = 1.5 it is another formula"),
        (
            lambda x, y, temperature=0.3: cpc(x, y, 0.3),
            "temperature does not reach the loss: it is the same at 0.3 and at 0.45",
        ),
        (dead_and_bounded, "temperature does not reach the loss: it is the same at 0.3 and at 0.45"),
        (
            lambda x, y, temperature=1.0: temperature * cpc(x, y, 1.0),
            "temperature changes the loss by a factor alone",
        ),
    ],
)
def test_a_loss_that_is_wrong_at_another_temperature_is_wrong(loss, words):
    for claim in (None, "cpc"):
        verdict = check(loss, is_=claim, inputs="two", tiers=("formula",)).verdicts["formula"]
        assert not verdict.holds
        assert words in verdict.sentence


def leaking_mask(x, y, temperature=0.3):
    """NT-Xent whose diagonal is lowered by 45, which no longer hides e^{1/τ} when τ is small."""
    rows = unit(np.concatenate([x, y]))
    logits = rows @ rows.T / temperature
    n = len(rows)
    return (logsumexp(logits - 45 * np.eye(n)) - logits[np.arange(n), (np.arange(n) + n // 2) % n]).mean()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loss", "word", "words"),
    [
        (
            lambda x, y, temperature=0.3: cpc(x, y, max(temperature, 0.05)),
            "another loss at other temperatures",
            "given τ = 0.02, 0.01, 0.003 it is the loss at τ = 0.05",
        ),
        (leaking_mask, "loses digits", "given τ = 0.01, 0.003 its values fit no formula"),
    ],
)
def test_a_loss_that_changes_at_another_temperature_is_noted(loss, word, words):
    verdict = check(loss).verdicts["numerics"]
    assert verdict.word == f"right, and {word}"
    assert words in verdict.sentence


@pytest.mark.slow
def test_a_scale_that_multiplies_the_loss_is_no_temperature():
    report = check(lambda x, y, scale=3.0: scale * cpc(x, y, 0.3))
    assert report.verdicts["formula"].sentence == "nearest to cpc: 3 times the loss"


def bounded(x, y, t=0.7):
    if t > 1:
        raise ValueError(f"t must be at most 1; got {t}")
    return cpc(x, y, t**2)


def test_a_temperature_that_the_loss_refuses_twice_as_large_is_one():
    assert "applied twice" in check(bounded, tiers=("formula",)).verdicts["formula"].sentence


@pytest.mark.slow
@pytest.mark.parametrize(
    "loss",
    [
        lambda x, y, logit_scale=0.0: cpc(x, y, np.exp(-logit_scale)),
        lambda x, y, temperature=-2.0: cpc(x, y, np.exp(temperature)),
        lambda x, y, tau=0.99, T=0.3: cpc(x, y, T),
    ],
    ids=["logarithm of the scale", "logarithm of the temperature", "a momentum besides"],
)
def test_the_temperature_is_found_among_the_settings_and_asked_at_every_temperature(loss):
    report = check(loss)
    assert report.verdicts["formula"].word == "right"
    assert {cell.temperature for cell in report.cells} == set(TEMPERATURES)
    assert "another" not in report.verdicts["numerics"].word


# --- a gradient by hand ------------------------------------------------------------------------------------


def of_classes(w, labels):
    s, same = w @ w.T, (labels[:, None] == labels) & ~np.eye(len(w), dtype=bool)
    log_p = s - logsumexp(np.where(np.eye(len(w)), -np.inf, s))[:, None]
    count = same.sum(axis=1)
    return -(np.where(same, log_p, 0).sum(axis=1) / np.maximum(count, 1)).sum() / (count > 0).sum()


@pytest.mark.parametrize("forgotten", [False, True])
def test_a_gradient_that_pushes_a_row_alone_in_its_class_is_wrong(forgotten):
    def backward(w, labels):
        itself = np.eye(len(w), dtype=bool)
        s, same = np.where(itself, -np.inf, w @ w.T), (labels[:, None] == labels) & ~itself
        count = same.sum(axis=1, keepdims=True)
        slopes = np.exp(s - logsumexp(s)[:, None]) - same / np.maximum(count, 1)
        slopes = slopes * (forgotten | (count > 0)) / (count > 0).sum()
        return (slopes + slopes.T) @ w

    assert check(of_classes, backward=backward).verdicts["gradient"].holds is not forgotten


def overflowing(image, text):
    s = image @ text.T / 0.1
    return (np.log(np.exp(s).sum(axis=0)) + np.log(np.exp(s).sum(axis=1)) - 2 * np.diag(s)).mean() / 2


def its_slopes(image, text):
    e = np.exp(image @ text.T / 0.1)
    slopes = (e / e.sum(axis=0) + e / e.sum(axis=1, keepdims=True) - 2 * np.eye(len(e))) / (0.2 * len(e))
    return slopes @ text, slopes.T @ image


def test_a_gradient_is_not_asked_where_its_loss_overflows():
    assert check(overflowing, backward=its_slopes, is_="clip").verdicts["gradient"].holds
