"""Each loss whose weights depend on the similarities, compared with its formula anchor by anchor."""

import numpy as np
import pytest
from conformance.batches import (
    ACROSS,
    NEGATIVES,
    SIDES,
    E,
    N,
    S,
    T,
    check,
    lse,
    masks,
    row_by_row,
)

from infonce_ref.conformance.heads import HEADS

HELD = np.random.default_rng(1).uniform(-1, 1, S.shape)


def hard(n, by, t, beta):
    """Σ_n W_n e^{ts_n}, W_n = m e^{β b_n t} / Σ_k e^{β b_k t}."""
    share = np.exp(t * beta * by)
    return np.sum(len(n) * share / share.sum() * np.exp(t * n))


def debiased(p, total, m, t, prior):
    """log(1 + m g e^{−x_p}), g = max((mean − τ⁺ e^{x_p})/(1 − τ⁺), e^{−t})."""
    g = max((total / m - prior * np.exp(t * p)) / (1 - prior), np.exp(-t))
    return np.log(1 + m * g * np.exp(-t * p))


BY_ANCHOR = {
    "hard negatives": lambda r, by: np.log(hard(r.n, by, r.t, r.e)) - r.t * r.p[0],
    "hard negatives by direction": lambda r, by: (
        np.log(hard(r.n, by, r.t, r.e if r.first else 1.5)) - r.t * r.p[0]
    ),
    "hard against the positive": lambda r, by: np.log(1 + hard(r.n, by, r.t, r.e) * np.exp(-r.t * r.p[0])),
    "debiased": lambda r, by: debiased(r.p[0], np.exp(r.t * r.n).sum(), len(r.n), r.t, r.e),
    "hard and debiased": lambda r, by: debiased(r.p[0], hard(r.n, by, r.t, r.e), len(r.n), r.t, 0.2),
}
NUMBERS = {"beta2": 1.5, "prior": 0.2}


def by_anchor(name):
    def expected(s, where, t, e):
        of_weights = s if where.held is None else where.held
        return sum(
            BY_ANCHOR[name](r, b[others])
            for r, b, others in zip(row_by_row(s, where, t, e), of_weights, where.others)
        )

    return expected


@pytest.mark.parametrize("anchors", SIDES)
@pytest.mark.parametrize("name", BY_ANCHOR)
def test_a_loss_is_the_sum_of_its_formula(name, anchors):
    check(name, by_anchor(name), masks(NEGATIVES, anchors, numbers=NUMBERS), T, E, S[:, SIDES[anchors]])


@pytest.mark.parametrize("name", BY_ANCHOR)
def test_weights_may_be_of_held_similarities(name):
    check(name, by_anchor(name), masks(NEGATIVES, numbers=NUMBERS, held=HELD), T, E)


def test_without_a_prior_nothing_is_taken_off():
    where = masks(NEGATIVES, numbers={"prior": 0.0})
    check("hard and debiased", by_anchor("hard against the positive"), where, T, E)
    s = np.where(masks().positive, 1.0, -5.0)  # below the floor of e^{−t}
    plain = HEADS["hard against the positive"].function(s, where, 2.0, 0.3)
    assert HEADS["hard and debiased"].function(s, where, 2.0, 0.3) == plain


def weighed_positives(times_batch):
    def expected(s, where, t, e):
        rows = list(row_by_row(s, where, t, e))
        held = s if where.held is None else where.held
        own = np.array([b[p][0] for b, p in zip(held, where.positive)])
        loss = 0.0
        for k, r in enumerate(rows):
            beside = own[[other.first == r.first for other in rows]]
            share = np.exp(own[k] / e) / np.exp(beside / e).sum() * (len(beside) if times_batch else 1)
            loss += lse(t * r.d) - (2 - share) * t * r.p[0]
        return loss

    return expected


OF_POSITIVES = [("positives weighed", True), ("positives weighed, without B", False)]


@pytest.mark.parametrize("anchors", SIDES)
@pytest.mark.parametrize(("name", "times_batch"), OF_POSITIVES)
def test_positives_are_weighed_by_their_share_of_their_view(name, times_batch, anchors):
    where = masks(NEGATIVES, anchors)
    check(name, weighed_positives(times_batch), where, T, E, S[:, SIDES[anchors]])


@pytest.mark.parametrize(("name", "times_batch"), OF_POSITIVES)
def test_positives_may_stand_in_the_denominator_and_shares_be_held(name, times_batch):
    check(name, weighed_positives(times_batch), masks(ACROSS, held=HELD), T, E)


def soft_targets(of_first):
    """−Σ_c q_c log P_c in both directions; q of row i, over its columns, or of column i, over its rows."""

    def expected(s, where, t, e):
        by = s if where.held is None else where.held
        alike = (by[:N, :N] + by[N:, N:]) / 2 * e
        q = np.exp(alike) / np.exp(alike).sum(axis=1, keepdims=True)
        rows, columns = (q, q.T) if of_first else (q.T, q)
        loss = 0.0
        for a, r in enumerate(row_by_row(s, where, t, e)):
            candidates = s[a, N:] if r.first else s[a, :N]
            targets = rows[a] if r.first else columns[a - N]
            loss += np.sum(targets * (lse(t * r.d) - t * candidates))
        return loss

    return expected


@pytest.mark.parametrize("held", [None, HELD])
@pytest.mark.parametrize(
    ("name", "of_first"), [("soft targets", True), ("soft targets of the second view", False)]
)
def test_targets_are_a_softmax_of_the_views_own_similarities(name, of_first, held):
    check(name, soft_targets(of_first), masks(ACROSS, held=held), T, (1.0, 5.0))
