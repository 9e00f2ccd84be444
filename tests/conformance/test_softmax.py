"""Each variety of cross-entropy of a softmax, compared with its formula anchor by anchor."""

import numpy as np
import pytest
from conformance.batches import (
    ACROSS,
    ALL,
    CLASSES,
    NEGATIVES,
    E,
    N,
    S,
    T,
    check,
    lse,
    masks,
    row_by_row,
    sum_over_anchors,
)


def cross_entropy(r, times=1.0, margin=0.0):
    """log Σ e^{s/τ} − s_p/τ of one positive, s_p less the margin."""
    p, t = r.p - margin, r.t * times
    return lse(t * (np.concatenate([p, r.n]) if len(r.d) > len(r.n) else r.n)) - np.mean(t * p)


OF_ONE_POSITIVE = {
    "cross-entropy": cross_entropy,
    "margin on the positive": lambda r: cross_entropy(r, margin=r.e),
    "directions weighed": lambda r: 2 * (r.e if r.first else 1 - r.e) * cross_entropy(r),
    "a temperature by direction": lambda r: cross_entropy(r, 1 if r.first else 1 / r.e),
    "margin of the first view": lambda r: cross_entropy(r, margin=r.e * r.first),
    "margin of the second view": lambda r: cross_entropy(r, margin=r.e * (not r.first)),
    "negatives below a threshold": lambda r: cross_entropy(
        r._replace(n=r.n[r.n <= r.e], d=np.append(r.n[r.n <= r.e], r.p))
    ),
    "pairwise": lambda r: np.sum(np.log1p(np.exp(r.t * (r.n - r.p)))),
    "hardest only": lambda r: np.log1p(np.exp(r.t * (r.n.max() - r.p[0]))),
    "negatives averaged": lambda r: np.log1p(np.mean(np.exp(r.t * (r.n - r.p)))),
}
OF_SEVERAL = {
    "cross-entropy": lambda r: np.mean(lse(r.t * r.d) - r.t * r.p),
    "cross-entropy, mean inside": lambda r: lse(r.t * r.d) - np.log(np.mean(np.exp(r.t * r.p))),
    "cross-entropy, sum inside": lambda r: lse(r.t * r.d) - lse(r.t * r.p),
    "cross-entropy, every positive": lambda r: np.sum(lse(r.t * r.d) - r.t * r.p),
    "each positive alone": lambda r: np.mean([np.log1p(np.exp(r.t * (r.n - p)).sum()) for p in r.p]),
    "each positive alone, every positive": lambda r: np.sum(
        [np.log1p(np.exp(r.t * (r.n - p)).sum()) for p in r.p]
    ),
}


@pytest.mark.parametrize("anchors", ["both", "first", "second"])
@pytest.mark.parametrize("name", OF_ONE_POSITIVE)
def test_a_loss_of_one_positive_is_its_formula(name, anchors):
    where = masks(ALL, anchors)
    side = {"both": slice(None), "first": slice(N), "second": slice(N, None)}[anchors]
    check(name, sum_over_anchors(OF_ONE_POSITIVE[name]), where, T, E, S[:, side])


@pytest.mark.parametrize("name", ["cross-entropy", "directions weighed", "a temperature by direction"])
def test_the_denominator_may_lack_the_positive(name):
    check(name, sum_over_anchors(OF_ONE_POSITIVE[name]), masks(NEGATIVES), T, E)


@pytest.mark.parametrize("name", OF_SEVERAL)
def test_a_loss_of_several_positives_is_its_formula(name):
    check(name, sum_over_anchors(OF_SEVERAL[name]), masks(ACROSS, of=CLASSES), T, E)


@pytest.mark.parametrize("name", ["cross-entropy", "cross-entropy, mean inside", "cross-entropy, sum inside"])
def test_the_denominator_of_several_may_lack_the_positives(name):
    check(name, sum_over_anchors(OF_SEVERAL[name]), masks(("other view",), of=CLASSES), T, E)


@pytest.mark.parametrize("k", [2, 3])
def test_only_the_hardest_few_count(k):
    def expected(s, where, t, e):
        rows = row_by_row(s, where, t, e)
        return sum(cross_entropy(r._replace(n=np.sort(r.n)[-k:], d=np.append(r.n, r.p))) for r in rows)

    check("hardest few", expected, masks(ALL), T, (k + 0.2, k - 0.3))


def test_two_temperatures_are_added_by_weight():
    def expected(s, where, t, e):
        return sum(cross_entropy(r) + 0.4 * cross_entropy(r, 1 / e) for r in row_by_row(s, where, t, e))

    check("two temperatures", expected, masks(ALL, numbers={"weight": 0.4}), T, (2.0, 4.0))


@pytest.mark.parametrize(
    ("name", "again"), [("rows and columns together", 1), ("rows and columns together, positive once", 0)]
)
def test_rows_and_columns_stand_in_one_denominator(name, again):
    """Of pair i: the candidates of row i and of column i, in the second half of the anchors."""

    def expected(s, where, t, e):
        rows = list(row_by_row(s, where, t, e))
        loss = 0.0
        for row, column in zip(rows[:N], rows[N:]):
            others = np.concatenate([row.p, row.n, column.n, column.p[:again]])
            loss += 2 * lse(t * others) - t * (row.p[0] + column.p[0])
        return loss

    check(name, expected, masks(ACROSS), T, E)
