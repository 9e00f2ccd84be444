"""In which ways a loss takes its arrays, in which dtype it computes, and what it depends on."""

from contextlib import nullcontext

import numpy as np
import pytest

from infonce_ref.conformance import asking
from infonce_ref.conformance.asking import Facts, find_ways, measure_facts, measure_precision, normalise
from infonce_ref.conformance.inputs import WAYS, points
from infonce_ref.conformance.target import Refused, target


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def rows(logits):
    return np.log(np.exp(logits).sum(axis=1)) - np.diag(logits)


def cosines(x, y):
    return rows(unit(x) @ unit(y).T).mean()


def products(x, y):
    return rows(x @ y.T / 4).mean()


def keys_of_length_one(x, y):
    return rows(x @ unit(y).T).mean()


def both_ways(x, y):
    return cosines(x, y) + cosines(y, x)


def distances(x, y):
    return np.sum((x - y) ** 2)


def large(x, y):
    return 1e6 * distances(x, y)


def columns(x, y):
    return np.sum(x * x, axis=0).max() + np.sum(y * y, axis=0).max()


def one_after_another(x, y):
    return np.sum(np.arange(len(x)) * rows(unit(x) @ unit(y).T))


def ask(loss, way="two"):
    return next(found for found in find_ways(target(loss, {})) if found.name == way)


@pytest.mark.parametrize(
    ("loss", "facts"),
    [
        (cosines, {"first", "pairing"}),
        (products, {"length_of_x", "length_of_y", "first", "pairing"}),
        (keys_of_length_one, {"length_of_x", "first", "pairing"}),
        (both_ways, {"pairing"}),
        (distances, {"length_of_x", "length_of_y", "pairing"}),
        (large, {"length_of_x", "length_of_y", "pairing"}),  # its rounding errors are of 1e6
        (columns, {"coordinates", "length_of_x", "length_of_y"}),
        (one_after_another, {"order", "first", "pairing"}),
    ],
)
def test_it_is_measured_what_a_loss_depends_on(loss, facts):
    assert measure_facts(ask(loss), 1e-9) == Facts(**{name: name in facts for name in Facts._fields})


def predictions_first(p1, p2, z1, z2):
    return distances(p1, z2) + distances(p2, z1)


def view_by_view(p1, z1, p2, z2):
    return distances(p1, z2) + distances(p2, z1)


@pytest.mark.parametrize("loss", [predictions_first, view_by_view])
def test_the_names_of_four_arrays_tell_their_order(loss):
    ways = {way.name for way in find_ways(target(loss, {}))}
    assert ("predictions, then projections" in ways) == (loss is predictions_first)


def numbered_scores(s1, s2, log_noise1, log_noise2):
    return 0.0


def test_two_scores_with_numbers_are_no_predictions():
    assert asking.fits(WAYS["data and noise scores"], numbered_scores, {})
    assert not asking.fits(WAYS["predictions and projections"], numbered_scores, {})


def by_two_masks(z1, z2, pos_mask, neg_mask):
    return 0.0


def test_two_views_with_numbers_and_two_masks_are_no_predictions():
    assert asking.fits(WAYS["pairs by two masks"], by_two_masks, {})


@pytest.mark.parametrize("way", ["scores", "two", "predictions and projections"])
def test_another_number_of_arguments_does_not_fit(way):
    assert asking.fits(WAYS[way], products, {}) is (way == "two")


def in_single(x, y):
    return float(np.float32(products(x.astype(np.float32), y.astype(np.float32))))


def test_the_dtype_in_which_it_computes_is_measured_even_if_it_is_flat_somewhere():
    at = [in_single(**{name: p[name] for name in "xy"}) for p in points("views", 4, each=1)]

    def flat_at_the_last(x, y):
        value = in_single(x, y)
        return 0.0 if abs(value - at[-1]) < 1e-3 else value

    assert measure_precision(ask(products)) == "float64"
    assert measure_precision(ask(in_single)) == "float32"
    assert measure_precision(ask(flat_at_the_last)) == "float32"


def test_rows_are_normalised_and_labels_are_not():
    x, labels = np.array([[3.0, 4.0], [0.0, -2.0]]), np.array([7, 7])
    z, same = normalise((x, labels))
    assert np.array_equal(z, [[0.6, 0.8], [0.0, -1.0]])
    assert same is labels


def test_the_gradient_by_unit_rows_is_sent_back_to_the_rows():
    """Of Σ c·z, z = w/‖w‖, by w: against a difference quotient, whose error is h² ≈ 1e-10 of the terms."""
    w, c = np.random.default_rng(0).standard_normal((2, 3, 4))
    (z,) = normalise((w,))
    step = 1e-5 * np.random.default_rng(1).standard_normal(w.shape)
    ahead, behind = (np.sum(c * normalise((w + side * step,))[0]) for side in (1, -1))
    assert np.sum(asking.send_back(w, z, c) * step) == pytest.approx((ahead - behind) / 2, rel=1e-8, abs=0)
    assert asking.send_back(w, z, None) is None


@pytest.mark.parametrize(
    ("names", "reasons", "words"),
    [
        ("xyn", {"two": "f raises A", "queue": "f raises B"}, "f raises B, given queries, positives"),
        ("x", {"concatenated": "f raises A", "list": "f raises B"}, "f raises A, given one array of 2B rows"),
        ("xyab", {"two": "f raises A", "queue": "f raises B"}, "f raises A, given two arrays of B rows"),
        ("xy", {"two": "f raises A", "list": "a list is refused"}, "a list is refused"),
        ("xy", {"two": "f raises A", "list": "f raises A"}, "f raises A"),
    ],
    ids=["as many arrays", "one array", "no way takes as many", "a reason of its own", "one reason for all"],
)
def test_a_refusal_quotes_the_way_that_fits_best(names, reasons, words):
    said = asking.explain_refusal(target(cosines, {})._replace(name="f"), names, len(names), reasons)
    assert said.startswith(words)
    assert said.endswith("all 2 ways of --inputs raise") == ("given" in words)


def test_a_loss_of_too_many_arguments_is_told_how_many_there_may_be():
    said = asking.explain_refusal(target(cosines, {})._replace(name="f"), "abcdef", 5, {})
    assert said.startswith("f needs 5 arguments (a, b, c, d, e); a loss takes 1 to 4 arrays")


class Tires:
    """A value of this size, which changes with the hundredth call, by this much of it."""

    def __init__(self, size, by):
        self.size, self.by, self.calls = size, by, 0

    def __call__(self, x, y):
        self.calls += 1
        return self.size * cosines(x, y) * (1 + self.by * (self.calls > 99))


@pytest.mark.parametrize("size", [1e-4, 1, 1e4])
@pytest.mark.parametrize(("by", "words"), [(0.01, r"keeps a state .*, and after many calls"), (1e-5, None)])
def test_a_loss_that_has_changed_is_refused(size, by, words):
    way = ask(lambda x, y, loss=Tires(size, by): loss(x, y))  # noqa: B008 - one for all calls
    asking.check_repeatable(way)
    asking.check_unchanged(way)
    for _ in range(99):
        way.value(asking.example("views"))
    with pytest.raises(Refused, match=words) if words else nullcontext():
        asking.check_unchanged(way)


def test_a_loss_whose_state_is_restored_has_not_changed():
    class Counts:
        calls = 0

        def __call__(self, x, y):
            self.calls += 1
            return cosines(x, y) * self.calls

    way = ask(Counts)
    asking.check_repeatable(way)
    asking.check_unchanged(way)
