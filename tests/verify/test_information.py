"""The checks of `information`: they hold for the library's functions, and reject wrong ones."""

import types
from math import log2

import array_api_strict
import numpy as np
import pytest
from few import few
from flint import ctx

from infonce_ref import information
from infonce_ref.verify import information as judge


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_every_check_holds(dtype, seed):
    checks = list(judge.testify(dtype, seed))
    assert [check for check in checks if not check.holds] == []
    assert judge.holds(checks) is True


def test_one_check_that_fails_is_a_failure():
    first, *others = judge.testify("float64", 0)
    assert judge.holds([first._replace(worst=first.worst._replace(error=1.0)), *others]) is False


def log(x):
    return np.log(np.where(x > 0, x, 1))


def mutual(p):
    x, y = p.sum(1, keepdims=True), p.sum(0, keepdims=True)
    return np.sum(p * (log(p) - log(x) - log(y)))


def settings(**changed):
    def bound(setting, loss, **count):
        if setting in changed:
            ((_, n),) = count.items()
            return np.log(max(changed[setting](n), 1)) - loss
        return information.bound(setting, loss, **count)

    return bound


WRONG = {
    "p(x) twice": ("mutual_information", lambda p: np.sum(p * (log(p) - 2 * log(p.sum(1, keepdims=True))))),
    "bits": ("mutual_information", lambda p: information.mutual_information(p) / np.log(2)),
    "not clipped near independence": ("mutual_information", mutual),
    "the marginal of the wrong side": ("conditional_entropy", lambda p: information.conditional_entropy(p.T)),
    "joint entropy": ("conditional_entropy", lambda p: -np.sum(p * log(p))),
    "H(X) for H(X|Y)": ("conditional_entropy", lambda p: information.entropy(p.sum(1))),
    "sign": ("entropy", lambda p: -information.entropy(p)),
    "cells below 1e-6 left out": ("entropy", lambda p: -np.sum(np.where(p < 1e-6, 0, p * log(p)))),
    "a millionth": ("entropy", lambda p: information.entropy(p) * (1 + 1e-6)),
    "mean": ("entropy", lambda p: information.entropy(p) / len(p)),
    "float64 for float32": ("entropy", lambda p: np.float64(information.entropy(p))),
    "2B for B": ("bound", settings(ntxent=lambda b: 2 * b)),
    "2B − 1 candidates": ("bound", settings(infonce=lambda b: 2 * b - 1)),
    "K for K + 1": ("bound", settings(query_key=lambda k: k)),
    "N − 1 for N": ("bound", settings(cpc=lambda n: n + 1)),
    "2B for the B of clip": ("bound", settings(clip=lambda b: 2 * b)),
    "the loss added": ("bound", lambda s, loss, **n: information.bound(s, loss, **n) + 2 * loss),
    "a bound where there is none": ("bound", settings(dhn_nce=lambda b: b)),
}


@pytest.mark.parametrize("fault", few(WRONG, ("a millionth", "K for K + 1").__contains__))
def test_a_wrong_function_is_refused(fault):
    name, function = WRONG[fault]
    functions = types.SimpleNamespace(**{f: getattr(information, f) for f in judge.FUNCTIONS})
    setattr(functions, name, function)
    checks = [c for dtype in ("float64", "float32") for c in judge.testify(dtype, 0, functions=functions)]
    assert {c.input for c in checks if not c.holds} >= {name}


def test_a_missing_function_is_a_failure():
    checks = [c for c in judge.testify("float64", 0) if c.input != "entropy"]
    assert not judge.holds(checks)


HALF = np.log(2) / 2  # of a nat
# −p log p − (1 − p) log (1 − p) of p = 2⁻²⁰
RARE = 2.0**-20 * (40 * HALF + 1 - 2.0**-21)
# I(X;Y), H(X) and H(X|Y) of each law at the edges, by hand
EDGES = {
    "one cell": (0, 0, 0),
    "one row": (0, 0, 0),
    "a rare row": (0, RARE, RARE),
    "deterministic": (np.log(5), np.log(5), 0),
    "independent": (0, 3 * HALF, 3 * HALF),
    # rows 0.75 and 0.25, columns 0.625 and 0.375, cells 0.5, 0.25, 0.125, 0.125, all in bits
    "an empty row and column": tuple(
        2 * HALF * bits
        for bits in (
            (2 - 0.75 * log2(3)) + (3 - 0.625 * log2(5) - 0.375 * log2(3)) - 1.75,
            2 - 0.75 * log2(3),
            1.75 - (3 - 0.625 * log2(5) - 0.375 * log2(3)),
        )
    ),
    # cells (1 ± x)/4 with x = 4e-4: log 2 − the entropy of (1 ± x)/2, which is x²/2 + x⁴/12
    "nearly independent": (8e-8 + 4e-4**4 / 12, 2 * HALF, 2 * HALF - 8e-8),
}


