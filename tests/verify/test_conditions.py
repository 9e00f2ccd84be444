"""Faults under one condition: of size, kind of call, content, labels or options, planted in value and gradient.

Some case of `verify` with the default seed must meet each condition and detect the fault. Each condition is tested
with one loss, a different one each time.
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from verify.plants import of_value, rows, spoil

from infonce_ref.verify.judge import METHODS, answer, ask_all, list_registered

LOSSES = list_registered()
EVERY = tuple(LOSSES)
SCORED = frozenset(name for name, loss in LOSSES.items() if "score" in loss.kinds.values())
ROWED = tuple(name for name in LOSSES if name not in SCORED)
NUMBERED = tuple(
    name for name, loss in LOSSES.items() if any(isinstance(x, float) for x in loss.example().values())
)
# losses whose columns may be constant
CONSTANT = tuple(name for name, loss in LOSSES.items() if not loss.varying)
DISTINCT = tuple(name for name in ROWED if name in CONSTANT)


def norms(x):
    return np.linalg.norm(x.astype(np.float64), axis=1)


def is_one_hot(x):
    return x.shape[1] > 2 and np.all(np.count_nonzero(x, axis=1) == 1) and np.all(norms(x) == 1)


def is_opposite(image, text):
    return np.any(np.sum(image * text, axis=1) < -0.2 * np.max(np.sum(image**2, axis=1)))


def given(kind, arguments):
    """Whether any number among the arguments has exactly this type."""
    return any(type(x) is kind for x in arguments.values())


# Conditions on the arguments by their names, on x, the first array of rows or scores, its n rows and d columns, and
# on `a`, all arguments. The losses that may be drawn for it follow; by default those that take these arguments.
CONDITIONS = [
    # sizes
    *(
        (f"d == {d}", ROWED)
        for d in (1, 2, 16, 32, 64, 96, 100, 128, 192, 256, 300, 384, 512, 640, 768, 1000, 1024)
    ),
    *((f"{low} < d < {high}", ROWED) for low, high in ((96, 128), (299, 380), (600, 700), (900, 5000))),
    ("d > 96 and d % 2", ROWED),
    ("d % 48 == 0", ROWED),
    *((f"n == {n}", ROWED) for n in (16, 32, 64, 96, 128, 256, 512)),
    *((f"n % {n} == 0", EVERY) for n in (4, 8, 16, 32, 64, 128)),
    ("n > 257", EVERY),
    ("n > 500", EVERY),
    ("n > 900", EVERY),
    ("257 < n <= 420", EVERY),
    ("n % 2 and 1 < n != 17", ("clip",)),
    ("n >= 300 and d >= 128", ROWED),
    # temperatures
    "0.0105 < temperature < 0.0117",
    "0.02 < temperature < 0.0222",
    "0.045 < temperature < 0.05",
    "0.048 < temperature < 0.0533",
    "0.066 < temperature < 0.0735",
    "0.095 < temperature < 0.106",
    "0.14 < temperature < 0.156",
    "0.19 < temperature < 0.2105",
    "0.3 < temperature < 0.333",
    "0.45 < temperature < 0.501",
    "0.85 < temperature < 0.95",
    "0.1 < temperature < 0.4",
    "1000 < temperature < 3000",
    # of other losses it has the unit of squared lengths
    ("2 < temperature < 9", ("ntxent", "dcl")),
    ("20 < temperature < 900", ("ntxent", "dcl")),
    "temperature == 1",
    "abs(temperature - 0.07) < 1e-8",
    "abs(temperature - 0.2) < 1e-8",
    "temperature > 1000.5",
    "temperature > 1e5",
    # kinds of call
    "type(temperature) is int",
    "type(temperature) is int and temperature == 1",
    "type(temperature) is np.float64",
    "type(temperature) is np.float32",
    "isinstance(temperature, np.ndarray)",
    ("given(np.float64, a)", NUMBERED),
    ("given(np.float32, a)", NUMBERED),
    ("any(isinstance(y, np.ndarray) and y.ndim == 0 for y in a.values())", NUMBERED),
    ("x.strides[0] < 0", EVERY),
    ("x.strides[1] < 0", EVERY),
    ("max(x.strides) < 0", EVERY),
    ("0 in x.strides and min(x.shape) > 1", CONSTANT),
    ("not x.flags.forc", EVERY),
    ("not x.flags.writeable", EVERY),
    ("x.flags.f_contiguous and not x.flags.c_contiguous", EVERY),
    ("x.base is not None and x.strides[1] == x.itemsize and not x.flags.c_contiguous", EVERY),
    ("isinstance(x, np.memmap)", EVERY),
    ("not x.flags.aligned", EVERY),
    ("x.dtype == np.float32", EVERY),
    # contents
    ("np.max(np.abs(x)) > 1000", EVERY),
    ("np.max(np.abs(x)) < 1e-4", ROWED),
    ("np.any(x == 0)", EVERY),
    ("x.size > 9 and np.all(x > 0)", EVERY),
    ("len(np.unique(x, axis=0)) < n", ("ntxent", "clip")),
    ("n > 4 and is_opposite(image, text)", ("clip",)),
    ("d > 2 and np.all(np.abs(norms(x) - 1) < 1e-6) and not is_one_hot(x)", ROWED),
    ("d > 2 and np.all(norms(x) == 1)", ROWED),
    ("is_one_hot(x)", DISTINCT),
    ("np.all(x == np.round(x)) and np.max(np.abs(x)) > 1", EVERY),
    ("n > 4 and np.all(np.abs(np.mean(x, axis=0)) <= 1e-6 * np.max(np.abs(x)))", EVERY),
    ("x.size > 9 and len(np.unique(np.abs(x))) == 1", EVERY),
    ("d > 2 and set(np.unique(np.abs(np.round(x.astype(np.float64), 6)))) == {0, 0.28, 0.96}", DISTINCT),
    # labels and indices
    ("len({*positive}) == 1 < n", ("cpc",)),
    ("positive.dtype == np.int32", ("cpc",)),
    "len({*labels.tolist()}) == 1",
    "len({*labels.tolist()}) == 2",
    "np.max(labels) > 2**31",
    "np.max(labels) >= 2**62",
    "np.min(labels) < -1",
    "np.min(labels) < -(2**31)",
    "labels.dtype == np.int32",
    "np.sum(labels == labels[0]) == len(labels) - 1",
    "np.min(labels) >= 0 and len({*labels}) < len(labels)",  # with a positive
    # options
    "bias == 0",
    "bias > 0",
    "bias > 50",
    "bias < -50",
    "type(bias) is int",
    "beta == 0",
    "type(beta) is int",
    "beta1 == 0",
    "beta1 == beta2",
    "1.5 < beta1 < 9",
    "0.2 < beta2 < 0.9",
    "beta1 > 12",
    "prior == 0",
    "prior == 0.5",
    "prior > 0.91",
    "weight == 0",
    "type(weight) is int",
    "exponent == 1",
    "exponent == 2",
    "type(exponent) is int",
    "exponent > 3.5",
    "type(t) is int",
    "t > 2000",
    "0 < margin < 0.1",
    ("margin > 3 * np.mean(x**2)", ("triplet",)),
    "invariance == 0",
    "epsilon < 1e-6",
    "negatives.shape[-2] > 3 * n + 4",
    ("scores.shape[1] > 3 * n + 6", ("cpc",)),
    "noise_scores.shape[1] > 3 * n + 5",
    "noise_index.shape[1] > 9",
    "noise_index.shape[1] == 1",
    "len(bank) > 2 * n + 5",
    ("len(bank) == n > 2", ("instance",)),
    "negatives.shape[-2] > 257",
    "negatives.shape[-2] == 512",
    "negatives.shape[-2] > 4000",
    "len(bank) > 1000",
    ("scores.shape[1] > 500", ("cpc", "soft_targets")),
]
WORDS = {"np": np, "norms": norms, "given": given, "is_one_hot": is_one_hot, "is_opposite": is_opposite}


def meets(condition):
    """Whether arguments meet a condition, as a function."""
    code = compile(condition, condition, "eval")

    def holds(a):
        x = rows(a)
        return bool(eval(code, WORDS | a | {"a": a, "x": x, "n": len(x), "d": x.shape[1]}))

    return holds


def able(condition):
    """The losses that have an argument of a name in the condition."""
    names = {*compile(condition, condition, "eval").co_names} - {*WORDS}
    return tuple(name for name, loss in LOSSES.items() if names & {*loss.example()})


PLANTS = []
for number, condition in enumerate(CONDITIONS):
    text, losses = (condition, able(condition)) if isinstance(condition, str) else condition
    PLANTS += [(text, part, losses[number % len(losses)]) for part in ("gradient", "value")]
MOST = 6  # how many of the cases that meet a condition are tried


@lru_cache(maxsize=1)  # the table is in the order of the losses
def ask(which):
    return [question for dtype in ("float64", "float32") for question in ask_all(LOSSES[which], dtype)]


@pytest.mark.parametrize(("condition", "part", "which"), sorted(PLANTS, key=lambda plant: plant[2]))
def test_a_fault_under_this_condition_is_detected(condition, part, which):
    """By a check at one of the first cases that meet the condition."""
    holds = meets(condition)
    wrong = (spoil if part == "gradient" else of_value)(LOSSES[which], holds)
    met = [question for question in ask(which) if holds(question.case._convert())]
    met.sort(key=lambda question: (question.method != METHODS[2], rows(question.case.arguments).size))
    planted = [question._replace(case=replace(question.case, loss=wrong)) for question in met[:MOST]]
    assert any(not check.holds for question in planted for check in answer(question))
