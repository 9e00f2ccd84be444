"""Small errors, errors only at some batches, and errors beside a constant that has no effect."""

import numpy as np
import pytest
from check.plain import unit

from infonce_ref import textbook
from infonce_ref.catalogue import differentiate
from infonce_ref.check import Refused, check

TAU = 0.1


def log_softmax(scores):
    top = scores.max(axis=1, keepdims=True)
    return scores - top - np.log(np.exp(scores - top).sum(axis=1, keepdims=True))


def log_probabilities(rows):
    scores = unit(rows) @ unit(rows).T / TAU
    np.fill_diagonal(scores, -np.inf)
    return log_softmax(scores)


def ntxent(x, y, inside=0.0, added=0.0, times=1.0):
    p = np.exp(log_probabilities(np.concatenate([x, y])))
    n = len(p)
    return times * -np.log(p[np.arange(n), (np.arange(n) + n // 2) % n] + inside).mean() + added


def supcon(w, labels, alone=0):
    """alone: how much a row without a positive adds to the divisor."""
    positive = (labels[:, None] == labels) & ~np.eye(len(w), dtype=bool)
    count = positive.sum(axis=1)
    each = -np.where(positive, log_probabilities(w), 0).sum(axis=1) / np.maximum(count, 1)
    return each.sum() / np.where(count > 0, 1, alone).sum()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "name", "words"),
    [
        ({"inside": 1e-6}, "epsilon in the logarithm", "inside the logarithm"),
        ({"inside": 1e-3}, "epsilon in the logarithm", "inside the logarithm"),
        ({"added": 1e-6}, "constant added", "by a constant, +1e-06,"),
        ({"times": 1 + 1e-7}, "constant factor", "1 + 1e-07 times the loss"),
    ],
)
def test_a_small_number_is_named_as_such(options, name, words):
    report = check(ntxent, is_="ntxent", tiers=("formula",), **options)
    assert [m.mistake for m in report.mistakes] == [name]
    assert words in report.verdicts["formula"].sentence


@pytest.mark.parametrize(("alone", "mistakes"), [(0, []), (1, ["mean over all rows"])])
def test_a_row_alone_in_its_class_works_with_a_loss_that_has_its_own_temperature(alone, mistakes):
    report = check(supcon, is_="supcon", tiers=("formula",), alone=alone)
    assert [m.mistake for m in report.mistakes] == mistakes


def test_a_row_alone_in_its_class_is_asked_without_a_claim_too():
    verdict = check(supcon, inputs="classes", tiers=("formula",), alone=1).verdicts["formula"]
    words = "supcon, but rows without a positive are counted in the divisor"
    assert verdict == ("wrong", False, words)


def cpc(scores):
    return -np.diag(log_softmax(scores)).mean()


def slope_of(scores):
    return (np.exp(log_softmax(scores)) - np.eye(len(scores))) / len(scores)


@pytest.mark.parametrize(("rows", "holds"), [(len, True), (lambda scores: 4, False)])
def test_a_gradient_is_compared_at_two_batch_sizes(rows, holds):
    def backward(scores):
        return slope_of(scores) * len(scores) / rows(scores)

    report = check(cpc, is_="cpc", tiers=("gradient",), backward=backward, inputs="scores")
    assert report.holds is holds
    assert [m.mistake for m in report.mistakes] == ([] if holds else ["right at one batch size"])


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    ("is_half", "words"),
    [
        (lambda scores, tau: False, ""),
        (
            lambda scores, tau: scores.dtype == np.float32 and tau < 0.2,
            "in float32 at τ = 0.1: off by up to 0.5",
        ),
        (lambda scores, tau: tau < 0.2, "float32 at τ = 0.1"),
    ],
    ids=["right", "float32", "colder"],
)
def test_a_gradient_is_compared_in_float32_and_at_other_temperatures(is_half, words, dtype):
    def loss(scores, temperature=0.2):
        return cpc(scores / temperature)

    def backward(scores, temperature=0.2):
        return slope_of(scores / temperature) / temperature * (0.5 if is_half(scores, temperature) else 1)

    report = check(loss, is_="cpc", backward=backward, inputs="scores", dtype=dtype)
    assert report.holds is not bool(words)
    assert words in report.verdicts["numerics"].sentence


class Layer:
    """CPC as a layer: backward is a method that uses what forward kept."""

    def __call__(self, scores):
        self.slope = slope_of(scores)
        return cpc(scores)

    def backward(self):
        return self.slope

    def times(self, upstream):
        return upstream * self.slope

    def by_name(self, upstream):
        return {"scores": upstream * self.slope}

    def twice(self, upstream):
        return 2 * upstream * self.slope

    def alone(self, upstream):
        return self.slope


class Child(Layer):
    pass


