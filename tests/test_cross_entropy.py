"""Softmax cross-entropy: of a positive against its negatives, with some left out, and with the anchor among its own
candidates, whose score may be above or below its positive's.
"""

import math

import numpy as np
import pytest

from infonce_ref import cross_entropy


@pytest.mark.parametrize("lead", [-30.0, -1.0, -1e-9, 0.0, 1e-9, 1.0, 30.0])
@pytest.mark.parametrize("margin", [-20.0, 0.0, 5.0])
def test_an_anchor_among_its_candidates(lead, margin):
    """D1.6: for rows of any length the anchor's logit may be above or below its positive's."""
    (loss,), rows = cross_entropy.with_anchor(np.array([lead]), np.array([margin]))
    own, others = math.exp(lead), math.exp(margin)
    total = 1 + own + others
    expected = (math.log1p(own + others), own / total, others / total, math.expm1(lead) / total)
    # the error of exp of a logit of 30: thirty roundings
    assert (loss, *(x.item() for x in rows)) == pytest.approx(expected, rel=1e-14, abs=0)


def test_the_derivative_if_anchor_and_positive_have_equal_logits():
    """ahead = expm1(lead) / total has the derivative 1 / total at lead 0, whichever branch autograd takes."""
    torch = pytest.importorskip("torch", reason="torch is not installed (an extra)")
    lead = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    _, rows = cross_entropy.with_anchor(lead, torch.tensor([0.5], dtype=torch.float64))
    (slope,) = torch.autograd.grad(rows.ahead.sum(), lead)
    assert slope.item() == pytest.approx(1 / (2 + math.exp(0.5)), rel=1e-14, abs=0)


@pytest.mark.parametrize("tie", [0.0, 0.7])
def test_the_derivatives_if_anchor_and_others_have_equal_logits(tie):
    """ℓ = log(1 + eᵃ + eᵇ) has the derivative eᵃ / total by both at a = b, whichever counts as the larger."""
    torch = pytest.importorskip("torch", reason="torch is not installed (an extra)")
    lead, margin = (torch.tensor([tie], dtype=torch.float64, requires_grad=True) for _ in range(2))
    losses, _ = cross_entropy.with_anchor(lead, margin)
    slopes = torch.autograd.grad(losses.sum(), (lead, margin))
    expected = math.exp(tie) / (1 + 2 * math.exp(tie))
    assert [x.item() for x in slopes] == pytest.approx([expected] * 2, rel=1e-14, abs=0)


INF = math.inf


@pytest.mark.parametrize(
    ("positive", "negatives", "loss", "q", "r"),
    [
        (0.0, [0.0, 0.0], math.log(3), 2 / 3, [0.5, 0.5]),
        (0.0, [math.log(3), 0.0], math.log(5), 4 / 5, [0.75, 0.25]),
        (1000.0, [1000.0, 1000.0 + math.log(2)], math.log(4), 3 / 4, [1 / 3, 2 / 3]),
        (0.0, [-INF, 0.0], math.log(2), 1 / 2, [0, 1]),
        (0.0, [-INF, -INF], 0, 0, [0, 0]),
        (3.0, [], 0, 0, []),
        (50.0, [0.0], math.exp(-50), math.exp(-50), [1]),  # log(1 + x) = x up to x²/2
        (-50.0, [0.0, 0.0], 50 + math.log(2), 1, [0.5, 0.5]),
        (0.0, [1000.0], 1000, 1, [1]),
    ],
)
def test_the_loss_and_probabilities_of_a_positive_against_its_negatives(positive, negatives, loss, q, r):
    logits = np.array([negatives, negatives])
    losses, cache = cross_entropy.forward(np.array([positive, positive]), logits)
    # an ulp of a logit of 1000 is 1e-13; a loss of e⁻⁵⁰ has all digits
    tolerance = {"rel": 1e-12 if max(negatives, default=0) > 100 else 1e-14, "abs": 0}
    assert losses == pytest.approx([loss] * 2, **tolerance)
    assert cache.q == pytest.approx([q] * 2, **tolerance)
    assert cache.r == pytest.approx(np.array([r, r]), **tolerance)


def test_the_negatives_are_overwritten_by_their_softmax():
    negatives = np.zeros((1, 2))
    assert cross_entropy.forward(np.zeros(1), negatives)[1].r is negatives


WITHOUT = np.array([[True, False, False], [False, True, False]])


def test_without_a_mask_nothing_more_is_left_out():
    assert cross_entropy.leave_out(WITHOUT, None) is WITHOUT


def test_what_is_not_kept_is_left_out_too():
    keep = np.array([[True, False, True], [True, False, True]])
    expected = [[True, True, False], [False, True, False]]
    assert cross_entropy.leave_out(WITHOUT, keep).tolist() == expected


@pytest.mark.parametrize("row", [0, 1])
def test_a_row_that_loses_its_last_negative_is_refused(row):
    keep = np.ones((2, 3), dtype=bool)
    keep[row] = WITHOUT[row]
    with pytest.raises(ValueError, match=r"keep must leave each row a candidate .*; a row has none"):
        cross_entropy.leave_out(WITHOUT, keep)


def test_a_row_that_had_no_negative_before_is_accepted():
    without = np.array([[True, True], [True, False]])
    found = cross_entropy.leave_out(without, np.array([[False, False], [False, True]]))
    assert found.tolist() == [[True, True], [True, False]]
