"""Small batches of similarities, and a head's loss computed anchor by anchor, for the tests of `heads`."""

from typing import NamedTuple

import numpy as np

from infonce_ref.conformance.digits import arb, balls, many_digits
from infonce_ref.conformance.formula import places
from infonce_ref.conformance.heads import HEADS, Masks

N = 3  # pairs of two views
S = np.random.default_rng(0).uniform(-1, 1, (2, 2 * N, 2 * N))  # two points
VIEWS = places({"x": np.ones((N, 2)), "y": np.ones((N, 2))})
CLASSES = places({"w": np.ones((6, 2)), "labels": np.array([0, 1, 0, 0, 1, 1])})
SIDES = {"both": slice(None), "first": slice(N), "second": slice(N, None)}
ALL = ("positive", "same view", "other view")
NEGATIVES = ("same view", "other view")
ACROSS = ("positive", "other view")
T, E = (2.0, 5.0), (0.3, 0.7)  # 1/τ and the second parameter at the two points


def masks(candidates=ALL, anchors="both", of=VIEWS, numbers=None, held=None):
    """The masks of a formula with these candidates and anchors."""
    side = SIDES[anchors]
    none = np.zeros_like(of.roles["positive"])
    others = np.any([none, *(of.roles[role] for role in candidates if role != "positive")], axis=0)
    return Masks(
        of.roles["positive"][side],
        others[side],
        "positive" in candidates,
        of.roles["self"][side],
        of.first[side],
        numbers or {},
        held,
    )


class Row(NamedTuple):
    """One anchor: the similarities of its positives, of the others in its denominator, of all in its denominator;
    whether it is of the first view; t and e."""

    p: np.ndarray
    n: np.ndarray
    d: np.ndarray
    first: bool
    t: float
    e: float


def row_by_row(s, where, t, e):
    """The anchors of a batch, one by one."""
    for a in range(len(s)):
        p, n = s[a][where.positive[a]], s[a][where.others[a]]
        d = np.concatenate([p, n]) if where.with_positive else n
        yield Row(p, n, d, bool(where.first[a]), t, e)


def sum_over_anchors(of_row):
    """The loss of a batch, for `check`, from that of a row."""
    return lambda s, where, t, e: sum(of_row(r) for r in row_by_row(s, where, t, e))


def lse(x):
    return np.log(np.sum(np.exp(x)))


def check(name, expected, where, t, e, s=S):
    """Compare a head with expected(s, masks, t, e): at one point, at many points and parameters, and in balls."""
    function = HEADS[name].function
    close = {"rtol": 1e-11, "atol": 1e-12}  # a few dozen roundings
    at = [[expected(s[k], of_point(where, k), ti, ei) for k in range(2)] for ti, ei in zip(t, e)]
    assert np.allclose(function(s[0], of_point(where, 0), t[0], e[0]), at[0][0], **close)
    many = function(s[None], where, *(np.array(x).reshape(-1, 1, 1, 1) for x in (t, e)))
    assert np.allclose(np.broadcast_to(many, (len(t), 2)), at, **close)
    with many_digits():
        held = where.held if where.held is None else balls(where.held[1])
        exact = function(balls(s[1]), of_point(where, 1)._replace(held=held), arb(t[0]), arb(e[0]))
        assert abs(float(exact) - at[0][1]) < 1e-11 * max(1, abs(at[0][1]))
        assert exact.rel_accuracy_bits() > 100


def of_point(where, k):
    return where if where.held is None else where._replace(held=where.held[k])


def list_heads(module):
    """The names of the heads that a module of `heads` enters."""
    return [name for name, head in HEADS.items() if head.function.__module__.endswith(f".{module}")]


def check_declaration(name):
    """Check that a head tries values for the numbers that it names, and for no others."""
    head = HEADS[name]
    for parameter, values in ((head.second, head.grid), (head.third, head.thirds)):
        assert isinstance(values, tuple)
        assert (parameter is None) is (values == ())
        assert len(set(values)) == len(values)
    assert head.base in HEADS