def test_the_laws_at_the_edges_have_the_information_worked_out_by_hand():
    edges = [law for law in judge.laws("float64", 0) if not law.label.startswith("drawn")]
    assert [label for _, label in edges] == list(EDGES)
    for joint, label in edges:
        with ctx.workdps(judge.DIGITS):
            found = tuple(float(x) for x in judge.compute_by_definition(joint).values())
        # a rounding of the cells, 1e-16, moves the I of nearly independent variables by 1e-19
        assert found == pytest.approx(
            EDGES[label], rel=1e-12, abs=1e-18 if label != "a rare row" else 1e-17
        ), label


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_drawn_laws_sum_to_one_and_every_other_has_empty_cells(dtype):
    drawn = [joint for joint, label in judge.laws(dtype, 0) if label.startswith("drawn")]
    assert len(drawn) == judge.DRAWN
    assert all(joint.dtype == dtype for joint in drawn)
    # each cell is rounded once
    assert [joint.sum(dtype=np.float64) for joint in drawn] == pytest.approx([1] * 12, rel=0, abs=1e-6)
    assert all(joint.min() >= 0 and min(joint.shape) >= 1 and max(joint.shape) <= 40 for joint in drawn)
    empty = [np.mean(joint == 0) for joint in drawn if joint.size > 20]
    assert sum(share == 0 for share in empty) >= 4
    assert sum(0.1 < share < 0.5 for share in empty) >= 3
    rare = [joint[joint > 0].min() for joint in drawn]
    assert min(rare) < 1e-12


def test_other_seeds_draw_other_laws():
    first, second = ([joint for joint, _ in judge.laws("float64", seed)][-1] for seed in (0, 1))
    assert first.shape != second.shape or not np.array_equal(first, second)


def test_a_law_in_balls_is_divided_by_its_sum():
    with ctx.workdps(judge.DIGITS):
        cells, rows, columns = judge.exact_law(np.array([[1.0, 2.0], [3.0, 4.0]]))
        assert [[float(x) for x in row] for row in cells] == [[0.1, 0.2], [0.3, 0.4]]
        assert [float(x) for x in rows] == [0.3, 0.7]
        assert [float(x) for x in columns] == [0.4, 0.6]


def test_functions_of_another_library_are_checked():
    """They receive arrays of that library, and return them."""

    def of_library(function):
        def run(x):
            assert type(x).__module__.startswith("array_api_strict")
            return function(x)

        return run

    functions = types.SimpleNamespace(**{f: of_library(getattr(information, f)) for f in judge.FUNCTIONS[:3]})
    functions.bound = information.bound
    checks = list(judge.testify("float32", 0, array_api_strict.asarray, functions))
    assert judge.holds(checks)


def test_the_bounds_are_of_the_candidates_that_each_setting_counts():
    """N is the number of candidates of cpc, pairs of clip and ntxent, rows of infonce, negatives and one of
    query_key."""
    candidates = {"cpc": 7, "clip": 7, "ntxent": 7, "infonce": 14, "query_key": 8}
    seen = set()
    for label, _, got, exact, size in judge.bounds(information):
        setting, counted, loss = label.split(", ")
        if counted.split()[1] == "7":
            loss = float(loss.split()[1])
            expected = np.log(candidates[setting]) - loss
            # rounding of a difference of numbers below 4
            assert [float(exact), got] == pytest.approx([expected] * 2, rel=0, abs=1e-15)
            # log N and the loss are the terms
            assert float(size) >= max(np.log(candidates[setting]), loss)
            seen.add((setting, loss))
    assert len(seen) == 5 * 3


def test_a_bound_that_is_not_refused_is_an_error_of_one():
    functions = types.SimpleNamespace(**{f: getattr(information, f) for f in judge.FUNCTIONS})
    functions.bound = lambda setting, loss, **_: 0.0
    refused = [c for c in judge.testify("float64", 0, functions=functions) if "ValueError" in c.compared]
    assert [c.case.split(", ")[0] for c in refused] == [setting for setting, _ in judge.REFUSED]
    # the floor below which errors are absolute is added to the size, 1
    assert [c.error for c in refused] == pytest.approx([1.0] * 4, rel=1e-15, abs=0)
