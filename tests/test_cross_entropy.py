"""Softmax cross-entropy with the anchor among its own candidates, whose score may be above or below its
positive's.
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