class OfEachRow(Layer):
    """CPC of each row, whose backward gets the slope by each."""

    def __call__(self, scores):
        super().__call__(scores)
        return -np.diag(log_softmax(scores))

    def by_row(self, upstream):
        return len(upstream) * upstream[:, None] * self.slope

    def by_mean(self, upstream):
        return len(upstream) * upstream.mean() * self.slope


class Cached:
    def __call__(self, scores):
        return cpc(scores), slope_of(scores)

    def backward(self, cache):
        return cache

    @staticmethod
    def without_self(cache):
        return cache


def of_two(a, b):
    return cpc(a @ b.T)


def slopes(a, b):
    e = slope_of(a @ b.T)
    return e @ b, e.T @ a


BACKWARDS = [  # a loss, its backward, and its mistakes
    *((loss, b, []) for loss in (Layer, Child()) for b in (Layer.backward, Layer.times, Layer.by_name)),
    (Layer, Layer.twice, ["gradient twice"]),
    (Layer, Layer.alone, ["upstream ignored"]),
    (OfEachRow, OfEachRow.backward, []),
    (OfEachRow, OfEachRow.by_row, []),
    (OfEachRow, OfEachRow.by_mean, ["upstream mixed"]),
    (Cached, Cached.backward, []),
    (Cached, Cached.without_self, []),
    (lambda scores: (cpc(scores), slope_of(scores)), lambda dout, cache: dout * cache, []),
    (of_two, lambda a, b: dict(zip("ba", slopes(a, b)[::-1])), []),
    (of_two, lambda a, b: np.stack(slopes(a, b)), []),
    (of_two, lambda a, b, dL: [dL * slope for slope in slopes(a, b)], []),
    (of_two, lambda a, b, v: [v * slope for slope in slopes(a, b)], []),
]


@pytest.mark.parametrize(("loss", "backward", "mistakes"), BACKWARDS)
def test_a_backward_is_called_as_it_asks(loss, backward, mistakes):
    inputs = "two" if loss is of_two else "scores"
    report = check(loss, is_="cpc", tiers=("gradient",), backward=backward, inputs=inputs)
    assert [m.mistake for m in report.mistakes] == mistakes
    assert report.verdicts["gradient"].word == ("wrong" if mistakes else "right")


def test_a_backward_that_cannot_be_called_is_refused_and_not_wrong():
    with pytest.raises(Refused, match="could not be asked: missing a required argument: 'more'"):
        check(of_two, tiers=("gradient",), backward=lambda a, b, more, other: None, inputs="two")


@pytest.mark.parametrize(
    ("factor", "name", "words"),
    [
        (lambda scores: 2, "gradient times a constant", "is 2 times the exact one"),
        (len, "gradient times a number that varies", "4 times the exact one at 4 pairs, and 6 times at 6"),
        (cpc, "gradient times a number that varies", "at one point, and "),
        (lambda scores: 1e3 * (1 + 1e-6 * scores), "gradient wrong", "no mixture of its parts"),
    ],
)
def test_a_gradient_is_called_a_multiple_only_if_it_is_one_at_every_point(factor, name, words):
    def backward(scores):
        return factor(scores) * slope_of(scores)

    report = check(cpc, tiers=("gradient",), backward=backward, inputs="scores")
    assert [m.mistake for m in report.mistakes] == [name]
    assert words in report.verdicts["gradient"].sentence


def ntxent_in_float32(x, y, temperature=0.1, times=1.0):
    rows = unit(np.concatenate([x, y]).astype(np.float32))
    scores = rows @ rows.T / (times * temperature)
    np.fill_diagonal(scores, -np.inf)
    n = len(rows)
    return -log_softmax(scores)[np.arange(n), (np.arange(n) + n // 2) % n].mean()


@pytest.mark.parametrize(
    ("times", "mistakes"),
    [(1.0, []), pytest.param(1.003, ["another temperature"], marks=pytest.mark.slow)],
)
def test_a_wrong_temperature_is_not_the_rounding_of_float32(times, mistakes):
    report = check(ntxent_in_float32, is_="ntxent", tiers=("formula",), temperature=0.1, times=times)
    assert [m.mistake for m in report.mistakes] == mistakes


def of_unit_rows(x, y):
    return textbook.cpc_of_rows(textbook.unit(x), textbook.unit(y), TAU)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda by_x, by_y, length: (by_x * length, by_y),
            "by the first view alone, the projected gradient is",
        ),
        (lambda by_x, by_y, length: (by_x[::-1], by_y), "right, and stands in another row's place"),
    ],
)
def test_a_gradient_that_is_wrong_in_one_input_or_in_its_order_is_named(change, words):
    def backward(x, y):
        by_x, by_y = (differentiate(of_unit_rows, {"x": x, "y": y}, name) for name in "xy")
        return change(by_x, by_y, np.linalg.norm(x, axis=1, keepdims=True))

    report = check(of_unit_rows, is_="cpc", tiers=("gradient",), backward=backward, inputs="two")
    assert words in report.verdicts["gradient"].sentence
