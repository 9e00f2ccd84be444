"""Faults under one condition: of size, kind of call, content, labels or options, planted in value and gradient.

Some case of `verify` with the default seed must meet each condition and detect the fault. Each condition is tested
with one loss, a different one each time.
"""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pytest
from verify.plants import of_value, rows, spoil

from infonce_ref.verify.judge import METHODS, answer, ask_all, list_registered

LOSSES = list_registered()
SCORED = frozenset(name for name, loss in LOSSES.items() if "score" in loss.kinds.values())
ROWED = tuple(name for name in LOSSES if name not in SCORED)
NUMBERED = tuple(
    name for name, loss in LOSSES.items() if any(isinstance(x, float) for x in loss.example().values())
)


class Condition(NamedTuple):
    """A condition: whether arguments meet it, and which losses have arguments that can."""

    holds: object
    losses: tuple


def features(a):
    return rows(a).shape[1]


def count(a):
    return len(rows(a))


def of_size(size, test, losses):
    return Condition(lambda a: test(size(a)), losses)


def of_number(name, test):
    """A condition on a number that several losses take, or that one loss takes."""
    able = tuple(key for key, loss in LOSSES.items() if name in loss.example())
    return Condition(lambda a: test(a[name]), able)


def of_rows(test, losses=ROWED):
    """A condition on the entries of the first array, or on its memory layout."""
    return Condition(lambda a: bool(test(rows(a))), losses)


def is_kind(kind):
    """Return whether any number among the arguments has exactly this type."""
    return Condition(lambda a: any(type(x) is kind for x in a.values()), NUMBERED)


def norms(x):
    return np.linalg.norm(x.astype(np.float64), axis=1)


def zero_dimensional(a):
    return any(isinstance(x, np.ndarray) and x.ndim == 0 for x in a.values())


def one_hot(x):
    return x.shape[1] > 2 and np.all(np.count_nonzero(x, axis=1) == 1) and np.all(norms(x) == 1)


def of_mean_zero(x):
    return len(x) > 4 and np.all(np.abs(np.mean(x, axis=0)) <= 1e-6 * np.max(np.abs(x)))


def integers(x):
    return np.all(x == np.round(x)) and np.max(np.abs(x)) > 1


def signs(x):
    return x.size > 9 and len(np.unique(np.abs(x))) == 1


def of_length_one(x):
    return x.shape[1] > 2 and np.all(np.abs(norms(x) - 1) < 1e-6) and not one_hot(x)


def pythagorean(x):
    return x.shape[1] > 2 and set(np.unique(np.abs(np.round(x.astype(np.float64), 6)))) == {0, 0.28, 0.96}


def opposite(a):
    image, text = a["image"], a["text"]
    return count(a) > 4 and np.any(np.sum(image * text, axis=1) < -0.2 * np.max(np.sum(image**2, axis=1)))


LABELLED = tuple(name for name, loss in LOSSES.items() if "label" in loss.kinds.values())
# losses whose columns may be constant
CONSTANT = tuple(name for name, loss in LOSSES.items() if not loss.varying)
DISTINCT = tuple(name for name in ROWED if name in CONSTANT)


def of_labels(test):
    return Condition(lambda a: bool(test(a["labels"])), LABELLED)


