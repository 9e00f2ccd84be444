"""Small errors, errors only at some batches, and errors beside a constant that has no effect."""

import numpy as np
import pytest
from check.plain import unit

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


@pytest.mark.parametrize(("rows", "holds"), [(len, True), (lambda scores: 4, False)])
def test_a_gradient_is_compared_at_two_batch_sizes(rows, holds):
    def backward(scores):
        return (np.exp(log_softmax(scores)) - np.eye(len(scores))) / rows(scores)

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
        slope = (np.exp(log_softmax(scores / temperature)) - np.eye(len(scores))) / len(scores) / temperature
        return slope * (0.5 if is_half(scores, temperature) else 1)

    report = check(loss, is_="cpc", backward=backward, inputs="scores", dtype=dtype)
    assert report.holds is not bool(words)
    assert words in report.verdicts["numerics"].sentence


class Layer:
    """CPC as a layer: backward is a method that uses what forward kept."""

    def __call__(self, scores):
        self.slope = (np.exp(log_softmax(scores)) - np.eye(len(scores))) / len(scores)
        return cpc(scores)

    def backward(self):
        return self.slope

    def backward_from(self, upstream):
        return upstream * self.slope

    def backward_twice(self, upstream):
        return 2 * upstream * self.slope

    def backward_by_name(self, upstream):
        return {"scores": upstream * self.slope}

    def backward_alone(self, upstream):
        return self.slope


class Child(Layer):
    pass


@pytest.mark.parametrize("loss", [Layer, Child()])
@pytest.mark.parametrize(
    ("backward", "word"),
    [
        (Layer.backward, "right"),
        (Layer.backward_from, "right"),
        (Layer.backward_by_name, "right"),
        (Layer.backward_twice, "wrong"),
        (Layer.backward_alone, "wrong"),  # it ignores the upstream
    ],
)
def test_a_backward_may_be_a_method_of_the_loss(loss, backward, word):
    report = check(loss, is_="cpc", tiers=("gradient",), backward=backward, inputs="scores")
    assert report.verdicts["gradient"].word == word


def test_no_line_mends_a_gradient_at_one_batch_size_alone():
    report = check(Layer, is_="cpc", tiers=("gradient",), backward=Layer.backward_alone, inputs="scores")
    assert not any("fix:" in line for line in report.fix)


class Cached:
    def __call__(self, scores):
        return cpc(scores), (np.exp(log_softmax(scores)) - np.eye(len(scores))) / len(scores)

    def backward(self, cache):
        return cache

    @staticmethod
    def backward_without_self(cache):
        return cache


@pytest.mark.parametrize("backward", [Cached.backward, Cached.backward_without_self])
def test_a_method_may_take_the_cache_of_forward(backward):
    assert check(Cached, is_="cpc", tiers=("gradient",), backward=backward, inputs="scores").holds


class OfEachRow(Layer):
    """CPC of each row, whose backward gets the slope by each."""

    def __call__(self, scores):
        super().__call__(scores)
        return -np.diag(log_softmax(scores))

    def backward_of_rows(self, upstream):
        return len(upstream) * upstream[:, None] * self.slope

    def backward_of_their_mean(self, upstream):
        return len(upstream) * upstream.mean() * self.slope


@pytest.mark.parametrize(
    ("backward", "mistakes"),
    [
        (OfEachRow.backward, []),
        (OfEachRow.backward_of_rows, []),
        (OfEachRow.backward_of_their_mean, ["upstream mixed"]),
    ],
)
def test_the_gradient_of_each_row_is_multiplied_by_what_reaches_it(backward, mistakes):
    report = check(OfEachRow, is_="cpc", tiers=("gradient",), backward=backward, inputs="scores")
    assert [m.mistake for m in report.mistakes] == mistakes


def with_cache(scores):
    return cpc(scores), (np.exp(log_softmax(scores)) - np.eye(len(scores))) / len(scores)


def test_a_backward_may_take_what_reaches_the_loss_before_the_cache_of_forward():
    backward = lambda dout, cache: dout * cache  # noqa: E731 - as short as a reader expects
    report = check(with_cache, is_="cpc", tiers=("gradient",), backward=backward, inputs="scores")
    assert report.verdicts["gradient"].word == "right"


def of_two(a, b):
    return cpc(a @ b.T)


def slopes_of_two(a, b):
    e = (np.exp(log_softmax(a @ b.T)) - np.eye(len(a))) / len(a)
    return e @ b, e.T @ a


@pytest.mark.parametrize(
    "backward",
    [
        lambda a, b: dict(zip("ba", slopes_of_two(a, b)[::-1])),
        lambda a, b: np.stack(slopes_of_two(a, b)),
        lambda a, b, dL: [dL * slope for slope in slopes_of_two(a, b)],
        lambda a, b, v: [v * slope for slope in slopes_of_two(a, b)],
    ],
    ids=["by name", "stacked", "dL", "any name"],
)
def test_the_conventions_of_a_backward_are_understood(backward):
    report = check(of_two, is_="cpc", tiers=("gradient",), backward=backward, inputs="two")
    assert report.verdicts["gradient"].word == "right"


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
        return factor(scores) * (np.exp(log_softmax(scores)) - np.eye(len(scores))) / len(scores)

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
