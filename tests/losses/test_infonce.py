"""InfoNCE: the definition in plain loops, edges and bad input."""

import numpy as np
import pytest

from infonce_ref.losses import infonce


@pytest.fixture
def z():
    return np.random.default_rng(0).standard_normal((8, 3))


def loops(z, tau):
    """The mean over anchors of −log of the softmax, one term at a time."""
    losses = []
    for i in range(len(z)):
        terms = [np.exp(z[i] @ z[j] / tau) for j in range(len(z))]
        losses.append(-np.log(terms[(i + len(z) // 2) % len(z)] / sum(terms)))
    return np.mean(losses)


def test_the_definition(z):
    # 1e-14: eight logits of order 1 in each row, summed in another order
    assert infonce.forward(z, temperature=0.7)[0] == pytest.approx(loops(z, 0.7), rel=1e-14, abs=0)


def test_all_rows_equal_is_log_of_the_candidates():
    value, _ = infonce.forward(np.ones((6, 2)), temperature=0.5)
    assert value == pytest.approx(np.log(6), rel=1e-15, abs=0)


def test_products_that_overflow_are_an_error_and_no_nan():
    with (
        np.errstate(over="ignore", invalid="ignore"),
        pytest.raises(ValueError, match="infonce overflows float32: scale the inputs down"),
    ):
        infonce.forward(np.full((4, 2), 1e30, np.float32), temperature=1.0)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (np.ones((7, 3)), r"even number of rows.*got 7"),
        (np.ones(3), r"shape \(N, d\)"),
    ],
)
def test_bad_rows(rows, said):
    with pytest.raises(ValueError, match=said):
        infonce.forward(rows, temperature=0.5)


def test_unknown_reduction(z):
    with pytest.raises(ValueError, match="reduction must be one of 'mean', 'sum', 'none'; got 'median'"):
        infonce.forward(z, temperature=0.5, reduction="median")