CONDITIONS = {
    # sizes
    **{
        f"features == {d}": of_size(features, lambda n, d=d: n == d, ROWED)
        for d in (1, 2, 16, 32, 64, 96, 100, 128, 192, 256, 300, 384, 512, 640, 768, 1000, 1024)
    },
    **{
        f"features from {low} to {high}": of_size(
            features, lambda n, low=low, high=high: low < n < high, ROWED
        )
        for low, high in ((96, 128), (299, 380), (600, 700), (900, 5000))
    },
    "odd features above 96": of_size(features, lambda n: n > 96 and n % 2, ROWED),
    "features divisible by 48": of_size(features, lambda n: n % 48 == 0, ROWED),
    **{f"{n} rows": of_size(count, lambda x, n=n: x == n, ROWED) for n in (16, 32, 64, 96, 128, 256, 512)},
    **{
        f"rows divisible by {n}": of_size(count, lambda x, n=n: x % n == 0, tuple(LOSSES))
        for n in (4, 8, 16, 32, 64, 128)
    },
    "more than 257 rows": of_size(count, lambda n: n > 257, tuple(LOSSES)),
    "more than 500 rows": of_size(count, lambda n: n > 500, tuple(LOSSES)),
    "more than 900 rows": of_size(count, lambda n: n > 900, tuple(LOSSES)),
    "from 300 to 420 rows": of_size(count, lambda n: 257 < n <= 420, tuple(LOSSES)),
    "an odd number of pairs": Condition(lambda a: count(a) % 2 and 1 < count(a) != 17, ("clip",)),
    "300 rows of 128 features": Condition(lambda a: count(a) >= 300 and features(a) >= 128, ROWED),
    # temperatures
    **{
        f"τ from {low} to {high}": of_number("temperature", lambda t, low=low, high=high: low < t < high)
        for low, high in (
            (0.0105, 0.0117),
            (0.02, 0.0222),
            (0.045, 0.05),
            (0.048, 0.0533),
            (0.066, 0.0735),
            (0.095, 0.106),
            (0.14, 0.156),
            (0.19, 0.2105),
            (0.3, 0.333),
            (0.45, 0.501),
            (0.85, 0.95),
            (0.1, 0.4),
            (1000, 3000),
        )
    },
    **{  # of other losses the temperature has the unit of squared lengths
        f"τ from {low} to {high}, unit rows": Condition(
            lambda a, low=low, high=high: low < a["temperature"] < high, ("ntxent", "dcl")
        )
        for low, high in ((2, 9), (20, 900))
    },
    "τ == 1": of_number("temperature", lambda t: t == 1),
    "τ == 0.07": of_number("temperature", lambda t: abs(t - 0.07) < 1e-8),
    "τ == 0.2": of_number("temperature", lambda t: abs(t - 0.2) < 1e-8),
    "τ > 1000": of_number("temperature", lambda t: t > 1000.5),
    "τ > 100000": of_number("temperature", lambda t: t > 1e5),
    # kinds of call
    "τ an int": of_number("temperature", lambda t: type(t) is int),
    "τ the int 1": of_number("temperature", lambda t: type(t) is int and t == 1),
    "τ a NumPy float64": of_number("temperature", lambda t: type(t) is np.float64),
    "τ a NumPy float32": of_number("temperature", lambda t: type(t) is np.float32),
    "τ a 0-d array": of_number("temperature", lambda t: isinstance(t, np.ndarray)),
    "any number a NumPy float64": is_kind(np.float64),
    "any number a NumPy float32": is_kind(np.float32),
    "any number a 0-d array": Condition(zero_dimensional, NUMBERED),
    "strides[0] < 0": of_rows(lambda x: x.strides[0] < 0, tuple(LOSSES)),
    "strides[1] < 0": of_rows(lambda x: x.strides[1] < 0, tuple(LOSSES)),
    "both strides < 0": of_rows(lambda x: max(x.strides) < 0, tuple(LOSSES)),
    "stride 0": of_rows(lambda x: 0 in x.strides and min(x.shape) > 1, CONSTANT),
    "strides of neither order": of_rows(lambda x: not x.flags.forc, tuple(LOSSES)),
    "read-only": of_rows(lambda x: not x.flags.writeable, tuple(LOSSES)),
    "Fortran order": of_rows(lambda x: x.flags.f_contiguous and not x.flags.c_contiguous, tuple(LOSSES)),
    "a part of a larger array": of_rows(
        lambda x: x.base is not None and x.strides[1] == x.itemsize and not x.flags.c_contiguous,
        tuple(LOSSES),
    ),
    "a memmap": of_rows(lambda x: isinstance(x, np.memmap), tuple(LOSSES)),
    "not aligned": of_rows(lambda x: not x.flags.aligned, tuple(LOSSES)),
    "float32": of_rows(lambda x: x.dtype == np.float32, tuple(LOSSES)),
    # contents
    "entries above 1000": of_rows(lambda x: np.max(np.abs(x)) > 1000, tuple(LOSSES)),
    "entries below 0.0001": of_rows(lambda x: np.max(np.abs(x)) < 1e-4),
    "an entry of 0": of_rows(lambda x: np.any(x == 0), tuple(LOSSES)),
    "entries all > 0": of_rows(lambda x: x.size > 9 and np.all(x > 0), tuple(LOSSES)),
    "rows that coincide": of_rows(lambda x: len(np.unique(x, axis=0)) < len(x), ("ntxent", "clip")),
    "positives that are opposite": Condition(opposite, ("clip",)),
    "rows of length 1": of_rows(of_length_one),
    "rows of length exactly 1": of_rows(lambda x: x.shape[1] > 2 and np.all(norms(x) == 1)),
    "one-hot rows": of_rows(one_hot, DISTINCT),
    "integers": of_rows(integers, tuple(LOSSES)),
    "columns of mean 0": of_rows(of_mean_zero, tuple(LOSSES)),
    "entries of one size": of_rows(signs, tuple(LOSSES)),
    "rows of 0.28 and 0.96": of_rows(pythagorean, DISTINCT),
    # labels and indices
    "positives in one column": Condition(lambda a: len({*a["positive"]}) == 1 < count(a), ("cpc",)),
    "indices of 32 bits": Condition(lambda a: a["positive"].dtype == np.int32, ("cpc",)),
    "one class": of_labels(lambda x: len(set(x.tolist())) == 1),
    "two classes": of_labels(lambda x: len(set(x.tolist())) == 2),
    "a label above 2³¹": of_labels(lambda x: np.max(x) > 2**31),
    "a label of 2⁶² or more": of_labels(lambda x: np.max(x) >= 2**62),
    "a label below −1": of_labels(lambda x: np.min(x) < -1),
    "a label below −2³¹": of_labels(lambda x: np.min(x) < -(2**31)),
    "labels of 32 bits": of_labels(lambda x: x.dtype == np.int32),
    "a class of all but one": of_labels(lambda x: np.sum(x == x[0]) == len(x) - 1),
    "every label ≥ 0": of_labels(lambda x: np.min(x) >= 0),
    # options
    "bias == 0": of_number("bias", lambda b: b == 0),
    "bias > 0": of_number("bias", lambda b: b > 0),
    "bias > 50": of_number("bias", lambda b: b > 50),
    "bias < −50": of_number("bias", lambda b: b < -50),
    "bias an int": of_number("bias", lambda b: type(b) is int),
    "β == 0": of_number("beta", lambda b: b == 0),
    "β an int": of_number("beta", lambda b: type(b) is int),
    "β1 == 0": of_number("beta1", lambda b: b == 0),
    "β1 == β2": Condition(lambda a: a["beta1"] == a["beta2"], ("dhn_nce",)),
    "β1 from 1.5 to 9": of_number("beta1", lambda b: 1.5 < b < 9),
    "β2 from 0.2 to 0.9": of_number("beta2", lambda b: 0.2 < b < 0.9),
    "β1 > 12": of_number("beta1", lambda b: b > 12),
    "prior == 0": of_number("prior", lambda p: p == 0),
    "prior == 0.5": of_number("prior", lambda p: p == 0.5),
    "prior > 0.91": of_number("prior", lambda p: p > 0.91),
    "weight == 0": of_number("weight", lambda w: w == 0),
    "weight an int": of_number("weight", lambda w: type(w) is int),
    "exponent == 1": of_number("exponent", lambda e: e == 1),
    "exponent == 2": of_number("exponent", lambda e: e == 2),
    "exponent an int": of_number("exponent", lambda e: type(e) is int),
    "exponent > 3.5": of_number("exponent", lambda e: e > 3.5),
    "t an int": of_number("t", lambda t: type(t) is int),
    "t > 2000": of_number("t", lambda t: t > 2000),
    "margin < 0.1": of_number("margin", lambda m: 0 < m < 0.1),
    "a wide margin": Condition(lambda a: a["margin"] > 3 * np.mean(rows(a) ** 2), ("triplet",)),
    "invariance == 0": of_number("invariance", lambda x: x == 0),
    "epsilon < 1e-6": of_number("epsilon", lambda x: x < 1e-6),
    "many negatives": Condition(lambda a: a["negatives"].shape[-2] > 3 * count(a) + 4, ("query_key",)),
    "many candidates": Condition(lambda a: a["scores"].shape[1] > 3 * count(a) + 6, ("cpc",)),
    "much noise": Condition(lambda a: a["noise_scores"].shape[1] > 3 * count(a) + 5, ("nce",)),
    "much noise from a bank": Condition(lambda a: a["noise_index"].shape[1] > 9, ("instance_nce",)),
    "one noise row": Condition(lambda a: a["noise_index"].shape[1] == 1, ("instance_nce",)),
    "a large bank": Condition(lambda a: len(a["bank"]) > 2 * count(a) + 5, ("instance", "instance_nce")),
    "a bank of the batch": Condition(lambda a: len(a["bank"]) == count(a) > 2, ("instance",)),
    "a queue above 256": Condition(lambda a: a["negatives"].shape[-2] > 257, ("query_key",)),
    "a queue of 512": Condition(lambda a: a["negatives"].shape[-2] == 512, ("query_key",)),
    "a queue above 4000": Condition(lambda a: a["negatives"].shape[-2] > 4000, ("query_key",)),
    "a bank above 1000": Condition(lambda a: len(a["bank"]) > 1000, ("instance", "instance_nce")),
    "more than 500 candidates": Condition(lambda a: a["scores"].shape[1] > 500, ("cpc", "soft_targets")),
}

PLANTS = [
    (name, part, condition.losses[number % len(condition.losses)])
    for number, (name, condition) in enumerate(CONDITIONS.items())
    for part in ("gradient", "value")
]
MOST = 6  # how many of the cases that meet a condition are tried


@lru_cache(maxsize=1)  # the table is in the order of the losses
def ask(which):
    return [question for dtype in ("float64", "float32") for question in ask_all(LOSSES[which], dtype)]


@pytest.mark.parametrize(("name", "part", "which"), sorted(PLANTS, key=lambda plant: plant[2]))
def test_a_fault_under_this_condition_is_detected(name, part, which):
    """By a check at one of the first cases that meet the condition."""
    holds = CONDITIONS[name].holds
    wrong = (spoil if part == "gradient" else of_value)(LOSSES[which], holds)
    met = [question for question in ask(which) if holds(question.case._convert())]
    met.sort(key=lambda question: (question.method != METHODS[2], rows(question.case.arguments).size))
    planted = [question._replace(case=replace(question.case, loss=wrong)) for question in met[:MOST]]
    assert any(not check.holds for question in planted for check in answer(question))
