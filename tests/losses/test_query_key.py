import math

import numpy as np
import pytest

from infonce_ref import streaming
from infonce_ref.losses import query_key

LOSS = query_key.LOSS
OWN = LOSS.example(own=True)
QUEUE = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


def test_a_queue_is_the_same_negatives_for_every_query():
    copies = np.stack([QUEUE["negatives"]] * len(QUEUE["query"]))
    value, cache = query_key.forward(**QUEUE)
    apart, apart_cache = query_key.forward(**QUEUE | {"negatives": copies})
    assert apart == pytest.approx(value, rel=EXACT, abs=0)
    shared_gradient = query_key.backward(cache).negatives
    summed = query_key.backward(apart_cache).negatives.sum(axis=0)
    np.testing.assert_allclose(summed, shared_gradient, rtol=0, atol=EXACT)


class TestEdges:
    def test_where_all_keys_coincide_it_is_log_of_their_number(self):
        rows = np.ones((2, 3))
        value, cache = query_key.forward(rows, rows, np.ones((4, 3)), temperature=0.1)
        assert value == pytest.approx(math.log(5), rel=EXACT, abs=0)
        np.testing.assert_allclose(query_key.backward(cache).query, 0, atol=EXACT)

    def test_zero_rows_are_allowed(self):
        zero = np.zeros((1, 3))
        value, cache = query_key.forward(zero, zero, np.zeros((2, 3)), temperature=0.1)
        assert value == pytest.approx(math.log(3), rel=EXACT, abs=0)
        assert all(np.all(g == 0) for g in query_key.backward(cache))

    def test_a_duplicate_negative_counts_twice(self):
        twice = np.concatenate([QUEUE["negatives"], QUEUE["negatives"]])
        _, once = query_key.forward(**QUEUE)
        _, both = query_key.forward(**QUEUE | {"negatives": twice})
        odds, doubled = (c.rows.q / (1 - c.rows.q) for c in (once, both))
        np.testing.assert_allclose(doubled, 2 * odds, rtol=EXACT)

    def test_the_loss_keeps_its_digits_as_it_goes_to_zero(self):
        z = np.array([[1.0, 0.0]])
        value, cache = query_key.forward(z, z, -z, temperature=0.01)
        assert value == pytest.approx(math.exp(-200), rel=1e-12, abs=0)  # eps/τ times a few
        assert query_key.backward(cache).query[0, 0] == pytest.approx(-200 * math.exp(-200), rel=1e-12, abs=0)


REFUSED = (
    QUEUE,
    [
        ({"positive": QUEUE["positive"][:2]}, "must agree in n"),
        ({"negatives": QUEUE["negatives"][:, :2]}, "must agree in d"),
        ({"negatives": OWN["negatives"][:2]}, "must agree in n"),
        ({"positive": QUEUE["positive"][:, :0]}, "positive must not be empty"),
        ({"negatives": np.ones(3)}, "negatives must have shape"),
    ],
)


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("loss", [query_key, streaming.query_key])
def test_keys_that_coincide_far_from_0_give_a_query_no_gradient(own, loss):
    rng = np.random.default_rng(0)
    query, key = rng.standard_normal((5, 3)), 1e4 + rng.standard_normal((1, 3))
    negatives = np.broadcast_to(key, (5, 7, 3) if own else (7, 3)).copy()
    value, cache = loss.forward(query, np.repeat(key, 5, axis=0), negatives, temperature=0.3)
    gradients = loss.backward(cache)
    assert value == pytest.approx(np.log(8), rel=1e-15, abs=0)
    assert not np.any(gradients.query)
    assert gradients.temperature == 0


@pytest.mark.parametrize("loss", [query_key, streaming.query_key])
def test_keys_far_from_0_and_near_to_one_another_keep_their_digits(loss):
    """Subtracting 2²⁰, which is exact, gives keys near 0 with the same loss."""
    rng = np.random.default_rng(1)
    query, rows = rng.standard_normal((5, 3)), np.round(rng.standard_normal((12, 3)) * 2**20) / 2**20
    near, far = (
        loss.backward(loss.forward(query, x[:5], x[5:], temperature=0.3)[1]) for x in (rows, rows + 2.0**20)
    )
    np.testing.assert_allclose(far.query, near.query, rtol=1e-13)
    np.testing.assert_allclose(far.temperature, near.temperature, rtol=1e-13)
